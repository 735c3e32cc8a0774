/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads that are held by ptrace(2).  The breakpoint is in debug register 0;
 * register 7 switches it on.
 */
#include <errno.h>
#include <stddef.h>
#include <sys/ptrace.h>
#include <sys/user.h>

#include "arch/arch.h"

int arch_thread_read(pid_t pid, struct arch_thread *thread)
{
	struct user_regs_struct regs;

	if (ptrace(PTRACE_GETREGS, pid, NULL, &regs))
		return -errno;
	*thread = (struct arch_thread){
		.pc = regs.rip,
		.sp = regs.rsp,
		.argument = regs.rdi,
	};
	return 0;
}

int arch_thread_go_to(pid_t pid, uint64_t pc)
{
	struct user_regs_struct regs;

	if (ptrace(PTRACE_GETREGS, pid, NULL, &regs))
		return -errno;
	regs.rip = pc;
	return ptrace(PTRACE_SETREGS, pid, NULL, &regs) ? -errno : 0;
}

bool arch_thread_has_called(pid_t pid, const struct arch_thread *before,
			    const struct arch_thread *after)
{
	enum { LONGEST = 15 };

	if (after->sp != before->sp - ARCH_CALL_PUSHES)
		return false;
	uint64_t back = (uint64_t)ptrace(PTRACE_PEEKDATA, pid,
					 (void *)after->sp, NULL);

	return back > before->pc && back <= before->pc + LONGEST &&
	       back != after->pc;
}

/* ------------------------------------------------------------- breakpoints */

enum { INT3 = 0xcc, CONTROL = 7, EXECUTE_0 = 1 };

static int set_debug(pid_t pid, unsigned n, uint64_t value)
{
	size_t at = offsetof(struct user, u_debugreg) + n * sizeof(value);

	return ptrace(PTRACE_POKEUSER, pid, (void *)at, (void *)value) ? -errno
								       : 0;
}

int arch_breakpoint_set(pid_t pid, uint64_t address)
{
	int error = set_debug(pid, 0, address);

	return error ? error : set_debug(pid, CONTROL, EXECUTE_0);
}

int arch_breakpoint_clear(pid_t pid)
{
	int error = set_debug(pid, CONTROL, 0);

	return error ? error : set_debug(pid, 0, 0);
}

uint64_t arch_breakpoint_instruction(uint64_t code)
{
	return (code & ~UINT64_C(0xff)) | INT3;
}
