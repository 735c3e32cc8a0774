/* SPDX-License-Identifier: Apache-2.0 */
/* What goes to stderr, and lines with untrusted names. */
#include "cmd.h"
#include "progress.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* While a screen is redrawn, what stood beside it would be written over. */
static FILE *kept;
static char *kept_text;
static size_t kept_size;

static FILE *messages(void)
{
	return kept ? kept : stderr;
}

void messages_keep(void)
{
	kept = open_memstream(&kept_text, &kept_size);
}

void messages_show(void)
{
	if (!kept)
		return;
	fclose(kept);
	kept = NULL;
	fputs(kept_text, stderr);
	free(kept_text);
}

/* It may contain untrusted names: a terminal must not interpret them. */
static void put(const char *text)
{
	char *shown = isatty(STDERR_FILENO)
			      ? dtrace_visible_ext(text, DTRACE_VISIBLE_LINES)
			      : NULL;

	fputs(shown ? shown : text, messages());
	free(shown);
}

static void say(const char *head, const char *format, va_list args)
{
	char *text = NULL;

	if (vasprintf(&text, format, args) < 0)
		return;
	progress_clear();
	fputs(head, messages());
	put(text);
	free(text);
}

void complain(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say("dtrace: ", format, args);
	va_end(args);
	putc('\n', messages());
}

int fail(struct command *command, const char *format, ...)
{
	dtrace_hdl_t *dtp = command->dtp;
	int error = dtrace_errno(dtp);
	va_list args;

	va_start(args, format);
	say("dtrace: ", format, args);
	va_end(args);
	fputs(": ", messages());
	put(dtrace_errmsg(dtp, error));
	putc('\n', messages());
	if (error == EDT_COMPILER || error == EDT_PARAM)
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
	putc('\n', messages());
}

void hint(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say("       = ", format, args);
	va_end(args);
	putc('\n', messages());
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
