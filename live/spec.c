/* SPDX-License-Identifier: Apache-2.0 */
#include "live/spec.h"

#include <string.h>

enum { MOST_PROGRAM = 1 << 20, MOST_VALUE = 256, MOST_HOSTS = 1000, MOST_BY = 4 };

/* Options of dtrace(8) that a page may set. */
static const char *const allowed[] = {
	"aggpercpu", "aggrate", "aggsize", "bufpolicy", "bufresize", "bufsize",
	"cleanrate", "cpu", "defaultargs", "dynvarsize", "jstackframes",
	"jstackstrsize", "looplimit", "maxframes", "noresolve", "nspec",
	"printsize", "pspec", "rawbytes", "scratchsize", "specsize",
	"stackframes", "statusrate", "strsize", "switchrate", "symsize",
	"temporal", "unwindsize", "uretprobe", "ustackframes", "zdefs", NULL
};

bool spec_allows(const char *name)
{
	for (unsigned i = 0; allowed[i]; i++)
		if (!strcmp(allowed[i], name))
			return true;
	return false;
}

static json_t *make_options(json_t *asked, const char **why)
{
	json_t *options = json_object(), *value;
	const char *name;

	json_object_foreach (asked, name, value) {
		if (!spec_allows(name)) {
			*why = "an option that a page may not set";
		} else if (!json_is_string(value) ||
			   json_string_length(value) > MOST_VALUE) {
			*why = "an option's value is not a short text";
		} else {
			json_object_set(options, name, value);
			continue;
		}
		json_decref(options);
		return NULL;
	}
	return options;
}

bool spec_check_hosts(json_t *hosts, json_t *by, const char **why)
{
	json_t *label;
	size_t i;

	*why = "\"hosts\" is a text such as role=db,site!=ulm";
	if (hosts && (!json_is_string(hosts) ||
		      json_string_length(hosts) > MOST_HOSTS))
		return false;
	*why = "\"aggby\" is an array of at most four labels";
	if (by && (!json_is_array(by) || json_array_size(by) > MOST_BY))
		return false;
	json_array_foreach (by, i, label)
		if (!json_is_string(label) ||
		    json_string_length(label) > MOST_VALUE)
			return false;
	return true;
}

/*
 * A metric goes by its name: hosts make the program of their own files, and
 * their policies may allow metrics only.
 */
static bool add_fleet(const struct settings *settings, json_t *spec,
		      json_t *request, const char **why)
{
	static const char *const parts[] = { "by", "where", "stacks" };
	json_t *hosts = json_object_get(request, "hosts");
	json_t *by = json_object_get(request, "aggby");
	json_t *metric = json_object_get(request, "metric");

	if (!spec_check_hosts(hosts, by, why))
		return false;
	json_object_set(spec, "nats", settings->nats);
	if (hosts)
		json_object_set(spec, "hosts", hosts);
	if (by)
		json_object_set(spec, "aggby", by);
	if (!json_is_string(metric))
		return true;
	json_t *wanted = json_object();

	for (unsigned i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		json_object_set(wanted, parts[i],
				json_object_get(request, parts[i]));
	json_object_del(spec, "program");
	json_object_set(spec, "metric", metric);
	json_object_set_new(spec, "request", wanted);
	return true;
}

/* What is the same for all. */
static json_t *finish(const struct settings *settings, json_t *spec,
		      json_t *request, const char **why)
{
	if (settings->nats && !add_fleet(settings, spec, request, why)) {
		json_decref(spec);
		return NULL;
	}
	json_object_set_new(spec, "destructive",
			    json_boolean(settings->is_destructive));
	json_object_set_new(spec, "interval_ms",
			    json_integer(settings->interval));
	return spec;
}

json_t *spec_make(const struct settings *settings, json_t *asked,
		  json_t *request, const char **why)
{
	json_t *begin = json_object_get(request, "begin");
	json_t *program = json_object_get(asked, "program");
	json_t *pid = json_object_get(asked, "pid");

	*why = "the request makes no sense";
	if (begin) {
		/* of the command line: as it says, not as the server does */
		json_t *own = json_array_get(
			settings->begin, (size_t)json_integer_value(begin));
		json_t *spec = json_object_get(own, "spec");

		return spec ? finish(settings, json_deep_copy(spec), request,
				     why)
			    : NULL;
	}
	if (!json_is_string(program) ||
	    json_string_length(program) > MOST_PROGRAM)
		return NULL;
	if (pid && !json_is_null(pid) &&
	    (json_integer_value(pid) <= 0 ||
	     json_integer_value(pid) > INT32_MAX))
		return NULL;
	json_t *options = make_options(json_object_get(asked, "options"), why);

	if (!options)
		return NULL;
	json_t *spec = json_pack("{s:O, s:n, s:[s], s:o}", "program", program,
				 "file", "args", "dtlive", "options", options);

	if (pid && !json_is_null(pid))
		json_object_set(spec, "pid", pid);
	return finish(settings, spec, request, why);
}
