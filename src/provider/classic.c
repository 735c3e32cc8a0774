/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Classic probes that no Linux kernel can support, and why.
 *
 * A user who asks for one has it from a book or from another system; "no such
 * probe" would make them look for a mistake of their own.  Probes that some
 * kernels can support are not listed here: the tables of the providers know
 * what they need.
 */
#include "provider/classic.h"

#include <string.h>

#include "probe/probe.h"

#define SPIN_LOCKS \
	"spin locks that are free are not looked at: programs would fire for locks that tracing takes itself, and functions of spin locks are often inlined; spin-spin has those that are waited for"
#define TERMINALS \
	"Linux does not count the characters of terminals; readch and writech have the bytes of all files"
#define BUFFERS \
	"Linux has no buffer cache beside its pages; bread and bwrite are what goes to disks"
#define INTERRUPT_THREADS \
	"interrupts of Linux are no threads that could block; see rawtp:irq"
#define UFS "there is no UFS on Linux"
#define VNODES "nothing in Linux corresponds to this operation of a vnode"
#define ACLS \
	"lists of access rights are extended attributes in Linux; see vfs::vop_getextattr: and vfs::vop_setextattr:"

static const struct {
	const char *provider;
	const char *name; /* a glob */
	const char *why;
} absent[] = {
	{ "lockstat", "spin-acquire", SPIN_LOCKS },
	{ "lockstat", "spin-release", SPIN_LOCKS },
	{ "lockstat", "thread-spin",
	  "Linux has no thread locks; the locks of its run queues are spin locks: see spin-spin" },
	{ "lockstat", "rw-upgrade",
	  "a reader of Linux cannot become a writer without giving the lock back; rw-downgrade has the reverse" },

	{ "sched", "schedctl-*",
	  "Linux lets no thread ask not to be preempted" },
	{ "sched", "cpucaps-*",
	  "Linux caps the CPU time of groups of processes, and counts that in their file cpu.stat (see cgroups)" },
	{ "sched", "swap*",
	  "Linux swaps pages, never whole processes; see vminfo:::pgswapin and vminfo:::pgswapout" },

	{ "sysinfo", "bawrite",
	  "Linux does not tell writes that somebody waits for from others; bwrite has all of them" },
	{ "sysinfo", "lread", BUFFERS },
	{ "sysinfo", "lwrite", BUFFERS },
	{ "sysinfo", "phread",
	  "Linux has no raw devices; bread has all that is read" },
	{ "sysinfo", "phwrite",
	  "Linux has no raw devices; bwrite has all that is written" },
	{ "sysinfo", "canch", TERMINALS },
	{ "sysinfo", "rawch", TERMINALS },
	{ "sysinfo", "outch", TERMINALS },
	{ "sysinfo", "cpu_ticks_wait",
	  "a CPU of Linux that waits for a disk is idle: see cpu_ticks_idle and iowait" },
	{ "sysinfo", "wait_ticks_io",
	  "a CPU of Linux that waits for a disk is idle: see cpu_ticks_idle and iowait" },
	{ "sysinfo", "intrblk", INTERRUPT_THREADS },
	{ "sysinfo", "intrunpin", INTERRUPT_THREADS },
	{ "sysinfo", "sysspawn",
	  "posix_spawn is made of vfork and exec in Linux: see sysvfork" },
	{ "sysinfo", "ufs*", UFS },

	{ "fsinfo", "addmap", "a mapping is made in one go: see map" },
	{ "fsinfo", "delmap",
	  "files are not told that a mapping of theirs goes; see syscall::munmap:entry" },
	{ "fsinfo", "poll",
	  "which files are asked is known to poll(2) and its likes only; see syscall::poll:entry, ::ppoll:, ::pselect6:, ::epoll_wait:" },
	{ "fsinfo", "getsecattr", ACLS },
	{ "fsinfo", "setsecattr", ACLS },
	{ "fsinfo", "rwlock",
	  "files are locked by a rwsem of their inode; see lockstat:::rw-acquire" },
	{ "fsinfo", "rwunlock",
	  "files are locked by a rwsem of their inode; see lockstat:::rw-release" },
	{ "fsinfo", "cmp", VNODES },
	{ "fsinfo", "dispose", VNODES },
	{ "fsinfo", "dump", VNODES },
	{ "fsinfo", "dumpctl", VNODES },
	{ "fsinfo", "fid", VNODES },
	{ "fsinfo", "inactive", VNODES },
	{ "fsinfo", "pageio", VNODES },
	{ "fsinfo", "pathconf", VNODES },
	{ "fsinfo", "realvp", VNODES },
	{ "fsinfo", "reqzcbuf", VNODES },
	{ "fsinfo", "retzcbuf", VNODES },
	{ "fsinfo", "shrlock", VNODES },
	{ "fsinfo", "vnevent", VNODES },

	{ "kinst", "*",
	  "an instruction of a kernel's function is fbt::FUNCTION:0xOFFSET" },
};

const char *classic_absence(const char *provider, const char *name)
{
	for (size_t i = 0; i < sizeof(absent) / sizeof(absent[0]); i++)
		if (!strcmp(provider, absent[i].provider) &&
		    glob_match(absent[i].name, name))
			return absent[i].why;
	return NULL;
}
