/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Processes and threads as proc, sched and the variables curpsinfo and
 * curlwpsinfo show them.
 *
 * The input is the kernel's thread, struct task_struct.  Members that it does
 * not hold in a readable form have no conversion: asking for one is an error
 * when the program is compiled, not a wrong number when it runs.
 * pr_psargs is the command line of the current process; of another one, only
 * the name that the kernel keeps is at hand.  Sizes are in kilobytes.
 */

typedef struct timestruc {
	time_t tv_sec;
	long tv_nsec;
} timestruc_t;

typedef struct lwpsinfo {
	int pr_flag;		/* PR_STOPPED ... PR_IDLE */
	id_t pr_lwpid;		/* thread id */
	uintptr_t pr_addr;	/* struct task_struct */
	uintptr_t pr_wchan;
	char pr_stype;
	char pr_state;		/* SSLEEP ... SONPROC */
	char pr_sname;		/* S R Z T O */
	char pr_nice;
	short pr_syscall;
	char pr_oldpri;
	char pr_cpu;
	int pr_pri;
	ushort_t pr_pctcpu;	/* lately; 0x8000 is all of a CPU */
	timestruc_t pr_start;
	timestruc_t pr_time;
	string pr_clname;	/* TS RT DL */
	char pr_name[16];
	processorid_t pr_onpro;
	processorid_t pr_bindpro;
	psetid_t pr_bindpset;
	int pr_lgrp;
} lwpsinfo_t;

typedef struct psinfo {
	int pr_flag;
	int pr_nlwp;		/* threads */
	pid_t pr_pid;
	pid_t pr_ppid;
	pid_t pr_pgid;
	pid_t pr_sid;
	uid_t pr_uid;
	uid_t pr_euid;
	gid_t pr_gid;
	gid_t pr_egid;
	uintptr_t pr_addr;	/* struct task_struct */
	size_t pr_size;
	size_t pr_rssize;
	dev_t pr_ttydev;
	ushort_t pr_pctcpu;
	ushort_t pr_pctmem;	/* 0x8000 is all of the memory */
	timestruc_t pr_start;
	timestruc_t pr_time;
	timestruc_t pr_ctime;
	char pr_fname[16];
	string pr_psargs;
	int pr_wstat;
	int pr_argc;
	uintptr_t pr_argv;
	uintptr_t pr_envp;
	char pr_dmodel;		/* PR_MODEL_ILP32, PR_MODEL_LP64 */
	taskid_t pr_taskid;
	projid_t pr_projid;
	int pr_nzomb;
	poolid_t pr_poolid;
	zoneid_t pr_zoneid;
	id_t pr_contract;
	lwpsinfo_t pr_lwp;
} psinfo_t;

inline int PR_STOPPED = 0x00000001;
#pragma D attributes Stable/Stable/Common PR_STOPPED
inline int PR_ISTOP = 0x00000002;
#pragma D attributes Stable/Stable/Common PR_ISTOP
inline int PR_DSTOP = 0x00000004;
#pragma D attributes Stable/Stable/Common PR_DSTOP
inline int PR_STEP = 0x00000008;
#pragma D attributes Stable/Stable/Common PR_STEP
inline int PR_ASLEEP = 0x00000010;
#pragma D attributes Stable/Stable/Common PR_ASLEEP
inline int PR_PCINVAL = 0x00000020;
#pragma D attributes Stable/Stable/Common PR_PCINVAL
inline int PR_ASLWP = 0x00000040;
#pragma D attributes Stable/Stable/Common PR_ASLWP
inline int PR_AGENT = 0x00000080;
#pragma D attributes Stable/Stable/Common PR_AGENT
inline int PR_DETACH = 0x00000100;
#pragma D attributes Stable/Stable/Common PR_DETACH
inline int PR_DAEMON = 0x00000200;
#pragma D attributes Stable/Stable/Common PR_DAEMON
inline int PR_ISSYS = 0x00001000;
#pragma D attributes Stable/Stable/Common PR_ISSYS
inline int PR_VFORKP = 0x00002000;
#pragma D attributes Stable/Stable/Common PR_VFORKP
inline int PR_ORPHAN = 0x00004000;
#pragma D attributes Stable/Stable/Common PR_ORPHAN
inline int PR_NOSIGCHLD = 0x00008000;
#pragma D attributes Stable/Stable/Common PR_NOSIGCHLD
inline int PR_WAITPID = 0x00010000;
#pragma D attributes Stable/Stable/Common PR_WAITPID
inline int PR_FORK = 0x00100000;
#pragma D attributes Stable/Stable/Common PR_FORK
inline int PR_RLC = 0x00200000;
#pragma D attributes Stable/Stable/Common PR_RLC
inline int PR_KLC = 0x00400000;
#pragma D attributes Stable/Stable/Common PR_KLC
inline int PR_ASYNC = 0x00800000;
#pragma D attributes Stable/Stable/Common PR_ASYNC
inline int PR_MSACCT = 0x01000000;
#pragma D attributes Stable/Stable/Common PR_MSACCT
inline int PR_BPTADJ = 0x02000000;
#pragma D attributes Stable/Stable/Common PR_BPTADJ
inline int PR_PTRACE = 0x04000000;
#pragma D attributes Stable/Stable/Common PR_PTRACE
inline int PR_MSFORK = 0x08000000;
#pragma D attributes Stable/Stable/Common PR_MSFORK
inline int PR_IDLE = 0x10000000;
#pragma D attributes Stable/Stable/Common PR_IDLE

inline char PR_MODEL_ILP32 = 1;
#pragma D attributes Stable/Stable/Common PR_MODEL_ILP32
inline char PR_MODEL_LP64 = 2;
#pragma D attributes Stable/Stable/Common PR_MODEL_LP64

inline char SSLEEP = 1;
#pragma D attributes Unstable/Unstable/Common SSLEEP
inline char SRUN = 2;
#pragma D attributes Unstable/Unstable/Common SRUN
inline char SZOMB = 3;
#pragma D attributes Unstable/Unstable/Common SZOMB
inline char SSTOP = 4;
#pragma D attributes Unstable/Unstable/Common SSTOP
inline char SIDL = 5;
#pragma D attributes Unstable/Unstable/Common SIDL
inline char SONPROC = 6;
#pragma D attributes Unstable/Unstable/Common SONPROC
inline char SWAIT = 7;
#pragma D attributes Unstable/Unstable/Common SWAIT

inline int PBIND_NONE = -1;
#pragma D attributes Stable/Stable/Common PBIND_NONE
inline int PS_NONE = -1;
#pragma D attributes Stable/Stable/Common PS_NONE

translator timestruc_t < uint64_t N > {
	tv_sec = N / 1000000000;
	tv_nsec = N % 1000000000;
};

/* When the task started, in nanoseconds since 1970. */
uint64_t _started(struct task_struct *T)
{
	return walltimestamp - timestamp + T->start_boottime;
}

/* A process group's or session's number where the tracer is. */
int _number_of(struct pid *P)
{
	return _pid_level() ? _pid_number(P) : P->numbers[0].nr;
}

/* The first word of the stack that exec made, in the current process. */
int _argument_count(struct task_struct *T)
{
	return *(int *)copyin(T->mm->start_stack, sizeof (int));
}

/*
 * The kernel's states: 0 running or ready, 1 asleep until a signal comes, 4
 * stopped, 8 traced; exit_state 0x10 dead, 0x20 zombie.  Flag 0x200000 is a
 * thread of the kernel.  Policies: 0 normal, 1 fifo, 2 round robin, 6
 * deadline.  A static priority of 120 is nice 0.
 */
translator lwpsinfo_t < struct task_struct *T > {
	pr_flag = ((T->__state & 0xc) != 0 ? PR_STOPPED : 0) |
	    ((T->__state & 1) != 0 ? PR_ASLEEP : 0) |
	    ((T->flags & 0x200000) != 0 ? PR_ISSYS : 0) |
	    (T->ptrace != 0 ? PR_PTRACE : 0) |
	    (T->pid == 0 ? PR_IDLE : 0);
	pr_lwpid = _pid_level() ? _pid_number(T->thread_pid) : T->pid;
	pr_addr = (uintptr_t)T;
	pr_state = (T->exit_state & 0x30) != 0 ? SZOMB :
	    (T->__state & 0xc) != 0 ? SSTOP :
	    T->__state != 0 ? SSLEEP :
	    T->on_cpu != 0 ? SONPROC : SRUN;
	pr_sname = (T->exit_state & 0x30) != 0 ? 'Z' :
	    (T->__state & 0xc) != 0 ? 'T' :
	    T->__state != 0 ? 'S' :
	    T->on_cpu != 0 ? 'O' : 'R';
	pr_nice = T->static_prio - 120;
	pr_oldpri = T->normal_prio;
	pr_pri = T->prio;
	pr_pctcpu = T->se.avg.util_avg << 5;
	pr_syscall = (uintptr_t)T == (uintptr_t)curthread ?
	    (short)uregs[@SYSCALL_NUMBER@] : 0;
	pr_start = xlate <timestruc_t> (_started(T));
	pr_time = xlate <timestruc_t> ((uint64_t)T->se.sum_exec_runtime);
	pr_clname = T->policy == 1 || T->policy == 2 ? "RT" :
	    T->policy == 6 ? "DL" : "TS";
	pr_name = T->comm;
	pr_onpro = T->thread_info.cpu;
	pr_bindpro = T->nr_cpus_allowed == 1 ? (int)T->thread_info.cpu : -1;
	pr_bindpset = -1;
	pr_lgrp = _cpu_lgrp(T->thread_info.cpu);
};

/*
 * pids[2] is the process group, pids[3] the session; _pid_level() is 0 when
 * the tracer is in the initial PID namespace.  The addresses of a 32-bit
 * program end below 4 GB.  A dev_t has 20 bits of minor number.  While exec
 * has not set the end of the environment, the stack holds no count yet.  Flag 4
 * of the signals: the whole process ends, with a status that its tasks get later.
 */
translator psinfo_t < struct task_struct *T > {
	pr_nlwp = T->signal->nr_threads;
	pr_pid = _pid_level() ?
	    _pid_number(T->group_leader->thread_pid) : T->tgid;
	pr_ppid = _pid_level() ?
	    _pid_number(T->real_parent->group_leader->thread_pid) :
	    T->real_parent->tgid;
	pr_pgid = _number_of(T->signal->pids[2]);
	pr_sid = _number_of(T->signal->pids[3]);
	pr_uid = T->cred->uid.val;
	pr_euid = T->cred->euid.val;
	pr_gid = T->cred->gid.val;
	pr_egid = T->cred->egid.val;
	pr_addr = (uintptr_t)T;
	pr_size = T->mm != NULL ? T->mm->total_vm << 2 : 0;
	pr_rssize = _rss_pages(T) << 2;
	pr_pctmem = (_rss_pages(T) << 15) / _memory_pages();
	pr_ttydev = T->signal->tty != NULL ?
	    (T->signal->tty->driver->major << 20) +
	    T->signal->tty->driver->minor_start +
	    T->signal->tty->index : -1;
	pr_fname = T->comm;
	pr_psargs = T->mm != NULL && T->mm == curthread->mm ?
	    execargs : stringof(T->comm);
	pr_start = xlate <timestruc_t> (_started(T));
	pr_time = xlate <timestruc_t> ((uint64_t)
	    (T->signal->sum_sched_runtime + T->se.sum_exec_runtime));
	pr_ctime = xlate <timestruc_t> ((uint64_t)
	    (T->signal->cutime + T->signal->cstime));
	pr_argc = T->mm != NULL && T->mm == curthread->mm && T->mm->env_end ?
	    _argument_count(T) : 0;
	pr_argv = T->mm != NULL ? T->mm->start_stack + 8 : 0;
	pr_envp = T->mm != NULL && T->mm == curthread->mm && T->mm->env_end ?
	    T->mm->start_stack + 16 + 8 * _argument_count(T) : 0;
	pr_wstat = T->exit_code == 0 && (T->signal->flags & 4) != 0 ?
	    T->signal->group_exit_code : T->exit_code;
	pr_dmodel = T->mm != NULL && T->mm->task_size <= 0xffffffff ? 1 : 2;
	pr_taskid = 0;
	pr_projid = 0;
	pr_poolid = 0;
	pr_zoneid = 0;
	pr_contract = 0;
	pr_nzomb = 0;
	pr_flag = 0;
	pr_lwp = xlate <lwpsinfo_t> (T);
};

inline psinfo_t *curpsinfo = xlate <psinfo_t *> (curthread);
#pragma D attributes Stable/Stable/Common curpsinfo
inline lwpsinfo_t *curlwpsinfo = xlate <lwpsinfo_t *> (curthread);
#pragma D attributes Stable/Stable/Common curlwpsinfo
