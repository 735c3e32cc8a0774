/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lines of DWARF, versions 2 to 5: the program of a unit that makes a table of
 * addresses and lines is run until it has passed the address.
 *
 * The head of a program has the numbers of its instructions, then lists of
 * directories and files.  Until version 4 a file is a string and three numbers,
 * counted from 1; since version 5 the lists say themselves what is in an element,
 * and count from 0.  A file is known by the name it has there, without directory
 * if that is apart.
 */
#include "btf/dwarf_internal.h"

enum { MOST_FORMATS = 16 };

struct program {
	struct dwarf *dwarf;
	struct dwarf_unit *unit;
	struct dwarf_cursor cursor; /* at the lists, later at the instructions */
	uint64_t start;		    /* of the instructions */
	uint16_t version;
	uint8_t offset_size, least, line_range, opcode_base;
	int8_t line_base;
	uint8_t lengths[256]; /* operands of standard opcodes */
};

static bool open_program(struct program *p, struct dwarf *dwarf,
			 struct dwarf_unit *unit, uint64_t at)
{
	const struct dwarf_bytes *bytes = &dwarf->sections.parts[DWARF_LINE];
	struct dwarf_cursor *c = &p->cursor;

	*p = (struct program){ .dwarf = dwarf, .unit = unit, .offset_size = 4 };
	*c = dwarf_cursor_in(bytes, at, bytes->n);
	uint64_t length = dwarf_take(c, 4);

	if (length == 0xffffffff) {
		p->offset_size = 8;
		length = dwarf_take(c, 8);
	}
	if (!dwarf_has(c, length))
		return false;
	c->end = c->at + length;
	p->version = (uint16_t)dwarf_take(c, 2);
	if (p->version < 2 || p->version > 5)
		return false;
	if (p->version >= 5)
		dwarf_take(c, 2); /* sizes of addresses and segments */
	uint64_t head = dwarf_take(c, p->offset_size);

	if (!dwarf_has(c, head))
		return false;
	p->start = c->at + head;
	p->least = (uint8_t)dwarf_take(c, 1);
	if (p->version >= 4)
		dwarf_take(c, 1); /* operations of an instruction */
	dwarf_take(c, 1);	  /* is_stmt */
	p->line_base = (int8_t)dwarf_take(c, 1);
	p->line_range = (uint8_t)dwarf_take(c, 1);
	p->opcode_base = (uint8_t)dwarf_take(c, 1);
	for (unsigned i = 1; i < p->opcode_base; i++)
		p->lengths[i] = (uint8_t)dwarf_take(c, 1);
	return !c->is_bad && p->line_range && p->opcode_base;
}

/* ---------------------------------------------------------------- files */

static const char *take_string(struct dwarf_cursor *c)
{
	const char *text = (const char *)c->bytes + c->at;

	while (dwarf_take(c, 1))
		continue;
	return c->is_bad ? "" : text;
}

static const char *find_old(struct program *p, uint64_t file)
{
	struct dwarf_cursor *c = &p->cursor;

	uint64_t before = c->at;

	while (!c->is_bad && *take_string(c))
		continue;
	if (!dwarf_work(p->dwarf, (uint32_t)(c->at - before)))
		return "";
	for (uint64_t n = 1; !c->is_bad; n++) {
		before = c->at;

		const char *name = take_string(c);

		if (!*name || n == file ||
		    !dwarf_work(p->dwarf, (uint32_t)(c->at - before)))
			return name;
		for (unsigned i = 0; i < 3; i++)
			dwarf_take_unsigned(c);
	}
	return "";
}

/* A list that describes its elements; the path of one of them. */
static const char *walk_list(struct program *p, uint64_t wanted)
{
	enum { PATH = 1 };
	struct dwarf_cursor *c = &p->cursor;
	struct dwarf_attribute formats[MOST_FORMATS];
	const char *found = "";
	uint64_t nformats = dwarf_take(c, 1);

	if (nformats > MOST_FORMATS) {
		c->is_bad = true;
		return "";
	}
	for (uint64_t i = 0; i < nformats; i++)
		formats[i] = (struct dwarf_attribute){
			.name = (uint32_t)dwarf_take_unsigned(c),
			.form = (uint32_t)dwarf_take_unsigned(c),
		};
	uint64_t count = dwarf_take_unsigned(c);

	uint64_t before = c->at;

	for (uint64_t n = 0;
	     n < count && nformats && !c->is_bad &&
	     dwarf_work(p->dwarf, DWARF_STEP + (uint32_t)(c->at - before));
	     n++) {
		before = c->at;
		for (uint64_t i = 0; i < nformats && !c->is_bad; i++) {
			struct dwarf_value value;

			dwarf_take_value(p->dwarf, p->unit, c, &formats[i],
					 &value);
			if (n == wanted && formats[i].name == PATH &&
			    value.text)
				found = value.text;
		}
	}
	return c->is_bad ? "" : found;
}

static const char *find_file(struct program *p, uint64_t file)
{
	if (p->version < 5)
		return file ? find_old(p, file) : "";
	walk_list(p, UINT64_MAX);
	return walk_list(p, file);
}

const char *dwarf_file_name(struct dwarf *dwarf, struct dwarf_unit *unit,
			    uint64_t program, uint64_t file)
{
	struct program p;

	return open_program(&p, dwarf, unit, program) ? find_file(&p, file)
						      : "";
}

/* --------------------------------------------------------------- the table */

struct row {
	uint64_t address, file;
	uint64_t line;
	bool is_valid;
};

struct machine {
	struct row now, before;
	uint64_t wanted;
	bool is_found; /* by `before` */
};

static void add_row(struct machine *m)
{
	if (m->before.is_valid && m->before.address <= m->wanted &&
	    m->wanted < m->now.address)
		m->is_found = true;
	else
		m->before = m->now;
}

static void reset(struct machine *m)
{
	m->now = (struct row){ .file = 1, .line = 1, .is_valid = true };
	m->before.is_valid = false;
}

static void run_extended(struct machine *m, struct dwarf_cursor *c)
{
	enum { END_SEQUENCE = 1, SET_ADDRESS, ADDRESS = 9 };
	uint64_t length = dwarf_take_unsigned(c), next = c->at + length;

	if (!length || !dwarf_has(c, length)) {
		c->is_bad = true;
		return;
	}
	uint64_t what = dwarf_take(c, 1);

	if (what == END_SEQUENCE) {
		add_row(m);
		if (!m->is_found)
			reset(m);
	} else if (what == SET_ADDRESS && length == ADDRESS) {
		m->now.address = dwarf_take(c, 8);
	}
	c->at = next;
}

static void run_standard(const struct program *p, struct machine *m,
			 struct dwarf_cursor *c, uint8_t code)
{
	enum {
		COPY = 1,
		ADVANCE_PC,
		ADVANCE_LINE,
		SET_FILE,
		CONST_ADD_PC = 8,
		FIXED_ADVANCE_PC,
		LAST = 255,
	};

	switch (code) {
	case COPY:
		add_row(m);
		break;
	case ADVANCE_PC:
		m->now.address += dwarf_take_unsigned(c) * p->least;
		break;
	case ADVANCE_LINE:
		m->now.line += (uint64_t)dwarf_take_signed(c);
		break;
	case SET_FILE:
		m->now.file = dwarf_take_unsigned(c);
		break;
	case CONST_ADD_PC:
		m->now.address += (uint64_t)((LAST - p->opcode_base) /
					     p->line_range) *
				  p->least;
		break;
	case FIXED_ADVANCE_PC:
		m->now.address += dwarf_take(c, 2);
		break;
	default:
		for (unsigned i = 0; i < p->lengths[code]; i++)
			dwarf_take_unsigned(c);
	}
}

static void run(const struct program *p, struct machine *m)
{
	struct dwarf_cursor c = p->cursor;

	c.at = p->start;
	reset(m);
	for (uint64_t before = c.at;
	     !m->is_found && !c.is_bad && c.at < c.end &&
	     dwarf_work(p->dwarf, (uint32_t)(c.at - before) + 1);) {
		before = c.at;
		uint8_t code = (uint8_t)dwarf_take(&c, 1);

		if (!code) {
			run_extended(m, &c);
		} else if (code < p->opcode_base) {
			run_standard(p, m, &c, code);
		} else {
			code = (uint8_t)(code - p->opcode_base);
			m->now.address += (uint64_t)(code / p->line_range) *
					  p->least;
			m->now.line +=
				(uint64_t)(int64_t)(p->line_base +
						    code % p->line_range);
			add_row(m);
		}
	}
}

void dwarf_find_line(struct dwarf *dwarf, struct dwarf_unit *unit,
		     uint64_t program, uint64_t address,
		     struct dwarf_line *line)
{
	struct machine m = { .wanted = address };
	struct program p;

	*line = (struct dwarf_line){ .file = "" };
	if (!open_program(&p, dwarf, unit, program))
		return;
	run(&p, &m);
	if (!m.is_found)
		return;
	line->file = find_file(&p, m.before.file);
	line->line = m.before.line;
}
