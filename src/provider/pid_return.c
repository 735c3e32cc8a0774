/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where functions return.
 *
 * The kernel's own method to probe a return (a uretprobe) replaces the return
 * address.  That breaks programs which switch stacks (coroutines, fibers) or
 * unwind them (C++ exceptions, Rust panics, Go), and it silently misses returns
 * once 64 calls are nested.  So return probes are probes on the instructions
 * that end the function, as they always were in DTrace: every `ret`, and every
 * jump that leaves it instead of a call.  The kernel's method is available on
 * demand (-x uretprobe).
 *
 * 1. A jump leaves the function if it goes to the start of another one, or into
 *    a procedure linkage table.  Other jumps lead to pieces that the compiler
 *    put elsewhere (name.cold), whose bounds are in .eh_frame; those belong to
 *    the function, and so do pieces that have its name.  In a stripped file a
 *    jump to the start of code that has no frame yet leaves the function, and a
 *    piece without a jump to it, because it catches an exception, is not found.
 * 2. Conditional and indirect jumps may leave or stay.  The program checks when
 *    they fire (pid_end.c); a jump that clearly belongs to a switch is not
 *    probed.
 * 3. At a jump the value is not known yet: arg1 is what is in the register.
 * 4. A function that is left by an exception or longjmp() has not returned: no
 *    probe fires.
 * 5. Data that looks like a `ret` is not one (proc/instructions.c).
 */
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "base/arena.h"
#include "proc/go_table.h"
#include "proc/instructions.h"
#include "provider/pid.h"
#include "provider/uprobe.h"

enum {
	PIECES_MOST = 64, PIECE_BYTES = 64 << 10, FUNCTION_BYTES = 16 << 20,
	/* an interpreter's loop has more jumps through a table than this */
	INDIRECT_MOST = 8,
	/* instructions between the address of a case and the jump to it */
	LOOK_BACK = 3,
};

struct sweep {
	struct image *image;
	const struct elf_function *function;
	uint64_t size; /* of the function */
	struct pid_returns *ends;
	unsigned nindirect; /* of those */
	bool follows_jumps; /* into other functions */
	struct elf_function pieces[PIECES_MOST];
	unsigned npieces;
};

static bool starts_with(const char *name, const char *prefix)
{
	return !strncmp(name, prefix, strlen(prefix));
}

/* ------------------------------------------------------------------ ends */

static void add_end(struct sweep *sweep, const struct pid_end *end)
{
	struct pid_returns *ends = sweep->ends;

	/* powers of two are when it is full */
	if (!(ends->count & (ends->count - 1)))
		ends->items = must_realloc(ends->items,
					   checked_mul(ends->count
							       ? 2 * ends->count
							       : 1,
						       sizeof(*ends->items)));
	ends->items[ends->count++] = *end;
}

static bool is_inside(const struct sweep *sweep, uint64_t address)
{
	return address - sweep->function->start < sweep->size;
}

/* Index of the first function that starts at or after an address. */
static size_t function_behind(const struct elf_functions *functions,
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
	return low;
}

static bool is_function_start(const struct elf_functions *functions,
			      uint64_t address)
{
	size_t at = function_behind(functions, address);

	return at < functions->count && functions->items[at].start == address;
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

/* A stripped file does not distinguish functions from pieces. */
static bool may_be_function(const struct sweep *sweep, enum arch_flow flow,
			    const struct elf_start *start, uint64_t target)
{
	return sweep->image->functions->is_partial && flow == GOES_JUMP &&
	       target == start->address &&
	       !elf_file_starts_with_frame(&sweep->image->file, start);
}

/* It continues in a piece of this function, if the target is one. */
static bool find_piece(const struct sweep *sweep, enum arch_flow flow,
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
		.size = elf_file_piece_size(&sweep->image->file, start),
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

/* The function that a jump leads to, as if it were a piece of this one. */
static bool find_callee(const struct sweep *sweep, uint64_t target,
			struct elf_function *callee)
{
	const struct elf_start *start;

	if (!sweep->follows_jumps ||
	    is_in_linkage_table(&sweep->image->file, target))
		return false;
	start = image_piece(sweep->image, target);
	if (!start || start->address != target)
		return false;
	*callee = (struct elf_function){
		.start = target,
		.size = elf_file_piece_size(&sweep->image->file, start),
	};
	return elf_file_offset(&sweep->image->file, target, &callee->offset);
}

/* ----------------------------------------------------------- instructions */

/* One part of the function: itself, or a piece that was put elsewhere. */
struct part {
	uint64_t start;
	struct instructions all;
};

/* add %table,%case; jmp *%case: how compilers translate a switch. */
static bool is_case(const struct instructions *all, uint64_t at,
		    const struct arch_target *operand)
{
	if (arch_is_switch(all->code + at, all->size - at))
		return true;
	for (unsigned i = 0; i < LOOK_BACK && at && !operand->is_memory; i++) {
		at = instructions_before(all, at);
		if (arch_added_to(all->code + at, all->size - at) ==
		    operand->base)
			return true;
	}
	return false;
}

static void take_indirect(struct sweep *sweep, const struct instructions *all,
			  uint64_t at, struct pid_end *end)
{
	end->kind = END_INDIRECT;
	if (!instructions_is_reached(all, at) ||
	    !arch_indirect(all->code + at, all->size - at, &end->operand) ||
	    is_case(all, at, &end->operand))
		return;
	sweep->nindirect++;
	add_end(sweep, end);
}

static void take(struct sweep *sweep, const struct part *part, uint64_t at)
{
	const uint8_t *code = part->all.code + at;
	size_t left = part->all.size - at;
	struct elf_function piece;
	struct pid_end end = {
		.offset = part->start + at - sweep->function->start,
	};
	int64_t distance = 0;
	enum arch_flow flow = arch_flow(code, left, &distance);
	uint64_t target = part->start + at + (uint64_t)distance;

	if (flow == GOES_INDIRECT) {
		take_indirect(sweep, &part->all, at, &end);
	} else if (flow == GOES_RETURN) {
		add_end(sweep, &end);
	} else if (flow != GOES_JUMP && flow != GOES_BRANCH) {
		return;
	} else if (is_inside(sweep, target) ||
		   target - part->start < part->all.size) {
		return;
	} else if (find_piece(sweep, flow, target, &piece) ||
		   find_callee(sweep, target, &piece)) {
		add_piece(sweep, &piece);
	} else if (flow == GOES_JUMP) {
		add_end(sweep, &end);
	} else if (arch_condition(code, left, &end.condition)) {
		end.kind = END_CONDITIONAL;
		add_end(sweep, &end);
	}
}

/* Code can be reached without a jump: what catches exceptions. */
static bool has_hidden_code(const struct elf_file *file)
{
	return elf_file_section(file, ".gcc_except_table") ||
	       go_table_section(file);
}

static bool read_instructions(struct image *image,
			      const struct elf_function *function,
			      uint64_t size, struct instructions *all)
{
	uint8_t *code = size && size <= FUNCTION_BYTES
				? elf_file_read(&image->file, function->offset,
						size)
				: NULL;

	if (code)
		instructions_find(all, code, size);
	return code;
}

static void free_instructions(struct instructions *all)
{
	free((void *)all->code);
	instructions_free(all);
}

/* False: its code cannot be read. */
static bool take_part(struct sweep *sweep, const struct elf_function *function,
		      uint64_t size, bool has_hidden)
{
	struct part part = { .start = function->start };

	if (!read_instructions(sweep->image, function, size, &part.all))
		return false;
	for (uint64_t at = 0; at < size; at++)
		if (instructions_is_one(&part.all, at, has_hidden))
			take(sweep, &part, at);
	free_instructions(&part.all);
	return true;
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
	       !strncmp(functions->pieces[low].name, name, length);
	     low++)
		if (starts_with(functions->pieces[low].name + length, ".cold"))
			add_piece(sweep, &functions->pieces[low]);
}

/*
 * Functions in assembler may have no size: then they end at the next one, or at
 * the end of the section.
 */
static uint64_t size_of(struct image *image,
			const struct elf_function *function)
{
	const struct elf_functions *functions = image->functions;
	const struct elf_start *piece;
	uint64_t start = function->start, end = UINT64_MAX;
	size_t next = function_behind(functions, start + 1);

	if (function->size)
		return function->size;
	for (size_t i = 0; i < image->file.nsections; i++) {
		const Elf64_Shdr *section = &image->file.sections[i];

		if (section->sh_flags & SHF_ALLOC &&
		    start - section->sh_addr < section->sh_size)
			end = section->sh_addr + section->sh_size;
	}
	if (next < functions->count && functions->items[next].start < end)
		end = functions->items[next].start;
	piece = image_piece(image, start);
	if (piece && piece[1].address < end)
		end = piece[1].address;
	return end == UINT64_MAX ? 0 : end - start;
}

static int by_offset(const void *a, const void *b)
{
	const struct pid_end *x = a, *y = b;

	return (x->offset > y->offset) - (x->offset < y->offset);
}

bool pid_find_returns(struct image *image, const struct elf_function *function,
		      bool follows_jumps, struct pid_returns *ends)
{
	struct sweep sweep = {
		.image = image, .function = function, .ends = ends,
		.size = size_of(image, function),
		.follows_jumps = follows_jumps,
	};
	size_t kept = 0;
	bool has_hidden = has_hidden_code(&image->file) && function->size;

	*ends = (struct pid_returns){ 0 };
	ends->range[0] = (struct pid_range){ function->start, sweep.size };
	if (!take_part(&sweep, function, sweep.size, has_hidden))
		return false;
	take_named_pieces(&sweep);
	for (unsigned i = 0; i < sweep.npieces; i++) {
		take_part(&sweep, &sweep.pieces[i], sweep.pieces[i].size, true);
		if (!i)
			ends->range[1] = (struct pid_range){
				sweep.pieces[0].start,
				sweep.pieces[0].size,
			};
	}
	if (ends->count)
		qsort(ends->items, ends->count, sizeof(*ends->items),
		      by_offset);
	for (size_t i = 0; i < ends->count; i++) {
		const struct pid_end *end = &ends->items[i];

		/* with this many, it is an interpreter that goes round */
		if (end->kind == END_INDIRECT &&
		    sweep.nindirect > INDIRECT_MOST)
			continue;
		if (!kept || ends->items[kept - 1].offset != end->offset)
			ends->items[kept++] = *end;
	}
	ends->count = kept;
	return true;
}

uint8_t *pid_find_instructions(struct image *image,
			       const struct elf_function *function)
{
	struct instructions all;
	bool has_hidden = has_hidden_code(&image->file);

	if (!read_instructions(image, function, function->size, &all))
		return NULL;
	uint8_t *found = must_alloc(function->size);

	for (uint64_t at = 0; at < function->size; at++)
		found[at] = instructions_is_one(&all, at, has_hidden);
	free_instructions(&all);
	return found;
}

void pid_returns_free(struct pid_returns *ends)
{
	free(ends->items);
	*ends = (struct pid_returns){ 0 };
}

size_t pid_count_instructions(struct image *image, size_t most)
{
	enum { LONG = 8 }; /* no code has longer ones on average */
	const struct elf_functions *functions = image->functions;
	uint64_t size = 0;
	size_t count = 0;

	for (size_t i = 0; i < functions->count; i++)
		size += functions->items[i].size;
	if (size / LONG > most)
		return most + 1;
	for (size_t i = 0; i < functions->count && count <= most; i++) {
		const struct elf_function *function = &functions->items[i];

		if (i && functions->items[i - 1].start == function->start)
			continue;
		uint8_t *starts = pid_find_instructions(image, function);

		for (uint64_t at = 0; starts && at < function->size; at++)
			count += starts[at];
		free(starts);
	}
	return count;
}
