/* SPDX-License-Identifier: Apache-2.0 */
#include "fleet/policy.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

struct policy_rule {
	char *user; /* a pattern */
	bool is_any;
	char *metrics; /* patterns; NULL: nothing is allowed */
};

void policy_init(struct policy *policy)
{
	*policy = (struct policy){
		.instrumentations = 16,
		.keys = 20000,
		.lines = 1000,
		.memory = 512 << 20,
		.cpu = 0.5,
	};
}

static void add_rule(struct policy *policy, const char *user, bool is_any,
		     const char *metrics)
{
	policy->rules = must_realloc(policy->rules,
				     (policy->nrules + 1) *
					     sizeof(*policy->rules));
	policy->rules[policy->nrules++] = (struct policy_rule){
		.user = must_strdup(user),
		.is_any = is_any,
		.metrics = metrics ? must_strdup(metrics) : NULL,
	};
}

/* A number with k, m, g or %. */
static bool get_number(const char *text, double *number)
{
	char *end;

	*number = strtod(text, &end);
	if (end == text || *number < 0)
		return false;
	const char *units = "kmg",
		   *unit = *end ? strchr(units, *end | 32) : NULL;

	if (*end == '%')
		*number /= 100;
	else if (unit)
		for (long i = unit - units; i >= 0; i--)
			*number *= 1024;
	else
		return !*end;
	return !end[1];
}

static const char *set_limit(struct policy *policy, const char *name,
			     const char *text)
{
	const struct {
		const char *name;
		uint64_t *limit;
	} limits[] = {
		{ "instrumentations", &policy->instrumentations },
		{ "keys", &policy->keys },
		{ "lines", &policy->lines },
		{ "memory", &policy->memory },
	};
	double number;

	if (!get_number(text, &number))
		return "a limit is a number, with k, m, g or %";
	if (!strcmp(name, "cpu")) {
		policy->cpu = number;
		return NULL;
	}
	for (size_t i = 0; i < sizeof(limits) / sizeof(*limits); i++)
		if (!strcmp(name, limits[i].name)) {
			*limits[i].limit = (uint64_t)number;
			return NULL;
		}
	return "there are limits for instrumentations, keys, lines, memory and cpu";
}

static const char *take_line(struct policy *policy, char *line)
{
	char *rest = line;
	char *what = strsep(&rest, " \t"), *who;

	if (!*what || *what == '#')
		return NULL;
	rest = rest ? rest + strspn(rest, " \t") : NULL;
	who = rest ? strsep(&rest, " \t") : NULL;
	rest = rest ? rest + strspn(rest, " \t") : "";
	if (!who || !*who)
		return "something is missing";
	if (!strcmp(what, "limit"))
		return set_limit(policy, who, rest);
	if (!strcmp(what, "destructive")) {
		policy->is_destructive = !strcmp(who, "yes");
		return strcmp(who, "yes") && strcmp(who, "no")
			       ? "destructive is yes or no"
			       : NULL;
	}
	if (!strcmp(what, "deny"))
		add_rule(policy, who, false, NULL);
	else if (!strcmp(what, "allow") && !strcmp(rest, "any"))
		add_rule(policy, who, true, "*");
	else if (!strcmp(what, "allow") && !strncmp(rest, "metrics", 7))
		add_rule(policy, who, false, rest + 7);
	else
		return "lines are: allow USER any, allow USER metrics NAMES, deny USER, destructive yes|no, limit NAME NUMBER";
	return NULL;
}

char *policy_read(struct policy *policy, const char *file)
{
	FILE *stream = fopen(file, "re");
	char *line = NULL, *problem = NULL;
	size_t size = 0;

	/* with a file, what it does not allow is refused */
	add_rule(policy, "*", false, NULL);
	if (!stream) {
		if (asprintf(&problem, "%s: %s", file, strerror(errno)) < 0)
			return NULL;
		return problem;
	}
	for (unsigned n = 1; !problem && getline(&line, &size, stream) > 0;
	     n++) {
		line[strcspn(line, "\r\n")] = '\0';
		const char *wrong = take_line(policy,
					      line + strspn(line, " \t"));

		if (wrong &&
		    asprintf(&problem, "%s:%u: %s", file, n, wrong) < 0)
			break;
	}
	free(line);
	fclose(stream);
	return problem;
}

void policy_free(struct policy *policy)
{
	for (uint32_t i = 0; i < policy->nrules; i++) {
		free(policy->rules[i].user);
		free(policy->rules[i].metrics);
	}
	free(policy->rules);
}

static bool names(const char *patterns, const char *metric)
{
	char *copy = must_strdup(patterns), *state = NULL;
	bool is_named = false;

	for (char *at = strtok_r(copy, " \t,", &state); at;
	     at = strtok_r(NULL, " \t,", &state))
		is_named |= !fnmatch(at, metric, 0);
	free(copy);
	return is_named;
}

const char *policy_refuses(const struct policy *policy, const char *user,
			   const char *metric, bool is_destructive)
{
	const struct policy_rule *rule = NULL;

	if (is_destructive && !policy->is_destructive)
		return "destructive programs are refused by the policy of this host";
	for (uint32_t i = 0; i < policy->nrules; i++)
		if (!fnmatch(policy->rules[i].user, user, 0))
			rule = &policy->rules[i];
	if (!rule || rule->is_any)
		return NULL;
	if (!rule->metrics)
		return "the policy of this host refuses this user";
	if (!metric)
		return "the policy of this host allows this user metrics only, not D programs";
	return names(rule->metrics, metric)
		       ? NULL
		       : "the policy of this host does not allow this metric to this user";
}
