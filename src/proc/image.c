/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Images: the cache of mapped files, and how they are opened; see image.h.
 */
#include "proc/image.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "proc/foreign.h"
#include "proc/functions.h"
#include "proc/go_code.h"
#include "proc/process.h"
#include "proc/served.h"
#include "proc/symbols.h"

enum { WINDOW = 256 << 10, CODE_MOST = 16 << 20 };

struct image *image_of(struct processes *processes, uint64_t device,
		       uint64_t inode, const char *path)
{
	struct image **bucket =
		&processes->images[(inode ^ device * 31) % PROCESS_BUCKETS];
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;

	for (struct image *image = *bucket; image; image = image->next)
		if (image->device == device && image->inode == inode &&
		    !strcmp(image->name, name))
			return image;
	struct image *image = must_alloc(sizeof(*image));

	*image = (struct image){
		.device = device,
		.inode = inode,
		.path = must_strdup(path),
		.fd = -1,
		.next = *bucket,
	};
	image->name = image->path + (name - path);
	*bucket = image;
	processes->nimages++;
	return image;
}

void image_free(struct image *image)
{
	elf_symbols_free(image->symbols);
	elf_functions_free(image->functions);
	go_code_free(image->go);
	if (image->is_open)
		elf_file_close(&image->file);
	if (image->fd >= 0)
		close(image->fd);
	free(image->window);
	free(image->starts);
	free(image->path);
	free(image);
}

void image_pin(struct image *image)
{
	image->npins++;
}

/* What was read from it stays, and can be forgotten separately. */
void image_unpin(struct image *image)
{
	if (--image->npins)
		return;
	if (image->is_open)
		elf_file_close(&image->file);
	if (image->fd >= 0)
		close(image->fd);
	image->is_open = false;
	image->fd = -1;
}

/* ---------------------------------------------------------------- opening */

static void root_of(const struct image_place *place, char *root, size_t size)
{
	snprintf(root, size, "/proc/%d/root", (int)place->pid);
}

/*
 * Through /proc/PID/map_files, so that files of containers and deleted ones are
 * found; or by its path below the process's root, or ours when the process is
 * gone.
 */
int image_descriptor(const struct processes *processes, uint64_t device,
		     uint64_t inode, const struct image_place *place)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/map_files/%llx-%llx",
		 (int)place->pid, (unsigned long long)place->start,
		 (unsigned long long)place->end);
	if (!served_may_open(processes->served, place->pid, device, path,
			     place->path))
		return -EREMOTE;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd >= 0)
		return fd;
	root_of(place, path, sizeof(path));
	fd = foreign_open_inode(path, place->path, inode);
	/* The process may be gone; its root was probably ours. */
	if (fd < 0 && !place->is_exact)
		fd = foreign_open_inode("", place->path, inode);
	return fd >= 0 ? fd : -EPERM;
}

void image_keep_open(struct image *image, int fd)
{
	if (image->fd >= 0) {
		if (image->fd != fd)
			close(fd);
		return;
	}
	image->fd = fd;
	snprintf(image->attach_path, sizeof(image->attach_path),
		 "/proc/self/fd/%d", fd);
}

/* The descriptor that exists already, or a temporary one. */
static int borrow(const struct processes *processes, const struct image *image,
		  const struct image_place *place)
{
	return image->fd >= 0 ? image->fd
			      : image_descriptor(processes, image->device,
						 image->inode, place);
}

static void give_back(const struct image *image, int fd)
{
	if (fd != image->fd)
		close(fd);
}

enum elf_problem image_open_file(const struct processes *processes,
				 struct image *image,
				 const struct image_place *place, int *error)
{
	*error = 0;
	if (image->is_open)
		return image->problem;
	int fd = borrow(processes, image, place);

	/* Another process may have the same file and show it. */
	if (fd < 0) {
		*error = fd;
		return ELF_UNREADABLE;
	}
	image_keep_open(image, fd);
	image->problem = elf_file_open(&image->file, fd, processes->budget);
	image->is_open = true;
	return image->problem;
}

/* ---------------------------------------------------------------- reading */

const struct elf_functions *image_functions(struct image *image,
					    const struct image_place *place)
{
	char root[32];

	if (image->functions)
		return image->functions;
	root_of(place, root, sizeof(root));
	image->functions = elf_functions_read(&image->file, root, place->path);
	return image->functions;
}

struct go_code *image_go(struct image *image)
{
	if (!image->has_go && image->is_open && image->problem == ELF_GOOD)
		image->go = go_code_read(image->fd, image->file.budget);
	image->has_go = true;
	return image->go;
}

bool image_is(const struct processes *processes, const struct image *image,
	      const struct image_place *place,
	      bool (*is)(const struct elf_file *file), bool *answer)
{
	struct elf_file file;

	*answer = false;
	if (!image->inode)
		return true;
	int fd = borrow(processes, image, place);

	if (fd < 0)
		return false;
	*answer = elf_file_open(&file, fd, processes->budget) == ELF_GOOD &&
		  is(&file);
	elf_file_close(&file);
	give_back(image, fd);
	return true;
}

const struct elf_symbols *image_symbols(const struct processes *processes,
					struct image *image,
					const struct image_place *place)
{
	char root[32];

	if (image->has_symbols)
		return image->symbols;
	if (!image->inode) {
		image->has_symbols = true;
		image->symbols = elf_symbols_vdso();
		return image->symbols;
	}
	int fd = borrow(processes, image, place);

	/* Another process may have the same file and still be there. */
	if (fd < 0)
		return NULL;
	root_of(place, root, sizeof(root));
	image->has_symbols = true;
	image->symbols = elf_symbols_read(fd, root, place->path,
					  processes->budget);
	give_back(image, fd);
	return image->symbols;
}

bool image_rules(const struct processes *processes, const struct image *image,
		 const struct image_place *place, struct eh_rows *rows)
{
	if (!image->inode) {
		eh_frame_read_vdso(rows);
		return true;
	}
	int fd = borrow(processes, image, place);

	if (fd < 0)
		return false;
	eh_frame_read_file(rows, fd, processes->budget);
	give_back(image, fd);
	return true;
}

const uint8_t *image_code(struct image *image, uint64_t offset, size_t *size)
{
	uint64_t left = offset < image->file.size ? image->file.size - offset
						  : 0;

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
