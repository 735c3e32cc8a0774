/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a kernel's lock with readers and writers is wanted for, as lockstat
 * says it.
 */
inline int RW_WRITER = 0;
#pragma D attributes Stable/Stable/Common RW_WRITER
inline int RW_READER = 1;
#pragma D attributes Stable/Stable/Common RW_READER
