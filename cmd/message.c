/* SPDX-License-Identifier: Apache-2.0 */
/* What goes to stderr, and lines with names of others. */
#include "cmd.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Names of others may be in it: a terminal must not obey them. */
static void put(const char *text)
{
	char *shown = isatty(STDERR_FILENO) ?
		dtrace_visible_ext(text, DTRACE_VISIBLE_LINES) : NULL;

	fputs(shown ? shown : text, stderr);
	free(shown);
}

static void say(const char *head, const char *format, va_list args)
{
	char *text = NULL;

	if (vasprintf(&text, format, args) < 0)
		return;
	fputs(head, stderr);
	put(text);
	free(text);
}

void complain(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say("dtrace: ", format, args);
	va_end(args);
	putc('\n', stderr);
}

int fail(struct command *command, const char *format, ...)
{
	dtrace_hdl_t *dtp = command->dtp;
	int error = dtrace_errno(dtp);
	va_list args;

	va_start(args, format);
	say("dtrace: ", format, args);
	va_end(args);
	fputs(": ", stderr);
	put(dtrace_errmsg(dtp, error));
	putc('\n', stderr);
	if (error == EDT_COMPILER)
		put(dtrace_errexcerpt_ext(dtp));
	return EXIT_FATAL;
}

void notice(struct command *command, const char *format, ...)
{
	dtrace_optval_t quiet = DTRACEOPT_UNSET;
	va_list args;

	dtrace_getopt(command->dtp, "quiet", &quiet);
	if (quiet == 1)
		return;
	va_start(args, format);
	say("dtrace: ", format, args);
	va_end(args);
	putc('\n', stderr);
}

void hint(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say("       = ", format, args);
	va_end(args);
	putc('\n', stderr);
}

void put_line(const struct command *command, const char *format, ...)
{
	va_list args;
	char *text = NULL, *shown = NULL;

	va_start(args, format);
	if (!command->is_terminal) {
		vfprintf(command->output, format, args);
	} else if (vasprintf(&text, format, args) >= 0) {
		shown = dtrace_visible_ext(text, DTRACE_VISIBLE_NAME);
		fputs(shown ? shown : "", command->output);
	}
	va_end(args);
	free(text);
	free(shown);
	putc('\n', command->output);
}

int finish_output(FILE *out)
{
	errno = 0;
	if (!fflush(out) && !ferror(out))
		return 0;
	if (errno && errno != EPIPE)
		complain("failed to write output: %s", strerror(errno));
	return EXIT_FATAL;
}
