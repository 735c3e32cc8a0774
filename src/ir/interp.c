/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The interpreter: one firing of a program, in user space.
 *
 * It is the simplest possible implementation of ir.h, for unit tests and for
 * the differential tests that compare it with the kernel.  Speed does not
 * matter, but every access is checked.  A program that reads outside an object
 * is malformed: -EFAULT, so that a bug in lowering shows here before the
 * kernel's verifier complains.
 *
 * What the world lacks reads as 0: no self record (which may be missing in the
 * kernel, too), no state.  Stores to it are lost, as in the kernel.
 */

#include <errno.h>
#include <string.h>

#include "bpf/library.h"
#include "ir/abi.h"
#include "ir/internal.h"

enum { MOST_TURNS = 1000000 };

struct machine {
	const struct ir_program *program;
	struct ir_world *world;
	struct arena *arena; /* of this run */
	uint64_t *regs;
	uint8_t **objects;
	uint8_t *record; /* claimed, or NULL */
	uint32_t record_size;
	uint32_t site;	/* of the noted fault */
	uint32_t probe; /* of the last record or fault */
	int error;
};

/* ---------------------------------------------------------------- memory */

static uint64_t base_of(const struct machine *m, const struct ir_mem *mem)
{
	return mem->base ? m->regs[mem->base] : 0;
}

/* The bytes of a space without addresses; NULL and size 0: not there. */
static uint8_t *space_bytes(struct machine *m, const struct ir_mem *mem,
			    size_t *size)
{
	struct ir_world *world = m->world;

	switch (mem->space) {
	case IR_FRAME:
		if (mem->object >= m->program->nobjects)
			break;
		*size = m->program->objects[mem->object].size;
		return m->objects[mem->object];
	case IR_GLOBAL:
		*size = world->globals_size;
		return world->globals;
	case IR_SELF:
		*size = world->self_size;
		return world->self;
	case IR_RECORD:
		*size = m->record_size;
		return m->record;
	case IR_RODATA:
		*size = m->program->rodata_size;
		return m->program->rodata;
	case IR_CONTEXT:
		*size = world->ncontext * sizeof(uint64_t);
		return (uint8_t *)world->context;
	case IR_STATE:
		*size = sizeof(struct abi_state);
		return (uint8_t *)world->state;
	default:
		break;
	}
	m->error = -EFAULT;
	*size = 0;
	return NULL;
}

/*
 * `size` bytes at mem, or NULL: either the space is absent (reads are 0,
 * writes are lost) or the access is bad (m->error is set).
 */
static uint8_t *bytes_at(struct machine *m, const struct ir_mem *mem,
			 size_t size)
{
	size_t limit = 0;
	uint8_t *bytes = space_bytes(m, mem, &limit);
	uint64_t base = base_of(m, mem);
	uint64_t at = base + (uint64_t)mem->offset;

	if (!bytes) {
		if (mem->space != IR_SELF && mem->space != IR_STATE)
			m->error = -EFAULT;
		return NULL;
	}
	if (at > limit || size > limit - at || (base && base >= mem->bound)) {
		m->error = -EFAULT;
		return NULL;
	}
	return bytes + at;
}

static uint64_t extend(uint64_t value, unsigned size, bool is_signed)
{
	unsigned shift = 64 - size * 8;

	if (!shift)
		return value;
	value <<= shift;
	return is_signed ? (uint64_t)((int64_t)value >> shift) : value >> shift;
}

static uint64_t load_bytes(const uint8_t *bytes, unsigned size, bool is_signed)
{
	uint64_t value = 0;

	if (bytes)
		memcpy(&value, bytes, size);
	return extend(value, size, is_signed);
}

static bool read_world(struct machine *m, enum ir_space space, uint64_t address,
		       void *to, size_t size)
{
	struct ir_world *world = m->world;

	/* Addresses of frame objects are true ones, here as in the kernel. */
	for (uint32_t i = 0; space == IR_KERNEL && i < m->program->nobjects;
	     i++) {
		uint64_t start = (uintptr_t)m->objects[i];
		uint64_t length = m->program->objects[i].size;

		if (address < start || address - start > length ||
		    size > length - (address - start))
			continue;
		memcpy(to, m->objects[i] + (address - start), size);
		return true;
	}
	return world->read &&
	       world->read(world->data, space, address, to, size);
}

static uint64_t do_load(struct machine *m, const struct ir_insn *insn)
{
	const struct ir_mem *mem = &insn->mem;

	if (mem->space == IR_TYPED) {
		uint64_t value = 0;

		/* The kernel makes a bad typed load read 0. */
		if (!read_world(m, IR_TYPED,
				base_of(m, mem) + (uint64_t)mem->offset, &value,
				insn->size))
			return 0;
		return extend(value, insn->size, insn->is_signed);
	}
	return load_bytes(bytes_at(m, mem, insn->size), insn->size,
			  insn->is_signed);
}

static void do_store(struct machine *m, const struct ir_insn *insn)
{
	uint64_t value = m->regs[insn->a];
	uint8_t *bytes = bytes_at(m, &insn->mem, insn->size);

	if (bytes && insn->op == IR_ATOMIC_ADD)
		value += load_bytes(bytes, insn->size, false);
	if (bytes)
		memcpy(bytes, &value, insn->size);
}

static void do_copy(struct machine *m, const struct ir_insn *insn)
{
	size_t size = (size_t)insn->imm;
	uint8_t *to = bytes_at(m, &insn->mem, size);
	const uint8_t *from = insn->op == IR_COPY
				      ? bytes_at(m, &insn->source, size)
				      : NULL;

	if (insn->b && m->regs[insn->b] < size)
		size = (size_t)m->regs[insn->b];
	if (to && from)
		memmove(to, from, size);
	else if (to)
		memset(to, 0, size);
}

/* --------------------------------------------------------------- strings */

static size_t round_words(int64_t size)
{
	return ((size_t)size + 7) & ~(size_t)7;
}

static size_t string_length(const uint8_t *bytes, size_t capacity)
{
	return bytes ? strnlen((const char *)bytes, capacity) : 0;
}

static void do_string_copy(struct machine *m, const struct ir_insn *insn)
{
	size_t capacity = (size_t)insn->imm;
	uint8_t *to = bytes_at(m, &insn->mem, capacity);
	const uint8_t *from = bytes_at(m, &insn->source, (size_t)insn->imm2);
	size_t length = string_length(from, (size_t)insn->imm2);

	if (!to || !capacity)
		return;
	if (length > capacity - 1)
		length = capacity - 1;
	if (from)
		memmove(to, from, length);
	memset(to + length, 0, capacity - length);
}

static int64_t do_string_compare(struct machine *m, const struct ir_insn *insn)
{
	const uint8_t *x = bytes_at(m, &insn->mem, (size_t)insn->imm);
	const uint8_t *y = bytes_at(m, &insn->source, (size_t)insn->imm2);
	size_t nx = string_length(x, (size_t)insn->imm);
	size_t ny = string_length(y, (size_t)insn->imm2);
	size_t common = nx < ny ? nx : ny;
	int order = common ? memcmp(x, y, common) : 0;

	if (order)
		return order < 0 ? -1 : 1;
	return nx < ny ? -1 : nx > ny;
}

static size_t read_limit(const struct machine *m, const struct ir_insn *insn)
{
	if (insn->b && m->regs[insn->b] < (uint64_t)insn->imm)
		return (size_t)m->regs[insn->b];
	return (size_t)insn->imm;
}

/* Byte by byte, so that a string may end just before a bad page. */
static bool do_read_string(struct machine *m, const struct ir_insn *insn)
{
	size_t capacity = (size_t)insn->imm, length = 0;
	uint8_t *to = bytes_at(m, &insn->mem, capacity);
	uint64_t address = m->regs[insn->a];
	uint8_t *bytes = arena_alloc(m->arena, capacity + 1);

	size_t most = capacity ? capacity - 1 : 0;

	if (insn->b && m->regs[insn->b] < most)
		most = (size_t)m->regs[insn->b];
	for (; length < most; length++) {
		if (!read_world(m, insn->source.space, address + length,
				&bytes[length], 1))
			return false;
		if (!bytes[length])
			break;
	}
	bytes[length] = 0;
	if (to)
		memcpy(to, bytes, capacity);
	if (insn->dst)
		m->regs[insn->dst] = length;
	return true;
}

/* -------------------------------------------------------------- library */

static uint64_t do_call(struct machine *m, const struct ir_insn *insn)
{
	static library_function *const functions[IR_FUNCTION_COUNT] = {
#define FUNCTION(name) [FUNCTION_##name] = d_##name,
#include "bpf/functions.def"
#undef FUNCTION
	};
	size_t size = round_words(insn->imm),
	       source_size = round_words(insn->imm2);
	uint8_t *mem = bytes_at(m, &insn->mem, size);
	uint8_t *source = bytes_at(m, &insn->source, source_size);

	/* No self record: zeros. */
	if (!mem)
		mem = arena_alloc(m->arena, size);
	if (!source)
		source = arena_alloc(m->arena, source_size);
	if (m->error || insn->function >= IR_FUNCTION_COUNT) {
		m->error = -EINVAL;
		return 0;
	}
	return (uint64_t)functions[insn->function](
		(char *)mem, (const char *)source, CAPS(insn->imm, insn->imm2),
		insn->a ? (int64_t)m->regs[insn->a] : 0,
		insn->b ? (int64_t)m->regs[insn->b] : 0);
}

/* ------------------------------------------------------------ arithmetic */

static uint64_t divide(enum ir_op op, uint64_t x, uint64_t y)
{
	int64_t sx = (int64_t)x, sy = (int64_t)y;

	/* Never reached by sound programs; what BPF does. */
	if (!y)
		return op == IR_UDIV || op == IR_SDIV ? 0 : x;
	switch (op) {
	case IR_UDIV: return x / y;
	case IR_UMOD: return x % y;
	case IR_SDIV: return sy == -1 ? -x : (uint64_t)(sx / sy);
	default: return sy == -1 ? 0 : (uint64_t)(sx % sy);
	}
}

uint64_t ir_evaluate(const struct ir_insn *insn, uint64_t x, uint64_t y)
{
	int64_t sx = (int64_t)x, sy = (int64_t)y;

	switch (insn->op) {
	case IR_CONST: return (uint64_t)insn->imm;
	case IR_MOVE: return x;
	case IR_ADD: return x + y;
	case IR_SUB: return x - y;
	case IR_MUL: return x * y;
	case IR_UDIV:
	case IR_UMOD:
	case IR_SDIV:
	case IR_SMOD:
		return divide(insn->op, x, y);
	case IR_AND: return x & y;
	case IR_OR: return x | y;
	case IR_XOR: return x ^ y;
	case IR_SHL: return x << (y & 63);
	case IR_LSR: return x >> (y & 63);
	case IR_ASR: return (uint64_t)(sx >> (y & 63));
	case IR_NEG: return -x;
	case IR_NOT: return ~x;
	case IR_BITS: return x ? 64 - (uint64_t)__builtin_clzll(x) : 0;
	case IR_EQ: return x == y;
	case IR_NE: return x != y;
	case IR_ULT: return x < y;
	case IR_ULE: return x <= y;
	case IR_UGT: return x > y;
	case IR_UGE: return x >= y;
	case IR_SLT: return sx < sy;
	case IR_SLE: return sx <= sy;
	case IR_SGT: return sx > sy;
	case IR_SGE: return sx >= sy;
	case IR_EXTEND: return extend(x, insn->size, insn->is_signed);
	default: return 0;
	}
}

/* ------------------------------------------------------- records and faults */

static void note_fault(struct machine *m, const struct ir_insn *insn,
		       enum fault fault, uint64_t value)
{
	struct ir_world *world = m->world;

	world->fault = fault;
	world->fault_value = value;
	world->nfaults++;
	world->queries[IR_QUERY_FAULT_CODE] = fault;
	world->queries[IR_QUERY_FAULT_VALUE] = value;
	world->queries[IR_QUERY_FAULT_SITE] = insn->site;
	world->queries[IR_QUERY_FAULT_NOTE] = insn->site;
	m->site = insn->site;
}

/* A routine has noted it; the site may be another one. */
static void fault_again(struct machine *m, const struct ir_insn *insn)
{
	struct ir_world *world = m->world;

	m->site = (uint32_t)m->regs[insn->a];
	world->fault_value = m->regs[insn->b];
	world->queries[IR_QUERY_FAULT_VALUE] = world->fault_value;
	world->queries[IR_QUERY_FAULT_SITE] = m->site;
	world->queries[IR_QUERY_FAULT_NOTE] = m->site;
}

static void fill_header(const struct machine *m, struct abi_record *header,
			uint32_t size, enum abi_kind kind, int64_t clause,
			uint64_t probe)
{
	*header = (struct abi_record){
		.size = size,
		.kind = kind,
		.clause = (uint32_t)clause,
		.probe = (uint32_t)probe,
		.stamp = m->world->queries[IR_QUERY_TIMESTAMP],
	};
}

static void do_record_begin(struct machine *m, const struct ir_insn *insn)
{
	if (m->record || insn->imm < (int64_t)sizeof(struct abi_record)) {
		m->error = -EINVAL;
		return;
	}
	m->record_size = (uint32_t)insn->imm;
	m->record = arena_alloc(m->arena, m->record_size);
	fill_header(m, (struct abi_record *)m->record, m->record_size,
		    RECORD_DATA, insn->imm2, m->regs[insn->a]);
	if (insn->b)
		((struct abi_record *)m->record)->stamp = m->regs[insn->b];
}

static void do_record_end(struct machine *m, bool publish)
{
	if (!m->record) {
		m->error = -EINVAL;
		return;
	}
	if (publish)
		text_add(&m->world->records, (const char *)m->record,
			 m->record_size);
	m->record = NULL;
	m->record_size = 0;
}

static void do_fault_record(struct machine *m, const struct ir_insn *insn)
{
	struct abi_fault fault = {
		.code = (uint32_t)m->world->fault, .site = m->site,
		.value = m->world->fault_value,
	};

	fill_header(m, &fault.header, sizeof(fault), RECORD_FAULT, insn->imm2,
		    m->regs[insn->a]);
	m->world->queries[IR_QUERY_FAULT_PROBE] = m->regs[insn->a];
	text_add(&m->world->records, (const char *)&fault, sizeof(fault));
}

static void do_exit(struct machine *m, const struct ir_insn *insn)
{
	struct ir_world *world = m->world;

	world->exited = true;
	world->exit_status = (int64_t)m->regs[insn->a];
	if (world->state) {
		world->state->exit_called = 1;
		world->state->exit_status = world->exit_status;
		world->state->phase = PHASE_STOPPED;
	}
}

static struct ir_slot_value slot_value(const struct machine *m,
				       const struct ir_slot_change *change,
				       uint32_t nvalues)
{
	uint64_t slot = change->slot;

	if (change->index)
		slot += m->regs[change->index];
	return (struct ir_slot_value){
		.op = change->op,
		.slot = slot < nvalues ? (uint32_t)slot : 0,
		.value = m->regs[change->value],
		.high = change->high ? m->regs[change->high] : 0,
	};
}

void ir_slot_apply(int64_t *values, const struct ir_slot_value *change)
{
	int64_t *at = &values[change->slot], value = (int64_t)change->value;
	uint64_t low;

	switch (change->op) {
	case IR_SLOT_ADD:
		*at = (int64_t)((uint64_t)*at + change->value);
		break;
	case IR_SLOT_MIN:
		*at = value < *at ? value : *at;
		break;
	case IR_SLOT_MAX:
		*at = value > *at ? value : *at;
		break;
	case IR_SLOT_ADD128:
		low = (uint64_t)at[0] + change->value;
		at[1] = (int64_t)((uint64_t)at[1] + change->high +
				  (low < change->value));
		at[0] = (int64_t)low;
		break;
	}
}

static void do_aggregate(struct machine *m, const struct ir_insn *insn)
{
	const struct ir_program *program = m->program;
	struct ir_slot_value values[IR_SLOT_CHANGES];
	const uint8_t *key = NULL;

	if (insn->imm < 0 || insn->imm >= program->naggregations ||
	    !insn->slots) {
		m->error = -EINVAL;
		return;
	}
	if (program->aggregations[insn->imm].key_size)
		key = bytes_at(m, &insn->mem,
			       program->aggregations[insn->imm].key_size);
	for (uint32_t i = 0; i < insn->slots->count; i++)
		values[i] =
			slot_value(m, &insn->slots->changes[i],
				   program->aggregations[insn->imm].nvalues);
	if (m->world->aggregate && !m->error)
		m->world->aggregate(m->world->data, (uint32_t)insn->imm, key,
				    values, insn->slots->count);
}

/* ----------------------------------------------------------------- arrays */

static uint64_t add_to(struct machine *m, const struct ir_insn *insn,
		       const uint8_t *key, uint8_t *value)
{
	const struct ir_array *array = &m->program->arrays[insn->imm];
	uint64_t old = value ? load_bytes(value, insn->size, false) : 0;
	uint64_t sum = extend(old + m->regs[insn->a], insn->size, false);

	if (!sum && value)
		ir_element_delete(m->world, (uint32_t)insn->imm, key,
				  array->key_size);
	if (sum && !value)
		value = ir_element_make(m->world, (uint32_t)insn->imm, array,
					key);
	if (sum && value)
		memcpy(value, &sum, insn->size);
	return extend(old, insn->size, insn->is_signed);
}

/* Stores a value; returns how many elements were added. */
static uint64_t put(struct machine *m, const struct ir_insn *insn,
		    const uint8_t *key, uint8_t *value, const void *bytes,
		    size_t size)
{
	const struct ir_array *array = &m->program->arrays[insn->imm];
	bool is_new = !value;

	if (is_new)
		value = ir_element_make(m->world, (uint32_t)insn->imm, array,
					key);
	if (value)
		memcpy(value, bytes, size);
	else if (m->world->state)
		m->world->state->dynamic_drops++;
	return is_new && value;
}

static void do_array(struct machine *m, const struct ir_insn *insn)
{
	const struct ir_array *array = &m->program->arrays[insn->imm];
	uint32_t number = (uint32_t)insn->imm;
	uint64_t result = 0, scalar = m->regs[insn->a];
	uint8_t *key = bytes_at(m, &insn->source, array->key_size), *value, *to;
	bool removes = insn->op == IR_ARRAY_DELETE ||
		       (insn->op == IR_ARRAY_STORE && !scalar);

	if (!key)
		return;
	value = ir_element_find(m->world, number, key, array->key_size);
	if (insn->op == IR_ARRAY_LOAD) {
		result = load_bytes(value, insn->size, insn->is_signed);
	} else if (insn->op == IR_ARRAY_READ) {
		to = bytes_at(m, &insn->mem, array->value_size);
		if (to && value)
			memcpy(to, value, array->value_size);
		else if (to)
			memset(to, 0, array->value_size);
	} else if (removes) {
		result = -(uint64_t)ir_element_delete(m->world, number, key,
						      array->key_size);
	} else if (insn->op == IR_ARRAY_ADD) {
		result = add_to(m, insn, key, value);
	} else if (insn->op == IR_ARRAY_STORE) {
		result = put(m, insn, key, value, &scalar,
			     value ? insn->size : 8);
	} else {
		to = bytes_at(m, &insn->mem, array->value_size);
		if (to)
			result = put(m, insn, key, value, to,
				     array->value_size);
	}
	if (insn->dst)
		m->regs[insn->dst] = result;
}

/* ------------------------------------------------------------------ steps */

/* Checked reads; false: the fault has been noted. */
static bool do_read(struct machine *m, const struct ir_insn *insn)
{
	uint64_t address = m->regs[insn->a], value = 0;
	bool good;

	if (insn->op == IR_READ_STRING) {
		good = do_read_string(m, insn);
	} else if (insn->op == IR_READ_SCALAR) {
		good = read_world(m, insn->source.space, address, &value,
				  insn->size);
		if (good)
			m->regs[insn->dst] = extend(value, insn->size,
						    insn->is_signed);
	} else {
		size_t size = read_limit(m, insn);
		uint8_t *to = bytes_at(m, &insn->mem, size);
		uint8_t *bytes = arena_alloc(m->arena, size + 1);

		good = read_world(m, insn->source.space, address, bytes, size);
		if (good && to)
			memcpy(to, bytes, size);
	}
	if (!good)
		note_fault(m, insn, FAULT_BADADDR, address);
	return good;
}

/* Instructions that neither jump nor compute. */
static void do_effect(struct machine *m, const struct ir_insn *insn)
{
	uint8_t *bytes;

	switch (insn->op) {
	case IR_NOP:
		break;
	case IR_STORE:
	case IR_ATOMIC_ADD:
		do_store(m, insn);
		break;
	case IR_COPY:
	case IR_CLEAR:
		do_copy(m, insn);
		break;
	case IR_STRING_COPY:
	case IR_STRING_TAKE:
		do_string_copy(m, insn);
		break;
	case IR_COMM:
		bytes = bytes_at(m, &insn->mem, sizeof(m->world->comm));
		if (bytes)
			memcpy(bytes, m->world->comm, sizeof(m->world->comm));
		break;
	case IR_RECORD_BEGIN:
		do_record_begin(m, insn);
		break;
	case IR_COMMIT:
	case IR_DISCARD:
		break;
	case IR_RECORD_END:
	case IR_RECORD_DROP:
		do_record_end(m, insn->op == IR_RECORD_END);
		break;
	case IR_FAULT_RECORD:
		do_fault_record(m, insn);
		break;
	case IR_EXIT:
		do_exit(m, insn);
		break;
	case IR_AGGREGATE:
		do_aggregate(m, insn);
		break;
	default:
		m->error = -EINVAL;
		break;
	}
}

static uint64_t do_value(struct machine *m, const struct ir_insn *insn)
{
	uint64_t y = insn->b ? m->regs[insn->b] : (uint64_t)insn->imm;

	switch (insn->op) {
	case IR_LOAD:
		return do_load(m, insn);
	case IR_ADDRESS:
		if (insn->mem.space == IR_FRAME ||
		    insn->mem.space == IR_GLOBAL || insn->mem.space == IR_SELF)
			return (uintptr_t)bytes_at(m, &insn->mem,
						   (size_t)insn->imm);
		return base_of(m, &insn->mem) + (uint64_t)insn->mem.offset;
	case IR_STRING_COMPARE:
		return (uint64_t)do_string_compare(m, insn);
	case IR_STRING_EQUAL:
		return do_string_compare(m, insn) == 0;
	case IR_STRING_LENGTH:
		return string_length(bytes_at(m, &insn->mem, (size_t)insn->imm),
				     (size_t)insn->imm);
	case IR_CALL_READ:
	case IR_CALL_WRITE:
		return do_call(m, insn);
	case IR_QUERY:
		if (insn->imm < 0 || insn->imm >= IR_QUERY_COUNT)
			m->error = -EINVAL;
		return m->error ? 0 : m->world->queries[insn->imm];
	case IR_SPECULATION:
		return 1;
	case IR_INTRINSIC:
		return insn->imm == IR_CHILL;
	default:
		return ir_evaluate(insn, m->regs[insn->a], y);
	}
}

static void do_read_args(struct machine *m, const struct ir_insn *insn)
{
	size_t size = (size_t)insn->imm;
	uint64_t count = m->regs[insn->b];
	uint8_t *bytes = bytes_at(m, &insn->mem, size);

	m->regs[insn->dst] = 0;
	if (!bytes)
		return;
	memset(bytes, 0, size);
	if (count >= size)
		count = size - 1;
	if (!read_world(m, IR_USER, m->regs[insn->a], bytes, count)) {
		memset(bytes, 0, size);
		return;
	}
	for (uint64_t i = 0; i < count; i++)
		if (!bytes[i])
			bytes[i] = ' ';
	m->regs[insn->dst] = count;
}

/* An interpreted world has no stacks to walk. */
static void do_stack(struct machine *m, const struct ir_insn *insn)
{
	uint8_t *bytes = bytes_at(m, &insn->mem, (size_t)insn->imm);

	if (bytes)
		memset(bytes, 0, (size_t)insn->imm);
	m->regs[insn->dst] = 0;
}

static int64_t run_blocks(struct machine *m, const struct ir_block *block);

static const struct ir_block *routine_of(struct machine *m,
					 const struct ir_insn *insn)
{
	const struct ir_program *program = m->program;

	if (insn->imm >= 0 && insn->imm < program->nroutines &&
	    program->routines[insn->imm].entry)
		return program->routines[insn->imm].entry;
	m->error = -EINVAL;
	return NULL;
}

static void do_loop(struct machine *m, const struct ir_insn *insn)
{
	const struct ir_block *entry = routine_of(m, insn);
	uint64_t turns = 0, most = m->regs[insn->a];
	bool is_over = false;

	while (turns < most && !is_over && !m->error) {
		m->world->queries[IR_QUERY_TURN] = turns;
		is_over = run_blocks(m, entry);
		turns++;
	}
	m->regs[insn->dst] = turns;
}

/* One instruction; returns where to go, or NULL for the next one. */
static const struct ir_block *step(struct machine *m,
				   const struct ir_insn *insn)
{
	switch (insn->op) {
	case IR_GOTO:
		return insn->target;
	case IR_BRANCH:
		return m->regs[insn->a] ? insn->target : insn->otherwise;
	case IR_FAULT_IF:
		if (!m->regs[insn->a])
			return NULL;
		/* fallthrough */
	case IR_FAULT:
		note_fault(m, insn, (enum fault)insn->imm,
			   insn->b ? m->regs[insn->b] : 0);
		return insn->target;
	case IR_FAULT_AGAIN:
		fault_again(m, insn);
		return insn->target;
	case IR_LOOP:
		do_loop(m, insn);
		return NULL;
	case IR_INVOKE:
		m->regs[insn->dst] = (uint64_t)run_blocks(m,
							  routine_of(m, insn));
		return NULL;
	case IR_READ:
	case IR_READ_STRING:
	case IR_READ_SCALAR:
		return do_read(m, insn) ? NULL : insn->target;
	case IR_WRITE_USER:
		note_fault(m, insn, FAULT_BADADDR, m->regs[insn->a]);
		return insn->target;
	case IR_RECORD_BEGIN:
		/* speculation 0 alone is not active; others keep their data */
		if (insn->speculation && !m->regs[insn->speculation])
			return insn->target;
		break;
	case IR_ARRAY_LOAD:
	case IR_ARRAY_READ:
	case IR_ARRAY_STORE:
	case IR_ARRAY_WRITE:
	case IR_ARRAY_DELETE:
	case IR_ARRAY_ADD:
		do_array(m, insn);
		return NULL;
	case IR_ARRAY_SWEEP:
		ir_element_sweep(m->world, (uint32_t)insn->imm,
				 (uint64_t[]){ m->regs[insn->a],
					       m->regs[insn->b] });
		return NULL;
	default:
		break;
	}
	if (insn->op == IR_STACK || insn->op == IR_USTACK)
		do_stack(m, insn);
	else if (insn->op == IR_READ_ARGS)
		do_read_args(m, insn);
	else if (ir_op_flags(insn->op) & IR_HAS_DST)
		m->regs[insn->dst] = do_value(m, insn);
	else
		do_effect(m, insn);
	return NULL;
}

/* Until the program, or a turn of a routine, ends; with what the turn left. */
static int64_t run_blocks(struct machine *m, const struct ir_block *block)
{
	uint32_t turns = 0; /* of loops that have not become routines */

	while (block) {
		const struct ir_block *next = NULL;
		const struct ir_insn *insn = block->first;

		for (; insn && !next && !m->error; insn = insn->next) {
			if (insn->op == IR_RETURN || insn->op == IR_CONTINUE)
				return 0;
			if (insn->op == IR_LEAVE)
				return insn->imm;
			next = step(m, insn);
		}
		if ((!next && !m->error) ||
		    (next && next->is_header && turns++ == MOST_TURNS))
			m->error = -EINVAL;
		if (m->error)
			return 0;
		block = next;
	}
	return 0;
}

int ir_run(const struct ir_program *program, struct ir_world *world)
{
	struct machine m = {
		.program = program, .world = world, .arena = arena_new(),
	};

	m.regs = arena_array_of(m.arena, uint64_t, program->nregs + 1);
	m.objects = arena_array_of(m.arena, uint8_t *, program->nobjects + 1);
	for (uint32_t i = 0; i < program->nobjects; i++) {
		uint32_t size = program->objects[i].size;

		/* Frames start with garbage, as in the kernel. */
		m.objects[i] = arena_alloc(m.arena, size);
		memset(m.objects[i], 0xa5, size);
	}
	if (!program->blocks)
		m.error = -EINVAL;
	run_blocks(&m, program->blocks);
	if (!m.error && m.record)
		m.error = -EINVAL;
	arena_free(m.arena);
	return m.error;
}
