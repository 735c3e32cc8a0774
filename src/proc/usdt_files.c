/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files with USDT sites: found in what processes have mapped (maps.h).
 *
 * Sites are in code, so only mappings that can be executed count.  A machine
 * has hundreds of processes and some hundred different files.
 *
 * A process may map more files later: looking at it again adds them.  What may
 * become a probe is never taken away.  Of other files, of which a long run may
 * meet any number, is only known that they were looked at.
 */
#include "proc/usdt_files.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "proc/process.h"
#include "proc/served.h"

enum { BUCKETS = 256 };

struct usdt_files {
	struct usdt_file *buckets[BUCKETS]; /* all that were examined */
	struct usdt_file *first, **last;    /* those with notes */
	uint64_t changes;
	size_t ndenied;
	struct processes *processes;
};

struct usdt_files *usdt_files_new(struct processes *processes)
{
	struct usdt_files *files = must_alloc(sizeof(*files));

	memset(files, 0, sizeof(*files));
	files->last = &files->first;
	files->processes = processes;
	return files;
}

static void release(struct usdt_file *file)
{
	if (file->image)
		image_unpin(file->image);
	usdt_notes_free(file->notes);
	free(file->users);
	*file = (struct usdt_file){
		.device = file->device,
		.inode = file->inode,
		.next_in_bucket = file->next_in_bucket,
	};
}

void usdt_files_release(struct usdt_files *files)
{
	struct usdt_file **at = &files->first;

	while (*at) {
		struct usdt_file *file = *at;

		if (file->is_wanted) {
			at = &file->next;
			continue;
		}
		*at = file->next;
		release(file);
	}
	files->last = at;
}

void usdt_files_free(struct usdt_files *files)
{
	if (!files)
		return;
	for (unsigned i = 0; i < BUCKETS; i++) {
		struct usdt_file *file, *next;

		for (file = files->buckets[i]; file; file = next) {
			next = file->next_in_bucket;
			release(file);
			free(file);
		}
	}
	free(files);
}

struct usdt_file *usdt_files_first(const struct usdt_files *files)
{
	return files->first;
}

const struct elf_symbols *usdt_file_symbols(struct usdt_file *file)
{
	const struct image_place place = {
		.pid = file->nusers ? file->users[0].pid : 0,
		.path = file->image->path,
	};

	return image_symbols(file->processes, file->image, &place);
}

/* ------------------------------------------------------------------ files */

/* Notes, and an image that stays open; or neither. */
static void read_file(struct usdt_file *file, int fd, const char *path)
{
	file->notes = usdt_notes_read(fd, processes_budget(file->processes));
	if (!file->notes) {
		close(fd);
		return;
	}
	file->image = image_of(file->processes, file->device, file->inode,
			       path);
	image_pin(file->image);
	image_keep_open(file->image, fd);
}

static size_t bucket_of(uint64_t device, uint64_t inode)
{
	return (inode ^ device * 31) % BUCKETS;
}

static struct usdt_file *find_file(const struct usdt_files *files,
				   uint64_t device, uint64_t inode)
{
	struct usdt_file *file = files->buckets[bucket_of(device, inode)];

	while (file && (file->device != device || file->inode != inode))
		file = file->next_in_bucket;
	return file;
}

bool usdt_files_knows(const struct usdt_files *files, uint64_t device,
		      uint64_t inode)
{
	return find_file(files, device, inode);
}

uint64_t usdt_files_changes(const struct usdt_files *files)
{
	return files->changes;
}

/* NULL: it cannot be opened, by now or through this process. */
static struct usdt_file *file_of(struct usdt_files *files, uint64_t device,
				 uint64_t inode,
				 const struct image_place *place)
{
	struct usdt_file **bucket = &files->buckets[bucket_of(device, inode)];
	struct usdt_file *file = find_file(files, device, inode);

	if (file)
		return file;
	int fd = image_descriptor(files->processes, device, inode, place);

	if (fd < 0)
		return NULL;
	file = must_alloc(sizeof(*file));

	*file = (struct usdt_file){
		.device = device,
		.inode = inode,
		.processes = files->processes,
		.next_in_bucket = *bucket,
	};
	*bucket = file;
	read_file(file, fd, place->path);
	if (file->notes) {
		*files->last = file;
		files->last = &file->next;
	}
	return file;
}

static void add_user(struct usdt_files *files, struct usdt_file *file,
		     pid_t pid, uint64_t program)
{
	for (size_t i = file->nusers; i-- > 0;)
		if (file->users[i].pid == pid)
			return;
	file->users = must_realloc(file->users,
				   checked_mul(file->nusers + 1,
					       sizeof(*file->users)));
	file->users[file->nusers++] = (struct usdt_user){
		.pid = pid,
		.is_program = file->inode == program,
	};
	files->changes++;
}

/* -------------------------------------------------------------- processes */

/* The inode of what a process executes, or 0. */
static uint64_t program_inode(pid_t pid)
{
	uint64_t device, inode;

	return served_program(pid, &device, &inode) ? inode : 0;
}

int usdt_files_look_at(struct usdt_files *files, pid_t pid, bool only_new)
{
	struct maps *maps = &files->processes->maps;
	int error = maps_read(maps, pid);
	uint64_t program = 0;
	bool is_known = false;
	struct maps_line line;

	while (!error && maps_next(maps, &line, true)) {
		const struct image_place place = {
			.pid = pid, .start = line.start, .end = line.end,
			.path = line.path,
		};
		struct usdt_file *file = line.inode && *line.path == '/'
						 ? file_of(files, line.device,
							   line.inode, &place)
						 : NULL;

		if (!file || !file->notes || (only_new && file->nusers))
			continue;
		if (!is_known)
			program = program_inode(pid);
		is_known = true;
		add_user(files, file, pid, program);
	}
	return error;
}

void usdt_files_remember(struct usdt_files *files, pid_t pid, uint64_t device,
			 uint64_t inode, const char *path, bool is_program)
{
	const struct image_place place = { .pid = pid, .path = path };
	struct usdt_file *file = *path == '/'
					 ? file_of(files, device, inode, &place)
					 : NULL;

	if (file && file->notes && !file->nusers)
		add_user(files, file, pid, is_program ? inode : 0);
}

void usdt_files_look_at_all(struct usdt_files *files, bool only_new)
{
	DIR *directory = opendir("/proc");

	files->ndenied = 0;
	if (!directory)
		return;
	for (const struct dirent *entry; (entry = readdir(directory));) {
		if (!isdigit((unsigned char)entry->d_name[0]))
			continue;
		int error = usdt_files_look_at(files, atoi(entry->d_name),
					       only_new);

		files->ndenied += error == -EACCES || error == -EPERM;
	}
	closedir(directory);
}

size_t usdt_files_denied(const struct usdt_files *files)
{
	return files->ndenied;
}
