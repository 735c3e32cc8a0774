/* SPDX-License-Identifier: Apache-2.0 */
/*
 * nginx: connections and requests of a web server.  nginx exports its functions
 * for modules, so stripped packages have them, too.
 *
 * Members of a request are at other places in each build.  So texts are taken
 * from where they are texts: the request from the buffer that is parsed, the
 * status from the header that is sent.  What is taken for granted has held since
 * the first versions: a buffer begins with pos and last, a chain with its buffer, a
 * request has its connection second, and a connection begins as struct
 * _nginx_connection does.
 *
 * Frames of HTTP/2 have no such texts: their requests are not seen here.
 */
struct _nginx_connection {
	void *data, *read, *write;
	int fd;
	void *recv, *send, *recv_chain, *send_chain, *listening;
	int64_t sent;
	void *log, *pool;
	int type;
	uintptr_t sockaddr;
	uint32_t socklen;
};

typedef struct nginxconn {
	int nc_fd;		/* its descriptor in the server */
	string nc_remote;	/* the client's address, "unix:" for sockets of files */
	uint16_t nc_port;	/* the client's port */
} nginxconn_t;

translator nginxconn_t < userland struct _nginx_connection *C > {
	nc_fd = C->fd;
	nc_remote = *(userland uint16_t *)C->sockaddr == AF_INET ||
	    *(userland uint16_t *)C->sockaddr == AF_INET6 ?
	    _sockaddr_host[(uintptr_t)copyin(C->sockaddr,
	    *(userland uint16_t *)C->sockaddr == AF_INET ? 16 : 28)] : "unix:";
	nc_port = *(userland uint16_t *)C->sockaddr == AF_INET ||
	    *(userland uint16_t *)C->sockaddr == AF_INET6 ?
	    ntohs(*(userland uint16_t *)(C->sockaddr + 2)) : 0;
};

/* A request's first line: "GET /index.html HTTP/1.1\r\n". */
struct _nginx_line {
	char first;
};

typedef struct nginxreq {
	string nr_method;	/* "GET" */
	string nr_uri;		/* as the client sent it, with arguments */
	string nr_line;		/* the whole line */
} nginxreq_t;

translator nginxreq_t < userland struct _nginx_line *L > {
	nr_method = strtok(copyinstr((uintptr_t)L), " ");
	nr_line = strtok(copyinstr((uintptr_t)L), "\r\n");
	nr_uri = strtok(substr(copyinstr((uintptr_t)L),
	    index(copyinstr((uintptr_t)L), " ") + 1), " \r\n");
};

/* Of requests, by worker and address: a worker has many at a time. */
uint64_t nginx_began[pid_t, uint64_t];
uint64_t nginx_line[pid_t, uint64_t];
uint64_t nginx_time[pid_t, uint64_t];
int nginx_status[pid_t, uint64_t];

provider nginx {
	/* A client has connected; what it sends comes later. */
	probe connection__start(struct _nginx_connection *c) :
	    (nginxconn_t *c)
	{
		nginx:ngx_http_init_connection:entry
		{
			fire(arg0);
		}
	};
	probe connection__done(struct _nginx_connection *c) :
	    (nginxconn_t *c)
	{
		nginx:ngx_http_close_connection:entry
		{
			fire(arg0);
		}
	};
	/*
	 * The first line of a request has come, as far as it could be read.  Its
	 * beginning is kept, because it may come in pieces (-2: more is missing).
	 */
	probe request__start(struct _nginx_line *line,
	    struct _nginx_connection *c) :
	    (nginxreq_t *line, nginxconn_t *c)
	{
		nginx:ngx_http_parse_request_line:entry
		{
			self->nginx_request = arg0;
			nginx_began[pid, arg0] = nginx_began[pid, arg0] ?
			    nginx_began[pid, arg0] : *(userland uint64_t *)arg1;
			self->nginx_began = nginx_began[pid, arg0];
		}
		nginx:ngx_http_parse_request_line:return
		/self->nginx_began && (int)arg1 != -2/
		{
			fire(self->nginx_began, *(userland uint64_t *)
			    (self->nginx_request + 8));
		}
		nginx:ngx_http_free_request:entry
		{
			nginx_began[pid, arg0] = 0;
		}
	};
	/*
	 * The request is over: the status that was sent (0: none was), all bytes that
	 * were sent, and the nanoseconds since its beginning.
	 */
	probe request__done(struct _nginx_line *line,
	    struct _nginx_connection *c, int status, uint64_t bytes,
	    uint64_t nanoseconds) :
	    (nginxreq_t *line, nginxconn_t *c, int status, uint64_t bytes,
	    uint64_t nanoseconds)
	{
		nginx:ngx_http_parse_request_line:entry
		/!nginx_line[pid, arg0]/
		{
			nginx_line[pid, arg0] = *(userland uint64_t *)arg1;
			nginx_time[pid, arg0] = timestamp;
		}
		/* "HTTP/1.1 200 OK": its first word tells the header from data */
		nginx:ngx_http_write_filter:entry
		/arg1 && nginx_line[pid, arg0] && !nginx_status[pid, arg0]/
		{
			self->nginx_sent = *(userland uint64_t *)
			    *(userland uint64_t *)arg1;
			nginx_status[pid, arg0] =
			    *(userland uint32_t *)self->nginx_sent == 0x50545448 ?
			    (*(userland uint8_t *)(self->nginx_sent + 9) - '0') * 100 +
			    (*(userland uint8_t *)(self->nginx_sent + 10) - '0') * 10 +
			    *(userland uint8_t *)(self->nginx_sent + 11) - '0' : 0;
		}
		nginx:ngx_http_free_request:entry
		/nginx_line[pid, arg0]/
		{
			self->nginx_line = nginx_line[pid, arg0];
			self->nginx_status = nginx_status[pid, arg0];
			self->nginx_took = timestamp - nginx_time[pid, arg0];
			nginx_line[pid, arg0] = 0;
			nginx_status[pid, arg0] = 0;
			nginx_time[pid, arg0] = 0;
			fire(self->nginx_line,
			    *(userland uint64_t *)(arg0 + 8),
			    self->nginx_status,
			    *(userland uint64_t *)
			    (*(userland uint64_t *)(arg0 + 8) + 72),
			    self->nginx_took);
		}
	};
};
