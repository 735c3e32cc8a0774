/* SPDX-License-Identifier: Apache-2.0 */
/* -v: how stable a program and its probes are, and what arguments they have. */
#include "cmd.h"

static void report_attribute(FILE *out, const char *title,
			     dtrace_attribute_t attr)
{
	fprintf(out, "\n\t%s\n", title);
	fprintf(out, "\t\tIdentifier Names: %s\n",
		dtrace_stability_name(attr.dtat_name));
	fprintf(out, "\t\tData Semantics:   %s\n",
		dtrace_stability_name(attr.dtat_data));
	fprintf(out, "\t\tDependency Class: %s\n",
		dtrace_class_name(attr.dtat_class));
}

static void report_type(const struct command *command, int n,
			const dtrace_typeinfo_t *type)
{
	fputs("\t\t", command->output);
	if (type->dtt_native)
		put_line(command, "args[%d]: %s (from %s)", n, type->dtt_name,
			 type->dtt_native);
	else
		put_line(command, "args[%d]: %s", n, type->dtt_name);
}

void report_probe(const struct command *command, const dtrace_probeinfo_t *info)
{
	FILE *out = command->output;

	report_attribute(out, "Probe Description Attributes", info->dtp_attr);
	report_attribute(out, "Argument Attributes", info->dtp_arga);
	fprintf(out, "\n\tArgument Types\n");
	for (int i = 0; i < info->dtp_argc; i++)
		report_type(command, i, &info->dtp_argv[i]);
	if (!info->dtp_argc)
		fprintf(out, "\t\tNone\n");
	if (info->dtp_remark_ext)
		fprintf(out, "\n\tNote\n\t\t%s\n", info->dtp_remark_ext);
	putc('\n', out);
}

static int report_one(dtrace_hdl_t *dtp, const dtrace_probedesc_t *probe,
		      void *arg)
{
	const struct command *command = arg;
	dtrace_probeinfo_t info;

	putc('\n', command->output);
	put_line(command, "%s:%s:%s:%s", probe->dtpd_provider, probe->dtpd_mod,
		 probe->dtpd_func, probe->dtpd_name);
	if (!dtrace_probe_info(dtp, probe, &info))
		report_probe(command, &info);
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
					     report_desc, command);
	else
		putc('\n', out);
}
