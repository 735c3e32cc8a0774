/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arguments of mmap(2) and mprotect(2).
 */

inline int PROT_NONE = 0;
#pragma D attributes Stable/Stable/Common PROT_NONE
inline int MAP_SHARED = 1;
#pragma D attributes Stable/Stable/Common MAP_SHARED
inline int PROT_READ = 1;
#pragma D attributes Stable/Stable/Common PROT_READ
inline int MAP_PRIVATE = 2;
#pragma D attributes Stable/Stable/Common MAP_PRIVATE
inline int PROT_WRITE = 2;
#pragma D attributes Stable/Stable/Common PROT_WRITE
inline int PROT_EXEC = 4;
#pragma D attributes Stable/Stable/Common PROT_EXEC
inline int MAP_FIXED = 0x10;
#pragma D attributes Stable/Stable/Common MAP_FIXED
inline int MAP_ANON = 0x20;
#pragma D attributes Stable/Stable/Common MAP_ANON
inline int MAP_ANONYMOUS = 0x20;
#pragma D attributes Stable/Stable/Common MAP_ANONYMOUS
inline int MAP_GROWSDOWN = 0x100;
#pragma D attributes Stable/Stable/Common MAP_GROWSDOWN
inline int MAP_LOCKED = 0x2000;
#pragma D attributes Stable/Stable/Common MAP_LOCKED
inline int MAP_NORESERVE = 0x4000;
#pragma D attributes Stable/Stable/Common MAP_NORESERVE
inline int MAP_POPULATE = 0x8000;
#pragma D attributes Stable/Stable/Common MAP_POPULATE
inline int MAP_STACK = 0x20000;
#pragma D attributes Stable/Stable/Common MAP_STACK
inline int MAP_HUGETLB = 0x40000;
#pragma D attributes Stable/Stable/Common MAP_HUGETLB
