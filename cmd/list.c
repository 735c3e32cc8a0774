/* SPDX-License-Identifier: Apache-2.0 */
/*
 * -l: probes, a row each.
 *
 * Descriptions come from the same compiler as when tracing, with -Z, so that
 * one without a match is only mentioned.  A probe that two descriptions match
 * has two rows.
 */
#include "cmd.h"

static int list_probe(dtrace_hdl_t *dtp, const dtrace_probedesc_t *probe,
		      void *arg)
{
	const struct command *command = arg;
	dtrace_probeinfo_t info;

	put_line(command, "%5u %10s %17s %33s %s", probe->dtpd_id,
		 probe->dtpd_provider, probe->dtpd_mod, probe->dtpd_func,
		 probe->dtpd_name);
	if (command->verbose && !dtrace_probe_info(dtp, probe, &info))
		report_probe(command, &info);
	return 0;
}

static int list_desc(dtrace_hdl_t *dtp, const dtrace_probedesc_t *desc,
		     void *arg)
{
	struct command *command = arg;

	if (dtrace_probe_iter(dtp, desc, list_probe, command)) {
		char text[DTRACE_FULLNAMELEN];

		fflush(command->output);
		fail(command, "failed to match %s",
		     dtrace_desc2str(desc, text, sizeof(text)));
	}
	return 0;
}

int command_list(struct command *command)
{
	dtrace_setopt(command->dtp, "zdefs", NULL);
	int status = command_compile(command);

	if (status)
		return status;
	fprintf(command->output, "%5s %10s %17s %33s %s\n", "ID", "PROVIDER",
		"MODULE", "FUNCTION", "NAME");
	if (!command->nrequests &&
	    dtrace_probe_iter(command->dtp, NULL, list_probe, command))
		return fail(command, "failed to list probes");
	for (unsigned i = 0; i < command->nrequests; i++)
		dtrace_program_desc_iter_ext(command->dtp,
					     command->requests[i].program,
					     list_desc, command);
	return finish_output(command->output);
}
