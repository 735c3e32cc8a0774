/* SPDX-License-Identifier: Apache-2.0 */
#include "live/monitor.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "live/lines.h"
#include "live/server.h"
#include "live/spec.h"
#include "live/worker.h"

enum {
	MOST_WORKERS = 1024,
	SPEC_BUFFER = 8 << 20,
	MOST_DEATHS = 5, /* of the server, */
	HEAD_TIME = 2000, /* ms to say goodbye in */
	DEATH_TIME = 10, /* in so many seconds: then it is hopeless */
};

struct worker {
	uint32_t n; /* its instrumentation */
	pid_t pid;  /* 0: it has ended */
	json_t *request; /* NULL: not to be started again */
};

struct monitor {
	struct settings *settings;
	pid_t server, inspector, watcher;
	struct lines lines; /* to the server */
	struct worker *workers;
	uint32_t nworkers, next;
	json_t *lost;
	sigset_t signals; /* as they were */
	int signal_fd;
	time_t deaths[MOST_DEATHS];
	unsigned ndeaths;
	bool is_over, wants_inspector;
	int status;
};

static bool tell(struct monitor *monitor, json_t *message)
{
	return lines_send(&monitor->lines, message, NULL, 0);
}

/* ----------------------------------------------------------------- session */

/* Everything that would have to be started again. */
static json_t *kept(const struct monitor *monitor)
{
	json_t *list = json_array();

	for (uint32_t i = 0; i < monitor->nworkers; i++)
		if (monitor->workers[i].request)
			json_array_append(list, monitor->workers[i].request);
	/* what was lost and not asked for is not forgotten either */
	json_array_extend(list, monitor->lost);
	return list;
}

/* Written beside and renamed: the file is always whole. */
static void save_session(const struct monitor *monitor)
{
	const char *path = monitor->settings->session;
	struct text beside = { 0 };

	if (!path)
		return;
	text_printf(&beside, "%s.new", path);
	json_t *session = json_pack("{s:i, s:o}", "dtlive", 1,
				    "instrumentations", kept(monitor));
	int fd = open(text_str(&beside),
		      O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	bool is_written = fd >= 0 &&
			  !json_dumpfd(session, fd, JSON_INDENT(1)) &&
			  write(fd, "\n", 1) == 1;

	if (fd >= 0 && close(fd))
		is_written = false;
	if (!is_written || rename(text_str(&beside), path))
		fprintf(stderr, "dtlive: cannot write %s: %s\n", path,
			strerror(errno));
	json_decref(session);
	text_free(&beside);
}

static bool read_session(struct monitor *monitor)
{
	const char *path = monitor->settings->session;
	json_error_t error;

	if (!path || access(path, F_OK))
		return true;
	json_t *session = json_load_file(path, 0, &error);
	json_t *list = json_object_get(session, "instrumentations"), *request;
	size_t i;

	if (!json_is_array(list)) {
		fprintf(stderr, "dtlive: %s is not a session of dtlive%s%s\n",
			path, session ? "" : ": ", session ? "" : error.text);
		json_decref(session);
		return false;
	}
	json_array_foreach (list, i, request) {
		/* of another command line */
		if (json_object_get(request, "begin"))
			continue;
		json_array_append(monitor->lost, request);
	}
	json_decref(session);
	return true;
}

/* ---------------------------------------------------------------- children */

/* What every child does first.  False: the monitor is gone already. */
static bool be_child(const struct monitor *monitor, pid_t parent)
{
	sigprocmask(SIG_SETMASK, &monitor->signals, NULL);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	return getppid() == parent;
}

/*
 * Runs this program as `mode`, with these descriptors as 3 and 4; a wire of -1
 * is none.
 */
_Noreturn static void exec_mode(const struct monitor *monitor, pid_t parent,
				const char *mode, int wire, int talk)
{
	int null = open("/dev/null", O_RDWR);

	if (!be_child(monitor, parent))
		_exit(1);
	/* out of the way of the numbers that they will have */
	wire = fcntl(wire >= 0 ? wire : null, F_DUPFD, 10);
	talk = fcntl(talk, F_DUPFD, 10);
	dup2(null, 0);
	dup2(null, 1);
	if (dup2(wire, WORKER_WIRE) < 0 || dup2(talk, WORKER_TALK) < 0)
		_exit(1);
	close_range(WORKER_TALK + 1, ~0u, 0);
	execl("/proc/self/exe", "dtlive", mode, NULL);
	_exit(1);
}

static pid_t start_mode(struct monitor *monitor, const char *mode, int wire,
			int talk)
{
	pid_t parent = getpid(), pid = fork();

	if (!pid)
		exec_mode(monitor, parent, mode, wire, talk);
	return pid;
}

static void start_inspector(struct monitor *monitor)
{
	int talk[2];

	if (monitor->settings->replay_fd >= 0 || monitor->inspector > 0 ||
	    socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, talk))
		return;
	monitor->inspector = start_mode(monitor, "inspector", -1, talk[1]);
	close(talk[1]);
	if (monitor->inspector > 0)
		lines_send(&monitor->lines,
			   json_pack("{s:b}", "inspector", 1), talk, 1);
	else
		close(talk[0]);
}

/* The server may not see what it is told: it could say something before. */
static bool send_spec(int talk, json_t *spec)
{
	int size = SPEC_BUFFER;

	setsockopt(talk, SOL_SOCKET, SO_SNDBUFFORCE, &size, sizeof(size));
	char *text = json_dumps(spec, JSON_COMPACT);
	size_t n = text ? strlen(text) : 0;

	if (text)
		text[n] = '\n'; /* in place of the NUL */
	bool is_sent = text && send(talk, text, n + 1,
				    MSG_NOSIGNAL | MSG_DONTWAIT) ==
				       (ssize_t)(n + 1);

	free(text);
	return is_sent;
}

/* Which hosts are there: fleet/watcher.h. */
static void start_watcher(struct monitor *monitor)
{
	json_t *nats = monitor->settings->nats;
	int talk[2];

	if (!nats || monitor->watcher > 0 ||
	    socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, talk))
		return;
	json_t *spec = json_pack("{s:O}", "nats", nats);

	if (send_spec(talk[0], spec))
		monitor->watcher = start_mode(monitor, "watcher", -1, talk[1]);
	json_decref(spec);
	close(talk[1]);
	if (monitor->watcher > 0)
		lines_send(&monitor->lines, json_pack("{s:b}", "watcher", 1),
			   talk, 1);
	else
		close(talk[0]);
}

static void refuse(struct monitor *monitor, uint32_t n, const char *why)
{
	tell(monitor, json_pack("{s:i, s:s}", "ended", (int)n, "message", why));
}

static void add_worker(struct monitor *monitor, uint32_t n, pid_t pid,
		       json_t *request)
{
	monitor->workers = must_realloc(monitor->workers,
					(monitor->nworkers + 1) *
						sizeof(struct worker));
	monitor->workers[monitor->nworkers++] = (struct worker){
		.n = n,
		.pid = pid,
		.request = json_incref(request),
	};
	if (n >= monitor->next)
		monitor->next = n + 1;
	save_session(monitor);
}

static void start_worker(struct monitor *monitor, uint32_t n, json_t *message)
{
	json_t *request = json_object_get(message, "request");
	const char *why = "there are too many workers";
	json_t *spec = monitor->nworkers < MOST_WORKERS
			       ? spec_make(monitor->settings,
					   json_object_get(message, "spec"),
					   request, &why)
			       : NULL;
	int wire[2] = { -1, -1 }, talk[2] = { -1, -1 };

	if (!spec || !json_is_object(request)) {
		refuse(monitor, n, why);
		json_decref(spec);
		return;
	}
	bool is_ready = !pipe2(wire, O_CLOEXEC) &&
			!socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0,
				    talk) &&
			send_spec(talk[0], spec);
	const char *mode = monitor->settings->nats ? "head" : "worker";
	pid_t pid = is_ready ? start_mode(monitor, mode, wire[1], talk[1]) : -1;

	json_decref(spec);
	if (wire[1] >= 0)
		close(wire[1]);
	if (talk[1] >= 0)
		close(talk[1]);
	if (pid > 0) {
		const int fds[] = { wire[0], talk[0] };

		add_worker(monitor, n, pid, request);
		lines_send(&monitor->lines,
			   json_pack("{s:i}", "started", (int)n), fds, 2);
		return;
	}
	if (wire[0] >= 0)
		close(wire[0]);
	if (talk[0] >= 0)
		close(talk[0]);
	refuse(monitor, n, "no worker can be started");
}

static struct worker *find_worker(struct monitor *monitor, uint32_t n)
{
	for (uint32_t i = 0; i < monitor->nworkers; i++)
		if (monitor->workers[i].n == n)
			return &monitor->workers[i];
	return NULL;
}

/* It is not needed again; if it still runs, it stays until its end. */
static void forget_worker(struct monitor *monitor, struct worker *worker)
{
	json_decref(worker->request);
	worker->request = NULL;
	if (!worker->pid)
		*worker = monitor->workers[--monitor->nworkers];
	save_session(monitor);
}

/* ------------------------------------------------------ what the server asks */

static void take(struct monitor *monitor, json_t *message)
{
	const char *what = json_string_value(json_object_get(message, "do"));
	uint32_t n = (uint32_t)json_integer_value(
		json_object_get(message, "n"));
	struct worker *worker = find_worker(monitor, n);
	json_t *request = json_object_get(message, "request");

	if (!what)
		return;
	if (!strcmp(what, "start") && !worker) {
		start_worker(monitor, n, message);
	} else if (!strcmp(what, "forget") && worker) {
		forget_worker(monitor, worker);
	} else if (!strcmp(what, "kill") && worker) {
		if (worker->pid > 0)
			kill(worker->pid, SIGKILL);
		forget_worker(monitor, worker);
	} else if (!strcmp(what, "keep") && worker &&
		   json_is_object(request)) {
		json_decref(worker->request);
		worker->request = json_incref(request);
		save_session(monitor);
	} else if (!strcmp(what, "restored")) {
		json_array_clear(monitor->lost);
		save_session(monitor);
	} else if (!strcmp(what, "inspector")) {
		/* its end may be noticed there before it is here */
		monitor->wants_inspector = monitor->inspector > 0;
		if (monitor->wants_inspector)
			kill(monitor->inspector, SIGKILL);
		else
			start_inspector(monitor);
	}
}

static void listen_to_server(struct monitor *monitor)
{
	bool is_open = lines_read(&monitor->lines);
	json_t *message;

	while ((message = lines_next(&monitor->lines))) {
		take(monitor, message);
		json_decref(message);
	}
	/* it spoke nonsense, or is about to be gone */
	if (!is_open && monitor->server > 0)
		kill(monitor->server, SIGKILL);
}

/* ------------------------------------------------------------------ server */

static bool start_server(struct monitor *monitor)
{
	int pair[2];
	pid_t parent = getpid();
	json_t *begin;
	size_t i;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair))
		return false;
	monitor->server = fork();
	if (!monitor->server) {
		close(pair[0]);
		close(monitor->signal_fd);
		if (!be_child(monitor, parent))
			_exit(1);
		/* a signal of the terminal is for the monitor */
		setpgid(0, 0);
		settings_forget(monitor->settings);
		server_run(monitor->settings, pair[1]);
	}
	close(pair[1]);
	if (monitor->server < 0)
		return false;
	lines_open(&monitor->lines, pair[0]);
	tell(monitor, json_pack("{s:i}", "next", (int)monitor->next));
	tell(monitor, json_pack("{s:O}", "lost", monitor->lost));
	start_inspector(monitor);
	start_watcher(monitor);
	json_array_foreach (monitor->settings->begin, i, begin)
		if (!monitor->ndeaths)
			tell(monitor, json_pack("{s:O}", "begin", begin));
	return true;
}

static void end_workers(struct monitor *monitor)
{
	for (uint32_t i = 0; i < monitor->nworkers; i++)
		if (monitor->workers[i].pid > 0)
			kill(monitor->workers[i].pid, SIGKILL);
	if (monitor->inspector > 0)
		kill(monitor->inspector, SIGKILL);
	monitor->inspector = 0;
	if (monitor->watcher > 0)
		kill(monitor->watcher, SIGKILL);
	monitor->watcher = 0;
}

/* What ran is lost until somebody asks for it. */
static void lose_workers(struct monitor *monitor)
{
	end_workers(monitor);
	for (uint32_t i = 0; i < monitor->nworkers; i++)
		if (monitor->workers[i].request)
			json_array_append_new(monitor->lost,
					      monitor->workers[i].request);
	monitor->nworkers = 0;
	save_session(monitor);
}

static void server_died(struct monitor *monitor, int status)
{
	time_t now = time(NULL);
	time_t *oldest = &monitor->deaths[monitor->ndeaths % MOST_DEATHS];

	monitor->server = 0;
	lines_close(&monitor->lines);
	if (WIFEXITED(status) && WEXITSTATUS(status) == SERVER_BROKEN) {
		monitor->is_over = true; /* it has said why */
		monitor->status = EXIT_FAILURE;
		return;
	}
	lose_workers(monitor);
	if (monitor->ndeaths >= MOST_DEATHS && now < *oldest + DEATH_TIME) {
		fputs("dtlive: the server dies again and again: giving up\n",
		      stderr);
		monitor->is_over = true;
		monitor->status = EXIT_FAILURE;
		return;
	}
	*oldest = now;
	monitor->ndeaths++;
	if (WIFSIGNALED(status))
		fprintf(stderr, "dtlive: the server was killed by SIG%s: it is started again\n",
			sigabbrev_np(WTERMSIG(status)));
	else
		fprintf(stderr, "dtlive: the server ended (status %d): it is started again\n",
			WEXITSTATUS(status));
	if (!start_server(monitor))
		monitor->is_over = true;
}

/* -------------------------------------------------------------------- end */

static void child_died(struct monitor *monitor, pid_t pid, int status)
{
	if (pid == monitor->server) {
		server_died(monitor, status);
		return;
	}
	if (pid == monitor->inspector) {
		/* the server will notice, and ask for another one */
		monitor->inspector = 0;
		if (monitor->wants_inspector)
			start_inspector(monitor);
		monitor->wants_inspector = false;
		return;
	}
	if (pid == monitor->watcher) {
		monitor->watcher = 0;
		start_watcher(monitor);
		return;
	}
	for (uint32_t i = 0; i < monitor->nworkers; i++) {
		struct worker *worker = &monitor->workers[i];

		if (worker->pid != pid)
			continue;
		tell(monitor,
		     json_pack("{s:i, s:i}", "ended", (int)worker->n, "signal",
			       WIFSIGNALED(status) ? WTERMSIG(status) : 0));
		worker->pid = 0;
		if (!worker->request)
			*worker = monitor->workers[--monitor->nworkers];
		return;
	}
}

static void take_signals(struct monitor *monitor)
{
	struct signalfd_siginfo info;
	int status;
	pid_t pid;

	while (read(monitor->signal_fd, &info, sizeof(info)) == sizeof(info))
		monitor->is_over |= info.ssi_signo != SIGCHLD;
	while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
		child_died(monitor, pid, status);
}

static void loop(struct monitor *monitor)
{
	while (!monitor->is_over) {
		struct pollfd waits[] = {
			{ .fd = monitor->signal_fd, .events = POLLIN },
			{ .fd = monitor->lines.fd,
			  .events = (short)(POLLIN |
					    (monitor->lines.out ? POLLOUT
								: 0)) },
		};

		if (poll(waits, 2, -1) < 0 && errno != EINTR)
			break;
		if (waits[0].revents)
			take_signals(monitor);
		if (waits[1].revents & POLLOUT)
			lines_flush(&monitor->lines);
		if (waits[1].revents & ~POLLOUT && monitor->lines.fd >= 0)
			listen_to_server(monitor);
	}
}

/* Heads see their sockets closed, and tell their hosts to stop. */
static void wait_for_heads(void)
{
	pid_t pid = 0;

	for (int i = 0; i < HEAD_TIME / 20 && pid >= 0; i++) {
		pid = waitpid(-1, NULL, WNOHANG);
		if (!pid)
			usleep(20000);
	}
}

static void end(struct monitor *monitor)
{
	/* workers get their sockets closed, and clean up */
	if (monitor->server > 0)
		kill(monitor->server, SIGKILL);
	if (monitor->settings->nats) {
		if (monitor->inspector > 0)
			kill(monitor->inspector, SIGKILL);
		wait_for_heads();
	}
	end_workers(monitor);
	while (waitpid(-1, NULL, 0) > 0)
		;
	lines_close(&monitor->lines);
}

int monitor_run(struct settings *settings)
{
	struct monitor monitor = {
		.settings = settings,
		.lost = json_array(),
		.lines.fd = -1,
		.next = 1,
	};
	sigset_t handled;

	sigemptyset(&handled);
	sigaddset(&handled, SIGCHLD);
	sigaddset(&handled, SIGINT);
	sigaddset(&handled, SIGTERM);
	sigaddset(&handled, SIGHUP);
	sigprocmask(SIG_BLOCK, &handled, &monitor.signals);
	signal(SIGPIPE, SIG_IGN);
	monitor.signal_fd = signalfd(-1, &handled, SFD_CLOEXEC | SFD_NONBLOCK);
	if (monitor.signal_fd < 0 || !read_session(&monitor) || !start_server(&monitor)) {
		fputs("dtlive: cannot start\n", stderr);
		return EXIT_FAILURE;
	}
	loop(&monitor);
	end(&monitor);
	return monitor.status;
}
