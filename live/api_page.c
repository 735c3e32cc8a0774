/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The page and its parts, and a snapshot: the same page in one file, with what
 * is kept in it.
 */
#include <stdio.h>
#include <stdlib.h>

#include "live/api.h"
#include "view/page.h"

static const struct page_bundle *bundle_of(struct request *request)
{
	const struct page_bundle *bundle = page_bundle("live");

	if (!bundle)
		reply_error(request, 404, "no_page",
			    "the API is under /api/1",
			    "this dtlive was built without its page");
	return bundle;
}

static void reply_constant(struct request *request, const char *type,
			   const char *text)
{
	reply_response(request, 200, type,
		       MHD_create_response_from_buffer(
			       strlen(text), (void *)(uintptr_t)text,
			       MHD_RESPMEM_PERSISTENT));
}

void api_page(struct request *request)
{
	if (bundle_of(request))
		reply_constant(
			request, "text/html; charset=utf-8",
			"<!doctype html>\n<html lang=\"en\">\n<head>\n"
			"<meta charset=\"utf-8\">\n"
			"<meta name=\"viewport\" content=\"width=device-width\">\n"
			"<meta name=\"color-scheme\" content=\"light dark\">\n"
			"<title>dtlive</title>\n"
			"<link rel=\"stylesheet\" href=\"/live.css\">\n"
			"<link rel=\"icon\" href=\"data:,\">\n"
			"</head>\n<body>\n"
			"<noscript>This page needs scripts.</noscript>\n"
			"<script src=\"/live.js\"></script>\n"
			"</body>\n</html>\n");
}

void api_script(struct request *request)
{
	const struct page_bundle *bundle = bundle_of(request);

	if (bundle)
		reply_constant(request, "text/javascript; charset=utf-8",
			       bundle->script);
}

void api_style(struct request *request)
{
	const struct page_bundle *bundle = bundle_of(request);

	if (bundle)
		reply_constant(request, "text/css; charset=utf-8",
			       bundle->style);
}

/* ----------------------------------------------------------------- snapshot */

/* JSON in HTML: < can only be within strings, where it may be written so. */
static void write_harmless(FILE *out, const char *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (bytes[i] == '<' || bytes[i] == '>' || bytes[i] == '&')
			fprintf(out, "\\u%04x", bytes[i]);
		else
			fputc_unlocked(bytes[i], out);
	}
}

static void write_data(FILE *out, const void *context)
{
	const struct server *server = context;
	json_t *status = status_json(server);
	json_t *annotations = annotations_json(server);
	char *text = json_dumps(status, JSON_FORM);
	struct text data = { 0 };

	text_printf(&data, "{\"status\":%s,\"metrics\":null,\"instrumentations\":[",
		    text);
	free(text);
	for (uint32_t i = 0; i < server->count; i++) {
		if (i)
			text_putc(&data, ',');
		instrumentation_put(&data, server->list[i]);
	}
	text_puts(&data, "],\"values\":{");
	for (uint32_t i = 0; i < server->count; i++) {
		text_printf(&data, "%s\"%u\":", i ? "," : "",
			    server->list[i]->id);
		values_put(&data, server->list[i], 0, INT64_MAX);
		write_harmless(out, text_str(&data), data.n);
		text_clear(&data);
	}
	text = json_dumps(annotations, JSON_FORM);
	text_printf(&data, "},\"annotations\":%s}", text);
	write_harmless(out, text_str(&data), data.n);
	free(text);
	text_free(&data);
	json_decref(status);
	json_decref(annotations);
}

void api_snapshot(struct request *request)
{
	char *bytes = NULL;
	size_t n = 0;

	if (!bundle_of(request))
		return;
	FILE *out = open_memstream(&bytes, &n);

	page_write(out, "live", request->server->host, write_data,
		   request->server);
	fclose(out);
	struct MHD_Response *response = reply_bytes(request, bytes, n);

	MHD_add_response_header(response, "Content-Disposition",
				"attachment; filename=\"dtlive.html\"");
	reply_response(request, 200, "text/html; charset=utf-8", response);
}
