/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where functions return.
 *
 * The kernel's own way of probing a return (a uretprobe) puts another address
 * in the place of the return address.  That ends programs which switch stacks
 * (coroutines, fibers) or unwind them (C++ exceptions, Rust panics, Go), and
 * below 64 nested calls it silently sees no more returns.  So return probes
 * are probes on the instructions that end the function, as they always were in
 * DTrace: every `ret`, and every jump that leaves it in place of a call.  The
 * kernel's way is there on demand (-x uretprobe).
 *
 * 1. A jump leaves the function if it goes to the start of another one, or
 *    into a procedure linkage table.  Other jumps lead to pieces that the
 *    compiler put elsewhere (name.cold), whose bounds .eh_frame has; those
 *    belong to the function, and so do pieces that have its name.  In a
 *    stripped file a jump to the start of what has no frame yet leaves, and a
 *    piece that nobody jumps to, because it catches an exception, is not found.
 * 2. Conditional and indirect jumps may leave or stay.  The program looks when
 *    they fire (pid_end.c); what is plainly the jump of a switch is not probed.
 * 3. At a jump the value is not known yet: arg1 is what is in the register.
 * 4. A function that is left by an exception or longjmp() has not returned: no
 *    probe fires.
 * 5. A breakpoint must never be put into data.  Compilers put none between
 *    instructions, people who write assembler do.  So what cannot be reached
 *    is no end, unless something can be reached in ways that do not show: by
 *    an indirect jump, or by an unwinder that catches exceptions.
 */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "proc/x86.h"
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
	uint64_t size;		/* of the function */
	struct pid_returns *ends;
	unsigned nindirect;	/* of those */
	bool has_switch;
	bool follows_jumps;	/* into other functions */
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
			checked_mul(ends->count ? 2 * ends->count : 1,
				    sizeof(*ends->items)));
	ends->items[ends->count++] = *end;
}

static bool is_inside(const struct sweep *sweep, uint64_t address)
{
	return address - sweep->function->start < sweep->size;
}

/* Index of the first function that starts at or behind an address. */
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
		.start = target, .size = start[1].address - target,
	};
	return elf_file_offset(&sweep->image->file, target, &callee->offset);
}

/* ----------------------------------------------------------- instructions */

/* One part of the function: itself, or a piece that was put elsewhere. */
struct part {
	const uint8_t *code;
	uint64_t start, size;
	uint8_t *marks;		/* a byte for each byte: an instruction */
};

/* found by decoding from start to end; by following jumps */
enum { MARK_IN_LINE = 1, MARK_REACHED = 2 };

static bool mark_in_line(struct part *part)
{
	unsigned length;
	uint64_t at = 0;

	for (; at < part->size; at += length) {
		length = x86_length(part->code + at, part->size - at);
		if (!length)
			return false;
		part->marks[at] = MARK_IN_LINE;
	}
	return true;
}

static bool reach(struct part *part, uint64_t at)
{
	if (at >= part->size || part->marks[at] & MARK_REACHED ||
	    !x86_length(part->code + at, part->size - at))
		return false;
	part->marks[at] |= MARK_REACHED;
	return true;
}

/* From one instruction on until there is nothing new; jumps wait in `todo`. */
static void follow(struct part *part, uint64_t at, uint64_t *todo,
		   size_t *ntodo)
{
	for (;;) {
		const uint8_t *code = part->code + at;
		size_t left = part->size - at;
		int64_t distance = 0;
		enum x86_flow flow = x86_flow(code, left, &distance);
		uint64_t target = at + (uint64_t)distance;

		if ((flow == X86_BRANCH || flow == X86_JUMP) &&
		    reach(part, target))
			todo[(*ntodo)++] = target;
		if (flow != X86_ON && flow != X86_BRANCH)
			return;
		at += x86_length(code, left);
		if (!reach(part, at))
			return;
	}
}

static void mark_reached(struct part *part)
{
	/* each instruction waits once at most */
	uint64_t *todo = must_alloc(checked_mul(part->size, sizeof(*todo)));
	size_t ntodo = 0;

	if (reach(part, 0))
		todo[ntodo++] = 0;
	while (ntodo) {
		uint64_t at = todo[--ntodo];

		follow(part, at, todo, &ntodo);
	}
	free(todo);
}

/* Decoded both ways it is the same, so there is no data in between. */
static bool is_all_code(const struct part *part)
{
	for (uint64_t at = 0; at < part->size; at++)
		if (part->marks[at] == MARK_REACHED)
			return false;
	return true;
}

/* add %table,%case; jmp *%case: what compilers make of a switch. */
static bool is_case(const struct part *part, uint64_t at,
		    const struct x86_operand *operand)
{
	uint64_t before = at;

	if (x86_is_switch(part->code + at, part->size - at))
		return true;
	if (operand->is_memory)
		return false;
	for (unsigned i = 0; i < LOOK_BACK && before; i++) {
		do
			before--;
		while (before && !part->marks[before]);
		if (x86_added_to(part->code + before, part->size - before) ==
		    operand->base)
			return true;
	}
	return false;
}

static void take_indirect(struct sweep *sweep, const struct part *part,
			  uint64_t at, struct pid_end *end)
{
	end->kind = END_INDIRECT;
	if (!x86_indirect(part->code + at, part->size - at, &end->operand) ||
	    is_case(part, at, &end->operand)) {
		sweep->has_switch = true;
		return;
	}
	sweep->nindirect++;
	add_end(sweep, end);
}

static void take(struct sweep *sweep, const struct part *part, uint64_t at)
{
	const uint8_t *code = part->code + at;
	size_t left = part->size - at;
	struct elf_function piece;
	struct pid_end end = {
		.offset = part->start + at - sweep->function->start,
		.is_reached = part->marks[at] & MARK_REACHED,
	};
	int64_t distance = 0;
	enum x86_flow flow = x86_flow(code, left, &distance);
	uint64_t target = part->start + at + (uint64_t)distance;

	if (flow == X86_INDIRECT) {
		take_indirect(sweep, part, at, &end);
	} else if (flow == X86_RETURN) {
		add_end(sweep, &end);
	} else if (flow != X86_JUMP && flow != X86_BRANCH) {
		return;
	} else if (is_inside(sweep, target) ||
		   target - part->start < part->size) {
		return;
	} else if (find_piece(sweep, flow, target, &piece) ||
		   find_callee(sweep, target, &piece)) {
		add_piece(sweep, &piece);
	} else if (flow == X86_JUMP) {
		add_end(sweep, &end);
	} else if (x86_condition(code, left, &end.condition)) {
		end.kind = END_CONDITIONAL;
		add_end(sweep, &end);
	}
}

static bool take_part(struct sweep *sweep, const struct elf_function *function,
		      uint64_t size)
{
	uint8_t *code = size && size <= FUNCTION_BYTES ?
		elf_file_read(&sweep->image->file, function->offset, size) :
		NULL;

	if (!code)
		return false;
	struct part part = {
		.code = code, .start = function->start, .size = size,
		.marks = must_alloc(size),
	};

	memset(part.marks, 0, size);
	bool is_code = mark_in_line(&part);

	mark_reached(&part);
	is_code = is_code && is_all_code(&part);
	for (uint64_t at = 0; at < size; at++)
		if (part.marks[at])
			take(sweep, &part, at);
	free(part.marks);
	free(code);
	return is_code;
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

/*
 * Assembler's functions may have no size: then it is at most what there is up
 * to the next one, or to the end of the section.
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

/* Can there be code that no jump leads to? */
static bool has_hidden_ways(const struct sweep *sweep)
{
	const struct elf_file *file = &sweep->image->file;

	return sweep->has_switch || sweep->nindirect ||
	       elf_file_section(file, ".gcc_except_table") ||
	       elf_file_section(file, ".gopclntab");
}

static bool is_wanted(const struct sweep *sweep, const struct pid_end *end,
		      bool is_code, bool takes_hidden)
{
	/* with this many, it is an interpreter that goes round */
	if (end->kind == END_INDIRECT && sweep->nindirect > INDIRECT_MOST)
		return false;
	return end->is_reached || (is_code && takes_hidden);
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

	*ends = (struct pid_returns){ 0 };
	bool is_code = take_part(&sweep, function, sweep.size) &&
		       function->size;
	bool takes_hidden = has_hidden_ways(&sweep);

	for (size_t i = 0; i < ends->count; i++)
		if (is_wanted(&sweep, &ends->items[i], is_code, takes_hidden))
			ends->items[kept++] = ends->items[i];
	ends->count = kept;
	ends->range[0] = (struct pid_range){ function->start, sweep.size };
	if (!sweep.size)
		return false;
	take_named_pieces(&sweep);
	for (unsigned i = 0; i < sweep.npieces; i++) {
		take_part(&sweep, &sweep.pieces[i], sweep.pieces[i].size);
		if (!i)
			ends->range[1] = (struct pid_range){
				sweep.pieces[0].start, sweep.pieces[0].size,
			};
	}
	if (ends->count)
		qsort(ends->items, ends->count, sizeof(*ends->items),
		      by_offset);
	kept = 0;
	for (size_t i = 0; i < ends->count; i++)
		if (!kept || ends->items[kept - 1].offset !=
			     ends->items[i].offset)
			ends->items[kept++] = ends->items[i];
	ends->count = kept;
	return is_code || kept;
}

void pid_returns_free(struct pid_returns *ends)
{
	free(ends->items);
	*ends = (struct pid_returns){ 0 };
}
