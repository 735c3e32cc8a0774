/* SPDX-License-Identifier: Apache-2.0 */
/*
 * node: requests, connections and garbage collections of a node program that runs
 * with node/dtrace-provider/node-provider.js.  The probes are USDT probes that it
 * makes; their notes say only how large arguments are, so the types are here.
 *
 * Names and members are those that node itself had while it had a provider.
 * A record is words: numbers, and addresses of strings.
 */
struct _node_connection {
	int64_t fd, port, buffered;
	uint64_t address;
};

typedef struct node_connection {
	int fd;			/* its descriptor, -1 if it has none any more */
	string remoteAddress;	/* "" if it is not known */
	int remotePort;
	int bufferSize;		/* bytes that wait to be written */
} node_connection_t;

translator node_connection_t < userland struct _node_connection *C > {
	fd = C->fd;
	remoteAddress = copyinstr(C->address);
	remotePort = C->port;
	bufferSize = C->buffered;
};

struct _node_request {
	uint64_t url, method, forwarded;
};

typedef struct node_http_request {
	string url;
	string method;
	string forwardedFor;	/* the header X-Forwarded-For, or "" */
} node_http_request_t;

translator node_http_request_t < userland struct _node_request *R > {
	url = copyinstr(R->url);
	method = copyinstr(R->method);
	forwardedFor = copyinstr(R->forwarded);
};

provider node {
	/* A server has a new connection; a connection ends. */
	probe net__server__connection(struct _node_connection *c,
	    char *address, int port, int fd) :
	    (node_connection_t *c, string address, int port, int fd);
	probe net__stream__end(struct _node_connection *c,
	    char *address, int port, int fd) :
	    (node_connection_t *c, string address, int port, int fd);
	/* The head of a request has come, its response has been handed over. */
	probe http__server__request(struct _node_request *r,
	    struct _node_connection *c, char *address, int port,
	    char *method, char *url, int fd) :
	    (node_http_request_t *r, node_connection_t *c, string address,
	    int port, string method, string url, int fd);
	probe http__server__response(struct _node_connection *c,
	    char *address, int port, int fd, int status) :
	    (node_connection_t *c, string address, int port, int fd, int status);
	/* The program has made a request, the head of its response has come. */
	probe http__client__request(struct _node_request *r,
	    struct _node_connection *c, char *address, int port,
	    char *method, char *url, int fd) :
	    (node_http_request_t *r, node_connection_t *c, string address,
	    int port, string method, string url, int fd);
	probe http__client__response(struct _node_connection *c,
	    char *address, int port, int fd, int status) :
	    (node_connection_t *c, string address, int port, int fd, int status);
	/* V8 collects garbage: kinds and flags are V8's. */
	probe gc__start(int type, int flags, uint64_t isolate);
	probe gc__done(int type, int flags, uint64_t isolate);
};
