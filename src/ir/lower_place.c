/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Places: from the tree of a variable, member, dereference or index to where
 * its bytes are, and from there to a value.
 *
 * 1. A place in D's own memory (frame, globals, self) is loaded directly.  An
 *    index into it is tested first: BADINDEX.
 * 2. A place in kernel or user memory is an address and an offset; nothing is
 *    read until the value is needed, and reading is checked: BADADDR.
 * 3. A chain of -> that starts at curthread uses typed loads, which are several
 *    times faster: the verifier knows the type of the task and of every pointer
 *    in its members.  Such a load of a bad pointer reads 0 silently, so each
 *    pointer that is followed is tested.  The chain ends at what the verifier
 *    might see differently: unions, casts, arrays, bit-fields.  A pointer
 *    wanted as a number is read, not loaded, because the verifier allows no
 *    arithmetic on pointers it knows.
 */
#include "ir/lower_internal.h"

enum ir_space lower_pointer_space(struct lower *lower, const struct node *node)
{
	struct type *type = node && node->type
				    ? type_strip(lower->types, node->type)
				    : NULL;

	if (node && node->is_user)
		return IR_USER;
	return type && type->kind == TYPE_POINTER && type->is_user ? IR_USER
								   : IR_KERNEL;
}

ir_reg mem_address(struct lower *lower, const struct ir_mem *mem)
{
	if (mem->space == IR_TYPED)
		return ir_address(&lower->b, *mem);
	if (!mem->offset)
		return mem->base;
	return ir_binary_imm(&lower->b, IR_ADD, mem->base, mem->offset);
}

enum ir_space mem_read_space(const struct ir_mem *mem)
{
	return mem->space == IR_USER ? IR_USER : IR_KERNEL;
}

struct binding *binding_of(struct lower *lower, const struct ident *ident)
{
	for (struct binding *binding = lower->bindings; binding;
	     binding = binding->outer)
		if (binding->ident == ident)
			return binding;
	return NULL;
}

/* ----------------------------------------------------------- typed chains */

ir_reg lower_typed_root(struct lower *lower, const struct node *node)
{
	if (node->kind != NODE_VARIABLE || lower->untyped)
		return 0;

	const struct ident *ident = node->variable.ident;
	struct type *type = type_strip(lower->types, node->type);

	if (ident->kind == IDENT_PARAMETER) {
		const struct binding *binding = binding_of(lower, ident);

		return binding ? binding->typed : 0;
	}
	if (ident->kind != IDENT_BUILTIN || !ident->builtin->lower_typed ||
	    type->kind != TYPE_POINTER ||
	    !type_strip(lower->types, type->target)->btf)
		return 0;
	return ident->builtin->lower_typed(lower);
}

/* Does the path to this member lead through a union? */
static bool is_through_union(struct types *types, struct type *sou,
			     const char *name)
{
	sou = type_strip(types, sou);
	if (sou->kind == TYPE_UNION)
		return true;
	type_complete(types, sou);
	for (uint32_t i = 0; i < sou->nmembers; i++) {
		struct member *member = &sou->members[i], found;

		if (member->name)
			continue;
		if (type_member(types, member->type, name, &found))
			return is_through_union(types, member->type, name);
	}
	return false;
}

/* May the next -> after this place be a typed load? */
static bool is_typed_pointer(struct lower *lower,
			     const struct location *location)
{
	struct type *type = type_strip(lower->types, location->type);

	if (location->reg || location->mem.space != IR_TYPED ||
	    location->in_union || location->bit_width ||
	    type->kind != TYPE_POINTER || type->is_user)
		return false;

	struct type *target = type_strip(lower->types, type->target);

	return target->kind == TYPE_STRUCT && target->btf;
}

/* Load the pointer at a typed place as a typed one, not NULL. */
static ir_reg follow_typed(struct lower *lower, const struct location *location)
{
	ir_reg reg = ir_load(&lower->b, location->mem, 8, false);

	ir_fault_if(&lower->b, ir_binary_imm(&lower->b, IR_EQ, reg, 0),
		    FAULT_BADADDR, ir_const(&lower->b, 0));
	return reg;
}

/* -------------------------------------------------------------- locations */

static enum ir_space pointed_space(struct lower *lower, const struct node *node)
{
	return node->is_scratch ? IR_SCRATCH : lower_pointer_space(lower, node);
}

/* What a pointer, or an array in its place, points to. */
static bool lower_pointer(struct lower *lower, const struct node *node,
			  struct ir_mem *mem)
{
	struct location location = { 0 };
	ir_reg typed = lower_typed_root(lower, node);
	struct value value = { 0 };

	if (typed) {
		*mem = ir_mem_from(IR_TYPED, typed, 0);
		return true;
	}
	if (node->kind == NODE_MEMBER) {
		if (!lower_location(lower, node, &location))
			return false;
		if (is_typed_pointer(lower, &location)) {
			*mem = ir_mem_from(IR_TYPED,
					   follow_typed(lower, &location), 0);
			return true;
		}
		if (!location_load(lower, node, &location, &value))
			return false;
	} else if (!lower_expression(lower, node, &value)) {
		return false;
	}
	if (value.kind == VALUE_MEMORY) {
		*mem = value.mem;
		return true;
	}
	if (value.kind != VALUE_SCALAR)
		return lower_fail(lower, node, "this is not a pointer");
	*mem = ir_mem_from(pointed_space(lower, node), value.reg, 0);
	return true;
}

static bool lower_member(struct lower *lower, const struct node *node,
			 struct location *location)
{
	const struct node *object = node->member.object;
	const struct member *member = &node->member.member;
	struct type *sou = object->type;
	struct location outer = { 0 };

	if (node->op == OP_ARROW) {
		if (!lower_pointer(lower, object, &outer.mem))
			return false;
		sou = type_strip(lower->types, sou)->target;
	} else if (!lower_location(lower, object, &outer)) {
		return false;
	}
	if (outer.reg)
		return lower_fail(lower, node, "this value has no members");

	location->type = member->type;
	location->mem = outer.mem;
	location->element = outer.element;
	location->is_part = true;
	location->in_union = outer.in_union;
	if (outer.mem.space == IR_TYPED && sou &&
	    is_through_union(lower->types, sou, node->member.name))
		location->in_union = true;
	location->capacity = lower_size(lower, member->type);
	if (type_is_string(lower->types, member->type))
		location->capacity--; /* in a struct: exactly strsize */
	if (member->bit_width) {
		location->bit_offset = (uint32_t)(member->bit_offset % 64);
		location->bit_width = member->bit_width;
		location->mem.offset += (int64_t)(member->bit_offset / 64 * 8);
		return true;
	}
	location->mem.offset += (int64_t)(member->bit_offset / 8);
	return true;
}

/* An index into D's own memory: must be below `count`. */
static void index_memory(struct lower *lower, struct ir_mem *mem, ir_reg index,
			 uint64_t count, uint64_t size)
{
	struct ir_builder *b = &lower->b;

	ir_fault_index(b, index, count);

	ir_reg base = ir_binary_imm(b, IR_MUL, index, (int64_t)size);
	uint64_t largest = (count ? count - 1 : 0) * size;

	if (mem->base) {
		base = ir_binary(b, IR_ADD, mem->base, base);
		largest += mem->bound - 1;
	}
	mem->base = base;
	mem->bound = (uint32_t)largest + 1;
}

/*
 * An index into other memory.  An array of one element may be the start of a
 * longer one, and a pointer may point to any number: only what is added to a
 * kernel pointer must be small, for the verifier.
 */
static void index_address(struct lower *lower, struct ir_mem *mem, ir_reg index,
			  uint64_t count, uint64_t size)
{
	enum { MOST_BYTES = 1 << 28 };
	struct ir_builder *b = &lower->b;
	ir_reg base = mem_address(lower, mem);

	if (count > 1)
		ir_fault_index(b, index, count);
	else if (mem->space == IR_TYPED && size)
		ir_fault_if(b,
			    ir_binary_imm(b, IR_UGE, index,
					  (int64_t)(MOST_BYTES / size)),
			    FAULT_BADADDR, index);
	ir_reg step = ir_binary_imm(b, IR_MUL, index, (int64_t)size);

	*mem = ir_mem_from(mem->space == IR_SCRATCH ? IR_SCRATCH
						    : mem_read_space(mem),
			   ir_binary(b, IR_ADD, base, step), 0);
}

/* Something that lower_location() can place without computing its value. */
static bool is_place(const struct node *node)
{
	return node->kind == NODE_MEMBER ||
	       (node->kind == NODE_VARIABLE &&
		(node->variable.ident->kind == IDENT_VARIABLE ||
		 node->variable.ident->kind == IDENT_ARRAY)) ||
	       (node->kind == NODE_BINARY && node->op == OP_INDEX);
}

static bool lower_index(struct lower *lower, const struct node *node,
			struct location *location)
{
	const struct node *left = node->binary.left;
	struct type *type = type_strip(lower->types, left->type);
	uint64_t size = type_size(lower->types, node->type);
	uint64_t count = type->kind == TYPE_ARRAY ? type->count : 0;
	ir_reg index;

	if (type->kind == TYPE_STRING) {
		struct value value = { 0 };

		if (!lower_string(lower, left, &value))
			return false;
		location->mem = value.mem;
		count = value.capacity;
		size = 1;
	} else if (type->kind == TYPE_ARRAY && is_place(left)) {
		struct location array = { 0 };

		if (!lower_location(lower, left, &array))
			return false;
		location->mem = array.mem;
		location->element = array.element;
		location->is_part = true;
	} else {
		struct value value = { 0 };

		if (!lower_expression(lower, left, &value))
			return false;
		if (value.kind == VALUE_SCALAR) {
			location->mem = ir_mem_from(pointed_space(lower, left),
						    value.reg, 0);
		} else if (value.kind == VALUE_MEMORY) {
			location->mem = value.mem;
			/* a pointer to our own memory */
			if (type->kind != TYPE_ARRAY && size)
				count = value.capacity / size;
		} else {
			return lower_fail(lower, node, "this has no elements");
		}
	}
	location->type = node->type;
	location->capacity = lower_size(lower, node->type);
	if (!lower_scalar(lower, node->binary.right, &index))
		return false;
	if (type->kind == TYPE_STRING && is_place(left)) {
		location->string = left;
		location->index = index;
	}
	if (mem_is_addressed(&location->mem))
		index_address(lower, &location->mem, index, count, size);
	else
		index_memory(lower, &location->mem, index, count, size);
	return true;
}

/*
 * Is it in the section of which every CPU has a copy?  No function is; where the
 * section ends is far down in the kernel's list, and on some kernels nowhere.
 */
static bool is_per_cpu(struct lower *lower, const struct node *node,
		       uint64_t address)
{
	struct language *language = lower->session->language;
	uint64_t start = 0, end = 0;

	if (node->type->kind == TYPE_FUNCTION)
		return false;
	return language_symbol(language, "vmlinux", "__per_cpu_end", &end) &&
	       address < end &&
	       language_symbol(language, "vmlinux", "__per_cpu_start",
			       &start) &&
	       address >= start;
}

/*
 * A per-CPU variable: the kernel's table has the distance from the section to
 * the copy of the CPU on which the probe fires.
 */
static bool lower_per_cpu(struct lower *lower, const struct node *node,
			  uint64_t address, ir_reg *at)
{
	struct ir_builder *b = &lower->b;
	uint64_t table = 0;

	if (!language_symbol(lower->session->language, "vmlinux",
			     "__per_cpu_offset", &table) ||
	    !table)
		return lower_fail(
			lower, node,
			"where this CPU keeps `%s is not known: /proc/kallsyms has no address of __per_cpu_offset (CONFIG_KALLSYMS_ALL)",
			node->symbol.name);
	ir_reg cpu = ir_query(b, IR_QUERY_CPU);
	ir_reg entry = ir_binary(b, IR_ADD, ir_binary_imm(b, IR_SHL, cpu, 3),
				 ir_const(b, (int64_t)table));
	ir_reg distance = ir_read_scalar(b, IR_KERNEL, entry, 8, false);

	*at = ir_binary(b, IR_ADD, distance, ir_const(b, (int64_t)address));
	return true;
}

/* Without the right to see addresses all of them read as 0. */
static bool is_hidden(struct lower *lower, uint64_t address)
{
	uint64_t text = 0;

	return !address &&
	       language_symbol(lower->session->language, "vmlinux", "_stext",
			       &text) &&
	       !text;
}

static bool lower_symbol(struct lower *lower, const struct node *node,
			 struct location *location)
{
	uint64_t address = 0;
	ir_reg at = 0;

	if (!language_symbol(lower->session->language, node->symbol.module,
			     node->symbol.name, &address))
		return lower_fail(
			lower, node,
			"the address of kernel symbol `%s is not known",
			node->symbol.name);
	if (is_hidden(lower, address))
		return lower_fail(
			lower, node,
			"the address of kernel symbol `%s is hidden: needs CAP_SYSLOG, or kernel.kptr_restrict=0 and kernel.perf_event_paranoid at most 1",
			node->symbol.name);
	if (!is_per_cpu(lower, node, address))
		at = ir_const(&lower->b, (int64_t)address);
	else if (!lower_per_cpu(lower, node, address, &at))
		return false;
	location->type = node->type;
	location->mem = ir_mem_from(IR_KERNEL, at, 0);
	location->capacity = lower_size(lower, node->type);
	return true;
}

/* Anything else that yields bytes: calls, built-in variables, bindings. */
static bool lower_value_location(struct lower *lower, const struct node *node,
				 struct location *location)
{
	struct value value = { 0 };

	if (!lower_expression(lower, node, &value))
		return false;
	if (value.kind != VALUE_MEMORY)
		return lower_fail(lower, node, "this value has no place");
	location->type = node->type;
	location->mem = value.mem;
	location->capacity = value.capacity;
	return true;
}

bool lower_location(struct lower *lower, const struct node *node,
		    struct location *location)
{
	struct place place = lower->b.place;
	bool good;

	lower->b.place = node->place;
	if (node->kind == NODE_VARIABLE &&
	    (node->variable.ident->kind == IDENT_VARIABLE ||
	     node->variable.ident->kind == IDENT_ARRAY)) {
		good = lower_variable_location(lower, node, location);
	} else if (node->kind == NODE_MEMBER) {
		good = lower_member(lower, node, location);
	} else if (node->kind == NODE_SYMBOL) {
		good = lower_symbol(lower, node, location);
	} else if (node->kind == NODE_UNARY && node->op == OP_DEREFERENCE) {
		location->type = node->type;
		location->capacity = lower_size(lower, node->type);
		good = lower_pointer(lower, node->unary.operand,
				     &location->mem);
	} else if (node->kind == NODE_BINARY && node->op == OP_INDEX) {
		good = lower_index(lower, node, location);
	} else {
		good = lower_value_location(lower, node, location);
	}
	lower->b.place = place;
	return good;
}

/* ---------------------------------------------------------------- loading */

static ir_reg load_bytes(struct lower *lower, const struct location *location,
			 const struct ir_mem *mem, unsigned size,
			 bool is_signed, bool is_number)
{
	struct ir_builder *b = &lower->b;

	if (!mem_is_addressed(mem))
		return ir_load(b, *mem, size, is_signed);
	if (mem->space == IR_TYPED && is_number && !location->in_union)
		return ir_load(b, *mem, size, is_signed);
	if (mem->space == IR_SCRATCH)
		return ir_load(b,
			       lower_scratch_place(lower,
						   mem_address(lower, mem),
						   size),
			       size, is_signed);
	return ir_read_scalar(b, mem_read_space(mem), mem_address(lower, mem),
			      size, is_signed);
}

/* The smallest aligned 1, 2, 4 or 8 bytes that hold the bits. */
static bool bitfield_unit(const struct location *location, unsigned *size,
			  unsigned *shift, int64_t *offset)
{
	uint32_t first = location->bit_offset;
	uint32_t last = first + location->bit_width - 1;

	for (*size = 1; *size <= 8; *size *= 2) {
		uint32_t unit = *size * 8;

		if (first / unit != last / unit)
			continue;
		*offset = first / unit * *size;
		*shift = first % unit;
		return true;
	}
	return false;
}

/* Packed structs: bits in two words are two fields, the lower one first. */
static void split_bitfield(const struct location *location,
			   struct location *low, struct location *high)
{
	*low = *high = *location;
	low->bit_width = 64 - location->bit_offset;
	high->mem.offset += 8;
	high->bit_offset = 0;
	high->bit_width = location->bit_width - low->bit_width;
}

/* The bits, with zeros above them. */
static ir_reg load_bits(struct lower *lower, const struct location *location)
{
	struct ir_builder *b = &lower->b;
	unsigned size, shift, width = location->bit_width;
	struct ir_mem mem = location->mem;
	struct location low, high;
	int64_t offset;

	if (!bitfield_unit(location, &size, &shift, &offset)) {
		split_bitfield(location, &low, &high);

		ir_reg rest = ir_binary_imm(b, IR_SHL, load_bits(lower, &high),
					    low.bit_width);

		return ir_binary(b, IR_OR, load_bits(lower, &low), rest);
	}
	mem.offset += offset;

	ir_reg reg = load_bytes(lower, location, &mem, size, false, false);

	reg = ir_binary_imm(b, IR_SHL, reg, 64 - width - shift);
	return ir_binary_imm(b, IR_LSR, reg, 64 - width);
}

static ir_reg load_bitfield(struct lower *lower,
			    const struct location *location)
{
	struct ir_builder *b = &lower->b;
	unsigned unused = 64 - location->bit_width;
	ir_reg reg = load_bits(lower, location);

	if (!type_is_signed(lower->types, location->type))
		return reg;
	return ir_binary_imm(b, IR_ASR, ir_binary_imm(b, IR_SHL, reg, unused),
			     unused);
}

struct ir_mem location_mark(const struct location *location)
{
	return ir_mem_at(location->mem, round_up(location->capacity, 8));
}

static struct value load_string(struct lower *lower,
				const struct location *location)
{
	struct ir_builder *b = &lower->b;
	struct value value = value_of_string(lower, location->mem,
					     location->capacity);

	if (!location->has_null)
		return value;

	ir_reg mark = ir_load(b, location_mark(location), 8, false);

	value.null = mark;
	if (location->knows_unset)
		value.null = ir_binary_imm(b, IR_ULE, mark, MARK_NULL);
	if (location->may_be_later)
		value.mem = lower_deferred(lower, location, mark);
	return value;
}

/* Size and sign of the number in a place. */
static struct numeric stored_numeric(struct lower *lower,
				     const struct location *location)
{
	struct numeric numeric = numeric_of(lower, location->type);

	if (location->keeps_word)
		numeric.size = 8;
	return numeric;
}

bool location_load(struct lower *lower, const struct node *node,
		   const struct location *location, struct value *value)
{
	struct type *type = location->type;

	(void)node;
	if (location->element && location->element->is_scalar) {
		*value = value_of_reg(type,
				      element_load(lower, location->element,
						   stored_numeric(lower,
								  location)));
		return true;
	}
	if (location->element)
		element_read(lower, location->element);

	if (location->reg) {
		/* A copy: the variable may change before this is used. */
		ir_reg copy = ir_reg_new(lower->b.program);

		ir_move(&lower->b, copy, location->reg);
		*value = value_of_reg(type, copy);
		return true;
	}
	/* A function stands for its address. */
	if (type_strip(lower->types, type)->kind == TYPE_FUNCTION &&
	    mem_is_addressed(&location->mem)) {
		*value = value_of_reg(type, mem_address(lower, &location->mem));
		return true;
	}
	if (type_is_string(lower->types, type)) {
		*value = load_string(lower, location);
		return true;
	}
	if (!type_in_register(lower, type)) {
		*value = (struct value){ .kind = VALUE_MEMORY,
					 .type = type,
					 .mem = location->mem,
					 .capacity = lower_size(lower, type) };
		return true;
	}

	struct numeric numeric = stored_numeric(lower, location);
	ir_reg reg = 0;

	if (location->bit_width)
		reg = load_bitfield(lower, location);
	else
		reg = load_bytes(lower, location, &location->mem, numeric.size,
				 numeric.is_signed,
				 !type_is_pointer(lower->types, type));
	*value = value_of_reg(type, reg);
	return true;
}

/* ---------------------------------------------------------------- storing */

static void store_bitfield(struct lower *lower, const struct location *location,
			   ir_reg reg)
{
	struct ir_builder *b = &lower->b;
	unsigned size, shift;
	struct ir_mem mem = location->mem;
	uint64_t mask = location->bit_width >= 64
				? ~UINT64_C(0)
				: (UINT64_C(1) << location->bit_width) - 1;
	struct location low, high;
	int64_t offset;

	if (!bitfield_unit(location, &size, &shift, &offset)) {
		split_bitfield(location, &low, &high);
		store_bitfield(lower, &low, reg);
		store_bitfield(lower, &high,
			       ir_binary_imm(b, IR_LSR, reg, low.bit_width));
		return;
	}
	mem.offset += offset;

	ir_reg old = ir_load(b, mem, size, false);
	ir_reg kept = ir_binary_imm(b, IR_AND, old, (int64_t) ~(mask << shift));
	ir_reg bits = ir_binary_imm(b, IR_AND, reg, (int64_t)mask);

	bits = ir_binary_imm(b, IR_SHL, bits, shift);
	ir_store(b, mem, ir_binary(b, IR_OR, kept, bits), size);
}

static bool store_string(struct lower *lower, const struct node *node,
			 const struct location *location, struct value *value)
{
	struct ir_builder *b = &lower->b;
	ir_reg null = value->null;

	/* s = NULL */
	if (value->kind == VALUE_SCALAR && node && is_null_constant(node)) {
		ir_clear(b, location->mem, location->capacity);
		null = ir_const(b, 1);
	} else if (!string_store(lower, node, value, location->mem,
				 location->capacity)) {
		return false;
	}
	if (!location->has_null)
		return true;

	ir_reg mark = null ? null : ir_const(b, 0);

	if (location->knows_unset)
		mark = ir_binary(b, IR_SUB, ir_const(b, MARK_SET), mark);
	ir_store(b, location_mark(location), mark, 8);
	return true;
}

/* Only scratch memory can be written to; anything else is a bad address. */
static bool store_by_address(struct lower *lower, const struct node *node,
			     const struct location *location,
			     struct value *value)
{
	struct location place = *location;
	uint32_t size = location->capacity;

	if (location->mem.space == IR_TYPED || location->mem.space == IR_USER)
		return lower_fail(lower, node,
				  "kernel and user memory cannot be written");
	if (type_in_register(lower, location->type))
		size = numeric_of(lower, location->type).size;
	if (location->bit_width)
		size = (location->bit_offset + location->bit_width + 7) / 8;
	struct ir_builder *b = &lower->b;
	ir_reg address = mem_address(lower, &location->mem);
	ir_reg is_global = location->mem.space == IR_SCRATCH
				   ? 0
				   : lower_global_place(lower, address, size,
							&place.mem);

	if (!is_global) {
		place.mem = lower_scratch_place(lower, address, size);
		return location_store(lower, node, &place, value);
	}
	struct ir_block *yes = ir_block_new(b, "global");
	struct ir_block *no = ir_block_new(b, "scratch");
	struct ir_block *join = ir_block_new(b, "join");
	struct value again = *value;

	ir_branch(b, is_global, yes, no);
	ir_enter(b, yes);
	if (!location_store(lower, node, &place, value))
		return false;
	ir_goto(b, join);
	ir_enter(b, no);
	place.mem = lower_scratch_place(lower, address, size);
	if (!location_store(lower, node, &place, &again))
		return false;
	ir_enter(b, join);
	return true;
}

static bool store_element(struct lower *lower, const struct node *node,
			  const struct location *location, struct value *value)
{
	const struct element *element = location->element;
	struct location copy = *location;

	if (element->is_scalar) {
		ir_reg reg;

		if (!value_scalar(lower, node, value, &reg))
			return false;
		if (!location->keeps_word)
			reg = lower_convert(lower, reg, value->type,
					    location->type);
		element_store(lower, element, reg,
			      stored_numeric(lower, location).size);
		return true;
	}
	if (!location->is_part && node && is_null_constant(node)) {
		ir_clear(&lower->b, element->object,
			 lower->session->arrays[element->array].value_size);
		element_delete(lower, element);
		return true;
	}
	if (location->is_part)
		element_read(lower, element);
	copy.element = NULL;
	if (!location_store(lower, node, &copy, value))
		return false;
	element_write(lower, element);
	return true;
}

/*
 * A byte of a string: in a copy, which is stored like any other string, so that
 * nothing follows a NUL.
 */
static bool store_in_string(struct lower *lower,
			    const struct location *location, ir_reg byte)
{
	struct ir_builder *b = &lower->b;
	uint32_t capacity = lower_string_capacity(lower);
	struct ir_mem copy = ir_object(b, capacity, "string");
	struct ir_mem cut = ir_object(b, capacity, "string");
	struct ir_mem at = copy;
	struct location outer = { 0 };
	struct value value = { 0 };

	if (!lower_string(lower, location->string, &value))
		return false;
	ir_string_copy(b, copy, capacity, value.mem, value.capacity);
	at.base = location->index;
	at.bound = location->mem.bound;
	ir_store(b, at, byte, 1);
	ir_string_take(b, cut, capacity, copy, capacity);
	value = value_of_string(lower, cut, capacity);
	return lower_location(lower, location->string, &outer) &&
	       location_store(lower, location->string, &outer, &value);
}

/* `node` is where the value comes from. */
bool location_store(struct lower *lower, const struct node *node,
		    const struct location *location, struct value *value)
{
	struct ir_builder *b = &lower->b;
	struct type *type = location->type;

	if (location->string) {
		ir_reg byte;

		return value_scalar(lower, node, value, &byte) &&
		       store_in_string(lower, location, byte);
	}
	if (location->element)
		return store_element(lower, node, location, value);
	if (!location->reg && mem_is_addressed(&location->mem))
		return store_by_address(lower, node, location, value);
	if (type_is_string(lower->types, type))
		return store_string(lower, node, location, value);
	if (type_in_register(lower, type)) {
		ir_reg reg;

		if (!value_scalar(lower, node, value, &reg))
			return false;
		if (!location->keeps_word)
			reg = lower_convert(lower, reg, value->type, type);
		if (location->reg)
			ir_move(b, location->reg, reg);
		else if (location->bit_width)
			store_bitfield(lower, location, reg);
		else
			ir_store(b, location->mem, reg,
				 stored_numeric(lower, location).size);
		return true;
	}
	/* s = 0 */
	if (value->kind == VALUE_SCALAR && node && is_null_constant(node)) {
		ir_clear(b, location->mem, lower_size(lower, type));
		return true;
	}
	if (value->kind != VALUE_MEMORY)
		return lower_fail(lower, node, "this cannot be assigned");

	uint32_t size = lower_size(lower, type);

	if (value->capacity < size)
		return lower_fail(lower, node, "this cannot be assigned");
	if (mem_is_addressed(&value->mem))
		mem_read(lower, location->mem, &value->mem, size);
	else
		ir_copy(b, location->mem, value->mem, size);
	return true;
}
