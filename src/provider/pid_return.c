/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Returns of functions in programs that unwind their stacks.
 *
 * The kernel's own way of probing a return (uretprobes) puts another address
 * in the place of the return address.  Who walks the stack by tables finds no
 * table for it: a C++ exception or a Rust panic that should pass through such
 * a function ends the program (std::terminate), and so does the Go runtime
 * when it moves a stack.  So where a process has what unwinds, return probes
 * are probes on the function's own instructions, as they always were in
 * DTrace: every `ret`, and every jump out of it in place of a call.
 *
 * 1. A jump out is one to the start of another function, or into a procedure
 *    linkage table.  Other jumps lead to pieces that the compiler put
 *    elsewhere (name.cold), whose bounds .eh_frame has; those belong to the
 *    function, and so do pieces that have its name.  In a stripped file
 *    a jump to the start of what has no frame yet is a jump out, and a piece
 *    that nobody jumps to, because it catches an exception, is not found.
 * 2. Indirect jumps are switches, unless the function has no other end.
 * 3. At a jump out the value is not known yet, and arg1 says nothing.
 * 4. A function that is left by an exception has not returned: no probe fires.
 * 5. Through functions of the C library exceptions pass only where those call
 *    back.  All others are probed in the kernel's way, which knows the value
 *    whatever jumps there are.
 */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "proc/x86.h"
#include "provider/pid.h"
#include "provider/uprobe.h"

enum { PIECES_MOST = 64, PIECE_BYTES = 64 << 10 };

struct sweep {
	struct image *image;
	const struct elf_function *function;
	struct pid_returns *ends, *indirect;
	struct elf_function pieces[PIECES_MOST];
	unsigned npieces;
};

/* ---------------------------------------------------------- who unwinds */

static bool starts_with(const char *name, const char *prefix)
{
	return !strncmp(name, prefix, strlen(prefix));
}

static bool is_c_library(const struct image *image)
{
	return starts_with(image->name, "libc.so") ||
	       starts_with(image->name, "libc-") ||
	       starts_with(image->name, "libm.") ||
	       starts_with(image->name, "libpthread") ||
	       starts_with(image->name, "ld-");
}

static bool has_unwinder(const struct images *images, struct image *image)
{
	if (starts_with(image->name, "libgcc_s.") ||
	    starts_with(image->name, "libstdc++.") ||
	    starts_with(image->name, "libc++") ||
	    starts_with(image->name, "libunwind"))
		return true;
	/* the C library has tables for cancelled threads only */
	if (is_c_library(image) || !image_open_file(images, image))
		return false;
	return elf_file_section(&image->file, ".gopclntab") ||
	       elf_file_section(&image->file, ".gcc_except_table");
}

/* Does it call functions of others, which may throw? */
static bool calls_back(const char *name)
{
	static const char *const names[] = {
		"*qsort*", "*bsearch*", "lfind", "lsearch", "tsearch", "tfind",
		"tdelete", "twalk*", "tdestroy", "glob*", "ftw*", "nftw*",
		"scandir*", "*pthread_once", "call_once", "*start_call_main",
		"__libc_start_main*", "start_thread", "dl_iterate_phdr",
		"*argp_parse", "clone*", "__clone*", "_dl_catch_*", "dl*",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (glob_match(names[i], name))
			return true;
	return false;
}

static bool unwinds(struct pid_process *process)
{
	const struct images *images = &process->images;

	for (; process->nweighed < images->count; process->nweighed++)
		process->unwinds |= has_unwinder(
			images, images->items[process->nweighed]);
	return process->unwinds;
}

bool pid_keeps_address(struct pid_process *process, const struct image *image,
		       const char *function)
{
	return unwinds(process) &&
	       (!is_c_library(image) || calls_back(function));
}

/* ------------------------------------------------------------------ ends */

static void add_end(struct pid_returns *ends, uint64_t offset)
{
	for (size_t i = 0; i < ends->count; i++)
		if (ends->offsets[i] == offset)
			return;
	ends->offsets = must_realloc(ends->offsets,
				     checked_mul(ends->count + 1,
						 sizeof(*ends->offsets)));
	ends->offsets[ends->count++] = offset;
}

static bool is_inside(const struct elf_function *function, uint64_t address)
{
	return address - function->start < function->size;
}

static bool is_function_start(const struct elf_functions *functions,
			      uint64_t address)
{
	size_t low = 0, high = functions->count;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (functions->items[middle].start < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low < functions->count &&
	       functions->items[low].start == address;
}

static bool is_in_linkage_table(const struct elf_file *file, uint64_t address)
{
	for (size_t i = 0; i < file->nsections; i++) {
		const Elf64_Shdr *section = &file->sections[i];

		if (address - section->sh_addr < section->sh_size &&
		    section->sh_name < file->names_size)
			return starts_with(file->names + section->sh_name,
					   ".plt");
	}
	return false;
}

/* A stripped file does not tell functions from pieces. */
static bool may_be_function(const struct sweep *sweep, enum x86_flow flow,
			    const struct elf_start *start, uint64_t target)
{
	return sweep->image->functions->is_partial && flow == X86_JUMP &&
	       target == start->address &&
	       !elf_file_starts_with_frame(&sweep->image->file, start);
}

/* It goes on in a piece of this function, if that is what it is. */
static bool find_piece(const struct sweep *sweep, enum x86_flow flow,
		       uint64_t target, struct elf_function *piece)
{
	const struct elf_functions *functions = sweep->image->functions;
	const struct elf_start *start = image_piece(sweep->image, target);

	if (!start || is_function_start(functions, target) ||
	    is_function_start(functions, start->address) ||
	    is_in_linkage_table(&sweep->image->file, target) ||
	    may_be_function(sweep, flow, start, target))
		return false;
	*piece = (struct elf_function){
		.start = start->address,
		.size = start[1].address - start->address,
	};
	return piece->size < PIECE_BYTES &&
	       elf_file_offset(&sweep->image->file, piece->start,
			       &piece->offset);
}

static void add_piece(struct sweep *sweep, const struct elf_function *piece)
{
	for (unsigned i = 0; i < sweep->npieces; i++)
		if (sweep->pieces[i].start == piece->start)
			return;
	if (sweep->npieces < PIECES_MOST)
		sweep->pieces[sweep->npieces++] = *piece;
}

static void take(struct sweep *sweep, const uint8_t *code, size_t size,
		 uint64_t address)
{
	struct elf_function piece;

	uint64_t offset = address - sweep->function->start;
	int64_t distance = 0;
	enum x86_flow flow = x86_flow(code, size, &distance);
	uint64_t target = address + (uint64_t)distance;

	if (flow == X86_RETURN)
		add_end(sweep->ends, offset);
	else if (flow == X86_INDIRECT)
		add_end(sweep->indirect, offset);
	else if ((flow != X86_JUMP && flow != X86_BRANCH) ||
		 is_inside(sweep->function, target))
		return;
	else if (find_piece(sweep, flow, target, &piece))
		add_piece(sweep, &piece);
	else
		add_end(sweep->ends, offset);
}

/* From its start to its end. */
static bool take_function(struct sweep *sweep,
			  const struct elf_function *function)
{
	uint8_t *code = elf_file_read(&sweep->image->file, function->offset,
				      function->size);
	uint64_t at = 0;
	unsigned length;

	for (; code && at < function->size; at += length) {
		size_t left = function->size - at;

		length = x86_length(code + at, left);
		if (!length)
			break;
		take(sweep, code + at, left, function->start + at);
	}
	free(code);
	return code && at >= function->size;
}

/* Those that have its name: what catches exceptions is not jumped to. */
static void take_named_pieces(struct sweep *sweep)
{
	const struct elf_functions *functions = sweep->image->functions;
	const char *name = sweep->function->name;
	size_t length = strlen(name), low = 0, high = functions->npieces;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (strncmp(functions->pieces[middle].name, name, length) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < functions->npieces &&
	     !strncmp(functions->pieces[low].name, name, length); low++)
		if (starts_with(functions->pieces[low].name + length, ".cold"))
			add_piece(sweep, &functions->pieces[low]);
}

bool pid_find_returns(struct image *image, const struct elf_function *function,
		      struct pid_returns *ends)
{
	struct pid_returns indirect = { 0 };
	struct sweep sweep = {
		.image = image, .function = function, .ends = ends,
		.indirect = &indirect,
	};

	*ends = (struct pid_returns){ 0 };
	bool is_known = function->size && take_function(&sweep, function);

	if (is_known)
		take_named_pieces(&sweep);
	for (unsigned i = 0; is_known && i < sweep.npieces; i++)
		take_function(&sweep, &sweep.pieces[i]);
	if (ends->count) {
		free(indirect.offsets);
	} else {
		free(ends->offsets);
		*ends = indirect;
	}
	return is_known;
}

void pid_returns_free(struct pid_returns *ends)
{
	free(ends->offsets);
	*ends = (struct pid_returns){ 0 };
}
