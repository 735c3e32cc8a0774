/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rewriting of class files (classfile.h).
 *
 * A method gets code before its first instruction, before each instruction that
 * returns, and at its end a handler for all exceptions, which throws them again.
 * So instructions move, and everything that names one by its place is written
 * again: jumps, switches, handlers, lines, variables, frames of the verifier.
 *
 * 1. Nothing is believed: bytes come from a process that is not ours.  Every read
 *    is inside of the file, every place is the start of an instruction.
 * 2. Classes of the boot loader are not verified, so wrong code would be the end of
 *    the process.  What is not understood is refused.
 * 3. A handler has no variables in its frame: then any state fits it.  In a
 *    constructor it begins after the call of the other constructor, because before
 *    that `this` is not an object yet.
 * 4. A jump that no longer fits into 16 bits is refused, not made longer.
 */
#include "classfile.h"

#include <stdlib.h>
#include <string.h>

enum {
	NOWHERE = 0xffffffff, MOST_CODE = 65535, MOST_POOL = 65535,
	FRAMES_SINCE = 50,
};

enum opcode {
	OP_SIPUSH = 17, OP_LDC_W = 19, OP_ILOAD = 21, OP_LLOAD, OP_FLOAD,
	OP_DLOAD, OP_ALOAD, OP_DUP = 89, OP_DUP2 = 92, OP_I2L = 133,
	OP_IFEQ = 153, OP_JSR = 168, OP_TABLESWITCH = 170, OP_LOOKUPSWITCH,
	OP_IRETURN, OP_LRETURN, OP_FRETURN, OP_DRETURN, OP_ARETURN, OP_RETURN,
	OP_INVOKESPECIAL = 183, OP_INVOKESTATIC, OP_NEW = 187, OP_ATHROW = 191,
	OP_WIDE = 196, OP_IFNULL = 198, OP_IFNONNULL, OP_GOTO_W, OP_JSR_W,
};

/* ---------------------------------------------------------------- reading */

struct in {
	const uint8_t *bytes;
	size_t size, at;
	bool is_bad;
};

static bool has(struct in *in, size_t count)
{
	if (!in->is_bad && count <= in->size - in->at)
		return true;
	in->is_bad = true;
	return false;
}

static uint32_t get(struct in *in, unsigned count)
{
	uint32_t value = 0;

	if (!has(in, count))
		return 0;
	for (unsigned i = 0; i < count; i++)
		value = value << 8 | in->bytes[in->at++];
	return value;
}

static void skip(struct in *in, size_t count)
{
	if (has(in, count))
		in->at += count;
}

/* What is at the place, which is not left. */
static struct in part(struct in *in, size_t count)
{
	struct in inner = { .is_bad = true };

	if (has(in, count))
		inner = (struct in){ in->bytes + in->at, count, 0, false };
	skip(in, count);
	return inner;
}

static uint32_t word_at(const uint8_t *at)
{
	return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 |
	       (uint32_t)at[2] << 8 | at[3];
}

static uint32_t half_at(const uint8_t *at)
{
	return (uint32_t)at[0] << 8 | at[1];
}

/* ---------------------------------------------------------------- writing */

struct out {
	uint8_t *bytes;
	size_t size, room;
	bool is_bad; /* no memory */
};

static void put_bytes(struct out *out, const void *bytes, size_t count)
{
	if (out->is_bad || !count)
		return;
	if (count > out->room - out->size) {
		size_t room = 2 * out->room + count + 256;
		uint8_t *grown = realloc(out->bytes, room);

		if (!grown) {
			out->is_bad = true;
			return;
		}
		out->bytes = grown;
		out->room = room;
	}
	memcpy(out->bytes + out->size, bytes, count);
	out->size += count;
}

static void put(struct out *out, uint32_t value, unsigned count)
{
	uint8_t bytes[4];

	for (unsigned i = 0; i < count; i++)
		bytes[i] = (uint8_t)(value >> 8 * (count - 1 - i));
	put_bytes(out, bytes, count);
}

static void put_at(struct out *out, size_t at, uint32_t value, unsigned count)
{
	for (unsigned i = 0; i < count && !out->is_bad; i++)
		out->bytes[at + i] = (uint8_t)(value >> 8 * (count - 1 - i));
}

/* ---------------------------------------------------------- constant pool */

enum {
	POOL_UTF8 = 1, POOL_INTEGER = 3, POOL_FLOAT, POOL_LONG, POOL_DOUBLE,
	POOL_CLASS, POOL_STRING, POOL_FIELD, POOL_METHOD, POOL_IMETHOD,
	POOL_NAME_TYPE, POOL_HANDLE = 15, POOL_METHOD_TYPE, POOL_DYNAMIC,
	POOL_INVOKE_DYNAMIC, POOL_MODULE, POOL_PACKAGE,
};

/* Bytes after the tag; UTF8 has more. */
static const uint8_t pool_sizes[POOL_PACKAGE + 1] = {
	[POOL_UTF8] = 2,    [POOL_INTEGER] = 4,	     [POOL_FLOAT] = 4,
	[POOL_LONG] = 8,    [POOL_DOUBLE] = 8,	     [POOL_CLASS] = 2,
	[POOL_STRING] = 2,  [POOL_FIELD] = 4,	     [POOL_METHOD] = 4,
	[POOL_IMETHOD] = 4, [POOL_NAME_TYPE] = 4,    [POOL_HANDLE] = 3,
	[POOL_METHOD_TYPE] = 2, [POOL_DYNAMIC] = 4,  [POOL_INVOKE_DYNAMIC] = 4,
	[POOL_MODULE] = 2,  [POOL_PACKAGE] = 2,
};

struct pool {
	const uint8_t *bytes;
	uint32_t *places; /* of entries in bytes; 0: none */
	uint32_t count;
	struct out more; /* entries that are added */
	uint32_t next;	 /* index of the next of them */
};

static bool pool_read(struct in *in, struct pool *pool)
{
	pool->bytes = in->bytes;
	pool->count = pool->next = get(in, 2);
	pool->places = calloc(pool->count + 1, sizeof(*pool->places));
	if (!pool->places)
		return false;
	for (uint32_t i = 1; i < pool->count; i++) {
		pool->places[i] = (uint32_t)in->at;
		uint32_t tag = get(in, 1);

		if (in->is_bad || tag > POOL_PACKAGE || !pool_sizes[tag])
			return false;
		if (tag == POOL_UTF8)
			skip(in, get(in, 2));
		else
			skip(in, pool_sizes[tag]);
		i += tag == POOL_LONG || tag == POOL_DOUBLE;
	}
	return !in->is_bad;
}

/* Is the entry this text? */
static bool pool_is(const struct pool *pool, uint32_t index, const char *text)
{
	size_t length = strlen(text);

	if (!index || index >= pool->count || !pool->places[index])
		return false;
	const uint8_t *at = pool->bytes + pool->places[index];

	return at[0] == POOL_UTF8 && half_at(at + 1) == length &&
	       !memcmp(at + 3, text, length);
}

static uint32_t add_entry(struct pool *pool, size_t start)
{
	uint32_t index = pool->next;

	/* the same was added before? */
	if (pool->more.is_bad)
		return 0;
	size_t length = pool->more.size - start, at = 0;

	for (uint32_t i = pool->count; i < pool->next; i++) {
		const uint8_t *old = pool->more.bytes + at;
		size_t size = 1u + pool_sizes[old[0]] +
			      (old[0] == POOL_UTF8 ? half_at(old + 1) : 0);

		if (size == length &&
		    !memcmp(old, pool->more.bytes + start, size)) {
			pool->more.size = start;
			return i;
		}
		at += size;
	}
	pool->next++;
	return index;
}

static uint32_t add_text(struct pool *pool, const char *text)
{
	size_t start = pool->more.size;

	put(&pool->more, POOL_UTF8, 1);
	put(&pool->more, (uint32_t)strlen(text), 2);
	put_bytes(&pool->more, text, strlen(text));
	return add_entry(pool, start);
}

static uint32_t add_class(struct pool *pool, const char *name)
{
	uint32_t text = add_text(pool, name);
	size_t start = pool->more.size;

	put(&pool->more, POOL_CLASS, 1);
	put(&pool->more, text, 2);
	return add_entry(pool, start);
}

static uint32_t add_integer(struct pool *pool, uint32_t value)
{
	size_t start = pool->more.size;

	put(&pool->more, POOL_INTEGER, 1);
	put(&pool->more, value, 4);
	return add_entry(pool, start);
}

static uint32_t add_pair(struct pool *pool, uint32_t tag, uint32_t first,
			 uint32_t second)
{
	size_t start = pool->more.size;

	put(&pool->more, tag, 1);
	put(&pool->more, first, 2);
	put(&pool->more, second, 2);
	return add_entry(pool, start);
}

static uint32_t add_method(struct pool *pool, const char *class,
			   const char *name, const char *descriptor)
{
	uint32_t owner = add_class(pool, class);
	uint32_t name_index = add_text(pool, name);
	uint32_t type = add_text(pool, descriptor);

	return add_pair(pool, POOL_METHOD, owner,
			add_pair(pool, POOL_NAME_TYPE, name_index, type));
}

/* ------------------------------------------------------------ descriptors */

static const char *one_type(const char *at, char *kind)
{
	static const char string[] = "Ljava/lang/String;";
	const char *start = at;

	switch (*at) {
	case 'Z':
	case 'B':
	case 'S':
	case 'C':
	case 'I':
		*kind = 'I';
		return at + 1;
	case 'J':
	case 'F':
	case 'D':
	case 'V':
		*kind = *at;
		return at + 1;
	}
	while (*at == '[')
		at++;
	*kind = 'L';
	if (*at == 'L') {
		const char *end = strchr(at, ';');

		if (!strncmp(start, string, sizeof(string) - 1))
			*kind = 'S';
		return end ? end + 1 : NULL;
	}
	return at > start && *at && strchr("ZBSCIJFD", *at) ? at + 1 : NULL;
}

int classfile_kinds(const char *descriptor, char *kinds, int most, char *result)
{
	int count = 0;
	char kind;

	if (*descriptor++ != '(')
		return -1;
	for (; *descriptor && *descriptor != ')'; count++) {
		descriptor = one_type(descriptor, &kind);
		if (!descriptor || kind == 'V' || count > 255)
			return -1;
		if (count < most)
			kinds[count] = kind;
	}
	if (*descriptor++ != ')')
		return -1;
	descriptor = one_type(descriptor, result);
	return descriptor && !*descriptor ? count : -1;
}

static bool is_wide(char kind)
{
	return kind == 'J' || kind == 'D';
}

static bool is_object(char kind)
{
	return kind == 'L' || kind == 'S';
}

/* --------------------------------------------------------------- a method */

struct rewrite {
	struct pool *pool;
	const char *helper;
	struct classfile_method *method;
	uint32_t version;
	bool is_static, is_constructor;
	/* of the method as it is */
	const uint8_t *code;
	uint32_t size, max_stack, max_locals;
	uint32_t *map;	  /* where an instruction is now, with what is before */
	uint32_t started; /* in a constructor: from here, `this` is an object */
	/* as it will be */
	struct out out;
	uint32_t stack; /* that our calls need on top of the others */
	uint32_t handler;
	const char *problem;
};

static bool refuse(struct rewrite *w, const char *problem)
{
	if (!w->problem)
		w->problem = problem;
	return false;
}

static const char damaged[] = "its bytecode is not understood";

static void need_stack(struct rewrite *w, uint32_t words)
{
	if (words > w->stack)
		w->stack = words;
}

static void put_number(struct rewrite *w)
{
	uint32_t number = w->method->number;

	if (number < 0x8000) {
		put(&w->out, OP_SIPUSH, 1);
		put(&w->out, number, 2);
	} else {
		put(&w->out, OP_LDC_W, 1);
		put(&w->out, add_integer(w->pool, number), 2);
	}
}

static void put_call(struct rewrite *w, const char *class, const char *name,
		     const char *descriptor)
{
	put(&w->out, OP_INVOKESTATIC, 1);
	put(&w->out, add_method(w->pool, class, name, descriptor), 2);
}

static void put_load(struct rewrite *w, uint32_t opcode, uint32_t local)
{
	if (local > 255)
		put(&w->out, OP_WIDE, 1);
	put(&w->out, opcode, 1);
	put(&w->out, local, local > 255 ? 2 : 1);
}

static void put_argument(struct rewrite *w, char kind, uint32_t local)
{
	switch (kind) {
	case 'I':
		put_load(w, OP_ILOAD, local);
		put(&w->out, OP_I2L, 1);
		break;
	case 'J':
		put_load(w, OP_LLOAD, local);
		break;
	case 'F':
		put_load(w, OP_FLOAD, local);
		put_call(w, "java/lang/Float", "floatToRawIntBits", "(F)I");
		put(&w->out, OP_I2L, 1);
		break;
	case 'D':
		put_load(w, OP_DLOAD, local);
		put_call(w, "java/lang/Double", "doubleToRawLongBits", "(D)J");
		break;
	default:
		put_load(w, OP_ALOAD, local);
	}
}

static const char object[] = "Ljava/lang/Object;";

/* Numbers come first, so that there are few forms of the call. */
static bool put_entry(struct rewrite *w)
{
	char kinds[CLASSFILE_ARGUMENTS], result;
	char descriptor[CLASSFILE_ARGUMENTS * sizeof(object) + 8] = "(I";
	int count = classfile_kinds(w->method->descriptor, kinds,
				    CLASSFILE_ARGUMENTS, &result);
	uint32_t words = 1;

	if (count < 0)
		return refuse(w, damaged);
	put_number(w);
	for (int objects = 0; objects < 2; objects++) {
		uint32_t local = !w->is_static;

		for (int i = 0; i < count && i < CLASSFILE_ARGUMENTS; i++) {
			if (w->method->entry_wants >> i & 1 &&
			    is_object(kinds[i]) == objects) {
				put_argument(w, kinds[i], local);
				strcat(descriptor, objects ? object : "J");
				words += objects ? 1 : 2;
			}
			local += is_wide(kinds[i]) ? 2 : 1;
		}
		if (local > w->max_locals)
			return refuse(w, damaged);
	}
	strcat(descriptor, ")V");
	put_call(w, w->helper, "e", descriptor);
	need_stack(w, words);
	return true;
}

static void put_leave(struct rewrite *w, uint32_t opcode)
{
	static const struct {
		uint8_t duplicate, widen, stack;
		const char *name, *descriptor;
	} forms[] = {
		[OP_IRETURN - OP_IRETURN] = { OP_DUP, OP_I2L, 3, "rj",
					      "(JI)V" },
		[OP_LRETURN - OP_IRETURN] = { OP_DUP2, 0, 3, "rj", "(JI)V" },
		[OP_FRETURN - OP_IRETURN] = { OP_DUP, 0, 2, "rf", "(FI)V" },
		[OP_DRETURN - OP_IRETURN] = { OP_DUP2, 0, 3, "rd", "(DI)V" },
		[OP_ARETURN - OP_IRETURN] = { OP_DUP, 0, 2, "ro",
					      "(Ljava/lang/Object;I)V" },
		[OP_RETURN - OP_IRETURN] = { 0, 0, 1, "rv", "(I)V" },
	};
	unsigned form = w->method->leave_wants >> CLASSFILE_RESULT & 1
				? opcode - OP_IRETURN
				: OP_RETURN - OP_IRETURN;

	if (forms[form].duplicate)
		put(&w->out, forms[form].duplicate, 1);
	if (forms[form].widen)
		put(&w->out, forms[form].widen, 1);
	put_number(w);
	put_call(w, w->helper, forms[form].name, forms[form].descriptor);
	need_stack(w, forms[form].stack);
}

static void put_handler(struct rewrite *w)
{
	w->handler = (uint32_t)w->out.size;
	put(&w->out, OP_DUP, 1);
	put_number(w);
	put_call(w, w->helper, "rx", "(Ljava/lang/Object;I)V");
	put(&w->out, OP_ATHROW, 1);
	need_stack(w, 3);
}

/* ----------------------------------------------------------- instructions */

/* Lengths of runs of instructions; 0: not one of a class file. */
static const struct {
	uint8_t last, length;
} lengths[] = {
	{ 15, 1 },  { 16, 2 },	{ 17, 3 },  { 18, 2 },	{ 20, 3 },  { 25, 2 },
	{ 53, 1 },  { 58, 2 },	{ 131, 1 }, { 132, 3 }, { 152, 1 }, { 168, 3 },
	{ 169, 2 }, { 177, 1 }, { 184, 3 }, { 186, 5 }, { 187, 3 }, { 188, 2 },
	{ 189, 3 }, { 191, 1 }, { 193, 3 }, { 195, 1 }, { 196, 0 }, { 197, 4 },
	{ 199, 3 }, { 201, 5 }, { 255, 0 },
};

/* Where the words of a switch begin, after what aligns them. */
static uint32_t switch_words(uint32_t pc)
{
	return (pc & ~3u) + 4;
}

/* 0: it is none, or is not whole. */
static uint32_t length_at(const struct rewrite *w, uint32_t pc)
{
	const uint8_t *code = w->code;
	uint32_t opcode = code[pc], left = w->size - pc, length = 0;

	if (opcode == OP_TABLESWITCH || opcode == OP_LOOKUPSWITCH) {
		bool is_table = opcode == OP_TABLESWITCH;
		uint32_t at = switch_words(pc), head = is_table ? 12 : 8;

		if (at > w->size || w->size - at < head)
			return 0;
		int64_t low = (int32_t)word_at(code + at + 4);
		int64_t count = is_table ? (int32_t)word_at(code + at + 8) -
						   low + 1
					 : low;

		if (count < 0 || count > MOST_CODE)
			return 0;
		length = at - pc + head + (uint32_t)count * (is_table ? 4 : 8);
	} else if (opcode == OP_WIDE) {
		length = left < 2 ? 0 : code[pc + 1] == 132 ? 6 : 4;
	} else {
		unsigned i = 0;

		while (lengths[i].last < opcode)
			i++;
		length = lengths[i].length;
	}
	return length <= left ? length : 0;
}

/* The place an instruction is in now; false: there is none. */
static bool moved(struct rewrite *w, int64_t old, uint32_t *now)
{
	if (old < 0 || old > w->size || w->map[old] == NOWHERE)
		return refuse(w, damaged);
	*now = w->map[old];
	return true;
}

/*
 * The call of the other constructor is the first one that is not for an object that
 * was made here.  Only java.lang.Object has none: it is an object from the beginning.
 */
static uint32_t after_super(const struct rewrite *w)
{
	int made = 0, calls = 0;

	for (uint32_t pc = 0, length; pc < w->size; pc += length) {
		length = length_at(w, pc);
		if (!length)
			break;
		if (w->code[pc] == OP_NEW)
			made++;
		if (w->code[pc] != OP_INVOKESPECIAL)
			continue;
		/* of what method: POOL_METHOD, class, name and type */
		uint32_t index = half_at(w->code + pc + 1);
		const struct pool *pool = w->pool;

		if (!index || index >= pool->count || !pool->places[index])
			break;
		const uint8_t *entry = pool->bytes + pool->places[index];

		if (entry[0] != POOL_METHOD && entry[0] != POOL_IMETHOD)
			break;
		index = half_at(entry + 3);
		if (!index || index >= pool->count || !pool->places[index])
			break;
		entry = pool->bytes + pool->places[index];
		if (entry[0] != POOL_NAME_TYPE ||
		    !pool_is(pool, half_at(entry + 1), "<init>"))
			continue;
		calls++;
		if (!made--)
			return pc + length;
	}
	return made || calls ? NOWHERE : 0;
}

/* Where everything will be, and our calls: jumps are not right yet. */
static bool lay_out(struct rewrite *w)
{
	for (uint32_t i = 0; i <= w->size; i++)
		w->map[i] = NOWHERE;
	if (w->method->entry && !put_entry(w))
		return false;
	for (uint32_t pc = 0, length; pc < w->size; pc += length) {
		uint32_t opcode = w->code[pc];

		length = length_at(w, pc);
		if (!length)
			return refuse(w, damaged);
		w->map[pc] = (uint32_t)w->out.size;
		if (w->method->leave && opcode >= OP_IRETURN &&
		    opcode <= OP_RETURN)
			put_leave(w, opcode);
		if (opcode != OP_TABLESWITCH && opcode != OP_LOOKUPSWITCH) {
			put_bytes(&w->out, w->code + pc, length);
			continue;
		}
		uint32_t from = switch_words(pc) - pc;
		uint32_t now = (uint32_t)w->out.size;

		put(&w->out, opcode, 1);
		while (w->out.size < switch_words(now))
			put(&w->out, 0, 1);
		put_bytes(&w->out, w->code + pc + from, length - from);
	}
	w->map[w->size] = (uint32_t)w->out.size;
	if (w->method->leave)
		put_handler(w);
	if (w->out.is_bad)
		return refuse(w, "there is no memory");
	return w->out.size > MOST_CODE ? refuse(w, "it is too long") : true;
}

/* A distance that was from an instruction at `pc`, which is now at `from`. */
static bool fix(struct rewrite *w, uint32_t pc, uint32_t from, uint32_t at,
		unsigned width)
{
	const uint8_t *field = w->out.bytes + at;
	int64_t old = width == 2 ? (int16_t)half_at(field)
				 : (int32_t)word_at(field);
	uint32_t target;

	if (!moved(w, pc + old, &target))
		return false;
	int64_t distance = (int64_t)target - from;

	if (width == 2 && distance != (int16_t)distance)
		return refuse(w, "its jumps would be too long");
	put_at(&w->out, at, (uint32_t)distance, width);
	return true;
}

static bool fix_switch(struct rewrite *w, uint32_t pc, uint32_t from)
{
	bool is_table = w->code[pc] == OP_TABLESWITCH;
	uint32_t at = switch_words(from);
	const uint8_t *words = w->code + switch_words(pc);
	uint32_t low = word_at(words + 4);
	uint32_t count = is_table ? word_at(words + 8) - low + 1 : low;

	if (!fix(w, pc, from, at, 4))
		return false;
	for (uint32_t i = 0; i < count; i++)
		if (!fix(w, pc, from,
			 is_table ? at + 12 + 4 * i : at + 12 + 8 * i, 4))
			return false;
	return true;
}

static bool fix_jumps(struct rewrite *w)
{
	for (uint32_t pc = 0, length; pc < w->size; pc += length) {
		uint32_t opcode = w->code[pc], from = w->map[pc];

		length = length_at(w, pc);
		if (opcode == OP_TABLESWITCH || opcode == OP_LOOKUPSWITCH) {
			if (!fix_switch(w, pc, from))
				return false;
		} else if ((opcode >= OP_IFEQ && opcode <= OP_JSR) ||
			   opcode == OP_IFNULL || opcode == OP_IFNONNULL) {
			if (!fix(w, pc, from, from + 1, 2))
				return false;
		} else if (opcode == OP_GOTO_W || opcode == OP_JSR_W) {
			if (!fix(w, pc, from, from + 1, 4))
				return false;
		}
	}
	return true;
}

/* ------------------------------------------------------------- attributes */

static bool copy_handlers(struct rewrite *w, struct in *in, struct out *out)
{
	uint32_t count = get(in, 2), start;
	size_t place = out->size;

	put(out, count, 2);
	for (uint32_t i = 0; i < count && !in->is_bad; i++) {
		for (unsigned n = 0; n < 3; n++) {
			uint32_t now;

			if (!moved(w, get(in, 2), &now))
				return false;
			put(out, now, 2);
		}
		put(out, get(in, 2), 2);
	}
	if (in->is_bad)
		return refuse(w, damaged);
	if (!w->method->leave)
		return true;
	w->started = w->is_constructor ? after_super(w) : 0;
	if (w->started == NOWHERE)
		return refuse(w,
			      "its call of another constructor is not found");
	if (!moved(w, w->started, &start))
		return false;
	if (start >= w->map[w->size])
		return true;
	if (count == 65535)
		return refuse(w, "it has too many handlers");
	put_at(out, place, count + 1, 2);
	put(out, start, 2);
	put(out, w->map[w->size], 2);
	put(out, w->handler, 2);
	put(out, 0, 2);
	return true;
}

static bool copy_lines(struct rewrite *w, struct in *in, struct out *out)
{
	uint32_t count = get(in, 2), now;

	put(out, count, 2);
	for (uint32_t i = 0; i < count; i++) {
		if (!moved(w, get(in, 2), &now) || in->is_bad)
			return refuse(w, damaged);
		put(out, now, 2);
		put(out, get(in, 2), 2);
	}
	return !in->is_bad;
}

static bool copy_variables(struct rewrite *w, struct in *in, struct out *out)
{
	uint32_t count = get(in, 2);

	put(out, count, 2);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t start = get(in, 2), length = get(in, 2), from, to;

		if (in->is_bad || !moved(w, start, &from) ||
		    !moved(w, (int64_t)start + length, &to))
			return refuse(w, damaged);
		put(out, start ? from : 0, 2);
		put(out, start ? to - from : to, 2);
		for (unsigned n = 0; n < 3; n++)
			put(out, get(in, 2), 2);
	}
	return !in->is_bad;
}

enum { TYPE_OBJECT = 7, TYPE_UNINITIALIZED };

static bool copy_types(struct rewrite *w, struct in *in, struct out *out,
		       uint32_t count)
{
	for (; count; count--) {
		uint32_t type = get(in, 1), now;

		if (in->is_bad || type > TYPE_UNINITIALIZED)
			return refuse(w, damaged);
		put(out, type, 1);
		if (type == TYPE_OBJECT) {
			put(out, get(in, 2), 2);
		} else if (type == TYPE_UNINITIALIZED) {
			if (!moved(w, get(in, 2), &now))
				return false;
			put(out, now, 2);
		}
	}
	return true;
}

enum frame {
	FRAME_SAME_END = 63, FRAME_ONE_END = 127, FRAME_ONE_FAR = 247,
	FRAME_CHOP, FRAME_SAME_FAR = 251, FRAME_APPEND_END = 254, FRAME_FULL,
};

static bool copy_frame(struct rewrite *w, struct in *in, struct out *out,
		       int64_t *old, int64_t *last)
{
	uint32_t kind = get(in, 1), now;
	bool is_same = kind <= FRAME_SAME_END || kind == FRAME_SAME_FAR;
	bool is_one = !is_same &&
		      (kind <= FRAME_ONE_END || kind == FRAME_ONE_FAR);

	if (in->is_bad || (kind > FRAME_ONE_END && kind < FRAME_ONE_FAR))
		return refuse(w, damaged);
	*old += 1 + (int64_t)(kind > FRAME_ONE_END ? get(in, 2) : kind % 64);
	if (!moved(w, *old, &now))
		return false;
	uint32_t distance = (uint32_t)(now - *last - 1);
	bool is_near = distance < 64;

	*last = now;
	if (is_same)
		put(out, is_near ? distance : FRAME_SAME_FAR, 1);
	else if (is_one)
		put(out, is_near ? 64 + distance : FRAME_ONE_FAR, 1);
	else
		put(out, kind, 1);
	if (!is_near || !(is_same || is_one))
		put(out, distance, 2);
	if (is_one)
		return copy_types(w, in, out, 1);
	if (kind > FRAME_SAME_FAR && kind <= FRAME_APPEND_END)
		return copy_types(w, in, out, kind - FRAME_SAME_FAR);
	for (unsigned i = 0; kind == FRAME_FULL && i < 2; i++) {
		uint32_t count = get(in, 2);

		put(out, count, 2);
		if (!copy_types(w, in, out, count))
			return false;
	}
	return true;
}

/* `in` may be without frames: then there were none. */
static bool copy_frames(struct rewrite *w, struct in *in, struct out *out,
			bool has_handler)
{
	uint32_t count = in ? get(in, 2) : 0;
	int64_t old = -1, last = -1;

	put(out, count + has_handler, 2);
	for (uint32_t i = 0; i < count; i++)
		if (!copy_frame(w, in, out, &old, &last))
			return false;
	if (!has_handler)
		return true;
	put(out, FRAME_FULL, 1);
	put(out, (uint32_t)(w->handler - last - 1), 2);
	put(out, 0, 2);
	put(out, 1, 2);
	put(out, TYPE_OBJECT, 1);
	put(out, add_class(w->pool, "java/lang/Throwable"), 2);
	return count < 65535;
}

static const struct {
	const char *name;
	bool (*copy)(struct rewrite *w, struct in *in, struct out *out);
} tables[] = {
	{ "LineNumberTable", copy_lines },
	{ "LocalVariableTable", copy_variables },
	{ "LocalVariableTypeTable", copy_variables },
};

/* Annotations of types in the code are left out: they name places, too. */
static bool copy_tables(struct rewrite *w, struct in *in, struct out *out,
			bool has_handler)
{
	uint32_t count = get(in, 2), kept = 0;
	size_t place = out->size;
	bool needs_frame = has_handler && w->version >= FRAMES_SINCE;

	put(out, 0, 2);
	for (uint32_t i = 0; i < count && !in->is_bad; i++) {
		uint32_t name = get(in, 2);
		struct in inner = part(in, get(in, 4));
		bool is_frames = pool_is(w->pool, name, "StackMapTable"),
		     is_good = true;
		unsigned n = 0, most = sizeof(tables) / sizeof(*tables);

		while (n < most && !pool_is(w->pool, name, tables[n].name))
			n++;
		if (n == most && !is_frames)
			continue;
		put(out, name, 2);
		put(out, 0, 4);
		size_t start = out->size;

		if (is_frames)
			is_good = copy_frames(w, &inner, out, needs_frame);
		else
			is_good = tables[n].copy(w, &inner, out);
		needs_frame &= !is_frames;
		if (!is_good || inner.is_bad)
			return refuse(w, damaged);
		put_at(out, start - 4, (uint32_t)(out->size - start), 4);
		kept++;
	}
	if (needs_frame) {
		put(out, add_text(w->pool, "StackMapTable"), 2);
		put(out, 0, 4);
		size_t start = out->size;

		copy_frames(w, NULL, out, true);
		put_at(out, start - 4, (uint32_t)(out->size - start), 4);
		kept++;
	}
	put_at(out, place, kept, 2);
	return in->is_bad ? refuse(w, damaged) : true;
}

/* The contents of the attribute Code. */
static bool rewrite_code(struct rewrite *w, struct in *in, struct out *out)
{
	w->max_stack = get(in, 2);
	w->max_locals = get(in, 2);
	w->size = get(in, 4);
	if (!has(in, w->size) || !w->size || w->size > MOST_CODE)
		return refuse(w, damaged);
	w->code = in->bytes + in->at;
	skip(in, w->size);
	w->map = malloc((w->size + 1) * sizeof(*w->map));
	if (!w->map)
		return refuse(w, "there is no memory");
	if (!lay_out(w) || !fix_jumps(w))
		return false;
	if (w->max_stack + w->stack > 65535)
		return refuse(w, "its stack would be too large");
	put(out, w->max_stack + w->stack, 2);
	put(out, w->max_locals, 2);
	put(out, (uint32_t)w->out.size, 4);
	put_bytes(out, w->out.bytes, w->out.size);
	if (!copy_handlers(w, in, out) ||
	    !copy_tables(w, in, out, w->method->leave))
		return false;
	if (out->is_bad || w->pool->more.is_bad)
		return refuse(w, "there is no memory");
	return w->pool->next <= MOST_POOL
		       ? true
		       : refuse(w, "its class has too many constants");
}

/* ---------------------------------------------------------------- a class */

enum { ACC_STATIC = 8 };

struct class
{
	struct pool pool;
	struct in in;
	struct out out; /* what is after the constant pool */
	uint32_t version;
	const char *helper;
	struct classfile_method *methods;
	size_t nmethods;
	bool is_changed;
};

static struct classfile_method *wanted(struct class *class, uint32_t name,
				       uint32_t descriptor)
{
	for (size_t i = 0; i < class->nmethods; i++)
		if (pool_is(&class->pool, name, class->methods[i].name) &&
		    pool_is(&class->pool, descriptor,
			    class->methods[i].descriptor))
			return &class->methods[i];
	return NULL;
}

/* The attribute as it is, or as the method wants it. */
static void copy_code(struct class *class, struct classfile_method *method,
		      uint32_t access, struct in *in)
{
	struct out *out = &class->out;
	size_t start = out->size, extra = class->pool.more.size;
	uint32_t next = class->pool.next;
	struct in copy = *in;
	struct rewrite w = {
		.pool = &class->pool,
		.helper = class->helper,
		.method = method,
		.version = class->version,
		.is_static = access & ACC_STATIC,
		.is_constructor = !strcmp(method->name, "<init>"),
	};

	put(out, 0, 4);
	if (rewrite_code(&w, in, out)) {
		put_at(out, start, (uint32_t)(out->size - start - 4), 4);
		method->is_done = class->is_changed = true;
	} else {
		method->problem = w.problem ? w.problem : damaged;
		out->size = start;
		class->pool.more.size = extra;
		class->pool.next = next;
		put(out, (uint32_t)copy.size, 4);
		put_bytes(out, copy.bytes, copy.size);
	}
	free(w.map);
	free(w.out.bytes);
}

/* A field or a method. */
static void copy_member(struct class *class, bool is_method)
{
	struct in *in = &class->in;
	struct out *out = &class->out;
	uint32_t access = get(in, 2), name = get(in, 2),
		 descriptor = get(in, 2);
	uint32_t count = get(in, 2);
	struct classfile_method *method = is_method ? wanted(class, name,
							     descriptor)
						    : NULL;

	put(out, access, 2);
	put(out, name, 2);
	put(out, descriptor, 2);
	put(out, count, 2);
	for (uint32_t i = 0; i < count && !in->is_bad; i++) {
		uint32_t attribute = get(in, 2);
		uint32_t size = get(in, 4);
		struct in inner = part(in, size);

		if (in->is_bad)
			return;
		put(out, attribute, 2);
		if (method && !method->is_done && !method->problem &&
		    pool_is(&class->pool, attribute, "Code")) {
			copy_code(class, method, access, &inner);
			continue;
		}
		put(out, size, 4);
		put_bytes(out, inner.bytes, inner.size);
	}
}

static void copy_members(struct class *class, bool are_methods)
{
	uint32_t count = get(&class->in, 2);

	put(&class->out, count, 2);
	for (uint32_t i = 0; i < count && !class->in.is_bad; i++)
		copy_member(class, are_methods);
}

static bool read_class(struct class *class)
{
	struct in *in = &class->in;

	if (get(in, 4) != 0xcafebabe)
		return false;
	class->version = get(in, 4) & 0xffff;
	if (!pool_read(in, &class->pool))
		return false;
	size_t start = in->at;

	skip(in, 6);
	skip(in, 2 * (size_t)get(in, 2));
	if (in->is_bad)
		return false;
	put_bytes(&class->out, in->bytes + start, in->at - start);
	copy_members(class, false);
	copy_members(class, true);
	if (in->is_bad)
		return false;
	put_bytes(&class->out, in->bytes + in->at, in->size - in->at);
	return true;
}

uint8_t *classfile_rewrite(const uint8_t *bytes, size_t size,
			   const char *helper, struct classfile_method *methods,
			   size_t nmethods, size_t *new_size,
			   const char **problem)
{
	struct class class = {
		.in = { bytes, size, 0, false },
		.helper = helper,
		.methods = methods,
		.nmethods = nmethods,
	};
	struct out all = { 0 };

	*problem = NULL;
	if (!read_class(&class)) {
		*problem = "its class file is not understood";
	} else if (class.is_changed) {
		const struct pool *pool = &class.pool;
		size_t end = 10;

		/* the pool ends where the rest begins */
		struct in in = { bytes, size, 8, false };
		struct pool again = { 0 };

		pool_read(&in, &again);
		free(again.places);
		end = in.at;
		put_bytes(&all, bytes, 8);
		put(&all, pool->next, 2);
		put_bytes(&all, bytes + 10, end - 10);
		put_bytes(&all, pool->more.bytes, pool->more.size);
		put_bytes(&all, class.out.bytes, class.out.size);
		if (all.is_bad || class.out.is_bad || pool->more.is_bad) {
			*problem = "there is no memory";
			free(all.bytes);
			all.bytes = NULL;
		}
	}
	free(class.pool.places);
	free(class.pool.more.bytes);
	free(class.out.bytes);
	*new_size = all.size;
	return all.bytes;
}

/* -------------------------------------------------------------- the helper */

enum {
	HELPER_CLASS = 0x1031, /* public final super synthetic */
	HELPER_METHOD = 0x0109, /* public static native */
	HELPER_VERSION = 49,
};

static void put_native(struct pool *pool, struct out *methods, const char *name,
		       const char *descriptor)
{
	put(methods, HELPER_METHOD, 2);
	put(methods, add_text(pool, name), 2);
	put(methods, add_text(pool, descriptor), 2);
	put(methods, 0, 2);
}

uint8_t *classfile_helper(const char *name, size_t *size)
{
	static const char *const leaves[][2] = {
		{ "rv", "(I)V" },  { "rj", "(JI)V" },
		{ "rf", "(FI)V" }, { "rd", "(DI)V" },
		{ "ro", "(Ljava/lang/Object;I)V" },
		{ "rx", "(Ljava/lang/Object;I)V" },
	};
	struct pool pool = { .count = 1, .next = 1 };
	struct out methods = { 0 }, all = { 0 };
	uint32_t self = add_class(&pool, name);
	uint32_t super = add_class(&pool, "java/lang/Object"), count = 0;

	for (unsigned i = 0; i < sizeof(leaves) / sizeof(*leaves); i++, count++)
		put_native(&pool, &methods, leaves[i][0], leaves[i][1]);
	for (int numbers = 0; numbers <= CLASSFILE_ARGUMENTS; numbers++)
		for (int objects = 0; numbers + objects <= CLASSFILE_ARGUMENTS;
		     objects++, count++) {
			char text[CLASSFILE_ARGUMENTS * sizeof(object) + 8] =
				"(I";

			for (int i = 0; i < numbers; i++)
				strcat(text, "J");
			for (int i = 0; i < objects; i++)
				strcat(text, object);
			strcat(text, ")V");
			put_native(&pool, &methods, "e", text);
		}
	put(&all, 0xcafebabe, 4);
	put(&all, HELPER_VERSION, 4);
	put(&all, pool.next, 2);
	put_bytes(&all, pool.more.bytes, pool.more.size);
	put(&all, HELPER_CLASS, 2);
	put(&all, self, 2);
	put(&all, super, 2);
	put(&all, 0, 4);
	put(&all, count, 2);
	put_bytes(&all, methods.bytes, methods.size);
	put(&all, 0, 2);
	bool is_bad = all.is_bad || pool.more.is_bad || methods.is_bad;

	free(pool.more.bytes);
	free(methods.bytes);
	if (is_bad) {
		free(all.bytes);
		return NULL;
	}
	*size = all.size;
	return all.bytes;
}
