/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lua 5.4: functions, files and lines.
 *
 * Its loop is luaV_execute(), which has no name in stripped files: it is by far
 * the largest function that lua_callk() leads to.  The state it works on is in a
 * register that its caller keeps, which the loop saves on its stack with the other
 * five, and which can be told by what it points to.  The state leads to calls,
 * the first of each loop is marked.  The layout of structures is that of 5.4.
 *
 * 1. A frame is a function (Proto) and the number of an instruction.
 * 2. Functions have no names in Lua; the one shown is that of the variable or
 *    field that the code around it (name_in) stores it in.
 * 3. A coroutine that has waited in a call from C has only one loop when it goes
 *    on, which nobody has called as a function (unroll): then all its calls are
 *    those of this loop.
 *
 * LuaJIT is another machine, and not read.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "runtime/program.h"
#include "runtime/runtime.h"

enum {
	/* GCObject */
	OBJECT_NEXT = 0, OBJECT_KIND = 8,
	KIND_STATE = 8, KIND_PROTO = 10, KIND_SHORT = 4, KIND_LONG = 20,
	/* lua_State */
	STATE_CALL = 32, STATE_END = 40, STATE_STACK = 48,
	/* CallInfo */
	CALL_FUNCTION = 0, CALL_PREVIOUS = 16, CALL_INSTRUCTION = 32,
	CALL_MARKS = 56, /* the upper 16 bits of this word */
	IS_C = 2, IS_FRESH = 4,
	/* LClosure, TString */
	CLOSURE_PROTO = 24,
	STRING_SHORT = 11, STRING_LONG = 16, STRING_TEXT = 24,
	NAME_MOST = 128, SOURCE_MOST = 512, KNOWN = 1024,
};

/* Proto, from its kind on. */
struct proto {
	uint64_t next;
	uint8_t kind, marked, parameters, is_vararg, stack;
	int32_t nupvalues, nconstants, ncode, nlines, nprotos, nlocals,
		nabsolute, line, last_line;
	uint64_t constants, code, protos, upvalues, lines, absolute, locals,
		source;
};
_Static_assert(sizeof(struct proto) == 120, "as Lua's");

struct lua {
	uint32_t looked; /* objects that were looked at for names */
	/* Names of functions, by place. */
	struct {
		uint64_t place;
		uint64_t source, code; /* another may come to the place */
		const char *name;
	} known[KNOWN];
};

static bool is_in(const char *file)
{
	return !strncmp(file, "lua5.4", 6) || !strcmp(file, "lua") ||
	       !strncmp(file, "liblua5.4.so", 12) ||
	       !strncmp(file, "liblua.so.5.4", 13);
}

/* ------------------------------------------------------------------- steps */

/* Code of the two functions that call the loop for C code. */
enum { CALLER = RUNTIME_OWN, CALLERS = 2 };

static bool write_steps(uint64_t *block)
{
	enum {
		LAST_STATE = KEPT(0),
		CALL_AT = KEPT(1),
		EXACT_AT = KEPT(2), /* the instruction, if the loop has it */
		AT = TEMP(0),
		STATE = TEMP(1),
		BACK = TEMP(2),
		FUNCTION = TEMP(3),
		INSTRUCTION = TEMP(4),
		MARKS = TEMP(5),
		CODE = TEMP(6),
		ENDS = TEMP(7), /* the mark of the last call */
	};
	enum {
		DONE,
		CHECK,
		NOT,
		FOUND,
		SAME,
		SAVED,
		CHOSEN,
		SHOW,
		NEXT,
		PLACE
	};
	/* The loop's registers: below its return address. */
	enum { SAVED_REGISTERS = 56, WORDS = 6, CALL_WORDS = 8 };
	const struct step steps[] = {
		PROGRAM(RUNTIME_STEPS),
		IF_EQUAL(FIRST, ZERO, 0, PLACE),
		/* r13, where compilers put it; it is checked */
		MOVE(EXACT_AT, USER(1)),
		LABEL(PLACE),
		END(RUNTIME_PLACE),

		PROGRAM(RUNTIME_FRAMES),
		READ(AT, SP, -SAVED_REGISTERS, WORDS),
		IF_EQUAL(AT, ZERO, 0, DONE),
		PICK(STATE, 0),
		CALL(BACK, CHECK),
		PICK(STATE, 8),
		CALL(BACK, CHECK),
		PICK(STATE, 16),
		CALL(BACK, CHECK),
		PICK(STATE, 24),
		CALL(BACK, CHECK),
		PICK(STATE, 32),
		CALL(BACK, CHECK),
		PICK(STATE, 40),
		CALL(BACK, CHECK),
		GO(DONE),
		LABEL(CHECK),
		LOAD(AT, STATE, OBJECT_KIND),
		AND(AT, AT, ZERO, 0xff),
		IF_UNEQUAL(AT, ZERO, KIND_STATE, NOT),
		LOAD(FUNCTION, STATE, STATE_CALL),
		LOAD(FUNCTION, FUNCTION, CALL_FUNCTION),
		LOAD(AT, STATE, STATE_STACK),
		IF_LESS(FUNCTION, AT, 0, NOT),
		LOAD(AT, STATE, STATE_END),
		IF_LESS(FUNCTION, AT, 0, FOUND),
		LABEL(NOT),
		RETURN(BACK),
		LABEL(FOUND),
		PARKED(AT),
		IF_EQUAL(AT, ZERO, 0, DONE),
		IF_EQUAL(STATE, LAST_STATE, 0, SAME),
		MOVE(LAST_STATE, STATE),
		LOAD(CALL_AT, STATE, STATE_CALL),
		LABEL(SAME),
		IF_EQUAL(CALL_AT, ZERO, 0, DONE),
		SET(ENDS, IS_FRESH),
		CONSTANT(AT, CALLER),
		SUBTRACT(AT, PC, AT, 0),
		CONSTANT(CODE, CALLER + 1),
		IF_LESS(AT, CODE, 0, CHOSEN),
		CONSTANT(AT, CALLER + 2),
		SUBTRACT(AT, PC, AT, 0),
		CONSTANT(CODE, CALLER + 3),
		IF_LESS(AT, CODE, 0, CHOSEN),
		SET(ENDS, 0),
		LABEL(CHOSEN),
		SET(ANCHOR, 1),
		BEGIN_FRAMES,
		LABEL(SHOW),
		READ(AT, CALL_AT, 0, CALL_WORDS),
		IF_EQUAL(AT, ZERO, 0, DONE),
		PICK(FUNCTION, CALL_FUNCTION),
		PICK(INSTRUCTION, CALL_INSTRUCTION),
		PICK(MARKS, CALL_MARKS),
		PICK(CALL_AT, CALL_PREVIOUS),
		RIGHT(MARKS, MARKS, ZERO, 48),
		AND(AT, MARKS, ZERO, IS_C),
		IF_UNEQUAL(AT, ZERO, 0, NEXT),
		LOAD(FUNCTION, FUNCTION, 0),
		LOAD(FUNCTION, FUNCTION, CLOSURE_PROTO),
		LOAD(CODE, FUNCTION, offsetof(struct proto, code)),
		/* pc is that of the next instruction */
		SUBTRACT(INSTRUCTION, INSTRUCTION, CODE, 4),
		SUBTRACT(EXACT_AT, EXACT_AT, CODE, 4),
		RIGHT(EXACT_AT, EXACT_AT, ZERO, 2),
		LOAD(AT, FUNCTION, offsetof(struct proto, ncode)),
		LEFT(AT, AT, ZERO, 32),
		RIGHT(AT, AT, ZERO, 32),
		RIGHT(INSTRUCTION, INSTRUCTION, ZERO, 2),
		IF_NOT_LESS(EXACT_AT, AT, 0, SAVED),
		MOVE(INSTRUCTION, EXACT_AT),
		LABEL(SAVED),
		SET(EXACT_AT, 0),
		FRAME(FUNCTION, INSTRUCTION, 0),
		AND(AT, MARKS, ENDS, 0),
		IF_UNEQUAL(AT, ZERO, 0, DONE),
		LABEL(NEXT),
		IF_UNEQUAL(CALL_AT, ZERO, 0, SHOW),
		LABEL(DONE),
		END(RUNTIME_MOVED),
	};

	return program_add(block, steps, sizeof(steps) / sizeof(*steps));
}

/* ---------------------------------------------------------------- the loop */

/*
 * Functions that a function leads to: over this many calls, and not more; and
 * bytes of code that are searched.
 */
enum { DEEP = 3, FUNCTIONS = 256, SEARCHED_MOST = 1 << 21 };

static size_t find_functions(const struct runtime_image *image, uint64_t start,
			     struct runtime_symbol *found)
{
	enum { CALLS = 64 };
	size_t count = 1, level = 0;
	uint64_t searched = 0;

	found[0] = runtime_piece(image, start);
	for (int depth = 0; depth < DEEP; depth++) {
		size_t end = count;

		for (; level < end; level++) {
			uint64_t calls[CALLS];

			searched += found[level].size;
			if (searched > SEARCHED_MOST)
				return count;
			size_t n = runtime_calls(image, &found[level], calls,
						 CALLS);

			for (size_t i = 0; i < n && count < FUNCTIONS; i++) {
				size_t is = 0;

				while (is < count &&
				       found[is].address != calls[i])
					is++;
				if (is == count)
					found[count++] =
						runtime_piece(image, calls[i]);
			}
		}
	}
	return count;
}

static bool does_call(const struct runtime_image *image,
		      const struct runtime_symbol *function, uint64_t target)
{
	enum { CALLS = 64 };
	uint64_t calls[CALLS];
	size_t count = runtime_calls(image, function, calls, CALLS);

	for (size_t i = 0; i < count; i++)
		if (calls[i] == target)
			return true;
	return false;
}

/* Where the loop is, and who calls it for C code. */
static bool find_loop(const struct runtime_image *image,
		      const struct runtime_symbol *call,
		      struct runtime_symbol *loop, uint64_t *callers)
{
	enum { LEAST = 6000, CALLS = 16 };
	struct runtime_symbol found[FUNCTIONS];
	size_t count = find_functions(image, call->address, found);
	uint64_t calls[CALLS];
	unsigned n = 0;

	*loop = found[0];
	for (size_t i = 1; i < count; i++)
		if (found[i].size > loop->size)
			*loop = found[i];
	if (loop->size < LEAST)
		return false;
	count = runtime_calls(image, call, calls, CALLS);
	for (size_t i = 0; i <= count && n < CALLERS; i++) {
		struct runtime_symbol caller = *call;

		if (i)
			caller = runtime_piece(image, calls[i - 1]);
		if (!does_call(image, &caller, loop->address))
			continue;
		callers[2 * n] = caller.address;
		callers[2 * n + 1] = caller.size;
		n++;
	}
	return n != 0;
}

static bool prepare(struct runtime_process *process,
		    const struct runtime_image *image, const char **why)
{
	enum { CALL, IDENT, SYMBOLS };
	static const char version[] = "$LuaVersion: Lua 5.4.";
	struct runtime_symbol symbols[SYMBOLS] = {
		[CALL] = { .name = "lua_callk" },
		[IDENT] = { .name = "lua_ident" },
	};
	struct runtime_symbol loop;
	uint64_t *block = process->block;
	uint8_t text[sizeof(version) - 1];

	runtime_symbols(image, symbols, SYMBOLS);
	*why = NULL;
	if (!symbols[CALL].address || !symbols[CALL].size)
		return false;
	*why = "this version of Lua is not known (5.4 is)";
	if (!symbols[IDENT].address ||
	    !runtime_code(image, symbols[IDENT].address, text, sizeof(text)) ||
	    memcmp(text, version, sizeof(text)))
		return false;
	*why = "the code of its loop is not found";
	if (!find_loop(image, &symbols[CALL], &loop, &block[CALLER]))
		return false;
	process->own = must_alloc(sizeof(struct lua));
	memset(process->own, 0, sizeof(struct lua));
	runtime_range(image, &loop, block);
	block[RUNTIME_IDENTITY] = offsetof(struct proto, source);
	block[RUNTIME_POINTS] = offsetof(struct proto, absolute);
	block[RUNTIME_POINTS + 1] = offsetof(struct proto, source);
	block[RUNTIME_POINTS + 2] = offsetof(struct proto, lines);
	return write_steps(block);
}

/* ------------------------------------------------------------------- texts */

/* A TString, cut where it is too long; false: it is none. */
static bool read_text(struct runtime_process *process, uint64_t string,
		      char *text, size_t most)
{
	uint8_t head[STRING_TEXT];
	uint64_t length;

	if (!string || !runtime_read(process, string, head, sizeof(head)))
		return false;
	length = head[STRING_SHORT];
	if (head[OBJECT_KIND] == KIND_LONG)
		memcpy(&length, head + STRING_LONG, sizeof(length));
	else if (head[OBJECT_KIND] != KIND_SHORT)
		return false;
	if (length >= most)
		length = most - 1;
	text[length] = '\0';
	return runtime_read(process, string + STRING_TEXT, text, length);
}

/* A constant that is a string. */
static bool read_constant(struct runtime_process *process,
			  const struct proto *proto, uint32_t n,
			  char text[NAME_MOST])
{
	enum { SIZE = 16 };

	return (int64_t)n < proto->nconstants &&
	       read_text(process,
			 runtime_read_word(process,
					   proto->constants + n * SIZE),
			 text, NAME_MOST);
}

static bool read_upvalue(struct runtime_process *process,
			 const struct proto *proto, uint32_t n,
			 char text[NAME_MOST])
{
	enum { SIZE = 16 };

	return (int64_t)n < proto->nupvalues &&
	       read_text(process,
			 runtime_read_word(process, proto->upvalues + n * SIZE),
			 text, NAME_MOST);
}

/* The local variable in a register, at an instruction. */
static bool read_local(struct runtime_process *process,
		       const struct proto *proto, uint32_t reg,
		       uint32_t instruction, char text[NAME_MOST])
{
	enum { MOST = 1024 };
	struct {
		uint64_t name;
		uint32_t start, end;
	} local;

	for (int i = 0; i < proto->nlocals && i < MOST; i++) {
		if (!runtime_read(process,
				  proto->locals + (uint64_t)i * sizeof(local),
				  &local, sizeof(local)) ||
		    local.start > instruction)
			return false;
		if (local.end > instruction && !reg--)
			return read_text(process, local.name, text, NAME_MOST);
	}
	return false;
}

/* ------------------------------------------------------------------- names */

enum {
	OP_GET_UPVALUE = 9, OP_GET_GLOBAL = 11, OP_SET_GLOBAL = 15,
	OP_SET_FIELD = 18, OP_CLOSURE = 79,
	OPERAND_SHIFT = 15,
};
#define OP(code) ((code)&0x7f)
#define OP_A(code) ((code) >> 7 & 0xff)
#define OP_B(code) ((code) >> 16 & 0xff)
#define OP_C(code) ((code) >> 24)
#define OP_IS_CONSTANT(code) ((code) >> OPERAND_SHIFT & 1)

/* The table in a register, by the instruction before, or a variable. */
static bool table_name(struct runtime_process *process,
		       const struct proto *proto, uint32_t reg,
		       uint32_t instruction, uint32_t before,
		       char text[NAME_MOST])
{
	if (OP_A(before) == reg && OP(before) == OP_GET_GLOBAL)
		return read_constant(process, proto, OP_C(before), text);
	if (OP_A(before) == reg && OP(before) == OP_GET_UPVALUE)
		return read_upvalue(process, proto, OP_B(before), text);
	return read_local(process, proto, reg, instruction, text);
}

/* What the code stores a function in that the instruction makes. */
static bool name_stored(struct runtime_process *process,
			const struct proto *proto, const uint32_t *code,
			uint32_t at, char text[2 * NAME_MOST])
{
	char table[NAME_MOST] = "", key[NAME_MOST];
	uint32_t reg = OP_A(code[at]), next = code[at + 1];
	bool is_stored = OP_C(next) == reg && !OP_IS_CONSTANT(next);

	if (OP(next) == OP_SET_GLOBAL && is_stored) {
		if (!read_constant(process, proto, OP_B(next), key))
			return false;
		if (!read_upvalue(process, proto, OP_A(next), table) ||
		    !strcmp(table, "_ENV"))
			table[0] = '\0';
	} else if (OP(next) == OP_SET_FIELD && is_stored) {
		if (!read_constant(process, proto, OP_B(next), key))
			return false;
		if (!table_name(process, proto, OP_A(next), at,
				at ? code[at - 1] : 0, table))
			table[0] = '\0';
	} else if (!read_local(process, proto, reg, at + 1, key)) {
		return false;
	}
	snprintf(text, (size_t)2 * NAME_MOST, "%s%s%s", table,
		 *table ? "." : "", key);
	return true;
}

/* The name of a function in the one around it; false: it has none there. */
static bool name_in(struct runtime_process *process, const struct proto *outer,
		    uint64_t inner, char text[2 * NAME_MOST])
{
	enum { PROTOS = 4096, CODE = 1 << 17 };
	uint64_t protos[PROTOS];
	uint32_t index = 0;

	if (outer->nprotos <= 0 || outer->nprotos > PROTOS ||
	    outer->ncode <= 1 || outer->ncode > CODE ||
	    !runtime_read(process, outer->protos, protos,
			  (size_t)outer->nprotos * sizeof(*protos)))
		return false;
	while (index < (uint32_t)outer->nprotos && protos[index] != inner)
		index++;
	if (index == (uint32_t)outer->nprotos)
		return false;
	uint32_t *code = must_alloc((size_t)outer->ncode * sizeof(*code));
	bool is_named = false;

	if (runtime_read(process, outer->code, code,
			 (size_t)outer->ncode * sizeof(*code)))
		for (uint32_t i = 0; i + 1 < (uint32_t)outer->ncode; i++)
			if (OP(code[i]) == OP_CLOSURE &&
			    code[i] >> OPERAND_SHIFT == index) {
				is_named = name_stored(process, outer, code, i,
						       text);
				break;
			}
	free(code);
	return is_named;
}

static bool has_inner(struct runtime_process *process,
		      const struct proto *outer, uint64_t inner)
{
	enum { PROTOS = 4096 };
	uint64_t protos[PROTOS];

	if (outer->nprotos <= 0 || outer->nprotos > PROTOS ||
	    !runtime_read(process, outer->protos, protos,
			  (size_t)outer->nprotos * sizeof(*protos)))
		return false;
	for (int i = 0; i < outer->nprotos; i++)
		if (protos[i] == inner)
			return true;
	return false;
}

/*
 * All objects are linked, the newest first, and the function around one is older:
 * it is a few hundred objects away, what the compiler has made in between.  A
 * process has us look at so many objects in all.
 */
static bool find_name(struct runtime_process *process, uint64_t inner,
		      uint64_t next, char text[2 * NAME_MOST])
{
	enum { MOST = 100000, IN_ALL = 2000000, IN_ONE = 64 };
	struct lua *lua = process->own;

	for (unsigned i = 0; i < MOST && next && lua->looked < IN_ALL; i++) {
		struct {
			uint64_t next;
			uint64_t kind;
		} head;
		struct proto outer;

		lua->looked++;
		if (!runtime_read(process, next, &head, sizeof(head)))
			return false;
		if ((head.kind & 0xff) == KIND_PROTO &&
		    runtime_read(process, next, &outer, sizeof(outer))) {
			if (has_inner(process, &outer, inner))
				return name_in(process, &outer, inner, text);
			/* Reading many pointers is more work. */
			if (outer.nprotos > 0)
				lua->looked += (uint32_t)outer.nprotos / IN_ONE;
		}
		next = head.next;
	}
	return false;
}

/*
 * What is linked behind a function now: when it was copied, objects were there
 * that may have been freed since.
 */
static uint64_t next_now(struct runtime_process *process, uint64_t pointer,
			 const struct proto *copied)
{
	enum { MORE_THAN_COPIED = 320 };
	union {
		uint8_t bytes[MORE_THAN_COPIED];
		struct proto proto;
	} now;

	if (runtime_read(process, pointer, &now, sizeof(now)) &&
	    now.proto.kind == KIND_PROTO && now.proto.code == copied->code)
		return now.proto.next;
	return copied->next;
}

/* As Lua calls where code is from. */
static const char *source_name(struct runtime_process *process, uint64_t string)
{
	enum { SHOWN = 40 };
	char text[SOURCE_MOST], shown[SHOWN + 32];

	if (!read_text(process, string, text, sizeof(text)))
		return "";
	if (*text == '@' || *text == '=')
		return runtime_text(process, text + 1);
	size_t length = strcspn(text, "\n");
	bool is_cut = text[length] || length > SHOWN;

	snprintf(shown, sizeof(shown), "[string \"%.*s%s\"]",
		 (int)(length < SHOWN ? length : SHOWN), text,
		 is_cut ? "..." : "");
	return runtime_text(process, shown);
}

static const char *function_name(struct runtime_process *process,
				 uint64_t pointer, const struct proto *proto,
				 const char *file)
{
	struct lua *lua = process->own;
	size_t n = pointer / 16 % KNOWN;
	char text[SOURCE_MOST + 64];

	if (!proto->line)
		return "main chunk";
	if (lua->known[n].place == pointer &&
	    lua->known[n].source == proto->source &&
	    lua->known[n].code == proto->code)
		return lua->known[n].name;
	if (!find_name(process, pointer, next_now(process, pointer, proto),
		       text)) {
		const char *last = strrchr(file, '/');

		snprintf(text, sizeof(text), "function <%s:%d>",
			 last ? last + 1 : file, proto->line);
	}
	lua->known[n].name = runtime_text(process, text);
	lua->known[n].place = pointer;
	lua->known[n].source = proto->source;
	lua->known[n].code = proto->code;
	return lua->known[n].name;
}

/* ------------------------------------------------------------------- lines */

/* 0: it is not known. */
static uint64_t line_of(struct runtime_process *process,
			const struct proto *proto, uint32_t instruction)
{
	enum { ABSOLUTE = -128 };
	struct {
		uint32_t instruction, line;
	} place = { 0 };
	int64_t line = proto->line;
	uint32_t last = 0;
	int nabsolute = 0;
	size_t size = (size_t)instruction + 1;

	if (proto->nlines <= 0 || instruction >= (uint32_t)proto->nlines ||
	    instruction >= RUNTIME_DETAIL_MOST)
		return 0;
	int8_t *lines = must_alloc(size);

	if (!runtime_read(process, proto->lines, lines, size)) {
		free(lines);
		return 0;
	}
	/* Steps after the last one that is in the other table. */
	for (uint32_t i = 0; i < size; i++)
		if (lines[i] == ABSOLUTE) {
			nabsolute++;
			last = i;
			line = 0;
		} else {
			line += lines[i];
		}
	free(lines);
	if (nabsolute &&
	    (nabsolute > proto->nabsolute ||
	     !runtime_read(process,
			   proto->absolute +
				   (uint64_t)(nabsolute - 1) * sizeof(place),
			   &place, sizeof(place)) ||
	     place.instruction != last))
		return 0;
	line += place.line;
	return line > 0 && line <= INT32_MAX ? (uint64_t)line : 0;
}

static unsigned name_frame(struct runtime_process *process, uint64_t pointer,
			   uint32_t detail, struct runtime_frame *frames,
			   const char **why)
{
	struct proto proto;

	*why = "the function cannot be read (any more)";
	if (!runtime_read(process, pointer, &proto, sizeof(proto)))
		return 0;
	*why = "what the frame points to is no function";
	if (proto.kind != KIND_PROTO)
		return 0;
	frames[0].file = source_name(process, proto.source);
	frames[0].function = function_name(process, pointer, &proto,
					   frames[0].file);
	frames[0].line = line_of(process, &proto, detail);
	return 1;
}

static void free_lua(struct runtime_process *process)
{
	free(process->own);
}

const struct runtime runtime_lua = {
	.name = "lua",
	.is_in = is_in,
	.prepare = prepare,
	.name_frame = name_frame,
	.free = free_lua,
};
