/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The words of a command, as a shell reads them.
 *
 * Blanks separate words.  Between single quotes everything stays as it is.
 * Between double quotes a backslash quotes the characters that are special
 * there, and stays before others; elsewhere it quotes any character.  Nothing is
 * expanded: no variables, no patterns, no operators.  Whoever wants these asks
 * for a shell: -c 'sh -c "sleep 1; ls"'.
 */
#include "cmd/words.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n';
}

/* What a backslash quotes between double quotes. */
static bool is_special(char c)
{
	return c && strchr("\"\\$`\n", c);
}

/*
 * Copies one word from *from to *to, without its quotes; NULL, or what is
 * missing at the end of the text.
 */
static const char *copy_word(const char **from, char **to)
{
	const char *p = *from;
	char *out = *to, quote = '\0';

	for (; *p && (quote || !is_blank(*p)); p++) {
		if (*p == quote) {
			quote = '\0';
		} else if (!quote && (*p == '\'' || *p == '"')) {
			quote = *p;
		} else if (*p == '\\' && !quote) {
			if (!*++p)
				return "a character after the backslash at its end";
			/* as in a shell, a quoted newline joins lines */
			if (*p != '\n')
				*out++ = *p;
		} else if (*p == '\\' && quote == '"' && is_special(p[1])) {
			if (*++p != '\n')
				*out++ = *p;
		} else {
			*out++ = *p;
		}
	}
	if (quote)
		return quote == '"' ? "a closing \"" : "a closing '";
	*out++ = '\0';
	*from = p;
	*to = out;
	return NULL;
}

char **command_words(const char *text, const char **missing)
{
	/* a word and a blank take two bytes at least; texts follow the array */
	size_t most = strlen(text) / 2 + 2, count = 0;
	char **words = malloc(most * sizeof(*words) + strlen(text) + 1);

	if (!words) {
		perror("dtrace");
		exit(1);
	}
	char *to = (char *)(words + most);

	*missing = NULL;
	for (;;) {
		while (is_blank(*text))
			text++;
		if (!*text)
			break;
		words[count++] = to;
		*missing = copy_word(&text, &to);
		if (*missing) {
			free(words);
			return NULL;
		}
	}
	words[count] = NULL;
	return words;
}
