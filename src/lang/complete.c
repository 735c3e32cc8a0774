/* SPDX-License-Identifier: Apache-2.0 */
#include "lang/complete.h"

#include <string.h>

#include "lang/check.h"
#include "lang/lexer.h"

void complete_offer(struct completer *completer, const char *text,
		    enum completion_kind kind, const char *detail,
		    const char *after)
{
	struct completion completion = { text, kind, detail, after };

	/* names of the libraries' own begin with _ */
	if (completer->is_over || (*text == '_' && !completer->typed.n) ||
	    strncmp(text, completer->typed.p, completer->typed.n) ||
	    table_get(&completer->seen, str_of(text)))
		return;
	table_put(&completer->seen, str_of(text), completer);
	completer->is_over = !completer->offer(completer->data, &completion);
}

void complete_set_word(struct completer *completer, size_t start)
{
	completer->word = start;
	completer->typed = (struct str){ completer->cursor.text + start,
					 completer->cursor.at - start };
}

/* ---------------------------------------------------------------- names */

static bool is_in(const char *const *words, size_t count, const char *word)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(words[i], word))
			return true;
	return false;
}

/* Words of C that D reserves and refuses. */
static bool is_idle(const char *word)
{
	static const char *const words[] = { "auto",	"case",	    "counter",
					     "default", "goto",	    "import",
					     "probe",	"register", "switch" };

	return is_in(words, sizeof(words) / sizeof(*words), word);
}

/* In statements these two are nothing by themselves. */
static const char *after_keyword(const char *word)
{
	static const char *const scopes[] = { "self", "this" };

	return is_in(scopes, 2, word) ? "->" : "";
}

static void offer_keywords(struct completer *completer, unsigned wanted)
{
	static const struct {
		const char *word;
		unsigned flags;
	} keywords[] = {
#define KEYWORD(id, spelling, flags) { spelling, flags },
#include "lang/tokens.def"
#undef KEYWORD
	};

	for (size_t i = 0; i < sizeof(keywords) / sizeof(*keywords); i++) {
		const char *word = keywords[i].word;
		unsigned flags = keywords[i].flags;

		const char *after = wanted ? "" : after_keyword(word);
		/* what begins a declaration of the program is no statement */
		bool fits = wanted ? flags & wanted
				   : *after || !(flags & KEYWORD_SCOPE) ||
					     flags & KEYWORD_TYPE;

		if (fits && !is_idle(word))
			complete_offer(completer, word,
				       flags & KEYWORD_TYPE ? COMPLETE_TYPE
							    : COMPLETE_KEYWORD,
				       "", after);
	}
}

/* "int (char *)" of f becomes "int f(char *)". */
static const char *prototype_of(struct arena *arena, const char *name,
				const char *prototype)
{
	const char *open = strchr(prototype, '(');

	if (!open)
		return prototype;
	size_t n = (size_t)(open - prototype);
	bool has_blank = n && prototype[n - 1] == '*';

	while (n && prototype[n - 1] == ' ')
		n--;
	return arena_printf(arena, "%.*s%s%s%s", (int)n, prototype,
			    has_blank ? "" : " ", name, open);
}

static void offer_functions(struct completer *completer, unsigned kinds)
{
	static const enum completion_kind shown[] = {
		[FUNCTION_SUBROUTINE] = COMPLETE_SUBROUTINE,
		[FUNCTION_ACTION] = COMPLETE_ACTION,
		[FUNCTION_AGGREGATE] = COMPLETE_AGGREGATE,
	};
	struct language *language = completer->language;

	for (const struct function *const *f =
		     language->config.registry->functions;
	     *f; f++) {
		const char *name = (*f)->name;

		if (!(kinds & 1u << (*f)->kind) ||
		    strncmp(name, completer->typed.p, completer->typed.n))
			continue;
		complete_offer(completer, name, shown[(*f)->kind],
			       prototype_of(language->arena, name,
					    (*f)->prototype),
			       "(");
	}
}

static void offer_builtins(struct completer *completer)
{
	const struct builtin_variable *const *v =
		completer->language->config.registry->variables;

	for (; *v; v++)
		complete_offer(completer, (*v)->name, COMPLETE_BUILTIN,
			       (*v)->type ? (*v)->type : "",
			       (*v)->is_array ? "[" : "");
}

/* Kinds of what a library defines; reading it tells. */
static void offer_library_name(void *data, const char *name)
{
	struct completer *completer = data;
	struct language *language = completer->language;

	if (completer->is_over ||
	    strncmp(name, completer->typed.p, completer->typed.n))
		return;
	const struct ident *ident = language_find(language, SCOPE_GLOBAL, name);

	diag_clear(&language->diag);
	if (!ident) {
		complete_offer(completer, name, COMPLETE_TYPE, "", "");
		return;
	}
	bool is_function = ident->kind == IDENT_FUNCTION;

	complete_offer(completer, name,
		       is_function ? COMPLETE_SUBROUTINE : COMPLETE_CONSTANT,
		       ident->type ? type_name(language->types, ident->type)
				   : "",
		       is_function ? "(" : "");
}

/* There are hundreds: nobody wants all of them. */
static void offer_library(struct completer *completer)
{
	if (completer->typed.n)
		library_names(completer->language, offer_library_name,
			      completer);
}

/* Right of the = of an aggregation's statement: one of its functions. */
static bool is_aggregated(const struct completer *completer)
{
	const struct cursor *cursor = &completer->cursor;
	size_t before = cursor_before(cursor, cursor->statement,
				      completer->word);
	size_t at = cursor->statement;

	while (at < before && strchr(" \t\n\r", cursor->text[at]))
		at++;
	return cursor->place == CURSOR_STATEMENTS && before > at + 1 &&
	       cursor->text[at] == '@' && cursor->text[before - 1] == '=' &&
	       !strchr("=!<>+-*/%&|^", cursor->text[before - 2]);
}

static void offer_names(struct completer *completer)
{
	unsigned kinds = 1u << FUNCTION_SUBROUTINE;

	if (is_aggregated(completer)) {
		offer_functions(completer, 1u << FUNCTION_AGGREGATE);
		return;
	}
	if (completer->cursor.place == CURSOR_STATEMENTS)
		kinds |= 1u << FUNCTION_ACTION;
	complete_words(completer, WORD_PLAIN);
	offer_builtins(completer);
	offer_functions(completer, kinds);
	offer_keywords(completer, 0);
	offer_library(completer);
}

/* --------------------------------------------------------------- macros */

static void offer_macros(struct completer *completer)
{
	struct language *language = completer->language;
	const char *name;

	for (const struct script_parameter *parameter =
		     language->parameters.first;
	     parameter; parameter = parameter->next)
		complete_offer(completer, parameter->name, COMPLETE_MACRO,
			       parameter->type->name, "");
	for (size_t i = 0; (name = macro_variable_name(i)); i++)
		complete_offer(completer, name, COMPLETE_MACRO, "int64_t", "");
}

/* -------------------------------------------------------- control lines */

static void offer_options(struct completer *completer)
{
	for (enum option_id id = 0; id < OPTION_COUNT; id++)
		complete_offer(completer, option_name(id), COMPLETE_OPTION, "",
			       "");
}

static void offer_control(struct completer *completer)
{
	static const char option[] = "option";
	const struct cursor *cursor = &completer->cursor;
	size_t end = cursor_before(cursor, cursor->start, completer->word);
	char before[64];
	const char *name;

	if (end - cursor->start >= sizeof(before))
		return;
	memcpy(before, cursor->text + cursor->start, end - cursor->start);
	before[end - cursor->start] = '\0';

	const char *word = strrchr(before, ' ');

	if (!strcmp(before, "#"))
		complete_offer(completer, "pragma", COMPLETE_KEYWORD, "", "");
	else if (!strcmp(before, "#pragma"))
		complete_offer(completer, "D", COMPLETE_KEYWORD, "", "");
	else if (!word || strncmp(before, "#pragma D", 9))
		return;
	else if (!strcmp(word + 1, option))
		offer_options(completer);
	else if (!strcmp(word + 1, "D"))
		for (size_t i = 0; (name = pragma_name(i)); i++)
			complete_offer(completer, name, COMPLETE_KEYWORD, "",
				       "");
}

/* -------------------------------------------------------- program scope */

/* A clause's first word may be a declaration's, and words follow that. */
static void offer_element(struct completer *completer)
{
	struct cursor *cursor = &completer->cursor;
	size_t description = cursor_description(cursor);
	size_t before = cursor_before(cursor, cursor->start, description);
	bool is_first = before == cursor->start;
	bool is_next = before > cursor->start &&
		       cursor->text[before - 1] == ',';

	if (is_first && description == completer->word &&
	    completer->kind == SPEC_NONE)
		offer_keywords(completer, KEYWORD_SCOPE);
	if (is_first || is_next) {
		completer->describe(completer->data,
				    (struct str){ cursor->text + description,
						  cursor->at - description });
		return;
	}
	/* behind the probes of a clause comes no word */
	size_t n = cursor->start;

	while (cursor_is_word(cursor->text[n]))
		n++;
	if (n == cursor->start)
		return;
	enum token_kind first = keyword_lookup((struct str){
		cursor->text + cursor->start, n - cursor->start });

	if (first == TOKEN_NAME)
		return;
	offer_keywords(completer, KEYWORD_TYPE);
	offer_library(completer);
}

/* ------------------------------------------------------------- dispatch */

static bool object_is(const struct cursor *cursor, size_t end, const char *word)
{
	size_t n = strlen(word);
	size_t at = cursor_before(cursor, cursor->statement, end);

	return at >= cursor->statement + n &&
	       !memcmp(cursor->text + at - n, word, n) &&
	       (at == n || !cursor_is_word(cursor->text[at - n - 1])) &&
	       cursor_object(cursor, end) == at - n;
}

static void offer_after_arrow(struct completer *completer, size_t end)
{
	if (object_is(&completer->cursor, end, "self"))
		complete_words(completer, WORD_SELF);
	else if (object_is(&completer->cursor, end, "this"))
		complete_words(completer, WORD_THIS);
	else
		complete_members(completer, end, true);
}

static void offer_in_expression(struct completer *completer)
{
	const struct cursor *cursor = &completer->cursor;
	size_t at = cursor_before(cursor, cursor->statement, completer->word);
	char last = at > cursor->statement ? cursor->text[at - 1] : '\0';
	char sigil = completer->word > cursor->statement
			     ? cursor->text[completer->word - 1]
			     : '\0';

	if (sigil == '@')
		complete_words(completer, WORD_AGGREGATION);
	else if (sigil == '$')
		offer_macros(completer);
	else if (at >= cursor->statement + 2 && last == '>' &&
		 cursor->text[at - 2] == '-')
		offer_after_arrow(completer, at - 2);
	else if (last == '.')
		complete_members(completer, at - 1, false);
	else if (sigil != '`' &&
		 (!completer->typed.n || *completer->typed.p < '0' ||
		  *completer->typed.p > '9'))
		offer_names(completer);
}

void complete_text(struct completer *completer, const char *text, size_t length,
		   size_t at)
{
	struct language *language = completer->language;
	struct cursor *cursor = &completer->cursor;
	struct source *source = arena_new_of(language->arena, struct source);

	*source = (struct source){ .name = "", .text = text, .length = length };
	language->is_deaf = true;
	language_prepare(language, source); /* for parameters */
	diag_clear(&language->diag);
	cursor_find(cursor, language->arena, text, length, at);
	complete_set_word(completer, cursor_word(cursor));
	switch (cursor->place) {
	case CURSOR_NOWHERE:
		break;
	case CURSOR_CONTROL:
		offer_control(completer);
		break;
	case CURSOR_PROGRAM:
		offer_element(completer);
		break;
	case CURSOR_PREDICATE:
	case CURSOR_STATEMENTS:
		offer_in_expression(completer);
		break;
	}
	table_free(&completer->seen);
}
