/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dtsimulate: a fleet in one process, to see what heads and servers can bear.
 *
 * The hosts are made up (fleet/synthetic.h), their messages are not: they come
 * from the agents' own publisher, and go to a real server.  A real head, in a
 * process of its own, merges them.  What it writes is read back and compared
 * with what was counted, second by second; nothing may be missing.
 *
 *	dtsimulate --nats URL --hosts 1000 --seconds 30 [--server-pid PID]
 *		--away 10-20	a third of the hosts is gone in these seconds
 *		--kill-head 15	the head is killed then, and another takes over
 *
 * It prints one line of numbers, and exits with 1 if a column is not complete.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agg/agg.h"
#include "base/arena.h"
#include "base/clock.h"
#include "facts/recording.h"
#include "fleet/bus.h"
#include "fleet/command.h"
#include "fleet/head.h"
#include "fleet/publish.h"
#include "fleet/synthetic.h"
#include "live/lines.h"
#include "live/worker.h"

static const uint64_t SECOND = 1000000000;
enum {
	MOST_SECONDS = 7200,
	NKEYS = 40,
	UPDATES = 55,
	ANNOUNCE = 4,
	SPREAD = 300 /* ms in which hosts report */
};
enum tags { TAG_REQUEST = BUS_OWN };

struct host {
	char name[24];
	struct publisher *publisher;
	struct sink *sink;
	bool is_enabled, is_away;
	uint64_t born, told, announced; /* told: the last second */
};

/* What was counted in a second, by aggregation. */
struct counted {
	uint64_t updates[SYNTHETIC_AGGS];
	uint64_t sums; /* of sum() */
	uint32_t hosts;
};

struct simulation {
	struct bus_options bus_options;
	int nhosts, seconds, kill_head, server_pid;
	const char *away;
	int away_from, away_to;
	struct bus *bus;
	struct host *hosts;
	struct synthetic program;
	uint64_t first; /* second */
	struct counted *truth, *seen;
	uint64_t *shown_at; /* wall clock, by second: complete then */
	uint64_t sent, bytes;
	/* the head */
	pid_t head;
	int wire;
	struct lines talk;
	struct replay *replay;
	struct recording recording;
	struct options options;
	struct sink sink;
	uint64_t head_ns, head_ns_before, head_since;
	double head_share; /* the largest of any head */
	uint32_t reporting;
	bool is_ended, has_killed;
	char host_now[24]; /* that is publishing */
};

/* ------------------------------------------------------------- the hosts */

static void send_message(void *context, const void *bytes, size_t n)
{
	struct simulation *sim = context;
	char subject[100];

	snprintf(subject, sizeof(subject), "dt.1.agg.sim.%s", sim->host_now);
	bus_keep(sim->bus, subject, bytes, n);
	sim->sent++;
	sim->bytes += n;
}

static void enable(struct simulation *sim, struct host *host)
{
	if (host->is_enabled)
		return;
	if (host->publisher)
		publisher_free(host->publisher);
	host->publisher = publisher_new(&(struct publish_setup){
		.host = host->name,
		.instrumentation = "sim",
		.run = clock_wall(),
		.send = send_message,
		.context = sim,
	});
	host->sink = publisher_sink(host->publisher, &sim->program.resolver);
	host->is_enabled = true;
	host->told = clock_wall() / SECOND;
}

static void answer(struct simulation *sim, const struct host *host)
{
	char subject[100];

	snprintf(subject, sizeof(subject), "dt.1.hb.sim.%s", host->name);
	bus_say_json(sim->bus, subject, NULL,
		     json_pack("{s:s, s:s, s:I, s:I}", "event", "answer",
			       "host", host->name, "now",
			       (json_int_t)clock_wall(), "born",
			       (json_int_t)host->born));
}

static void take_request(struct simulation *sim, struct bus_message *message)
{
	json_t *request = json_loadb(message->data, message->n, 0, NULL);
	const char *what = json_string_value(json_object_get(request, "do"));
	char *to = bus_word_of(message->subject, 4);

	for (int i = 0; what && i < sim->nhosts; i++) {
		struct host *host = &sim->hosts[i];

		if (host->is_away ||
		    (strcmp(to, "all") != 0 && strcmp(to, host->name) != 0))
			continue;
		if (!strcmp(what, "enable"))
			enable(sim, host);
		else if (!strcmp(what, "define") && host->publisher)
			publisher_repeat_stacks(host->publisher);
		if (json_is_true(json_object_get(request, "answer")))
			answer(sim, host);
	}
	free(to);
	json_decref(request);
}

static void announce(struct simulation *sim, struct host *host)
{
	json_t *hello =
		json_pack("{s:s, s:I, s:I, s:{s:s, s:s}, s:s, s:s, s:[]}",
			  "host", host->name, "now", (json_int_t)clock_wall(),
			  "born", (json_int_t)host->born, "labels", "host",
			  host->name, "role", "simulated", "kernel", "6.0",
			  "version", "0", "instrumentations");

	if (host->is_enabled)
		json_array_append_new(json_object_get(hello,
						      "instrumentations"),
				      json_string("sim"));
	char *text = json_dumps(hello, JSON_COMPACT);

	bus_put(sim->bus, BUS_HOSTS, host->name, text, strlen(text));
	free(text);
	json_decref(hello);
	host->announced = clock_monotonic();
}

/* A second of a host: some programs did something, some did not. */
static void count_second(struct simulation *sim, struct host *host,
			 uint64_t second)
{
	struct synthetic *program = &sim->program;
	struct counted *truth = &sim->truth[second - sim->first];

	for (uint32_t agg = 0; agg < program->naggs; agg++)
		for (int i = 0; i < UPDATES; i++) {
			uint32_t key = (uint32_t)(synthetic_random(program) %
						  NKEYS);
			int64_t value = synthetic_value(program);

			synthetic_count(program, agg, key, value);
			truth->updates[agg]++;
			if (!strcmp(program->aggs[agg].function, "sum"))
				truth->sums += (uint64_t)value;
		}
	truth->hosts++;
	snprintf(sim->host_now, sizeof(sim->host_now), "%s", host->name);
	synthetic_take(program, second, host->sink);
	publisher_status(host->publisher,
			 (uint64_t[STATUS_COUNT]){ UPDATES * 9 });
	publisher_flush(host->publisher, (second + 1) * SECOND, 1);
}

/* Those whose turn it is in this part of the second. */
static void report(struct simulation *sim, bool is_over)
{
	uint64_t now = clock_wall(), second = now / SECOND;
	uint64_t into = now % SECOND / 1000000;

	for (int i = 0; i < sim->nhosts; i++) {
		struct host *host = &sim->hosts[i];
		uint64_t turn = (uint64_t)i * SPREAD / (uint64_t)sim->nhosts;

		if (host->is_away)
			continue;
		if (clock_monotonic() - host->announced > ANNOUNCE * SECOND)
			announce(sim, host);
		if (is_over || !host->is_enabled || host->told >= second ||
		    into < turn || second - sim->first >= MOST_SECONDS)
			continue;
		/* what it was too slow for is not lost */
		for (uint64_t s = host->told; s < second; s++)
			count_second(sim, host, s);
		host->told = second;
	}
}

/* Every third host goes, and comes back as another life of its agent. */
static void change_hosts(struct simulation *sim, uint64_t second)
{
	uint64_t at = second - sim->first;
	bool is_away = sim->away && at >= (uint64_t)sim->away_from &&
		       at < (uint64_t)sim->away_to;

	for (int i = 0; i < sim->nhosts; i += 3) {
		struct host *host = &sim->hosts[i];

		if (host->is_away == is_away)
			continue;
		host->is_away = is_away;
		host->is_enabled = false;
		host->born = clock_wall();
		host->announced = 0;
	}
}

/* -------------------------------------------------------------- the head */

static uint64_t updates_of(const struct schema_aggregation *aggregation,
			   const int64_t *values)
{
	return aggregation->aggregate->count
		       ? aggregation->aggregate->count(values,
						       aggregation->nvalues)
		       : 0;
}

static bool is_complete(const struct simulation *sim, uint64_t at)
{
	const struct counted *truth = &sim->truth[at], *seen = &sim->seen[at];

	if (truth->sums != seen->sums)
		return false;
	for (uint32_t agg = 0; agg < sim->program.naggs; agg++)
		if (sim->program.aggs[agg].aggregate->count &&
		    truth->updates[agg] != seen->updates[agg])
			return false;
	return true;
}

static bool check_snapshot(struct sink *sink,
			   const struct fact_snapshot *snapshot)
{
	struct simulation *sim =
		(struct simulation *)((char *)sink -
				      offsetof(struct simulation, sink));
	const struct fact_table *table = snapshot->table;
	const struct schema_aggregation *aggregation = table->aggregations[0];
	uint64_t at = snapshot->second - sim->first;

	if (snapshot->second < sim->first || at >= MOST_SECONDS)
		return true;
	uint32_t agg = 0;

	while (agg < sim->program.naggs &&
	       strcmp(sim->program.aggs[agg].function, aggregation->function) !=
		       0)
		agg++;
	for (uint32_t i = 0; i < table->nrows; i++) {
		struct fact_row row;

		table->row(table, i, &row);
		sim->seen[at].updates[agg] += updates_of(aggregation,
							 row.values[0]);
		if (!strcmp(aggregation->function, "sum"))
			sim->seen[at].sums += (uint64_t)row.values[0][0];
	}
	sim->shown_at[at] = clock_wall();
	return true;
}

static void keep_sink(struct sink *sink)
{
	(void)sink;
}

static const struct sink_class check_class = {
	.snapshot = check_snapshot,
	.close = keep_sink,
};

static struct sink *open_sink(void *context, const struct resolver *resolver,
			      uint32_t target)
{
	struct simulation *sim = context;

	(void)resolver;
	(void)target;
	return &sim->sink;
}

static void start_head(struct simulation *sim)
{
	int wire[2], talk[2];
	json_t *spec = json_pack("{s:{s:s, s:s?, s:s?, s:i}, s:s, s:s, s:s}",
				 "nats", "url", sim->bus_options.url, "user",
				 sim->bus_options.user, "password",
				 sim->bus_options.password, "replicas",
				 sim->bus_options.replicas, "hosts",
				 "role=simulated", "program", "simulated", "id",
				 "sim");

	if (pipe2(wire, O_CLOEXEC) ||
	    socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, talk))
		exit(1);
	fcntl(wire[0], F_SETFL, O_NONBLOCK);
	sim->head = fork();
	if (!sim->head) {
		char *const argv[] = { "dtsimulate", "head", NULL };
		int high_wire = fcntl(wire[1], F_DUPFD, 10);
		int high_talk = fcntl(talk[1], F_DUPFD, 10);

		dup2(high_wire, WORKER_WIRE);
		dup2(high_talk, WORKER_TALK);
		execv("/proc/self/exe", argv);
		_exit(127);
	}
	close(wire[1]);
	close(talk[1]);
	sim->wire = wire[0];
	lines_open(&sim->talk, talk[0]);
	lines_send(&sim->talk, spec, NULL, 0);
	sim->recording = (struct recording){
		.aggregate = agg_find,
		.options = &sim->options,
		.open = open_sink,
		.context = sim,
	};
	sim->replay = replay_new(&sim->recording);
	memset(sim->seen, 0, MOST_SECONDS * sizeof(*sim->seen));
	sim->head_ns = sim->head_ns_before = 0;
	sim->head_since = 0;
}

static void end_head(struct simulation *sim)
{
	kill(sim->head, SIGKILL);
	waitpid(sim->head, NULL, 0);
	close(sim->wire);
	lines_close(&sim->talk);
	replay_free(sim->replay);
}

/* The share of a core, after the start, which is another matter. */
static void take_status(struct simulation *sim, json_t *line)
{
	uint64_t now = clock_monotonic();

	sim->head_ns = (uint64_t)json_integer_value(json_object_get(line,
								    "head_ns"));
	sim->reporting = (uint32_t)json_integer_value(
		json_object_get(json_object_get(line, "sources"), "reporting"));
	if (!sim->head_since && sim->reporting) {
		sim->head_since = now;
		sim->head_ns_before = sim->head_ns;
	}
}

static void read_head(struct simulation *sim)
{
	char bytes[1 << 16];
	json_t *line;
	ssize_t n;

	while ((n = read(sim->wire, bytes, sizeof(bytes))) > 0)
		if (replay_feed(sim->replay, bytes, (size_t)n) ==
		    RECORDING_BAD) {
			fprintf(stderr, "dtsimulate: %s\n",
				sim->recording.problem);
			exit(1);
		}
	lines_flush(&sim->talk);
	if (!lines_read(&sim->talk))
		sim->is_ended = true;
	while ((line = lines_next(&sim->talk))) {
		const char *event = json_string_value(json_object_get(line,
								      "event"));

		if (event && !strcmp(event, "status"))
			take_status(sim, line);
		if (event &&
		    (!strcmp(event, "error") || !strcmp(event, "message"))) {
			char *text = json_dumps(line, JSON_COMPACT);

			fprintf(stderr, "%s\n", text);
			free(text);
		}
		if (event && !strcmp(event, "ended"))
			sim->is_ended = true;
		json_decref(line);
	}
}

/* ---------------------------------------------------------------- report */

static double cpu_of(int pid)
{
	char path[64];
	unsigned long long user = 0, system = 0;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	FILE *file = fopen(path, "re");

	if (file &&
	    fscanf(file,
		   "%*d (%*[^)]) %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu",
		   &user, &system) != 2)
		user = system = 0;
	if (file)
		fclose(file);
	return (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
}

static int judge(const struct simulation *sim, double server_share,
		 uint64_t last)
{
	struct bus_counts counts;
	uint64_t ncomplete = 0, ncolumns = 0, worst = 0, sum = 0, ntimed = 0;
	uint64_t nhosts = 0;

	bus_count(sim->bus, &counts);
	for (uint64_t at = 0; at < last; at++) {
		if (!sim->truth[at].hosts)
			continue;
		ncolumns++;
		nhosts += sim->truth[at].hosts;
		if (is_complete(sim, at))
			ncomplete++;
		else
			fprintf(stderr,
				"second %llu: not complete (%u hosts; %llu of %llu updates)\n",
				(unsigned long long)at, sim->truth[at].hosts,
				(unsigned long long)sim->seen[at].updates[0],
				(unsigned long long)sim->truth[at].updates[0]);
		uint64_t due = (sim->first + at + 1) * SECOND;

		/* another head shows the past again, later */
		if (sim->has_killed || sim->shown_at[at] < due)
			continue;
		uint64_t delay = (sim->shown_at[at] - due) / 1000000;

		worst = delay > worst ? delay : worst;
		sum += delay;
		ntimed++;
	}
	double share = (double)(sim->head_ns - sim->head_ns_before) /
		       (double)(clock_monotonic() - sim->head_since);

	printf("hosts %d columns %llu complete %llu messages %llu bytes/message %llu again %llu given-up %llu delay-ms mean %llu worst %llu head-cpu %.1f%% server-cpu %.1f%%\n",
	       sim->nhosts, (unsigned long long)ncolumns,
	       (unsigned long long)ncomplete, (unsigned long long)sim->sent,
	       (unsigned long long)(sim->bytes / (sim->sent ? sim->sent : 1)),
	       (unsigned long long)counts.again,
	       (unsigned long long)counts.given_up,
	       (unsigned long long)(ntimed ? sum / ntimed : 0),
	       (unsigned long long)worst, share * 100, server_share * 100);
	return ncomplete == ncolumns && ncolumns && !counts.given_up ? 0 : 1;
}

/* -------------------------------------------------------------- the loop */

static int simulate(struct simulation *sim)
{
	uint64_t start = clock_monotonic(), now, measured = 0;
	uint64_t until = start + (uint64_t)sim->seconds * SECOND, last = 0;
	double server_before = 0, server_share = 0;
	bool is_told = false;

	sim->first = clock_wall() / SECOND;
	bus_listen(sim->bus, "dt.1.ctl.*.*", TAG_REQUEST);
	for (int i = 0; i < sim->nhosts; i++)
		announce(sim, &sim->hosts[i]);
	start_head(sim);
	while (!sim->is_ended && clock_monotonic() < until + 15 * SECOND) {
		struct pollfd waits[] = {
			{ .fd = bus_fd(sim->bus), .events = POLLIN },
			{ .fd = sim->wire, .events = POLLIN },
			{ .fd = sim->talk.fd, .events = POLLIN },
		};
		struct bus_message *message;

		poll(waits, 3, 10);
		while ((message = bus_take(sim->bus))) {
			if (message->tag == TAG_REQUEST)
				take_request(sim, message);
			bus_message_free(message);
		}
		now = clock_monotonic();
		change_hosts(sim, clock_wall() / SECOND);
		report(sim, now > until);
		read_head(sim);
		bus_tick(sim->bus);
		if (!measured && sim->reporting == (uint32_t)sim->nhosts) {
			measured = now;
			server_before = cpu_of(sim->server_pid);
		}
		if (sim->kill_head && !sim->has_killed &&
		    now - start > (uint64_t)sim->kill_head * SECOND) {
			end_head(sim);
			sim->has_killed = true;
			start_head(sim);
		}
		if (now > until && !last) {
			last = clock_wall() / SECOND - sim->first + 1;
			server_share = (cpu_of(sim->server_pid) -
					server_before) *
				       1e9 / (double)(now - measured);
		}
		if (now > until + 5 * SECOND && !is_told) {
			is_told = true;
			lines_send(&sim->talk, json_pack("{s:s}", "do", "stop"),
				   NULL, 0);
		}
	}
	read_head(sim);
	int status = judge(sim, server_share, last);

	end_head(sim);
	return status;
}

static const struct command_option options[] = {
	COMMAND_NATS(struct simulation, bus_options),
	COMMAND(struct simulation, nhosts, NUMBER, "hosts", "N", "how many"),
	COMMAND(struct simulation, seconds, NUMBER, "seconds", "N",
		"for how long"),
	COMMAND(struct simulation, away, TEXT, "away", "FROM-TO",
		"seconds in which a third of the hosts is gone"),
	COMMAND(struct simulation, kill_head, NUMBER, "kill-head", "SECOND",
		"then another head takes over"),
	COMMAND(struct simulation, server_pid, NUMBER, "server-pid", "PID",
		"whose CPU time to measure"),
	{ 0 },
};

int main(int argc, char **argv)
{
	struct simulation sim = { .nhosts = 100, .seconds = 10 };
	char problem[BUS_PROBLEM];

	if (argc > 1 && !strcmp(argv[1], "head"))
		return head_main();
	int status = command_read("simulate", options, &sim, argc, argv, NULL);

	if (status)
		return status < 0 ? 0 : status;
	if (sim.away &&
	    sscanf(sim.away, "%d-%d", &sim.away_from, &sim.away_to) != 2)
		return 2;
	signal(SIGPIPE, SIG_IGN);
	sim.bus_options.name = "dtsimulate";
	sim.bus = sim.bus_options.url ? bus_connect(&sim.bus_options, problem)
				      : NULL;
	if (!sim.bus || !bus_prepare(sim.bus, problem)) {
		fprintf(stderr, "dtsimulate: %s\n",
			sim.bus_options.url ? problem : "--nats URL?");
		return 1;
	}
	sim.hosts = must_alloc((size_t)sim.nhosts * sizeof(*sim.hosts));
	sim.truth = must_alloc(MOST_SECONDS * sizeof(*sim.truth));
	sim.seen = must_alloc(MOST_SECONDS * sizeof(*sim.seen));
	sim.shown_at = must_alloc(MOST_SECONDS * sizeof(*sim.shown_at));
	sim.sink.class = &check_class;
	options_init(&sim.options);
	synthetic_init(&sim.program, 42, NKEYS);
	for (int i = 0; i < sim.nhosts; i++) {
		snprintf(sim.hosts[i].name, sizeof(sim.hosts[i].name), "sim%d",
			 i);
		sim.hosts[i].born = clock_wall();
	}
	status = simulate(&sim);
	for (int i = 0; i < sim.nhosts; i++)
		if (sim.hosts[i].publisher)
			publisher_free(sim.hosts[i].publisher);
	bus_close(sim.bus);
	synthetic_free(&sim.program);
	options_free(&sim.options);
	free(sim.hosts);
	free(sim.truth);
	free(sim.seen);
	free(sim.shown_at);
	return status;
}
