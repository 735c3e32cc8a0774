/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the running kernel knows about its system calls: which exist, and the
 * types of their arguments.
 *
 * The source is tracefs: events/syscalls has a directory for each system call
 * that the kernel implements, and the file "format" in it says
 *
 *	field:const char * filename;	offset:24;	size:8;	signed:0;
 *
 * Only the directories of requested system calls are read.  Without tracefs the
 * parameters of __do_sys_NAME in BTF are used, then a table; without a row
 * there an argument is a long.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/table.h"
#include "btf/type.h"
#include "provider/provider.h"

enum { NARGS = 6, FORMAT_SIZE = 4096 };

static const char prefix[] = "sys_enter_";

struct signature_text {
	bool is_known;
	uint32_t nargs;
	const char *args[NARGS];
};

struct syscall_types {
	struct arena *arena;
	bool tried;
	int directory; /* events/syscalls, or -1 */
	bool has_names;
	struct table names; /* kernel's names that exist */
	struct table signatures;
};

struct syscall_types *syscall_types_new(struct arena *arena)
{
	struct syscall_types *types = must_alloc(sizeof(*types));

	*types = (struct syscall_types){ .arena = arena, .directory = -1 };
	return types;
}

void syscall_types_free(struct syscall_types *types)
{
	if (types->directory >= 0)
		close(types->directory);
	table_free(&types->names);
	table_free(&types->signatures);
	free(types);
}

/* Where the kernel's function is not called like the system call. */
static const struct {
	const char *name, *kernel_name;
} renamed[] = {
	{ "stat", "newstat" },	 { "fstat", "newfstat" },
	{ "lstat", "newlstat" }, { "uname", "newuname" },
	{ "umount2", "umount" }, { "sendfile", "sendfile64" },
};

/* The kernel's own name of a syscall in its metadata: "newstat" for stat. */
static const char *kernel_name_of(const char *name)
{
	for (size_t i = 0; i < sizeof(renamed) / sizeof(renamed[0]); i++) {
		if (!strcmp(renamed[i].name, name))
			return renamed[i].kernel_name;
	}
	return name;
}

static int events_directory(struct probe_registry *registry,
			    struct syscall_types *types)
{
	if (types->tried)
		return types->directory;
	types->tried = true;
	int tracefs = registry_tracefs(registry);

	if (tracefs >= 0)
		types->directory = openat(tracefs, "events/syscalls",
					  O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return types->directory;
}

void syscall_types_read_names(struct probe_registry *registry,
			      struct syscall_types *types)
{
	int directory = events_directory(registry, types);

	if (types->has_names || directory < 0)
		return;
	int copy = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = copy < 0 ? NULL : fdopendir(copy);

	if (!dir) {
		if (copy >= 0)
			close(copy);
		return;
	}
	for (struct dirent *entry; (entry = readdir(dir));) {
		if (strncmp(entry->d_name, prefix, sizeof(prefix) - 1))
			continue;
		char *name = arena_strdup(types->arena,
					  entry->d_name + sizeof(prefix) - 1);

		table_put(&types->names, str_of(name), name);
	}
	closedir(dir);
	types->has_names = true;
}

bool syscall_exists(struct probe_registry *registry,
		    struct syscall_types *types, const char *name)
{
	char path[96];
	const char *kernel_name = kernel_name_of(name);

	if (types->has_names)
		return table_get(&types->names, str_of(kernel_name));
	int directory = events_directory(registry, types);

	if (directory < 0)
		return true;
	snprintf(path, sizeof(path), "%s%s", prefix, kernel_name);
	return !faccessat(directory, path, F_OK, 0) || errno != ENOENT;
}

/* ---------------------------------------------------------------- types */

/* "const char * filename" -> "const char *". */
static const char *type_part(struct arena *arena, const char *text, size_t n)
{
	while (n && text[n - 1] != ' ' && text[n - 1] != '*')
		n--;
	while (n && text[n - 1] == ' ')
		n--;
	return n ? arena_strndup(arena, text, n) : "long";
}

/* Fields that are not arguments: the header's, the number, copied strings. */
static bool is_argument_field(const char *field)
{
	return strncmp(field, "int __syscall_nr;", 17) &&
	       strncmp(field, "__data_loc", 10) && strncmp(field, "common_", 7);
}

static void parse_format(struct arena *arena, const char *text,
			 struct signature_text *signature)
{
	static const char word[] = "\tfield:";

	/* common fields come first, then an empty line */
	text = strstr(text, "\n\n");
	if (!text)
		return;
	signature->is_known = true;
	while ((text = strstr(text, word)) && signature->nargs < NARGS) {
		text += sizeof(word) - 1;
		size_t n = strcspn(text, ";");

		if (is_argument_field(text))
			signature->args[signature->nargs++] =
				type_part(arena, text, n);
		text += n;
	}
}

static bool read_format(int directory, const char *kernel_name, char *buffer)
{
	char path[96];

	snprintf(path, sizeof(path), "%s%s/format", prefix, kernel_name);
	int fd = openat(directory, path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return false;
	ssize_t n, total = 0;

	while (total < FORMAT_SIZE - 1 &&
	       (n = read(fd, buffer + total,
			 (size_t)(FORMAT_SIZE - 1 - total))) > 0)
		total += n;
	close(fd);
	buffer[total] = '\0';
	return total > 0;
}

static void read_btf(struct probe_registry *registry, struct arena *arena,
		     const char *kernel_name, struct signature_text *signature)
{
	struct types *types = registry_types(registry);

	if (!types || types_kernel_available(types))
		return;
	char *name = arena_printf(arena, "__do_sys_%s", kernel_name);
	struct type *function = types_function(types, NULL, name);

	if (!function || !type_complete(types, function) ||
	    function->nparams > NARGS)
		return;
	signature->is_known = true;
	signature->nargs = function->nparams;
	for (uint32_t i = 0; i < function->nparams; i++)
		signature->args[i] = type_name(types, function->params[i]);
	/* Without arguments there is still one unused parameter. */
	if (signature->nargs == 1 &&
	    !strcmp(signature->args[0], "const struct pt_regs *"))
		signature->nargs = 0;
}

static void read_table(struct arena *arena, const char *name,
		       struct signature_text *signature)
{
	const char *at = syscall_prototype(name);

	if (!at)
		return;
	signature->is_known = true;
	while (*at && signature->nargs < NARGS) {
		size_t n = strcspn(at, ",");

		signature->args[signature->nargs++] = arena_strndup(arena, at,
								    n);
		at += n;
		at += strspn(at, ", ");
	}
}

static const struct signature_text *signature_of(struct probe_registry *registry,
						 struct syscall_types *types,
						 const char *name)
{
	struct signature_text *signature = table_get(&types->signatures,
						     str_of(name));
	const char *kernel_name = kernel_name_of(name);
	char buffer[FORMAT_SIZE];

	if (signature)
		return signature;
	signature = arena_new_of(types->arena, struct signature_text);
	int directory = events_directory(registry, types);

	if (directory >= 0 && read_format(directory, kernel_name, buffer))
		parse_format(types->arena, buffer, signature);
	if (!signature->is_known)
		read_btf(registry, types->arena, kernel_name, signature);
	if (!signature->is_known)
		read_table(types->arena, name, signature);
	table_put(&types->signatures, str_of(arena_strdup(types->arena, name)),
		  signature);
	return signature;
}

int syscall_argument_type(struct probe_registry *registry,
			  struct syscall_types *types, const char *name,
			  uint32_t n, const char **text)
{
	const struct signature_text *signature = signature_of(registry, types,
							      name);

	if (n >= NARGS || (signature->is_known && n >= signature->nargs))
		return 0;
	*text = signature->is_known ? signature->args[n] : "long";
	return 1;
}
