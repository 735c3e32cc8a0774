/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Objects: bytes of any C type as text, for print().
 *
 * There are two forms.  What a pointer points to is printed like a C
 * initialiser, one member per line, indented to the column where data begins.
 * Members that are zero are omitted, and so is what lies after the bytes that
 * were fetched ("..."):
 *
 *	0xffff888003a10000 = *
 *	                     (struct pair) {
 *	                      .a = (int)1,
 *	                      .b = (char [4])"abc",
 *	                     }
 *
 * A value itself is printed with its type in front, numbers in hexadecimal,
 * everything shown:  struct pair { ... int a = 0x1 ...
 *
 * Both are one walk over the type (object_walk) with two tables of strings.
 */
#include <string.h>

#include "sink/render.h"

enum { COLUMN = 44, DEPTH = 16, STEP_TYPED = 4, MOST_PARTS = 1 << 20 };

struct walk {
	const uint8_t *bytes;
	uint64_t size; /* available bytes */
	struct text *out;
	bool is_typed; /* the second form */
	uint32_t left; /* parts that may still be shown */
};

static void show(struct walk *walk, const struct schema_object *type,
		 uint64_t bit, uint32_t width, unsigned depth, bool is_member);

/* ---------------------------------------------------------------- bytes */

static bool is_there(const struct walk *walk, uint64_t at, uint64_t size)
{
	return size <= walk->size && at <= walk->size - size;
}

/* `width` bits at `bit`, extended according to the type; little-endian. */
static int64_t number_at(const struct walk *walk,
			 const struct schema_object *type, uint64_t bit,
			 uint32_t width)
{
	uint64_t word = 0;
	uint64_t first = bit / 8, last = (bit + width + 7) / 8;
	unsigned shift = (unsigned)(bit % 8);

	if (last > walk->size)
		last = walk->size;
	for (uint64_t i = last; i-- > first && i < last;) {
		if (i - first < 8)
			word |= (uint64_t)walk->bytes[i] << 8 * (i - first);
	}
	word >>= shift;
	if (shift && last - first > 8)
		word |= (uint64_t)walk->bytes[first + 8] << (64 - shift);
	if (width >= 64)
		return (int64_t)word;
	word &= (1ull << width) - 1;
	if (type->is_signed && word >> (width - 1) & 1)
		word |= ~0ull << width;
	return (int64_t)word;
}

static bool is_zero(const struct walk *walk, uint64_t bit, uint64_t bits)
{
	for (uint64_t i = bit; i < bit + bits;) {
		uint8_t byte = i / 8 < walk->size ? walk->bytes[i / 8] : 0;

		if (i % 8 == 0 && bit + bits - i >= 8) {
			if (byte)
				return false;
			i += 8;
			continue;
		}
		if (byte >> (i % 8) & 1)
			return false;
		i++;
	}
	return true;
}

static uint64_t bits_of(const struct object_member *member)
{
	return member->bit_width ? member->bit_width : 8 * member->type->size;
}

/* -------------------------------------------------------------- scalars */

static bool is_printable(int64_t c)
{
	return c >= ' ' && c <= '~';
}

static void show_char(const struct walk *walk, int64_t c)
{
	if (is_printable(c))
		text_printf(walk->out, "'%c'", (int)c);
	else if (!c)
		text_puts(walk->out, "'\\0'");
	else
		text_printf(walk->out, "'\\%03o'", (unsigned)(uint8_t)c);
}

static const char *enumerator_name(const struct schema_object *type,
				   int64_t value)
{
	for (uint32_t i = 0; i < type->nenumerators; i++)
		if (type->enumerators[i].value == value)
			return type->enumerators[i].name;
	return NULL;
}

static void show_integer(struct walk *walk, const struct schema_object *type,
			 int64_t value, uint32_t width)
{
	bool sign = type->is_signed;
	uint64_t bits = width >= 64 ? (uint64_t)value
				    : (uint64_t)value & ((1ull << width) - 1);

	if (type->is_char && width == 8 &&
	    (walk->is_typed || is_printable(value)))
		show_char(walk, value);
	else if (walk->is_typed)
		text_printf(walk->out, "%#llx", (unsigned long long)bits);
	else if (sign)
		text_printf(walk->out, "%lld", (long long)value);
	else
		text_printf(walk->out, "%llu", (unsigned long long)bits);
}

static void show_enum(struct walk *walk, const struct schema_object *type,
		      int64_t value)
{
	const char *name;

	name = enumerator_name(type, value);
	if (name)
		text_puts(walk->out, name);
	else
		text_printf(walk->out, "%lld", (long long)value);
}

static void show_float(const struct walk *walk, uint64_t at, uint64_t size)
{
	double value = 0;

	if (size == sizeof(float)) {
		float single;

		memcpy(&single, walk->bytes + at, sizeof(single));
		value = single;
	} else if (size == sizeof(double)) {
		memcpy(&value, walk->bytes + at, sizeof(value));
	} else {
		long double extended;

		memcpy(&extended, walk->bytes + at, sizeof(extended));
		value = (double)extended;
	}
	text_printf(walk->out, "%+.7e", value);
}

/* The first form shows the type of every scalar. */
static void show_type(struct walk *walk, const struct schema_object *type)
{
	text_putc(walk->out, '(');
	text_puts(walk->out, type->name);
	text_putc(walk->out, ')');
}

static void show_scalar(struct walk *walk, const struct schema_object *type,
			uint64_t bit, uint32_t width)
{
	int64_t value = number_at(walk, type, bit, width);

	if (!walk->is_typed)
		show_type(walk, type);
	switch (type->kind) {
	case OBJECT_ENUM:
		show_enum(walk, type, value);
		return;
	case OBJECT_FLOAT:
		show_float(walk, bit / 8, type->size);
		return;
	case OBJECT_POINTER:
		text_printf(walk->out, "0x%llx", (unsigned long long)value);
		return;
	default:
		show_integer(walk, type, value, width);
	}
}

/* ----------------------------------------------------------- aggregates */

static void new_line(struct walk *walk, unsigned depth)
{
	unsigned blanks = walk->is_typed ? depth * STEP_TYPED : COLUMN + depth;

	text_putc(walk->out, '\n');
	for (unsigned i = 0; i < blanks; i++)
		text_putc(walk->out, ' ');
}

static void show_more(struct walk *walk, unsigned depth)
{
	new_line(walk, depth);
	text_puts(walk->out, "...");
}

/* "int a = " or ".a = " or, for anonymous ones of the first form, nothing */
static void show_member_name(struct walk *walk,
			     const struct object_member *member)
{
	if (!walk->is_typed) {
		if (member->name)
			text_printf(walk->out, ".%s = ", member->name);
		return;
	}
	size_t before = walk->out->n;

	text_puts(walk->out, member->type->name);
	if (member->name) {
		const char *text = text_str(walk->out);

		if (walk->out->n > before && text[walk->out->n - 1] != '*')
			text_putc(walk->out, ' ');
		text_puts(walk->out, member->name);
	}
	if (member->bit_width)
		text_printf(walk->out, " :%u", member->bit_width);
	text_puts(walk->out, " = ");
}

static void show_members(struct walk *walk, const struct schema_object *sou,
			 uint64_t bit, unsigned depth)
{
	for (uint32_t i = 0; i < sou->nmembers; i++) {
		const struct object_member *member = &sou->members[i];
		uint64_t at = bit + member->bit_offset;
		uint64_t bits = bits_of(member);

		bool is_whole = is_there(walk, at / 8, (at % 8 + bits + 7) / 8);
		bool is_shown = walk->is_typed || !is_zero(walk, at, bits);

		if (!is_whole && (!is_shown || !is_there(walk, at / 8, 1))) {
			show_more(walk, depth);
			return;
		}
		if (!is_shown)
			continue;
		new_line(walk, depth);
		show_member_name(walk, member);
		show(walk, member->type, at, member->bit_width, depth, true);
		if (!walk->is_typed)
			text_putc(walk->out, ',');
	}
}

static void show_sou(struct walk *walk, const struct schema_object *type,
		     uint64_t bit, unsigned depth)
{
	if (!walk->is_typed) {
		show_type(walk, type);
		text_putc(walk->out, ' ');
	}
	text_putc(walk->out, '{');
	if (depth >= DEPTH)
		show_more(walk, depth + 1);
	else
		show_members(walk, type, bit, depth + 1);
	new_line(walk, depth);
	text_putc(walk->out, '}');
}

/* Printable up to a NUL, and only NULs after it; at least one character. */
static bool is_text(const struct walk *walk,
		    const struct schema_object *element, uint64_t at,
		    uint64_t count)
{
	uint64_t i = 0;

	if (!element->is_char || !is_there(walk, at, count))
		return false;
	while (i < count && is_printable(walk->bytes[at + i]))
		i++;
	if (!i)
		return false;
	while (i < count && !walk->bytes[at + i])
		i++;
	return i == count;
}

static void show_text(struct walk *walk, uint64_t at, uint64_t size)
{
	const char *text = (const char *)walk->bytes + at;

	text_putc(walk->out, '"');
	text_add(walk->out, text, strnlen(text, size));
	text_putc(walk->out, '"');
}

/* Elements on one line, or structs on lines of their own. */
static void show_elements_typed(struct walk *walk,
				const struct schema_object *element,
				uint64_t bit, uint64_t count, unsigned depth)
{
	uint64_t size = 8 * element->size;
	bool has_lines = element->kind == OBJECT_STRUCT;

	for (uint64_t i = 0; i < count; i++) {
		if (i)
			text_puts(walk->out, ", ");
		if (!is_there(walk, (bit + i * size) / 8, size / 8)) {
			text_puts(walk->out, "...");
			break;
		}
		if (has_lines) {
			new_line(walk, depth + 1);
			text_puts(walk->out, element->name);
			text_putc(walk->out, ' ');
		}
		show(walk, element, bit + i * size, 0, depth + 1, false);
	}
	if (has_lines)
		new_line(walk, depth);
	else
		text_putc(walk->out, ' ');
}

static void show_elements(struct walk *walk,
			  const struct schema_object *element, uint64_t bit,
			  uint64_t count, unsigned depth)
{
	uint64_t size = 8 * element->size;
	uint64_t shown = count;

	/* zeros at the end are implied */
	while (shown > 1 && is_there(walk, bit / 8, shown * size / 8) &&
	       is_zero(walk, bit + (shown - 1) * size, size))
		shown--;
	for (uint64_t i = 0; i < shown; i++) {
		if (!is_there(walk, (bit + i * size) / 8, size / 8)) {
			show_more(walk, depth + 1);
			break;
		}
		new_line(walk, depth + 1);
		show(walk, element, bit + i * size, 0, depth + 1, false);
		text_putc(walk->out, ',');
	}
	new_line(walk, depth);
}

static void show_array(struct walk *walk, const struct schema_object *type,
		       uint64_t bit, unsigned depth, bool is_member)
{
	const struct schema_object *element = type->element;
	bool is_string = is_text(walk, element, bit / 8, type->count);

	if (is_string && walk->is_typed) {
		if (is_member)
			text_puts(walk->out, "[ ");
		show_text(walk, bit / 8, type->count);
		if (is_member)
			text_puts(walk->out, " ]");
		return;
	}
	if (is_string) {
		show_type(walk, type);
		show_text(walk, bit / 8, type->count);
		return;
	}
	if (!walk->is_typed && !is_member) {
		show_type(walk, type);
		text_putc(walk->out, ' ');
	}
	text_puts(walk->out, walk->is_typed ? "[ " : "[");
	if (depth >= DEPTH)
		show_more(walk, depth + 1);
	else if (walk->is_typed)
		show_elements_typed(walk, element, bit, type->count, depth);
	else
		show_elements(walk, element, bit, type->count, depth);
	text_putc(walk->out, ']');
}

/* ---------------------------------------------------------------- walk */

static void show(struct walk *walk, const struct schema_object *type,
		 uint64_t bit, uint32_t width, unsigned depth, bool is_member)
{
	uint64_t size = type->size;

	/* types of recordings are hostile input */
	if (!walk->left) {
		text_puts(walk->out, "...");
		return;
	}
	walk->left--;
	switch (type->kind) {
	case OBJECT_STRUCT:
		show_sou(walk, type, bit, depth);
		return;
	case OBJECT_ARRAY:
		show_array(walk, type, bit, depth, is_member);
		return;
	case OBJECT_STRING:
		if (!walk->is_typed)
			show_type(walk, type);
		show_text(walk, bit / 8, walk->size - bit / 8);
		return;
	case OBJECT_INTEGER:
	case OBJECT_ENUM:
	case OBJECT_POINTER:
	case OBJECT_FLOAT:
		if (!width)
			width = (uint32_t)(8 * size);
		if (is_there(walk, bit / 8, (bit % 8 + width + 7) / 8))
			show_scalar(walk, type, bit, width);
		else
			text_puts(walk->out, "...");
		return;
	default:
		text_puts(walk->out, "?");
	}
}

void render_pointed(const struct schema_object *type, const uint8_t *bytes,
		    uint64_t size, struct text *out)
{
	struct walk walk = {
		.bytes = bytes, .size = size, .out = out, .left = MOST_PARTS,
	};

	for (unsigned i = 0; i < COLUMN; i++)
		text_putc(out, ' ');
	show(&walk, type, 0, 0, 0, false);
	text_putc(out, '\n');
}

void render_typed(const struct schema_object *type, const uint8_t *bytes,
		  uint64_t size, struct text *out)
{
	struct walk walk = {
		.bytes = bytes, .size = size, .out = out, .left = MOST_PARTS,
		.is_typed = true,
	};

	text_puts(out, type->name);
	text_putc(out, ' ');
	show(&walk, type, 0, 0, 0, false);
	/* the classic output has no newline after a struct's brace */
	if (type->kind != OBJECT_STRUCT)
		text_putc(out, '\n');
}
