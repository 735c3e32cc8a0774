/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dtlive(8): any D program, or a metric from a list, as a live page.
 *
 * One program is all of its processes.  People start the monitor, which starts
 * the others: it forks the server, and executes itself as workers and inspector.
 * For a fleet it starts heads instead of workers, and a watcher of hosts.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fleet/agent.h"
#include "fleet/head.h"
#include "fleet/watcher.h"
#include "live/listen.h"
#include "live/metric.h"
#include "live/monitor.h"
#include "live/worker.h"

static int be_worker(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	return worker_main();
}

static int be_inspector(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	return inspector_main();
}

static int be_head(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	return head_main();
}

static int be_watcher(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	return watcher_main();
}

/* What the first word can be; without one of these it is a server. */
static const struct {
	const char *name;
	int (*run)(int argc, char **argv);
} modes[] = {
	{ "worker", be_worker },
	{ "watcher", be_watcher },
	{ "inspector", be_inspector },
	{ "metrics", metric_command },
	{ "program", metric_command },
	{ "agent", agent_main },
	{ "head", be_head },
	{ "run", run_main },
};

/* Files that the server will use, which itself cannot open any. */
static bool open_files(struct settings *settings)
{
	if (settings->replay) {
		settings->replay_fd = open(settings->replay,
					   O_RDONLY | O_CLOEXEC);
		if (settings->replay_fd < 0) {
			fprintf(stderr, "dtlive: cannot read %s: %s\n",
				settings->replay, strerror(errno));
			return false;
		}
	}
	if (settings->record) {
		settings->record_fd = open(settings->record,
					   O_WRONLY | O_CREAT | O_TRUNC |
						   O_CLOEXEC,
					   0600);
		if (settings->record_fd < 0) {
			fprintf(stderr, "dtlive: cannot write %s: %s\n",
				settings->record, strerror(errno));
			return false;
		}
	}
	return true;
}

static void print_url(const struct settings *settings)
{
	const char *scheme = settings->tls_cert ? "https" : "http";

	if (settings->is_loopback || !settings->client_ca)
		printf("%s://%s/?token=%s\n", scheme, settings->address,
		       settings->token);
	else
		printf("%s://%s/\n", scheme, settings->address);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	struct settings settings;
	bool is_done;

	for (unsigned i = 0; argc > 1 && i < sizeof(modes) / sizeof(*modes);
	     i++)
		if (!strcmp(argv[1], modes[i].name))
			return modes[i].run(argc - 1, argv + 1);
	int status = settings_read(&settings, argc, argv, &is_done);

	if (is_done)
		return status;
	if (geteuid() && !settings.replay && !settings.nats) {
		fputs("dtlive: tracing needs root (or show a recording with --replay, or other hosts with --nats)\n",
		      stderr);
		return EXIT_FAILURE;
	}
	if (!open_files(&settings) || !listen_open(&settings))
		return EXIT_FAILURE;
	print_url(&settings);
	return monitor_run(&settings);
}
