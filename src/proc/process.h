/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Inside proc/: a session's model of processes, one for all its users: the pid
 * and USDT providers, typed arguments, names, stacks.
 *
 *	struct processes	owns everything below; the session owns it
 *	struct process		a process, by its number
 *	struct space		its address space: mappings, while stacks of it
 *				may be printed (space.c)
 *	struct image		a file that some process maps, and all that was
 *				read of it (image.h): functions, names, rules
 *	struct served		which files may be opened at all (served.h)
 *
 * and what others build on that, and own themselves:
 *
 *	struct modules		images that have code in a process, by name: pid
 *	struct usdt_files	images with sites, and the processes that use them
 *	struct symbols		names of addresses, the kernel's too
 *	struct unwind		tables for the walk of stacks, in BPF memory
 *
 * 1. Mappings come from /proc/PID/maps (maps.h) when a process is first
 *    requested, or from the kernel as they are created (map_watch.h).  Both
 *    have one reader; every consumer gets the same events.
 * 2. An image is opened and read when its contents are needed, once, through
 *    any process that maps it.  Symbol tables have one reader (elf_tables.h).
 *    What is read is charged to the session's budget.
 * 3. A process that has ended is forgotten some seconds later, unless its
 *    addresses are marked as still to be printed (forget.c); an image when no
 *    process is known to map it and it is not pinned.
 * 4. Nothing here resumes a process.  A held one runs when its session says so
 *    (target.h).
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/table.h"
#include "proc/image.h"
#include "proc/maps.h"

struct mapping {
	uint64_t start, end, offset;
	bool is_code;
	struct image *image; /* NULL: code generated at run time */
};

/*
 * An address space.  Executing another program creates a new one; earlier ones
 * are kept for a while, because their stacks may still be printed.
 */
struct space {
	uint64_t layout; /* unwind.h; 0: not known */
	uint64_t exact;
	struct mapping *mappings; /* by address */
	size_t count;
	uint64_t since;	    /* ns: when it was created */
	bool has_machinery; /* code of the kernel's, for probes */
	struct space *older;
};

struct process {
	uint32_t pid;
	struct space *space;		 /* the last one; NULL: not read yet */
	uint64_t read_at;		 /* ns; 0: never */
	struct jit_names *jit;		 /* of generated code, or NULL */
	struct runtime_process *runtime; /* of its language, or NULL */
	bool is_jit_tried;
	uid_t user;	       /* FOREIGN_NOBODY: not known */
	struct target *target; /* borrowed, or NULL */
	bool is_tracked;       /* its space follows events */
	bool is_asked;	       /* it was requested */
	bool is_kept;	       /* forget.c: it will be again */
	uint64_t exited_at;    /* ns; 0: it is there */
	struct process *next;
};

enum { PROCESS_BUCKETS = 256 };

struct processes {
	struct process *by_pid[PROCESS_BUCKETS];
	struct image *images[PROCESS_BUCKETS];
	struct budget *budget;		/* for what is read from files */
	struct served *served;		/* which of them may be opened */
	struct maps maps;		/* the text that was read last */
	struct map_watch *watch;	/* NULL: no events */
	bool is_tracking;		/* spaces follow its events */
	struct map_listener *listeners; /* so do others */
	struct table readable;		/* demangled names, by mangled ones */
	bool is_mangled;		/* names stay as the linker has them */
	/* src/runtime/ has something about the process */
	void (*free_runtime)(struct runtime_process *runtime);
	/* forget.c: how many trigger a check which are needed */
	size_t nasked, nimages, asked_limit, images_limit;
};

/* process.c */
uint64_t processes_now(void);
struct process *process_known(const struct processes *processes, uint32_t pid);
struct process *process_of(struct processes *processes, uint32_t pid);
/* The same, after looking at what happened; it will be kept. */
struct process *process_asked(struct processes *processes, uint32_t pid);

/* space.c */
void process_free(struct processes *processes, struct process *process);
/*
 * Read its mappings, if no events report them; false: it cannot be read (any
 * more).
 */
bool process_read(struct processes *processes, struct process *process);
/* Read them in any case: there are more than were reported. */
void process_read_again(struct processes *processes, struct process *process);
/*
 * The number of its address space that bpf/unwind.h computes from the kernel's own;
 * 0: unknown.
 */
uint64_t process_layout(uint32_t pid);
/* How its image is opened. */
struct image_place process_place(const struct process *process,
				 const struct mapping *mapping);
/* What is mapped at an address, in the newest space that has it; or NULL. */
const struct mapping *space_find(const struct space *space, uint64_t address);

/*
 * jit.c: the name of code that the process generated, from the map it writes
 * for profilers; NULL if it has no name.
 */
const char *jit_names_find(struct processes *processes, struct process *process,
			   uint64_t address, uint64_t *start);
void jit_names_free(struct jit_names *names);
