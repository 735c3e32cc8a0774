/* SPDX-License-Identifier: Apache-2.0 */
/* What goes to stderr. */
#include "cmd.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

void complain(const char *format, ...)
{
	va_list args;

	fputs("dtrace: ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	putc('\n', stderr);
}

int fail(struct command *command, const char *format, ...)
{
	dtrace_hdl_t *dtp = command->dtp;
	int error = dtrace_errno(dtp);
	va_list args;

	fputs("dtrace: ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fprintf(stderr, ": %s\n", dtrace_errmsg(dtp, error));
	if (error == EDT_COMPILER)
		fputs(dtrace_errexcerpt_ext(dtp), stderr);
	return EXIT_FATAL;
}

void notice(struct command *command, const char *format, ...)
{
	dtrace_optval_t quiet = DTRACEOPT_UNSET;
	va_list args;

	dtrace_getopt(command->dtp, "quiet", &quiet);
	if (quiet == 1)
		return;
	fputs("dtrace: ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	putc('\n', stderr);
}

void hint(const char *format, ...)
{
	va_list args;

	fputs("       = ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	putc('\n', stderr);
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
