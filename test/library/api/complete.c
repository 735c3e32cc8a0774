/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Candidates for D texts, one per argument; | is where the cursor is.  After -n, texts are
 * arguments of that option.  All are asked of one handle, which must stay as it was.
 */
#include <dtrace.h>

#include <stdlib.h>
#include <string.h>

static const char *const kinds[] = {
	"provider", "module",	 "function", "name",	 "keyword",  "type",
	"built-in", "subroutine", "action",   "aggregate", "variable", "aggregation",
	"constant", "member",	 "macro",    "option",
};

struct lines {
	char *lines[4096];
	size_t count, most;
	const char *text;
};

static int see(dtrace_hdl_t *dtp, const dtrace_completion_ext_t *completion, void *arg)
{
	struct lines *lines = arg;

	(void)dtp;
	if (asprintf(&lines->lines[lines->count++], "  %.*s[%s]%s\t%s%s%s",
		     (int)completion->dtco_start, lines->text, completion->dtco_text,
		     completion->dtco_after, kinds[completion->dtco_kind],
		     *completion->dtco_detail ? ": " : "", completion->dtco_detail) < 0)
		exit(1);
	return lines->count == lines->most ? 7 : 0;
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void complete(dtrace_hdl_t *dtp, char *text, dtrace_probespec_t spec)
{
	struct lines *lines = calloc(1, sizeof(*lines));
	char *bar = strchr(text, '|');
	size_t size = strlen(text) - 1;

	printf("%s\n", text);
	memmove(bar, bar + 1, strlen(bar));
	lines->text = text;
	lines->most = 4096;
	int result = dtrace_complete_ext(dtp, text, size, (size_t)(bar - text), spec, see,
					 lines);

	if (result)
		printf("  result %d\n", result);
	qsort(lines->lines, lines->count, sizeof(*lines->lines), compare);
	for (size_t i = 0; i < lines->count; i++) {
		printf("%s\n", lines->lines[i]);
		free(lines->lines[i]);
	}
	/* the callback ends the walk */
	size_t all = lines->count;

	lines->count = 0;
	lines->most = 1;
	result = dtrace_complete_ext(dtp, text, size, (size_t)(bar - text), spec, see, lines);
	if (result != (all ? 7 : 0) || lines->count != (all ? 1 : 0))
		printf("  not ended: %d, %zu candidates\n", result, lines->count);
	for (size_t i = 0; i < lines->count; i++)
		free(lines->lines[i]);
	free(lines);
}

int main(int argc, char **argv)
{
	dtrace_probespec_t spec = DTRACE_PROBESPEC_NONE;
	int error;
	dtrace_hdl_t *dtp = dtrace_open(DTRACE_VERSION, 0, &error);

	if (!dtp)
		return 1;
	dtrace_setopt(dtp, "strsize", "100");
	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "-n"))
			spec = DTRACE_PROBESPEC_NAME;
		else
			complete(dtp, argv[i], spec);
	}
	dtrace_optval_t strsize;

	if (dtrace_getopt(dtp, "strsize", &strsize) || strsize != 100)
		printf("strsize has changed\n");
	dtrace_close(dtp);
	return 0;
}
