/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Flags and operands.
 *
 * Flags and operands may be mixed: what is not a flag is $1, $2 ... in the
 * order of appearance.  Most flags are options of the library under another
 * name, so they are rows of a table; those that this system knows but cannot do
 * yet are rows of another.
 *
 * Words that begin with "--" are ours before the first program (-s, -n ...), and
 * the program's parameters after it.  So a script's --check is its own.  A letter
 * that a script declares is the script's after it (letters.c).
 */
#include "cmd.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The leading minus: operands are returned in place, as option 1. */
const char flag_letters[] =
	"-3:6:aAb:Bc:CdD:ef:FGhHi:I:lL:m:n:o:p:P:qs:SU:vVwW:x:X:Z";

static const struct {
	char flag;
	const char *option;
} settings[] = {
	{ 'b', "bufsize" },    { 'C', "cpp" },	       { 'D', "define" },
	{ 'F', "flowindent" }, { 'H', "cpphdrs" },     { 'I', "incdir" },
	{ 'L', "libdir" },     { 'q', "quiet" },       { 'S', "verbose" },
	{ 'U', "undef" },      { 'w', "destructive" }, { 'X', "stdc" },
	{ 'Z', "zdefs" },
};

static const struct {
	char flag;
	enum mode mode;
} modes[] = {
	{ 'A', MODE_ANONYMOUS }, { 'G', MODE_LINK },	{ 'h', MODE_HEADER },
	{ 'l', MODE_LIST },	 { 'V', MODE_VERSION },
};

static const struct {
	char flag;
	const char *why;
} refused[] = {
	{ 'A',
	  "-A is not supported on Linux: nothing can be traced before the first process" },
	{ 'a', "could not enable tracing: No anonymous tracing state" },
	{ 'd',
	  "-d is not supported yet: -x dump=tree prints the program as it is understood" },
	{ 'W',
	  "-W is not supported yet: select the process by a predicate on execname" },
};

/* Long words of our own; a program's are never looked for here. */
static const struct {
	const char *word;
	enum mode mode;
} long_modes[] = {
	{ "--check", MODE_CHECK },
	{ "--help", MODE_HELP },
	{ "--replay", MODE_REPLAY },
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void *resized(void *memory, size_t size)
{
	memory = realloc(memory, size);
	if (!memory) {
		complain("out of memory");
		exit(EXIT_FATAL);
	}
	return memory;
}

static void add_operand(struct command *command, char *word)
{
	size_t count = (size_t)command->noperands + 1;

	command->operands = resized(command->operands,
				    (count + 1) * sizeof(char *));
	command->operands[command->noperands++] = word;
	command->operands[count] = NULL;
}

/* A description is named by what comes before its clause. */
static char *request_name(char flag, const char *text)
{
	size_t n = flag == 's' ? strlen(text) : strcspn(text, "{/;");

	while (flag != 's' && n && isspace((unsigned char)text[n - 1]))
		n--;
	char *name = resized(NULL, n + 1);

	memcpy(name, text, n);
	name[n] = '\0';
	return name;
}

static void add_request(struct command *command, char flag, const char *text)
{
	size_t count = (size_t)command->nrequests + 1;

	command->requests = resized(command->requests,
				    count * sizeof(*command->requests));
	command->requests[command->nrequests++] = (struct request){
		.flag = flag,
		.text = text,
		.name = request_name(flag, text),
	};
}

static void add_process(struct command *command, char flag, const char *text)
{
	size_t count = (size_t)command->nprocesses + 1;

	command->processes = resized(command->processes,
				     count * sizeof(*command->processes));
	command->processes[command->nprocesses++] = (struct process){
		.flag = flag,
		.text = text,
	};
}

const char *request_kind(const struct request *request)
{
	return request->flag == 's' ? "script" : "description";
}

/* ---------------------------------------------------------- single flags */

/* What may have been meant, after an option was refused. */
static void hint_option(const char *name, int error)
{
	if (error == EDT_BADOPTNAME) {
		const char *nearest = dtrace_optnearest_ext(name);

		if (nearest)
			hint("did you mean %s?", nearest);
		return;
	}
	char *expects = error == EDT_BADOPTVAL ? dtrace_optexpects_ext(name)
					       : NULL;

	if (expects)
		hint("%s is %s", name, expects);
	free(expects);
}

static int set_option(struct command *command, const char *text)
{
	size_t n = strcspn(text, "=");
	char *name = request_name('s', text);
	const char *value = text[n] ? text + n + 1 : NULL;
	int status = 0;

	name[n] = '\0';
	if (!strcmp(text, "help"))
		command->mode = MODE_OPTIONS;
	else if (dtrace_setopt(command->dtp, name, value)) {
		int error = dtrace_errno(command->dtp);

		/* a build continues: another dtrace may know the option */
		status = fail(command, "failed to set -x %s", name);
		hint_option(name, error);
		if (command->is_building && error == EDT_BADOPTNAME)
			status = 0;
	}
	free(name);
	return status;
}

static int set_flag(struct command *command, char flag, const char *value)
{
	for (size_t i = 0; i < COUNT(settings); i++) {
		if (settings[i].flag != flag)
			continue;
		if (!dtrace_setopt(command->dtp, settings[i].option, value))
			return 0;
		int error = dtrace_errno(command->dtp);

		fail(command, "failed to set -%c %s", flag, value ? value : "");
		hint_option(settings[i].option, error);
		return EXIT_FATAL;
	}
	return 0;
}

static int set_model(struct command *command, char flag, const char *rest)
{
	if (flag == '6' && !strcmp(rest, "4")) {
		command->is_32 = false;
		command->is_64 = true;
		return 0;
	}
	if (flag == '3' && !strcmp(rest, "2")) {
		command->is_32 = true;
		command->is_64 = false;
		if (command->is_building)
			return 0;
		complain(
			"-32 is not supported: D programs use the 64-bit data model here");
		return EXIT_FATAL;
	}
	complain("illegal option -- %c%s", flag, rest);
	usage(stderr);
	return EXIT_USAGE;
}

static int set_mode(struct command *command, char flag)
{
	for (size_t i = 0; i < COUNT(modes); i++) {
		if (modes[i].flag != flag)
			continue;
		if (command->mode != MODE_TRACE &&
		    command->mode != modes[i].mode) {
			complain(
				"only one of the [-AGhlV] options can be specified at a time");
			return EXIT_USAGE;
		}
		command->mode = modes[i].mode;
	}
	return 0;
}

static int add_script(struct command *command, const char *path)
{
	add_request(command, 's', path);
	struct request *request = &command->requests[command->nrequests - 1];
	int found = letters_learn(command, path);

	request->is_read = found > 0;
	return found < 0 ? compile_failed(command, request) : 0;
}

static int parse_flag(struct command *command, char flag, char *value)
{
	char *word = letters_word(command, flag, value);

	if (word) {
		add_operand(command, word);
		return 0;
	}
	switch (flag) {
	case 1:
		add_operand(command, value);
		return 0;
	case '3':
	case '6':
		return set_model(command, flag, value);
	case 'A':
	case 'G':
	case 'h':
	case 'l':
	case 'V':
		return set_mode(command, flag);
	case 'c':
	case 'p':
		add_process(command, flag, value);
		return 0;
	case 'e':
		command->compile_only = true;
		return 0;
	case 'f':
	case 'i':
	case 'm':
	case 'n':
	case 'P':
		add_request(command, flag, value);
		return 0;
	case 's':
		return add_script(command, value);
	case 'o':
		command->output_path = value;
		return 0;
	case 'v':
		command->verbose = true;
		return set_option(command, "explain");
	case 'x':
		return set_option(command, value);
	case '?':
		if (command->nletters)
			hint("--help lists the options of the script");
		else
			usage(stderr);
		return EXIT_USAGE;
	default:
		return set_flag(command, flag, value);
	}
}

/* ------------------------------------------------------------ long words */

int next_flag(int argc, char **argv, const char *letters)
{
	int at = optind ? optind : 1;

	/* within a cluster of flags, argv[optind] is the cluster: one minus */
	if (at >= argc || strncmp(argv[at], "--", 2) || !argv[at][2])
		return getopt(argc, argv, letters);
	optind = at + 1;
	optarg = argv[at];
	return FLAG_LONG;
}

/* --replay FILE, --replay=FILE */
static void set_recording(struct command *command, char *value, int argc,
			  char **argv)
{
	command->recording = value;
	if (!value && optind < argc)
		command->recording = argv[optind++];
}

static int parse_long(struct command *command, char *word, int argc,
		      char **argv)
{
	char *equals = strchr(word, '=');
	size_t n = equals ? (size_t)(equals - word) : strlen(word);

	if (command->nrequests) {
		add_operand(command, word);
		return 0;
	}
	for (size_t i = 0; i < COUNT(long_modes); i++) {
		enum mode mode = long_modes[i].mode;

		if (strlen(long_modes[i].word) != n ||
		    strncmp(long_modes[i].word, word, n) ||
		    (equals && mode != MODE_REPLAY))
			continue;
		command->mode = mode;
		if (mode == MODE_REPLAY)
			set_recording(command, equals ? equals + 1 : NULL, argc,
				      argv);
		return 0;
	}
	complain("invalid option %s", word);
	hint("parameters of a script come after it; dtrace --help lists options");
	return EXIT_USAGE;
}

/* ------------------------------------------------------------ everything */

bool flag_is_refused(char flag)
{
	for (size_t i = 0; i < COUNT(refused); i++) {
		if (refused[i].flag == flag)
			return true;
	}
	return false;
}

static int refuse(const char *flags)
{
	for (size_t i = 0; i < COUNT(refused); i++) {
		if (strchr(flags, refused[i].flag)) {
			complain("%s", refused[i].why);
			return EXIT_FATAL;
		}
	}
	return 0;
}

int command_parse(struct command *command, int argc, char **argv)
{
	char name[] = "dtrace";
	char *path = argv[0], seen[COUNT(refused) + 1] = "";
	size_t nseen = 0;
	int flag, status = 0;

	command->is_building = build_prepare(command, &argc, argv);
	add_operand(command, path);
	argv[0] = name; /* getopt's messages begin with it */
	while (!status &&
	       (flag = next_flag(argc, argv, letters_flags(command))) != -1) {
		for (size_t i = 0; i < COUNT(refused); i++) {
			if (refused[i].flag == flag && !strchr(seen, flag) &&
			    !letters_has(command, (char)flag))
				seen[nseen++] = refused[i].flag;
		}
		status = flag == FLAG_LONG
				 ? parse_long(command, optarg, argc, argv)
				 : parse_flag(command, (char)flag, optarg);
	}
	argv[0] = path;
	if (status)
		return status;
	/* it ends the parameters of programs as well: parameters.c */
	if (command->nrequests && !strcmp(argv[optind - 1], "--"))
		add_operand(command, argv[optind - 1]);
	for (int i = optind; i < argc; i++)
		add_operand(command, argv[i]);
	return refuse(seen);
}

void command_free(struct command *command)
{
	for (unsigned i = 0; i < command->nrequests; i++)
		free(command->requests[i].name);
	free(command->requests);
	free(command->processes);
	free(command->operands);
	letters_free(command);
}
