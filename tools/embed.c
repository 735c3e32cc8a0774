/* SPDX-License-Identifier: Apache-2.0 */
/*
 * embed: D libraries as a C array (see src/lang/library.h).  Runs at build
 * time:  embed dlib/errno.d ... >libraries.c
 *
 * Besides the text it writes the names that each library defines.  They are
 * found by a scan, not by a parser: comments, strings and directives are
 * skipped, and a definition is recognised by its first word.
 *
 *	inline type NAME = ...;  inline type NAME[type x] = ...;
 *	typedef ... NAME;  typedef ... NAME[4];
 *	struct NAME { ... };  enum { NAME, NAME = 1 };
 *	translator NAME < ... >   translator struct NAME < ... >
 *	provider NAME { ... };	  its name is "provider NAME"
 *	type NAME;  type NAME[type, type];  type NAME(type x) { ... }
 *
 * A library that the scan does not understand would never be loaded, so what
 * looks like none of these is an error here.
 */
#include <ctype.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct library {
	const char *path;
	char *text;
	size_t length;
	char **names;
	size_t nnames, capacity;
};

struct scanner {
	struct library *library;
	const char *at;
	const char *word;	/* the token: a word, or one character */
	size_t length;
	int line;
};

static void die(const char *path, int line, const char *format, ...)
{
	va_list args;

	fprintf(stderr, "embed: %s:%d: ", path, line);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	exit(1);
}

static void *resized(void *memory, size_t size)
{
	memory = realloc(memory, size);
	if (!memory) {
		perror("embed");
		exit(1);
	}
	return memory;
}

/* ------------------------------------------------------------- scanning */

static void pass_comment(struct scanner *scanner)
{
	const char *end = strstr(scanner->at + 2, "*/");

	if (!end)
		die(scanner->library->path, scanner->line, "open comment");
	for (; scanner->at < end + 2; scanner->at++)
		scanner->line += *scanner->at == '\n';
}

static void pass_line(struct scanner *scanner)
{
	while (*scanner->at && *scanner->at != '\n')
		scanner->at++;
}

static void pass_string(struct scanner *scanner)
{
	char quote = *scanner->at++;

	while (*scanner->at && *scanner->at != quote)
		scanner->at += *scanner->at == '\\' && scanner->at[1] ? 2 : 1;
	if (*scanner->at)
		scanner->at++;
}

static void pass_blanks(struct scanner *scanner)
{
	for (;;) {
		char c = *scanner->at;

		if (c == '\n')
			scanner->line++;
		if (isspace((unsigned char)c))
			scanner->at++;
		else if (c == '/' && scanner->at[1] == '*')
			pass_comment(scanner);
		else if (c == '#' || (c == '/' && scanner->at[1] == '/'))
			pass_line(scanner);
		else
			return;
	}
}

/* False at the end.  A string counts as one token of length 1. */
static bool next(struct scanner *scanner)
{
	pass_blanks(scanner);
	scanner->word = scanner->at;
	scanner->length = 1;
	if (!*scanner->at)
		return false;
	if (*scanner->at == '"' || *scanner->at == '\'') {
		pass_string(scanner);
		return true;
	}
	while (isalnum((unsigned char)*scanner->at) || *scanner->at == '_')
		scanner->at++;
	if (scanner->at == scanner->word)
		scanner->at++;
	scanner->length = (size_t)(scanner->at - scanner->word);
	return true;
}

static bool is(const struct scanner *scanner, const char *text)
{
	return scanner->length == strlen(text) &&
	       !memcmp(scanner->word, text, scanner->length);
}

static bool is_name(const struct scanner *scanner)
{
	return isalpha((unsigned char)*scanner->word) ||
	       *scanner->word == '_';
}

/* ---------------------------------------------------------- definitions */

static void add_name(struct library *library, const char *name, size_t length)
{
	if (library->nnames == library->capacity) {
		library->capacity = library->capacity * 2 + 16;
		library->names = resized(library->names, library->capacity *
					 sizeof(*library->names));
	}
	char *copy = resized(NULL, length + 1);

	memcpy(copy, name, length);
	copy[length] = '\0';
	library->names[library->nnames++] = copy;
}

/* At "{" after enum: each name that starts an enumerator. */
static void scan_enumerators(struct scanner *scanner)
{
	bool is_start = true;

	while (next(scanner) && !is(scanner, "}")) {
		if (is_start && is_name(scanner))
			add_name(scanner->library, scanner->word,
				 scanner->length);
		is_start = is(scanner, ",");
	}
}

/* At struct, union or enum: leaves the scanner on the token that follows. */
static void scan_tag(struct scanner *scanner)
{
	bool is_enum = is(scanner, "enum");
	struct scanner tag = { 0 };

	next(scanner);
	if (is_name(scanner)) {
		tag = *scanner;
		next(scanner);
	}
	if (!is(scanner, "{"))
		return;
	if (tag.word)
		add_name(scanner->library, tag.word, tag.length);
	if (is_enum) {
		scan_enumerators(scanner);
		next(scanner);
	}
}

static bool is_tag_word(const struct scanner *scanner)
{
	return is(scanner, "struct") || is(scanner, "union") ||
	       is(scanner, "enum");
}

/*
 * A definition up to its ";".  Its name is the last word before the first of
 * `stops` outside braces; `stops` empty: tags only.
 */
static void scan_definition(struct scanner *scanner, const char *stops)
{
	struct scanner name = { 0 };
	bool is_named = !*stops;
	int depth = 0;

	do {
		if (is_tag_word(scanner))
			scan_tag(scanner);
		if (is(scanner, ";") && !depth)
			break;
		depth += is(scanner, "{");
		depth -= is(scanner, "}");
		if (depth || is_named)
			continue;
		if (is_name(scanner))
			name = *scanner;
		else if (strchr(stops, *scanner->word))
			is_named = true;
	} while (next(scanner));

	if (!*stops)
		return;
	if (!name.word)
		die(scanner->library->path, scanner->line, "no name here");
	add_name(scanner->library, name.word, name.length);
}

/* A variable or function: its name is the last word before what follows. */
static void scan_declaration(struct scanner *scanner)
{
	struct scanner name = *scanner;
	int depth = 0;

	while (next(scanner) && !strchr("([;", *scanner->word))
		if (is_name(scanner))
			name = *scanner;
	add_name(scanner->library, name.word, name.length);
	if (is(scanner, ";"))
		return;
	while (next(scanner)) {
		depth += is(scanner, "{");
		depth -= is(scanner, "}");
		if (!depth && (is(scanner, "}") || is(scanner, ";")))
			return;
	}
	die(scanner->library->path, name.line, "the declaration does not end");
}

/* provider NAME { ... }; */
static void scan_provider(struct scanner *scanner)
{
	static const char mark[] = "provider ";
	int depth = 0;

	next(scanner);
	char *name = resized(NULL, sizeof(mark) + scanner->length);

	memcpy(name, mark, sizeof(mark) - 1);
	memcpy(name + sizeof(mark) - 1, scanner->word, scanner->length);
	add_name(scanner->library, name, sizeof(mark) - 1 + scanner->length);
	free(name);
	while (next(scanner)) {
		depth += is(scanner, "{");
		depth -= is(scanner, "}");
		if (!depth && is(scanner, ";"))
			return;
	}
	die(scanner->library->path, scanner->line,
	    "the provider does not end");
}

static void scan(struct library *library)
{
	struct scanner scanner = { .library = library, .at = library->text,
				   .line = 1 };

	while (next(&scanner)) {
		if (is(&scanner, "inline"))
			scan_definition(&scanner, "=[");
		else if (is(&scanner, "typedef"))
			scan_definition(&scanner, "[");
		else if (is(&scanner, "translator"))
			scan_definition(&scanner, "<");
		else if (is_tag_word(&scanner))
			scan_definition(&scanner, "");
		else if (is(&scanner, "provider"))
			scan_provider(&scanner);
		else if (is_name(&scanner))
			scan_declaration(&scanner);
		else if (!is(&scanner, ";"))
			die(library->path, scanner.line,
			    "what is \"%.*s\"?", (int)scanner.length,
			    scanner.word);
	}
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void sort_names(struct library *library)
{
	size_t kept = 0;

	if (!library->nnames)
		return;
	qsort(library->names, library->nnames, sizeof(*library->names),
	      compare_names);
	for (size_t i = 1; i < library->nnames; i++)
		if (strcmp(library->names[kept], library->names[i]))
			library->names[++kept] = library->names[i];
	library->nnames = kept + 1;
}

/* ------------------------------------------------------ input and output */

static void read_file(struct library *library)
{
	FILE *file = fopen(library->path, "r");
	size_t capacity = 0;

	if (!file) {
		perror(library->path);
		exit(1);
	}
	do {
		capacity = capacity * 2 + 4096;
		library->text = resized(library->text, capacity);
		library->length += fread(library->text + library->length, 1,
					 capacity - library->length - 1, file);
	} while (!feof(file) && !ferror(file));
	if (ferror(file)) {
		perror(library->path);
		exit(1);
	}
	library->text[library->length] = '\0';
	fclose(file);
}

static void write_text(const struct library *library, int index)
{
	printf("static const char text_%d[] =\n\t\"", index);
	for (size_t i = 0; i < library->length; i++) {
		unsigned char c = (unsigned char)library->text[i];

		if (c == '\n')
			printf("\\n\"\n\t\"");
		else if (c == '"' || c == '\\')
			printf("\\%c", c);
		else if (c == '\t')
			printf("\\t");
		else if (c < ' ' || c > '~' || c == '?')
			printf("\\%03o", c);
		else
			putchar(c);
	}
	printf("\";\n");
	printf("static const char *const names_%d[] = {\n", index);
	for (size_t i = 0; i < library->nnames; i++)
		printf("\t\"%s\",\n", library->names[i]);
	printf("\tNULL\n};\n");
}

int main(int argc, char **argv)
{
	printf("/* Made by tools/embed.c: do not edit. */\n"
	       "#include \"lang/library.h\"\n\n");
	struct library *libraries = resized(NULL, sizeof(*libraries) *
					    (size_t)argc);

	for (int i = 1; i < argc; i++) {
		libraries[i] = (struct library){ .path = argv[i] };
		read_file(&libraries[i]);
		scan(&libraries[i]);
		sort_names(&libraries[i]);
		write_text(&libraries[i], i);
	}
	printf("const struct embedded_library embedded_libraries[] = {\n");
	for (int i = 1; i < argc; i++) {
		const char *slash = strrchr(argv[i], '/');

		printf("\t{ \"%s\", text_%d, sizeof(text_%d) - 1, names_%d, %zu },\n",
		       slash ? slash + 1 : argv[i], i, i, i,
		       libraries[i].nnames);
	}
	printf("\t{ NULL, NULL, 0, NULL, 0 }\n};\n");
	return fflush(stdout) ? 1 : 0;
}
