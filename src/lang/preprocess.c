/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The C preprocessor (-C).
 *
 * The script is copied into a memory file which becomes cpp's standard input,
 * so that there is only one pipe, from cpp to us, and the two cannot deadlock.
 * No shell is involved: arguments are passed as they are.
 *
 * cpp complains on stderr itself, with file and line; all we add is that it
 * failed.  Its line markers name the script; errors found later say `line 7`,
 * as without -C, and name the file only if it is an included one.
 */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arch/arch.h"
#include "base/vec.h"
#include "lang/internal.h"

enum { LARGEST_OUTPUT = 512 << 20 };

extern char **environ;

/* Always defined; the version of D is added. */
static const char *const predefined[] = {
	"-D__SUNW_D=1", "-D__unix", "-D__unix__", "-D__SVR4", "-D__linux",
	"-D__linux__", "-D__Linux",
	/* no keywords of C99; -std=c99 would enable trigraphs, too */
	"-Uunix", "-Ulinux",
#ifdef __LP64__
	"-D__SUNW_D_64=1",
#endif
	ARCH_CPP_OPTIONS,
};

/* -X and -x stdc, in the words of GNU cpp. */
static const char *conformance(const char *stdc)
{
	switch (stdc ? stdc[0] : 'a') {
	case 'c':
		return "-std=c99";
	case 's':
	case 't':
		return "-traditional-cpp";
	default:
		return "-std=gnu99";
	}
}

static void add_words(struct arena *arena, struct vec *args, const char *text)
{
	static const char blanks[] = " \t\n";

	while (text && *(text += strspn(text, blanks))) {
		size_t length = strcspn(text, blanks);

		vec_push(args, arena_strndup(arena, text, length));
		text += length;
	}
}

static void add(struct vec *args, const char *word)
{
	vec_push(args, (void *)(uintptr_t)word);
}

static void collect_arguments(struct language *language, const char *path,
			      const struct source *source, struct vec *args)
{
	const struct options *options = language->config.options;
	struct arena *arena = language->arena;
	const char *slash = strrchr(source->name, '/');
	int64_t version = option_number(options, OPTION_VERSION);

	add(args, path);
	add(args, conformance(option_text(options, OPTION_STDC)));
	for (size_t i = 0; i < sizeof(predefined) / sizeof(*predefined); i++)
		add(args, predefined[i]);
	add(args,
	    arena_printf(arena, "-D__SUNW_D_VERSION=0x%08llx",
			 (unsigned long long)(version ? version : 2 << 24)));
	if (option_on(options, OPTION_CPPHDRS))
		add(args, "-H");
	/* #include "x.h" is relative to the script. */
	add(args, "-iquote");
	add(args, slash ? arena_strndup(arena, source->name,
					(size_t)(slash - source->name) + 1)
			: ".");
	add_words(arena, args, option_text(options, OPTION_CPPARGS));
	for (unsigned i = 0; i < options->ncpp_args; i++)
		add(args, options->cpp_args[i]);
	add(args, "-");
	add(args, NULL);
}

/* -------------------------------------------------------------- input */

static bool write_all(int fd, const char *bytes, size_t count)
{
	while (count) {
		ssize_t n = write(fd, bytes, count);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		bytes += n;
		count -= (size_t)n;
	}
	return true;
}

/* The script, preceded by a line with its name. */
static int open_input(const struct source *source)
{
	const char *text = source->text;
	size_t length = source->length;
	struct text head = { 0 };
	int fd = memfd_create("dtrace-cpp", MFD_CLOEXEC);

	if (fd < 0)
		return -1;
	text_puts(&head, "# 1 \"");
	for (const char *p = source->name; *p; p++) {
		if (*p == '"' || *p == '\\')
			text_putc(&head, '\\');
		text_putc(&head, *p == '\n' ? ' ' : *p);
	}
	text_puts(&head, "\"\n");
	/* cpp does not know "#!"; leave an empty line in its place. */
	if (length >= 2 && text[0] == '#' && text[1] == '!') {
		const char *newline = memchr(text, '\n', length);
		size_t skipped = newline ? (size_t)(newline - text) : length;

		text += skipped;
		length -= skipped;
	}
	bool is_fine = write_all(fd, head.p, head.n) &&
		       write_all(fd, text, length) &&
		       lseek(fd, 0, SEEK_SET) == 0;

	text_free(&head);
	if (!is_fine) {
		close(fd);
		return -1;
	}
	return fd;
}

/* ------------------------------------------------------------- running */

/* Starts cpp between `in` and the write end of a pipe; 0 or an errno. */
static int start(struct vec *args, int in, int pipe_fds[2], pid_t *pid)
{
	posix_spawn_file_actions_t actions;

	if (pipe2(pipe_fds, O_CLOEXEC) < 0)
		return errno;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&actions, pipe_fds[1], STDOUT_FILENO);
	int error = posix_spawnp(pid, args->items[0], &actions, NULL,
				 (char *const *)args->items, environ);

	posix_spawn_file_actions_destroy(&actions);
	close(pipe_fds[1]);
	if (error)
		close(pipe_fds[0]);
	return error;
}

static bool read_output(int fd, struct text *out)
{
	char buffer[64 * 1024];

	for (;;) {
		ssize_t n = read(fd, buffer, sizeof(buffer));

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n == 0;
		if (out->n + (size_t)n > LARGEST_OUTPUT)
			return false;
		text_add(out, buffer, (size_t)n);
	}
}

static bool finish(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return false;
	return WIFEXITED(status) && !WEXITSTATUS(status);
}

/* NULL, or what went wrong. */
static const char *run(struct vec *args, const struct source *source,
		       struct text *out)
{
	int pipe_fds[2], in = open_input(source);
	pid_t pid;

	if (in < 0)
		return "Failed to fork preprocessor";
	int error = start(args, in, pipe_fds, &pid);

	close(in);
	if (error == ENOENT)
		return "Preprocessor not found";
	if (error == EAGAIN || error == ENOMEM || error == EMFILE)
		return "Failed to fork preprocessor";
	if (error)
		return "Failed to exec preprocessor";
	bool is_read = read_output(pipe_fds[0], out);

	close(pipe_fds[0]);
	if (!finish(pid) || !is_read)
		return "Preprocessor failed to process input program";
	return NULL;
}

const struct source *preprocess(struct language *language,
				const struct source *source)
{
	const char *path = option_text(language->config.options,
				       OPTION_CPPPATH);
	struct vec args = { 0 };
	struct text out = { 0 };
	struct source *result = NULL;

	collect_arguments(language, path && *path ? path : "/usr/bin/cpp",
			  source, &args);
	const char *why = run(&args, source, &out);

	if (why) {
		diag_error(&language->diag, NULL, D_UNKNOWN, "%s", why);
	} else {
		result = arena_new_of(language->arena, struct source);
		*result = *source;
		result->text = arena_strndup(language->arena, text_str(&out),
					     out.n);
		result->length = out.n;
	}
	vec_free(&args);
	text_free(&out);
	return result;
}
