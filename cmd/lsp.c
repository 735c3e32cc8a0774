/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The language server: requests and notifications.
 *
 * Diagnostics are not requested: they are sent when the client has nothing more to
 * say for the moment, for the last version of a text.
 */
#include "cmd/lsp.h"

#include <signal.h>
#include <string.h>

enum {
	ERROR_REQUEST = -32600,
	ERROR_METHOD = -32601,
	ERROR_PARAMS = -32602,
	ERROR_NOT_INITIALIZED = -32002,
};

enum state { STATE_NEW, STATE_RUNNING, STATE_SHUT };

static enum state state = STATE_NEW;

/* The member of a member, or NULL. */
static json_t *inner(const json_t *object, const char *outer, const char *name)
{
	return json_object_get(json_object_get(object, outer), name);
}

static const char *uri_of(const json_t *params)
{
	return json_string_value(inner(params, "textDocument", "uri"));
}

/* ------------------------------------------------------- initialization */

static bool offers_utf8(const json_t *params)
{
	const json_t *list = inner(json_object_get(params, "capabilities"),
				   "general", "positionEncodings");
	const json_t *item;
	size_t i;

	json_array_foreach((json_t *)(uintptr_t)list, i,
			   item) if (json_is_string(item) &&
				     !strcmp(json_string_value(item),
					     "utf-8")) return true;
	return false;
}

static json_t *initialize(const json_t *params)
{
	bool is_utf8 = offers_utf8(params);

	documents_use_utf8(is_utf8);
	state = STATE_RUNNING;
	return json_pack(
		"{s:{s:s, s:{s:b, s:i}, s:b, s:b, s:b, s:{s:[s,s,s,s,s]}, s:{s:[s,s]}}, s:{s:s, s:s}}",
		"capabilities", "positionEncoding",
		is_utf8 ? "utf-8" : "utf-16", "textDocumentSync", "openClose",
		true, "change", 2, "hoverProvider", true, "definitionProvider",
		true, "documentSymbolProvider", true, "completionProvider",
		"triggerCharacters", ":", ">", ".", "@", "$",
		"signatureHelpProvider", "triggerCharacters", "(", ",",
		"serverInfo", "name", "dtrace", "version",
		dtrace_package_version_ext);
}

/* ------------------------------------------------------------ documents */

static void set_text(struct document *document, const json_t *text)
{
	if (json_is_string(text))
		document_replace(document, 0, document->length,
				 json_string_value(text),
				 json_string_length(text));
}

static void open_document(const json_t *params)
{
	const char *uri = uri_of(params);
	struct document *document = uri ? document_open(uri) : NULL;

	if (!document)
		return;
	document->version = json_integer_value(inner(params, "textDocument",
						     "version"));
	document->is_changed = true;
	set_text(document, inner(params, "textDocument", "text"));
}

static void change(struct document *document, const json_t *event)
{
	const json_t *text = json_object_get(event, "text");
	const json_t *range = json_object_get(event, "range");

	if (!range) {
		set_text(document, text);
		return;
	}
	size_t from = offset_at(document, json_object_get(range, "start"));
	size_t to = offset_at(document, json_object_get(range, "end"));

	if (from == SIZE_MAX || to == SIZE_MAX || from > to ||
	    !json_is_string(text))
		return;
	document_replace(document, from, to, json_string_value(text),
			 json_string_length(text));
}

static void change_document(const json_t *params)
{
	const char *uri = uri_of(params);
	struct document *document = uri ? document_find(uri) : NULL;
	json_t *events = json_object_get(params, "contentChanges"), *event;
	size_t i;

	if (!document)
		return;
	document->version = json_integer_value(inner(params, "textDocument",
						     "version"));
	document->is_changed = true;
	json_array_foreach(events, i, event) change(document, event);
}

static void close_document(const json_t *params)
{
	const char *uri = uri_of(params);
	struct document *document = uri ? document_find(uri) : NULL;

	if (!document)
		return;
	/* what was said about it is void */
	message_send(json_pack("{s:s, s:{s:s, s:[]}}", "method",
			       "textDocument/publishDiagnostics", "params",
			       "uri", document->uri, "diagnostics"));
	document_close(document);
}

/* ------------------------------------------------------------- requests */

static json_t *symbols(const struct document *document, size_t offset)
{
	(void)offset;
	return answer_symbols(document);
}

static const struct {
	const char *method;
	json_t *(*answer)(const struct document *document, size_t offset);
	bool has_position;
} requests[] = {
	{ "textDocument/completion", answer_completion, true },
	{ "textDocument/definition", answer_definition, true },
	{ "textDocument/documentSymbol", symbols, false },
	{ "textDocument/hover", answer_hover, true },
	{ "textDocument/signatureHelp", answer_signature, true },
};

static const struct {
	const char *method;
	void (*take)(const json_t *params);
} notifications[] = {
	{ "textDocument/didChange", change_document },
	{ "textDocument/didClose", close_document },
	{ "textDocument/didOpen", open_document },
};

static void reply_error(json_t *id, int code, const char *message)
{
	message_send(json_pack("{s:O, s:{s:i, s:s}}", "id", id, "error", "code",
			       code, "message", message));
}

static void reply(json_t *id, json_t *result)
{
	message_send(json_pack("{s:O, s:o}", "id", id, "result", result));
}

static void answer_about(json_t *id, size_t request, const json_t *params)
{
	const char *uri = uri_of(params);
	const struct document *document = uri ? document_find(uri) : NULL;
	size_t offset = 0;

	if (document && requests[request].has_position)
		offset = offset_at(document,
				   json_object_get(params, "position"));
	if (!document)
		reply_error(id, ERROR_PARAMS, "no such document is open");
	else if (offset == SIZE_MAX)
		reply_error(id, ERROR_PARAMS, "there is no position");
	else
		reply(id, requests[request].answer(document, offset));
}

static void take_request(json_t *id, const char *method, const json_t *params)
{
	if (!strcmp(method, "initialize")) {
		if (state == STATE_NEW)
			reply(id, initialize(params));
		else
			reply_error(id, ERROR_REQUEST,
				    "the server is initialized already");
		return;
	}
	if (state == STATE_NEW) {
		reply_error(id, ERROR_NOT_INITIALIZED,
			    "the server is not initialized");
		return;
	}
	if (state == STATE_SHUT) {
		reply_error(id, ERROR_REQUEST, "the server has been shut down");
		return;
	}
	if (!strcmp(method, "shutdown")) {
		state = STATE_SHUT;
		reply(id, json_null());
		return;
	}
	for (size_t i = 0; i < sizeof(requests) / sizeof(*requests); i++) {
		if (strcmp(requests[i].method, method) != 0)
			continue;
		answer_about(id, i, params);
		return;
	}
	reply_error(id, ERROR_METHOD, "there is no such method");
}

static void take_notification(const char *method, const json_t *params)
{
	for (size_t i = 0; state == STATE_RUNNING &&
			   i < sizeof(notifications) / sizeof(*notifications);
	     i++)
		if (!strcmp(notifications[i].method, method))
			notifications[i].take(params);
}

/* False: the client wants the server to end. */
static bool take(json_t *message)
{
	json_t *id = json_object_get(message, "id");
	const json_t *params = json_object_get(message, "params");
	const char *method = json_string_value(json_object_get(message,
							       "method"));

	if (!json_is_object(message)) {
		reply_error(json_null(), ERROR_REQUEST,
			    "a message is an object");
		return true;
	}
	if (!method) /* an answer, to what was never asked */
		return true;
	if (!id && !strcmp(method, "exit"))
		return false;
	if (!id)
		take_notification(method, params);
	else if (json_is_string(id) || json_is_integer(id))
		take_request(id, method, params);
	else
		reply_error(json_null(), ERROR_REQUEST,
			    "an id is a number or a string");
	return true;
}

static void diagnose_all(void)
{
	for (struct document *document = documents_first();
	     document && state == STATE_RUNNING && !message_waits();
	     document = document->next)
		if (document->is_changed)
			diagnose(document);
}

int main(void)
{
	bool goes_on = true;

	signal(SIGPIPE, SIG_IGN);
	while (goes_on) {
		diagnose_all();
		json_t *message = message_read();

		if (!message)
			break;
		goes_on = take(message);
		json_decref(message);
	}
	while (documents_first())
		document_close(documents_first());
	return state == STATE_SHUT ? 0 : 1;
}
