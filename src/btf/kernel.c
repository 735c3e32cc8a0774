/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kernel's types: which files to read, and what to make of their records.
 *
 * 1. vmlinux is opened by the first question that reaches this file, modules
 *    only when a scope names one or an unscoped name is nowhere else.  What
 *    an unscoped search found, or that it found nothing, is remembered.
 * 2. A record becomes a `struct type` together with the chain of types it is
 *    derived from (pointer, array, typedef ... down to a struct or integer).
 *    Members, enumerators and parameters wait for type_complete().  One
 *    member is read without the others: naming curthread->pid must not make
 *    types of all 250 members of task_struct.
 * 3. A damaged file may have cyclic chains.  While a chain is being made its
 *    links point to themselves, which reveals a second visit; such a link, like
 *    everything unreadable, becomes void.
 * 4. C's base types become D's, so that "long unsigned int" reads "unsigned
 *    long" in messages and char is signed.
 */
#include "btf/internal.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BTF_DIRECTORY "/sys/kernel/btf"

struct btf_module {
	const char *name;
	struct btf_file *file;
	bool is_tried;
};

/* ---------------------------------------------------------------- files */

int types_kernel_available(struct types *types)
{
	if (types->kernel_state == KERNEL_UNTRIED) {
		const char *path = types->kernel_path;

		types->kernel_error = btf_open(&types->kernel,
					       path ? path
						    : BTF_DIRECTORY "/vmlinux",
					       NULL, "");
		types->kernel_state = types->kernel_error ? KERNEL_CLOSED
							  : KERNEL_OPEN;
	}
	return types->kernel_error;
}

void types_without_kernel(struct types *types)
{
	types->kernel_state = KERNEL_CLOSED;
	types->kernel_error = -ENOENT;
}

int types_use_btf_file(struct types *types, const char *path)
{
	kernel_free(types);
	types->kernel_path = arena_strdup(types->arena, path);
	types->kernel_state = KERNEL_UNTRIED;
	types->modules_listed = true;
	return types_kernel_available(types);
}

static void free_user_files(struct types *types)
{
	for (size_t i = 0; i < types->user_files.count; i++) {
		btf_close(vec_at(&types->user_files, i, struct btf_file));
		free(types->user_bytes.items[i]);
	}
	vec_free(&types->user_files);
	vec_free(&types->user_bytes);
	types->user_files = types->user_bytes = (struct vec){ 0 };
}

void kernel_free(struct types *types)
{
	free_user_files(types);
	for (size_t i = 0; i < types->modules.count; i++)
		btf_close(vec_at(&types->modules, i, struct btf_module)->file);
	vec_free(&types->modules);
	types->modules = (struct vec){ 0 };
	btf_close(types->kernel);
	types->kernel = NULL;
	table_free(&types->found);
	types->found = (struct table){ 0 };
	types_without_kernel(types);
}

static struct btf_module *add_module(struct types *types, const char *name)
{
	struct btf_module *module = arena_new_of(types->arena,
						 struct btf_module);

	module->name = arena_strdup(types->arena, name);
	vec_push(&types->modules, module);
	return module;
}

static void list_modules(struct types *types)
{
	if (types->modules_listed)
		return;
	types->modules_listed = true;
	DIR *directory = opendir(BTF_DIRECTORY);

	if (!directory)
		return;
	for (struct dirent *entry; (entry = readdir(directory));)
		if (entry->d_name[0] != '.' && strcmp(entry->d_name, "vmlinux"))
			add_module(types, entry->d_name);
	closedir(directory);
}

static struct btf_file *module_file(struct types *types,
				    struct btf_module *module)
{
	if (!module->is_tried) {
		char *path = arena_printf(types->arena, BTF_DIRECTORY "/%s",
					  module->name);

		module->is_tried = true;
		if (btf_open(&module->file, path, types->kernel, module->name))
			module->file = NULL;
	}
	return module->file;
}

/* A module may be named with '-' or '_'; files have '_'. */
static bool same_module(const char *a, const char *b)
{
	for (; *a && *b; a++, b++)
		if (*a != *b && !(strchr("-_", *a) && strchr("-_", *b)))
			return false;
	return *a == *b;
}

static struct btf_module *find_module(struct types *types, const char *name)
{
	list_modules(types);
	for (size_t i = 0; i < types->modules.count; i++) {
		struct btf_module *module = vec_at(&types->modules, i,
						   struct btf_module);

		if (same_module(module->name, name))
			return module;
	}
	return NULL;
}

/* Part of the kernel itself under a module's name? */
static bool is_built_in(struct types *types, const char *name)
{
	if (strchr(name, '/') || name[0] == '.')
		return false;
	char *path = arena_printf(types->arena, "/sys/module/%s", name);

	return !access(path, F_OK);
}

static bool is_kernel_proper(const char *scope)
{
	return !*scope || !strcmp(scope, "vmlinux") ||
	       !strcmp(scope, "genunix");
}

/* A record by kind and name; `*where` is the file that has it. */
static uint32_t search(struct types *types, const char *scope, uint32_t kinds,
		       struct str name, struct btf_file **where)
{
	if (types_kernel_available(types))
		return 0;
	uint32_t id = 0;

	if (scope && !is_kernel_proper(scope)) {
		struct btf_module *module = find_module(types, scope);

		*where = module ? module_file(types, module) : NULL;
		if (*where)
			id = btf_find(*where, kinds, name);
		if (id || (!module && !is_built_in(types, scope)))
			return id;
	}
	*where = types->kernel;
	id = btf_find(types->kernel, kinds, name);
	if (id || scope)
		return id;

	list_modules(types);
	for (size_t i = 0; i < types->modules.count && !id; i++) {
		*where = module_file(types, vec_at(&types->modules, i,
						   struct btf_module));
		if (*where)
			id = btf_find(*where, kinds, name);
	}
	return id;
}

/* --------------------------------------------------------------- making */

static struct type *make(struct types *types, struct btf_file *file,
			 uint32_t id, unsigned depth);

static const char *record_name(struct btf_file *file,
			       const struct btf_record *record)
{
	const char *name = btf_string(file, record->name);

	return *name ? name : NULL;
}

static struct type *make_empty(struct types *types, struct btf_file *file,
			       const struct btf_record *record,
			       enum type_kind kind)
{
	struct type *type = type_new(types, kind, record_name(file, record));

	type->btf = file;
	type->btf_id = record->id;
	btf_set_made(file, record->id, type);
	return type;
}

/* A link of a chain: its target is made before it is handed out. */
static struct type *make_link(struct types *types, struct btf_file *file,
			      const struct btf_record *record,
			      enum type_kind kind, uint32_t target,
			      unsigned depth)
{
	struct type *type = make_empty(types, file, record, kind);

	type->target = type;
	type->target = make(types, file, target, depth + 1);
	type->size = type->target->size;
	return type;
}

static struct type *make_number(struct types *types, struct btf_file *file,
				const struct btf_record *record)
{
	enum { SIGNED = 1, CHAR = 2, BOOL = 4 };
	bool is_float = record->kind == BTF_FLOAT;
	uint32_t size = record->size_or_type;
	uint32_t info = is_float ? 0 : btf_word(record, 0);
	uint32_t bits = is_float ? size * 8 : info & 0xff;
	uint32_t encoding = info >> 24 & 0xf;
	const char *name = record_name(file, record);
	enum base_type base = name ? base_type_named(str_of(name)) : BASE_COUNT;

	if (base != BASE_COUNT && types->base[base]->size == size &&
	    types->base[base]->bits == bits) {
		btf_set_made(file, record->id, types->base[base]);
		return types->base[base];
	}
	struct type *type = make_empty(types, file, record,
				       is_float ? TYPE_FLOAT : TYPE_INTEGER);

	type->size = size > 16 ? 16 : size;
	type->bits = bits;
	type->is_signed = encoding & SIGNED || is_float;
	type->is_char = encoding & CHAR;
	type->is_bool = encoding & BOOL;
	type->is_complete = true;
	return type;
}

static struct type *make_pointer(struct types *types, struct btf_file *file,
				 const struct btf_record *record,
				 unsigned depth)
{
	uint32_t target = record->size_or_type;
	struct btf_record tag;
	bool is_user = btf_is_user(file);

	for (unsigned i = 0; i < DEEPEST && btf_read(file, target, &tag) &&
			     tag.kind == BTF_TYPE_TAG;
	     i++) {
		is_user |= !strcmp(btf_string(file, tag.name), "user");
		target = tag.size_or_type;
	}
	struct type *type = make_link(types, file, record, TYPE_POINTER, target,
				      depth);

	type->name = NULL;
	type->size = sizeof(uint64_t);
	type->bits = 64;
	type->is_user = is_user;
	type->is_complete = true;
	if (!is_user && !type->target->pointer_to)
		type->target->pointer_to = type;
	return type;
}

static struct type *make_array(struct types *types, struct btf_file *file,
			       const struct btf_record *record, unsigned depth)
{
	struct type *type = make_link(types, file, record, TYPE_ARRAY,
				      btf_word(record, 0), depth);

	type->name = NULL;
	type->count = btf_word(record, 2);
	type->size = type_size(types, type);
	type->is_complete = true;
	return type;
}

static struct type *make_sou(struct types *types, struct btf_file *file,
			     const struct btf_record *record)
{
	struct type *type = make_empty(types, file, record,
				       record->kind == BTF_UNION ? TYPE_UNION
								 : TYPE_STRUCT);

	type->size = record->size_or_type;
	type->is_union_tag = record->kind == BTF_UNION;
	return type;
}

static struct type *make_enum(struct types *types, struct btf_file *file,
			      const struct btf_record *record)
{
	struct type *type = make_empty(types, file, record, TYPE_ENUM);

	type->size = record->size_or_type > 8 ? 8 : record->size_or_type;
	type->bits = (uint32_t)type->size * 8;
	type->is_enum_tag = true;
	/* An enum counts as int wherever an int can hold it. */
	type->is_signed = record->flag || record->kind == BTF_ENUM;
	return type;
}

static struct type *make_forward(struct types *types, struct btf_file *file,
				 const struct btf_record *record)
{
	struct type *type = make_empty(types, file, record, TYPE_FORWARD);

	type->is_union_tag = record->flag;
	return type;
}

/* Not a shared object: a FUNC has a name that its prototype lacks. */
static struct type *make_function(struct types *types, struct btf_file *file,
				  const struct btf_record *record,
				  unsigned depth)
{
	struct btf_record prototype = *record;

	if (record->kind == BTF_FUNC &&
	    (!btf_read(file, record->size_or_type, &prototype) ||
	     prototype.kind != BTF_FUNC_PROTO))
		return types->base[BASE_VOID];
	struct type *type = make_link(types, file, record, TYPE_FUNCTION,
				      prototype.size_or_type, depth);

	type->size = 0;
	return type;
}

static struct type *make(struct types *types, struct btf_file *file,
			 uint32_t id, unsigned depth)
{
	struct btf_record record;

	if (!id || depth > DEEPEST)
		return types->base[BASE_VOID];
	file = btf_owner(file, id);
	struct type *type = btf_made(file, id);

	if (type)
		return type->target == type ? types->base[BASE_VOID] : type;
	if (!btf_read(file, id, &record))
		return types->base[BASE_VOID];

	uint32_t target = record.size_or_type;

	switch (record.kind) {
	case BTF_INT:
	case BTF_FLOAT:
		return make_number(types, file, &record);
	case BTF_PTR:
		return make_pointer(types, file, &record, depth);
	case BTF_ARRAY:
		return make_array(types, file, &record, depth);
	case BTF_STRUCT:
	case BTF_UNION:
		return make_sou(types, file, &record);
	case BTF_ENUM:
	case BTF_ENUM64:
		return make_enum(types, file, &record);
	case BTF_FWD:
		return make_forward(types, file, &record);
	case BTF_TYPEDEF:
		return make_link(types, file, &record, TYPE_TYPEDEF, target,
				 depth);
	case BTF_CONST:
		return make_link(types, file, &record, TYPE_CONST, target,
				 depth);
	case BTF_VOLATILE:
		return make_link(types, file, &record, TYPE_VOLATILE, target,
				 depth);
	case BTF_RESTRICT:
		return make_link(types, file, &record, TYPE_RESTRICT, target,
				 depth);
	case BTF_FUNC:
	case BTF_FUNC_PROTO:
		return make_function(types, file, &record, depth);
	case BTF_TYPE_TAG:
	case BTF_VAR:
		return make(types, file, target, depth + 1);
	default:
		return types->base[BASE_VOID];
	}
}

/* ----------------------------------------------------------- completing */

static struct member read_member(struct types *types, struct btf_file *file,
				 const struct btf_record *sou, uint32_t index)
{
	uint32_t place = btf_word(sou, index * 3u + 2);
	const char *name = btf_string(file, btf_word(sou, index * 3u));
	struct member member = {
		.name = *name ? name : NULL,
		.type = make(types, file, btf_word(sou, index * 3u + 1), 0),
		.bit_offset = place,
	};

	if (sou->flag) {
		member.bit_offset = place & 0xffffff;
		member.bit_width = place >> 24;
		return member;
	}
	/* Older files describe a bit-field by an integer of odd width. */
	const struct type *type = type_skip(member.type);

	if (type->kind == TYPE_INTEGER && type->bits < type->size * 8)
		member.bit_width = type->bits;
	return member;
}

static void complete_function(struct types *types, struct type *type,
			      const struct btf_record *prototype)
{
	uint32_t count = prototype->vlen;

	type->nparams = count;
	type->params = arena_array_of(types->arena, struct type *, count);
	type->param_names = arena_array_of(types->arena, const char *, count);
	for (uint32_t i = 0; i < count; i++) {
		const char *name = btf_string(type->btf,
					      btf_word(prototype, i * 2u));
		uint32_t id = btf_word(prototype, i * 2u + 1);

		type->params[i] = make(types, type->btf, id, 0);
		type->param_names[i] = *name ? name : NULL;
		/* "..." is a last parameter without name and type */
		if (i + 1 == count && !id && !*name) {
			type->is_variadic = true;
			type->nparams--;
		}
	}
}

bool kernel_complete(struct types *types, struct type *type)
{
	struct btf_record record;

	if (!btf_read(type->btf, type->btf_id, &record))
		return false;
	if (record.kind == BTF_FUNC &&
	    !btf_read(type->btf, record.size_or_type, &record))
		return false;

	switch (type->kind) {
	case TYPE_STRUCT:
	case TYPE_UNION:
		type->members = arena_array_of(types->arena, struct member,
					       record.vlen);
		type->nmembers = record.vlen;
		for (uint32_t i = 0; i < record.vlen; i++)
			type->members[i] = read_member(types, type->btf,
						       &record, i);
		break;
	case TYPE_ENUM:
		type->enumerators = arena_array_of(types->arena,
						   struct enumerator,
						   record.vlen);
		type->nenumerators = record.vlen;
		for (uint32_t i = 0; i < record.vlen; i++) {
			struct enumerator *one = &type->enumerators[i];
			uint32_t name;

			one->value = btf_enumerator(&record, i, &name);
			one->name = btf_string(type->btf, name);
		}
		break;
	case TYPE_FUNCTION:
		complete_function(types, type, &record);
		break;
	default:
		return false;
	}
	type->is_complete = true;
	return true;
}

/* Named members first: most names are found before any type is made. */
bool kernel_member(struct types *types, struct type *sou, const char *name,
		   unsigned *budget, struct member *found)
{
	struct btf_record record;

	if (!btf_read(sou->btf, sou->btf_id, &record))
		return false;
	for (uint32_t i = 0; i < record.vlen; i++) {
		const char *known = btf_string(sou->btf,
					       btf_word(&record, i * 3u));

		if (!strcmp(known, name)) {
			*found = read_member(types, sou->btf, &record, i);
			return true;
		}
	}
	for (uint32_t i = 0; i < record.vlen; i++) {
		if (*btf_string(sou->btf, btf_word(&record, i * 3u)))
			continue;
		struct member member = read_member(types, sou->btf, &record, i);

		if (type_member_deep(types, member.type, name, budget, found)) {
			found->bit_offset += member.bit_offset;
			return true;
		}
	}
	return false;
}

/* -------------------------------------------------------------- look-up */

static const uint32_t tag_masks[] = {
	[TAG_NONE] = BTF_MASK(BTF_TYPEDEF) | BTF_MASK(BTF_INT) |
		     BTF_MASK(BTF_FLOAT),
	[TAG_STRUCT] = BTF_MASK(BTF_STRUCT),
	[TAG_UNION] = BTF_MASK(BTF_UNION),
	[TAG_ENUM] = BTF_MASK(BTF_ENUM) | BTF_MASK(BTF_ENUM64),
};

static struct type *lookup(struct types *types, const char *scope,
			   enum tag_kind tag, struct str name)
{
	struct btf_file *file;
	uint32_t id = search(types, scope, tag_masks[tag], name, &file);

	if (id)
		return make(types, file, id, 0);
	if (tag == TAG_NONE || tag == TAG_ENUM)
		return NULL;
	id = search(types, scope, BTF_MASK(BTF_FWD), name, &file);
	struct type *forward = id ? make(types, file, id, 0) : NULL;

	return forward && type_tag_kind(forward) == tag ? forward : NULL;
}

struct type *kernel_lookup(struct types *types, const char *scope,
			   enum tag_kind tag, struct str name)
{
	char key[256];
	int length = snprintf(key, sizeof(key), "%d%.*s", (int)tag, (int)name.n,
			      name.p);

	if (types_kernel_available(types) || length >= (int)sizeof(key))
		return NULL;
	if (scope)
		return lookup(types, scope, tag, name);

	struct type **known = table_get(&types->found, str_of(key));

	if (!known) {
		known = arena_new_of(types->arena, struct type *);
		*known = lookup(types, NULL, tag, name);
		table_put(&types->found,
			  str_of(arena_strdup(types->arena, key)), known);
	}
	return *known;
}

/* The definition of a tag in the module that has a forward of it. */
static struct type *resolve_in_module(struct types *types, struct type *forward)
{
	if (!forward->btf || forward->btf == types->kernel)
		return NULL;
	uint32_t id = btf_find(forward->btf, tag_masks[type_tag_kind(forward)],
			       str_of(forward->name));

	return id ? make(types, forward->btf, id, 0) : NULL;
}

struct type *kernel_resolve(struct types *types, struct type *forward)
{
	enum tag_kind tag = type_tag_kind(forward);
	struct str name = str_of(forward->name);

	/*
	 * A kernel forward caches the result; D's may still be defined in
	 * place.
	 */
	if (forward->target)
		return forward->target;
	struct type *found = resolve_in_module(types, forward);
	bool is_user = forward->btf && btf_is_user(forward->btf);

	if (!found && !is_user) {
		found = types_lookup(types, "D", tag, name);
		if (found && found->kind == TYPE_FORWARD)
			found = NULL;
	}
	if (!found && !is_user)
		found = kernel_lookup(types, NULL, tag, name);
	if (!found || found->kind == TYPE_FORWARD)
		return NULL;
	if (forward->btf)
		forward->target = found;
	return found;
}

static struct type *completed(struct types *types, struct type *type)
{
	return type->kind == TYPE_FUNCTION && type_complete(types, type) ? type
									 : NULL;
}

struct type *types_function(struct types *types, const char *module,
			    const char *name)
{
	struct btf_file *file;
	uint32_t id = search(types, module, BTF_MASK(BTF_FUNC), str_of(name),
			     &file);

	return id ? completed(types, make(types, file, id, 0)) : NULL;
}

struct btf_file *types_add_user_btf(struct types *types, void *bytes,
				    size_t size)
{
	struct btf_file *file;

	if (btf_open_memory(&file, bytes, size, NULL, "")) {
		free(bytes);
		return NULL;
	}
	btf_set_user(file);
	vec_push(&types->user_files, file);
	vec_push(&types->user_bytes, bytes);
	return file;
}

struct type *types_user_function(struct types *types, struct btf_file *file,
				 const char *name)
{
	uint32_t id = btf_find(file, BTF_MASK(BTF_FUNC), str_of(name));

	return id ? completed(types, make(types, file, id, 0)) : NULL;
}

uint32_t types_variable_id(struct types *types, const char *module,
			   const char *name, struct btf_file **file)
{
	return search(types, module, BTF_MASK(BTF_VAR), str_of(name), file);
}

struct type *types_variable(struct types *types, const char *module,
			    const char *name)
{
	struct btf_file *file;
	uint32_t id = types_variable_id(types, module, name, &file);

	return id ? make(types, file, id, 0) : NULL;
}

struct type *types_tracepoint(struct types *types, const char *name)
{
	struct btf_file *file;
	char *alias = arena_printf(types->arena, "btf_trace_%s", name);
	uint32_t id = search(types, NULL, BTF_MASK(BTF_TYPEDEF), str_of(alias),
			     &file);

	if (!id)
		return NULL;
	struct type *pointer = type_skip(make(types, file, id, 0));

	if (pointer->kind != TYPE_POINTER)
		return NULL;
	struct type *native = completed(types, type_skip(pointer->target));

	if (!native || !native->nparams)
		return NULL;
	struct type *type = type_function(types, native->target,
					  native->params + 1,
					  native->param_names + 1,
					  native->nparams - 1,
					  native->is_variadic);

	type->name = alias + strlen("btf_trace_");
	type->btf = file;
	type->btf_id = id;
	return type;
}

bool types_enumerator(struct types *types, const char *name, int64_t *value)
{
	if (types_kernel_available(types))
		return false;
	if (btf_find_enumerator(types->kernel, str_of(name), value))
		return true;
	for (size_t i = 0; i < types->modules.count; i++) {
		struct btf_file *file =
			vec_at(&types->modules, i, struct btf_module)->file;

		if (file && btf_find_enumerator(file, str_of(name), value))
			return true;
	}
	return false;
}
