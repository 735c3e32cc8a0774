/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Inside the USDT provider: what its parts share.  usdt.c knows processes,
 * files and names; usdt_program.c builds programs; usdt_explain.c says why
 * nothing matches.
 */

#include "proc/usdt_files.h"
#include "provider/provider.h"
#include "provider/usdt_argument.h"

enum { USDT_ARGUMENTS = LOWER_ARGUMENTS }; /* that D can name */

/* One place where a probe fires. */
struct usdt_site {
	struct usdt_file *file;
	const struct usdt_note *note;
	/* how many there are, and the first of them */
	uint32_t narguments;
	struct usdt_argument arguments[USDT_ARGUMENTS];
};

/* probe->data: all sites with its names, in one function of one process. */
struct usdt_probe {
	pid_t pid;	 /* 0: for all processes without their own */
	bool is_program; /* it is in what the process executes */
	struct usdt_site **sites;
	uint32_t nsites;
	uint32_t first_new;		/* of those added last */
	uint32_t look;			/* at processes, that found them */
	const struct probe_desc *asked; /* a placeholder: what is requested */
	bool is_declared;		/* and types are known */
};

/* provider_data of a group: what usdt_attach() and the program agree on. */
struct usdt_group {
	struct usdt_site **sites; /* the cookie is the index */
	uint32_t nsites;
	/*
	 * Processes with probes of their own, ascending, padded to a power of
	 * two with a value that is not a process.
	 */
	uint32_t *pids;
	uint32_t npids;
	/*
	 * [site][process + 1], 0 being the processes that are not among pids:
	 * index of the probe + 1, or 0.
	 */
	uint32_t *table;
	pid_t only; /* if all is about one process, else 0 */
};

/* Two underscores are a dash. */
void usdt_dash(const char *name, char *to, size_t size);
/* The process that a provider's name ends in, or 0. */
pid_t usdt_process_of(const char *name);
/* Why nothing in these files answers to the description, or NULL. */
const char *usdt_explain_files(struct probe_registry *registry,
			       const struct usdt_files *files,
			       const struct probe_desc *desc);
/* usdt_explain.c: why probes that are described cost more than others. */
const char *usdt_doubt(struct probe_registry *registry,
		       const struct probe_desc *desc, const char **instead);

int usdt_context(struct arena *arena, struct probe_group *group);
