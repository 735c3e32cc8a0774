/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Images: files that processes map, each known once, by device, inode and name,
 * however many processes map it and however many users it has.
 *
 * Nothing is opened or read before it is needed; what was read is shared: names
 * of addresses for stacks, functions for the pid provider, sites for USDT,
 * rules for walking stacks.  The vDSO is an image, too (device and inode 0).
 *
 * Images belong to the owner of processes (process.h).  One that no process is
 * known to map is forgotten together with what was read from it, unless it is
 * pinned.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "proc/eh_frame.h"
#include "proc/elf_file.h"

struct processes;

struct image {
	uint64_t device, inode;
	char *path;	  /* as the first process has it */
	const char *name; /* its last part */
	unsigned npins;	  /* by the users that keep a pointer to it */
	bool is_used;	  /* forget.c: some process maps it */
	/* image_open_file(): */
	bool is_open;
	int fd; /* -1: it is not open */
	enum elf_problem problem;
	struct elf_file file;
	char attach_path[32]; /* /proc/self/fd/N */
	/* filled on demand: */
	struct elf_symbols *symbols;	 /* image_symbols() */
	bool has_symbols;		 /* they were requested */
	struct elf_functions *functions; /* image_functions() */
	struct elf_start *starts;	 /* image_piece(): of pieces of code */
	size_t nstarts;
	bool has_starts;
	struct go_code *go; /* image_go() */
	bool has_go;	    /* it was requested */
	const void *brings; /* the runtime's that owns image_has() */
	bool is_looked_at;
	uint8_t *window; /* bytes of the file that were read last */
	uint64_t window_offset;
	size_t window_size;
	/* unwind.c: where its rules are, as of that epoch; 0: there are none */
	struct {
		uint64_t epoch, table, base;
		struct eh_code code[EH_CODE_MOST];
		unsigned ncode;
	} rules;
	struct image *next;
};

/* Where a process has it: enough to open it. */
struct image_place {
	pid_t pid;
	uint64_t start, end; /* of a mapping; 0: there is no such mapping */
	const char *path;    /* as the process sees it */
	/* to be probed: a file that our root has in its place will not do */
	bool is_exact;
};

/* The image of a file, created if there is none. */
struct image *image_of(struct processes *processes, uint64_t device,
		       uint64_t inode, const char *path);
void image_free(struct image *image);
/* Keep it; the last release closes it. */
void image_pin(struct image *image);
void image_unpin(struct image *image);

/*
 * A descriptor of a file that a process maps, or a negative errno; -EREMOTE:
 * it is not to be read (served.h).
 */
int image_descriptor(const struct processes *processes, uint64_t device,
		     uint64_t inode, const struct image_place *place);
/*
 * It stays open with this descriptor, which the image owns from now on; an
 * existing one is kept instead.
 */
void image_keep_open(struct image *image, int fd);

/*
 * Open it, once, and keep it open: that is how it can be named to the kernel
 * whatever happens to its path.  *error: 0, or why it cannot be opened in this
 * place (-EREMOTE: it is not to be read, served.h).
 */
enum elf_problem image_open_file(const struct processes *processes,
				 struct image *image,
				 const struct image_place *place, int *error);
/* Its functions; it is open. */
const struct elf_functions *image_functions(struct image *image,
					    const struct image_place *place);
/* Its code, if it is a Go program's; it is open, once. */
struct go_code *image_go(struct image *image);
/*
 * Is it so?  It is opened for that, if it is not open; false: it cannot be.
 */
bool image_is(const struct processes *processes, const struct image *image,
	      const struct image_place *place,
	      bool (*is)(const struct elf_file *file), bool *answer);
/* Names of its addresses, or NULL. */
const struct elf_symbols *image_symbols(const struct processes *processes,
					struct image *image,
					const struct image_place *place);
/*
 * Rules for walking stacks, of the file at this place; false: it is not there.
 */
bool image_rules(const struct processes *processes, const struct image *image,
		 const struct image_place *place, struct eh_rows *rows);
/*
 * Up to `size` bytes of the file, as many as there are (16 MB at most): *size.
 * They are valid until the next call; reading in the order of offsets is fast.
 */
const uint8_t *image_code(struct image *image, uint64_t offset, size_t *size);
/*
 * The function or piece of one that has an address, as linked; NULL: it is not
 * known.  It ends where the next one starts; there always is one.
 */
const struct elf_start *image_piece(struct image *image, uint64_t address);
