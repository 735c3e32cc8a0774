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
 *
 * Here are the class and its methods; class_code.h has what is inside of one.
 */
#include "classfile.h"

#include <stdlib.h>
#include <string.h>

#include "class_code.h"

/* The contents of the attribute Code. */
static bool rewrite_code(struct rewrite *w, struct in *in, struct out *out)
{
	w->max_stack = in_get(in, 2);
	w->max_locals = in_get(in, 2);
	w->size = in_get(in, 4);
	if (!in_has(in, w->size) || !w->size || w->size > MOST_CODE)
		return code_refuse(w, code_damaged);
	w->code = in->bytes + in->at;
	in_skip(in, w->size);
	w->map = malloc((w->size + 1) * sizeof(*w->map));
	if (!w->map)
		return code_refuse(w, "there is no memory");
	if (!code_lay_out(w) || !code_fix_jumps(w))
		return false;
	if (w->max_stack + w->stack > 65535)
		return code_refuse(w, "its stack would be too large");
	out_put(out, w->max_stack + w->stack, 2);
	out_put(out, w->max_locals, 2);
	out_put(out, (uint32_t)w->out.size, 4);
	out_bytes(out, w->out.bytes, w->out.size);
	if (!tables_handlers(w, in, out) ||
	    !tables_attributes(w, in, out, w->method->leave))
		return false;
	if (out->is_bad || w->pool->more.is_bad)
		return code_refuse(w, "there is no memory");
	return w->pool->next <= MOST_POOL
		       ? true
		       : code_refuse(w, "its class has too many constants");
}

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

	out_put(out, 0, 4);
	if (rewrite_code(&w, in, out)) {
		out_put_at(out, start, (uint32_t)(out->size - start - 4), 4);
		method->is_done = class->is_changed = true;
	} else {
		method->problem = w.problem ? w.problem : code_damaged;
		out->size = start;
		class->pool.more.size = extra;
		class->pool.next = next;
		out_put(out, (uint32_t)copy.size, 4);
		out_bytes(out, copy.bytes, copy.size);
	}
	free(w.map);
	free(w.out.bytes);
}

/* A field or a method. */
static void copy_member(struct class *class, bool is_method)
{
	struct in *in = &class->in;
	struct out *out = &class->out;
	uint32_t access = in_get(in, 2), name = in_get(in, 2),
		 descriptor = in_get(in, 2);
	uint32_t count = in_get(in, 2);
	struct classfile_method *method = is_method ? wanted(class, name,
							     descriptor)
						    : NULL;

	out_put(out, access, 2);
	out_put(out, name, 2);
	out_put(out, descriptor, 2);
	out_put(out, count, 2);
	for (uint32_t i = 0; i < count && !in->is_bad; i++) {
		uint32_t attribute = in_get(in, 2);
		uint32_t size = in_get(in, 4);
		struct in inner = in_part(in, size);

		if (in->is_bad)
			return;
		out_put(out, attribute, 2);
		if (method && !method->is_done && !method->problem &&
		    pool_is(&class->pool, attribute, "Code")) {
			copy_code(class, method, access, &inner);
			continue;
		}
		out_put(out, size, 4);
		out_bytes(out, inner.bytes, inner.size);
	}
}

static void copy_members(struct class *class, bool are_methods)
{
	uint32_t count = in_get(&class->in, 2);

	out_put(&class->out, count, 2);
	for (uint32_t i = 0; i < count && !class->in.is_bad; i++)
		copy_member(class, are_methods);
}

static bool read_class(struct class *class)
{
	struct in *in = &class->in;

	if (in_get(in, 4) != 0xcafebabe)
		return false;
	class->version = in_get(in, 4) & 0xffff;
	if (!pool_read(in, &class->pool))
		return false;
	size_t start = in->at;

	in_skip(in, 6);
	in_skip(in, 2 * (size_t)in_get(in, 2));
	if (in->is_bad)
		return false;
	out_bytes(&class->out, in->bytes + start, in->at - start);
	copy_members(class, false);
	copy_members(class, true);
	if (in->is_bad)
		return false;
	out_bytes(&class->out, in->bytes + in->at, in->size - in->at);
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
		pool_free(&again);
		end = in.at;
		out_bytes(&all, bytes, 8);
		out_put(&all, pool->next, 2);
		out_bytes(&all, bytes + 10, end - 10);
		out_bytes(&all, pool->more.bytes, pool->more.size);
		out_bytes(&all, class.out.bytes, class.out.size);
		if (all.is_bad || class.out.is_bad || pool->more.is_bad) {
			*problem = "there is no memory";
			free(all.bytes);
			all.bytes = NULL;
		}
	}
	pool_free(&class.pool);
	free(class.out.bytes);
	*new_size = all.size;
	return all.bytes;
}
