/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * The modules of a process: images that have code in it, and where.
 */

#include "proc/image.h"

struct module {
	struct image *image;
	char *path;	       /* as the process sees it */
	const char *name;      /* its last part */
	uint64_t start;	       /* of its first mapping, and what file byte */
	uint64_t start_offset; /* that is */
	uint64_t map_start, map_end; /* of an executable mapping */
	bool is_program;	     /* the executable itself */
	/* module_open_file(): */
	bool is_tried;
	int error; /* a negative errno: it cannot be opened */
	enum elf_problem problem;
	uint64_t bias; /* address in the process - as linked */
};

struct modules {
	pid_t pid;
	struct module **items; /* each stays where it is */
	size_t count;
	char root[32];		     /* /proc/PID/root */
	struct processes *processes; /* owner of the images */
};

/*
 * The objects with code in a process; 0 or a negative errno.  A second call
 * adds new ones and keeps the others.
 */
int modules_read(struct modules *modules, pid_t pid);
void modules_free(struct modules *modules);
/* Open it, once; false: see problem. */
bool module_open_file(const struct modules *modules, struct module *module);
/* The same, and read its functions. */
bool module_open(const struct modules *modules, struct module *module);
/*
 * Is this how people call it: libc.so.6, libc.so, libc, a.out, a glob, or the
 * whole path?
 */
bool module_answers(const struct module *module, const char *pattern);
/*
 * The same for one of a process, which has one C library: libc.so.1 of other
 * systems is its libc.so.6, and then *is_other_version.
 */
bool modules_answer(const struct modules *modules, const struct module *module,
		    const char *pattern, bool *is_other_version);
