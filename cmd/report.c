/* SPDX-License-Identifier: Apache-2.0 */
/* -v: how stable a program and its probes are, and what arguments they have. */
#include "cmd.h"

void report_attribute(FILE *out, const char *title, dtrace_attribute_t attr)
{
	fprintf(out, "\n\t%s\n", title);
	fprintf(out, "\t\tIdentifier Names: %s\n",
		dtrace_stability_name(attr.dtat_name));
	fprintf(out, "\t\tData Semantics:   %s\n",
		dtrace_stability_name(attr.dtat_data));
	fprintf(out, "\t\tDependency Class: %s\n",
		dtrace_class_name(attr.dtat_class));
}

void report_probe(FILE *out, const dtrace_probeinfo_t *info)
{
	report_attribute(out, "Probe Description Attributes", info->dtp_attr);
	report_attribute(out, "Argument Attributes", info->dtp_arga);
	fprintf(out, "\n\tArgument Types\n");
	for (int i = 0; i < info->dtp_argc; i++) {
		const dtrace_typeinfo_t *type = &info->dtp_argv[i];

		fprintf(out, "\t\targs[%d]: %s", i, type->dtt_name);
		if (type->dtt_native)
			fprintf(out, " (from %s)", type->dtt_native);
		putc('\n', out);
	}
	if (!info->dtp_argc)
		fprintf(out, "\t\tNone\n");
	putc('\n', out);
}

static int report_one(dtrace_hdl_t *dtp, const dtrace_probedesc_t *probe,
		      void *arg)
{
	FILE *out = arg;
	dtrace_probeinfo_t info;

	fprintf(out, "\n%s:%s:%s:%s\n", probe->dtpd_provider, probe->dtpd_mod,
		probe->dtpd_func, probe->dtpd_name);
	if (!dtrace_probe_info(dtp, probe, &info))
		report_probe(out, &info);
	return 0;
}

static int report_desc(dtrace_hdl_t *dtp, const dtrace_probedesc_t *desc,
		       void *arg)
{
	dtrace_probe_iter(dtp, desc, report_one, arg);
	return 0;
}

void report_program(struct command *command, const struct request *request,
		    const dtrace_proginfo_t *info)
{
	FILE *out = command->output;

	fprintf(out, "\nStability attributes for %s %s:\n",
		request_kind(request), request->name);
	report_attribute(out, "Minimum Probe Description Attributes",
			 info->dpi_descattr);
	report_attribute(out, "Minimum Statement Attributes",
			 info->dpi_stmtattr);
	if (command->compile_only)
		dtrace_program_desc_iter_ext(command->dtp, request->program,
					     report_desc, out);
	else
		putc('\n', out);
}
