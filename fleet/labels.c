/* SPDX-License-Identifier: Apache-2.0 */
#include "fleet/labels.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

static bool is_name(const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./",
			    text[i]))
			return false;
	return n > 0;
}

json_t *labels_read(const char *text, const char **problem)
{
	json_t *labels = json_object();
	char *copy = must_strdup(text), *state = NULL;

	*problem = NULL;
	for (char *word = strtok_r(copy, ", ", &state); word && !*problem;
	     word = strtok_r(NULL, ", ", &state)) {
		char *value = strchr(word, '=');

		if (!value || !is_name(word, (size_t)(value - word)))
			*problem = "labels are written name=value,name=value";
		else if (!json_object_set_new(labels,
					      strndupa(word,
						       (size_t)(value - word)),
					      json_string(value + 1)))
			continue;
		else
			*problem = "a label is no UTF-8";
	}
	free(copy);
	if (!*problem)
		return labels;
	json_decref(labels);
	return NULL;
}

/* One condition: "name=a|b", "name!=a", "name", "!name". */
struct condition {
	bool is_negated;
	char *name, *values; /* NULL: whatever it is */
};

static struct condition split(char *word)
{
	struct condition condition = { .name = word };
	char *equals = strchr(word, '=');

	if (!equals) {
		condition.is_negated = *word == '!';
		condition.name += condition.is_negated;
		return condition;
	}
	condition.values = equals + 1;
	condition.is_negated = equals > word && equals[-1] == '!';
	equals[condition.is_negated ? -1 : 0] = '\0';
	return condition;
}

static bool holds(const struct condition *condition, json_t *labels)
{
	const char *value = json_string_value(json_object_get(labels,
							      condition->name));
	char *state = NULL;
	bool is_one = value && !condition->values;

	for (char *at = value && condition->values
				? strtok_r(condition->values, "|", &state)
				: NULL;
	     at; at = strtok_r(NULL, "|", &state))
		is_one |= !fnmatch(at, value, 0);
	return is_one != condition->is_negated;
}

bool labels_match(const char *expression, json_t *labels)
{
	char *copy = must_strdup(expression ? expression : ""), *state = NULL;
	bool matches = true;

	for (char *word = strtok_r(copy, ", ", &state); word;
	     word = strtok_r(NULL, ", ", &state)) {
		if (!strcmp(word, "*"))
			continue;
		struct condition condition = split(word);

		matches &= holds(&condition, labels);
	}
	free(copy);
	return matches;
}

const char *labels_check(const char *expression)
{
	char *copy = must_strdup(expression), *state = NULL;
	const char *problem = NULL;

	for (char *word = strtok_r(copy, ", ", &state); word;
	     word = strtok_r(NULL, ", ", &state)) {
		if (!strcmp(word, "*"))
			continue;
		struct condition condition = split(word);

		if (!is_name(condition.name, strlen(condition.name)))
			problem =
				"hosts are chosen like this: role=db,site!=ulm,host=web*";
	}
	free(copy);
	return problem;
}
