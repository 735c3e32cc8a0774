/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Variables and what is stored in them.
 *
 * Globals and self-> variables get their storage at first use, in whichever
 * group that is; programs of one session agree because the ident remembers.
 * this-> scalars are registers of the program, zeroed where it starts; larger
 * this-> variables are pieces of the frame, cleared there.  Only variables that
 * the group's clauses mention take part.
 *
 * An integer variable is a word whatever its type (lower_expr.c): the type says
 * how much of it is printed.  A string variable is its bytes, rounded up to
 * words, and one more word that is 1 while the string is NULL.
 */

#include "ir/lower_internal.h"
#include "lang/internal.h" /* arguments of calls */

uint32_t lower_storage_size(struct lower *lower, struct type *type)
{
	if (type_is_string(lower->types, type))
		return round_up(lower_string_capacity(lower), 8) + 8;
	return type_keeps_word(lower, type) ? 8 : lower_size(lower, type);
}

static uint32_t storage_align(struct lower *lower, struct type *type)
{
	bool is_words = type_is_string(lower->types, type) ||
			type_keeps_word(lower, type);
	uint64_t align = is_words ? 8 : type_align(lower->types, type);

	return align == 0 || align > 8 ? 8 : (uint32_t)align;
}

/* Room in one of the session's two spaces, once. */
static bool find_storage(struct lower *lower, const struct node *node,
			 uint32_t *used)
{
	struct ident *ident = node->variable.ident;
	uint64_t kept = ident->keeps ? 8 + round_up(ident->keeps, 8) : 0;

	if (ident->has_storage)
		return true;
	if (*used + kept + lower_storage_size(lower, ident->type) > INT32_MAX)
		return lower_fail(
			lower, node,
			"variables of one kind take more than 2 GB: declare smaller arrays");
	ident->storage = round_up(*used, storage_align(lower, ident->type));
	*used = ident->storage + lower_storage_size(lower, ident->type);
	if (ident->keeps)
		*used = round_up(*used, 8) + round_up(ident->keeps, 8);
	ident->has_storage = true;
	return true;
}

/* ------------------------------------------------------------------- this */

static struct this_storage *this_storage_of(const struct lower *lower,
					    const struct ident *ident)
{
	uint32_t at = ident->storage;
	bool has_one = at < lower->nthis_storage &&
		       lower->this_storage[at].ident == ident;

	return has_one ? &lower->this_storage[at] : NULL;
}

static struct this_storage *new_storage(struct lower *lower,
					struct ident *ident)
{
	lower->this_storage = arena_grown(lower->session->arena,
					  lower->this_storage,
					  lower->nthis_storage,
					  sizeof(*lower->this_storage));
	ident->storage = lower->nthis_storage++;

	struct this_storage *storage = &lower->this_storage[ident->storage];

	*storage = (struct this_storage){ .ident = ident };
	return storage;
}

void lower_local_storage(struct lower *lower, struct ident *ident)
{
	struct this_storage *storage = this_storage_of(lower, ident);

	if (!ident->is_in_function || (storage && !storage->reg))
		return;
	if (!storage)
		storage = new_storage(lower, ident);
	if (type_in_register(lower, ident->type))
		storage->reg = ir_reg_new(lower->b.program);
	else
		storage->mem = ir_object(&lower->b,
					 lower_storage_size(lower, ident->type),
					 ident->name);
}

static void make_this_storage(void *data, const struct node *node)
{
	struct lower *lower = data;
	struct ir_builder *b = &lower->b;
	struct ident *ident = node->kind == NODE_VARIABLE ? node->variable.ident
							  : NULL;

	if (!ident || ident->kind != IDENT_VARIABLE ||
	    ident->scope != SCOPE_THIS || !ident->type ||
	    (ident->is_in_function && !ident->has_address) ||
	    this_storage_of(lower, ident))
		return;

	struct this_storage *storage = new_storage(lower, ident);
	const struct carried *carried = carried_of(lower, ident);

	if (carried && !carried_arrives(lower, carried))
		carried = NULL;
	if (type_in_register(lower, ident->type)) {
		storage->reg = ir_const(b, 0);
		if (carried)
			ir_move(b, storage->reg,
				ir_load(b, carried_place(lower, carried), 8,
					false));
	} else {
		uint32_t size = lower_storage_size(lower, ident->type);

		storage->mem = ident->has_address
				       ? lower_scratch_reserve(lower, size)
				       : ir_object(b, size, ident->name);
		if (carried)
			ir_copy(b, storage->mem, carried_place(lower, carried),
				size);
		else
			ir_clear(b, storage->mem, size);
	}
}

void lower_clear_this(struct lower *lower, const struct ident *ident)
{
	struct ir_builder *b = &lower->b;
	const struct this_storage *storage = this_storage_of(lower, ident);

	if (!storage) /* nobody uses it */
		return;
	if (storage->reg)
		ir_move(b, storage->reg, ir_const(b, 0));
	else
		ir_clear(b, storage->mem,
			 lower_storage_size(lower, ident->type));
}

static void visit_clause(struct lower *lower, const struct clause *clause)
{
	tree_visit(clause->predicate, make_this_storage, lower);
	tree_visit(clause->statements, make_this_storage, lower);
}

void lower_this_variables(struct lower *lower)
{
	const struct lower_group *group = lower->group;

	for (uint32_t i = 0; i < group->nclauses; i++)
		visit_clause(lower, group->clauses[i]);
	for (uint32_t i = 0; i < group->nerror_clauses; i++)
		visit_clause(lower, group->error_clauses[i]);
}

bool lower_variable_location(struct lower *lower, const struct node *node,
			     struct location *location)
{
	struct ident *ident = node->variable.ident;
	struct lower_session *session = lower->session;
	const struct this_storage *storage;

	if (ident->kind == IDENT_ARRAY)
		return lower_element(lower, node, location);
	if (!ident->type)
		return lower_fail(lower, node, "%s has no type", ident->name);
	location->type = ident->type;
	location->keeps_word = type_keeps_word(lower, ident->type);
	location->capacity = lower_size(lower, ident->type);
	location->has_null = type_is_string(lower->types, ident->type);
	switch (ident->scope) {
	case SCOPE_GLOBAL:
		if (!find_storage(lower, node, &session->globals_size))
			return false;
		location->mem = ir_mem_of(IR_GLOBAL, ident->storage);
		return true;
	case SCOPE_SELF:
		location->knows_unset = location->has_null;
		location->may_be_later = location->has_null &&
					 ident->takes_later;
		if (!find_storage(lower, node, &session->self_size))
			return false;
		location->mem = ir_mem_of(IR_SELF, ident->storage);
		return true;
	case SCOPE_THIS:
		break;
	}
	storage = this_storage_of(lower, ident);
	if (!storage)
		return lower_fail(lower, node, "this->%s has no storage",
				  ident->name);
	location->reg = storage->reg;
	location->mem = storage->mem;
	return true;
}

/* ------------------------------------------------------------- assignment */

/* a[k] += y, a[k] -= y */
static bool add_to_element(struct lower *lower, enum op op,
			   const struct location *location, ir_reg amount,
			   struct value *value)
{
	struct ir_builder *b = &lower->b;
	ir_reg old;

	if (!location->element ||
	    (op != OP_ADD_ASSIGN && op != OP_SUBTRACT_ASSIGN))
		return false;
	if (op == OP_SUBTRACT_ASSIGN)
		amount = ir_unary(b, IR_NEG, amount);
	if (!element_add(lower, location, amount, &old))
		return false;
	*value = value_of_reg(location->type,
			      ir_binary(b, IR_ADD, old, amount));
	return true;
}

/* What the place stores of a value: the bits of its type, or of its field. */
static ir_reg fit(struct lower *lower, const struct location *location,
		  ir_reg reg, struct type *from)
{
	struct ir_builder *b = &lower->b;
	int64_t excess = 64 - (int64_t)location->bit_width;

	if (location->keeps_word)
		return reg;
	reg = lower_convert(lower, reg, from, location->type);
	if (!location->bit_width)
		return reg;
	return ir_binary_imm(b,
			     numeric_of(lower, location->type).is_signed
				     ? IR_ASR
				     : IR_LSR,
			     ir_binary_imm(b, IR_SHL, reg, excess), excess);
}

static bool load_number(struct lower *lower, const struct node *node,
			const struct location *location, ir_reg *reg)
{
	struct value value = { 0 };

	return location_load(lower, node, location, &value) &&
	       value_scalar(lower, node, &value, reg);
}

/* x op= y */
static bool lower_compound(struct lower *lower, const struct node *node,
			   struct location *location, struct value *value)
{
	const struct node *right = node->binary.right;
	struct operand x = { .type = location->type };
	struct operand y = { .type = right->type };
	ir_reg result;

	/*
	 * The left side is read first, which matters for i += i++. Where it
	 * does not matter, it is read as late as possible: other CPUs write,
	 * too.
	 */
	if (tree_assigns(right)) {
		if (!load_number(lower, node->binary.left, location, &x.reg) ||
		    !lower_scalar(lower, right, &y.reg))
			return false;
	} else {
		if (!lower_scalar(lower, right, &y.reg))
			return false;
		if (add_to_element(lower, node->op, location, y.reg, value))
			return true;
		if (!load_number(lower, node->binary.left, location, &x.reg))
			return false;
	}
	if (!lower_arithmetic(lower, node, op_of_assignment(node->op), x, y,
			      &result))
		return false;
	*value = value_of_reg(location->type,
			      fit(lower, location, result, NULL));
	return location_store(lower, node, location, value);
}

/*
 * p = s: the bytes go to the room after the pointer, which then points to them.
 */
static bool keep_copy(struct lower *lower, const struct node *node,
		      const struct location *location, struct value *value)
{
	struct ir_builder *b = &lower->b;
	const struct ident *ident = node->binary.left->variable.ident;
	const struct node *right = node->binary.right;
	struct ir_mem room = ir_mem_at(location->mem, 8);
	uint32_t size;
	ir_reg address = 0;

	while (right->kind == NODE_CAST)
		right = right->cast.operand;
	if (type_is_string(lower->types, right->type)) {
		if (!lower_string_operand(lower, right, value))
			return false;
		size = value->capacity < ident->keeps ? value->capacity
						      : ident->keeps;
		ir_copy(b, room, value->mem, size);
	} else {
		if (!lower_scalar(lower, right, &address))
			return false;
		size = (uint32_t)call_argument(right, 1)->integer.value + 1;
		if (size > lower_scratch_limit(lower))
			size = lower_scratch_limit(lower);
		ir_copy(b, room, lower_scratch_place(lower, address, size),
			size);
	}
	if (location->mem.space == IR_SELF) {
		address = ir_address(b, location->mem);
		b->block->last->imm = 8;
	} else if (!lower_own_address(lower, &location->mem, &address)) {
		return lower_fail(lower, node, "%s cannot keep a copy",
				  ident->name);
	}
	address = ir_binary_imm(b, IR_ADD, address, 8);
	if (value->null)
		address = ir_binary(b, IR_AND, address,
				    ir_binary_imm(b, IR_SUB,
						  ir_binary_imm(b, IR_NE,
								value->null, 0),
						  1));
	*value = value_of_reg(location->type, address);
	return location_store(lower, node, location, value);
}

bool lower_assignment(struct lower *lower, const struct node *node,
		      struct value *value)
{
	const struct node *right = node->binary.right;
	struct location location = { 0 };

	if (!lower_location(lower, node->binary.left, &location))
		return false;
	if (node->op != OP_ASSIGN)
		return lower_compound(lower, node, &location, value);
	if (is_deferrable(lower, node, &location))
		return lower_deferrable(lower, node, &location);
	if (node->keeps_copy)
		return keep_copy(lower, node, &location, value);
	if (!lower_expression(lower, right, value) ||
	    !location_store(lower, right, &location, value))
		return false;

	/* The value of an assignment is what was stored. */
	if (type_in_register(lower, location.type)) {
		ir_reg reg;

		if (!value_scalar(lower, right, value, &reg))
			return false;
		*value = value_of_reg(location.type,
				      fit(lower, &location, reg, value->type));
		return true;
	}
	/* What was stored is still in the frame. */
	if (location.element) {
		location.element = NULL;
		location.knows_unset = location.has_null;
	}
	return location_load(lower, node, &location, value);
}

bool lower_increment(struct lower *lower, const struct node *node,
		     struct value *value)
{
	const struct node *operand = node->unary.operand;
	bool is_post = node->op == OP_POST_INCREMENT ||
		       node->op == OP_POST_DECREMENT;
	bool is_down = node->op == OP_PRE_DECREMENT ||
		       node->op == OP_POST_DECREMENT;
	struct location location = { 0 };
	struct value old = { 0 };
	ir_reg result;

	if (!lower_location(lower, operand, &location))
		return false;
	if (element_add(lower, &location, ir_const(&lower->b, is_down ? -1 : 1),
			&result)) {
		if (!is_post)
			result = ir_binary_imm(&lower->b, IR_ADD, result,
					       is_down ? -1 : 1);
		*value = value_of_reg(location.type, result);
		return true;
	}
	if (!location_load(lower, operand, &location, &old))
		return false;

	struct operand x = { .type = location.type };
	struct operand y = { .reg = ir_const(&lower->b, 1),
			     .type = types_base(lower->types, BASE_INT8) };

	if (!value_scalar(lower, operand, &old, &x.reg) ||
	    !lower_arithmetic(lower, node, is_down ? OP_SUBTRACT : OP_ADD, x, y,
			      &result))
		return false;

	struct value new = value_of_reg(location.type,
					fit(lower, &location, result, NULL));

	if (!location_store(lower, node, &location, &new))
		return false;
	*value = is_post ? old : new;
	return true;
}

/* ------------------------------------------------------------ translation */

static bool translate_member(struct lower *lower, struct ir_mem object,
			     const struct translator_member *member)
{
	struct type *type = member->member.type;
	struct location location = {
		.type = type,
		.mem = ir_mem_at(object,
				 (int64_t)(member->member.bit_offset / 8)),
		.capacity = lower_size(lower, type),
	};
	struct value value = { 0 };

	if (!member->value->is_checked)
		return lower_fail(
			lower, member->value,
			"a whole translated struct is not supported yet on this system");
	if (member->member.bit_width) {
		location.mem = ir_mem_at(object,
					 (int64_t)(member->member.bit_offset /
						   64 * 8));
		location.bit_offset = (uint32_t)(member->member.bit_offset %
						 64);
		location.bit_width = member->member.bit_width;
	}
	/* Fixed arrays take strings up to their size. */
	if (type_is_string(lower->types, type) ||
	    type_is_char_array(lower->types, type)) {
		uint32_t size = (uint32_t)type_size(lower->types, type);

		return lower_string(lower, member->value, &value) &&
		       string_store(lower, member->value, &value, location.mem,
				    size);
	}
	return lower_expression(lower, member->value, &value) &&
	       location_store(lower, member->value, &location, &value);
}

bool lower_translation(struct lower *lower, const struct node *node,
		       struct value *value)
{
	const struct translator *translator = node->cast.translator;
	struct binding binding = { 0 };

	if (!translator)
		return lower_fail(lower, node, "there is no translator here");
	if (!lower_expression(lower, node->cast.operand, &binding.value))
		return false;
	binding.ident = translator->ident;
	binding.typed = lower_typed_root(lower, node->cast.operand);
	binding.outer = lower->bindings;
	lower->bindings = &binding;

	uint32_t size = lower_size(lower, translator->output);
	struct ir_mem object = ir_object(&lower->b, size, "translation");
	bool good = true;

	ir_clear(&lower->b, object, size);
	for (const struct translator_member *member = translator->members;
	     member && good; member = member->next)
		good = translate_member(lower, object, member);
	lower->bindings = binding.outer;
	*value = (struct value){ .kind = VALUE_MEMORY,
				 .type = translator->output,
				 .mem = object,
				 .capacity = size };
	return good;
}
