/* SPDX-License-Identifier: Apache-2.0 */
/*
 * PHP 8: functions, files and lines.
 *
 * Its loop is execute_ex(); the frame that runs is in executor_globals.  Offsets
 * are in the code of functions that every PHP exports for its extensions, which
 * is read: zend_get_executed_scope() goes from the globals to the frame, its
 * function and its caller, zend_get_executed_filename_ex() to the file,
 * zend_get_executed_lineno() to the line.  What they do not say is the order of
 * members that all versions of 8 share: names of functions and classes.
 *
 * A PHP for threads has its globals elsewhere, and is not read.
 */
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "base/arena.h"
#include "runtime/program.h"
#include "runtime/runtime.h"

enum {
	/* zend_function, zend_class_entry, zend_string */
	FUNCTION_NAME = 8, FUNCTION_SCOPE = 16, CLASS_NAME = 8,
	STRING_LENGTH = 16, STRING_TEXT = 24,
	/* This.u1.type_info: before the caller's frame in zend_execute_data */
	MARKS_BEFORE_PREVIOUS = 8,
	USER_FUNCTION = 2, EVAL_CODE = 4,
	NAME_MOST = 512, CODE_MOST = 256, CLASSES = 1024,
};

struct php {
	uint64_t filename; /* in a function */
	/* Names of classes, which several functions have. */
	struct {
		uint64_t class;
		const char *name;
	} classes[CLASSES];
};

static bool is_in(const char *file)
{
	if (!strncmp(file, "libphp", 6))
		return true;
	return !strncmp(file, "php", 3) &&
	       (!file[3] || (file[3] >= '0' && file[3] <= '9') ||
		!strncmp(file + 3, "-fpm", 4) || !strncmp(file + 3, "-cgi", 4));
}

/* ----------------------------------------------------------------- offsets */

enum { OPERANDS = 32 };

/* Data that a function of the file uses. */
static bool get_operands(const struct runtime_image *image,
			 const struct runtime_symbol *symbol,
			 struct arch_access operands[OPERANDS])
{
	uint8_t code[CODE_MOST];
	size_t size = symbol->size < CODE_MOST ? symbol->size : CODE_MOST;

	memset(operands, 0, OPERANDS * sizeof(*operands));
	if (!symbol->address || !size ||
	    !runtime_code(image, symbol->address, code, size))
		return false;
	arch_accesses(code, size, operands, OPERANDS);
	return true;
}

/* The n-th offset (from 0) of a load of that many bytes; 0: there is none. */
static uint64_t offset_of_load(const struct arch_access *operands,
			       unsigned size, unsigned n)
{
	for (unsigned i = 0; i < OPERANDS; i++)
		if (operands[i].size == size && !operands[i].is_relative &&
		    operands[i].value > 0 && !n--)
			return (uint64_t)operands[i].value;
	return 0;
}

/*
 * A global variable has the frame that runs, frames lead to their callers.  The
 * first frame of a loop is marked.  Functions of C have frames, too, but no loop:
 * they are shown with the loop that called them.
 *
 * The instruction that a frame is at is only kept up to date where it may be
 * asked for (calls, warnings); for the innermost one it may be a few back.
 */
static bool write_steps(uint64_t *block, uint64_t function_at,
			uint64_t previous_at, uint64_t line_at)
{
	enum { INTERNAL = 1, FIRST_OF_LOOP = 1 << 17, WORDS = 10 };
	enum {
		CURRENT = KEPT(0),
		IS_KNOWN = KEPT(1),
		AT = TEMP(0),
		FUNCTION = TEMP(1),
		MARKS = TEMP(2),
		KIND = TEMP(3),
		LINE = TEMP(4),
	};
	enum { KNOWN, SHOW, NEXT, OF_FILE, DONE };
	const struct step steps[] = {
		PROGRAM(RUNTIME_FRAMES),
		IF_UNEQUAL(IS_KNOWN, ZERO, 0, KNOWN),
		SET(IS_KNOWN, 1),
		CONSTANT(CURRENT, RUNTIME_OWN),
		LOAD(CURRENT, CURRENT, 0),
		LABEL(KNOWN),
		PARKED(MARKS),
		IF_EQUAL(CURRENT, ZERO, 0, DONE),
		IF_EQUAL(MARKS, ZERO, 0, DONE),
		SET(ANCHOR, 1),
		BEGIN_FRAMES,
		LABEL(SHOW),
		READ(AT, CURRENT, 0, WORDS),
		IF_EQUAL(AT, ZERO, 0, DONE),
		PICK(AT, 0),
		PICK(FUNCTION, function_at),
		PICK(MARKS, previous_at - MARKS_BEFORE_PREVIOUS),
		PICK(CURRENT, previous_at),
		/* Calls that a function of C has begun have a frame without one. */
		IF_EQUAL(FUNCTION, ZERO, 0, NEXT),
		LOAD(KIND, FUNCTION, 0),
		AND(KIND, KIND, ZERO, 0xff),
		IF_UNEQUAL(KIND, ZERO, INTERNAL, OF_FILE),
		FRAME(FUNCTION, ZERO, 0),
		LABEL(NEXT),
		IF_UNEQUAL(CURRENT, ZERO, 0, SHOW),
		GO(DONE),
		LABEL(OF_FILE),
		LOAD(LINE, AT, line_at),
		LEFT(LINE, LINE, ZERO, 32),
		RIGHT(LINE, LINE, ZERO, 32),
		FRAME(FUNCTION, LINE, 0),
		AND(MARKS, MARKS, ZERO, FIRST_OF_LOOP),
		IF_EQUAL(MARKS, ZERO, 0, NEXT),
		LABEL(DONE),
		END(RUNTIME_MOVED),
	};

	return program_add(block, steps, sizeof(steps) / sizeof(*steps));
}

static bool prepare(struct runtime_process *process,
		    const struct runtime_image *image, const char **why)
{
	enum { LOOP, GLOBALS, SCOPE, FILENAME, LINE, SYMBOLS };
	enum { NUMBER = 4, POINTER = 8 };
	struct runtime_symbol symbols[SYMBOLS] = {
		[LOOP] = { .name = "execute_ex" },
		[GLOBALS] = { .name = "executor_globals" },
		[SCOPE] = { .name = "zend_get_executed_scope" },
		[FILENAME] = { .name = "zend_get_executed_filename_ex" },
		[LINE] = { .name = "zend_get_executed_lineno" },
	};
	struct arch_access scope[OPERANDS], filename[OPERANDS], line[OPERANDS];
	uint64_t *block = process->block;

	runtime_symbols(image, symbols, SYMBOLS);
	*why = NULL;
	if (!symbols[LOOP].address || !symbols[LOOP].size)
		return false;
	*why = "it is a PHP for threads, or has no executor_globals";
	if (!symbols[GLOBALS].address)
		return false;
	*why = "the code that tells where its frames are is not understood";
	if (!get_operands(image, &symbols[SCOPE], scope) ||
	    !get_operands(image, &symbols[FILENAME], filename) ||
	    !get_operands(image, &symbols[LINE], line))
		return false;
	uint64_t current = offset_of_load(scope, POINTER, 0);
	uint64_t function = offset_of_load(scope, POINTER, 1);
	uint64_t class = offset_of_load(scope, POINTER, 2);
	uint64_t previous = offset_of_load(scope, POINTER, 3);
	/* files of the compiler, the frame, its function, its caller */
	uint64_t file = offset_of_load(filename, POINTER, 4);
	uint64_t number = offset_of_load(line, NUMBER, 0);

	if (!current || current >= symbols[GLOBALS].size ||
	    class != FUNCTION_SCOPE || !function || function > 64 ||
	    previous < MARKS_BEFORE_PREVIOUS || previous > 64 || !file ||
	    file > 240 || !number || number > 64)
		return false;
	struct php *php = must_alloc(sizeof(*php));

	*php = (struct php){ .filename = file };
	process->own = php;
	runtime_range(image, &symbols[LOOP], block);
	block[RUNTIME_IDENTITY] = block[RUNTIME_POINTS] = FUNCTION_NAME;
	block[RUNTIME_POINTS + 1] = file;
	block[RUNTIME_POINTS + 2] = FUNCTION_SCOPE;
	block[RUNTIME_OWN] = symbols[GLOBALS].address + current;
	return write_steps(block, function, previous, number);
}

/* ------------------------------------------------------------------- names */

/* A zend_string, cut where it is too long; false: it cannot be read. */
static bool read_text(struct runtime_process *process, uint64_t string,
		      char text[NAME_MOST])
{
	uint64_t length;

	if (!string || !runtime_read(process, string + STRING_LENGTH, &length,
				     sizeof(length)))
		return false;
	if (length >= NAME_MOST)
		length = NAME_MOST - 1;
	text[length] = '\0';
	return runtime_read(process, string + STRING_TEXT, text, length);
}

/* NULL: it cannot be read. */
static const char *class_name(struct runtime_process *process, uint64_t class)
{
	struct php *php = process->own;
	uint64_t n = class / 64 % CLASSES;
	char text[NAME_MOST];
	uint64_t string = runtime_read_word(process, class + CLASS_NAME);

	if (string && read_text(process, string, text)) {
		php->classes[n].class = class;
		php->classes[n].name = runtime_text(process, text);
	}
	return php->classes[n].class == class ? php->classes[n].name : NULL;
}

static unsigned name_frame(struct runtime_process *process, uint64_t pointer,
			   uint32_t detail, struct runtime_frame *frames,
			   const char **why)
{
	const struct php *php = process->own;
	char name[2 * NAME_MOST + 2], text[NAME_MOST];
	const char *scope;
	uint64_t head, string, class;
	size_t at = 0;

	*why = "the function cannot be read (any more)";
	if (!runtime_read(process, pointer, &head, sizeof(head)) ||
	    !runtime_read(process, pointer + FUNCTION_NAME, &string,
			  sizeof(string)))
		return 0;
	uint8_t kind = head & 0xff;

	*why = "what the frame points to is no function";
	if (!kind || kind > EVAL_CODE)
		return 0;
	class = runtime_read_word(process, pointer + FUNCTION_SCOPE);
	scope = string && class ? class_name(process, class) : NULL;
	if (scope) {
		at = strlen(scope);
		memcpy(name, scope, at);
		memcpy(name + at, "::", 2);
		at += 2;
	}
	*why = "the name of the function cannot be read";
	if (!string)
		/* as PHP calls it: of any file */
		strcpy(text, kind == EVAL_CODE ? "eval" : "{main}");
	else if (!read_text(process, string, text))
		return 0;
	strcpy(name + at, text);
	frames[0].function = runtime_text(process, name);
	frames[0].file = "";
	if (kind != USER_FUNCTION && kind != EVAL_CODE)
		return 1;
	if (read_text(process,
		      runtime_read_word(process, pointer + php->filename),
		      text))
		frames[0].file = runtime_text(process, text);
	frames[0].line = detail == RUNTIME_DETAIL_MOST ? 0 : detail;
	return 1;
}

static void free_php(struct runtime_process *process)
{
	free(process->own);
}

const struct runtime runtime_php = {
	.name = "php",
	.is_in = is_in,
	.prepare = prepare,
	.name_frame = name_frame,
	.free = free_php,
};
