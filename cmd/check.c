/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --check: what works on this machine, a row for each provider; why something
 * does not, and what to do, below its row.
 */
#include "cmd.h"

#include <string.h>

enum { INDENT = 12, WIDTH = 79 };

/* Words, as many to a line as fit. */
static void print_reason(FILE *out, const char *reason)
{
	size_t column = 0;

	while (*reason) {
		size_t n = strcspn(reason, " ");

		if (column && column + 1 + n > WIDTH - INDENT) {
			fputc('\n', out);
			column = 0;
		}
		if (column)
			column += (size_t)fprintf(out, " ");
		else
			fprintf(out, "%*s", INDENT, "");
		column += n;
		fwrite(reason, 1, n, out);
		reason += n + strspn(reason + n, " ");
	}
	fputc('\n', out);
}

static int print_provider(dtrace_hdl_t *dtp,
			  const dtrace_providerstate_ext_t *provider, void *arg)
{
	static const char *const words[] = {
		[DTRACE_PROVIDER_WORKS] = "works",
		[DTRACE_PROVIDER_PARTLY] = "works in part",
		[DTRACE_PROVIDER_ABSENT] = "not here",
	};
	FILE *out = arg;
	bool has_reason = provider->dtps_reason && *provider->dtps_reason;

	(void)dtp;
	fprintf(out, "%-11s %s\n", provider->dtps_name,
		words[provider->dtps_status]);
	if (has_reason && provider->dtps_status != DTRACE_PROVIDER_WORKS)
		print_reason(out, provider->dtps_reason);
	return 0;
}

int command_check(struct command *command)
{
	fprintf(command->output, "%-11s %s\n", "PROVIDER", "HERE");
	dtrace_provider_iter_ext(command->dtp, print_provider, command->output);
	return finish_output(command->output);
}
