/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dtrace -G: which of the objects to be linked have probe sites?
 *
 * Nothing must be done for sites that are notes already; they are counted, so
 * that a provider without any can be reported: usually that is a forgotten
 * object or a header that was compiled away.  Some files cannot be examined:
 * link-time optimisation generates code only when linking, archives and
 * libtool's files stand for others.  Those may have sites; nothing is reported.
 */
#include "usdt/sites.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char note_section[] = ".note.stapsdt";
static const char lto_section[] = ".gnu.lto_";
enum { NOTE_TYPE = 3, NOTE_ADDRESSES = 3 };

static bool is_declared(const struct examination *examination, const char *name)
{
	for (uint32_t i = 0; i < examination->nprograms; i++) {
		const struct provider_decl *provider =
			examination->programs[i]->providers;

		for (; provider; provider = provider->next)
			if (!strcmp(provider->name, name))
				return true;
	}
	return false;
}

/* Three addresses, then the provider's name. */
static bool is_ours(const struct examination *examination,
		    const uint8_t *payload, size_t size)
{
	size_t head = NOTE_ADDRESSES * sizeof(uint64_t);

	return size > head && memchr(payload + head, '\0', size - head) &&
	       is_declared(examination, (const char *)payload + head);
}

static size_t aligned(size_t n)
{
	return (n + 3) & ~(size_t)3;
}

static void count_notes(struct examination *examination,
			const struct section *section)
{
	const uint8_t *bytes = section->data;
	size_t size = section->header.sh_size, at = 0;

	while (size - at >= sizeof(Elf64_Nhdr)) {
		Elf64_Nhdr note;

		memcpy(&note, bytes + at, sizeof(note));
		size_t name = at + sizeof(note);
		size_t payload = name + aligned(note.n_namesz);

		if (note.n_namesz > size || note.n_descsz > size ||
		    payload > size || note.n_descsz > size - payload)
			return;
		if (note.n_type == NOTE_TYPE &&
		    is_ours(examination, bytes + payload, note.n_descsz))
			examination->sites->nsites++;
		at = payload + aligned(note.n_descsz);
		if (at > size)
			return;
	}
}

static void look_at_sections(struct examination *examination)
{
	const struct relocatable *object = &examination->object;

	for (uint32_t i = 1; i < object->nsections; i++) {
		const struct section *section = &object->sections[i];
		const char *name = relocatable_section_name(object, i);

		if (!strncmp(name, lto_section, sizeof(lto_section) - 1))
			examination->sites->is_unknown = true;
		if (section->data && !strcmp(name, note_section))
			count_notes(examination, section);
	}
}

/*
 * The new file replaces the old one atomically; if the name is a link, the file
 * itself is replaced.
 */
static int replace(const char *name, struct relocatable *object)
{
	struct text bytes = { 0 }, temporary = { 0 };
	struct stat status;
	char *path = realpath(name, NULL);
	FILE *file = NULL;
	int error = 0;

	relocatable_put(object, &bytes);
	if (!path || stat(path, &status) || !S_ISREG(status.st_mode)) {
		errno = path ? EINVAL : errno;
	} else {
		text_printf(&temporary, "%s.dtrace-%d", path, (int)getpid());
		file = fopen(text_str(&temporary), "wxe");
	}
	if (!file) {
		error = -errno;
	} else {
		if (fwrite(bytes.p, 1, bytes.n, file) != bytes.n ||
		    fchmod(fileno(file), status.st_mode & 0777))
			error = errno ? -errno : -EIO;
		if (fclose(file) && !error)
			error = -errno;
		if (!error && rename(text_str(&temporary), path))
			error = -errno;
		if (error)
			unlink(text_str(&temporary));
	}
	text_free(&bytes);
	text_free(&temporary);
	free(path);
	return error;
}

int usdt_examine(const char *path, struct types *types,
		 struct program *const *programs, uint32_t nprograms,
		 struct usdt_sites *sites, struct text *error)
{
	struct arena *arena = arena_new();
	struct examination examination = {
		.types = types, .programs = programs, .nprograms = nprograms,
		.path = path, .sites = sites, .error = error,
	};
	enum object_kind kind;

	*sites = (struct usdt_sites){ 0 };
	int result = relocatable_read(path, arena, &examination.object, &kind,
				      &sites->machine);

	if (!result && kind != OBJECT_RELOCATABLE) {
		sites->is_unknown = true;
	} else if (!result) {
		look_at_sections(&examination);
		result = patch_calls(&examination);
		if (!result && sites->is_changed)
			result = replace(path, &examination.object);
	}
	if (result && !error->n)
		text_printf(error, "failed to process object file %s: %s", path,
			    strerror(-result));
	arena_free(arena);
	return result;
}
