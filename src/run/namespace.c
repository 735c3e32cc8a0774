/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The PID namespace of this process.
 *
 * In the initial one there is nothing to know.  Programs generated in another
 * one must find a process's number there (ir/lower_process.c).  They need the
 * depth of the namespace and its inode.  /proc has the inode.  Only the kernel
 * knows the depth, and what lies above is hidden from us; so a program that
 * runs once, in this process, reads it.
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run/internal.h"

enum { INITIAL_INODE = 0xEFFFFFFC }; /* the same on every machine */

/* /proc may be missing, or of another namespace: a chroot, `unshare -p`. */
static bool proc_is_ours(void)
{
	char text[16] = "";

	return readlink("/proc/self", text, sizeof(text) - 1) > 0 &&
	       strtol(text, NULL, 10) == getpid();
}

static bool find(struct types *types, const char *tag, const char *name,
		 uint32_t *offset)
{
	struct member member;

	if (!types_kernel_member(types, tag, name, &member))
		return false;
	*offset = (uint32_t)(member.bit_offset / 8);
	return true;
}

static bool find_members(struct types *types, struct lower_pids *pids)
{
	struct type *row = types_lookup(types, "vmlinux", TAG_STRUCT,
					STR("upid"));
	uint32_t common, inode;

	if (!row ||
	    !find(types, "task_struct", "group_leader", &pids->leader_at) ||
	    !find(types, "task_struct", "thread_pid", &pids->pid_at) ||
	    !find(types, "pid", "level", &pids->level_at) ||
	    !find(types, "pid", "numbers", &pids->numbers_at) ||
	    !find(types, "upid", "nr", &pids->number_at) ||
	    !find(types, "upid", "ns", &pids->namespace_at) ||
	    !find(types, "pid_namespace", "ns", &common) ||
	    !find(types, "ns_common", "inum", &inode))
		return false;
	pids->row_size = (uint32_t)type_size(types, row);
	pids->inode_at = common + inode;
	return true;
}

int session_find_namespace(struct session *session)
{
	struct lower_pids *pids = &session->lowering.pids;
	struct stat space;

	if (stat("/proc/self/ns/pid", &space) || space.st_ino == INITIAL_INODE)
		return 0;
	if (!find_members(language_types(session->language), pids))
		return session_fail(
			session, -ENOENT,
			"cannot tell the numbers of processes in this PID "
			"namespace: the kernel's types have no struct pid "
			"(CONFIG_DEBUG_INFO_BTF); trace from the host");
	int level = bpf_ask_task((const uint32_t[]){ pids->pid_at,
						     pids->level_at },
				 2);

	/* without privilege we cannot trace either; -S shows what would be */
	pids->level = level > 0 ? (uint32_t)level : 1;
	pids->inode = (uint32_t)space.st_ino;
	if (!proc_is_ours())
		session_warn(
			session,
			"/proc is of another PID namespace than this process: "
			"names of user addresses, pid and USDT probes would be "
			"those of other processes (mount -t proc proc /proc)");
	return 0;
}
