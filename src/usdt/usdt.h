/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Static probes for C and C++ programs: what `dtrace -h` and `dtrace -G` make
 * of provider declarations.
 *
 *	arch/site.h	the macros of a probe site, part of every header
 *	compat.h	DTRACE_PROBEn() and STAP_PROBEn(), for <sys/sdt.h>
 *	header.c	-h: a header with a macro per probe
 *	object.c	-G: an object file with the semaphores
 *	relocatable.c	an object file in memory, to look into and to add to
 *	sites.c		-G: probe sites in the objects that are to be linked
 *	patch.c		-G: calls of __dtrace_PROVIDER___PROBE() become sites
 *
 * A program built with such a header carries its probes in .note.stapsdt: no
 * object is rewritten, no code runs at its start.  Objects that were compiled
 * against the header of another DTrace call functions instead, which do not
 * exist; -G turns those calls into the same sites.
 */

#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "lang/lang.h"

/* build/gen/site.c: the text of arch/site.h. */
extern const char usdt_site_text[];

/* As many arguments as a compiler allows in an asm statement. */
enum { USDT_MAX_ARGUMENTS = 30 };

/* "query-start" is query__start in notes and symbols. */
void usdt_put_name(struct text *out, const char *name);
/* "postgresql_query__start_semaphore" */
void usdt_put_semaphore(struct text *out, const char *provider,
			const char *probe);

/*
 * The header of the programs' providers.  `path` is where it will be: its
 * include guard is named after it.  `sources` is a word for the first line.
 */
bool usdt_header(struct types *types, struct program *const *programs,
		 uint32_t nprograms, const char *path, struct text *out,
		 struct text *error);

/* The file format and machine of an object file. */
struct usdt_machine {
	uint16_t machine; /* as in ELF headers */
	bool is_32;
};
struct usdt_machine usdt_native_machine(void);

/* An object file that defines the semaphores of all probes, and more. */
struct usdt_object {
	struct usdt_machine machine;
	struct program *const *programs;
	uint32_t nprograms;
	/* objects call the is-enabled functions: define those, too */
	bool has_functions;
};
void usdt_object(const struct usdt_object *object, struct text *out);

/* What was found in an object that is to be linked with it. */
struct usdt_sites {
	uint32_t nsites;   /* of the current providers */
	uint32_t nenabled; /* calls of their is-enabled functions */
	bool is_unknown;   /* it may have sites that cannot be seen yet */
	bool is_changed;   /* calls were turned into sites */
	struct usdt_machine machine; /* .machine 0: not known */
};

/*
 * Count the sites of an object file; calls of probe functions become sites,
 * for which the file is rewritten.  0 or a negative errno, with words.
 */
int usdt_examine(const char *path, struct types *types,
		 struct program *const *programs, uint32_t nprograms,
		 struct usdt_sites *sites, struct text *error);
