/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Signals of Linux, and the reasons that come with some of them.
 * SIGRTMIN is the kernel's: the C library keeps the first two for itself.
 */

inline int SIGHUP = 1;
#pragma D attributes Stable/Stable/Common SIGHUP
inline int SIGINT = 2;
#pragma D attributes Stable/Stable/Common SIGINT
inline int SIGQUIT = 3;
#pragma D attributes Stable/Stable/Common SIGQUIT
inline int SIGILL = 4;
#pragma D attributes Stable/Stable/Common SIGILL
inline int SIGTRAP = 5;
#pragma D attributes Stable/Stable/Common SIGTRAP
inline int SIGABRT = 6;
#pragma D attributes Stable/Stable/Common SIGABRT
inline int SIGIOT = 6;
#pragma D attributes Stable/Stable/Common SIGIOT
inline int SIGBUS = 7;
#pragma D attributes Stable/Stable/Common SIGBUS
inline int SIGFPE = 8;
#pragma D attributes Stable/Stable/Common SIGFPE
inline int SIGKILL = 9;
#pragma D attributes Stable/Stable/Common SIGKILL
inline int SIGUSR1 = 10;
#pragma D attributes Stable/Stable/Common SIGUSR1
inline int SIGSEGV = 11;
#pragma D attributes Stable/Stable/Common SIGSEGV
inline int SIGUSR2 = 12;
#pragma D attributes Stable/Stable/Common SIGUSR2
inline int SIGPIPE = 13;
#pragma D attributes Stable/Stable/Common SIGPIPE
inline int SIGALRM = 14;
#pragma D attributes Stable/Stable/Common SIGALRM
inline int SIGTERM = 15;
#pragma D attributes Stable/Stable/Common SIGTERM
inline int SIGSTKFLT = 16;
#pragma D attributes Stable/Stable/Common SIGSTKFLT
inline int SIGCHLD = 17;
#pragma D attributes Stable/Stable/Common SIGCHLD
inline int SIGCLD = 17;
#pragma D attributes Stable/Stable/Common SIGCLD
inline int SIGCONT = 18;
#pragma D attributes Stable/Stable/Common SIGCONT
inline int SIGSTOP = 19;
#pragma D attributes Stable/Stable/Common SIGSTOP
inline int SIGTSTP = 20;
#pragma D attributes Stable/Stable/Common SIGTSTP
inline int SIGTTIN = 21;
#pragma D attributes Stable/Stable/Common SIGTTIN
inline int SIGTTOU = 22;
#pragma D attributes Stable/Stable/Common SIGTTOU
inline int SIGURG = 23;
#pragma D attributes Stable/Stable/Common SIGURG
inline int SIGXCPU = 24;
#pragma D attributes Stable/Stable/Common SIGXCPU
inline int SIGXFSZ = 25;
#pragma D attributes Stable/Stable/Common SIGXFSZ
inline int SIGVTALRM = 26;
#pragma D attributes Stable/Stable/Common SIGVTALRM
inline int SIGPROF = 27;
#pragma D attributes Stable/Stable/Common SIGPROF
inline int SIGWINCH = 28;
#pragma D attributes Stable/Stable/Common SIGWINCH
inline int SIGIO = 29;
#pragma D attributes Stable/Stable/Common SIGIO
inline int SIGPOLL = 29;
#pragma D attributes Stable/Stable/Common SIGPOLL
inline int SIGPWR = 30;
#pragma D attributes Stable/Stable/Common SIGPWR
inline int SIGSYS = 31;
#pragma D attributes Stable/Stable/Common SIGSYS
inline int SIGRTMIN = 32;
#pragma D attributes Stable/Stable/Common SIGRTMIN
inline int SIGRTMAX = 64;
#pragma D attributes Stable/Stable/Common SIGRTMAX

/* Why a child changed: arg0 of proc:::exit. */
inline int CLD_EXITED = 1;
#pragma D attributes Stable/Stable/Common CLD_EXITED
inline int CLD_KILLED = 2;
#pragma D attributes Stable/Stable/Common CLD_KILLED
inline int CLD_DUMPED = 3;
#pragma D attributes Stable/Stable/Common CLD_DUMPED
inline int CLD_TRAPPED = 4;
#pragma D attributes Stable/Stable/Common CLD_TRAPPED
inline int CLD_STOPPED = 5;
#pragma D attributes Stable/Stable/Common CLD_STOPPED
inline int CLD_CONTINUED = 6;
#pragma D attributes Stable/Stable/Common CLD_CONTINUED

/* si_code of faults: arg0 of proc:::fault and of signals. */
inline int ILL_ILLOPC = 1;
#pragma D attributes Stable/Stable/Common ILL_ILLOPC
inline int ILL_ILLOPN = 2;
#pragma D attributes Stable/Stable/Common ILL_ILLOPN
inline int ILL_ILLADR = 3;
#pragma D attributes Stable/Stable/Common ILL_ILLADR
inline int ILL_ILLTRP = 4;
#pragma D attributes Stable/Stable/Common ILL_ILLTRP
inline int ILL_PRVOPC = 5;
#pragma D attributes Stable/Stable/Common ILL_PRVOPC
inline int ILL_PRVREG = 6;
#pragma D attributes Stable/Stable/Common ILL_PRVREG
inline int ILL_COPROC = 7;
#pragma D attributes Stable/Stable/Common ILL_COPROC
inline int ILL_BADSTK = 8;
#pragma D attributes Stable/Stable/Common ILL_BADSTK
inline int FPE_INTDIV = 1;
#pragma D attributes Stable/Stable/Common FPE_INTDIV
inline int FPE_INTOVF = 2;
#pragma D attributes Stable/Stable/Common FPE_INTOVF
inline int FPE_FLTDIV = 3;
#pragma D attributes Stable/Stable/Common FPE_FLTDIV
inline int FPE_FLTOVF = 4;
#pragma D attributes Stable/Stable/Common FPE_FLTOVF
inline int FPE_FLTUND = 5;
#pragma D attributes Stable/Stable/Common FPE_FLTUND
inline int FPE_FLTRES = 6;
#pragma D attributes Stable/Stable/Common FPE_FLTRES
inline int FPE_FLTINV = 7;
#pragma D attributes Stable/Stable/Common FPE_FLTINV
inline int FPE_FLTSUB = 8;
#pragma D attributes Stable/Stable/Common FPE_FLTSUB
inline int SEGV_MAPERR = 1;
#pragma D attributes Stable/Stable/Common SEGV_MAPERR
inline int SEGV_ACCERR = 2;
#pragma D attributes Stable/Stable/Common SEGV_ACCERR
inline int BUS_ADRALN = 1;
#pragma D attributes Stable/Stable/Common BUS_ADRALN
inline int BUS_ADRERR = 2;
#pragma D attributes Stable/Stable/Common BUS_ADRERR
inline int BUS_OBJERR = 3;
#pragma D attributes Stable/Stable/Common BUS_OBJERR
inline int TRAP_BRKPT = 1;
#pragma D attributes Stable/Stable/Common TRAP_BRKPT
inline int TRAP_TRACE = 2;
#pragma D attributes Stable/Stable/Common TRAP_TRACE
inline int SI_USER = 0;
#pragma D attributes Stable/Stable/Common SI_USER
inline int SI_KERNEL = 128;
#pragma D attributes Stable/Stable/Common SI_KERNEL
inline int SI_QUEUE = -1;
#pragma D attributes Stable/Stable/Common SI_QUEUE
inline int SI_TIMER = -2;
#pragma D attributes Stable/Stable/Common SI_TIMER
inline int SI_MESGQ = -3;
#pragma D attributes Stable/Stable/Common SI_MESGQ
inline int SI_ASYNCIO = -4;
#pragma D attributes Stable/Stable/Common SI_ASYNCIO
inline int SI_TKILL = -6;
#pragma D attributes Stable/Stable/Common SI_TKILL

/* What comes with a signal: who sent it, or where it went wrong. */
typedef struct siginfo_d {
	int si_signo;
	int si_errno;
	int si_code;		/* SI_USER, SI_TKILL, SEGV_MAPERR ... */
	pid_t si_pid;
	uid_t si_uid;
	int si_status;		/* SIGCHLD */
	uintptr_t si_addr;	/* SIGILL, SIGFPE, SIGSEGV, SIGBUS, SIGTRAP */
	uintptr_t si_value;
	long si_band;		/* SIGPOLL */
	int si_fd;
} siginfo_t;

/* The kernel passes 0 or 1 where a user (or the kernel) gave no information. */
translator siginfo_t < struct kernel_siginfo *S > {
	si_signo = (uintptr_t)S > 1 ? S->si_signo : 0;
	si_errno = (uintptr_t)S > 1 ? S->si_errno : 0;
	si_code = (uintptr_t)S > 1 ? S->si_code :
	    (uintptr_t)S == 1 ? 0x80 : 0;
	si_pid = (uintptr_t)S > 1 ? S->_sifields._kill._pid : 0;
	si_uid = (uintptr_t)S > 1 ? S->_sifields._kill._uid : 0;
	si_status = (uintptr_t)S > 1 ? S->_sifields._sigchld._status : 0;
	si_addr = (uintptr_t)S > 1 ?
	    (uintptr_t)S->_sifields._sigfault._addr : 0;
	si_value = (uintptr_t)S > 1 ?
	    (uintptr_t)S->_sifields._rt._sigval.sival_ptr : 0;
	si_band = (uintptr_t)S > 1 ? S->_sifields._sigpoll._band : 0;
	si_fd = (uintptr_t)S > 1 ? S->_sifields._sigpoll._fd : 0;
};
