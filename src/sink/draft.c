/* SPDX-License-Identifier: Apache-2.0 */
#include "sink/draft.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/text.h"

enum { MODE = 0666, TRIES = 100 };

static const char *name_in(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static char *directory_of(const char *path)
{
	const char *name = name_in(path);
	char *directory = must_strdup(name == path ? "." : path);

	/* "/x" is in "/" */
	if (name != path)
		directory[name - path > 1 ? name - path - 1 : 1] = '\0';
	return directory;
}

/* A name beside the place that nobody else uses. */
static char *name_beside(const char *place, unsigned n)
{
	struct text text = { 0 };
	const char *name = name_in(place);

	text_add(&text, place, (size_t)(name - place));
	text_printf(&text, ".%.200s.%ld.%u", name, (long)getpid(), n);
	char *path = must_strdup(text_str(&text));

	text_free(&text);
	return path;
}

/* Calls `make` with new names until one is free; 0 or an errno. */
static int try_names(struct draft *draft, int (*make)(const char *name, int fd),
		     int fd, int *result)
{
	for (unsigned n = 0; n < TRIES; n++) {
		draft->temporary = name_beside(draft->place, n);
		*result = make(draft->temporary, fd);
		if (*result >= 0)
			return 0;
		int error = errno;

		free(draft->temporary);
		draft->temporary = NULL;
		if (error != EEXIST)
			return error;
	}
	return EEXIST;
}

static int create(const char *name, int fd)
{
	(void)fd;
	return open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, MODE);
}

static int give_name(const char *name, int fd)
{
	char self[64];

	snprintf(self, sizeof(self), "/proc/self/fd/%d", fd);
	return linkat(AT_FDCWD, self, AT_FDCWD, name, AT_SYMLINK_FOLLOW);
}

static int open_beside(struct draft *draft)
{
	char *directory = directory_of(draft->place);
	int fd = open(directory, O_TMPFILE | O_WRONLY | O_CLOEXEC, MODE);

	free(directory);
	if (fd >= 0)
		return fd;
	int error = try_names(draft, create, -1, &fd);

	errno = error;
	return error ? -1 : fd;
}

static int open_stream(struct draft *draft)
{
	struct stat status;

	if (stat(draft->path, &status)) {
		if (errno != ENOENT)
			return -1;
		draft->place = must_strdup(draft->path);
		return open_beside(draft);
	}
	if (S_ISDIR(status.st_mode)) {
		errno = EISDIR;
		return -1;
	}
	draft->is_direct = !S_ISREG(status.st_mode);
	if (draft->is_direct)
		return open(draft->path, O_WRONLY | O_CLOEXEC);
	draft->place = realpath(draft->path, NULL);
	return draft->place ? open_beside(draft) : -1;
}

static void free_draft(struct draft *draft)
{
	free(draft->path);
	free(draft->place);
	free(draft->temporary);
	free(draft);
}

struct draft *draft_open(const char *path)
{
	struct draft *draft = must_alloc(sizeof(*draft));
	const char *dot = strrchr(name_in(path), '.');

	draft->path = must_strdup(path);
	draft->suffix = dot ? draft->path + (dot - path) + 1 : "";
	int fd = open_stream(draft);

	draft->stream = fd >= 0 ? fdopen(fd, "w") : NULL;
	if (draft->stream)
		return draft;
	int error = errno;

	if (fd >= 0)
		close(fd);
	free_draft(draft);
	errno = error;
	return NULL;
}

int draft_finish(struct draft *draft)
{
	int error = 0, ignored;

	if (fflush(draft->stream) || ferror(draft->stream))
		error = errno ? errno : EIO;
	if (!error && !draft->is_direct && !draft->temporary)
		error = try_names(draft, give_name, fileno(draft->stream),
				  &ignored);
	if (fclose(draft->stream) && !error)
		error = errno;
	if (draft->temporary) {
		if (!error && rename(draft->temporary, draft->place))
			error = errno;
		if (error)
			unlink(draft->temporary);
	}
	free_draft(draft);
	return -error;
}

void draft_discard(struct draft *draft)
{
	if (!draft)
		return;
	fclose(draft->stream);
	if (draft->temporary)
		unlink(draft->temporary);
	free_draft(draft);
}
