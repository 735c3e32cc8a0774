/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Settle: let a process that is held run until its libraries are there.
 *
 * A program stands before its first instruction with nothing mapped but itself
 * and its dynamic linker.  That one has a function for debuggers,
 * _dl_debug_state(), which it calls when its list of objects has changed; the
 * list is complete when _r_debug says so.  A breakpoint there stops the
 * process before any code of a library has run.  A program without a dynamic
 * linker has everything already.  Later moments are places in the program: its
 * first instruction, to which the dynamic linker goes at last, and main().
 *
 * The breakpoint is one of the processor's.  An instruction for it would not
 * do: where another tracer has a probe at the same place of the file, in
 * whichever process, the kernel takes it for its own and goes on.  It serves
 * only where the processor has no breakpoint left.
 *
 * 1. The breakpoint is taken out before anybody else sees the process.
 * 2. A process that ends meanwhile is left for its target to be waited for.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "proc/functions.h"
#include "proc/target.h"

enum { BREAKPOINT = 0xcc, RT_CONSISTENT = 0, STATE_OFFSET = 24 };
/* The register that switches breakpoints on; execution of register 0's. */
enum { CONTROL = 7, EXECUTE_0 = 1 };

bool target_is_ours(pid_t pid)
{
	char path[32], line[128];
	long tracer = 0;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	FILE *file = fopen(path, "re");

	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "TracerPid: %ld", &tracer) == 1)
			break;
	if (file)
		fclose(file);
	return tracer == getpid();
}

/* A value of the auxiliary vector, or 0. */
static uint64_t auxiliary(pid_t pid, uint64_t type)
{
	char path[32];
	Elf64_auxv_t entry;
	uint64_t value = 0;

	snprintf(path, sizeof(path), "/proc/%d/auxv", (int)pid);
	FILE *file = fopen(path, "re");

	while (file && fread(&entry, sizeof(entry), 1, file) == 1)
		if (entry.a_type == type)
			value = entry.a_un.a_val;
	if (file)
		fclose(file);
	return value;
}

/* Address, as linked, of a name in .dynsym or .symtab; 0: none. */
static uint64_t symbol_in(struct elf_file *file, uint32_t type,
			  const char *wanted)
{
	struct elf_table table;
	uint64_t value = 0;

	if (!elf_file_read_table(file, type, &table))
		return 0;
	for (size_t i = 0; !value && i < table.count; i++) {
		const char *name = elf_table_name(&table, &table.symbols[i]);

		if (name && table.symbols[i].st_shndx != SHN_UNDEF &&
		    !strcmp(name, wanted))
			value = table.symbols[i].st_value;
	}
	elf_table_free(&table);
	return value;
}

static uint64_t symbol_of(struct elf_file *file, const char *name)
{
	uint64_t value = symbol_in(file, SHT_DYNSYM, name);

	return value ? value : symbol_in(file, SHT_SYMTAB, name);
}

/* 0: it stands at a signal, whose number is in *number. */
static int wait_for_stop(pid_t pid, int *number)
{
	siginfo_t info = { 0 };
	int status;

	while (waitid(P_PID, (id_t)pid, &info,
		      WEXITED | WSTOPPED | WNOWAIT | __WALL) < 0)
		if (errno != EINTR)
			return -errno;
	if (info.si_code == CLD_EXITED || info.si_code == CLD_KILLED ||
	    info.si_code == CLD_DUMPED)
		return -ESRCH;
	if (waitpid(pid, &status, __WALL) != pid || !WIFSTOPPED(status))
		return -ESRCH;
	/* events of ptrace(2) are no signals */
	*number = status >> 16 ? 0 : WSTOPSIG(status);
	return 0;
}

/* Register `n` of those that hold breakpoints. */
static int set_debug(pid_t pid, unsigned n, uint64_t value)
{
	size_t at = offsetof(struct user, u_debugreg) + n * sizeof(value);

	return ptrace(PTRACE_POKEUSER, pid, (void *)at, (void *)value) ?
		       -errno : 0;
}

/* Until the process stands at the address, or just behind it. */
static int run_until(pid_t pid, uint64_t address, uint64_t stop)
{
	struct user_regs_struct regs;
	int number = 0, error;

	for (;;) {
		if (ptrace(PTRACE_CONT, pid, NULL, (void *)(intptr_t)number))
			return -errno;
		error = wait_for_stop(pid, &number);
		if (error)
			return error;
		if (number == SIGTRAP &&
		    !ptrace(PTRACE_GETREGS, pid, NULL, &regs) &&
		    regs.rip == stop)
			break;
	}
	regs.rip = address;
	return ptrace(PTRACE_SETREGS, pid, NULL, &regs) ? -errno : 0;
}

static int run_to_instruction(pid_t pid, uint64_t address)
{
	errno = 0;
	long word = ptrace(PTRACE_PEEKTEXT, pid, (void *)address, NULL);

	if (errno ||
	    ptrace(PTRACE_POKETEXT, pid, (void *)address,
		   (void *)((word & ~0xffl) | BREAKPOINT)))
		return -errno;
	int error = run_until(pid, address, address + 1);

	if (!error &&
	    ptrace(PTRACE_POKETEXT, pid, (void *)address, (void *)word))
		error = -errno;
	return error;
}

static int run_to(pid_t pid, uint64_t address)
{
	if (set_debug(pid, 0, address) || set_debug(pid, CONTROL, EXECUTE_0))
		return run_to_instruction(pid, address);
	int error = run_until(pid, address, address);

	if (error)
		return error;
	error = set_debug(pid, CONTROL, 0);
	return error ? error : set_debug(pid, 0, 0);
}

/* Execute the one instruction that a breakpoint was on. */
static int step(pid_t pid)
{
	int number;

	if (ptrace(PTRACE_SINGLESTEP, pid, NULL, NULL))
		return -errno;
	return wait_for_stop(pid, &number);
}

/* The object that has `address` mapped. */
static struct image *image_at(struct images *images, uint64_t address)
{
	for (size_t i = 0; i < images->count; i++)
		if (images->items[i]->start == address &&
		    image_open_file(images, images->items[i]))
			return images->items[i];
	return NULL;
}

static int run_linker(pid_t pid, struct images *images, uint64_t base)
{
	struct image *linker = image_at(images, base);
	uint64_t hook = linker ? symbol_of(&linker->file, "_dl_debug_state") : 0;
	uint64_t list = linker ? symbol_of(&linker->file, "_r_debug") : 0;

	if (!hook)
		return -ENOENT;
	for (;;) {
		int error = run_to(pid, base + hook);

		if (error || !list)
			return error;
		long state = ptrace(PTRACE_PEEKDATA, pid,
				    (void *)(base + list + STATE_OFFSET), NULL);

		if ((int)state == RT_CONSISTENT)
			return 0;
		error = step(pid);
		if (error)
			return error;
	}
}

static struct image *program_of(struct images *images)
{
	for (size_t i = 0; i < images->count; i++)
		if (images->items[i]->is_program &&
		    image_open_file(images, images->items[i]))
			return images->items[i];
	return NULL;
}

/* Has the instruction at `before` called something? */
static bool is_called(pid_t pid, const struct user_regs_struct *before,
		      const struct user_regs_struct *after)
{
	enum { LONGEST = 15 };

	if (after->rsp != before->rsp - 8)
		return false;
	uint64_t back = (uint64_t)ptrace(PTRACE_PEEKDATA, pid,
					 (void *)after->rsp, NULL);

	return back > before->rip && back <= before->rip + LONGEST &&
	       back != after->rip;
}

/*
 * main() of a stripped program: what its first instructions hand to the C
 * library as the first argument of a call.  0: none that looks like it.
 */
static uint64_t main_passed(pid_t pid, const struct image *program)
{
	enum { STEPS = 64 };
	struct user_regs_struct before, after;

	if (ptrace(PTRACE_GETREGS, pid, NULL, &before))
		return 0;
	for (unsigned i = 0; i < STEPS; i++, before = after) {
		if (step(pid) || ptrace(PTRACE_GETREGS, pid, NULL, &after))
			return 0;
		if (is_called(pid, &before, &after) &&
		    after.rdi >= program->map_start &&
		    after.rdi < program->map_end)
			return after.rdi;
	}
	return 0;
}

static uint64_t main_of(pid_t pid, struct images *images)
{
	struct image *program = program_of(images);
	uint64_t main = program ? symbol_of(&program->file, "main") : 0;

	if (main)
		return program->bias + main;
	return program ? main_passed(pid, program) : 0;
}

/* The program's first instruction: the dynamic linker is through by then. */
static int run_to_start(pid_t pid)
{
	uint64_t start = auxiliary(pid, AT_ENTRY);

	return start ? run_to(pid, start) : 0;
}

static int run_to_main(pid_t pid, struct images *images)
{
	uint64_t main = main_of(pid, images);

	return main ? run_to(pid, main) : 0;
}

int target_settle(pid_t pid, enum target_moment moment)
{
	struct images images = { 0 };
	uint64_t base = auxiliary(pid, AT_BASE);
	int error = 0;

	if (moment >= MOMENT_POSTINIT)
		error = run_to_start(pid);
	if (!error && (moment == MOMENT_PREINIT || moment == MOMENT_MAIN))
		error = images_read(&images, pid);
	if (!error && moment == MOMENT_PREINIT && base)
		error = run_linker(pid, &images, base);
	if (!error && moment == MOMENT_MAIN)
		error = run_to_main(pid, &images);
	images_free(&images);
	return error;
}
