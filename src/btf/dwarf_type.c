/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Types of user programs, made from DWARF.
 *
 * As with the kernel's types, an entry becomes a `struct type` together with
 * the chain it is derived from, and members are read on demand.  The
 * differences:
 *
 * 1. Every pointer points to user memory.
 * 2. A unit that only declares a struct has a TYPE_FORWARD.  Its definition is
 *    searched for in the other units of the same object when it is needed, and
 *    never in the kernel, whose struct file is not the program's.
 * 3. C++: references are pointers, a base class is a member without a name,
 *    static members and virtual base classes are left out.
 * 4. Names are copied, so that types can be printed even when the file is gone.
 */
#include "btf/dwarf_internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/budget.h"

enum { LONGEST_ORIGIN = 8, MOST_DIMENSIONS = 8 };

/* Bytes of an object that Rust passes by value. */
enum { LARGEST_OF_RUST = 16 };

/* Where a search for the definition has found nothing. */
#define NO_DEFINITION UINT64_MAX

static struct type *make(struct types *types, const struct dwarf_ref *ref,
			 unsigned depth);

/* ------------------------------------------------------------ container */

struct dwarf *dwarf_new(struct types *types, const void *key,
			const struct dwarf_sections *sections,
			struct dwarf *shared, struct budget *budget)
{
	struct dwarf *dwarf = must_alloc(sizeof(*dwarf));

	*dwarf = (struct dwarf){
		.key = key,
		.sections = *sections,
		.shared = shared,
		.budget = budget,
		.next = types->dwarfs,
	};
	types->dwarfs = dwarf;
	dwarf_keep(dwarf, sections->memory);
	if (shared)
		shared->owner = dwarf;
	dwarf_read_units(dwarf);
	return dwarf;
}

struct dwarf *types_dwarf(struct types *types, const void *key)
{
	struct dwarf *dwarf = types->dwarfs;

	while (dwarf && dwarf->key != key)
		dwarf = dwarf->next;
	return dwarf;
}

void dwarf_free_all(struct types *types)
{
	while (types->dwarfs) {
		struct dwarf *dwarf = types->dwarfs;

		types->dwarfs = dwarf->next;
		dwarf_free_units(dwarf);
		budget_release(dwarf->budget, dwarf->held);
		for (int i = 0; i < DWARF_PARTS; i++)
			free(dwarf->sections.parts[i].p);
		table_free(&dwarf->made);
		table_free(&dwarf->functions);
		free(dwarf);
	}
}

static struct str key_of(const uint64_t *number)
{
	return (struct str){ (const char *)number, sizeof(*number) };
}

static void remember(struct types *types, struct table *table, uint64_t number,
		     void *what)
{
	const uint64_t *key = arena_copy(types->arena, &number, sizeof(number));

	table_put(table, key_of(key), what);
}

/* --------------------------------------------------------------- making */

static const char *name_of(struct types *types, const struct dwarf_entry *entry)
{
	enum { LONGEST = 1 << 16, RECORD = 64 };
	size_t length = entry->name ? strnlen(entry->name, LONGEST) : 0;

	/* a name may be in many entries, and is copied for each */
	if (!entry->name || length == LONGEST ||
	    !dwarf_keep(entry->dwarf, length + RECORD))
		return NULL;
	return arena_strndup(types->arena, entry->name, length);
}

static struct type *make_empty(struct types *types,
			       const struct dwarf_entry *entry,
			       enum type_kind kind)
{
	struct type *type = type_new(types, kind, name_of(types, entry));

	type->dwarf = entry->dwarf;
	type->dwarf_entry = entry->offset;
	remember(types, &entry->dwarf->made, entry->offset, type);
	return type;
}

/* While it is being made it points to itself, which reveals a cycle. */
static struct type *make_link(struct types *types,
			      const struct dwarf_entry *entry,
			      enum type_kind kind, unsigned depth)
{
	struct type *type = make_empty(types, entry, kind);

	type->target = type;
	type->target = make(types, &entry->type, depth + 1);
	type->size = type->target->size;
	return type;
}

static struct type *make_qualified(struct types *types,
				   const struct dwarf_entry *entry,
				   enum type_kind kind, unsigned depth)
{
	struct type *type = make_link(types, entry, kind, depth);

	type->name = NULL;
	return type;
}

static struct type *make_number(struct types *types,
				const struct dwarf_entry *entry)
{
	uint64_t size = entry->byte_size > 16 ? 16 : entry->byte_size;
	uint64_t encoding = entry->encoding;
	enum base_type base = entry->name ? base_type_named(str_of(entry->name))
					  : BASE_COUNT;
	bool is_float = encoding == ENCODING_FLOAT;

	if (base != BASE_COUNT && types->base[base]->size == size) {
		remember(types, &entry->dwarf->made, entry->offset,
			 types->base[base]);
		return types->base[base];
	}
	struct type *type = make_empty(types, entry,
				       is_float ? TYPE_FLOAT : TYPE_INTEGER);

	type->size = size;
	type->bits = (uint32_t)size * 8;
	type->is_signed = encoding == ENCODING_SIGNED || is_float ||
			  encoding == ENCODING_SIGNED_CHAR;
	type->is_char = size == 1 && (encoding == ENCODING_SIGNED_CHAR ||
				      encoding == ENCODING_UNSIGNED_CHAR ||
				      encoding == ENCODING_UTF);
	type->is_bool = encoding == ENCODING_BOOLEAN;
	type->is_complete = true;
	return type;
}

static struct type *make_pointer(struct types *types,
				 const struct dwarf_entry *entry,
				 unsigned depth)
{
	struct type *type = make_link(types, entry, TYPE_POINTER, depth);

	type->name = NULL;
	type->size = sizeof(uint64_t);
	type->bits = 64;
	type->is_user = true;
	type->is_complete = true;
	return type;
}

static uint64_t dimension(const struct dwarf_entry *range)
{
	if (range->has_count)
		return range->count;
	return range->has_upper_bound ? range->upper_bound + 1 : 0;
}

/* int a[2][3]: the last dimension is the innermost array. */
static struct type *make_array(struct types *types,
			       const struct dwarf_entry *entry, unsigned depth)
{
	uint64_t counts[MOST_DIMENSIONS];
	unsigned n = 0;
	struct dwarf_entry range;
	struct type *type = make_link(types, entry, TYPE_ARRAY, depth);

	for (bool more = dwarf_child(entry, &range);
	     more && n < MOST_DIMENSIONS; more = dwarf_next(&range, &range))
		if (range.tag == TAG_SUBRANGE_TYPE)
			counts[n++] = dimension(&range);
	for (; n > 1; n--)
		type->target = type_array(types, type->target, counts[n - 1]);
	type->name = NULL;
	type->count = n ? counts[0] : 0;
	type->is_complete = true;
	type->size = type_size(types, type);
	return type;
}

static struct type *make_forward(struct types *types,
				 const struct dwarf_entry *entry,
				 enum tag_kind tag)
{
	struct type *type = make_empty(types, entry, TYPE_FORWARD);

	type->is_union_tag = tag == TAG_UNION;
	type->is_enum_tag = tag == TAG_ENUM;
	return type;
}

static struct type *make_sou(struct types *types,
			     const struct dwarf_entry *entry, enum tag_kind tag)
{
	struct type *type = make_empty(types, entry,
				       tag == TAG_UNION ? TYPE_UNION
							: TYPE_STRUCT);

	type->size = entry->byte_size;
	type->is_union_tag = tag == TAG_UNION;
	type->is_by_reference = entry->convention == CALL_BY_REFERENCE ||
				(entry->unit->language == LANGUAGE_RUST &&
				 entry->byte_size > LARGEST_OF_RUST);
	return type;
}

static struct type *make_enum(struct types *types,
			      const struct dwarf_entry *entry, unsigned depth)
{
	struct type *type = make_empty(types, entry, TYPE_ENUM);
	struct type *number;

	type->target = type;
	number = type_skip(make(types, &entry->type, depth + 1));
	type->target = NULL;
	type->size = entry->has_byte_size ? entry->byte_size : number->size;
	if (!type->size || type->size > 8)
		type->size = 4;
	type->bits = (uint32_t)type->size * 8;
	type->is_enum_tag = true;
	/* An enum counts as int wherever an int can hold it. */
	type->is_signed = number->kind != TYPE_INTEGER || type->size == 4 ||
			  number->is_signed;
	return type;
}

static struct type *make_tagged(struct types *types,
				const struct dwarf_entry *entry, unsigned depth)
{
	enum tag_kind tag = dwarf_tag_kind(entry->tag);

	/* defined in a unit of its own, which is where its name is */
	if (entry->signature.dwarf)
		return make(types, &entry->signature, depth + 1);
	if (entry->is_declaration)
		return make_forward(types, entry, tag);
	return tag == TAG_ENUM ? make_enum(types, entry, depth)
			       : make_sou(types, entry, tag);
}

/* For a data member: its offset; for a function: two words. */
static struct type *make_member_pointer(struct types *types,
					const struct dwarf_entry *entry)
{
	struct type *word = types->base[BASE_LONG];
	struct dwarf_entry target;
	bool is_function = dwarf_follow(&entry->type, &target) &&
			   target.tag == TAG_SUBROUTINE_TYPE;

	return is_function ? type_array(types, word, 2) : word;
}

static struct type *make_entry(struct types *types,
			       const struct dwarf_entry *entry, unsigned depth)
{
	switch (entry->tag) {
	case TAG_BASE_TYPE:
		return make_number(types, entry);
	case TAG_POINTER_TYPE:
	case TAG_REFERENCE_TYPE:
	case TAG_RVALUE_REFERENCE_TYPE:
		return make_pointer(types, entry, depth);
	case TAG_ARRAY_TYPE:
		return make_array(types, entry, depth);
	case TAG_STRUCTURE_TYPE:
	case TAG_CLASS_TYPE:
	case TAG_UNION_TYPE:
	case TAG_ENUMERATION_TYPE:
		return make_tagged(types, entry, depth);
	case TAG_TYPEDEF:
	case TAG_TEMPLATE_ALIAS:
		return make_link(types, entry, TYPE_TYPEDEF, depth);
	case TAG_CONST_TYPE:
		return make_qualified(types, entry, TYPE_CONST, depth);
	case TAG_VOLATILE_TYPE:
		return make_qualified(types, entry, TYPE_VOLATILE, depth);
	case TAG_RESTRICT_TYPE:
		return make_qualified(types, entry, TYPE_RESTRICT, depth);
	case TAG_ATOMIC_TYPE:
		return make(types, &entry->type, depth + 1);
	case TAG_SUBROUTINE_TYPE:
		return types->base[BASE_FUNCTION];
	case TAG_PTR_TO_MEMBER_TYPE:
		return make_member_pointer(types, entry);
	default:
		return types->base[BASE_VOID];
	}
}

static struct type *make(struct types *types, const struct dwarf_ref *ref,
			 unsigned depth)
{
	struct dwarf_entry entry;
	struct type *type = NULL;

	if (!ref->dwarf || depth > DEEPEST)
		return types->base[BASE_VOID];
	if (!ref->signature)
		type = table_get(&ref->dwarf->made, key_of(&ref->offset));
	if (!type) {
		if (!dwarf_follow(ref, &entry))
			return types->base[BASE_VOID];
		type = table_get(&entry.dwarf->made, key_of(&entry.offset));
		if (!type)
			return make_entry(types, &entry, depth);
	}
	return type->target == type ? types->base[BASE_VOID] : type;
}

/* ----------------------------------------------------------- completing */

/* Old compilers count bits of a bit-field from the other end of its unit. */
static uint64_t member_bit(struct types *types, const struct dwarf_entry *entry,
			   struct type *type)
{
	if (entry->has_data_bit_offset)
		return entry->data_bit_offset;
	uint64_t at = entry->member_at * 8;

	if (!entry->has_bit_offset)
		return at;
	uint64_t unit = 8 * (entry->has_byte_size ? entry->byte_size
						  : type_size(types, type));

	return at + unit - entry->bit_offset - entry->bit_size;
}

static void add_member(struct types *types, struct type *sou,
		       const struct dwarf_entry *entry)
{
	bool is_base = entry->tag == TAG_INHERITANCE;

	if (entry->is_unplaced || entry->is_declaration || entry->is_external ||
	    (entry->is_artificial && !is_base))
		return;
	struct type *type = make(types, &entry->type, 0);
	const char *name = is_base ? NULL : name_of(types, entry);

	if (!name && !type_is_sou(types, type))
		return;
	sou->members = arena_grown(types->arena, sou->members, sou->nmembers,
				   sizeof(*sou->members));
	sou->members[sou->nmembers++] = (struct member){
		.name = name,
		.type = type,
		.bit_offset = member_bit(types, entry, type),
		.bit_width = (uint32_t)entry->bit_size,
	};
}

static void add_enumerator(struct types *types, struct type *type,
			   const struct dwarf_entry *entry)
{
	if (!entry->name)
		return;
	type->enumerators = arena_grown(types->arena, type->enumerators,
					type->nenumerators,
					sizeof(*type->enumerators));
	type->enumerators[type->nenumerators++] = (struct enumerator){
		name_of(types, entry), entry->const_value
	};
}

/* Foo(const Foo &), Foo(Foo &&) */
static bool is_copying(const struct dwarf_entry *class,
		       const struct dwarf_entry *function)
{
	size_t length = class->name ? strcspn(class->name, "<") : 0;
	struct dwarf_entry param, type;

	if (!length || !function->name ||
	    strncmp(function->name, class->name, length) ||
	    (function->name[length] && function->name[length] != '<') ||
	    !dwarf_child(function, &param) || !dwarf_next(&param, &param) ||
	    !dwarf_follow(&param.type, &type))
		return false;
	if (type.tag != TAG_REFERENCE_TYPE &&
	    type.tag != TAG_RVALUE_REFERENCE_TYPE)
		return false;
	if (!dwarf_follow(&type.type, &type))
		return false;
	if (type.tag == TAG_CONST_TYPE && !dwarf_follow(&type.type, &type))
		return false;
	return type.dwarf == class->dwarf && type.offset == class->offset;
}

/*
 * What C++ copies by a function, or takes apart by one, is passed by its
 * address.  Some compilers mark such a class; with others it depends on what it
 * has: a destructor, a copy constructor, anything virtual.
 */
static bool makes_address(const struct dwarf_entry *class,
			  const struct dwarf_entry *child)
{
	switch (child->tag) {
	case TAG_MEMBER:
		return child->is_artificial && child->name &&
		       !strncmp(child->name, "_vptr", 5);
	case TAG_INHERITANCE:
		return child->is_unplaced;
	case TAG_SUBPROGRAM:
		return !child->is_trivial && child->name &&
		       (child->name[0] == '~' || is_copying(class, child));
	default:
		return false;
	}
}

bool dwarf_complete(struct types *types, struct type *type)
{
	struct dwarf_ref ref = {
		.dwarf = type->dwarf, .offset = type->dwarf_entry,
	};
	struct dwarf_entry entry, child;

	if ((type->kind != TYPE_STRUCT && type->kind != TYPE_UNION &&
	     type->kind != TYPE_ENUM) ||
	    !dwarf_follow(&ref, &entry))
		return false;
	type->is_complete = true;
	for (bool more = dwarf_child(&entry, &child); more;
	     more = dwarf_next(&child, &child)) {
		type->is_by_reference |= makes_address(&entry, &child);
		if (child.tag == TAG_ENUMERATOR)
			add_enumerator(types, type, &child);
		else if (child.tag == TAG_MEMBER ||
			 child.tag == TAG_INHERITANCE)
			add_member(types, type, &child);
	}
	return true;
}

struct type *dwarf_resolve(struct types *types, struct type *forward)
{
	struct dwarf_ref ref = {
		.dwarf = forward->dwarf, .offset = forward->dwarf_entry,
	};
	struct dwarf_entry entry, found;
	bool is_found = false;

	if (forward->target)
		return forward->target;
	if (forward->dwarf_entry == NO_DEFINITION)
		return NULL;
	if (dwarf_follow(&ref, &entry))
		is_found = dwarf_find_tag(entry.dwarf, entry.unit,
					  type_tag_kind(forward), forward->name,
					  &found);
	forward->dwarf_entry = NO_DEFINITION;
	if (!is_found)
		return NULL;
	ref = (struct dwarf_ref){
		.dwarf = found.dwarf,
		.offset = found.offset,
	};
	struct type *type = make(types, &ref, 0);

	if (type->kind == TYPE_FORWARD || type->kind == TYPE_VOID)
		return NULL;
	forward->target = type;
	return type;
}

/* ------------------------------------------------------------ functions */

struct signature_read {
	struct type *result;
	struct type *params[64];
	const char *names[64];
	uint32_t nparams;
	bool is_variadic;
};

static void read_param(struct types *types, const struct dwarf_entry *entry,
		       struct signature_read *signature)
{
	struct dwarf_entry at = *entry;
	const char *name = at.name;

	if (signature->nparams == 64)
		return;
	for (unsigned i = 0; i < LONGEST_ORIGIN && !at.type.dwarf &&
			     dwarf_follow(&at.origin, &at);
	     i++)
		if (!name)
			name = at.name;
	at.name = name;
	signature->names[signature->nparams] = name_of(types, &at);
	signature->params[signature->nparams++] = make(types, &at.type, 0);
}

static void read_params(struct types *types, const struct dwarf_entry *of,
			struct signature_read *signature)
{
	struct dwarf_entry entry, inner;

	for (bool more = dwarf_child(of, &entry); more;
	     more = dwarf_next(&entry, &entry)) {
		if (entry.tag == TAG_FORMAL_PARAMETER)
			read_param(types, &entry, signature);
		signature->is_variadic |= entry.tag ==
					  TAG_UNSPECIFIED_PARAMETERS;
		if (entry.tag != TAG_PARAMETER_PACK)
			continue;
		for (bool has_inner = dwarf_child(&entry, &inner); has_inner;
		     has_inner = dwarf_next(&inner, &inner))
			if (inner.tag == TAG_FORMAL_PARAMETER)
				read_param(types, &inner, signature);
	}
}

/*
 * A function is described in up to three places: its code, what inlined
 * copies of it have in common, its declaration in a class.  The first two
 * may leave out parameters; the longest list is right.
 */
static enum dwarf_found read_function(struct types *types,
				      const struct dwarf_entry *entry,
				      struct type **type)
{
	struct dwarf_entry at = *entry;
	struct signature_read best = { 0 };
	struct type *result = NULL;

	for (unsigned i = 0; i < LONGEST_ORIGIN; i++) {
		struct signature_read one = { 0 };

		if (at.convention == CALL_NO_CONVENTION ||
		    at.unit->language == LANGUAGE_GO)
			return DWARF_CHANGED;
		/* assemblers know where it is, not what it takes */
		if (at.unit->language == LANGUAGE_ASSEMBLER)
			return DWARF_UNKNOWN;
		read_params(types, &at, &one);
		if (!i || one.nparams > best.nparams)
			best = one;
		if (!result && at.type.dwarf)
			result = make(types, &at.type, 0);
		if (!dwarf_follow(&at.origin, &at))
			break;
	}
	if (!result)
		result = types->base[BASE_VOID];
	*type = type_function(types, result, best.params, best.names,
			      best.nparams, best.is_variadic);
	return DWARF_FOUND;
}

struct function_found {
	enum dwarf_found found;
	struct type *type;
};

enum dwarf_found dwarf_function(struct types *types, struct dwarf *dwarf,
				uint64_t address, struct type **type)
{
	struct function_found *known = table_get(&dwarf->functions,
						 key_of(&address));
	struct dwarf_entry entry;

	if (!known) {
		known = arena_new_of(types->arena, struct function_found);
		known->found = dwarf_find_function(dwarf, address, &entry);
		if (known->found == DWARF_FOUND)
			known->found = read_function(types, &entry,
						     &known->type);
		remember(types, &dwarf->functions, address, known);
	}
	*type = known->type;
	return known->found;
}
