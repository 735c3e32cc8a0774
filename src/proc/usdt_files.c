/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files with USDT sites: found in /proc/PID/maps.
 *
 * Sites are in code, so only mappings that can be executed count.  A machine
 * has hundreds of processes and some hundred different files; what takes time
 * is the kernel's writing of maps, a tenth of a millisecond for each process.
 *
 * A process may map more files later: looking at it again adds them.  What may
 * become a probe is never taken away.  Of other files, of which a long run may
 * meet any number, is only known that they were looked at.
 */
#include "proc/usdt_files.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/text.h"
#include "proc/foreign.h"
#include "proc/served.h"

enum { BUCKETS = 256 };

struct usdt_files {
	struct usdt_file *buckets[BUCKETS];	/* all that were looked at */
	struct usdt_file *first, **last;	/* those with notes */
	struct text maps;
	uint64_t changes;
	size_t ndenied;
	struct budget *budget;
};

/* A line of maps. */
struct mapping {
	uint64_t start, end, device, inode;
	const char *path;
};

struct usdt_files *usdt_files_new(struct budget *budget)
{
	struct usdt_files *files = must_alloc(sizeof(*files));

	memset(files, 0, sizeof(*files));
	files->last = &files->first;
	files->budget = budget;
	return files;
}

static void release(struct usdt_file *file)
{
	if (file->fd >= 0)
		close(file->fd);
	usdt_notes_free(file->notes);
	elf_symbols_free(file->symbols);
	free(file->users);
	free(file->name);
	*file = (struct usdt_file){
		.device = file->device, .inode = file->inode, .fd = -1,
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
	text_free(&files->maps);
	free(files);
}

struct usdt_file *usdt_files_first(const struct usdt_files *files)
{
	return files->first;
}

const struct elf_symbols *usdt_file_symbols(struct usdt_file *file)
{
	if (!file->symbols)
		file->symbols = elf_symbols_read(file->fd, "", NULL,
						 file->budget);
	return file->symbols;
}

/* ------------------------------------------------------------------ files */

static int open_mapping(pid_t pid, const struct mapping *mapping)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/map_files/%llx-%llx", (int)pid,
		 (unsigned long long)mapping->start,
		 (unsigned long long)mapping->end);
	if (!served_may_open(pid, mapping->device, path, mapping->path))
		return -1;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd >= 0)
		return fd;
	snprintf(path, sizeof(path), "/proc/%d/root", (int)pid);
	fd = foreign_open_inode(path, mapping->path, mapping->inode);
	/* The process may be gone; its root was mostly ours. */
	return fd >= 0 ? fd :
		foreign_open_inode("", mapping->path, mapping->inode);
}

/* Open, and with notes; or closed and without. */
static void read_file(struct usdt_file *file, const struct mapping *mapping)
{
	const char *slash = strrchr(mapping->path, '/');

	file->notes = usdt_notes_read(file->fd, file->budget);
	if (!file->notes) {
		close(file->fd);
		file->fd = -1;
		return;
	}
	file->name = must_strdup(slash ? slash + 1 : mapping->path);
	snprintf(file->path, sizeof(file->path), "/proc/self/fd/%d", file->fd);
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
static struct usdt_file *file_of(struct usdt_files *files, pid_t pid,
				 const struct mapping *mapping)
{
	struct usdt_file **bucket =
		&files->buckets[bucket_of(mapping->device, mapping->inode)];
	struct usdt_file *file = find_file(files, mapping->device,
					   mapping->inode);

	if (file)
		return file;
	int fd = open_mapping(pid, mapping);

	if (fd < 0)
		return NULL;
	file = must_alloc(sizeof(*file));

	*file = (struct usdt_file){
		.device = mapping->device, .inode = mapping->inode,
		.fd = fd, .budget = files->budget, .next_in_bucket = *bucket,
	};
	*bucket = file;
	read_file(file, mapping);
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
		.pid = pid, .is_program = file->inode == program,
	};
	files->changes++;
}

/* -------------------------------------------------------------- processes */

static int read_maps(struct text *text, pid_t pid)
{
	char path[32], chunk[4096];

	snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return -errno;
	text_clear(text);
	while ((n = read(fd, chunk, sizeof(chunk))) > 0)
		text_add(text, chunk, (size_t)n);
	close(fd);
	/* the process of a zombie, or one that may not be looked at */
	return n < 0 && !text->n ? -errno : 0;
}

static uint64_t take_number(char **at, int base)
{
	uint64_t number = strtoull(*at, at, base);

	if (**at)
		++*at;
	return number;
}

/* "start-end perms offset major:minor inode   path", one that executes. */
static bool parse_mapping(char *line, struct mapping *mapping)
{
	char *at = line;

	mapping->start = take_number(&at, 16);
	mapping->end = take_number(&at, 16);
	if (strlen(at) < 5 || at[2] != 'x')
		return false;
	at += 5;
	take_number(&at, 16);
	mapping->device = take_number(&at, 16) << 32;
	mapping->device |= take_number(&at, 16);
	mapping->inode = take_number(&at, 10);
	while (*at == ' ')
		at++;
	char *deleted = strstr(at, " (deleted)");

	if (deleted && !deleted[10])
		*deleted = '\0';
	mapping->path = at;
	return mapping->inode && *at == '/';
}

/* The inode of what a process executes, or 0. */
static uint64_t program_inode(pid_t pid)
{
	uint64_t device, inode;

	return served_program(pid, &device, &inode) ? inode : 0;
}

int usdt_files_look_at(struct usdt_files *files, pid_t pid, bool only_new)
{
	int error = read_maps(&files->maps, pid);
	uint64_t program = 0;
	bool is_known = false;

	if (error || !files->maps.n)
		return error;
	for (char *line = files->maps.p, *end; line && *line; line = end) {
		struct mapping mapping;

		end = strchr(line, '\n');
		if (end)
			*end++ = '\0';
		if (!parse_mapping(line, &mapping))
			continue;
		struct usdt_file *file = file_of(files, pid, &mapping);

		if (!file || !file->notes || (only_new && file->nusers))
			continue;
		if (!is_known)
			program = program_inode(pid);
		is_known = true;
		add_user(files, file, pid, program);
	}
	return 0;
}

void usdt_files_remember(struct usdt_files *files, pid_t pid, uint64_t device,
			 uint64_t inode, const char *path, bool is_program)
{
	const struct mapping mapping = {
		.device = device, .inode = inode, .path = path,
	};
	struct usdt_file *file = *path == '/' ?
		file_of(files, pid, &mapping) : NULL;

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
