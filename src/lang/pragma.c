/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Control lines: #pragma D, #error, #ident, #line.
 *
 * A pragma may come before or after what it talks about.  If its subject is
 * already there, it takes effect at once; otherwise it waits until the code
 * that enters an identifier or a provider asks for it (pragma_attributes).  A
 * pragma that is still waiting at the end of the program is an error: most
 * likely its name is misspelt.
 *
 * Pragmas may refer only to what the same program defines.  D libraries are
 * exempt, because their text is compiled in pieces.
 */
#include <ctype.h>
#include <limits.h>
#include <stdlib.h>

#include "lang/lexer.h"

struct pending {
	const char *directive; /* "attributes", "binding" */
	const char *provider;  /* NULL: an identifier */
	const char *name;      /* identifier, or part of the provider */
	struct attr attr;
	bool has_attr;
	bool is_used;
	struct place place;
	struct pending *next;
};

struct pragma_state {
	struct pending *pending; /* newest first */
};

/* A control line being parsed. */
struct reader {
	struct lexer *lexer;
	struct language *language;
	struct str rest;
	const struct place *place;
};

static const char *const parts[] = {
	"provider", "module", "function", "name", "args",
};

/* --------------------------------------------------------------- words */

static void skip_blanks(struct reader *reader)
{
	while (reader->rest.n && isspace((unsigned char)*reader->rest.p)) {
		reader->rest.p++;
		reader->rest.n--;
	}
}

/* The next word or quoted string, without its quotes; NULL at the end. */
static const char *next_word(struct reader *reader, bool *is_quoted)
{
	skip_blanks(reader);
	const char *p = reader->rest.p, *end = p + reader->rest.n;
	const char *start = p;

	if (is_quoted)
		*is_quoted = p < end && *p == '"';
	if (p == end)
		return NULL;
	if (*p == '"') {
		const char *close = memchr(p + 1, '"', (size_t)(end - p) - 1);

		start++;
		p = close ? close : end;
		reader->rest.p = close ? close + 1 : end;
	} else {
		while (p < end && !isspace((unsigned char)*p))
			p++;
		reader->rest.p = p;
	}
	reader->rest.n = (size_t)(end - reader->rest.p);
	return arena_strndup(reader->language->arena, start,
			     (size_t)(p - start));
}

static const char *rest_of_line(struct reader *reader)
{
	skip_blanks(reader);
	struct str rest = reader->rest;

	while (rest.n && isspace((unsigned char)rest.p[rest.n - 1]))
		rest.n--;
	return arena_strndup(reader->language->arena, rest.p,
			     rest.n < 1024 ? rest.n : 1024);
}

#define report(reader, tag, ...) \
	diag_error(&(reader)->language->diag, (reader)->place, tag, __VA_ARGS__)

/* Words left over after a complete pragma. */
static bool at_end(struct reader *reader, const char *directive)
{
	skip_blanks(reader);
	if (!reader->rest.n)
		return true;
	return report(reader, D_PRAGMA_MALFORM,
		      "superfluous arguments specified for #pragma %s",
		      directive);
}

/* ------------------------------------------------- attributes, binding */

static struct pragma_state *state_of(struct language *language)
{
	if (!language->pragmas)
		language->pragmas = arena_new_of(language->arena,
						 struct pragma_state);
	return language->pragmas;
}

static struct pending *add_pending(struct reader *reader, const char *directive,
				   const char *provider, const char *name)
{
	struct pragma_state *state = state_of(reader->language);
	struct pending *pending = arena_new_of(reader->language->arena,
					       struct pending);

	pending->directive = directive;
	pending->provider = provider;
	pending->name = name;
	pending->place = *reader->place;
	pending->next = state->pending;
	state->pending = pending;
	return pending;
}

static bool out_of_scope(struct reader *reader, const char *directive)
{
	return report(
		reader, D_PRAGMA_SCOPE,
		"#pragma %s cannot modify entity defined outside program scope",
		directive);
}

static bool is_ours(const struct reader *reader, const struct place *place)
{
	return reader->language->in_library ||
	       place->source == reader->lexer->source;
}

/* Which part of a provider, or -1. */
static int find_part(const char *word)
{
	for (int i = 0; i < (int)(sizeof(parts) / sizeof(*parts)); i++)
		if (!strcmp(parts[i], word))
			return i;
	return -1;
}

/* ... provider NAME PART */
static bool provider_attributes(struct reader *reader, struct attr attr)
{
	struct language *language = reader->language;
	const char *name = next_word(reader, NULL);
	const char *word = next_word(reader, NULL);

	if (!name || !word)
		return report(
			reader, D_PRAGMA_MALFORM,
			"malformed #pragma attributes provider <name> <component>");
	int part = find_part(word);

	if (part < 0)
		return report(
			reader, D_PRAGMA_INVAL,
			"invalid component \"%s\" in attribute #pragma for provider %s",
			word, name);
	if (!at_end(reader, "attributes"))
		return false;
	for (struct provider_decl *provider = language->providers; provider;
	     provider = provider->next) {
		if (strcmp(provider->name, name))
			continue;
		if (!is_ours(reader, &provider->place))
			return out_of_scope(reader, "attributes");
		provider->attrs[part] = attr;
		return true;
	}
	const struct probe_oracle *oracle = language->config.oracle;

	if (!language->in_library && oracle && oracle->has_provider &&
	    oracle->has_provider(oracle->context, name))
		return out_of_scope(reader, "attributes");
	struct pending *pending = add_pending(reader, "attributes", name,
					      parts[part]);

	pending->attr = attr;
	pending->has_attr = true;
	return true;
}

/* An identifier that a pragma names: there already, or still to come. */
static bool apply_to_ident(struct reader *reader, const char *directive,
			   const char *name, const struct attr *attr)
{
	struct language *language = reader->language;
	struct ident *ident = language_find(language, SCOPE_GLOBAL, name);

	if (!ident)
		ident = language_find_aggregation(language, name);
	if (ident) {
		if (!is_ours(reader, &ident->place))
			return out_of_scope(reader, directive);
		if (attr)
			ident->attr = *attr;
		return true;
	}
	struct pending *pending = add_pending(reader, directive, NULL, name);

	if (attr) {
		pending->attr = *attr;
		pending->has_attr = true;
	}
	return true;
}

static bool pragma_attributes_line(struct reader *reader)
{
	const char *text = next_word(reader, NULL);
	const char *subject = next_word(reader, NULL);
	struct attr attr;

	if (!text || !subject)
		return report(
			reader, D_PRAGMA_MALFORM,
			"malformed #pragma attributes <attributes> <ident>");
	if (!attr_parse(text, &attr))
		return report(
			reader, D_PRAGMA_INVAL,
			"invalid attributes specified by #pragma attributes");
	skip_blanks(reader);
	if (!strcmp(subject, "provider") && reader->rest.n)
		return provider_attributes(reader, attr);
	return at_end(reader, "attributes") &&
	       apply_to_ident(reader, "attributes", subject, &attr);
}

/* major[.minor[.micro]] */
static bool is_version(const char *text)
{
	for (int part = 0; part < 3; part++) {
		char *end;

		if (!isdigit((unsigned char)*text) ||
		    strtoul(text, &end, 10) > 0xfff)
			return false;
		if (!*end)
			return true;
		if (*end != '.')
			return false;
		text = end + 1;
	}
	return false;
}

static bool pragma_binding_line(struct reader *reader)
{
	bool is_quoted;
	const char *version = next_word(reader, &is_quoted);
	const char *name = next_word(reader, NULL);

	if (!version || !is_quoted || !name)
		return report(reader, D_PRAGMA_MALFORM,
			      "malformed #pragma binding \"version\" <ident>");
	if (!is_version(version))
		return report(
			reader, D_PRAGMA_INVAL,
			"invalid version string \"%s\" specified by #pragma binding",
			version);
	return at_end(reader, "binding") &&
	       apply_to_ident(reader, "binding", name, NULL);
}

/* ---------------------------------------------------------- depends_on */

static bool requires(struct reader *reader, const char *class, const char *name,
		     bool (*has)(void *context, const char *name))
{
	const struct probe_oracle *oracle = reader->language->config.oracle;

	if (!has || has(oracle->context, name))
		return true;
	return report(reader, D_PRAGMA_DEPEND, "program requires %s %s", class,
		      name);
}

static bool pragma_depends_line(struct reader *reader)
{
	const struct probe_oracle *oracle = reader->language->config.oracle;
	const char *class = next_word(reader, NULL);
	const char *name = next_word(reader, NULL);

	if (!class || !name)
		return report(reader, D_PRAGMA_MALFORM,
			      "malformed #pragma depends_on <class> <name>");
	if (!at_end(reader, "depends_on"))
		return false;
	if (!strcmp(class, "provider"))
	return requires(reader, class, name,
			oracle ? oracle->has_provider : NULL);
	if (!strcmp(class, "module"))
	return requires(reader, class, name,
			oracle ? oracle->has_module : NULL);
	if (strcmp(class, "library"))
		return report(reader, D_PRAGMA_INVAL,
			      "invalid class %s specified by #pragma depends_on",
			      class);
	/* Libraries are read when something in them is needed. */
	if (reader->language->in_library)
		return true;
	return report(reader, D_PRAGMA_DEPEND,
		      "main program may not explicitly depend on a library");
}

/* -------------------------------------------------------------- option */

static const char *unquote(struct language *language, const char *text)
{
	size_t length = strlen(text);

	if (length < 2 || text[0] != '"' || text[length - 1] != '"')
		return text;
	return arena_strndup(language->arena, text + 1, length - 2);
}

/* Of all macros only parameters: old values may contain a dollar sign. */
static const char *expanded(struct language *language, const char *text)
{
	struct text out = { 0 };

	script_parameters_expand(language, text, &out);
	const char *copy = arena_strdup(language->arena, text_str(&out));

	text_free(&out);
	return copy;
}

static bool pragma_option_line(struct reader *reader)
{
	struct language *language = reader->language;
	char *name = (char *)next_word(reader, NULL);

	if (!name || *name == '=')
		return report(reader, D_PRAGMA_MALFORM,
			      "malformed #pragma option <option>=<val>");
	char *equals = strchr(name, '=');
	const char *value = NULL;

	if (equals) {
		*equals = '\0';
		value = equals + 1;
		if (*value == '"' && reader->rest.n) {
			/* A quoted value may hold blanks. */
			value = arena_printf(language->arena, "%s%s", value,
					     rest_of_line(reader));
			reader->rest.n = 0;
		}
		value = unquote(language, value);
	}
	if (!at_end(reader, "option"))
		return false;
	if (value)
		value = expanded(language, value);
	enum option_error error = option_set(language->config.options, name,
					     value, ORIGIN_PRAGMA);

	if (error == OPTION_OK) {
		int64_t strsize = option_number(language->config.options,
						OPTION_STRSIZE);

		types_set_strsize(language->types, (uint64_t)strsize);
		return true;
	}
	if (value)
		report(reader, D_PRAGMA_OPTSET,
		       "failed to set option '%s' to '%s': %s", name, value,
		       option_strerror(error));
	else
		report(reader, D_PRAGMA_OPTSET, "failed to set option '%s': %s",
		       name, option_strerror(error));
	const char *near = error == OPTION_UNKNOWN ? option_nearest(name)
						   : NULL;

	if (near)
		diag_hint(&language->diag, "did you mean \"%s\"?", near);
	if (error == OPTION_BAD_VALUE) {
		struct text expected = { 0 };

		if (option_expects(name, &expected))
			diag_hint(&language->diag, "%s is %s", name,
				  text_str(&expected));
		text_free(&expected);
	}
	return false;
}

/* #pragma D error "text": the program refuses to be compiled here. */
static bool pragma_error_line(struct reader *reader)
{
	bool is_quoted;
	const char *text = rest_of_line(reader);
	const char *quoted = next_word(reader, &is_quoted);

	return report(reader, D_PRAGERR, "%s", is_quoted ? quoted : text);
}

/* ---------------------------------------------------------- directives */

static bool pragma_parameter_line(struct reader *reader)
{
	return script_parameter_declare(reader->language, reader->rest,
					reader->place, false);
}

static bool pragma_operand_line(struct reader *reader)
{
	return script_parameter_declare(reader->language, reader->rest,
					reader->place, true);
}

static bool pragma_usage_line(struct reader *reader)
{
	return script_usage_declare(reader->language, reader->rest,
				    reader->place);
}

static const struct {
	const char *name;
	bool (*read)(struct reader *reader);
	bool is_early; /* needed before the program is compiled */
} pragmas[] = {
	{ "attributes", pragma_attributes_line, false },
	{ "binding", pragma_binding_line, false },
	{ "depends_on", pragma_depends_line, false },
	{ "error", pragma_error_line, false },
	{ "operand", pragma_operand_line, true },
	{ "option", pragma_option_line, false },
	{ "parameter", pragma_parameter_line, true },
	{ "usage", pragma_usage_line, true },
};

enum { NPRAGMAS = sizeof(pragmas) / sizeof(*pragmas) };

const char *pragma_name(size_t n)
{
	return n < NPRAGMAS ? pragmas[n].name : NULL;
}

static bool pragma_d(struct reader *reader)
{
	const char *word = next_word(reader, NULL);

	for (size_t i = 0; word && i < NPRAGMAS; i++)
		if (!strcmp(pragmas[i].name, word) &&
		    (pragmas[i].is_early || !reader->lexer->is_quiet))
			return pragmas[i].read(reader);
	if (reader->lexer->is_quiet)
		return true;
	return report(reader, D_PRAGMA_INVAL, "invalid D pragma: %s",
		      word ? word : "");
}

static bool directive_pragma(struct reader *reader)
{
	const char *word = next_word(reader, NULL);

	if (word && !strncmp(word, "pack", 4)) {
		extension_pack(&reader->lexer->pack,
			       arena_printf(reader->language->arena, "%s %s",
					    word + 4, rest_of_line(reader)));
		return true;
	}
	if (reader->lexer->is_quiet && (!reader->lexer->is_scanning || !word))
		return true;
	if (!word)
		return report(
			reader, D_PRAGMA_MALFORM,
			"malformed #pragma D <attributes|binding|depends_on|option> ...");
	/* Ignore pragmas of other tools. */
	if (strcmp(word, "D"))
		return true;
	return pragma_d(reader);
}

static bool directive_error(struct reader *reader)
{
	return reader->lexer->is_quiet ||
	       report(reader, D_PRAGERR, "#error: %s", rest_of_line(reader));
}

static bool directive_ident(struct reader *reader)
{
	(void)reader;
	return true;
}

/* #line N "file" flags, and cpp's # N "file" flags. */
static bool set_line(struct reader *reader, const char *directive,
		     const char *number)
{
	char *end = NULL;
	unsigned long line = number ? strtoul(number, &end, 10) : 0;
	bool is_quoted = false,
	     is_fine = number && *number && !*end && line < UINT32_MAX;
	const char *file = next_word(reader, &is_quoted);

	if (!is_fine || (file && !is_quoted)) {
		if (reader->lexer->is_quiet)
			return true;
		return report(reader, D_PRAGMA_MALFORM,
			      "malformed #%s <line> [ [\"file\"] state ]",
			      directive);
	}
	/* The newline that ends this line is still to be counted. */
	reader->lexer->line = (uint32_t)line - 1;
	if (file)
		reader->lexer->file = strcmp(file, reader->lexer->source->name)
					      ? file
					      : NULL;
	return true;
}

static bool directive_line(struct reader *reader)
{
	return set_line(reader, "line", next_word(reader, NULL));
}

/* Does it begin with #! and the name of something else than dtrace? */
static bool is_of_another_language(const struct source *source)
{
	size_t n = source->length;
	const char *end = memchr(source->text, '\n', n);

	if (end)
		n = (size_t)(end - source->text);
	return n > 2 && !memcmp(source->text, "#!", 2) &&
	       !memmem(source->text, n, "dtrace", strlen("dtrace"));
}

bool pragma_line(struct lexer *lexer, struct str line,
		 const struct place *place)
{
	static const struct {
		const char *name;
		bool (*read)(struct reader *reader);
	} directives[] = {
		{ "pragma", directive_pragma },
		{ "error", directive_error },
		{ "ident", directive_ident },
		{ "line", directive_line },
	};
	struct reader reader = {
		.lexer = lexer, .language = lexer->language, .rest = line,
		.place = place,
	};
	const char *word = next_word(&reader, NULL);

	if (!word)
		return true;
	if (isdigit((unsigned char)*word))
		return set_line(&reader, "line", word);
	for (size_t i = 0; i < sizeof(directives) / sizeof(*directives); i++)
		if (!strcmp(directives[i].name, word))
			return directives[i].read(&reader);
	if (lexer->is_quiet)
		return true;
	report(&reader, D_PRAGCTL_INVAL, "invalid control directive: #%s",
	       word);
	if (!strcmp(word, "include") || !strcmp(word, "define") ||
	    !strncmp(word, "if", 2) || !strcmp(word, "endif"))
		diag_hint(
			&lexer->language->diag, "%s",
			option_on(lexer->language->config.options, OPTION_CPP)
				? "-C preprocesses scripts (-s), not what stands on the command line"
				: "the C preprocessor runs with -C");
	else if (is_of_another_language(lexer->source))
		diag_hint(
			&lexer->language->diag,
			"the first line says that this is no D script; run the file itself, without dtrace -s");
	return false;
}

/* --------------------------------------------------------- afterwards */

bool pragma_attributes(struct language *language, const char *provider,
		       const char *part_or_ident, struct attr *attr)
{
	bool found = false;

	if (!language->pragmas)
		return false;
	for (struct pending *pending = language->pragmas->pending; pending;
	     pending = pending->next) {
		bool same_provider = provider && pending->provider
					     ? !strcmp(provider,
						       pending->provider)
					     : provider == pending->provider;

		if (!same_provider || strcmp(pending->name, part_or_ident))
			continue;
		pending->is_used = true;
		if (pending->has_attr && !found) {
			*attr = pending->attr;
			found = true;
		}
	}
	return found;
}

bool pragma_check_unused(struct language *language)
{
	if (!language->pragmas)
		return true;
	struct pending *pending = language->pragmas->pending;

	language->pragmas->pending = NULL;
	for (; pending; pending = pending->next) {
		if (pending->is_used || language->in_library)
			continue;
		/* The name was defined after all: count it as used. */
		if (!pending->provider &&
		    language_find(language, SCOPE_GLOBAL, pending->name))
			continue;
		return diag_error(&language->diag, &pending->place,
				  D_PRAGMA_UNUSED, "unused #pragma %s",
				  pending->directive);
	}
	return true;
}
