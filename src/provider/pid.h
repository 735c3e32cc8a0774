/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* The pid provider's own: what its files share; see pid.c. */

#include "arch/arch.h"
#include "proc/functions.h"
#include "proc/map_watch.h"
#include "proc/module.h"
#include "provider/provider.h"

enum pid_kind {
	PID_ENTRY,
	PID_RETURN,	/* the kernel catches it where the function returns to */
	PID_OFFSET,
	PID_END,	/* an instruction that may end the function: pid_return.c */
};

struct pid_process {
	pid_t pid;
	struct modules modules;
	/* pid_follow.c */
	uint64_t device, inode; /* of the program that it executes */
	bool is_due;		/* it has mapped something */
	bool has_left;		/* for another program */
	size_t nseen;		/* modules that have been searched */
	uint32_t looks;		/* that found more of them */
	struct pid_process *next;
};

struct pid_debug;

struct pid_state {
	struct pid_process *processes;
	struct pid_debug *debugs; /* pid_types.c */
	bool is_following;
	bool is_told; /* what processes map */
	struct map_listener listener;
	struct processes *all; /* the source of events */
};

/* An instruction that ends a function, always or sometimes. */
enum end_kind { END_ALWAYS, END_CONDITIONAL, END_INDIRECT };

struct pid_end {
	uint64_t offset; /* from the start of the function */
	enum end_kind kind;
	unsigned condition;	    /* conditional: arch_condition() */
	struct arch_target operand; /* indirect: where the target is */
};

/* Addresses as linked. */
struct pid_range {
	uint64_t start, size;
};

/* Where a probe is. */
struct pid_place {
	struct pid_process *process;
	struct module *module;
	struct image *image; /* of that */
	const struct elf_function *function;
	enum pid_kind kind;
	uint64_t offset;	   /* of the probe, in the function */
	struct pid_end end;	   /* of PID_END */
	struct pid_range range[2]; /* of the function and of its .cold */
	uint32_t look;		   /* at the process, that found it */
	/* for a placeholder: the requested probe name; no function */
	const char *asked;
	struct pid_place *next; /* others of the same name */
};

/* pid_name.c */
/* 0: none is named. */
pid_t pid_of_provider(const char *name);
bool pid_is_our_name(const char *name);
bool pid_is_end_name(const char *name);
/* All of it is a hexadecimal number, as in 4c or 0x4c. */
bool pid_parse_offset(const char *name, uint64_t *offset);
struct probe_error pid_error(struct arena *arena, enum tag tag,
			     const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* What is wrong with it, for `pid` (0: none); no text if nothing is wrong. */
struct probe_error pid_fault_of_desc(struct arena *arena,
				     const struct probe_desc *desc, pid_t pid);

/* pid_search.c */
int pid_list(struct probe_registry *registry, const struct probe_desc *desc,
	     struct probe_error *error);
bool pid_matches(const struct probe *probe, const struct probe_desc *desc);
void pid_forget(void *state);
/*
 * A silent probe that never fires: for programs that are compiled before there
 * is a process for them.
 */
const struct probe *pid_nowhere(struct probe_registry *registry,
				const struct probe_desc *desc);
struct pid_state *pid_state_of(struct probe_registry *registry);

/* pid_return.c: instructions that end a function, by offset. */
struct pid_returns {
	struct pid_end *items;
	size_t count;
	struct pid_range range[2];
};
/*
 * False: the function's code cannot be read as instructions.  With
 * `follows_jumps`, includes the ends of functions that it jumps to, instead of
 * those jumps.
 */
bool pid_find_returns(struct image *image, const struct elf_function *function,
		      bool follows_jumps, struct pid_returns *ends);
void pid_returns_free(struct pid_returns *ends);
/* A byte for each of its bytes: an instruction starts there; NULL: unreadable. */
uint8_t *pid_find_instructions(struct image *image,
			       const struct elf_function *function);
/* Of all its functions; if there are more than `most`, some number above it. */
size_t pid_count_instructions(struct image *image, size_t most);

/* pid_end.c: the ends that a group's program is at, by the number of a site. */
struct pid_ends {
	const struct pid_place **places;
	uint32_t *probes; /* each one's index in the group */
	uint32_t count;
	ir_reg (*tell)(struct lower *lower); /* which site fired; or NULL */
};

/* provider_data of a group */
struct pid_group {
	const struct probe **probes;
	uint32_t nprobes;
	struct uprobe_sites *sites;
	struct pid_ends ends; /* of PID_END */
};

/* After uprobe_context_at(): its program checks whether an end is one. */
void pid_ends_context(struct probe_group *group, struct pid_group *own);

/* pid_skipped.c: the program counts returns that will be left out. */
void pid_skipped_context(struct probe_group *group);

struct probe_error pid_grab_error(struct arena *arena, pid_t pid, int error);
/* pid_explain.c: why nothing matches; NULL if there is nothing to add. */
struct probe_error pid_fault_of_search(struct arena *arena,
				       const struct probe_desc *desc,
				       struct pid_process *process,
				       uint32_t nmodules, uint32_t nfunctions);
const char *pid_explain(struct probe_registry *registry,
			const struct provider *provider,
			const struct probe_desc *desc);
/* An empty field is one, too. */
bool pid_is_glob(const char *text);

/* Arguments of a return that are the words of its result, where it has two. */
enum { PID_RESULT = 10 };

/* pid_types.c */
int pid_argument(struct probe_registry *registry, const struct probe *probe,
		 uint32_t n, struct typed_argument *argument);

/* pid_follow.c */
pid_t pid_process_of(const struct probe_desc *desc);
bool pid_follows(const struct probe_desc *desc);
/* Does it still execute the same program as at the first call? */
bool pid_is_same_program(struct pid_process *process);
bool pid_look(struct probe_registry *registry);
/* NULL: there is none, because it never has to wait. */
const struct probe *pid_announce_placeholder(struct probe_registry *registry,
					     const struct probe_desc *desc,
					     struct pid_process *process);
bool pid_placeholder_matches(const struct probe *probe,
			     const struct probe_desc *desc);
