/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Inside proc/: processes and what is mapped in them (process.c), for who
 * finds names and for who walks stacks.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/table.h"
#include "proc/eh_frame.h"

/* An object file; the vDSO is one, too (device and inode 0). */
struct object {
	uint64_t device, inode;
	char *path;
	const char *name;		/* last part of the path */
	struct elf_symbols *elf;	/* NULL: not read yet */
	bool is_tried;
	bool is_used;			/* forget.c: some process maps it */
	/* unwind.c: where its rules are, as of that epoch; 0: there are none */
	struct {
		uint64_t epoch, table, base;
		struct eh_code code[EH_CODE_MOST];
		unsigned ncode;
	} rules;
	struct object *next;
};

struct mapping {
	uint64_t start, end, offset;
	bool is_code;
	struct object *object;		/* NULL: code made at run time */
};

/*
 * An address space.  Executing another program makes a new one; those before
 * it are kept for a while, because stacks of theirs may still be printed.
 */
struct space {
	uint64_t layout;		/* unwind.h; 0: nobody could tell */
	uint64_t exact;
	struct mapping *mappings;	/* by address */
	size_t count;
	uint64_t since;			/* ns: when it was made */
	bool has_machinery;		/* code of the kernel's, for probes */
	struct space *older;
};

struct process {
	uint32_t pid;
	struct space *space;		/* the last one; NULL: not read yet */
	uint64_t read_at;		/* ns; 0: never */
	struct jit_names *jit;		/* of code made at run time, or NULL */
	bool is_jit_tried;
	uid_t user;			/* FOREIGN_NOBODY: not known */
	bool is_tracked;		/* its space is told by events */
	bool is_asked;			/* somebody wants to know it */
	bool is_kept;			/* forget.c: and will ask again */
	uint64_t exited_at;		/* ns; 0: it is there */
	struct process *next;
};

enum { PROCESS_BUCKETS = 256 };

struct processes {
	struct process *by_pid[PROCESS_BUCKETS];
	struct object *objects[PROCESS_BUCKETS];
	struct budget *budget;		/* for what is read of files */
	struct map_watch *watch;	/* NULL: nobody tells */
	struct table readable;		/* demangled names, by mangled ones */
	bool is_mangled;		/* names stay as the linker has them */
	/* forget.c: how many are worth a look at which are needed */
	size_t nasked, nobjects, asked_limit, objects_limit;
};

/* process.c */
uint64_t processes_now(void);
struct process *process_known(const struct processes *processes, uint32_t pid);
struct process *process_of(struct processes *processes, uint32_t pid);
/* The same, after looking at what happened; it will be kept. */
struct process *process_asked(struct processes *processes, uint32_t pid);

/* forget.c */
void object_free(struct object *object);

/* space.c */
void process_free(struct process *process);
/* Read its mappings, if nobody tells them; false: it cannot be looked at (any more). */
bool process_read(struct processes *processes, struct process *process);
/* Read them in any case: more is there than was told. */
void process_read_again(struct processes *processes, struct process *process);
/* Opens the file of a mapping; -1: it is not there. */
int process_open(const struct process *process, const struct mapping *mapping);
/* What is mapped at an address, in the newest space that has it; or NULL. */
const struct mapping *space_find(const struct space *space, uint64_t address);

/*
 * jit.c: the name of code that the process made, from the map it writes for
 * profilers; NULL: it does not say.
 */
const char *jit_names_find(struct processes *processes,
			   struct process *process, uint64_t address,
			   uint64_t *start);
void jit_names_free(struct jit_names *names);
