/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Variables of other systems' kernels: `NAME is _kernel_NAME of this library
 * where this kernel has no such symbol that could be read (check_symbol.c).
 *
 * Load averages are fixed-point numbers of three periods.  hp_avenrun has 16
 * bits behind the point, as in Solaris; avenrun has Linux's 11, for it is a
 * variable of Linux, too.  A tick is a hundredth of a second, whatever the
 * kernel's own is.
 */

inline long _kernel_hp_avenrun[int N] = _load(N);
inline unsigned long _kernel_avenrun[int N] = _load(N) >> 5;

/* numbers of sysconf(3) */
inline int _kernel_ncpus = _sysconf(83);
inline int _kernel_ncpus_online = _sysconf(84);
inline int _kernel__pagesize = _sysconf(30);
inline unsigned long _kernel_physmem = _sysconf(85);

inline int _kernel_hz = 100;
inline clock_t _kernel_lbolt = timestamp / 10000000;
inline int64_t _kernel_lbolt64 = timestamp / 10000000;

/* the last process of the machine that was given a number */
inline pid_t _kernel_mpid =
	curthread->thread_pid->numbers[0].ns->idr.idr_next - 1;

/* of the host, when the program was compiled */
typedef struct _kernel_utsname {
	string sysname, nodename, release, version, machine;
} _kernel_utsname_t;

translator _kernel_utsname_t < int N > {
	sysname = _uname(0);
	nodename = _uname(1);
	release = _uname(2);
	version = _uname(3);
	machine = _uname(4);
};

inline _kernel_utsname_t _kernel_utsname = xlate <_kernel_utsname_t> (0);
