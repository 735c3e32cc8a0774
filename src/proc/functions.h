/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * The functions of an object file, and the object files of a process.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "proc/elf_file.h"

struct elf_function {
	const char *name;
	uint64_t start;		/* as linked; of an ifunc: where calls go */
	uint64_t size;		/* 0: not known */
	uint64_t offset;	/* of start in the file */
	uint8_t rank;		/* the better of several names is higher */
	bool is_indirect;	/* an ifunc: start is where it chooses */
};

/* By address, then the best name first. */
struct elf_functions {
	struct elf_function *items;
	size_t count;
	char *names[4];		/* what the names are in */
	bool is_partial;	/* of a stripped file: what it exports */
	/* what a compiler put elsewhere: name.cold, by name */
	struct elf_function *pieces;
	size_t npieces;
};

struct elf_functions *elf_functions_read(struct elf_file *file,
				 const char *root, const char *path);
void elf_functions_free(struct elf_functions *functions);

/* An object file as a process has it mapped. */
struct image {
	char *path;		/* as the process sees it */
	const char *name;	/* its last part */
	uint64_t device, inode;
	uint64_t start;		/* of its first mapping, and what file byte */
	uint64_t start_offset;	/* that is */
	uint64_t map_start, map_end;	/* of an executable mapping */
	bool is_program;	/* the executable itself */
	/* image_open(): */
	bool is_tried;
	int fd;
	enum elf_problem problem;
	struct elf_file file;
	uint64_t bias;		/* address in the process - as linked */
	const char *attach_path; /* somebody else's, for the file */
	struct elf_functions *functions;
	struct elf_start *starts;	/* image_piece(): of pieces of code */
	size_t nstarts;
	bool has_starts;
	uint8_t *window;	/* bytes of the file that were read last */
	uint64_t window_offset;
	size_t window_size;
};

struct images {
	pid_t pid;
	struct image **items;	/* each stays where it is */
	size_t count;
	char root[32];		/* /proc/PID/root */
	struct budget *budget;	/* for what is read of them; NULL: no limit */
};

/*
 * What has code in a process; 0 or a negative errno.  Called again, it adds
 * what is new and keeps what is there.
 */
int images_read(struct images *images, pid_t pid);
void images_free(struct images *images);
/* Open it, once; false: see problem. */
bool image_open_file(const struct images *images, struct image *image);
/* The same, and read its functions. */
bool image_open(const struct images *images, struct image *image);
/*
 * Up to `size` bytes of the file, as many as there are (16 MB at most): *size.
 * They are there until the next call; asking in the order of offsets is fast.
 */
const uint8_t *image_code(struct image *image, uint64_t offset, size_t *size);
/*
 * The function or piece of one that has an address, as linked; NULL: it is not
 * known.  It ends where the next one starts, which there is.
 */
const struct elf_start *image_piece(struct image *image, uint64_t address);
/*
 * Is this how people call it: libc.so.6, libc.so, libc, a.out, a glob, or the
 * whole path?
 */
bool image_answers(const struct image *image, const char *pattern);
/*
 * The same for one of a process, which has one C library: libc.so.1 of other
 * systems is its libc.so.6, and then *is_other_version.
 */
bool images_answer(const struct images *images, const struct image *image,
		   const char *pattern, bool *is_other_version);
