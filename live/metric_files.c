/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The directory of metrics: all its *.metric, and `modules`.
 *
 * A module is a line of `modules`: its name, its entry, its title.  It gives its
 * metrics their entry, unless they have one of their own, and it says in which
 * order modules are shown.  A module that is not in it is shown under its name.
 *
 * All is read at once, because whoever serves it is confined later.  A file that
 * is wrong, too large or not a plain file costs a line of *problem, no more: a
 * user's mistake must not hide the other metrics.
 */
#include "live/metric.h"

#include "base/arena.h"
#include "base/text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LARGEST_FILE = 64 * 1024, MOST_METRICS = 1000, MOST_MODULES = 100 };

#ifndef METRICS_DIR
#define METRICS_DIR "/usr/share/dtrace/metrics"
#endif

/* The bytes of a plain file in `text`; or a message in `problem`. */
static bool read_file(int dir, const char *name, const char *path,
		      struct text *text, struct text *problem)
{
	int fd = openat(dir, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat about;
	const char *why = NULL;

	if (fd < 0 || fstat(fd, &about))
		why = strerror(errno);
	else if (!S_ISREG(about.st_mode))
		why = "not a plain file";
	else if (about.st_size > LARGEST_FILE)
		why = "larger than 64 kB";
	while (!why && text->n <= LARGEST_FILE) {
		char bytes[4096];
		ssize_t n = read(fd, bytes, sizeof(bytes));

		if (n < 0)
			why = strerror(errno);
		if (n <= 0)
			break;
		text_add(text, bytes, (size_t)n);
	}
	if (fd >= 0)
		close(fd);
	if (why)
		text_printf(problem, "%s: %s\n", path, why);
	return !why;
}

static void read_modules(struct metrics *metrics, int dir, const char *path,
			 struct text *problem)
{
	struct text text = { 0 };
	char *rest;
	int number = 0;

	if (faccessat(dir, "modules", R_OK, 0) ||
	    !read_file(dir, "modules", path, &text, problem)) {
		text_free(&text);
		return;
	}
	char *copy = arena_strndup(metrics->arena, text_str(&text), text.n);

	for (char *line; (line = strsep(&copy, "\n")) != NULL;) {
		struct metric_module module;

		number++;
		if (*line == '#' || !*line)
			continue;
		module.name = strtok_r(line, " \t", &rest);
		module.entry = strtok_r(NULL, " \t", &rest);
		module.title = strtok_r(NULL, "", &rest);
		if (!module.title || metrics->nmodules == MOST_MODULES) {
			text_printf(problem, "%s:%d: NAME ENTRY TITLE\n", path,
				    number);
			continue;
		}
		while (*module.title == ' ' || *module.title == '\t')
			module.title++;
		metrics->modules = arena_grown(metrics->arena, metrics->modules,
					       metrics->nmodules,
					       sizeof(module));
		metrics->modules[metrics->nmodules++] = module;
	}
	text_free(&text);
}

static void join_module(struct metrics *metrics, struct metric *metric)
{
	for (size_t i = 0; i < metrics->nmodules; i++) {
		if (strcmp(metrics->modules[i].name, metric->module) != 0)
			continue;
		if (!metric->entry)
			metric->entry = metrics->modules[i].entry;
		return;
	}
	if (!metric->entry)
		metric->entry = "machine";
	metrics->modules = arena_grown(metrics->arena, metrics->modules,
				       metrics->nmodules,
				       sizeof(*metrics->modules));
	metrics->modules[metrics->nmodules++] = (struct metric_module){
		metric->module, metric->module, metric->entry
	};
}

static void read_metric(struct metrics *metrics, int dir, const char *directory,
			const char *file, struct text *problem)
{
	struct text text = { 0 };
	char *path = arena_printf(metrics->arena, "%s/%s", directory, file);
	char *name = arena_strndup(metrics->arena, file,
				   strlen(file) - strlen(".metric"));
	char *wrong = NULL;

	if (read_file(dir, file, path, &text, problem)) {
		struct metric *metric = metric_parse(metrics, name, path,
						     text_str(&text), text.n,
						     &wrong);

		if (metric) {
			join_module(metrics, metric);
			metrics->metrics =
				arena_grown(metrics->arena, metrics->metrics,
					    metrics->nmetrics,
					    sizeof(*metrics->metrics));
			metrics->metrics[metrics->nmetrics++] = metric;
		} else {
			text_printf(problem, "%s\n", wrong);
		}
	}
	free(wrong);
	text_free(&text);
}

static int is_metric(const struct dirent *entry)
{
	const char *suffix = strrchr(entry->d_name, '.');

	return suffix && suffix != entry->d_name && *entry->d_name != '.' &&
	       !strcmp(suffix, ".metric");
}

struct metrics *metrics_read(const char *directory, char **problem)
{
	struct dirent **files = NULL;
	struct text wrong = { 0 };
	int dir = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int count = dir < 0 ? -1
			    : scandirat(dir, ".", &files, is_metric, alphasort);

	*problem = NULL;
	if (count < 0) {
		text_printf(&wrong, "%s: %s\n", directory, strerror(errno));
		*problem = wrong.p;
		if (dir >= 0)
			close(dir);
		return NULL;
	}
	struct metrics *metrics = must_alloc(sizeof(*metrics));
	char path[PATH_MAX];

	*metrics = (struct metrics){ .arena = arena_new() };
	snprintf(path, sizeof(path), "%s/modules", directory);
	read_modules(metrics, dir, path, &wrong);
	if (count > MOST_METRICS)
		text_printf(&wrong, "%s: only %d of %d files are read\n",
			    directory, MOST_METRICS, count);
	for (int i = 0; i < count; i++) {
		if (i < MOST_METRICS)
			read_metric(metrics, dir, directory, files[i]->d_name,
				    &wrong);
		free(files[i]);
	}
	free(files);
	close(dir);
	*problem = wrong.n ? wrong.p : NULL;
	if (!wrong.n)
		text_free(&wrong);
	return metrics;
}

void metrics_free(struct metrics *metrics)
{
	if (!metrics)
		return;
	arena_free(metrics->arena);
	free(metrics);
}

const struct metric *metrics_find(const struct metrics *metrics,
				  const char *name)
{
	for (size_t i = 0; i < metrics->nmetrics; i++)
		if (!strcmp(metrics->metrics[i]->name, name))
			return metrics->metrics[i];
	return NULL;
}

char *metrics_directory(void)
{
	char path[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);
	char *found = NULL;

	if (n > 0) {
		path[n] = '\0';
		struct text beside = { 0 };

		text_printf(&beside, "%s/../metrics", dirname(path));
		found = realpath(beside.p, NULL);
		text_free(&beside);
	}
	return found ? found : must_strdup(METRICS_DIR);
}
