/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Diagnostics: what the compiler says about a text, where it says it.
 *
 * A description that matches no probe is a warning: its process may start later.
 * Without the privilege to trace it is information, because probes may be there that
 * this user does not see.
 */
#include "cmd/lsp.h"

#include <stdlib.h>
#include <string.h>

enum severity { SEVERITY_ERROR = 1, SEVERITY_WARNING, SEVERITY_INFORMATION };

struct diagnosis {
	const struct document *document;
	json_t *list;
	bool has_cpp, is_privileged;
};

static json_t *range_of_line(const struct document *document, uint32_t line)
{
	size_t from = line_start(document, line);

	from += strspn(document->text + from, " \t");
	return range_of(document, from, line_end(document, from));
}

/* In the preprocessor's output columns are other ones. */
static json_t *range_of_complaint(const struct diagnosis *diagnosis,
				  const dtrace_place_ext_t *place, bool is_here)
{
	if (!is_here)
		return range_of_line(diagnosis->document, 1);
	if (diagnosis->has_cpp)
		return range_of_line(diagnosis->document, place->dtpl_line);
	return range_of_place(diagnosis->document, place);
}

static void add(void *arg, const dtrace_complaint_ext_t *complaint)
{
	struct diagnosis *diagnosis = arg;
	const dtrace_place_ext_t *place = &complaint->dtcm_place;
	const char *path = diagnosis->document->path;
	bool is_here = place->dtpl_line && place->dtpl_file &&
		       !strcmp(place->dtpl_file, path);
	enum severity severity = !complaint->dtcm_is_doubt ? SEVERITY_ERROR
				 : diagnosis->is_privileged
					 ? SEVERITY_WARNING
					 : SEVERITY_INFORMATION;
	const char *hint = complaint->dtcm_hint, *reason = NULL;
	char *text = NULL, where[512] = "";

	if (severity == SEVERITY_INFORMATION)
		reason = "there may be probes that only root can see";
	if (place->dtpl_line && !is_here)
		snprintf(where, sizeof(where),
			 "%s, line %u: ", place->dtpl_file, place->dtpl_line);
	if (asprintf(&text, "%s%s%s%s%s%s", where, complaint->dtcm_message,
		     hint ? "\n" : "", hint ? hint : "", reason ? "\n" : "",
		     reason ? reason : "") < 0)
		return;
	json_array_append_new(
		diagnosis->list,
		json_pack("{s:o, s:i, s:s, s:s, s:o}", "range",
			  range_of_complaint(diagnosis, place, is_here),
			  "severity", severity, "code", complaint->dtcm_tag,
			  "source", "dtrace", "message", json_text(text)));
	free(text);
}

void diagnose(struct document *document)
{
	struct diagnosis diagnosis = { .document = document,
				       .list = json_array() };
	dtrace_hdl_t *dtp = program_open(document, &diagnosis.has_cpp);

	document->is_changed = false;
	if (dtp) {
		diagnosis.is_privileged = !dtrace_privilege_ext(dtp);
		program_inspect(dtp, document, SIZE_MAX,
				(dtrace_inspect_ext_t){
					.dtin_complain = add,
					.dtin_arg = &diagnosis });
		dtrace_close(dtp);
	}
	message_send(json_pack("{s:s, s:{s:s, s:I, s:o}}", "method",
			       "textDocument/publishDiagnostics", "params",
			       "uri", document->uri, "version",
			       document->version, "diagnostics",
			       diagnosis.list));
}
