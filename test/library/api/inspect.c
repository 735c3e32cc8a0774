/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an editor asks about a program:
 *
 *	inspect FILE		complaints, and what it defines
 *	inspect FILE WORD...	what each WORD is, where it first occurs
 *
 * A WORD with a dot before one of its letters is asked about at that letter.
 */
#include <dtrace.h>

#include <stdlib.h>
#include <string.h>

static const char *const kinds[] = {
	[DTRACE_NAME_CLAUSE] = "clause",
	[DTRACE_NAME_PROBE] = "probe",
	[DTRACE_NAME_VARIABLE] = "variable",
	[DTRACE_NAME_AGGREGATION] = "aggregation",
	[DTRACE_NAME_BUILTIN] = "builtin",
	[DTRACE_NAME_FUNCTION] = "function",
	[DTRACE_NAME_DEFINED] = "defined",
	[DTRACE_NAME_INLINE] = "inline",
	[DTRACE_NAME_CONSTANT] = "constant",
	[DTRACE_NAME_MEMBER] = "member",
	[DTRACE_NAME_SYMBOL] = "symbol",
};

static void print_complaint(void *arg, const dtrace_complaint_ext_t *complaint)
{
	const dtrace_place_ext_t *place = &complaint->dtcm_place;

	(void)arg;
	printf("%s %s:%u:%u+%u %s: %s\n",
	       complaint->dtcm_is_doubt ? "doubt" : "error",
	       place->dtpl_file ? place->dtpl_file : "-", place->dtpl_line,
	       place->dtpl_column, place->dtpl_length, complaint->dtcm_tag,
	       complaint->dtcm_message);
	if (complaint->dtcm_hint)
		printf("\t= %s\n", complaint->dtcm_hint);
}

static void print_name(void *arg, const dtrace_name_ext_t *name)
{
	int *found = arg;

	++*found;
	printf("%s %s at %u:%u+%u: %s", kinds[name->dtnm_kind],
	       name->dtnm_name, name->dtnm_place.dtpl_line,
	       name->dtnm_place.dtpl_column, name->dtnm_place.dtpl_length,
	       name->dtnm_declaration);
	if (name->dtnm_of)
		printf(", of %s", name->dtnm_of);
	if (name->dtnm_last_line)
		printf(", to line %u", name->dtnm_last_line);
	else if (name->dtnm_defined.dtpl_line)
		printf(", from %u:%u", name->dtnm_defined.dtpl_line,
		       name->dtnm_defined.dtpl_column);
	printf("\n");
}

static void inspect(const char *path, const char *text, const char *word)
{
	dtrace_hdl_t *dtp = dtrace_open(DTRACE_VERSION, 0, NULL);
	int found = 0;
	dtrace_inspect_ext_t what = {
		.dtin_name = path,
		.dtin_text = text,
		.dtin_arg = &found,
	};

	if (word) {
		size_t into = strcspn(word, ".");
		char *plain = strdup(word);

		if (plain[into])
			memmove(plain + into, plain + into + 1,
				strlen(plain + into));
		else
			into = 0;
		const char *at = strstr(text, plain), *end = at + into;

		for (what.dtin_line = 1; at && text < end; text++) {
			what.dtin_column++;
			if (*text != '\n')
				continue;
			what.dtin_line++;
			what.dtin_column = 0;
		}
		what.dtin_find = print_name;
		free(plain);
	} else {
		what.dtin_complain = print_complaint;
		what.dtin_define = print_name;
	}
	dtrace_setopt(dtp, "defaultargs", NULL);
	if (dtrace_inspect_ext(dtp, &what))
		printf("%s\n", dtrace_errmsg(dtp, dtrace_errno(dtp)));
	if (word && !found)
		printf("nothing at %s\n", word);
	if (!dtrace_inspect_ext(dtp, &what))
		printf("a handle was inspected twice\n");
	dtrace_close(dtp);
}

/* The error of a program that is compiled as usual, in parts. */
static void compile(const char *text)
{
	dtrace_hdl_t *dtp = dtrace_open(DTRACE_VERSION, 0, NULL);
	dtrace_complaint_ext_t complaint;

	if (!dtrace_errplace_ext(dtp, &complaint))
		printf("there is an error before there is a program\n");
	if (dtrace_program_strcompile(dtp, text, DTRACE_PROBESPEC_NAME, 0, 0,
				      NULL))
		printf("compiled: %s\n", text);
	else if (dtrace_errplace_ext(dtp, &complaint))
		printf("no place: %s\n", text);
	else
		printf("%u:%u+%u %s: %s\n", complaint.dtcm_place.dtpl_line,
		       complaint.dtcm_place.dtpl_column,
		       complaint.dtcm_place.dtpl_length, complaint.dtcm_tag,
		       complaint.dtcm_message);
	dtrace_close(dtp);
}

int main(int argc, char **argv)
{
	static char text[1 << 16];
	FILE *file = fopen(argv[1], "r");

	if (!file)
		return 1;
	text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
	fclose(file);
	if (argc == 2) {
		inspect(argv[1], text, NULL);
		compile("BEGIN { trace(nosuch); }");
		compile("BEGIN { trace(1 }");
		compile("BEGIN {\n\ttrace(1);\n\ttrace(strlen());\n}");
	}
	for (int i = 2; i < argc; i++)
		inspect(argv[1], text, argv[i]);
	return 0;
}
