/* SPDX-License-Identifier: Apache-2.0 */
#include "proc/eh_frame.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "base/arena.h"
#include "bpf/unwind.h"

/* -------------------------------------------------------------- the bytes */

struct cursor {
	const uint8_t *at, *end;
	bool failed;
};

static uint64_t take(struct cursor *c, unsigned size)
{
	uint64_t value = 0;

	if ((size_t)(c->end - c->at) < size) {
		c->failed = true;
		c->at = c->end;
		return 0;
	}
	memcpy(&value, c->at, size);
	c->at += size;
	return value;
}

static uint64_t take_uleb(struct cursor *c)
{
	uint64_t value = 0;

	for (unsigned shift = 0; shift < 64; shift += 7) {
		uint64_t byte = take(c, 1);

		value |= (byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return value;
	}
	c->failed = true;
	return 0;
}

static int64_t take_sleb(struct cursor *c)
{
	uint64_t value = 0;

	for (unsigned shift = 0; shift < 64;) {
		uint64_t byte = take(c, 1);

		value |= (byte & 0x7f) << shift;
		shift += 7;
		if (byte & 0x80)
			continue;
		if ((byte & 0x40) && shift < 64)
			value |= ~UINT64_C(0) << shift;
		return (int64_t)value;
	}
	c->failed = true;
	return 0;
}

static void skip(struct cursor *c, uint64_t size)
{
	if ((uint64_t)(c->end - c->at) < size) {
		c->failed = true;
		c->at = c->end;
		return;
	}
	c->at += size;
}

/* The next `size` bytes on their own. */
static struct cursor part(struct cursor *c, uint64_t size)
{
	struct cursor inner = { c->at, c->at, false };

	skip(c, size);
	inner.end = c->at;
	inner.failed = c->failed;
	return inner;
}

/* -------------------------------------------------------------- encodings */

enum {
	DW_EH_PE_omit = 0xff,
	DW_EH_PE_pcrel = 0x10, DW_EH_PE_where = 0x70, DW_EH_PE_form = 0x0f,
};

/* The section: pointers in it are relative to where it is linked to. */
struct section {
	const uint8_t *bytes;
	size_t size;
	uint64_t at, base;
};

static uint64_t take_pointer(struct cursor *c, const struct section *section,
			     uint8_t encoding, bool is_length)
{
	uint64_t place = section->at + (uint64_t)(c->at - section->bytes);
	uint64_t value;

	switch (encoding & DW_EH_PE_form) {
	case 0x00:
	case 0x04:
	case 0x0c:
		value = take(c, 8);
		break;
	case 0x01:
		value = take_uleb(c);
		break;
	case 0x09:
		value = (uint64_t)take_sleb(c);
		break;
	case 0x02:
		value = take(c, 2);
		break;
	case 0x0a:
		value = (uint64_t)(int16_t)take(c, 2);
		break;
	case 0x03:
		value = take(c, 4);
		break;
	case 0x0b:
		value = (uint64_t)(int32_t)take(c, 4);
		break;
	default:
		c->failed = true;
		return 0;
	}
	if (is_length)
		return value;
	switch (encoding & DW_EH_PE_where) {
	case 0:
		return value;
	case DW_EH_PE_pcrel:
		return place + value;
	default:
		c->failed = true;
		return 0;
	}
}

/* ------------------------------------------------------------------ rules */

/* in expressions: a register and an offset, dereferenced */
enum { OP_BREG_FP = 0x70 + ARCH_DWARF_FP, OP_DEREF = 0x06 };

enum cfa_kind { CFA_REGISTER, CFA_PLT, CFA_LOAD, CFA_OTHER };

struct rules {
	enum cfa_kind cfa;
	uint64_t reg;
	int64_t offset;
	int64_t fp;	  /* the caller's, from the CFA; 0: not saved */
	bool is_fp_odd;	  /* saved, but not so */
	bool is_fp_at_fp; /* with that: it is where it points to */
	bool is_last;	  /* the return address is undefined */
	bool is_return_odd;
};

struct cie {
	uint64_t code_factor;
	int64_t data_factor;
	uint64_t return_reg;
	uint8_t encoding;
	bool has_length; /* 'z' */
	bool is_signal;
	struct rules initial; /* what its program says */
	bool is_good;	      /* it, and that */
};

static bool fits(int64_t value, unsigned bits)
{
	int64_t limit = (int64_t)1 << (bits - 1);

	return value % 8 == 0 && value / 8 >= -limit && value / 8 < limit;
}

static uint64_t row_of(uint64_t address, enum row_kind kind, int64_t offset,
		       int64_t fp)
{
	if (!fits(offset, 16) || !fits(fp, 12)) {
		kind = ROW_UNKNOWN;
		offset = fp = 0;
	}
	return (address & 0xffffffff) | (uint64_t)(uint16_t)(offset / 8) << 32 |
	       (uint64_t)kind << 48 | ((uint64_t)(fp / 8) & 0xfff) << 52;
}

void eh_rows_append(struct eh_rows *rows, uint64_t row)
{
	/* Locations only go forward; those of a broken program may not. */
	if (rows->count &&
	    (uint32_t)rows->rows[rows->count - 1] > (uint32_t)row)
		return;
	/* Two rules for one address: the later one holds. */
	if (rows->count &&
	    (uint32_t)rows->rows[rows->count - 1] == (uint32_t)row)
		rows->count--;
	if (rows->count && rows->rows[rows->count - 1] >> 32 == row >> 32)
		return;
	if (rows->count == rows->capacity) {
		rows->capacity = rows->capacity * 2 + 1024;
		rows->rows = must_realloc(rows->rows,
					  checked_mul(rows->capacity,
						      sizeof(*rows->rows)));
	}
	rows->rows[rows->count++] = row;
}

void eh_rows_add(struct eh_rows *rows, uint64_t address, enum row_kind kind,
		 int64_t offset, int64_t fp)
{
	if (address - rows->base <= UINT32_MAX)
		eh_rows_append(rows,
			       row_of(address - rows->base, kind, offset, fp));
}

static void add_rules(struct eh_rows *rows, const struct cie *cie,
		      const struct rules *rules, uint64_t address)
{
	enum row_kind kind = ROW_UNKNOWN;
	int64_t offset = rules->offset, fp = rules->fp;

	if (cie->is_signal)
		kind = ROW_SIGNAL;
	else if (rules->is_last)
		kind = ROW_END;
	else if (rules->cfa == CFA_PLT)
		kind = ROW_PLT;
	else if (rules->is_return_odd)
		kind = ROW_UNKNOWN;
	else if (rules->cfa == CFA_LOAD && rules->is_fp_odd &&
		 rules->is_fp_at_fp)
		kind = ROW_LOAD;
	else if (rules->is_fp_odd)
		kind = ROW_UNKNOWN;
	else if (rules->cfa == CFA_REGISTER && rules->reg == ARCH_DWARF_SP)
		kind = ROW_SP;
	else if (rules->cfa == CFA_REGISTER && rules->reg == ARCH_DWARF_FP)
		kind = ROW_FP;
	if (kind != ROW_SP && kind != ROW_FP && kind != ROW_LOAD)
		offset = 0;
	if (kind != ROW_SP && kind != ROW_FP)
		fp = 0;
	eh_rows_add(rows, address, kind, offset, fp);
}

/* ----------------------------------------------------------- instructions */

/*
 * Expressions that occur: the one of procedure linkage tables, and that of
 * functions which align their stack: a saved copy of the CFA below the frame
 * pointer.
 */
static void define_by_expression(struct rules *rules, struct cursor expression)
{
	size_t size = (size_t)(expression.end - expression.at);

	rules->cfa = CFA_OTHER;
	if (size && size == arch_linkage_cfa_size &&
	    !memcmp(expression.at, arch_linkage_cfa, size)) {
		rules->cfa = CFA_PLT;
		return;
	}
	if (take(&expression, 1) != OP_BREG_FP)
		return;
	int64_t offset = take_sleb(&expression);

	if (take(&expression, 1) != OP_DEREF || expression.failed ||
	    expression.at != expression.end)
		return;
	rules->cfa = CFA_LOAD;
	rules->offset = offset;
}

static void save(struct rules *rules, const struct cie *cie, uint64_t reg,
		 int64_t offset)
{
	if (reg == ARCH_DWARF_FP) {
		rules->fp = offset;
		rules->is_fp_odd = !offset;
		rules->is_fp_at_fp = false;
	} else if (reg == cie->return_reg) {
		rules->is_last = false;
		rules->is_return_odd = offset != ARCH_RETURN_AT;
	}
}

static void save_oddly(struct rules *rules, const struct cie *cie, uint64_t reg)
{
	if (reg == ARCH_DWARF_FP)
		rules->is_fp_odd = true;
	else if (reg == cie->return_reg)
		rules->is_return_odd = true;
}

/* A frame pointer saved relative to itself: functions that align their stack. */
static void save_by_expression(struct rules *rules, const struct cie *cie,
			       uint64_t reg, struct cursor expression)
{
	save_oddly(rules, cie, reg);
	if (reg == ARCH_DWARF_FP && take(&expression, 1) == OP_BREG_FP &&
	    !take_sleb(&expression) && !expression.failed)
		rules->is_fp_at_fp = true;
}

static void restore(struct rules *rules, const struct rules *initial,
		    const struct cie *cie, uint64_t reg)
{
	if (reg == ARCH_DWARF_FP) {
		rules->fp = initial->fp;
		rules->is_fp_odd = initial->is_fp_odd;
		rules->is_fp_at_fp = initial->is_fp_at_fp;
	} else if (reg == cie->return_reg) {
		rules->is_last = initial->is_last;
		rules->is_return_odd = initial->is_return_odd;
	}
}

enum { REMEMBERED = 8 };

struct machine {
	const struct section *section;
	const struct cie *cie;
	struct eh_rows *rows; /* NULL: only the state matters */
	struct rules rules, initial, stack[REMEMBERED];
	unsigned depth;
	uint64_t address, end;
};

static void advance(struct machine *m, uint64_t delta)
{
	if (m->rows && m->address < m->end)
		add_rules(m->rows, m->cie, &m->rules, m->address);
	m->address += delta * m->cie->code_factor;
}

static void define_cfa(struct machine *m, uint64_t reg, int64_t offset)
{
	m->rules.cfa = CFA_REGISTER;
	m->rules.reg = reg;
	m->rules.offset = offset;
}

/* Instructions without an operand in their first byte; false: unknown. */
static bool extended(struct machine *m, struct cursor *c, uint8_t op)
{
	struct rules *rules = &m->rules;
	const struct cie *cie = m->cie;
	uint64_t reg;

	switch (op) {
	case 0x00: /* nop */
		return true;
	case 0x01: { /* set_loc */
		uint64_t to = take_pointer(c, m->section, cie->encoding, false);

		advance(m, 0);
		m->address = to;
		return true;
	}
	case 0x02: /* advance_loc1, 2, 4 */
		advance(m, take(c, 1));
		return true;
	case 0x03:
		advance(m, take(c, 2));
		return true;
	case 0x04:
		advance(m, take(c, 4));
		return true;
	case 0x05: /* offset_extended */
		reg = take_uleb(c);
		save(rules, cie, reg,
		     (int64_t)(take_uleb(c) * (uint64_t)cie->data_factor));
		return true;
	case 0x06: /* restore_extended */
		restore(rules, &m->initial, cie, take_uleb(c));
		return true;
	case 0x07: /* undefined */
		reg = take_uleb(c);
		if (reg == cie->return_reg)
			rules->is_last = true;
		return true;
	case 0x08: /* same_value */
		reg = take_uleb(c);
		if (reg == ARCH_DWARF_FP) {
			rules->fp = 0;
			rules->is_fp_odd = false;
		}
		return true;
	case 0x09: /* register */
		reg = take_uleb(c);
		take_uleb(c);
		save_oddly(rules, cie, reg);
		return true;
	case 0x0a: /* remember_state */
		if (m->depth < REMEMBERED)
			m->stack[m->depth] = *rules;
		m->depth++;
		return true;
	case 0x0b: /* restore_state */
		if (!m->depth)
			return false;
		m->depth--;
		if (m->depth >= REMEMBERED)
			return false;
		*rules = m->stack[m->depth];
		return true;
	case 0x0c: /* def_cfa */
		reg = take_uleb(c);
		define_cfa(m, reg, (int64_t)take_uleb(c));
		return true;
	case 0x0d: /* def_cfa_register */
		define_cfa(m, take_uleb(c), rules->offset);
		return true;
	case 0x0e: /* def_cfa_offset */
		rules->offset = (int64_t)take_uleb(c);
		return true;
	case 0x0f: /* def_cfa_expression */
		define_by_expression(rules, part(c, take_uleb(c)));
		return true;
	case 0x10: /* expression */
		reg = take_uleb(c);
		save_by_expression(rules, cie, reg, part(c, take_uleb(c)));
		return true;
	case 0x11: /* offset_extended_sf */
		reg = take_uleb(c);
		save(rules, cie, reg,
		     (int64_t)((uint64_t)take_sleb(c) *
			       (uint64_t)cie->data_factor));
		return true;
	case 0x12: /* def_cfa_sf */
		reg = take_uleb(c);
		define_cfa(m, reg,
			   (int64_t)((uint64_t)take_sleb(c) *
				     (uint64_t)cie->data_factor));
		return true;
	case 0x13: /* def_cfa_offset_sf */
		rules->offset = (int64_t)((uint64_t)take_sleb(c) *
					  (uint64_t)cie->data_factor);
		return true;
	case 0x14:
	case 0x15: /* val_offset, val_offset_sf */
		reg = take_uleb(c);
		take_uleb(c);
		save_oddly(rules, cie, reg);
		return true;
	case 0x16: /* val_expression */
		reg = take_uleb(c);
		skip(c, take_uleb(c));
		save_oddly(rules, cie, reg);
		return true;
	case 0x2e: /* GNU_args_size */
		take_uleb(c);
		return true;
	default:
		return false;
	}
}

/* False: something is wrong with the program. */
static bool run(struct machine *m, struct cursor c)
{
	while (c.at < c.end && !c.failed) {
		uint8_t op = (uint8_t)take(&c, 1);
		uint64_t low = op & 0x3f;

		switch (op >> 6) {
		case 1:
			advance(m, low);
			break;
		case 2:
			save(&m->rules, m->cie, low,
			     (int64_t)(take_uleb(&c) *
				       (uint64_t)m->cie->data_factor));
			break;
		case 3:
			restore(&m->rules, &m->initial, m->cie, low);
			break;
		default:
			if (!extended(m, &c, op))
				return false;
		}
	}
	return !c.failed;
}

/* ---------------------------------------------------------------- entries */

static bool read_augmentation(struct cursor *c, const struct section *section,
			      const char *text, struct cie *cie)
{
	if (!*text)
		return true;
	if (*text++ != 'z')
		return false;
	cie->has_length = true;

	struct cursor data = part(c, take_uleb(c));

	for (; *text; text++) {
		uint8_t encoding;

		switch (*text) {
		case 'R':
			cie->encoding = (uint8_t)take(&data, 1);
			break;
		case 'P':
			encoding = (uint8_t)take(&data, 1);
			take_pointer(&data, section, encoding & 0x0f, true);
			break;
		case 'L':
			take(&data, 1);
			break;
		case 'S':
			cie->is_signal = true;
			break;
		default: /* the length says where to continue */
			return !data.failed;
		}
	}
	return !data.failed;
}

/* `c` is after its id.  Its program is run here, once for all its users. */
static bool read_cie(const struct section *section, struct cursor c,
		     struct cie *cie)
{
	*cie = (struct cie){ .encoding = 0 };
	uint64_t version = take(&c, 1);
	const char *text = (const char *)c.at;
	const uint8_t *nul = memchr(c.at, '\0', (size_t)(c.end - c.at));

	if ((version != 1 && version != 3) || !nul)
		return false;
	c.at = nul + 1;
	cie->code_factor = take_uleb(&c);
	cie->data_factor = take_sleb(&c);
	cie->return_reg = version == 1 ? take(&c, 1) : take_uleb(&c);
	if (c.failed || !read_augmentation(&c, section, text, cie) || c.failed)
		return false;
	struct machine m = { .section = section, .cie = cie };

	m.rules.cfa = CFA_OTHER;
	cie->is_good = run(&m, c);
	cie->initial = m.rules;
	return true;
}

/* A description of a piece of code, before it is run. */
struct fde {
	uint64_t start, end;
	const uint8_t *at, *stop; /* its bytes, after the pointer */
	uint32_t cie;
};

struct fdes {
	struct fde *items;
	size_t count, capacity;
	struct cie *cies;
	size_t *cie_places;
	size_t ncies, cie_capacity;
};

/* One entry's bytes after its length; false: that was the last. */
static bool next_entry(struct cursor *all, struct cursor *entry)
{
	uint64_t length = take(all, 4);

	if (all->failed || !length)
		return false;
	if (length == 0xffffffff)
		length = take(all, 8);
	*entry = part(all, length);
	return !entry->failed;
}

/* The one that starts there, or NULL. */
static const struct cie *cie_at(const struct fdes *fdes, size_t place,
				uint32_t *number)
{
	size_t low = 0, high = fdes->ncies;

	/* Mostly that is the last one. */
	if (high && fdes->cie_places[high - 1] <= place)
		low = high - 1;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (fdes->cie_places[middle] < place)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == fdes->ncies || fdes->cie_places[low] != place)
		return NULL;
	*number = (uint32_t)low;
	return &fdes->cies[low];
}

static void add_cie(struct fdes *fdes, const struct section *section,
		    size_t place, struct cursor entry)
{
	struct cie cie;

	if (!read_cie(section, entry, &cie))
		return;
	if (fdes->ncies == fdes->cie_capacity) {
		size_t capacity = fdes->cie_capacity * 2 + 16;

		fdes->cie_capacity = capacity;
		fdes->cies = must_realloc(fdes->cies,
					  checked_mul(capacity,
						      sizeof(*fdes->cies)));
		fdes->cie_places = must_realloc(
			fdes->cie_places,
			checked_mul(capacity, sizeof(*fdes->cie_places)));
	}
	fdes->cies[fdes->ncies] = cie;
	fdes->cie_places[fdes->ncies++] = place;
}

static void add_fde(struct fdes *fdes, const struct fde *fde)
{
	if (fdes->count == fdes->capacity) {
		fdes->capacity = fdes->capacity * 2 + 256;
		fdes->items = must_realloc(fdes->items,
					   checked_mul(fdes->capacity,
						       sizeof(*fdes->items)));
	}
	fdes->items[fdes->count++] = *fde;
}

/* A description (FDE), or a CIE, which comes before those that use it. */
static void read_entry(struct fdes *fdes, const struct section *section,
		       size_t entry_start, struct cursor entry)
{
	size_t place = (size_t)(entry.at - section->bytes);
	uint64_t back = take(&entry, 4);
	uint32_t number;

	if (entry.failed || back > place)
		return;
	if (!back) {
		add_cie(fdes, section, entry_start, entry);
		return;
	}
	const struct cie *cie = cie_at(fdes, place - (size_t)back, &number);

	if (!cie)
		return;
	uint64_t start = take_pointer(&entry, section, cie->encoding, false);
	uint64_t length = take_pointer(&entry, section, cie->encoding, true);

	if (cie->has_length)
		skip(&entry, take_uleb(&entry));
	if (entry.failed || !length || start < section->base ||
	    start - section->base > UINT32_MAX || start + length < start)
		return;
	add_fde(fdes, &(struct fde){ start, start + length, entry.at, entry.end,
				     number });
}

static int by_start(const void *a, const void *b)
{
	const struct fde *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

/* Is there nothing but padding before the next one? */
static bool is_adjacent(const struct fde *fde, const struct fde *next)
{
	enum { PADDING = 32 };

	return next && next->start - fde->end < PADDING;
}

static void run_fde(struct eh_rows *rows, const struct section *section,
		    const struct cie *cie, const struct fde *fde,
		    const struct fde *next)
{
	struct machine m = {
		.section = section, .cie = cie,
		.address = fde->start, .end = fde->end, .rows = rows,
		.rules = cie->initial, .initial = cie->initial,
	};
	bool good = cie->is_good &&
		    run(&m, (struct cursor){ fde->at, fde->stop, false });

	if (good)
		advance(&m, 0);
	else if (m.address >= fde->start && m.address < fde->end)
		eh_rows_add(rows, m.address, ROW_UNKNOWN, 0, 0);
	if (!is_adjacent(fde, next))
		eh_rows_add(rows, fde->end, ROW_NONE, 0, 0);
}

void eh_frame_read(struct eh_rows *rows, const uint8_t *bytes, size_t size,
		   uint64_t at, uint64_t base)
{
	struct section section = { bytes, size, at, base };
	struct cursor all = { bytes, bytes + size, false }, entry;
	struct fdes fdes = { 0 };

	rows->base = base;
	for (size_t start = 0; next_entry(&all, &entry);
	     start = (size_t)(all.at - bytes))
		read_entry(&fdes, &section, start, entry);
	if (fdes.count)
		qsort(fdes.items, fdes.count, sizeof(*fdes.items), by_start);
	for (size_t i = 0; i < fdes.count; i++) {
		/* Nothing may reach over the start of the next one. */
		struct fde *fde = &fdes.items[i];
		struct fde *next = i + 1 < fdes.count ? fde + 1 : NULL;

		if (next && fde->end > next->start)
			fde->end = next->start;
		if (fde->end > fde->start)
			run_fde(rows, &section, &fdes.cies[fde->cie], fde,
				next);
	}
	free(fdes.items);
	free(fdes.cies);
	free(fdes.cie_places);
}

void eh_rows_free(struct eh_rows *rows)
{
	free(rows->rows);
	*rows = (struct eh_rows){ 0 };
}

bool eh_frame_pointer(const uint8_t *header, size_t size, uint64_t at,
		      uint64_t *address)
{
	struct section section = { .bytes = header, .size = size, .at = at };

	if (size < 8 || header[0] != 1)
		return false;
	struct cursor c = { header + 4, header + size, false };

	*address = take_pointer(&c, &section, header[1], false);
	return !c.failed;
}
