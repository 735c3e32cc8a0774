/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A document as a program: with the options that its first line would give it.
 *
 * Only options that change what the text means are taken from there.  A text must not
 * choose what is executed when it is merely looked at, so -x cpppath and the like are
 * none of them.
 */
#include "cmd/lsp.h"

#include <stdlib.h>
#include <string.h>

static const struct {
	char flag;
	const char *option;
	bool takes_value;
} flags[] = {
	{ 'C', "cpp", false },	 { 'D', "define", true },
	{ 'I', "incdir", true }, { 'L', "libdir", true },
	{ 'U', "undef", true },	 { 'w', "destructive", false },
	{ 'X', "stdc", true },	 { 'Z', "zdefs", false },
	{ 'q', "quiet", false },
};

/* What -x may set. */
static const char *const options[] = {
	"amin",	  "cpp",   "defaultargs", "define",  "destructive", "incdir",
	"libdir", "pspec", "stdc",	  "strsize", "undef",	    "version",
	"zdefs",
};

/* Letters of dtrace that take a value and mean nothing here. */
static const char valued[] = "bcfimnopPsxDILUX";

static void set_option(dtrace_hdl_t *dtp, char *text)
{
	char *value = strchr(text, '=');

	if (value)
		*value++ = '\0';
	for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++)
		if (!strcmp(options[i], text))
			dtrace_setopt(dtp, text, value);
}

static void set_flag(dtrace_hdl_t *dtp, char flag, char *value)
{
	if (flag == 'x' && value)
		set_option(dtp, value);
	for (size_t i = 0; i < sizeof(flags) / sizeof(*flags); i++)
		if (flags[i].flag == flag && (value || !flags[i].takes_value))
			dtrace_setopt(dtp, flags[i].option, value);
}

/* The words after the interpreter. */
static void set_flags(dtrace_hdl_t *dtp, char *line)
{
	char *state, *word = strtok_r(line, " \t\r", &state);

	while ((word = strtok_r(NULL, " \t\r", &state)) && *word == '-') {
		for (char *p = word + 1; *p; p++) {
			char flag = *p, *value = NULL;

			if (strchr(valued, flag)) {
				value = p[1] ? p + 1
					     : strtok_r(NULL, " \t\r", &state);
				p += strlen(p) - 1;
			}
			set_flag(dtp, flag, value);
		}
	}
}

dtrace_hdl_t *program_open(const struct document *document, bool *has_cpp)
{
	dtrace_optval_t cpp = DTRACEOPT_UNSET;
	dtrace_hdl_t *dtp = dtrace_open(DTRACE_VERSION, 0, NULL);

	if (!dtp)
		return NULL;
	dtrace_setopt(dtp, "defaultargs", NULL);
	dtrace_setopt(dtp, "empty", NULL); /* a new file is not wrong */
	if (!strncmp(document->text, "#!", 2)) {
		char *line = strndup(document->text + 2,
				     strcspn(document->text + 2, "\n"));

		if (line)
			set_flags(dtp, line);
		free(line);
	}
	if (has_cpp)
		*has_cpp = !dtrace_getopt(dtp, "cpp", &cpp) && cpp == 1;
	return dtp;
}

void program_inspect(dtrace_hdl_t *dtp, const struct document *document,
		     size_t offset, dtrace_inspect_ext_t what)
{
	what.dtin_name = document->path;
	what.dtin_text = document->text;
	if (offset != SIZE_MAX) {
		what.dtin_line = 1;
		for (size_t i = 0; i < offset; i++) {
			what.dtin_column++;
			if (document->text[i] != '\n')
				continue;
			what.dtin_line++;
			what.dtin_column = 0;
		}
	}
	dtrace_inspect_ext(dtp, &what);
}
