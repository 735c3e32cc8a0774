/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a description of the pid provider says, before the process is examined.
 *
 * 1. The provider is `pid` and a number.  A glob that ends in the number and
 *    matches that (p*d123) means the same process; any other glob means probes
 *    that exist already.
 * 2. Each kind of mistake has its own tag.  A glob is never a mistake: it may
 *    mean the probes of another provider.
 */
#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "provider/pid.h"

bool pid_is_end_name(const char *name)
{
	return !strcmp(name, "entry") || !strcmp(name, "return") ||
	       !strcmp(name, "done");
}

/* All of it is a hexadecimal number, as in 4c or 0x4c. */
bool pid_parse_offset(const char *name, uint64_t *offset)
{
	char *end;

	if (!isxdigit((unsigned char)*name))
		return false;
	errno = 0;
	*offset = strtoull(name, &end, 16);
	return !*end && !errno;
}

/* The digits at the end of a provider's name; "" when there are none. */
static const char *trailing_digits(const char *name)
{
	const char *end = name + strlen(name);

	while (end > name && isdigit((unsigned char)end[-1]))
		end--;
	return end;
}

/* Not a word that only begins like ours: pidgin. */
bool pid_is_our_name(const char *name)
{
	return !strncmp(name, "pid", 3) && (!name[3] || *trailing_digits(name));
}

/* The process that a name ends in, or 0. */
static pid_t process_number(const char *name)
{
	const char *digits = trailing_digits(name);

	errno = 0;
	long number = strtol(digits, NULL, 10);

	return errno || number > INT32_MAX ? 0 : (pid_t)number;
}

/* entry, return, a hexadecimal offset, or something that may match those. */
static bool is_probe_name(const char *name)
{
	uint64_t offset;

	return pid_is_glob(name) || pid_is_end_name(name) ||
	       pid_parse_offset(name, &offset);
}

struct probe_error pid_error(struct arena *arena, enum tag tag,
			     const char *format, ...)
{
	va_list args;

	va_start(args, format);
	const char *text = arena_vprintf(arena, format, args);

	va_end(args);
	return (struct probe_error){ tag, text };
}

/* What is wrong before the process is examined; no text if nothing is. */
struct probe_error pid_fault_of_desc(struct arena *arena,
				     const struct probe_desc *desc, pid_t pid)
{
	uint64_t offset;

	/* "pidgin12" is not a pid provider, and still has a number */
	if (!pid)
		pid = process_number(desc->provider);
	/* A process has too many addresses for "all of them". */
	if (!strcmp(desc->function, "-") &&
	    !pid_parse_offset(desc->name, &offset))
		return pid_error(
			arena, D_PROC_NAME,
			"'%s' is an invalid probe name: with the '-' function it is an address",
			desc->name);
	if (pid <= 0)
		return pid_error(arena, D_PROC_BADPID,
				 "'%s' does not contain a valid pid",
				 desc->provider);
	if (trailing_digits(desc->provider) != desc->provider + 3)
		return pid_error(arena, D_PROC_BADPROV,
				 "'%s' is not a valid provider",
				 desc->provider);
	if (kill(pid, 0) && errno == ESRCH)
		return pid_error(arena, D_PROC_GRAB,
				 "failed to grab process %d", (int)pid);
	if (!is_probe_name(desc->name))
		return pid_error(arena, D_PROC_NAME,
				 "'%s' is an invalid probe name", desc->name);
	if (!strcmp(desc->function, "-") && !pid_is_glob(desc->module) &&
	    strcmp(desc->module, "a.out"))
		return pid_error(
			arena, D_PROC_LIB,
			"only the a.out module is valid with the '-' function");
	return (struct probe_error){ 0 };
}

pid_t pid_of_provider(const char *name)
{
	pid_t pid = process_number(name);
	char plain[16];

	snprintf(plain, sizeof(plain), "pid%d", (int)pid);
	return pid > 0 && glob_match(name, plain) ? pid : 0;
}
