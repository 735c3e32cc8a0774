/* SPDX-License-Identifier: Apache-2.0 */
/*
 * V8, in node: functions, files and lines of JavaScript.
 *
 * All its frames have frame pointers.  Next to them is a marker where the frame
 * is one of V8's own, or a context; then a function follows, and in frames of
 * the interpreter (Ignition) and of baseline code (Sparkplug) the bytecode.  So
 * the frame of a function is known by what it holds, not by its code, which may
 * be anywhere: in node's file, in a copy of that, or made at run time.
 *
 * 1. A word is a SharedFunctionInfo with an offset in its bytecode or baseline
 *    code, or the Code object of optimised code with an offset there.  These
 *    live long, closures do not.
 * 2. The code of V8's builtins and stubs stays native frames.  Of the
 *    interpreter's handlers there is only the function.
 * 3. Code objects are not in the metadata of all versions: where they are not
 *    known, optimised code is called by the function whose code it is.
 */
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "base/arena.h"
#include "proc/process.h"
#include "runtime/memory.h"
#include "runtime/program.h"
#include "runtime/v8.h"

static const struct v8_code_layout code_layouts[] = {
	/* node 18 */
	{ 10, 2, 0, 128, 40, 16, 24, 3, 3, 0, false },
	/* node 20 */
	{ 11, 3, 40, 0, 56, 16, 24, 2, 3, 1, true },
};

static bool is_in(const char *file)
{
	return !strcmp(file, "node") || !strcmp(file, "nodejs") ||
	       !strncmp(file, "libnode.so", 10);
}

/* ---------------------------------------------------------------- metadata */

/* Data of the file; what it does not store is 0. */
static void read_data(const struct runtime_image *image, uint64_t address,
		      void *to, size_t size)
{
	if (!runtime_code(image, address, to, size))
		memset(to, 0, size);
}

static bool read_metadata(struct v8 *v8, const struct runtime_image *image)
{
	static const char *const names[V8_ITEMS] = {
#define ITEM(name, symbol) "v8dbg_" symbol,
		V8_METADATA(ITEM)
#undef ITEM
	};
	struct runtime_symbol symbols[V8_ITEMS];

	for (unsigned i = 0; i < V8_ITEMS; i++)
		symbols[i].name = names[i];
	runtime_symbols(image, symbols, V8_ITEMS);
	for (unsigned i = 0; i < V8_ITEMS; i++) {
		if (!symbols[i].address)
			return false;
		read_data(image, symbols[i].address, &v8->meta[i],
			  sizeof(v8->meta[i]));
	}
	return true;
}

/* Offsets are small, and the two that follow each other in a frame do. */
static bool is_sound(const struct v8 *v8)
{
	enum { MOST = 1024, WORD = 8 };
	const int32_t *meta = v8->meta;

	for (unsigned i = V8_MAP; i < V8_ITEMS; i++)
		if (meta[i] < 0 || meta[i] > MOST)
			return false;
	return meta[V8_SMI_SHIFT] == 31 && meta[V8_FP_CONTEXT] == -WORD &&
	       meta[V8_FP_FUNCTION] == -2 * WORD &&
	       meta[V8_FP_BYTECODE] == -4 * WORD &&
	       meta[V8_FP_OFFSET] == -5 * WORD;
}

/* The variable that a function returns. */
static uint64_t variable_of(const struct runtime_image *image,
			    const struct runtime_symbol *function)
{
	enum { SIZE = 6 };
	struct arch_access access = { 0 };
	uint8_t code[16];
	size_t size = function->size < sizeof(code) ? function->size
						    : sizeof(code);

	if (!function->address || size < SIZE ||
	    !runtime_code(image, function->address, code, size) ||
	    !arch_accesses(code, size, &access, 1) || !access.is_relative)
		return 0;
	return function->address + (uint64_t)access.value;
}

/* Tables that V8 has for itself, and its version. */
static void read_tables(struct v8 *v8, const struct runtime_image *image)
{
	enum { MAJOR, MINOR, BLOB, BLOB_SIZE, SIZES, OPERANDS, SYMBOLS };
	struct runtime_symbol symbols[SYMBOLS] = {
		[MAJOR] = { .name = "_ZN2v88internal7Version6major_E" },
		[MINOR] = { .name = "_ZN2v88internal7Version6minor_E" },
		[BLOB] = { .name = "_ZN2v88internal7Isolate"
				   "23CurrentEmbeddedBlobCodeEv" },
		[BLOB_SIZE] = { .name = "_ZN2v88internal7Isolate"
					"27CurrentEmbeddedBlobCodeSizeEv" },
		[SIZES] = { .name = "_ZN2v88internal11interpreter9Bytecodes"
				    "14kBytecodeSizesE" },
		[OPERANDS] = { .name =
				       "_ZZN2v88internal29TranslationOpcodeOpe"
				       "randCountENS0_17TranslationOpcodeEE6co"
				       "unts" },
	};
	uint32_t major = 0, minor = 0;
	enum { WIDTHS = 3, OPERANDS_MOST = 16 };

	runtime_symbols(image, symbols, SYMBOLS);
	v8->blob = variable_of(image, &symbols[BLOB]);
	v8->blob_size = variable_of(image, &symbols[BLOB_SIZE]);
	if (symbols[SIZES].size <= sizeof(v8->sizes)) {
		v8->nbytecodes = symbols[SIZES].size / WIDTHS;
		read_data(image, symbols[SIZES].address, v8->sizes,
			  v8->nbytecodes * WIDTHS);
	}
	if (symbols[OPERANDS].size <= sizeof(v8->operands)) {
		v8->nopcodes = symbols[OPERANDS].size / sizeof(uint32_t);
		read_data(image, symbols[OPERANDS].address, v8->operands,
			  v8->nopcodes * sizeof(uint32_t));
	}
	/* All of them are passed for each opcode. */
	for (size_t i = 0; i < v8->nopcodes; i++)
		if (v8->operands[i] > OPERANDS_MOST)
			v8->nopcodes = 0;
	if (symbols[MAJOR].address)
		read_data(image, symbols[MAJOR].address, &major, sizeof(major));
	if (symbols[MINOR].address)
		read_data(image, symbols[MINOR].address, &minor, sizeof(minor));
	for (size_t i = 0; i < sizeof(code_layouts) / sizeof(*code_layouts);
	     i++)
		if (code_layouts[i].major == major &&
		    code_layouts[i].minor == minor)
			v8->code = &code_layouts[i];
}

/* ------------------------------------------------------------------- steps */

enum {
	/* words of a frame, from the frame pointer minus FRAME_BELOW */
	FRAME_BELOW = 40, FRAME_WORDS = 7,
	OFFSET_AT = 0, BYTECODE_AT = 8, FUNCTION_AT = 24, CONTEXT_AT = 32,
	CALLER_FP_AT = 40, RETURN_AT = 48,
	TAG = 1, TAG_MASK = 3,
};

enum {
	BYTECODE = TEMP(0), OFFSET = TEMP(1), FUNCTION = TEMP(2),
	SHARED = TEMP(3), DATA = TEMP(4), T = TEMP(5), U = TEMP(6),
};
/* constants: variables that tell, until the ranges do */
enum { BLOB_AT = RUNTIME_OWN, BLOB_SIZE_AT };
enum {
	IN_CODE, FRAMED, HAS_CODE, IS_BASELINE, STORED, WHOLE, NAME_ONLY, DONE,
	ORDINARY,
};

/* DATA is code: U becomes the address of its instructions. */
#define START_OF_CODE(code) \
	(code)->start ? (struct step)LOAD(U, DATA, (code)->start - TAG) \
		      : (struct step)ADD(U, DATA, ZERO, \
					 (code)->instructions - TAG)

/* Is T in a range of the runtime's code? */
#define IF_IN_RANGE(n, label) \
	CONSTANT(U, RUNTIME_RANGES + 2 * (n)), SUBTRACT(U, T, U, 0), \
		CONSTANT(DATA, RUNTIME_RANGES + 2 * (n) + 1), \
		IF_LESS(U, DATA, 0, label)

/*
 * Where the thread was interrupted there may be no frame yet or any more: its
 * code or the top of the stack show that, and the walk's own rule knows it.
 */
static bool write_steps(const struct v8 *v8, uint64_t *block)
{
	/*
	 * What the interpreter does when a handler returns: it loads the
	 * bytecode again (FP_BYTECODE).
	 */
	enum { AFTER_HANDLER = 0xe0658b4c };
	enum { PUSH = 0x55, RETURN_ = 0xc3, SET_POINTER = 0xe58948 };
	/* registers of the interpreter */
	enum { OFFSET_REGISTER = USER(3), BYTECODE_REGISTER = USER(4) };
	const int32_t *meta = v8->meta;
	int32_t code_at = meta[V8_CELL] + 8;
	static const struct v8_code_layout unknown;
	const struct v8_code_layout *code = v8->code ? v8->code : &unknown;
	int32_t is_known = v8->code != NULL;
	const struct step steps[] = {
		PROGRAM(RUNTIME_STEPS),
		/* The ranges are not known yet: builtins, or code of no file? */
		CONSTANT(T, BLOB_AT),
		IF_EQUAL(T, ZERO, 0, IN_CODE),
		LOAD(T, T, 0),
		CONSTANT(U, BLOB_SIZE_AT),
		LOAD(U, U, 0),
		LEFT(U, U, ZERO, 32),
		RIGHT(U, U, ZERO, 32),
		SUBTRACT(T, PC, T, 0),
		IF_LESS(T, U, 0, IN_CODE),
		MAPPED(T, PC, 0),
		IF_UNEQUAL(T, ZERO, 0, ORDINARY),
		LABEL(IN_CODE),
		SUBTRACT(T, FP, SP, 0),
		RIGHT(U, T, ZERO, 20),
		IF_UNEQUAL(U, ZERO, 0, ORDINARY),
		AND(U, FP, ZERO, 7),
		IF_UNEQUAL(U, ZERO, 0, ORDINARY),
		IF_EQUAL(EXACT, ZERO, 0, FRAMED),
		/* context and function are not pushed yet */
		IF_LESS(T, ZERO, 16, ORDINARY),
		LOAD(T, PC, 0),
		IF_BYTES(T, 1, PUSH),
		GO(ORDINARY),
		IF_BYTES(T, 1, RETURN_),
		GO(ORDINARY),
		IF_BYTES(T, 3, SET_POINTER),
		GO(ORDINARY),
		LABEL(FRAMED),
		READ(T, FP, -FRAME_BELOW, FRAME_WORDS),
		IF_EQUAL(T, ZERO, 0, ORDINARY),
		PICK(T, CONTEXT_AT),
		AND(T, T, ZERO, TAG_MASK),
		IF_UNEQUAL(T, ZERO, TAG, ORDINARY),
		PICK(FUNCTION, FUNCTION_AT),
		AND(T, FUNCTION, ZERO, TAG_MASK),
		IF_UNEQUAL(T, ZERO, TAG, ORDINARY),
		PICK(BYTECODE, BYTECODE_AT),
		PICK(OFFSET, OFFSET_AT),
		IF_EQUAL(EXACT, ZERO, 0, WHOLE),
		LOAD(T, SP, 0),
		LOAD(U, T, 0),
		IF_BYTES(U, 4, AFTER_HANDLER),
		GO(WHOLE),
		IF_IN_RANGE(0, ORDINARY),
		IF_IN_RANGE(1, ORDINARY),
		IF_IN_RANGE(2, ORDINARY),
		IF_IN_RANGE(3, ORDINARY),
		LABEL(WHOLE),
		LOAD(SHARED, FUNCTION, meta[V8_SHARED] - TAG),
		AND(T, SHARED, ZERO, TAG_MASK),
		IF_UNEQUAL(T, ZERO, TAG, ORDINARY),
		/* a number: it is a builtin */
		LOAD(DATA, SHARED, meta[V8_DATA] - TAG),
		AND(T, DATA, ZERO, TAG_MASK),
		IF_UNEQUAL(T, ZERO, TAG, ORDINARY),
		AND(T, BYTECODE, ZERO, TAG_MASK),
		IF_UNEQUAL(T, ZERO, TAG, HAS_CODE),
		LOAD(T, BYTECODE, meta[V8_MAP] - TAG),
		LOAD(T, T, meta[V8_TYPE] - TAG),
		AND(T, T, ZERO, 0xffff),
		IF_UNEQUAL(T, ZERO, meta[V8_IS_BYTECODE], HAS_CODE),
		AND(T, OFFSET, ZERO, TAG),
		IF_UNEQUAL(T, ZERO, 0, IS_BASELINE),
		RIGHT(OFFSET, OFFSET, ZERO, 32),
		/* A handler has it in a register, and stores it for calls. */
		IF_EQUAL(FIRST, ZERO, 0, STORED),
		IF_UNEQUAL(BYTECODE_REGISTER, BYTECODE, 0, STORED),
		LOAD(T, BYTECODE, meta[V8_LENGTH] - TAG),
		RIGHT(T, T, ZERO, 32),
		SUBTRACT(U, OFFSET_REGISTER, ZERO, meta[V8_BYTECODES] - TAG),
		IF_NOT_LESS(U, T, 0, STORED),
		MOVE(OFFSET, OFFSET_REGISTER),
		LABEL(STORED),
		SUBTRACT(OFFSET, OFFSET, ZERO, meta[V8_BYTECODES] - TAG),
		RIGHT(T, OFFSET, ZERO, 17),
		IF_UNEQUAL(T, ZERO, 0, NAME_ONLY),
		FRAME(SHARED, OFFSET, 0),
		GO(DONE),
		LABEL(IS_BASELINE),
		IF_EQUAL(ZERO, ZERO, is_known, NAME_ONLY),
		START_OF_CODE(code),
		SUBTRACT(T, PC, U, 0),
		RIGHT(U, T, ZERO, 17),
		IF_UNEQUAL(U, ZERO, 0, NAME_ONLY),
		FRAME(SHARED, T, V8_BASELINE),
		GO(DONE),
		LABEL(HAS_CODE),
		IF_EQUAL(ZERO, ZERO, is_known, NAME_ONLY),
		LOAD(DATA, FUNCTION, code_at - TAG),
		START_OF_CODE(code),
		SUBTRACT(T, PC, U, 0),
		LOAD(U, DATA, code->size - TAG),
		LEFT(U, U, ZERO, 32),
		RIGHT(U, U, ZERO, 32),
		IF_NOT_LESS(T, U, 0, NAME_ONLY),
		FRAME(DATA, T, 0),
		GO(DONE),
		LABEL(NAME_ONLY),
		FRAME(SHARED, ZERO, RUNTIME_DETAIL_MOST),
		LABEL(DONE),
		ADD(SP, FP, ZERO, 16),
		PICK(FP, CALLER_FP_AT),
		PICK(PC, RETURN_AT),
		END(RUNTIME_MOVED),
		LABEL(ORDINARY),
		END(RUNTIME_ORDINARY),
	};

	return program_add(block, steps, sizeof(steps) / sizeof(*steps));
}

/* ------------------------------------------------------------------ ranges */

/* Where V8's builtins are in the file's own mapping. */
struct blob {
	uint64_t start, size;
	uint64_t offset; /* in the file */
};

static bool is_copy(const struct mapping *mapping, const struct blob *blob)
{
	return mapping->start > blob->start || mapping->end <= blob->start
		       ? mapping->offset <= blob->offset &&
				 blob->offset - mapping->offset <
					 mapping->end - mapping->start
		       : false;
}

/*
 * Code that was made at run time, and copies of the builtins near to it, are a
 * range as long as no code of another file is between.
 */
static void find_ranges(const struct space *space, const struct image *image,
			const struct blob *blob, uint64_t *ranges)
{
	unsigned n = 1;
	bool is_apart = true;

	for (size_t i = 0; i < space->count; i++) {
		const struct mapping *mapping = &space->mappings[i];

		if (!mapping->is_code)
			continue;
		if (mapping->image &&
		    (mapping->image != image || !is_copy(mapping, blob))) {
			is_apart = true;
			continue;
		}
		if (is_apart && n == RUNTIME_RANGES_MOST)
			return;
		if (is_apart)
			ranges[2 * n++] = mapping->start;
		ranges[2 * n - 1] = mapping->end - ranges[2 * n - 2];
		is_apart = false;
	}
}

/* As long as V8 has not made any code, all may become its code. */
static void set_wide(struct runtime_process *process)
{
	const struct v8 *v8 = process->own;
	uint64_t *ranges = &process->block[RUNTIME_RANGES];

	memset(ranges, 0, 2 * RUNTIME_RANGES_MOST * sizeof(*ranges));
	ranges[1] = 1ull << 47;
	process->block[BLOB_AT] = v8->blob;
	process->block[BLOB_SIZE_AT] = v8->blob_size;
}

static void renew(struct runtime_process *process)
{
	const struct v8 *v8 = process->own;
	const struct image *image = process->memory->image;
	const struct space *space = process->space;
	uint64_t *ranges = &process->block[RUNTIME_RANGES];
	struct blob blob = { 0 };
	enum { FIRST_MADE = 3 }; /* size of the second range */
	uint32_t size = 0;

	if (!space || !runtime_read(process, v8->blob, &blob.start, 8) ||
	    !runtime_read(process, v8->blob_size, &size, sizeof(size)))
		return;
	blob.size = size;
	for (size_t i = 0; i < space->count; i++) {
		const struct mapping *mapping = &space->mappings[i];

		if (mapping->image == image && mapping->is_code &&
		    blob.start - mapping->start < mapping->end - mapping->start)
			blob.offset = mapping->offset +
				      (blob.start - mapping->start);
	}
	set_wide(process);
	if (!blob.offset)
		return;
	ranges[0] = blob.start;
	ranges[1] = blob.size;
	find_ranges(space, image, &blob, ranges);
	if (ranges[FIRST_MADE])
		process->block[BLOB_AT] = 0;
	else
		set_wide(process);
}

static bool prepare(struct runtime_process *process,
		    const struct runtime_image *image, const char **why)
{
	struct v8 *v8 = must_alloc(sizeof(*v8));

	memset(v8, 0, sizeof(*v8));
	process->own = v8;
	*why = NULL;
	/* node may have it all in libnode.so */
	if (!read_metadata(v8, image))
		return false;
	*why = "its metadata for debuggers is not understood";
	if (!is_sound(v8))
		return false;
	read_tables(v8, image);
	*why = "it does not say where its builtins are";
	if (!v8->blob || !v8->blob_size)
		return false;
	process->block[RUNTIME_IDENTITY] = (uint64_t)v8->meta[V8_NAME];
	set_wide(process);
	return write_steps(v8, process->block);
}

/* ------------------------------------------------------------------- names */

static unsigned name_frame(struct runtime_process *process, uint64_t pointer,
			   uint32_t detail, struct runtime_frame *frames,
			   const char **why)
{
	const struct v8 *v8 = process->own;
	uint64_t object = pointer + TAG;
	int64_t offset = detail;

	/* Names are further away than copies go, and functions get new code. */
	process->memory->copy = NULL;
	int type = v8_type(process, object);

	if (type == v8->meta[V8_IS_CODE])
		return v8_optimised(process, object, detail, frames, why);
	*why = "what the frame points to is no function (any more)";
	if (type != v8->meta[V8_IS_SHARED])
		return 0;
	if (detail == RUNTIME_DETAIL_MOST)
		offset = -1;
	else if (detail >= V8_BASELINE)
		offset = v8_baseline(process, object, detail - V8_BASELINE);
	v8_function(process, object, offset, &frames[0]);
	return 1;
}

static void free_v8(struct runtime_process *process)
{
	struct v8 *v8 = process->own;

	for (unsigned i = 0; v8 && i < V8_SCRIPTS; i++)
		free(v8->scripts[i].ends);
	free(v8);
}

const struct runtime runtime_v8 = {
	.name = "v8",
	.is_in = is_in,
	.prepare = prepare,
	.renew = renew,
	.name_frame = name_frame,
	.free = free_v8,
};
