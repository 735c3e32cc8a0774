/* SPDX-License-Identifier: Apache-2.0 */
#include "fleet/command.h"

#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

enum { MOST = 40, FIRST = 256 };

static void help(const char *name, const struct command_option *options)
{
	printf("usage: dtlive %s [options]\n\n", name);
	for (; options->name; options++) {
		char left[64];

		snprintf(left, sizeof(left), "%s%c%s--%s %s",
			 options->letter ? "-" : "",
			 options->letter ? options->letter : ' ',
			 options->letter ? ", " : "", options->name,
			 options->value ? options->value : "");
		printf("  %-28s %s\n", left + (*left == ' '), options->about);
	}
}

static bool set(const struct command_option *option, void *into, char *value)
{
	void *member = (char *)into + option->offset;
	const char **text = member;
	char *end;

	switch (option->kind) {
	case COMMAND_FLAG:
		*(bool *)member = true;
		break;
	case COMMAND_NUMBER:
		*(int *)member = (int)strtol(value, &end, 10);
		return !*end && end != value;
	case COMMAND_TEXT:
		*text = value;
		break;
	case COMMAND_LIST:
		/* given twice: both; it lives as long as the process */
		if (*text) {
			char *both = must_alloc(strlen(*text) + strlen(value) +
						2);

			sprintf(both, "%s,%s", *text, value);
			*text = both;
		} else {
			*text = value;
		}
		break;
	}
	return true;
}

int command_read(const char *name, const struct command_option *options,
		 void *into, int argc, char **argv, int *rest)
{
	struct option longs[MOST + 2] = { 0 };
	char letters[2 * MOST + 4] = "+h";
	size_t n = 0;
	int choice;

	for (; options[n].name && n < MOST; n++) {
		longs[n] = (struct option){
			.name = options[n].name,
			.has_arg = !!options[n].value,
			.val = FIRST + (int)n,
		};
		if (options[n].letter)
			sprintf(letters + strlen(letters), "%c%s",
				options[n].letter, options[n].value ? ":" : "");
	}
	longs[n] = (struct option){ .name = "help", .val = 'h' };
	optind = 1;
	while ((choice = getopt_long(argc, argv, letters, longs, NULL)) >= 0) {
		size_t which = 0;

		if (choice == 'h') {
			help(name, options);
			return -1;
		}
		if (choice == '?')
			return 2;
		if (choice >= FIRST)
			which = (size_t)(choice - FIRST);
		else
			while (options[which].letter != choice)
				which++;
		if (set(&options[which], into, optarg))
			continue;
		fprintf(stderr, "dtlive %s: --%s needs a number\n", name,
			options[which].name);
		return 2;
	}
	if (rest) {
		*rest = optind;
	} else if (optind < argc) {
		fprintf(stderr, "dtlive %s: what is \"%s\"? (see --help)\n",
			name, argv[optind]);
		return 2;
	}
	return 0;
}
