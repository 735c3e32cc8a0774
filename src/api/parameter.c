/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parameters of programs, before these are compiled.
 *
 * A script that was looked through for its parameters is kept for
 * dtrace_program_pathcompile_ext(): standard input and pipes can be read only
 * once, and the preprocessor need not run twice.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "api/internal.h"
#include "base/arena.h"
#include "lang/script_parameter.h"

struct handle_script {
	const char *path;
	const struct source *source;
	struct handle_script *next;
};

static const struct source *prepare(dtrace_hdl_t *dtp,
				    const struct source *source)
{
	struct language *language = session_language(dtp->session);

	diag_clear(language_diag(language));
	source = language_prepare(language, source);
	if (!source)
		handle_fail_compile(dtp);
	return source;
}

int dtrace_param_text_ext(dtrace_hdl_t *dtp, const char *text)
{
	struct language *language = session_language(handle_session(dtp));
	struct source *source = arena_new_of(language_arena(language),
					     struct source);

	source->name = source->text = arena_strdup(language_arena(language),
						   text);
	source->length = strlen(text);
	return prepare(dtp, source) ? 0 : -1;
}

int dtrace_param_file_ext(dtrace_hdl_t *dtp, const char *path)
{
	struct language *language = session_language(handle_session(dtp));
	const char *error = NULL;
	const struct source *source = language_read_file(language, path,
							 &error);

	if (!source)
		return handle_fail_text(dtp, EDT_FILE, error);
	source = prepare(dtp, source);
	if (!source)
		return -1;
	struct handle_script **end = &dtp->scripts;

	while (*end)
		end = &(*end)->next;
	*end = arena_new_of(language_arena(language), struct handle_script);
	(*end)->path = source->name;
	(*end)->source = source;
	return 0;
}

/* There may be options to set yet, so there is no session to ask. */
int dtrace_param_letters_ext(dtrace_hdl_t *dtp, const char *path)
{
	FILE *file = fopen(path, "re");
	char *text = NULL;
	size_t size = 0;

	if (!file)
		return handle_fail_text(dtp, EDT_FILE, strerror(errno));
	/* a script is a text: it has no NUL */
	ssize_t n = getdelim(&text, &size, '\0', file);
	bool is_there = n > 0 &&
			script_has_letters((struct str){ text, (size_t)n });

	free(text);
	fclose(file);
	return is_there;
}

const struct source *handle_take_script(dtrace_hdl_t *dtp, const char *path)
{
	for (struct handle_script **link = &dtp->scripts; *link;
	     link = &(*link)->next) {
		const struct handle_script *script = *link;

		if (strcmp(script->path, path))
			continue;
		*link = script->next;
		return script->source;
	}
	return NULL;
}

int dtrace_param_parse_ext(dtrace_hdl_t *dtp, int *argc, char *argv[])
{
	struct language *language = session_language(handle_session(dtp));
	struct text why = { 0 }, hint = { 0 };
	enum script_verdict verdict =
		script_parameters_parse(language, argc, argv, &why, &hint);

	if (verdict == SCRIPT_WRONG) {
		handle_fail_text(dtp, EDT_PARAM, text_str(&why));
		if (hint.n)
			text_printf(&dtp->excerpt, "       = %s\n",
				    text_str(&hint));
	}
	text_free(&why);
	text_free(&hint);
	return verdict == SCRIPT_FINE ? 0 : verdict == SCRIPT_HELP ? 1 : -1;
}

int dtrace_param_iter_ext(dtrace_hdl_t *dtp, dtrace_param_f *func, void *arg)
{
	const struct script_parameters *parameters =
		language_parameters(session_language(handle_session(dtp)));

	for (const struct script_parameter *parameter = parameters->first;
	     parameter; parameter = parameter->next) {
		const dtrace_param_ext_t public = {
			.dtpa_name = parameter->name,
			.dtpa_letter = parameter->letter,
			.dtpa_is_operand = parameter->is_operand,
			.dtpa_type = parameter->type->name,
			.dtpa_default = parameter->preset,
			.dtpa_help = parameter->help,
			.dtpa_value = parameter->text,
		};
		int result = func(dtp, &public, arg);

		if (result)
			return result;
	}
	return 0;
}

void dtrace_param_help_ext(dtrace_hdl_t *dtp, const char *name, FILE *fp)
{
	struct text text = { 0 };

	script_parameters_help(session_language(handle_session(dtp)), name,
			       &text);
	handle_put(fp, text_str(&text));
	text_free(&text);
}

char *dtrace_param_expand_ext(dtrace_hdl_t *dtp, const char *text)
{
	struct text out = { 0 };

	script_parameters_expand(session_language(handle_session(dtp)), text,
				 &out);
	char *copy = strdup(text_str(&out));

	text_free(&out);
	return copy;
}
