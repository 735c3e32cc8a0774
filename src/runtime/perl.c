/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Perl 5.36 with threads (Debian's): subs, files and lines.
 *
 * Its loop is Perl_runops_standard(); the interpreter of a thread is the thread's
 * data for PL_thr_key.  It leads to stacks of contexts, of which those of subs,
 * evals and formats are linked (si_cxsubix).  Where the stacks are, says the code
 * of Perl_caller_cx(); the rest is the layout of the version.
 *
 * Frames are those of Perl's caller().  Which of them a loop runs:
 *
 * 1. C code calls a sub or evaluates a text (Perl_call_sv(), Perl_eval_sv()) with
 *    nowhere to return to: that is the first of its loop.
 * 2. Other loops (sort, patterns, overloading) have a stack of contexts of their
 *    own.  A block of sort() is no sub, so its loop may have no frames.
 * 3. Code that C code has called runs eval {} in another loop (docatch()), which
 *    goes on to run all of it: the loop before it has no frames.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "base/arena.h"
#include "runtime/program.h"
#include "runtime/runtime.h"

enum {
	/* struct interpreter: PL_op; PL_curcop, before PL_curstackinfo */
	CURRENT_OP = 8, CURCOP_BEFORE = 16,
	/* struct stackinfo; the word with the index has the type above it */
	SI_CONTEXTS = 8, SI_PREVIOUS = 16, SI_INDEX = 32, SI_SUB_INDEX = 40,
	TYPE_MAIN = 1, TYPE_SORT = 3, TYPE_MULTICALL = 10,
	/* struct context */
	CONTEXT_SIZE = 104, CONTEXT_WORDS = 10,
	CONTEXT_COP = 16, CONTEXT_RETURN = 48, CONTEXT_NEXT = 56,
	CONTEXT_CV = 72,
	/* its type */
	IS_SUB = 9, IS_FORMAT = 10, IS_EVAL = 11, IS_SORT_BLOCK = 0,
	TYPE_MASK = 0xf, IS_EVAL_BLOCK = 0x40,
	IS_FAKE = 0x80, /* a sub's: code in a pattern; an eval's: try */
	/* COP */
	COP_LINE = 36, COP_FILE = 48,
	/* SV; bodies of CV, GV, HV; HEK */
	SV_BODY = 0, SV_FLAGS = 12, SV_TYPE = 0xff, SV_CODE = 13,
	SV_FORMAT = 14,
	CV_STASH = 32, CV_NAME = 56, CV_FILE = 64, CV_FLAGS = 92,
	CV_IS_NAMED = 0x8000,
	GV_NAME = 32, GV_STASH = 40,
	HV_NAME = 32, HV_NAMES = 60, HV_HAS_NAME = 0x02000000,
	HEK_LENGTH = 4, HEK_TEXT = 8,
	/* struct pthread of the GNU C library: specific_1stblock */
	SPECIFIC_GLIBC = 0x310,
	NAME_MOST = 256,
};

/* What the detail of a frame says; of subs: twice the line. */
enum { DETAIL_MAIN = 1, DETAIL_EVAL = 3 };

/* Pairs: where functions are, and their sizes. */
enum { KEY = RUNTIME_OWN, CATCH, CALL_SV = CATCH + 2, EVAL_SV = CALL_SV + 2 };

/* Subs that were named, by place: their process may be gone. */
enum { SUBS = 2048 };
struct perl {
	struct {
		uint64_t cv, body;
		const char *name, *file;
	} known[SUBS];
};

static bool is_in(const char *file)
{
	if (!strncmp(file, "libperl.so", 10))
		return true;
	return !strncmp(file, "perl", 4) &&
	       (!file[4] || (file[4] >= '0' && file[4] <= '9'));
}

/* ------------------------------------------------------------------- steps */

/* A 32-bit number of the lower half, with its sign. */
#define SIGNED(a) LEFT(a, a, ZERO, 32), RIGHT_SIGNED(a, a, ZERO, 32)

static bool write_steps(uint64_t *block, uint64_t stack_at)
{
	enum {
		IS_KNOWN = KEPT(0),
		STACK = KEPT(1), /* struct stackinfo */
		INDEX = KEPT(2), /* of the next context in it */
		COP = KEPT(3),	 /* where its frame is */
		/* frames of the next loop were shown, or all of its stack */
		IS_TAKEN = KEPT(4),
		AT = TEMP(0),
		CONTEXTS = TEMP(1),
		KIND = TEMP(2),
		TARGET = TEMP(3),
		CV = TEMP(4),
		LINE = TEMP(5),
		BACK = TEMP(6),
		IS_CALL = TEMP(7), /* of a sub, by C code */
	};
	enum {
		BETWEEN,
		KNOWN,
		UNUSED_STACK,
		USED,
		IS_USED,
		OWN,
		NO_CATCH,
		OF_C,
		NOT_TAKEN,
		SHOW,
		SUB,
		EVAL,
		FIRST_OF_LOOP,
		LAST,
		NO_MORE,
		PREVIOUS,
		OF_MAIN,
		DONE
	};
	enum { ALL_TAKEN = 2, ADDRESS_BITS = 47 };
	const struct step steps[] = {
		PROGRAM(RUNTIME_FRAMES),
		IF_UNEQUAL(IS_KNOWN, ZERO, 0, KNOWN),
		SET(IS_KNOWN, 1),
		CONSTANT(AT, KEY),
		LOAD(AT, AT, 0),
		LEFT(AT, AT, ZERO, 32),
		RIGHT(AT, AT, ZERO, 32),
		IF_NOT_LESS(AT, ZERO, 32, KNOWN),
		MULTIPLY(AT, AT, ZERO, 16),
		ADD(AT, AT, THREAD, 0),
		LOAD(AT, AT, SPECIFIC_GLIBC + 8),
		LOAD(STACK, AT, stack_at),
		LOAD(COP, AT, stack_at - CURCOP_BEFORE),
		LOAD(TARGET, AT, CURRENT_OP),
		CALL(BACK, USED),
		/* Between two calls for sort() and the like, no loop runs. */
		IF_UNEQUAL(TARGET, ZERO, 0, KNOWN),
		LOAD(AT, STACK, SI_SUB_INDEX),
		RIGHT(AT, AT, ZERO, 32),
		IF_EQUAL(AT, ZERO, TYPE_SORT, BETWEEN),
		IF_UNEQUAL(AT, ZERO, TYPE_MULTICALL, KNOWN),
		LABEL(BETWEEN),
		LOAD(CONTEXTS, STACK, SI_CONTEXTS),
		LOAD(COP, CONTEXTS, CONTEXT_COP),
		LOAD(STACK, STACK, SI_PREVIOUS),
		CALL(BACK, USED),
		LABEL(KNOWN),
		IF_EQUAL(STACK, ZERO, 0, DONE),
		PARKED(AT),
		IF_EQUAL(AT, ZERO, 0, DONE),
		SET(ANCHOR, 1),
		BEGIN_FRAMES,
		SET(IS_CALL, 1),
		/* The place is not known when all frames are copied. */
		RIGHT(AT, SP, ZERO, ADDRESS_BITS),
		IF_UNEQUAL(AT, ZERO, 0, OWN),
		CONSTANT(AT, CATCH),
		SUBTRACT(AT, PC, AT, 0),
		CONSTANT(KIND, CATCH + 1),
		IF_NOT_LESS(AT, KIND, 0, NO_CATCH),
		IF_UNEQUAL(IS_TAKEN, ZERO, 0, DONE),
		SET(IS_TAKEN, 1),
		GO(OWN),
		LABEL(NO_CATCH),
		MOVE(LINE, IS_TAKEN),
		SET(IS_TAKEN, 0),
		IF_EQUAL(LINE, ZERO, ALL_TAKEN, DONE),
		CONSTANT(AT, CALL_SV),
		SUBTRACT(AT, PC, AT, 0),
		CONSTANT(KIND, CALL_SV + 1),
		IF_LESS(AT, KIND, 0, OF_C),
		CONSTANT(AT, EVAL_SV),
		SUBTRACT(AT, PC, AT, 0),
		CONSTANT(KIND, EVAL_SV + 1),
		IF_LESS(AT, KIND, 0, OF_C),
		SET(IS_CALL, 0),
		GO(OWN),
		LABEL(OF_C),
		IF_UNEQUAL(LINE, ZERO, 0, DONE),
		LABEL(OWN),
		LOAD(CONTEXTS, STACK, SI_CONTEXTS),
		LABEL(SHOW),
		RIGHT(AT, INDEX, ZERO, 63),
		IF_UNEQUAL(AT, ZERO, 0, NO_MORE),
		MULTIPLY(AT, INDEX, ZERO, CONTEXT_SIZE),
		ADD(AT, AT, CONTEXTS, 0),
		READ(AT, AT, 0, CONTEXT_WORDS),
		IF_EQUAL(AT, ZERO, 0, DONE),
		PICK(KIND, 0),
		PICK(TARGET, CONTEXT_RETURN),
		PICK(INDEX, CONTEXT_NEXT),
		SIGNED(INDEX),
		AND(AT, KIND, ZERO, TYPE_MASK | IS_FAKE),
		IF_EQUAL(AT, ZERO, IS_SUB, SUB),
		IF_EQUAL(AT, ZERO, IS_EVAL, EVAL),
		IF_EQUAL(AT, ZERO, IS_FORMAT, SUB),
		/* caller() does not know the others. */
		GO(SHOW),
		LABEL(SUB),
		PICK(CV, CONTEXT_CV),
		LOAD(LINE, COP, COP_LINE),
		LEFT(LINE, LINE, ZERO, 32),
		RIGHT(LINE, LINE, ZERO, 31),
		FRAME(CV, LINE, 0),
		PICK(COP, CONTEXT_COP),
		IF_UNEQUAL(TARGET, ZERO, 0, SHOW),
		GO(FIRST_OF_LOOP),
		LABEL(EVAL),
		FRAME(COP, ZERO, DETAIL_EVAL),
		PICK(COP, CONTEXT_COP),
		IF_UNEQUAL(TARGET, ZERO, 0, SHOW),
		AND(AT, KIND, ZERO, IS_EVAL_BLOCK),
		IF_UNEQUAL(AT, ZERO, 0, SHOW),
		LABEL(FIRST_OF_LOOP),
		IF_EQUAL(IS_CALL, ZERO, 0, SHOW),
		RIGHT(AT, INDEX, ZERO, 63),
		IF_UNEQUAL(AT, ZERO, 0, LAST),
		/* C code that catches errors has an eval around the call. */
		MULTIPLY(AT, INDEX, ZERO, CONTEXT_SIZE),
		ADD(AT, AT, CONTEXTS, 0),
		READ(LINE, AT, 0, CONTEXT_WORDS),
		IF_EQUAL(LINE, ZERO, 0, DONE),
		PICK(KIND, 0),
		AND(KIND, KIND, ZERO, TYPE_MASK | IS_EVAL_BLOCK),
		IF_UNEQUAL(KIND, ZERO, IS_EVAL | IS_EVAL_BLOCK, DONE),
		PICK(TARGET, CONTEXT_RETURN),
		IF_UNEQUAL(TARGET, ZERO, 0, DONE),
		FRAME(COP, ZERO, DETAIL_EVAL),
		PICK(COP, CONTEXT_COP),
		PICK(INDEX, CONTEXT_NEXT),
		SIGNED(INDEX),
		RIGHT(AT, INDEX, ZERO, 63),
		IF_EQUAL(AT, ZERO, 0, DONE),
		LABEL(LAST),
		LOAD(AT, STACK, SI_SUB_INDEX),
		RIGHT(AT, AT, ZERO, 32),
		IF_EQUAL(AT, ZERO, TYPE_MAIN, DONE),
		LOAD(AT, CONTEXTS, 0),
		AND(AT, AT, ZERO, TYPE_MASK),
		IF_EQUAL(AT, ZERO, IS_SORT_BLOCK, DONE),
		GO(PREVIOUS),
		LABEL(NO_MORE),
		LOAD(AT, STACK, SI_SUB_INDEX),
		RIGHT(AT, AT, ZERO, 32),
		IF_EQUAL(AT, ZERO, TYPE_MAIN, OF_MAIN),
		LABEL(PREVIOUS),
		IF_EQUAL(IS_TAKEN, ZERO, 0, NOT_TAKEN),
		SET(IS_TAKEN, ALL_TAKEN),
		LABEL(NOT_TAKEN),
		LOAD(STACK, STACK, SI_PREVIOUS),
		CALL(BACK, USED),
		GO(DONE),
		LABEL(OF_MAIN),
		FRAME(COP, ZERO, DETAIL_MAIN),
		SET(STACK, 0),
		LABEL(DONE),
		END(RUNTIME_MOVED),
		/* Not one for a call that has not begun, or of a function of C. */
		LABEL(UNUSED_STACK),
		MOVE(STACK, AT),
		LABEL(USED),
		LOAD(INDEX, STACK, SI_SUB_INDEX),
		SIGNED(INDEX),
		LOAD(KIND, STACK, SI_INDEX),
		SIGNED(KIND),
		RIGHT(KIND, KIND, ZERO, 63),
		LOAD(AT, STACK, SI_PREVIOUS),
		IF_EQUAL(KIND, ZERO, 0, IS_USED),
		IF_UNEQUAL(AT, ZERO, 0, UNUSED_STACK),
		LABEL(IS_USED),
		RETURN(BACK),
	};

	return program_add(block, steps, sizeof(steps) / sizeof(*steps));
}

/* ----------------------------------------------------------------- offsets */

/* PL_curstackinfo in struct interpreter; 0: this is not the code we know. */
static uint64_t find_stack(const struct runtime_image *image,
			   const struct runtime_symbol *caller)
{
	enum { SIZE = 32, OPERANDS = 4, LEAST = 64, MOST = 1024 };
	struct arch_access operands[OPERANDS];
	uint8_t code[SIZE];

	if (caller->size < SIZE ||
	    !runtime_code(image, caller->address, code, SIZE) ||
	    arch_accesses(code, SIZE, operands, OPERANDS) < 3 ||
	    operands[0].size != sizeof(uint64_t) || operands[0].is_relative ||
	    operands[0].value < LEAST || operands[0].value > MOST ||
	    operands[1].value != SI_SUB_INDEX ||
	    operands[2].value != SI_CONTEXTS)
		return 0;
	return (uint64_t)operands[0].value;
}

/* docatch(), the only other function that the one of eval {} calls. */
static struct runtime_symbol find_catch(const struct runtime_image *image,
					const struct runtime_symbol *try,
					const struct runtime_symbol *scope)
{
	enum { CALLS = 8 };
	uint64_t calls[CALLS], found = 0;
	size_t count = runtime_calls(image, try, calls, CALLS);

	for (size_t i = 0; i < count; i++) {
		if (calls[i] == scope->address)
			continue;
		if (found)
			return (struct runtime_symbol){ 0 };
		found = calls[i];
	}
	if (!found)
		return (struct runtime_symbol){ 0 };
	return runtime_piece(image, found);
}

static bool prepare(struct runtime_process *process,
		    const struct runtime_image *image, const char **why)
{
	enum {
		LOOP,
		THREAD_KEY,
		VERSION,
		CALLER,
		TRY,
		SCOPE,
		CALL,
		EVAL,
		SYMBOLS
	};
	enum { KNOWN_VERSION = 36 };
	struct runtime_symbol symbols[SYMBOLS] = {
		[LOOP] = { .name = "Perl_runops_standard" },
		[THREAD_KEY] = { .name = "PL_thr_key" },
		[VERSION] = { .name = "PL_version" },
		[CALLER] = { .name = "Perl_caller_cx" },
		[TRY] = { .name = "Perl_pp_entertry" },
		[SCOPE] = { .name = "Perl_create_eval_scope" },
		[CALL] = { .name = "Perl_call_sv" },
		[EVAL] = { .name = "Perl_eval_sv" },
	};
	uint64_t *block = process->block;
	uint8_t version;

	runtime_symbols(image, symbols, SYMBOLS);
	*why = NULL;
	if (!symbols[LOOP].address || !symbols[LOOP].size)
		return false;
	*why = "it is a Perl without threads";
	if (!symbols[THREAD_KEY].address)
		return false;
	*why = "this version of Perl is not known (5.36 is)";
	if (!symbols[VERSION].address ||
	    !runtime_code(image, symbols[VERSION].address, &version, 1) ||
	    version != KNOWN_VERSION)
		return false;
	*why = "the code that tells where its frames are is not understood";
	uint64_t stack_at = find_stack(image, &symbols[CALLER]);

	if (!stack_at)
		return false;
	struct runtime_symbol catch = find_catch(image, &symbols[TRY],
						 &symbols[SCOPE]);

	process->own = must_alloc(sizeof(struct perl));
	memset(process->own, 0, sizeof(struct perl));
	runtime_range(image, &symbols[LOOP], block);
	block[RUNTIME_POINTS] = SV_BODY;
	block[RUNTIME_POINTS + 2] = COP_FILE;
	block[KEY] = symbols[THREAD_KEY].address;
	block[CATCH] = catch.address;
	block[CATCH + 1] = catch.size;
	block[CALL_SV] = symbols[CALL].address;
	block[CALL_SV + 1] = symbols[CALL].size;
	block[EVAL_SV] = symbols[EVAL].address;
	block[EVAL_SV + 1] = symbols[EVAL].size;
	return write_steps(block, stack_at);
}

/* ------------------------------------------------------------------- names */

/* A name as Perl keeps it, cut where it is too long; false: there is none. */
static bool read_name(struct runtime_process *process, uint64_t hek,
		      char text[NAME_MOST])
{
	uint32_t length;

	if (!hek ||
	    !runtime_read(process, hek + HEK_LENGTH, &length, sizeof(length)))
		return false;
	if (length >= NAME_MOST)
		length = NAME_MOST - 1;
	text[length] = '\0';
	return runtime_read(process, hek + HEK_TEXT, text, length);
}

static uint32_t read_number(struct runtime_process *process, uint64_t from)
{
	uint32_t number = 0;

	return runtime_read(process, from, &number, sizeof(number)) ? number
								    : 0;
}

/* Of a package; "": it has none (any more). */
static void package_name(struct runtime_process *process, uint64_t stash,
			 char text[NAME_MOST])
{
	uint64_t body, name;

	text[0] = '\0';
	if (!stash || !(read_number(process, stash + SV_FLAGS) & HV_HAS_NAME))
		return;
	body = runtime_read_word(process, stash + SV_BODY);
	name = runtime_read_word(process, body + HV_NAME);
	if (name && read_number(process, body + HV_NAMES))
		name = runtime_read_word(process, name);
	if (!read_name(process, name, text))
		text[0] = '\0';
}

static void read_file(struct runtime_process *process, uint64_t text,
		      struct runtime_frame *frame)
{
	char file[2 * NAME_MOST];

	frame->file = "";
	/* At once, if it was copied. */
	if (!text || (!runtime_read(process, text, file, sizeof(file)) &&
		      !runtime_read_string(process, text, file, sizeof(file))))
		return;
	file[sizeof(file) - 1] = '\0';
	frame->file = runtime_text(process, file);
}

static unsigned name_sub(struct runtime_process *process, uint64_t cv,
			 uint32_t detail, struct runtime_frame *frame,
			 const char **why)
{
	struct perl *perl = process->own;
	size_t n = cv / 8 % SUBS;
	char package[NAME_MOST], name[NAME_MOST], text[2 * NAME_MOST + 2];
	uint32_t flags;
	uint64_t body, stash, hek;

	*why = "the sub cannot be read (any more)";
	if (!runtime_read(process, cv + SV_FLAGS, &flags, sizeof(flags)))
		return 0;
	*why = "what the frame points to is no sub";
	if ((flags & SV_TYPE) != SV_CODE && (flags & SV_TYPE) != SV_FORMAT)
		return 0;
	body = runtime_read_word(process, cv + SV_BODY);
	hek = runtime_read_word(process, body + CV_NAME);
	stash = runtime_read_word(process, body + CV_STASH);
	if (!(read_number(process, body + CV_FLAGS) & CV_IS_NAMED)) {
		uint64_t gv = runtime_read_word(process, hek + SV_BODY);

		hek = runtime_read_word(process, gv + GV_NAME);
		stash = runtime_read_word(process, gv + GV_STASH);
	}
	frame->line = detail >= RUNTIME_DETAIL_MOST ? 0 : detail / 2;
	*why = "the name of the sub cannot be read";
	if (!read_name(process, hek, name)) {
		if (perl->known[n].cv != cv || perl->known[n].body != body)
			return 0;
		frame->function = perl->known[n].name;
		frame->file = perl->known[n].file;
		return 1;
	}
	package_name(process, stash, package);
	snprintf(text, sizeof(text), "%s%s%s", package, *package ? "::" : "",
		 name);
	frame->function = runtime_text(process, text);
	read_file(process, runtime_read_word(process, body + CV_FILE), frame);
	perl->known[n].cv = cv;
	perl->known[n].body = body;
	perl->known[n].name = frame->function;
	perl->known[n].file = frame->file;
	return 1;
}

static unsigned name_frame(struct runtime_process *process, uint64_t pointer,
			   uint32_t detail, struct runtime_frame *frames,
			   const char **why)
{
	uint32_t line;

	if (detail != DETAIL_MAIN && detail != DETAIL_EVAL)
		return name_sub(process, pointer, detail, frames, why);
	*why = "the statement cannot be read (any more)";
	if (!runtime_read(process, pointer + COP_LINE, &line, sizeof(line)))
		return 0;
	frames[0].function = detail == DETAIL_EVAL ? "(eval)" : "main::";
	read_file(process, runtime_read_word(process, pointer + COP_FILE),
		  frames);
	frames[0].line = line;
	return 1;
}

static void free_perl(struct runtime_process *process)
{
	free(process->own);
}

const struct runtime runtime_perl = {
	.name = "perl",
	.is_in = is_in,
	.prepare = prepare,
	.name_frame = name_frame,
	.free = free_perl,
};
