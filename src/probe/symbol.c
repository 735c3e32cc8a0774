/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernel symbols by name, from /proc/kallsyms.
 *
 * The file is expensive (about 100 ms), so it is read only when a program
 * mentions a back-quoted symbol that types alone cannot answer, once, and only
 * as far as that symbol: most are in the first quarter.  It is searched as text:
 * a line is "address type name[\t[module]]".  Addresses read
 * as 0 without CAP_SYSLOG; such a symbol exists but has no address.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "probe/registry.h"

static const char path[] = "/proc/kallsyms";

enum { AT_ONCE = 16 << 10 };

/* The next part, which ends with a line; false: there is no more. */
static bool read_more(struct probe_registry *registry)
{
	struct text *text = &registry->symbols;

	if (!registry->symbols_tried)
		registry->symbols_fd = open(path, O_RDONLY | O_CLOEXEC);
	registry->symbols_tried = true;
	if (registry->symbols_fd < 0)
		return false;
	do {
		text_reserve(text, AT_ONCE);
		ssize_t n = read(registry->symbols_fd, text->p + text->n,
				 AT_ONCE);

		if (n <= 0) {
			registry_symbols_close(registry);
			return false;
		}
		text->n += (size_t)n;
		text->p[text->n] = '\0';
	} while (text->p[text->n - 1] != '\n');
	return true;
}

void registry_symbols_close(struct probe_registry *registry)
{
	if (registry->symbols_tried && registry->symbols_fd >= 0)
		close(registry->symbols_fd);
	registry->symbols_fd = -1;
}

static bool is_core(const char *module)
{
	return !strcmp(module, "vmlinux") || !strcmp(module, "genunix") ||
	       !strcmp(module, "kernel");
}

/* Does the rest of a line, after the name, match the requested module? */
static bool is_in_module(const char *rest, const char *module)
{
	size_t n = strlen(module);

	if (!n)
		return true;
	if (is_core(module))
		return *rest == '\n';
	return *rest == '\t' && rest[1] == '[' &&
	       !strncmp(rest + 2, module, n) && rest[2 + n] == ']';
}

/* Lines are sorted: up to the next address that differs; `at` is an offset. */
static uint64_t size_from(struct probe_registry *registry, uint64_t address,
			  size_t at)
{
	const struct text *text = &registry->symbols;

	for (;;) {
		at += strcspn(text->p + at, "\n") + 1;
		if (at >= text->n && !read_more(registry))
			return 0;
		uint64_t next = strtoull(text->p + at, NULL, 16);

		if (next != address)
			return next > address ? next - address : 0;
	}
}

const char *registry_symbols(struct probe_registry *registry)
{
	while (read_more(registry))
		continue;
	return registry->symbols.p;
}

bool registry_symbols_shown(struct probe_registry *registry)
{
	char page[4097];
	const char *at = registry->symbols.p;

	if (!at) {
		int fd = open(path, O_RDONLY | O_CLOEXEC);
		ssize_t n = fd < 0 ? 0 : read(fd, page, sizeof(page) - 1);

		if (fd >= 0)
			close(fd);
		page[n > 0 ? n : 0] = '\0';
		at = page;
	}
	/* The first ones may be offsets from 0, and an offset of 0. */
	for (; at && *at; at = strchr(at, '\n')) {
		at += *at == '\n';
		if (strtoull(at, NULL, 16))
			return true;
	}
	return false;
}

/* The line of a symbol in what has been read, from `*at` on. */
static const char *find_name(const struct text *text, size_t *at,
			     const char *module, const char *name)
{
	size_t n = strlen(name);
	const char *found = text->p ? text->p + *at : NULL;

	*at = text->n;
	for (; found && (found = strstr(found, name)); found++) {
		char end = found[n];

		if (found > text->p && found[-1] == ' ' &&
		    (end == '\n' || end == '\t') &&
		    is_in_module(found + n, module))
			return found;
	}
	return NULL;
}

bool registry_symbol(struct probe_registry *registry, const char *module,
		     const char *name, uint64_t *address, uint64_t *size)
{
	const struct text *text = &registry->symbols;
	const char *found;
	size_t at = 0;

	if (!*name || strpbrk(name, " \t\n"))
		return false;
	while (!(found = find_name(text, &at, module ? module : "", name)))
		if (!read_more(registry))
			return false;

	const char *line = found;

	while (line > text->p && line[-1] != '\n')
		line--;
	*address = strtoull(line, NULL, 16);
	*size = size_from(registry, *address, (size_t)(found - text->p));
	return true;
}
