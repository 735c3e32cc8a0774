/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernel symbols by name, from /proc/kallsyms.
 *
 * The file is expensive (about 100 ms), so it is read only when a program
 * mentions a back-quoted symbol that types alone cannot answer, once, and then
 * searched as text: a line is "address type name[\t[module]]".  Addresses read
 * as 0 without CAP_SYSLOG; such a symbol exists but has no address.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "probe/registry.h"

static const char path[] = "/proc/kallsyms";

static char *read_all(void)
{
	struct text text = { 0 };
	char *buffer = must_alloc(1 << 16);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0) {
		free(buffer);
		return NULL;
	}
	while ((n = read(fd, buffer, 1 << 16)) > 0)
		text_add(&text, buffer, (size_t)n);
	close(fd);
	free(buffer);
	return text.p;
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

/* Lines are sorted: up to the next address that differs. */
static uint64_t size_from(uint64_t address, const char *at)
{
	while ((at = strchr(at, '\n')) && *++at) {
		uint64_t next = strtoull(at, NULL, 16);

		if (next != address)
			return next > address ? next - address : 0;
	}
	return 0;
}

const char *registry_symbols(struct probe_registry *registry)
{
	if (!registry->symbols_tried) {
		registry->symbols = read_all();
		registry->symbols_tried = true;
	}
	return registry->symbols;
}

bool registry_symbols_shown(struct probe_registry *registry)
{
	char page[4097];
	const char *at = registry->symbols;

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

bool registry_symbol(struct probe_registry *registry, const char *module,
		     const char *name, uint64_t *address, uint64_t *size)
{
	if (!registry_symbols(registry) || !*name || strpbrk(name, " \t\n"))
		return false;
	size_t n = strlen(name);

	for (const char *at = registry->symbols; (at = strstr(at, name));
	     at++) {
		char end = at[n];

		if (at == registry->symbols || at[-1] != ' ' ||
		    (end != '\n' && end != '\t') ||
		    !is_in_module(at + n, module ? module : ""))
			continue;
		const char *line = at;

		while (line > registry->symbols && line[-1] != '\n')
			line--;
		*address = strtoull(line, NULL, 16);
		*size = size_from(*address, at + n);
		return true;
	}
	return false;
}
