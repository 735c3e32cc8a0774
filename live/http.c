/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Clients: what they may send, how long they may take, and who they are.
 *
 * libmicrohttpd reads requests; here is what it leaves to us.
 *
 * 1. A client that has not sent a whole request in time is disconnected, however
 *    busily it sends a byte now and then.  One that does not read its answer
 *    is, too.  Idle connections cost a descriptor and some memory.
 * 2. Nothing is looked at before host and token are right.
 * 3. Bodies have a limit, which is checked before they are read.
 * 4. Answers that clients are slow to take have one, too: as much as may be kept.
 */
#include "live/http.h"

#include <gnutls/gnutls.h>
#include <gnutls/x509.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "base/arena.h"
#include "live/guard.h"

enum { MOST_CONNECTIONS = 2000, MEMORY = 32 << 10, ANSWER_TIMES = 20 };
/* gnutls would take TLS 1.0, too. */
#define PRIORITIES "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2"

/* One connection. */
struct peer {
	struct peer *next, **link;
	int64_t deadline; /* server_clock(); 0: none */
	int fd;
};

/* ------------------------------------------------------------------- peers */

static struct peer *peer_of(struct MHD_Connection *connection)
{
	const union MHD_ConnectionInfo *info = MHD_get_connection_info(
		connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);

	return info ? info->socket_context : NULL;
}

static void notify_connection(void *context, struct MHD_Connection *connection,
			      void **socket_context,
			      enum MHD_ConnectionNotificationCode code)
{
	struct server *server = context;
	struct peer *peer = *socket_context;

	if (code == MHD_CONNECTION_NOTIFY_STARTED) {
		const union MHD_ConnectionInfo *info = MHD_get_connection_info(
			connection, MHD_CONNECTION_INFO_CONNECTION_FD);

		peer = must_alloc(sizeof(*peer));
		peer->fd = info ? info->connect_fd : -1;
		peer->deadline = server_clock() +
				 server->settings->client_timeout;
		peer->next = server->peers;
		peer->link = &server->peers;
		if (peer->next)
			peer->next->link = &peer->next;
		server->peers = peer;
		server->npeers++;
		*socket_context = peer;
	} else if (peer) {
		*peer->link = peer->next;
		if (peer->next)
			peer->next->link = peer->link;
		server->npeers--;
		free(peer);
		*socket_context = NULL;
	}
}

void request_lasts(const struct request *request)
{
	struct peer *peer = peer_of(request->connection);

	if (peer)
		peer->deadline = 0;
}

void http_tick(struct server *server)
{
	int64_t now = server_clock();

	for (struct peer *peer = server->peers; peer; peer = peer->next) {
		if (!peer->deadline || now < peer->deadline)
			continue;
		shutdown(peer->fd, SHUT_RDWR);
		peer->deadline = 0;
	}
}

/* ---------------------------------------------------------------- allowed? */

static const char *header_of(const struct request *request, const char *name)
{
	return MHD_lookup_connection_value(request->connection, MHD_HEADER_KIND,
					   name);
}

static bool has_certificate(const struct request *request)
{
	const union MHD_ConnectionInfo *info = MHD_get_connection_info(
		request->connection, MHD_CONNECTION_INFO_GNUTLS_SESSION);
	unsigned status = 0;

	return info && info->tls_session &&
	       !gnutls_certificate_verify_peers2(info->tls_session, &status) &&
	       !status;
}

static bool has_token(const struct request *request)
{
	const struct settings *settings = request->server->settings;
	const char *cookie;
	char name[32];

	if (settings->client_ca) {
		if (has_certificate(request))
			return true;
		if (!settings->password)
			return false;
	}
	if (guard_authorization(settings, header_of(request, "Authorization")))
		return true;
	/* ports share cookies: each server has its own */
	snprintf(name, sizeof(name), "dtlive_%u", settings->bound_port);
	cookie = MHD_lookup_connection_value(request->connection,
					     MHD_COOKIE_KIND, name);
	if (!cookie)
		cookie = MHD_lookup_connection_value(
			request->connection, MHD_COOKIE_KIND, "dtlive");
	return cookie && guard_is_same(cookie, settings->token);
}

/* GET /?token=TOKEN, which is what people open. */
static bool log_in(struct request *request, const char *method,
		   const char *path)
{
	const struct settings *settings = request->server->settings;
	const char *given = request_argument(request, "token");
	char cookie[256];

	if (strcmp(method, "GET") || strcmp(path, "/") || !given ||
	    (settings->client_ca && !settings->password) ||
	    !guard_is_same(given, settings->token))
		return false;
	struct MHD_Response *response = MHD_create_response_from_buffer(
		0, "", MHD_RESPMEM_PERSISTENT);

	snprintf(cookie, sizeof(cookie),
		 "dtlive_%u=%s; Path=/; HttpOnly; SameSite=Strict%s",
		 settings->bound_port, settings->token,
		 settings->tls_cert ? "; Secure" : "");
	MHD_add_response_header(response, "Set-Cookie", cookie);
	MHD_add_response_header(response, "Location", "/");
	reply_response(request, 302, NULL, response);
	return true;
}

static void refuse_stranger(struct request *request)
{
	static const char text[] =
		"{\"error\":{\"code\":\"unauthorized\",\"message\":\"this request has no valid token\",\"hint\":\"open the URL that dtlive printed, or send Authorization: Bearer TOKEN\"}}";
	struct MHD_Response *response = MHD_create_response_from_buffer(
		sizeof(text) - 1, (void *)(uintptr_t)text,
		MHD_RESPMEM_PERSISTENT);

	MHD_add_response_header(response, "WWW-Authenticate",
				request->server->settings->password
					? "Basic realm=\"dtlive\", charset=\"UTF-8\""
					: "Bearer");
	reply_response(request, 401, "application/json", response);
}

static bool is_change(const struct route *route)
{
	return route->form == ROUTE_BODY || route->form == ROUTE_CHANGE;
}

/* Everything that can be said before the body comes.  False: it was said. */
static bool admit(struct request *request, const char *method, const char *path)
{
	const struct settings *settings = request->server->settings;
	const char *host = header_of(request, "Host");
	const char *length = header_of(request, "Content-Length");
	char allowed[64];

	if (!guard_host(settings, host)) {
		reply_error(request, 403, "wrong_host",
			    "use the URL that dtlive printed, or start it with --name",
			    "this server is not called %.80s",
			    host ? host : "nothing");
		return false;
	}
	if (log_in(request, method, path))
		return false;
	if (!has_token(request)) {
		refuse_stranger(request);
		return false;
	}
	request->route = route_find(method, path, &request->number, allowed);
	if (!request->route && *allowed) {
		reply_error(request, 405, "method_not_allowed", allowed,
			    "%.80s does not take %.16s", path, method);
		return false;
	}
	if (!request->route) {
		reply_error(request, 404, "not_found",
			    "doc/live-api.md lists what there is",
			    "there is no %.80s", path);
		return false;
	}
	if (request->route->form != ROUTE_PAGE &&
	    !guard_site(host, header_of(request, "Origin"),
			header_of(request, "Sec-Fetch-Site"),
			settings->tls_cert, !is_change(request->route))) {
		reply_error(request, 403, "cross_site",
			    "only pages of this server may use it",
			    "the request comes from another site");
		return false;
	}
	if (request->route->form == ROUTE_BODY &&
	    !guard_is_json(header_of(request, "Content-Type"))) {
		reply_error(request, 415, "not_json",
			    "send Content-Type: application/json",
			    "the body must be JSON");
		return false;
	}
	if (length && strtoull(length, NULL, 10) > MOST_BODY) {
		reply_error(request, 413, "too_large", "",
			    "a body has at most %d bytes", MOST_BODY);
		return false;
	}
	return true;
}

/* ---------------------------------------------------------------- requests */

static bool parse_body(struct request *request)
{
	json_error_t error;

	if (request->route->form != ROUTE_BODY)
		return true;
	request->body = json_loadb(text_str(&request->upload),
				   request->upload.n, JSON_REJECT_DUPLICATES,
				   &error);
	if (json_is_object(request->body))
		return true;
	if (request->body)
		reply_error(request, 400, "bad_json", "",
			    "the body must be an object");
	else
		reply_error(request, 400, "bad_json", "",
			    "the body is not JSON: %s (line %d, column %d)",
			    error.text, error.line, error.column);
	return false;
}

static enum MHD_Result handle(void *context, struct MHD_Connection *connection,
			      const char *path, const char *method,
			      const char *version, const char *upload,
			      size_t *upload_size, void **request_context)
{
	struct server *server = context;
	struct request *request = *request_context;
	struct peer *peer = peer_of(connection);

	(void)version;
	if (!request) {
		request = must_alloc(sizeof(*request));
		request->server = server;
		request->connection = connection;
		request->result = MHD_YES;
		*request_context = request;
		admit(request, method, path);
		return request->result;
	}
	if (*upload_size) {
		/* without a length it is known only now; there is no reply */
		if (request->upload.n + *upload_size > MOST_BODY)
			return MHD_NO;
		text_add(&request->upload, upload, *upload_size);
		*upload_size = 0;
		return MHD_YES;
	}
	if (request->is_replied)
		return request->result;
	if (peer)
		peer->deadline = server_clock() +
				 ANSWER_TIMES *
					 server->settings->client_timeout;
	if (request->answer) {
		json_t *answer = request->answer;
		bool is_error = json_object_get(answer, "error");

		request->answer = NULL;
		reply_json(request, is_error ? 503 : 200, answer);
	} else if (request->route->form == ROUTE_DATA &&
		   server->answers > server->settings->max_memory) {
		reply_error(request, 503, "too_many_answers", "try again later",
			    "clients have not taken %zu MB of answers yet",
			    server->answers >> 20);
	} else if (!request->is_asking && parse_body(request)) {
		request->route->answer(request);
	}
	return request->result;
}

static void completed(void *context, struct MHD_Connection *connection,
		      void **request_context,
		      enum MHD_RequestTerminationCode code)
{
	struct server *server = context;
	struct request *request = *request_context;
	struct peer *peer = peer_of(connection);

	(void)code;
	if (peer)
		peer->deadline = server_clock() +
				 server->settings->client_timeout;
	if (!request)
		return;
	inspect_forget(request);
	json_decref(request->body);
	json_decref(request->answer);
	text_free(&request->upload);
	free(request);
	*request_context = NULL;
}

/* ------------------------------------------------------------------ daemon */

static void ignore_log(void *context, const char *format, va_list args)
{
	(void)context;
	(void)format;
	(void)args;
}

static void ready(struct server *server, struct watch *source)
{
	(void)server;
	(void)source; /* the loop calls MHD_run() in each turn */
}

bool http_open(struct server *server)
{
	const struct settings *settings = server->settings;
	unsigned flags = MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME |
			 MHD_USE_ERROR_LOG;
	struct MHD_OptionItem tls[5] = { 0 };
	unsigned n = 0;

	if (settings->tls_cert) {
		flags |= MHD_USE_TLS;
		tls[n++] = (struct MHD_OptionItem){
			MHD_OPTION_HTTPS_MEM_CERT, 0, settings->tls_cert };
		tls[n++] = (struct MHD_OptionItem){
			MHD_OPTION_HTTPS_MEM_KEY, 0, settings->tls_key };
		tls[n++] = (struct MHD_OptionItem){
			MHD_OPTION_HTTPS_PRIORITIES, 0, PRIORITIES };
		if (settings->client_ca)
			tls[n++] = (struct MHD_OptionItem){
				MHD_OPTION_HTTPS_MEM_TRUST, 0,
				settings->client_ca };
	}
	tls[n] = (struct MHD_OptionItem){ MHD_OPTION_END, 0, NULL };
	server->daemon = MHD_start_daemon(
		flags, 0, NULL, NULL, handle, server,
		MHD_OPTION_EXTERNAL_LOGGER, ignore_log, NULL,
		MHD_OPTION_LISTEN_SOCKET, settings->listener,
		MHD_OPTION_CONNECTION_LIMIT, (unsigned)MOST_CONNECTIONS,
		MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)MEMORY,
		MHD_OPTION_CONNECTION_TIMEOUT,
		(unsigned)(settings->client_timeout / 1000),
		MHD_OPTION_NOTIFY_COMPLETED, completed, server,
		MHD_OPTION_NOTIFY_CONNECTION, notify_connection, server,
		MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_ARRAY, tls,
		MHD_OPTION_END);
	if (!server->daemon)
		return false;
	const union MHD_DaemonInfo *info = MHD_get_daemon_info(
		server->daemon, MHD_DAEMON_INFO_EPOLL_FD);

	server->http = (struct watch){
		.fd = info->epoll_fd,
		.ready = ready,
	};
	return server_watch(server, &server->http);
}
