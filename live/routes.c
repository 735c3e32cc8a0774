/* SPDX-License-Identifier: Apache-2.0 */
/* All routes, and how one is found. */
#include <stdlib.h>
#include <string.h>

#include "live/api.h"

#define API "/api/1/"
#define ONE API "instrumentations/#"

const struct route routes[] = {
	{ "GET", "/", ROUTE_PAGE, api_page },
	{ "GET", "/live.js", ROUTE_PLAIN, api_script },
	{ "GET", "/live.css", ROUTE_PLAIN, api_style },
	{ "GET", API "status", ROUTE_PLAIN, api_status },
	{ "GET", API "metrics", ROUTE_PLAIN, api_metrics },
	{ "POST", API "generate", ROUTE_BODY, api_generate },
	{ "GET", API "instrumentations", ROUTE_DATA, api_instrumentations },
	{ "POST", API "instrumentations", ROUTE_BODY, api_create },
	{ "GET", ONE, ROUTE_DATA, api_instrumentation },
	{ "PATCH", ONE, ROUTE_BODY, api_change },
	{ "DELETE", ONE, ROUTE_CHANGE, api_delete },
	{ "POST", ONE "/stop", ROUTE_BODY, api_stop },
	{ "GET", ONE "/values", ROUTE_DATA, api_values },
	{ "GET", ONE "/heatmap", ROUTE_DATA, api_heatmap },
	{ "GET", ONE "/details", ROUTE_DATA, api_details },
	{ "GET", ONE "/stacks", ROUTE_DATA, api_stacks },
	{ "GET", ONE "/hosts", ROUTE_DATA, api_fleet },
	{ "GET", ONE "/who", ROUTE_PLAIN, api_who },
	{ "GET", ONE "/recording", ROUTE_DATA, api_recording },
	{ "GET", API "snapshot", ROUTE_DATA, api_snapshot },
	{ "POST", API "check", ROUTE_BODY, api_check },
	{ "POST", API "complete", ROUTE_BODY, api_complete },
	{ "GET", API "processes", ROUTE_PLAIN, api_processes },
	{ "GET", API "hosts", ROUTE_PLAIN, api_hosts },
	{ "GET", API "annotations", ROUTE_PLAIN, api_annotations },
	{ "POST", API "annotations", ROUTE_BODY, api_annotate },
	{ "DELETE", API "annotations/#", ROUTE_CHANGE, api_unannotate },
	{ "POST", API "restore", ROUTE_BODY, api_restore },
	{ "GET", API "events", ROUTE_PLAIN, api_events },
	{ 0 },
};

/* Numbers without sign and leading zeros, as we write them. */
static bool is_match(const char *pattern, const char *path, uint32_t *number)
{
	for (; *pattern; pattern++) {
		if (*pattern != '#') {
			if (*pattern != *path++)
				return false;
			continue;
		}
		char *end;

		if (*path < '1' || *path > '9' || strspn(path, "0123456789") > 9)
			return false;
		*number = (uint32_t)strtoul(path, &end, 10);
		path = end;
	}
	return !*path;
}

const struct route *route_find(const char *method, const char *path,
			       uint32_t *number, char allowed[64])
{
	if (!strcmp(method, "HEAD"))
		method = "GET";
	*allowed = '\0';
	for (const struct route *route = routes; route->method; route++) {
		if (!is_match(route->path, path, number))
			continue;
		if (!strcmp(route->method, method))
			return route;
		if (*allowed)
			strcat(allowed, ", ");
		strcat(allowed, route->method);
	}
	return NULL;
}
