/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Most of the time is the kernel writing the maps, a tenth of a millisecond for
 * each process.  There may be hundreds of processes, so lines are parsed by
 * hand, and unwanted ones not at all.
 */
#include "proc/maps.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DELETED " (deleted)" /* after the path of a file that is */

int maps_read(struct maps *maps, pid_t pid)
{
	char path[32], chunk[4096];

	maps->at = NULL;
	text_clear(&maps->text);
	snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);
	int fd = open(path, O_RDONLY | O_CLOEXEC), error = 0;
	ssize_t n;

	if (fd < 0)
		return errno == ENOENT ? -ESRCH : -errno;
	while ((n = read(fd, chunk, sizeof(chunk))) > 0)
		text_add(&maps->text, chunk, (size_t)n);
	/* a zombie, or not permitted */
	if (n < 0 && !maps->text.n)
		error = -errno;
	close(fd);
	maps->at = maps->text.n ? maps->text.p : NULL;
	return error;
}

static uint64_t take_number(char **at, int base)
{
	uint64_t number = strtoull(*at, at, base);

	if (**at)
		++*at;
	return number;
}

/* "start-end perms offset major:minor inode   path" */
static bool parse(char *at, struct maps_line *line, bool only_code)
{
	enum { PERMISSIONS = sizeof("r-xp") };

	line->start = take_number(&at, 16);
	line->end = take_number(&at, 16);
	if (strnlen(at, PERMISSIONS) < PERMISSIONS)
		return false;
	line->is_code = at[2] == 'x';
	if (only_code && !line->is_code)
		return false;
	at += PERMISSIONS;
	line->offset = take_number(&at, 16);
	line->device = take_number(&at, 16) << 32;
	line->device |= take_number(&at, 16);
	line->inode = take_number(&at, 10);
	at += strspn(at, " ");
	size_t length = strlen(at), mark = strlen(DELETED);

	if (length > mark && !strcmp(at + length - mark, DELETED))
		at[length - mark] = '\0';
	line->path = at;
	return true;
}

bool maps_next(struct maps *maps, struct maps_line *line, bool only_code)
{
	while (maps->at && *maps->at) {
		char *text = maps->at, *end = strchr(text, '\n');

		if (end)
			*end++ = '\0';
		maps->at = end;
		if (parse(text, line, only_code))
			return true;
	}
	return false;
}

void maps_free(struct maps *maps)
{
	text_free(&maps->text);
	maps->at = NULL;
}
