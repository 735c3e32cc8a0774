/* SPDX-License-Identifier: Apache-2.0 */
/* Programs: compiling, enabling, and their contents. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "api/internal.h"
#include "base/arena.h"

static const struct {
	unsigned flag;
	const char *option;
} flags[] = {
	{ DTRACE_C_DIFV, "verbose" },  { DTRACE_C_EMPTY, "empty" },
	{ DTRACE_C_ZDEFS, "zdefs" },   { DTRACE_C_PSPEC, "pspec" },
	{ DTRACE_C_CPP, "cpp" },       { DTRACE_C_NOLIBS, "nolibs" },
	{ DTRACE_C_ARGREF, "argref" }, { DTRACE_C_DEFARG, "defaultargs" },
	{ DTRACE_C_ETAGS, "errtags" },
};

static const enum spec_kind spec_kinds[] = {
	[DTRACE_PROBESPEC_PROVIDER] = SPEC_PROVIDER,
	[DTRACE_PROBESPEC_MOD] = SPEC_MODULE,
	[DTRACE_PROBESPEC_FUNC] = SPEC_FUNCTION,
	[DTRACE_PROBESPEC_NAME] = SPEC_NAME,
	[DTRACE_PROBESPEC_ID] = SPEC_ID,
};

static dtrace_attribute_t to_public(struct attr attr)
{
	return (dtrace_attribute_t){ attr.name, attr.data, attr.class };
}

static void begin_compilation(dtrace_hdl_t *dtp, unsigned cflags, int argc,
			      char *const argv[])
{
	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		if (cflags & flags[i].flag)
			option_set(&dtp->options, flags[i].option, NULL,
				   ORIGIN_COMMAND);
	}
	handle_set_args(dtp, argc, argv);

	struct language *language = session_language(handle_session(dtp));

	diag_clear(language_diag(language));
	if (cflags & DTRACE_C_BUILD_EXT)
		language_set_building(language);
}

static dtrace_prog_t *compile(dtrace_hdl_t *dtp, const struct source *source,
			      enum spec_kind kind)
{
	struct language *language = session_language(dtp->session);
	struct program *program = language_compile(language, source, kind);

	if (!program) {
		handle_fail_compile(dtp);
		return NULL;
	}
	dtrace_prog_t *pgp = must_alloc(sizeof(*pgp));

	*pgp = (dtrace_prog_t){
		.program = program,
		.next = dtp->programs,
		.name = dtp->nargs ? dtp->args[0] : NULL,
	};
	dtp->programs = pgp;
	return pgp;
}

static struct source *source_new(dtrace_hdl_t *dtp, const char *name,
				 const char *text, size_t length, bool is_file)
{
	struct arena *arena = language_arena(session_language(dtp->session));
	struct source *source = arena_new_of(arena, struct source);

	source->name = arena_strdup(arena, name);
	source->text = arena_strndup(arena, text, length);
	source->length = length;
	source->is_file = is_file;
	return source;
}

dtrace_prog_t *dtrace_program_strcompile(dtrace_hdl_t *dtp, const char *text,
					 dtrace_probespec_t spec,
					 unsigned cflags, int argc,
					 char *const argv[])
{
	enum spec_kind kind = SPEC_NONE;

	if (spec >= DTRACE_PROBESPEC_PROVIDER && spec <= DTRACE_PROBESPEC_ID)
		kind = spec_kinds[spec];
	begin_compilation(dtp, cflags, argc, argv);
	return compile(dtp, source_new(dtp, text, text, strlen(text), false),
		       kind);
}

dtrace_prog_t *dtrace_program_fcompile(dtrace_hdl_t *dtp, FILE *fp,
				       unsigned cflags, int argc,
				       char *const argv[])
{
	struct text text = { 0 };
	char buffer[4096];
	size_t n;

	begin_compilation(dtp, cflags, argc, argv);
	while ((n = fread(buffer, 1, sizeof(buffer), fp)) > 0)
		text_add(&text, buffer, n);
	if (ferror(fp)) {
		handle_fail(dtp, errno ? errno : EDT_FILE);
		text_free(&text);
		return NULL;
	}
	const char *name = argc > 0 ? argv[0] : "script";
	struct source *source = source_new(dtp, name, text_str(&text), text.n,
					   true);

	text_free(&text);
	return compile(dtp, source, SPEC_NONE);
}

dtrace_prog_t *dtrace_program_pathcompile_ext(dtrace_hdl_t *dtp,
					      const char *path, unsigned cflags,
					      int argc, char *const argv[])
{
	const char *error = NULL;

	begin_compilation(dtp, cflags, argc, argv);
	struct language *language = session_language(dtp->session);
	const struct source *source = handle_take_script(dtp, path);

	if (!source)
		source = language_read_file(language, path, &error);
	if (!source) {
		handle_fail_text(dtp, EDT_FILE,
				 error ? error : "Failed to read file");
		return NULL;
	}
	return compile(dtp, source, SPEC_NONE);
}

int dtrace_program_complete_ext(dtrace_hdl_t *dtp, dtrace_prog_t *pgp)
{
	if (pgp->name && dtp->nargs)
		dtp->args[0] = pgp->name;
	if (session_complete(dtp->session, pgp->program))
		return handle_fail_compile(dtp);
	return 0;
}

int dtrace_program_finish_ext(dtrace_hdl_t *dtp)
{
	struct language *language = session_language(handle_session(dtp));

	diag_clear(language_diag(language));
	if (language_check_unused_args(language))
		return 0;
	return handle_fail_compile(dtp);
}

/* ------------------------------------------------------------- contents */

void handle_desc(const struct probe_desc *from, dtrace_probedesc_t *to)
{
	memset(to, 0, sizeof(*to));
	to->dtpd_id = from->id;
	snprintf(to->dtpd_provider, sizeof(to->dtpd_provider), "%s",
		 from->provider ? from->provider : "");
	snprintf(to->dtpd_mod, sizeof(to->dtpd_mod), "%s",
		 from->module ? from->module : "");
	snprintf(to->dtpd_func, sizeof(to->dtpd_func), "%s",
		 from->function ? from->function : "");
	snprintf(to->dtpd_name, sizeof(to->dtpd_name), "%s",
		 from->name ? from->name : "");
}

int dtrace_program_desc_iter_ext(dtrace_hdl_t *dtp, dtrace_prog_t *pgp,
				 dtrace_probe_f *func, void *arg)
{
	for (const struct clause *clause = pgp->program->clauses; clause;
	     clause = clause->next) {
		for (const struct probe_desc *desc = clause->descs; desc;
		     desc = desc->next) {
			dtrace_probedesc_t public;

			handle_desc(desc, &public);
			int result = func(dtp, &public, arg);

			if (result)
				return result;
		}
	}
	return 0;
}

static bool count_probe(void *data, const struct probe *probe)
{
	(void)probe;
	++*(uint32_t *)data;
	return true;
}

void dtrace_program_info(dtrace_hdl_t *dtp, dtrace_prog_t *pgp,
			 dtrace_proginfo_t *pip)
{
	const struct program *program = pgp->program;
	struct probe_registry *registry = session_registry(dtp->session);

	memset(pip, 0, sizeof(*pip));
	pip->dpi_descattr = to_public(program->probe_attr);
	pip->dpi_stmtattr = to_public(program->statement_attr);
	for (const struct clause *clause = program->clauses; clause;
	     clause = clause->next) {
		for (const struct probe_desc *desc = clause->descs; desc;
		     desc = desc->next)
			registry_match(registry, desc, count_probe,
				       &pip->dpi_matches, NULL);
	}
}

int dtrace_program_exec(dtrace_hdl_t *dtp, dtrace_prog_t *pgp,
			dtrace_proginfo_t *pip)
{
	if (dtp->is_running)
		return handle_fail(dtp, EDT_ACTIVE);
	if (session_is_fixed(dtp->session))
		return handle_fail_text(
			dtp, EDT_ORDER,
			"Programs are enabled before dtrace_go() and dtrace_disassemble_ext()");
	if (dtrace_program_complete_ext(dtp, pgp))
		return -1;
	int matched = session_enable(dtp->session, pgp->program);

	if (matched < 0)
		return handle_fail_text(dtp, EDT_ENABLE,
					session_error(dtp->session));
	if (pip) {
		memset(pip, 0, sizeof(*pip));
		pip->dpi_descattr = to_public(pgp->program->probe_attr);
		pip->dpi_stmtattr = to_public(pgp->program->statement_attr);
		pip->dpi_matches = (uint32_t)matched;
	}
	return 0;
}

int dtrace_disassemble_ext(dtrace_hdl_t *dtp, FILE *fp)
{
	struct text text = { 0 };
	int err = session_disassemble(handle_session(dtp), &text);

	handle_put(fp, text_str(&text));
	text_free(&text);
	if (err)
		return handle_fail_text(dtp, EDT_ENABLE,
					session_error(dtp->session));
	return 0;
}
