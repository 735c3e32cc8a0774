/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Functions of the kernel: which can be traced (kernel_function.c), and
 * programs on them (function_program.c).  fbt is built on this; so are other
 * providers whose probes are kernel functions:
 *
 *	list():    kernel_functions_match(), and for each that is found
 *	           probe->data = function_point_new(registry, function,
 *	                                            FUNCTION_ENTRY);
 *	shape():   function_point_shape(point)
 *	context(): functions = function_group_new(arena, group, points);
 *	           hooks call function_argument(lower, functions, n) ...
 *	attach():  function_group_attach(context, group, functions)
 *	detach():  function_group_detach(group)
 */

#include "probe/probe.h"

/* Methods to trace a function, from the cheapest to the most general. */
enum function_way {
	FUNCTION_TYPED,		/* fentry, fexit: one program per function */
	FUNCTION_MULTI,		/* kprobe_multi: any number, one link */
	FUNCTION_KPROBE,	/* a perf event each: slow to take away */
	FUNCTION_WAYS
};

struct kernel_function {
	const char *module; /* "vmlinux", or a module's name */
	const char *name;
	uint64_t address;		    /* 0: not known yet */
	uint32_t index;			    /* place in the kernel's list */
	struct kernel_function *next_named; /* of that name, any module */
	bool is_repeated; /* not the first of its name in its module */
};

/* The next function of the same name in the same module, or NULL. */
struct kernel_function *kernel_function_same(struct kernel_function *function);

/*
 * The functions that can be traced here, read at the first call.  NULL: none,
 * and kernel_functions_problem() says why and what to do.
 */
struct kernel_functions;
struct kernel_functions *kernel_functions_of(struct probe_registry *registry);
const char *kernel_functions_problem(struct probe_registry *registry);
void kernel_functions_free(struct kernel_functions *functions);
bool kernel_functions_can(const struct kernel_functions *functions,
			  enum function_way way);

/* All with matching names (first of each name), in the kernel's order. */
void kernel_functions_match(struct kernel_functions *functions,
			    const char *module, const char *name,
			    void (*visit)(void *data,
					  struct kernel_function *function),
			    void *data);
/* Addresses for all of them, where the kernel's list has none. */
void kernel_functions_locate(struct kernel_functions *functions);
/* How many bytes of code it has; 0: that is not known. */
uint64_t kernel_function_size(const struct kernel_functions *functions,
			      const struct kernel_function *function);
/* Its type in BTF; NULL: unknown, or two functions have the name. */
struct type *kernel_function_type(struct probe_registry *registry,
				  const struct kernel_function *function);

/* ----------------------------------------------------- function_program.c */

enum function_where { FUNCTION_ENTRY, FUNCTION_RETURN, FUNCTION_OFFSET };

/* A place in a function that a probe is at. */
struct function_point {
	struct kernel_functions *functions;
	struct kernel_function *function;
	struct type *type; /* set: a typed program is preferred */
	enum function_where where;
	uint64_t offset;       /* FUNCTION_OFFSET: bytes from its start */
	enum function_way way; /* once is_decided */
	bool is_decided;
};

struct function_point *function_point_new(struct probe_registry *registry,
					  struct kernel_function *function,
					  enum function_where where);
/* It is one of few: a typed program is worth while, if the kernel takes it. */
void function_point_prefer_typed(struct probe_registry *registry,
				 struct function_point *point);
/* Points of different shape need programs of their own. */
uint32_t function_point_shape(struct function_point *point);

/*
 * The points of one program: point i is that of the group's probe i.  Sets the
 * group's kind and the hook that distinguishes its probes.
 */
struct function_group;
struct function_group *function_group_new(struct arena *arena,
					  struct probe_group *group,
					  struct function_point *const *points);
/*
 * Argument n as the function was called (at entry; typed programs also have it
 * at return, others 0), and its return value.
 */
ir_reg function_argument(struct lower *lower,
			 const struct function_group *functions, uint32_t n);
ir_reg function_result(struct lower *lower,
		       const struct function_group *functions);
int function_group_attach(struct attach_context *context,
			  struct probe_group *group,
			  const struct function_group *functions);
void function_group_detach(struct probe_group *group);

/* --------------------------------------------------------------- kprobe.c */

struct attachment;

int kprobe_attach(struct attachment *attachment, int program_fd,
		  uint64_t address, bool is_return, uint64_t cookie);
