/* SPDX-License-Identifier: Apache-2.0 */
/*
 * D libraries: constants, types and translators written in D.
 *
 * Those that come with dtrace are part of the binary, each with a sorted list
 * of the names it defines.  They cost nothing until a program mentions such a
 * name: then that one library is compiled.  What a library itself mentions is
 * found in the same way, so `depends_on library` needs no order here.
 *
 * Directories given by -L, and the option syslibdir, hold libraries without
 * such a list: they are compiled before the first program, all of them, in an
 * order that puts a library after those it depends on.
 *
 * A library that depends on a module or provider that is missing is skipped
 * silently.  Other errors in a library that a program needs are errors of that
 * program; in a directory they concern only the library.
 */
#include "lang/library.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#include "lang/check.h"
#include "lang/complete.h"

struct library_index {
	bool *is_tried; /* per embedded library */
	size_t count;
	bool has_directories;	    /* directories have been read */
	struct file_library *files; /* in order of reading */
	/* providers that embedded libraries declare, and where */
	struct embedded_provider {
		const char *name;
		size_t library;
	} * providers;
	size_t nproviders;
};

struct file_library {
	const char *name; /* "io.d" */
	struct source *source;
	bool is_named; /* by -L, not found by default */
	bool is_tried, is_loading, is_loaded;
	const char *circle;  /* a library that needs this one, too */
	const char *failure; /* why it is not loaded, a sentence */
	struct file_library *next;
};

void library_init(struct language *language)
{
	struct library_index *index = arena_new_of(language->arena,
						   struct library_index);

	while (embedded_libraries[index->count].name)
		index->count++;
	index->is_tried = arena_array_of(language->arena, bool,
					 index->count + 1);
	language->libraries = index;
}

void library_free(struct language *language)
{
	language->libraries = NULL; /* all of it is in the arena */
}

/* Compiles one library; false with the report when it is wrong. */
static bool compile(struct language *language, const struct source *source)
{
	struct program *program = arena_new_of(language->arena, struct program);
	const char *outer_name = language->library_name;
	bool was_in_library = language->in_library;

	language->in_library = true;
	language->library_name = source->name;
	types_enter_library(language->types, true);
	bool ok = parse_program(language, source, SPEC_NONE, program);
	types_enter_library(language->types, was_in_library);
	language->in_library = was_in_library;
	language->library_name = outer_name;
	if (ok || language->diag.tag != D_PRAGMA_DEPEND)
		return ok;
	diag_clear(&language->diag); /* not for this system */
	return true;
}

/* ------------------------------------------------------------- embedded */

static int compare_names(const void *key, const void *element)
{
	return strcmp(key, *(const char *const *)element);
}

static bool defines(const struct embedded_library *library, const char *name)
{
	return bsearch(name, library->names, library->nnames,
		       sizeof(*library->names), compare_names) != NULL;
}

static void load_embedded(struct language *language, size_t number)
{
	const struct embedded_library *library = &embedded_libraries[number];
	struct source *source = arena_new_of(language->arena, struct source);

	source->name = library->name;
	source->text = library->text;
	source->length = library->length;
	source->is_file = true;
	language->libraries->is_tried[number] = true;
	compile(language, source);
}

bool library_load_name(struct language *language, const char *name)
{
	struct library_index *index = language->libraries;
	bool is_loaded = false;

	if (!index || language->diag.failed ||
	    option_on(language->config.options, OPTION_NOLIBS))
		return false;
	for (size_t i = 0; i < index->count; i++) {
		if (index->is_tried[i] ||
		    !defines(&embedded_libraries[i], name))
			continue;
		load_embedded(language, i);
		is_loaded = true;
	}
	return is_loaded;
}

/* The list is read often, for every description. */
static void find_providers(struct language *language)
{
	enum { MARK = sizeof(LIBRARY_PROVIDER) - 1 };
	struct library_index *index = language->libraries;
	const char *const *names;

	for (int is_counted = 0; is_counted < 2; is_counted++) {
		index->nproviders = 0;
		for (size_t i = 0; i < index->count; i++) {
			names = embedded_libraries[i].names;
			for (size_t n = 0; n < embedded_libraries[i].nnames;
			     n++) {
				if (strncmp(names[n], LIBRARY_PROVIDER, MARK))
					continue;
				if (is_counted)
					index->providers[index->nproviders] =
						(struct embedded_provider){
							names[n] + MARK, i
						};
				index->nproviders++;
			}
		}
		if (!is_counted)
			index->providers =
				arena_array_of(language->arena,
					       struct embedded_provider,
					       index->nproviders + 1);
	}
}

void library_load_providers(struct language *language,
			    bool (*wants)(void *data, const char *provider),
			    void *data)
{
	struct library_index *index = language->libraries;

	if (!index || language->diag.failed ||
	    !library_load_directories(language) ||
	    option_on(language->config.options, OPTION_NOLIBS))
		return;
	if (!index->providers)
		find_providers(language);
	for (size_t i = 0; i < index->nproviders; i++) {
		const struct embedded_provider *provider = &index->providers[i];

		if (!index->is_tried[provider->library] &&
		    wants(data, provider->name))
			load_embedded(language, provider->library);
	}
}

void library_provider_names(struct language *language,
			    void (*visit)(void *data, const char *name),
			    void *data)
{
	struct library_index *index = language->libraries;

	if (option_on(language->config.options, OPTION_NOLIBS))
		return;
	if (!index->providers)
		find_providers(language);
	for (size_t i = 0; i < index->nproviders; i++)
		visit(data, index->providers[i].name);
}

void library_names(struct language *language,
		   void (*visit)(void *data, const char *name), void *data)
{
	if (option_on(language->config.options, OPTION_NOLIBS))
		return;
	for (size_t i = 0; embedded_libraries[i].name; i++)
		for (size_t n = 0; n < embedded_libraries[i].nnames; n++)
			if (!strchr(embedded_libraries[i].names[n], ' '))
				visit(data, embedded_libraries[i].names[n]);
}

/* ---------------------------------------------------------- directories */

static struct file_library *find_file(struct library_index *index,
				      const char *name)
{
	struct file_library *file = index->files;

	while (file && strcmp(file->name, name))
		file = file->next;
	return file;
}

static bool is_library_name(const char *name)
{
	size_t length = strlen(name);

	return length > 2 && name[0] != '.' && !strcmp(name + length - 2, ".d");
}

static int compare_pointers(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void read_directory(struct language *language, const char *path,
			   bool is_named)
{
	struct library_index *index = language->libraries;
	DIR *directory = opendir(path);
	struct dirent *entry;
	char **names = NULL;
	size_t count = 0;

	if (!directory)
		return;
	while ((entry = readdir(directory))) {
		if (!is_library_name(entry->d_name))
			continue;
		names = must_realloc(names, (count + 1) * sizeof(*names));
		names[count++] = arena_strdup(language->arena, entry->d_name);
	}
	closedir(directory);
	if (count)
		qsort(names, count, sizeof(*names), compare_pointers);
	for (size_t i = 0; i < count; i++) {
		const char *error;
		struct file_library *file, **end = &index->files;

		if (find_file(index, names[i]))
			continue; /* -L hides the system's */
		file = arena_new_of(language->arena, struct file_library);
		file->name = names[i];
		file->is_named = is_named;
		file->source = language_read_file(language,
						  arena_printf(language->arena,
							       "%s/%s", path,
							       names[i]),
						  &error);
		while (*end)
			end = &(*end)->next;
		if (file->source)
			*end = file;
	}
	free(names);
}

static bool is_embedded(const char *name)
{
	for (size_t i = 0; embedded_libraries[i].name; i++)
		if (!strcmp(embedded_libraries[i].name, name))
			return true;
	return false;
}

static bool load_file(struct language *language, struct file_library *file);

/* "#pragma D depends_on library x.d": x.d first; false when it is not here. */
static bool load_dependencies(struct language *language,
			      struct file_library *file)
{
	static const char words[] = "depends_on library";
	const char *p = file->source->text;

	while ((p = strstr(p, words))) {
		const char *start = p += sizeof(words) - 1;
		struct file_library *other;
		char *name;

		start += strspn(start, " \t");
		p = start + strcspn(start, " \t\r\n");
		name = arena_strndup(language->arena, start,
				     (size_t)(p - start));
		other = find_file(language->libraries, name);
		if (other && other->is_loading) {
			file->circle = other->name;
			return false;
		}
		if (other ? !load_file(language, other) : !is_embedded(name))
			return false;
	}
	return true;
}

/* At once if it is from -L; kept for programs that miss what it defines. */
static void report_failure(struct language *language, struct file_library *file)
{
	bool is_debug = option_on(language->config.options, OPTION_DEBUG);
	struct text line = { 0 };

	if (language->diag.failed)
		diag_print_line(&language->diag,
				is_debug ? TAGS_ORACLE : TAGS_NONE, &line);
	else if (file->circle)
		text_printf(&line, "it and %s depend on each other",
			    file->circle);
	else
		text_puts(&line, "it depends on a library that is not there");
	file->failure = arena_printf(language->arena,
				     "library %s is not loaded: %s",
				     file->source->name, text_str(&line));
	text_free(&line);
	if ((is_debug || file->is_named) && language->config.warn)
		language->config.warn(language->config.context, file->failure);
}

const char *library_failure(const struct language *language, const char *name)
{
	const struct library_index *index = language->libraries;

	for (const struct file_library *file = index ? index->files : NULL;
	     file; file = file->next)
		if (file->failure && strstr(file->source->text, name))
			return file->failure;
	return NULL;
}

static bool load_file(struct language *language, struct file_library *file)
{
	if (!file->is_tried) {
		file->is_tried = true;
		file->is_loading = true;
		file->is_loaded = load_dependencies(language, file);
		file->is_loading = false;
		language->in_directory = true;
		if (file->is_loaded)
			file->is_loaded = compile(language, file->source);
		language->in_directory = false;
		if (!file->is_loaded)
			report_failure(language, file);
		diag_clear(&language->diag);
	}
	return file->is_loaded;
}

bool library_load_directories(struct language *language)
{
	const struct options *options = language->config.options;
	struct library_index *index = language->libraries;
	const char *system = option_text(options, OPTION_SYSLIBDIR);

	if (index->has_directories)
		return true;
	index->has_directories = true;
	if (option_on(options, OPTION_NOLIBS))
		return true;
	for (unsigned i = 0; i < options->nlib_dirs; i++)
		read_directory(language, options->lib_dirs[i], true);
	if (system)
		read_directory(language, system, false);
	for (struct file_library *file = index->files; file; file = file->next)
		load_file(language, file);
	return true;
}
