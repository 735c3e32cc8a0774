/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inspection: errors are told, and the compiler goes on.
 *
 * Where an element ends whose text cannot be parsed is a guess: at the brace that
 * closes its first one, at a brace in the first column, or at a semicolon
 * outside of braces.  A wrong guess costs a second complaint, no more.
 */
#include "lang/inspect.h"

#include "lang/check.h"
#include "lang/parser.h"

/* Complaints are told once: a function is read where it is called, and again. */
struct told {
	enum tag tag;
	size_t offset;
	struct told *next;
};

/* More would not be read, and hostile texts have many. */
enum { MOST_COMPLAINTS = 100, MOST_FAILURES = 200, MOST_SUGGESTIONS = 3 };

static bool is_told(struct language *language, const struct diag *diag)
{
	struct inspection *inspection = language->inspection;
	uint32_t count = 0;

	for (const struct told *told = inspection->told; told;
	     told = told->next) {
		if (told->tag == diag->tag &&
		    told->offset == diag->place.offset)
			return true;
		if (++count == MOST_COMPLAINTS)
			return true;
	}
	struct told *told = arena_new_of(language->arena, struct told);

	*told = (struct told){ diag->tag, diag->place.offset,
			       inspection->told };
	inspection->told = told;
	return false;
}

/* Does what follows a name say that it gets a value, keys or parameters? */
static bool is_defining(const char *p, const char *end)
{
	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	if (end - p < 2)
		return false;
	return *p == '[' || *p == '(' || (*p == '=' && p[1] != '=') ||
	       (strchr("+-*/%&|^", *p) && (p[1] == '=' || p[1] == *p));
}

static bool defines_word(struct str text, struct str word)
{
	const char *end = text.p + text.n, *at = text.p;

	while (word.n &&
	       (at = memmem(at, (size_t)(end - at), word.p, word.n))) {
		bool is_whole = at == text.p || !is_word_byte(at[-1]);

		at += word.n;
		if (is_whole && is_defining(at, end))
			return true;
	}
	return false;
}

/* Is a name unknown that an element which was left out may define? */
static bool is_consequence(const struct inspection *inspection,
			   const struct diag *diag)
{
	const struct place *place = &diag->place;
	const struct source *source = place->source;

	if (diag->tag != D_VAR_UNDEF && diag->tag != D_IDENT_UNDEF &&
	    diag->tag != D_FUNC_UNDEF && diag->tag != D_AGG_NULL &&
	    !strstr(tag_name(diag->tag), "_AGGBAD"))
		return false;
	if (!source || source != inspection->source ||
	    place->offset + place->length > source->length)
		return false;
	struct str word = { source->text + place->offset, place->length };

	for (const struct inspected_part *part = inspection->parts; part;
	     part = part->next) {
		size_t from = part->place.offset;

		if (part->has_failed && part->end > from &&
		    defines_word((struct str){ source->text + from,
					       part->end - from },
				 word))
			return true;
	}
	return false;
}

/* What kind of text $1 will be is known when it is given. */
static bool is_about_operand(const struct place *place)
{
	const char *text = place->source ? place->source->text + place->offset
					 : "";

	return place->length > 1 && text[0] == '$' && text[1] >= '0' &&
	       text[1] <= '9';
}

static void tell(struct language *language, bool is_doubt)
{
	struct inspection *inspection = language->inspection;
	const struct diag *diag = &language->diag;
	bool is_moot = (inspection->is_moot && diag->tag == D_ARGS_TYPE) ||
		       is_about_operand(&diag->place);

	if (inspection->complain && diag->failed && !is_moot &&
	    !is_consequence(inspection, diag) && !is_told(language, diag))
		inspection->complain(inspection->context, diag, is_doubt);
	diag_clear(&language->diag);
}

bool inspect_tell(struct language *language)
{
	if (!language->inspection)
		return false;
	tell(language, false);
	return true;
}

/* Is it about what is there when the program runs, not about its text? */
static bool is_doubtful(enum tag tag)
{
	switch (tag) {
	case D_PDESC_ZERO:
	case D_PROC_GRAB:
	case D_PROC_FUNC:
	case D_PROC_LIB:
	case D_PROC_DYN:
	case D_PROC_OFF:
	case D_PROC_ALIGN:
	case D_PROC_USDT:
	case D_PROC_CREATEFAIL:
		return true;
	default:
		return false;
	}
}

bool inspect_doubt(struct language *language, const struct probe_desc *desc)
{
	const struct place *place = &desc->place;
	const char *text = place->source ? place->source->text + place->offset
					 : "";

	if (!language->inspection)
		return false;
	if (memchr(text, '$', place->length))
		diag_clear(&language->diag); /* what it will be, nobody knows */
	/* a suggestion takes long: not for a text that is no program at all */
	else if (++language->inspection->ndoubts == MOST_SUGGESTIONS)
		language->is_deaf = true;
	tell(language, desc->id || is_doubtful(language->diag.tag));
	return true;
}

void inspect_moot(struct language *language)
{
	if (language->inspection)
		language->inspection->is_moot = true;
}

/* ------------------------------------------------------------- elements */

static bool is_own(const struct parser *parser)
{
	const struct inspection *inspection = parser->language->inspection;

	return inspection && parser->lexer.source == inspection->source;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

void inspect_begin(struct parser *parser, const struct lexer *start)
{
	struct inspection *inspection = parser->language->inspection;

	if (!is_own(parser))
		return;
	const char *text = start->source->text + start->at;
	size_t left = start->source->length - start->at, n = 0;
	struct inspected_part *part = arena_new_of(parser->language->arena,
						   struct inspected_part);

	/* descriptions may go on after a comma, on the next line */
	for (char last = ','; n < left && text[n] != '{' && text[n] != ';';
	     n++) {
		if (text[n] == '\n' && last != ',')
			break;
		if (!is_blank(text[n]))
			last = text[n];
	}
	while (n && is_blank(text[n - 1]))
		n--;
	part->place = lexer_place(start, n);
	part->is_clause = !element_is_declaration(parser);
	*inspection->last_part = part;
	inspection->last_part = &part->next;
	inspection->is_moot = false;
}

static struct inspected_part *current_part(const struct parser *parser)
{
	struct inspected_part **link = parser->language->inspection->last_part;

	return (struct inspected_part *)((char *)link -
					 offsetof(struct inspected_part, next));
}

void inspect_end(struct parser *parser)
{
	if (!is_own(parser) || !parser->language->inspection->parts)
		return;
	struct inspected_part *part = current_part(parser);

	const char *text = parser->lexer.source->text;

	part->end = parser->lexer.at;
	part->last_line = parser->lexer.line;
	/* the next element may be where it was found to end */
	while (part->end > part->place.offset + part->place.length &&
	       is_blank(text[part->end - 1]))
		part->last_line -= text[--part->end] == '\n';
}

static bool is_first_column(const struct lexer *lexer)
{
	return !lexer->at || lexer->source->text[lexer->at - 1] == '\n';
}

/* At the beginning of a line: is there what can only be a clause? */
static bool is_clause_head(const struct lexer *lexer)
{
	static const char *const probes[] = { "BEGIN", "END", "ERROR" };
	size_t length = is_first_column(lexer) ? spec_length(lexer) : 0;
	struct str word = { lexer->source->text + lexer->at, length };

	for (size_t i = 0; i < sizeof(probes) / sizeof(*probes); i++)
		if (str_is(word, probes[i]))
			return true;
	return length && memchr(word.p, ':', length);
}

/*
 * Moves behind the element that begins here; always moves.  If its braces cannot be
 * trusted, it ends at the next clause.
 */
static void skip_element(struct lexer *lexer, bool is_broken)
{
	size_t start = lexer->at;
	uint32_t braces = 0;

	while (lexer_skip(lexer) && !lexer_at_end(lexer)) {
		char c = lexer_peek(lexer, 0);

		if (is_broken && braces && lexer->at > start &&
		    is_clause_head(lexer))
			return;
		if (c == '"' || c == '\'') {
			lexer_skip_quoted(lexer);
			continue;
		}
		bool is_end = c == ';' && !braces;

		if (c == '}') {
			is_end = braces <= 1 || is_first_column(lexer);
			braces -= braces > 0;
		}
		braces += c == '{';
		lexer->at++;
		if (!is_end)
			continue;
		struct lexer after = *lexer;

		if (c == '}' && lexer_skip(&after) &&
		    lexer_peek(&after, 0) == ';') {
			*lexer = after;
			lexer->at++;
		}
		return;
	}
	lexer->at = lexer->source->length;
}

bool inspect_line(struct parser *parser)
{
	struct inspection *inspection = parser->language->inspection;

	return is_own(parser) && inspection->nfailures++ < MOST_FAILURES &&
	       inspect_tell(parser->language);
}

bool inspect_recover(struct parser *parser, const struct lexer *start)
{
	struct language *language = parser->language;
	bool is_broken = language->diag.tag == D_SYNTAX;

	if (!inspect_line(parser))
		return false;
	parser->lexer = *start;
	parser->lexer.is_quiet = true;
	parser->lexer.context = CONTEXT_PROGRAM;
	skip_element(&parser->lexer, is_broken);
	parser->lexer.is_quiet = false;
	parser->lexer.is_after_spec = false;
	parser->has_token = false;
	parser->depth = 0;
	parser->nparams = 0;
	parser->in_prototype = parser->in_function = false;
	parser->scope = NULL;
	if (language->inspection->parts)
		current_part(parser)->has_failed = true;
	return true;
}

void language_inspect(struct language *language, const struct source *source,
		      struct inspection *inspection)
{
	inspection->last_part = &inspection->parts;
	language->inspection = inspection;
	language->is_deaf = !inspection->complain;
	language_compile(language, source, SPEC_NONE);
	inspect_tell(language);
	language->inspection = NULL;
	language->is_deaf = false;
}
