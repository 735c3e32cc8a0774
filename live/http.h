/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Requests, routes and answers.
 *
 * A route is a line in routes.c: a method, a path, and the function that
 * answers.  `#` in a path is a number.  The function is called when the request
 * is whole and allowed, and replies once: at once, or later (inspect.c).
 */

#include <microhttpd.h>

#include "live/instrumentation.h"
#include "live/server.h"

enum { MOST_BODY = 1 << 20 };

enum route_form {
	ROUTE_PLAIN,
	ROUTE_DATA,	/* the answer may be large */
	ROUTE_BODY,	/* an object of JSON is needed */
	ROUTE_CHANGE,	/* changes something, without a body */
	ROUTE_PAGE,	/* a browser may come from elsewhere */
};

struct route {
	const char *method, *path;
	enum route_form form;
	void (*answer)(struct request *request);
};
extern const struct route routes[]; /* the last has no method */

/*
 * The route of a method and a path, with its number; NULL: there is none.  Then
 * `allowed` has the methods that the path has, such as "GET, POST", or "".
 */
const struct route *route_find(const char *method, const char *path,
			       uint32_t *number, char allowed[64]);

struct request {
	struct server *server;
	struct MHD_Connection *connection;
	const struct route *route;
	uint32_t number; /* # of the path */
	struct text upload;
	json_t *body;
	bool is_replied, is_too_large;
	enum MHD_Result result;
	/* waits for the inspector, or for a head */
	const struct lines *asked;
	struct request *next_asking;
	uint32_t question;
	bool is_asking;
	json_t *answer;
};

/* An argument of the query, or NULL. */
const char *request_argument(const struct request *request, const char *name);
/* A number of it; false: it is not one, and a reply says so. */
bool request_number(struct request *request, const char *name, int64_t least,
		    int64_t most, int64_t otherwise, int64_t *number);
/* The instrumentation of the path; NULL: a reply says that there is none. */
struct instrumentation *request_instrumentation(struct request *request);

/* Its answer has no end: events. */
void request_lasts(const struct request *request);

/* ----------------------------------------------------------------- replies */

/* Takes the bytes, which are counted until the client has them. */
struct MHD_Response *reply_bytes(const struct request *request, char *bytes,
				 size_t n);
/* Takes the text. */
void reply_text(struct request *request, unsigned status, const char *type,
		struct text *text);
void reply_json(struct request *request, unsigned status, json_t *json);
/* Takes the object, which has a member "error". */
void reply_error_json(struct request *request, unsigned status, json_t *error);
void reply_error(struct request *request, unsigned status, const char *code,
		 const char *hint, const char *format, ...)
	__attribute__((format(printf, 5, 6)));
/* Takes the response; adds what all have. */
void reply_response(struct request *request, unsigned status, const char *type,
		    struct MHD_Response *response);
json_t *error_json(const char *code, const char *hint, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* inspect.c: takes the question; the request is answered later. */
void inspect_ask(struct request *request, json_t *question);
void inspect_forget(struct request *request);
/* The same of another process that speaks lines: question and answer have "n". */
void inspect_ask_at(struct request *request, struct lines *lines,
		    json_t *question);
void inspect_answer(struct server *server, uint32_t n, json_t *answer);
void inspect_lost(struct server *server, const struct lines *lines);
