/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CPython 3.9 to 3.13: functions, files and lines of Python code.
 *
 * Its loop is _PyEval_EvalFrameDefault; which frames it runs is found by way of
 * the thread's state (write_steps).  Where that is, says an accessor
 * that every version exports.  3.13 has a table of offsets for debuggers; before,
 * the layout of the structures is that of the version (public headers, the same
 * in all releases of 3.x).
 *
 * A frame is a code object and the number of an instruction.  A table in the
 * code object leads from there to the line.
 */
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "base/arena.h"
#include "proc/image.h"
#include "runtime/program.h"
#include "runtime/runtime.h"

enum {
	TEXT_MOST = 1024,	/* bytes of a name */
	TABLE_MOST = 1 << 20,	/* bytes of a table of lines */
	CODE_SIZE = 256,	/* bytes of a code object that are read */
	FRAME_SIZE = 80,	/* the same of a frame */
	/* struct pthread of the GNU C library: specific_1stblock */
	SPECIFIC_GLIBC = 0x310,
};

/* How frames are linked, and where those of a C frame begin. */
enum form {
	/* until 3.10: one loop is one frame, in the thread's state */
	FORM_SINGLE,
	/* 3.11: a struct on the loop's stack; the first frame is marked */
	FORM_MARKED,
	/* 3.12: the same; one more frame, on the stack, ends them */
	FORM_ENDED,
	/* since 3.13: that, but in the thread's state */
	FORM_LINKED,
};

/* How the table of lines is written. */
enum lines {
	LINES_PAIRS,   /* until 3.9: bytes of code, lines */
	LINES_SIGNED,  /* 3.10: the same, and code without a line */
	LINES_ENTRIES, /* since 3.11: with columns */
};

/* Offsets; of PyCodeObject, PyASCIIObject, and others. */
struct layout {
	enum form form;
	enum lines lines;
	/* _PyRuntimeState */
	uint16_t key;
	/* PyThreadState: cframe, frame or current_frame */
	uint16_t top;
	/* _PyCFrame */
	uint16_t current;
	/* the frame */
	uint16_t frame_code, frame_previous, frame_instruction, frame_mark;
	/* instructions; the shift from the frame's number to that of bytecodes */
	uint16_t first, units;
	uint16_t filename, name, line, table;
	/* PyASCIIObject */
	uint16_t text_ascii, text_other;
};

static const struct version {
	unsigned minor;
	struct layout layout;
} versions[] = {
	{ 9,
	  { FORM_SINGLE, LINES_PAIRS, 584, 24, 0, 32, 24, 104, 0, 0, 1, 104,
	    112, 40, 120, 48, 72 } },
	{ 10,
	  { FORM_SINGLE, LINES_SIGNED, 584, 24, 0, 32, 24, 96, 0, 0, 0, 104,
	    112, 40, 120, 48, 72 } },
	{ 11,
	  { FORM_MARKED, LINES_ENTRIES, 592, 56, 8, 32, 48, 56, 68, 184, 0, 112,
	    128, 72, 136, 48, 72 } },
	{ 12,
	  { FORM_ENDED, LINES_ENTRIES, 1544, 56, 0, 0, 8, 56, 70, 192, 0, 112,
	    128, 68, 136, 40, 56 } },
	{ 13,
	  { FORM_LINKED, LINES_ENTRIES, 2160, 72, 0, 0, 8, 56, 70, 200, 0, 112,
	    128, 68, 136, 40, 56 } },
};

struct python {
	struct layout layout;
	uint64_t code_type; /* PyCode_Type: what every code object begins with */
};

static bool is_in(const char *file)
{
	if (!strncmp(file, "libpython3.", 11))
		return true;
	return !strncmp(file, "python3", 7) &&
	       (file[7] == '\0' || file[7] == '.');
}

/* ----------------------------------------------------------------- offsets */

/*
 * Where the key of the thread's data is in _PyRuntime: what the accessor hands
 * to pthread_getspecific() or PyThread_tss_get().
 */
static uint64_t find_key(const struct runtime_image *image,
			 const struct runtime_symbol *accessor,
			 const struct runtime_symbol *state)
{
	enum { SIZE = 64, KEY_IN_TSS = 4, OPERANDS = 8 };
	struct arch_access operands[OPERANDS];
	uint8_t code[SIZE];
	size_t size = accessor->size < SIZE ? accessor->size : SIZE;

	if (size < 16 || !runtime_code(image, accessor->address, code, size))
		return 0;
	size_t count = arch_accesses(code, size, operands, OPERANDS);

	for (size_t i = 0; i < count; i++) {
		const struct arch_access *operand = &operands[i];
		/* or from what points to _PyRuntime */
		uint64_t found = (operand->is_relative ? accessor->address
						       : state->address) +
				 (uint64_t)operand->value;

		/* The key itself, for pthread_getspecific(). */
		if (operand->size == sizeof(int) && operand->is_relative)
			found -= KEY_IN_TSS;
		else if (operand->size)
			continue;
		if (found - state->address < state->size - KEY_IN_TSS)
			return found;
	}
	return 0;
}

/* What is read of a frame and of a code object (up to its table) has them. */
static bool are_offsets_sound(const struct layout *layout)
{
	const uint16_t of_frame[] = {
		layout->frame_code, layout->frame_previous,
		layout->frame_instruction, layout->frame_mark,
	};
	const uint16_t of_code[] = {
		layout->name, layout->filename, layout->line,
	};
	enum { WORD = 8 };

	for (size_t i = 0; i < sizeof(of_frame) / sizeof(*of_frame); i++)
		if (of_frame[i] >= FRAME_SIZE)
			return false;
	for (size_t i = 0; i < sizeof(of_code) / sizeof(*of_code); i++)
		if (of_code[i] > layout->table)
			return false;
	return layout->table <= CODE_SIZE - WORD;
}

/* 3.13 and later: a table at the start of _PyRuntime, for debuggers. */
static bool read_offsets(struct runtime_process *process,
			 const struct runtime_symbol *state,
			 struct layout *layout)
{
	enum {
		COOKIE,
		VERSION,
		FREE_THREADED,
		CURRENT_FRAME = 23,
		PREVIOUS = 29,
		EXECUTABLE,
		INSTRUCTION,
		OWNER = 33,
		FILENAME = 35,
		NAME,
		QUALIFIED,
		TABLE,
		LINE,
		FIRST_INSTRUCTION = 43,
		WORDS
	};
	uint64_t words[WORDS];

	if (!runtime_read(process, state->address, words, sizeof(words)) ||
	    memcmp(words, "xdebugpy", 8) || words[VERSION] >> 16 != 0x30d)
		return false;
	for (unsigned i = CURRENT_FRAME; i < WORDS; i++)
		if (words[i] > UINT16_MAX)
			return false;
	layout->top = (uint16_t)words[CURRENT_FRAME];
	layout->frame_previous = (uint16_t)words[PREVIOUS];
	layout->frame_code = (uint16_t)words[EXECUTABLE];
	layout->frame_instruction = (uint16_t)words[INSTRUCTION];
	layout->frame_mark = (uint16_t)words[OWNER];
	layout->filename = (uint16_t)words[FILENAME];
	layout->name = (uint16_t)words[QUALIFIED];
	layout->table = (uint16_t)words[TABLE];
	layout->line = (uint16_t)words[LINE];
	layout->first = (uint16_t)words[FIRST_INSTRUCTION];
	return are_offsets_sound(layout);
}

/* 3.9 and 3.10 have no Py_Version; the name of the file must do. */
static unsigned minor_of(struct runtime_process *process,
			 const struct runtime_symbol *version, const char *file)
{
	const char *after = strstr(file, "python3.");

	if (version->address) {
		uint64_t word = runtime_read_word(process, version->address);

		return word >> 24 == 3 ? word >> 16 & 0xff : 0;
	}
	return after ? (unsigned)strtoul(after + 8, NULL, 10) : 0;
}

/* ------------------------------------------------------------------- steps */

enum { KEY = RUNTIME_OWN }; /* address of the key of thread-specific data */

enum {
	IS_KNOWN = KEPT(0),
	NEXT_LOOP = KEPT(1), /* the frame of the next loop, or what leads to it */
	AT = TEMP(0),
	CODE = TEMP(1),
	INSTRUCTION = TEMP(2),
	MARK = TEMP(3),
	FRAME_AT = TEMP(4),
	HEIGHT = TEMP(5),
};
enum { KNOWN, SHOW, LAST, CURRENT, DONE }; /* labels */
enum {
	CHAIN_WORDS = FRAME_SIZE / 8,
	MARK_MOST = 255,
	ONE_OF_THEM = 3, /* this much in the mark: not a frame */
};

/*
 * The state of the thread is its data for a key that the runtime has made: an int
 * that says whether there is a key, and the key, below 32.  It leads to the frame
 * that runs.
 */
#define FIND_FIRST(layout) \
	IF_UNEQUAL(IS_KNOWN, ZERO, 0, KNOWN), SET(IS_KNOWN, 1), \
		CONSTANT(AT, KEY), LOAD(AT, AT, 0), \
		LEFT(MARK, AT, ZERO, 32), IF_EQUAL(MARK, ZERO, 0, KNOWN), \
		RIGHT(AT, AT, ZERO, 32), IF_NOT_LESS(AT, ZERO, 32, KNOWN), \
		MULTIPLY(AT, AT, ZERO, 16), ADD(AT, AT, THREAD, 0), \
		LOAD(AT, AT, SPECIFIC_GLIBC + 8), \
		IF_EQUAL(AT, ZERO, 0, KNOWN), \
		LOAD(NEXT_LOOP, AT, (layout)->top), LABEL(KNOWN)

/* One loop is one frame. */
static bool write_single(uint64_t *block, const struct layout *layout)
{
	enum { WORDS = 14 };
	const struct step steps[] = {
		PROGRAM(RUNTIME_FRAMES),
		FIND_FIRST(layout),
		IF_EQUAL(NEXT_LOOP, ZERO, 0, DONE),
		PARKED(AT),
		IF_EQUAL(AT, ZERO, 0, DONE),
		READ(AT, NEXT_LOOP, 0, WORDS),
		IF_EQUAL(AT, ZERO, 0, DONE),
		SET(ANCHOR, 1),
		BEGIN_FRAMES,
		PICK(CODE, layout->frame_code),
		PICK(NEXT_LOOP, layout->frame_previous),
		PICK(INSTRUCTION, layout->frame_instruction),
		LEFT(INSTRUCTION, INSTRUCTION, ZERO, 32),
		RIGHT(INSTRUCTION, INSTRUCTION, ZERO, 32 + layout->units),
		FRAME(CODE, INSTRUCTION, 0),
		LABEL(DONE),
		END(RUNTIME_MOVED),
	};

	return program_add(block, steps, sizeof(steps) / sizeof(*steps));
}

#define READ_FRAME(layout) \
	READ(AT, FRAME_AT, 0, CHAIN_WORDS), IF_EQUAL(AT, ZERO, 0, DONE), \
		PICK(CODE, (layout)->frame_code), \
		PICK(FRAME_AT, (layout)->frame_previous), \
		PICK(INSTRUCTION, (layout)->frame_instruction), \
		PICK(MARK, (layout)->frame_mark), \
		AND(MARK, MARK, ZERO, 0xff), \
		SUBTRACT(INSTRUCTION, INSTRUCTION, CODE, (layout)->first), \
		RIGHT(INSTRUCTION, INSTRUCTION, ZERO, 1)

/*
 * What the thread's state points to is on the stack of the loop itself, so it is
 * certain to which of the loops on the stack frames belong: one that has just
 * been entered has none yet.
 */
static bool write_on_stack(uint64_t *block, const struct layout *layout)
{
	bool is_marked = layout->form == FORM_MARKED;
	int behind = is_marked ? 1 : MARK_MOST + 1;
	int before = is_marked ? MARK_MOST + 1 : ONE_OF_THEM;
	const struct step steps[] = {
		PROGRAM(RUNTIME_FRAMES),
		FIND_FIRST(layout),
		IF_NOT_LESS(NEXT_LOOP, LOOP_SP, 0, CURRENT),
		LOAD(NEXT_LOOP, NEXT_LOOP, layout->current + 8),
		LABEL(CURRENT),
		SUBTRACT(AT, NEXT_LOOP, LOOP_SP, 0),
		SUBTRACT(HEIGHT, SP, LOOP_SP, 0),
		IF_NOT_LESS(AT, HEIGHT, 0, DONE),
		STILL(AT, NEXT_LOOP, layout->current),
		IF_EQUAL(AT, ZERO, 0, DONE),
		READ(AT, NEXT_LOOP, layout->current, 2),
		IF_EQUAL(AT, ZERO, 0, DONE),
		MOVE(ANCHOR, NEXT_LOOP),
		PICK(FRAME_AT, 0),
		PICK(NEXT_LOOP, 8),
		IF_EQUAL(FRAME_AT, ZERO, 0, DONE),
		BEGIN_FRAMES,
		LABEL(SHOW),
		READ_FRAME(layout),
		IF_NOT_LESS(MARK, ZERO, before, DONE),
		FRAME(CODE, INSTRUCTION, 0),
		IF_NOT_LESS(MARK, ZERO, behind, DONE),
		IF_UNEQUAL(FRAME_AT, ZERO, 0, SHOW),
		LABEL(DONE),
		END(RUNTIME_MOVED),
	};

	return program_add(block, steps, sizeof(steps) / sizeof(*steps));
}

static bool write_linked(uint64_t *block, const struct layout *layout)
{
	const struct step steps[] = {
		PROGRAM(RUNTIME_FRAMES),
		FIND_FIRST(layout),
		IF_EQUAL(NEXT_LOOP, ZERO, 0, DONE),
		PARKED(AT),
		IF_EQUAL(AT, ZERO, 0, DONE),
		SET(ANCHOR, 1),
		MOVE(FRAME_AT, NEXT_LOOP),
		BEGIN_FRAMES,
		LABEL(SHOW),
		READ_FRAME(layout),
		IF_NOT_LESS(MARK, ZERO, ONE_OF_THEM, LAST),
		FRAME(CODE, INSTRUCTION, 0),
		IF_UNEQUAL(FRAME_AT, ZERO, 0, SHOW),
		GO(DONE),
		LABEL(LAST),
		MOVE(NEXT_LOOP, FRAME_AT),
		LABEL(DONE),
		END(RUNTIME_MOVED),
	};

	return program_add(block, steps, sizeof(steps) / sizeof(*steps));
}

static bool write_steps(uint64_t *block, const struct layout *layout)
{
	block[RUNTIME_IDENTITY] = layout->name;
	block[RUNTIME_POINTS] = layout->name;
	block[RUNTIME_POINTS + 1] = layout->filename;
	block[RUNTIME_POINTS + 2] = layout->table;
	if (layout->form == FORM_SINGLE)
		return write_single(block, layout);
	if (layout->form == FORM_LINKED)
		return write_linked(block, layout);
	return write_on_stack(block, layout);
}

static bool prepare(struct runtime_process *process,
		    const struct runtime_image *image, const char **why)
{
	enum { LOOP, STATE, VERSION, TYPE, ACCESSOR, SYMBOLS };
	struct runtime_symbol symbols[SYMBOLS] = {
		[LOOP] = { .name = "_PyEval_EvalFrameDefault" },
		[STATE] = { .name = "_PyRuntime" },
		[VERSION] = { .name = "Py_Version" },
		[TYPE] = { .name = "PyCode_Type" },
		[ACCESSOR] = { .name = "PyGILState_GetThisThreadState" },
	};
	const struct layout *layout = NULL;
	uint64_t *block = process->block;

	runtime_symbols(image, symbols, SYMBOLS);
	*why = NULL;
	if (!symbols[LOOP].address || !symbols[STATE].address)
		return false;
	unsigned minor = minor_of(process, &symbols[VERSION],
				  image->image->name);

	for (size_t i = 0; i < sizeof(versions) / sizeof(*versions); i++)
		if (versions[i].minor == minor)
			layout = &versions[i].layout;
	*why = "this version of Python is not known (3.9 to 3.13 are)";
	if (!layout || !symbols[LOOP].size)
		return false;
	struct python *python = must_alloc(sizeof(*python));

	*python = (struct python){ *layout, symbols[TYPE].address };
	process->own = python;
	*why = "its table of offsets is not that of 3.13";
	if (layout->form == FORM_LINKED &&
	    !read_offsets(process, &symbols[STATE], &python->layout))
		return false;
	block[KEY] = find_key(image, &symbols[ACCESSOR], &symbols[STATE]);
	if (!block[KEY])
		block[KEY] = symbols[STATE].address + layout->key;
	runtime_range(image, &symbols[LOOP], block);
	*why = "its offsets are too large";
	return write_steps(block, &python->layout);
}

/* ------------------------------------------------------------------- texts */

static size_t put_character(char *to, uint32_t c)
{
	if (c >= 0x110000 || (c >= 0xd800 && c < 0xe000))
		c = 0xfffd;
	if (c < 0x80) {
		to[0] = (char)c;
		return 1;
	}
	if (c < 0x800) {
		to[0] = (char)(0xc0 | c >> 6);
		to[1] = (char)(0x80 | (c & 0x3f));
		return 2;
	}
	if (c < 0x10000) {
		to[0] = (char)(0xe0 | c >> 12);
		to[1] = (char)(0x80 | (c >> 6 & 0x3f));
		to[2] = (char)(0x80 | (c & 0x3f));
		return 3;
	}
	to[0] = (char)(0xf0 | c >> 18);
	to[1] = (char)(0x80 | (c >> 12 & 0x3f));
	to[2] = (char)(0x80 | (c >> 6 & 0x3f));
	to[3] = (char)(0x80 | (c & 0x3f));
	return 4;
}

/* A str object as UTF-8, cut where it is too long; false: it is none. */
static bool read_text(struct runtime_process *process, uint64_t object,
		      char text[TEXT_MOST])
{
	enum { LENGTH = 16, STATE = 32, WIDEST = 4 };
	const struct python *python = process->own;
	uint8_t head[40], bytes[TEXT_MOST];
	uint64_t length;
	uint32_t state;
	size_t at = 0;

	if (!object || !runtime_read(process, object, head, sizeof(head)))
		return false;
	memcpy(&length, head + LENGTH, sizeof(length));
	memcpy(&state, head + STATE, sizeof(state));
	size_t width = state >> 2 & 7;
	bool is_compact = state >> 5 & 1, is_ascii = state >> 6 & 1;

	if (!is_compact || (width != 1 && width != 2 && width != 4))
		return false;
	if (length > TEXT_MOST / width)
		length = TEXT_MOST / width;
	object += is_ascii ? python->layout.text_ascii
			   : python->layout.text_other;
	if (!runtime_read(process, object, bytes, length * width))
		return false;
	for (uint64_t i = 0; i < length && at < TEXT_MOST - WIDEST - 1; i++) {
		uint32_t c = 0;

		memcpy(&c, bytes + i * width, width);
		if (!c)
			break;
		at += put_character(text + at, c);
	}
	text[at] = '\0';
	return true;
}

/* ------------------------------------------------------------------- lines */

struct bytes {
	const uint8_t *at, *end;
	bool is_cut; /* there was more of it */
};

static uint8_t take(struct bytes *bytes)
{
	return bytes->at < bytes->end ? *bytes->at++ : 0;
}

/* 6 bits in a byte, the lowest first; the sign is bit 0. */
static int64_t take_signed(struct bytes *bytes)
{
	enum { SHIFT_MOST = 30 };
	uint64_t value = 0;
	unsigned shift = 0;
	uint8_t byte;

	do {
		byte = take(bytes);
		if (shift <= SHIFT_MOST)
			value |= (uint64_t)(byte & 63) << shift;
		shift += 6;
	} while (byte & 64);
	return value & 1 ? -(int64_t)(value >> 1) : (int64_t)(value >> 1);
}

/* 3.11 and later; index: of an instruction of 2 bytes. */
static int64_t line_of_entry(struct bytes bytes, uint64_t index, int64_t line)
{
	enum { LINE0 = 10, LINE2 = 12, NO_COLUMNS, LONG, NO_LINE };
	uint64_t at = 0;

	while (bytes.at < bytes.end) {
		uint8_t head = take(&bytes);
		unsigned code = head >> 3 & 15;

		if (!(head & 0x80))
			return 0;
		if (code >= LINE0 && code <= LINE2)
			line += code - LINE0;
		else if (code == NO_COLUMNS || code == LONG)
			line += take_signed(&bytes);
		at += (head & 7) + 1;
		if (index < at)
			return code == NO_LINE ? 0 : line;
		while (bytes.at < bytes.end && !(*bytes.at & 0x80))
			bytes.at++;
	}
	return 0;
}

/* 3.10: every pair begins where the last one ended. */
static int64_t line_of_signed(struct bytes bytes, uint64_t index, int64_t line)
{
	enum { NO_LINE = -128 };
	uint64_t at = 0;

	while (bytes.end - bytes.at >= 2) {
		at += take(&bytes);
		int8_t step = (int8_t)take(&bytes);

		if (step != NO_LINE)
			line += step;
		if (2 * index < at)
			return step == NO_LINE ? 0 : line;
	}
	return 0;
}

/* Until 3.9: a pair's line is that of what comes after its bytes. */
static int64_t line_of_pair(struct bytes bytes, uint64_t index, int64_t line)
{
	uint64_t at = 0;

	while (bytes.end - bytes.at >= 2) {
		at += take(&bytes);
		if (at > 2 * index)
			return line;
		line += (int8_t)take(&bytes);
	}
	return bytes.is_cut ? 0 : line;
}

static int64_t line_of(struct runtime_process *process, uint64_t object,
		       uint64_t index, int64_t first)
{
	enum {
		LENGTH = 16,
		BYTES = 32,
		COPIED = QUESTION_AT(4) - QUESTION_AT(3) - BYTES
	};
	const struct python *python = process->own;
	uint64_t size = runtime_read_word(process, object + LENGTH);

	if (!object || !size || size > TABLE_MOST)
		return 0;
	uint8_t *table = must_alloc(size);
	struct bytes bytes = { table, table + size, false };
	int64_t line = 0;

	/* When the process is gone there may be the beginning of it. */
	if (!runtime_read(process, object + BYTES, table, size)) {
		bytes.end = table + (size < COPIED ? size : COPIED);
		if (!runtime_read(process, object + BYTES, table,
				  (size_t)(bytes.end - table)))
			bytes.end = table;
		bytes.is_cut = true;
	}
	if (bytes.at == bytes.end)
		line = 0;
	else if (python->layout.lines == LINES_ENTRIES)
		line = line_of_entry(bytes, index, first);
	else if (python->layout.lines == LINES_SIGNED)
		line = line_of_signed(bytes, index, first);
	else
		line = line_of_pair(bytes, index, first);
	free(table);
	return line > 0 && line <= INT32_MAX ? line : 0;
}

/* ------------------------------------------------------------------ frames */

static unsigned name_frame(struct runtime_process *process, uint64_t pointer,
			   uint32_t detail, struct runtime_frame *frames,
			   const char **why)
{
	enum { TYPE = 8 };
	const struct python *python = process->own;
	const struct layout *layout = &python->layout;
	uint8_t code[CODE_SIZE];
	uint64_t type, name, file, table;
	int32_t first;
	char text[TEXT_MOST];

	*why = "the code object cannot be read (any more)";
	if (!runtime_read(process, pointer, code, layout->table + 8u))
		return 0;
	memcpy(&type, code + TYPE, sizeof(type));
	memcpy(&name, code + layout->name, sizeof(name));
	memcpy(&file, code + layout->filename, sizeof(file));
	memcpy(&table, code + layout->table, sizeof(table));
	memcpy(&first, code + layout->line, sizeof(first));
	*why = "what the frame points to is no code object";
	if (python->code_type && type != python->code_type)
		return 0;
	*why = "the name of the function cannot be read";
	if (!read_text(process, name, text))
		return 0;
	frames[0].function = runtime_text(process, text);
	frames[0].file = read_text(process, file, text)
				 ? runtime_text(process, text)
				 : "";
	frames[0].line = (uint64_t)line_of(process, table, detail, first);
	return 1;
}

static void free_python(struct runtime_process *process)
{
	free(process->own);
}

const struct runtime runtime_cpython = {
	.name = "cpython",
	.is_in = is_in,
	.prepare = prepare,
	.name_frame = name_frame,
	.free = free_python,
};
