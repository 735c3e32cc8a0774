/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Associative arrays: from a[k1, k2] to an element of a hash table.
 *
 * The key is built in the frame: the keys in order, each at its own alignment,
 * everything else 0, because the kernel compares bytes.  Integers are cast to
 * the type of the array's first use; strings are padded to the longest that
 * any use of the array can have (the checker notes it), so that a[execname]
 * has a key of 16 bytes and not of 257.
 *
 * Scalars go between table and register.  Strings, structs and arrays are
 * read into a piece of the frame and live there; a store to a part of one
 * reads the whole, changes the part and writes the whole back.
 *
 * self->a[k] is the same with the thread in front of the key: the address of
 * its task and the time it was started, which no two threads share even if the
 * kernel reuses the address.  Elements of a thread that ends are removed when
 * it does: its self record counts how many it has, so only a thread that leaves
 * some pays for the search (lower_thread_exit).
 */

#include <string.h>

#include "ir/lower_internal.h"

enum {
	THREAD_SIZE = 16,
	SWEPT_ARRAYS = 32,	/* by one program: it may use 64 maps */
};

/* ------------------------------------------------------------------ shape */

static uint32_t key_bytes(struct lower *lower, const struct ident *ident,
			  uint32_t n)
{
	const struct signature *signature = ident->signature;
	struct type *type = signature->types[n];
	uint32_t size = lower_size(lower, type);

	if (!type_is_string(lower->types, type))
		return size;
	if (signature->widths && signature->widths[n] < size)
		size = signature->widths[n];
	return round_up(size ? size : 1, 8);
}

static uint32_t key_align(struct lower *lower, struct type *type)
{
	uint64_t align = type_is_string(lower->types, type)
				 ? 8
				 : type_align(lower->types, type);

	return align == 0 || align > 8 ? 8 : (uint32_t)align;
}

static uint32_t key_offset(struct lower *lower, const struct ident *ident,
			   uint32_t n, uint32_t after)
{
	return round_up(after, key_align(lower, ident->signature->types[n]));
}

static uint32_t key_size(struct lower *lower, const struct ident *ident)
{
	uint32_t at = ident->scope == SCOPE_SELF ? THREAD_SIZE : 0;

	for (uint32_t i = 0; i < ident->signature->count; i++)
		at = key_offset(lower, ident, i, at) +
		     key_bytes(lower, ident, i);
	return round_up(at, 8);
}

static uint32_t value_size(struct lower *lower, const struct ident *ident)
{
	if (type_in_register(lower, ident->type))
		return 8;
	return round_up(lower_storage_size(lower, ident->type), 8);
}

/* Number of the array in the session; its shape is fixed at first use. */
static uint32_t array_of(struct lower *lower, struct ident *ident)
{
	struct lower_session *session = lower->session;
	uint32_t n = session->narrays;

	if (ident->has_storage)
		return ident->storage;
	if (n == session->arrays_capacity) {
		uint32_t capacity = n ? 2 * n : 8;
		struct ir_array *arrays = arena_array_of(session->arena,
							 struct ir_array,
							 capacity);

		if (n)
			memcpy(arrays, session->arrays, n * sizeof(*arrays));
		session->arrays = arrays;
		session->arrays_capacity = capacity;
	}
	session->arrays[n] = (struct ir_array){
		.key_size = key_size(lower, ident),
		.value_size = value_size(lower, ident),
		.is_self = ident->scope == SCOPE_SELF,
		.name = ident->name,
	};
	if (ident->scope == SCOPE_SELF && !session->has_self_arrays) {
		session->has_self_arrays = true;
		session->self_live = round_up(session->self_size, 8);
		session->self_size = session->self_live + 8;
	}
	ident->storage = n;
	ident->has_storage = true;
	session->narrays++;
	return n;
}

/* -------------------------------------------------------------------- key */

static ir_reg thread_start(struct ir_builder *b, struct types *types)
{
	struct member member;

	if (!types_kernel_member(types, "task_struct", "start_time", &member))
		return ir_binary_imm(b, IR_AND, ir_query(b, IR_QUERY_PID_TGID),
				     UINT32_MAX);
	return ir_load(b,
		       ir_mem_from(IR_TYPED, ir_query(b, IR_QUERY_TASK_TYPED),
				   (int64_t)(member.bit_offset / 8)),
		       8, false);
}

static bool store_key(struct lower *lower, const struct node *key,
		      struct type *type, struct ir_mem at, uint32_t size)
{
	struct ir_builder *b = &lower->b;
	struct value value = { 0 };
	ir_reg reg;

	if (type_is_string(lower->types, type))
		return lower_string(lower, key, &value) &&
		       string_store(lower, key, &value, at, size);
	if (type_in_register(lower, type)) {
		if (!lower_scalar(lower, key, &reg))
			return false;
		ir_store(b, at, lower_convert(lower, reg, key->type, type),
			 size);
		return true;
	}
	if (!lower_expression(lower, key, &value) ||
	    !value_materialize(lower, &value))
		return false;
	ir_copy(b, at, value.mem, size);
	return true;
}

static bool lower_key(struct lower *lower, const struct node *node,
		      struct element *element)
{
	struct ir_builder *b = &lower->b;
	const struct ident *ident = node->variable.ident;
	const struct node *key = node->variable.keys;
	uint32_t at = 0, used = 0;

	element->key = ir_object(b, element->key_size, ident->name);
	if (element->is_self)
		used = at = THREAD_SIZE;
	for (uint32_t i = 0; i < ident->signature->count; i++)
		used += key_bytes(lower, ident, i);
	if (used != element->key_size)
		ir_clear(b, element->key, element->key_size);
	if (element->is_self) {
		ir_store(b, element->key, ir_query(b, IR_QUERY_TASK), 8);
		ir_store(b, ir_mem_at(element->key, 8),
			 thread_start(b, lower->types), 8);
	}
	for (uint32_t i = 0; i < ident->signature->count; i++) {
		uint32_t size = key_bytes(lower, ident, i);

		if (!key)
			return lower_fail(lower, node, "%s has a key too few",
					  ident->name);
		at = key_offset(lower, ident, i, at);
		if (!store_key(lower, key, ident->signature->types[i],
			       ir_mem_at(element->key, at), size))
			return false;
		at += size;
		key = key->next;
	}
	return true;
}

bool lower_element(struct lower *lower, const struct node *node,
		   struct location *location)
{
	struct ident *ident = node->variable.ident;
	struct element *element = arena_new_of(lower->session->arena,
					       struct element);

	if (!ident->type || !ident->signature)
		return lower_fail(lower, node, "%s has no type", ident->name);
	element->array = array_of(lower, ident);
	element->key_size = lower->session->arrays[element->array].key_size;
	element->is_self = ident->scope == SCOPE_SELF;
	element->is_scalar = type_in_register(lower, ident->type);
	if (!lower_key(lower, node, element))
		return false;
	location->type = ident->type;
	location->keeps_word = type_keeps_word(lower, ident->type);
	location->element = element;
	location->capacity = lower_size(lower, ident->type);
	location->has_null = location->knows_unset =
		type_is_string(lower->types, ident->type);
	if (!element->is_scalar)
		location->mem = element->object =
			ir_object(&lower->b, value_size(lower, ident),
				  ident->name);
	return true;
}

/* --------------------------------------------------------------- elements */

static struct ir_insn *emit_array(struct lower *lower, enum ir_op op,
				  const struct element *element)
{
	struct ir_insn *insn = ir_emit(&lower->b, op);

	insn->imm = element->array;
	insn->source = element->key;
	insn->imm2 = element->key_size;
	return insn;
}

/* The thread has `gained` more elements, or fewer. */
static void count_elements(struct lower *lower, ir_reg gained)
{
	struct ir_builder *b = &lower->b;
	struct ir_block *count = ir_block_new(b, "count"),
			*join = ir_block_new(b, "counted");

	ir_branch(b, gained, count, join);
	ir_enter(b, count);
	ir_atomic_add(b, ir_mem_of(IR_SELF, lower->session->self_live), gained,
		      8);
	ir_enter(b, join);
}

static void finish_change(struct lower *lower, const struct element *element,
			  struct ir_insn *insn)
{
	if (!element->is_self)
		return;
	insn->dst = ir_reg_new(lower->b.program);
	count_elements(lower, insn->dst);
}

ir_reg element_load(struct lower *lower, const struct element *element,
		    struct numeric numeric)
{
	struct ir_insn *insn = emit_array(lower, IR_ARRAY_LOAD, element);

	insn->size = (uint8_t)numeric.size;
	insn->is_signed = numeric.is_signed;
	insn->dst = ir_reg_new(lower->b.program);
	return insn->dst;
}

void element_read(struct lower *lower, const struct element *element)
{
	emit_array(lower, IR_ARRAY_READ, element)->mem = element->object;
}

void element_store(struct lower *lower, const struct element *element,
		   ir_reg reg, unsigned size)
{
	struct ir_insn *insn = emit_array(lower, IR_ARRAY_STORE, element);

	insn->a = reg;
	insn->size = (uint8_t)size;
	finish_change(lower, element, insn);
}

void element_write(struct lower *lower, const struct element *element)
{
	struct ir_insn *insn = emit_array(lower, IR_ARRAY_WRITE, element);

	insn->mem = element->object;
	finish_change(lower, element, insn);
}

void element_delete(struct lower *lower, const struct element *element)
{
	finish_change(lower, element,
		      emit_array(lower, IR_ARRAY_DELETE, element));
}

/*
 * a[k] += amount, as one atomic step.  Elements of a thread are its own and do
 * not need that.
 */
bool element_add(struct lower *lower, const struct location *location,
		 ir_reg amount, ir_reg *old)
{
	const struct element *element = location->element;

	if (!element || !element->is_scalar || element->is_self ||
	    !location->keeps_word)
		return false;

	struct ir_insn *insn = emit_array(lower, IR_ARRAY_ADD, element);

	insn->a = amount;
	insn->size = 8;
	insn->dst = *old = ir_reg_new(lower->b.program);
	return true;
}

/* ------------------------------------------------------------ thread exit */

/* The next array of threads from `at` on. */
static uint32_t next_self_array(const struct lower_session *session,
				uint32_t at)
{
	while (at < session->narrays && !session->arrays[at].is_self)
		at++;
	return at;
}

struct ir_program *lower_thread_exit(struct lower_session *session,
				     uint32_t *first)
{
	struct ir_builder b = { .program = ir_new(session->arena) };
	struct types *types = language_types(session->language);
	uint32_t at = next_self_array(session, *first);

	if (at == session->narrays)
		return NULL;

	struct ir_block *start = ir_block_new(&b, "thread exit");
	struct ir_block *sweep = ir_block_new(&b, "sweep");
	struct ir_block *done = ir_block_new(&b, "done");

	b.fault = done;
	ir_enter(&b, start);
	ir_branch(&b,
		  ir_load(&b, ir_mem_of(IR_SELF, session->self_live), 8, false),
		  sweep, done);
	ir_enter(&b, sweep);

	ir_reg task = ir_query(&b, IR_QUERY_TASK);
	ir_reg begun = thread_start(&b, types);

	for (uint32_t n = 0; n < SWEPT_ARRAYS && at < session->narrays; n++) {
		struct ir_insn *insn = ir_emit(&b, IR_ARRAY_SWEEP);

		insn->imm = at;
		insn->a = task;
		insn->b = begun;
		at = next_self_array(session, at + 1);
	}
	*first = at;
	ir_enter(&b, done);
	ir_return(&b);
	b.program->arrays = session->arrays;
	b.program->narrays = session->narrays;
	ir_renumber(b.program);
	return b.program;
}
