/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading scripts.
 *
 * A script may be a file, a pipe or standard input, so its size is not known
 * beforehand.  What cannot be a script (a directory, a disk image) is refused
 * with a reason before it fills the memory.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lang/internal.h"

enum { LARGEST_SCRIPT = 256 << 20 };

/* Everything that can be read from `fd`, or the reason why not. */
static const char *read_all(int fd, struct text *text)
{
	char buffer[64 * 1024];

	for (;;) {
		ssize_t n = read(fd, buffer, sizeof(buffer));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return strerror(errno);
		if (!n)
			return NULL;
		if (text->n + (size_t)n > LARGEST_SCRIPT)
			return strerror(EFBIG);
		text_add(text, buffer, (size_t)n);
	}
}

static const char *read_path(const char *path, struct text *text)
{
	struct stat status;

	if (!strcmp(path, "-"))
		return read_all(STDIN_FILENO, text);
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return strerror(errno);
	const char *why = NULL;

	if (fstat(fd, &status) < 0)
		why = strerror(errno);
	else if (S_ISDIR(status.st_mode))
		why = strerror(EISDIR);
	else
		why = read_all(fd, text);
	close(fd);
	return why;
}

struct source *language_read_file(struct language *language, const char *path,
				  const char **error)
{
	struct text text = { 0 };
	const char *why = read_path(path, &text);
	struct source *source = NULL;

	if (why) {
		*error = arena_strdup(language->arena, why);
	} else {
		source = arena_new_of(language->arena, struct source);
		source->name = arena_strdup(language->arena, path);
		source->text = arena_strndup(language->arena, text_str(&text),
					     text.n);
		source->length = text.n;
		source->is_file = true;
	}
	text_free(&text);
	return source;
}
