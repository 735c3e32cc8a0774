/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Go: names of its frames, from the table that every Go program has.
 *
 * Go compiles to machine code, so the walk needs no help but rules
 * (src/proc/go_rows.c).  An address stands for the function that is there and for
 * those that were inlined into it, with file and line each: src/proc/go_code.c.
 * All is in the file; nothing is read from the process.
 */
#include <stdlib.h>

#include "base/arena.h"
#include "proc/go_code.h"
#include "proc/go_table.h"
#include "proc/image.h"
#include "runtime/runtime.h"

struct go {
	struct go_code *code;
	uint64_t bias;
};

static bool is_file(const struct elf_file *file)
{
	return go_table_section(file);
}

static bool prepare(struct runtime_process *process,
		    const struct runtime_image *image, const char **why)
{
	struct go_code *code = image_go(image->image);
	struct go *go;

	*why = "its table is of a layout that is not known (Go 1.18 and later are)";
	if (!code)
		return false;
	go = must_alloc(sizeof(*go));
	*go = (struct go){ go_code_keep(code), image->bias };
	process->own = go;
	return true;
}

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
	unsigned count = go_code_frames(go->code, pc - go->bias, found,
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
	.kind = RUNTIME_GO,
	.is_file = is_file,
	.has_symbols = true,
	.prepare = prepare,
	.name_frame = name_frame,
	.name_code = name_code,
	.free = free_go,
};
