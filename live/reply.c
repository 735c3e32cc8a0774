/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Answers: what all of them have in common, errors, and reading of arguments.
 *
 * An error is {"error":{"code","message","hint"}}: a word for programs, and two
 * sentences for people: what is wrong, and what to do.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/arena.h"
#include "live/http.h"

/* No script but ours, nothing from elsewhere, and in nobody's frame. */
static const struct {
	const char *name, *value;
} headers[] = {
	{ "Content-Security-Policy",
	  "default-src 'none'; script-src 'self'; style-src 'self'; "
	  "connect-src 'self'; img-src 'self' data: blob:; base-uri 'none'; "
	  "form-action 'none'; frame-ancestors 'none'" },
	{ "X-Content-Type-Options", "nosniff" },
	{ "X-Frame-Options", "DENY" },
	{ "Referrer-Policy", "no-referrer" },
	{ "Cross-Origin-Opener-Policy", "same-origin" },
	{ "Cross-Origin-Resource-Policy", "same-origin" },
	{ "Cache-Control", "no-store" },
};

void reply_response(struct request *request, unsigned status, const char *type,
		    struct MHD_Response *response)
{
	request->is_replied = true;
	if (!response) {
		request->result = MHD_NO;
		return;
	}
	for (unsigned i = 0; i < sizeof(headers) / sizeof(*headers); i++)
		MHD_add_response_header(response, headers[i].name,
					headers[i].value);
	if (type)
		MHD_add_response_header(response, "Content-Type", type);
	request->result = MHD_queue_response(request->connection, status,
					     response);
	MHD_destroy_response(response);
}

struct answer {
	struct server *server;
	size_t n;
	char *bytes;
};

static void forget_answer(void *context)
{
	struct answer *answer = context;

	answer->server->answers -= answer->n;
	free(answer->bytes);
	free(answer);
}

struct MHD_Response *reply_bytes(const struct request *request, char *bytes,
				 size_t n)
{
	struct answer *answer = must_alloc(sizeof(*answer));

	*answer = (struct answer){ request->server, n, bytes };
	request->server->answers += n;
	struct MHD_Response *response =
		MHD_create_response_from_buffer_with_free_callback_cls(
			n, bytes, forget_answer, answer);

	if (!response)
		forget_answer(answer);
	return response;
}

void reply_text(struct request *request, unsigned status, const char *type,
		struct text *text)
{
	text_add(text, "", 0);
	reply_response(request, status, type,
		       reply_bytes(request, text->p, text->n));
	*text = (struct text){ 0 };
}

void reply_json(struct request *request, unsigned status, json_t *json)
{
	char *text = json_dumps(json, JSON_FORM);

	json_decref(json);
	if (!text)
		text = strdup("{\"error\":{\"code\":\"internal\",\"message\":\"the answer cannot be written\",\"hint\":\"\"}}");
	reply_response(request, status, "application/json",
		       reply_bytes(request, text, strlen(text)));
}

/* ------------------------------------------------------------------- errors */

static json_t *make_error(const char *code, const char *hint,
			  const char *format, va_list args)
{
	struct text message = { 0 };

	text_vprintf(&message, format, args);
	/* what a client sent may not be UTF-8 */
	json_t *text = json_stringn(text_str(&message), message.n);

	if (!text)
		text = json_stringn("the request is not UTF-8", 24);
	text_free(&message);
	return json_pack("{s:{s:s, s:o, s:s}}", "error", "code", code,
			 "message", text, "hint", hint ? hint : "");
}

json_t *error_json(const char *code, const char *hint, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	json_t *error = make_error(code, hint, format, args);

	va_end(args);
	return error;
}

void reply_error_json(struct request *request, unsigned status, json_t *error)
{
	reply_json(request, status, error);
}

void reply_error(struct request *request, unsigned status, const char *code,
		 const char *hint, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	reply_json(request, status, make_error(code, hint, format, args));
	va_end(args);
}

/* ---------------------------------------------------------------- arguments */

const char *request_argument(const struct request *request, const char *name)
{
	return MHD_lookup_connection_value(request->connection,
					   MHD_GET_ARGUMENT_KIND, name);
}

bool request_number(struct request *request, const char *name, int64_t least,
		    int64_t most, int64_t otherwise, int64_t *number)
{
	const char *text = request_argument(request, name);
	char *end;

	*number = otherwise;
	if (!text)
		return true;
	errno = 0;
	*number = strtoll(text, &end, 10);
	if (*text && !*end && !errno && *number >= least && *number <= most)
		return true;
	reply_error(request, 400, "bad_argument",
		    "from and to are ms since 1970; set, low, high and keys are numbers that .../values has",
		    "%s is not a number in its range: %.40s", name, text);
	return false;
}

struct instrumentation *request_instrumentation(struct request *request)
{
	struct instrumentation *found =
		instrumentation_find(request->server, request->number);

	if (!found)
		reply_error(request, 404, "no_such_instrumentation",
			    "GET /api/1/instrumentations lists them",
			    "there is no instrumentation %u", request->number);
	else
		found->looked = server_clock();
	return found;
}
