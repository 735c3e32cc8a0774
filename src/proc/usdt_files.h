/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Which files with USDT sites are in use, and by which processes.
 *
 * A file is examined once, however many processes map it.  One that has sites
 * is an image (image.h) that is kept open; the others are only marked as
 * examined.
 */

#include <stdbool.h>
#include <sys/types.h>

#include "proc/image.h"
#include "proc/symbols.h"
#include "proc/usdt_note.h"

struct usdt_user {
	pid_t pid;
	bool is_program; /* it is what the process executes */
};

struct usdt_file {
	uint64_t device, inode;	  /* as /proc/PID/maps has them */
	struct usdt_notes *notes; /* NULL: it has none */
	struct image *image;	  /* open and pinned, while there are notes */
	struct processes *processes; /* its owner */
	struct usdt_user *users;
	size_t nusers;
	bool is_wanted; /* not for usdt_files_release() */
	struct usdt_file *next, *next_in_bucket;
};

struct usdt_files;

struct usdt_files *usdt_files_new(struct processes *processes);
void usdt_files_free(struct usdt_files *files);
/*
 * Examine a process; 0 or a negative errno.  It becomes a user of what it maps,
 * or only of files that no process has been seen to use before.
 */
int usdt_files_look_at(struct usdt_files *files, pid_t pid, bool only_new);
/*
 * A process mapped this file and may be gone: the file is known from now on, if
 * its path leads to it.
 */
void usdt_files_remember(struct usdt_files *files, pid_t pid, uint64_t device,
			 uint64_t inode, const char *path, bool is_program);
/* Examine all processes. */
void usdt_files_look_at_all(struct usdt_files *files, bool only_new);
/* How many of them we were not permitted to examine. */
size_t usdt_files_denied(const struct usdt_files *files);
/* Was this file examined? */
bool usdt_files_knows(const struct usdt_files *files, uint64_t device,
		      uint64_t inode);
/* Close those that are not wanted, and forget their notes. */
void usdt_files_release(struct usdt_files *files);
/* Grows whenever a file gets a user. */
uint64_t usdt_files_changes(const struct usdt_files *files);
/* Those with notes, in the order in which they were found. */
struct usdt_file *usdt_files_first(const struct usdt_files *files);
/* Read on demand; never NULL. */
const struct elf_symbols *usdt_file_symbols(struct usdt_file *file);
