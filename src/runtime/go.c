/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Go: names of its frames, from the table that every Go program has.
 *
 * Go compiles to machine code, so the walk needs no help but rules
 * (src/proc/go_rows.c), except where the runtime or C run on a thread's own stack
 * for a goroutine: below runtime.systemstack, runtime.asmcgocall and clocks.  From
 * there it goes on on the goroutine's stack, whose pointer the runtime has saved.  An address stands for the function that is there and for
 * those that were inlined into it, with file and line each: src/proc/go_code.c.
 * All is in the file; nothing is read from the process.
 */
#include <stdlib.h>

#include "base/arena.h"
#include "proc/go_code.h"
#include "proc/go_table.h"
#include "proc/image.h"
#include "runtime/goroutine.h"
#include "runtime/program.h"
#include "runtime/runtime.h"

struct go {
	struct go_code *code;
	uint64_t bias;
	uint64_t saved; /* where saved goroutines are said to be, or 0 */
};

static bool is_file(const struct elf_file *file)
{
	return go_table_section(file);
}

/* ------------------------------------------------------------------- stacks */

enum range { SYSTEM, CALL, CLOCK, NOW, NRANGES };

/*
 * The stack of the goroutine begins with the address that the function returns to.
 * asmcgocall keeps the goroutine on the stack that it goes to, above its
 * arguments; or 0 if it did not have to go, and its first stack pointer.  Clocks
 * go to the thread's stack for the kernel's code and keep their frame pointer.
 */
static bool write_steps(uint64_t *block, const struct goroutine_place *place)
{
	enum { KEPT_SP = 40, KEPT_G = 48, WORD = 8 };
	enum { G = TEMP(0), AT = TEMP(1), INTO = TEMP(2) };
	enum { IS_SYSTEM, IS_CALL, IS_FOUND, IS_THERE, ORDINARY };
	const struct step steps[] = {
		PROGRAM(RUNTIME_STEPS),
		IF_UNEQUAL(EXACT, ZERO, 0, ORDINARY),
		PARKED(AT),
		IF_EQUAL(AT, ZERO, 0, ORDINARY),
		CONSTANT(AT, RUNTIME_RANGES + 2 * SYSTEM),
		SUBTRACT(INTO, PC, AT, 0),
		CONSTANT(AT, RUNTIME_RANGES + 2 * SYSTEM + 1),
		IF_LESS(INTO, AT, 0, IS_SYSTEM),
		CONSTANT(AT, RUNTIME_RANGES + 2 * CALL),
		SUBTRACT(INTO, PC, AT, 0),
		CONSTANT(AT, RUNTIME_RANGES + 2 * CALL + 1),
		IF_LESS(INTO, AT, 0, IS_CALL),
		/* a clock */
		PUT(PC, 0),
		MOVE(AT, FP),
		LOAD(PC, AT, WORD),
		LOAD(FP, AT, 0),
		ADD(SP, AT, ZERO, 2 * WORD),
		END(RUNTIME_MOVED),
		LABEL(IS_SYSTEM),
		LOAD(G, THREAD, place->slot),
		LOAD(G, G, place->machine),
		LOAD(G, G, place->goroutine),
		GO(IS_FOUND),
		LABEL(IS_CALL),
		LOAD(G, SP, KEPT_G),
		IF_UNEQUAL(G, ZERO, 0, IS_FOUND),
		LOAD(AT, SP, KEPT_SP),
		GO(IS_THERE),
		LABEL(IS_FOUND),
		IF_EQUAL(G, ZERO, 0, ORDINARY),
		LOAD(AT, G, place->sp),
		LABEL(IS_THERE),
		LOAD(G, AT, 0),
		IF_EQUAL(G, ZERO, 0, ORDINARY),
		PUT(PC, 0),
		MOVE(PC, G),
		ADD(SP, AT, ZERO, WORD),
		END(RUNTIME_MOVED),
		LABEL(ORDINARY),
		END(RUNTIME_ORDINARY),
	};

	return program_add(block, steps, sizeof(steps) / sizeof(*steps));
}

/* Without this, stacks end at these functions. */
static void cross_stacks(struct go_code *code, uint64_t bias, uint64_t *block)
{
	struct go_code_name names[NRANGES] = {
		[SYSTEM] = { .name = "runtime.systemstack" },
		[CALL] = { .name = "runtime.asmcgocall" },
		[CLOCK] = { .name = "runtime.nanotime1" },
		[NOW] = { .name = "time.now" },
	};
	struct goroutine_place place;

	go_code_find(code, names, NRANGES);
	if (!goroutine_place(code, &place) || !write_steps(block, &place))
		return;
	for (unsigned i = 0; i < NRANGES; i++) {
		block[RUNTIME_RANGES + 2 * i] = names[i].start + bias;
		block[RUNTIME_RANGES + 2 * i + 1] = names[i].size;
	}
}

static bool prepare(struct runtime_process *process,
		    const struct runtime_image *image, const char **why)
{
	struct go_code *code = image_go(image->image);
	struct go_code_name saved = { .name = "runtime.systemstack_switch" };
	struct go *go;

	*why = "its table is of a layout that is not known (Go 1.18 and later are)";
	if (!code)
		return false;
	go = must_alloc(sizeof(*go));
	go_code_find(code, &saved, 1);
	*go = (struct go){ go_code_keep(code), image->bias, saved.start };
	process->own = go;
	cross_stacks(code, image->bias, process->block);
	return true;
}

/* -------------------------------------------------------------------- names */

/* The walk writes no frames of its own. */
static unsigned name_frame(struct runtime_process *process, uint64_t pointer,
			   uint32_t detail, struct runtime_frame *frames,
			   const char **why)
{
	(void)process;
	(void)pointer;
	(void)detail;
	(void)frames;
	*why = "it is not Go's";
	return 0;
}

static unsigned name_code(struct runtime_process *process, uint64_t pc,
			  struct runtime_frame *frames, const char **why)
{
	const struct go *go = process->own;
	struct go_frame found[RUNTIME_INLINED];
	uint64_t address = pc - go->bias;

	/* It was not called: the address is its start, not behind a call. */
	if (address + 1 == go->saved)
		address++;
	unsigned count = go_code_frames(go->code, address, found,
					RUNTIME_INLINED);

	(void)why;
	for (unsigned i = 0; i < count; i++) {
		frames[i].function = runtime_text(process, found[i].function);
		frames[i].file = runtime_text(process, found[i].file);
		frames[i].line = frames[i].file[0] ? found[i].line : 0;
		/* There was no memory for it. */
		if (!frames[i].function[0])
			return 0;
	}
	return count;
}

static void free_go(struct runtime_process *process)
{
	struct go *go = process->own;

	if (go)
		go_code_free(go->code);
	free(go);
}

const struct runtime runtime_go = {
	.name = "go",
	.is_file = is_file,
	.has_symbols = true,
	.prepare = prepare,
	.name_frame = name_frame,
	.name_code = name_code,
	.free = free_go,
};
