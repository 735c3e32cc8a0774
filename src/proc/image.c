/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Object files of a process, from /proc/PID/maps.
 *
 * They are opened through /proc/PID/map_files, so that a container's files and
 * deleted ones are found, or by their path below /proc/PID/root.  Nothing is
 * opened before somebody asks about the object.
 */
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "proc/foreign.h"
#include "proc/functions.h"
#include "proc/served.h"

enum { WINDOW = 256 << 10, CODE_MOST = 16 << 20 };

struct line {
	uint64_t start, end, offset, device, inode;
	bool is_executable;
	char *path;
};

/* "start-end perms offset major:minor inode   path" */
static bool parse_line(char *text, struct line *line)
{
	unsigned long long start, end, offset, inode;
	unsigned major, minor;
	char perms[8];
	int at = 0;

	text[strcspn(text, "\n")] = '\0';
	if (sscanf(text, "%llx-%llx %7s %llx %x:%x %llu %n", &start, &end,
		   perms, &offset, &major, &minor, &inode, &at) != 7 || !at ||
	    text[at] != '/')
		return false;
	char *deleted = strstr(text + at, " (deleted)");

	if (deleted && !deleted[10])
		*deleted = '\0';
	*line = (struct line){
		.start = start, .end = end, .offset = offset,
		.device = (uint64_t)major << 32 | minor, .inode = inode,
		.is_executable = perms[2] == 'x', .path = text + at,
	};
	return true;
}

static struct image *image_of(struct images *images, const struct line *line)
{
	for (size_t i = 0; i < images->count; i++)
		if (images->items[i]->inode == line->inode &&
		    images->items[i]->device == line->device &&
		    !strcmp(images->items[i]->path, line->path))
			return images->items[i];
	struct image *image = must_alloc(sizeof(*image));
	const char *slash = strrchr(line->path, '/');

	*image = (struct image){
		.path = strdup(line->path), .fd = -1,
		.device = line->device, .inode = line->inode,
		.start = line->start, .start_offset = line->offset,
	};
	if (!image->path)
		abort();
	image->name = image->path + (slash - line->path) + 1;
	images->items = must_realloc(images->items,
		checked_mul(images->count + 1, sizeof(image)));
	images->items[images->count++] = image;
	return image;
}

static void image_free(struct image *image)
{
	elf_functions_free(image->functions);
	if (image->is_tried)
		elf_file_close(&image->file);
	if (image->fd >= 0)
		close(image->fd);
	free(image->window);
	free(image->starts);
	free(image->path);
	free(image);
}

/* Data files that are mapped have no code. */
static void keep_code(struct images *images)
{
	size_t kept = 0;

	for (size_t i = 0; i < images->count; i++) {
		if (images->items[i]->map_end)
			images->items[kept++] = images->items[i];
		else
			image_free(images->items[i]);
	}
	images->count = kept;
}

static void find_program(struct images *images)
{
	uint64_t device, inode;

	if (!served_program(images->pid, &device, &inode))
		return;
	for (size_t i = 0; i < images->count; i++) {
		if (images->items[i]->inode != inode)
			continue;
		images->items[i]->is_program = true;
		return;
	}
}

int images_read(struct images *images, pid_t pid)
{
	char path[32], *text = NULL;
	size_t size = 0;
	struct line line;

	images->pid = pid;
	snprintf(images->root, sizeof(images->root), "/proc/%d/root", (int)pid);
	snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);
	FILE *file = fopen(path, "re");

	if (!file)
		return errno == ENOENT ? -ESRCH : -errno;
	errno = 0;
	while (getline(&text, &size, file) > 0) {
		if (!parse_line(text, &line))
			continue;
		struct image *image = image_of(images, &line);

		if (line.is_executable && !image->map_end) {
			image->map_start = line.start;
			image->map_end = line.end;
		}
	}
	int error = ferror(file) ? -errno : 0;

	free(text);
	fclose(file);
	keep_code(images);
	find_program(images);
	return error;
}

void images_free(struct images *images)
{
	for (size_t i = 0; i < images->count; i++)
		image_free(images->items[i]);
	free(images->items);
	*images = (struct images){ 0 };
}

static int open_file(const struct images *images, const struct image *image)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/map_files/%llx-%llx",
		 (int)images->pid, (unsigned long long)image->map_start,
		 (unsigned long long)image->map_end);
	if (!served_may_open(images->pid, image->device, path, image->path))
		return -EREMOTE;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	return fd >= 0 ? fd :
		foreign_open_inode(images->root, image->path, image->inode);
}

/* Of a segment at the file byte where the first mapping starts. */
static void find_bias(struct image *image)
{
	const struct elf_file *file = &image->file;

	for (size_t i = 0; i < file->nsegments; i++) {
		const Elf64_Phdr *segment = &file->segments[i];
		uint64_t page = segment->p_offset & ~0xfffull;

		if (segment->p_type != PT_LOAD ||
		    image->start_offset < page ||
		    image->start_offset >=
			    segment->p_offset + segment->p_filesz)
			continue;
		image->bias = image->start - image->start_offset +
			      segment->p_offset - segment->p_vaddr;
		return;
	}
}

bool image_open_file(const struct images *images, struct image *image)
{
	if (!image->is_tried) {
		image->is_tried = true;
		image->fd = open_file(images, image);
		image->problem = elf_file_open(&image->file, image->fd,
					       images->budget);
		if (image->problem == ELF_GOOD)
			find_bias(image);
	}
	return image->problem == ELF_GOOD;
}

bool image_open(const struct images *images, struct image *image)
{
	if (!image_open_file(images, image))
		return false;
	if (!image->functions)
		image->functions = elf_functions_read(&image->file,
						      images->root,
						      image->path);
	return true;
}

const uint8_t *image_code(struct image *image, uint64_t offset, size_t *size)
{
	uint64_t left = offset < image->file.size ? image->file.size - offset :
						    0;

	if (*size > left)
		*size = left;
	if (*size > CODE_MOST)
		*size = CODE_MOST;
	if (!image->window || offset < image->window_offset ||
	    offset - image->window_offset > image->window_size ||
	    *size > image->window_size - (offset - image->window_offset)) {
		size_t room = *size > WINDOW ? *size : WINDOW;
		ssize_t n;

		image->window = must_realloc(image->window, room);
		n = pread(image->fd, image->window, room, (off_t)offset);
		image->window_offset = offset;
		image->window_size = n < 0 ? 0 : (size_t)n;
	}
	if (*size > image->window_size - (offset - image->window_offset))
		*size = image->window_size - (offset - image->window_offset);
	return image->window + (offset - image->window_offset);
}

const struct elf_start *image_piece(struct image *image, uint64_t address)
{
	if (!image->has_starts)
		image->starts = elf_file_code_starts(&image->file,
						     &image->nstarts);
	image->has_starts = true;
	size_t low = 0, high = image->nstarts;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (image->starts[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return !low || low == image->nstarts ? NULL : &image->starts[low - 1];
}

/* LM0`libc: what the first link map has, which is all that is told apart. */
static const char *without_link_map(const char *pattern)
{
	return strncmp(pattern, "LM0`", 4) ? pattern : pattern + 4;
}

bool image_answers(const struct image *image, const char *pattern)
{
	pattern = without_link_map(pattern);

	const char *name = image->name;
	size_t length = strlen(pattern);

	if (!*pattern || !strcmp(pattern, name))
		return true;
	if (image->is_program && !strcmp(pattern, "a.out"))
		return true;
	if (strpbrk(pattern, "*?[\\"))
		return !fnmatch(pattern, name, 0);
	if (pattern[0] == '/')
		return !strcmp(pattern, image->path);
	/* libc and libc.so mean libc.so.6; libfoo means libfoo-1.2.so */
	if (strncmp(name, pattern, length))
		return false;
	const char *rest = name + length;

	if (!strncmp(rest, ".so", 3))
		return rest[3] == '\0' || rest[3] == '.';
	if (length > 3 && !strcmp(pattern + length - 3, ".so"))
		return *rest == '.';
	/* libz.so.1, as programs ask for it, means libz.so.1.2.13 */
	if (strstr(pattern, ".so."))
		return *rest == '.';
	if (*rest != '-')
		return false;
	rest += 1 + strspn(rest + 1, "0123456789.");
	return !strncmp(rest, "so", 2) || !strcmp(rest, ".so");
}

/* libc.so.6 or another version. */
static bool is_c_library(const char *name)
{
	return !strncmp(name, "libc.so.", 8) &&
	       !name[8 + strspn(name + 8, "0123456789.")];
}

bool images_answer(const struct images *images, const struct image *image,
		   const char *pattern, bool *is_other_version)
{
	*is_other_version = false;
	if (image_answers(image, pattern))
		return true;
	if (!is_c_library(without_link_map(pattern)) ||
	    !is_c_library(image->name))
		return false;
	for (size_t i = 0; i < images->count; i++)
		if (image_answers(images->items[i], pattern))
			return false;
	*is_other_version = true;
	return true;
}
