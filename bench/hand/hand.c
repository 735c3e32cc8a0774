/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The yardstick: the least a tracer can do, with libbpf in its ordinary form
 * (open an object file, load it, attach, read, leave).
 *
 *	hand begin OBJECT		run a program once, print what it recorded
 *	hand arm OBJECT			attach everything, leave
 *	hand trace OBJECT [PID FILE [OFFSET]]
 *					attach everything, print "armed", wait for
 *					SIGINT, print the sum of the map `counts`
 *	hand print OBJECT PID		attach, print "armed" and every event of that
 *					process until SIGINT, then what was lost
 *
 * User probes go to bench_function, USDT probes to bench:call, of that process.
 * A program `leave` goes to that offset in the function.
 */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "records.h"

enum { MOST_PROGRAMS = 4 };

static int print(void *context, void *data, size_t size)
{
	(void)context;
	(void)size;
	puts(data);
	return 0;
}

static int begin(struct bpf_object *object)
{
	struct bpf_program *program = bpf_object__next_program(object, NULL);
	struct ring_buffer *ring = ring_buffer__new(
		bpf_object__find_map_fd_by_name(object, "records"), print,
		NULL, NULL);
	LIBBPF_OPTS(bpf_test_run_opts, options);

	if (!ring || bpf_prog_test_run_opts(bpf_program__fd(program), &options))
		return 1;
	ring_buffer__consume(ring);
	ring_buffer__free(ring);
	return 0;
}

static struct bpf_link *attach(struct bpf_program *program, int pid,
			       const char *file, size_t end)
{
	const char *section = bpf_program__section_name(program);
	LIBBPF_OPTS(bpf_uprobe_opts, options, .func_name = "bench_function",
		    .retprobe = !strcmp(section, "uretprobe"));

	if (!strcmp(section, "usdt"))
		return bpf_program__attach_usdt(program, pid, file, "bench",
						"call", NULL);
	if (strcmp(bpf_program__name(program), "leave"))
		end = 0;
	if (!strcmp(section, "uprobe") || !strcmp(section, "uretprobe"))
		return bpf_program__attach_uprobe_opts(program, pid, file, end,
						       &options);
	return bpf_program__attach(program);
}

/* Over all keys and CPUs. */
static unsigned long long total(struct bpf_object *object)
{
	struct bpf_map *map = bpf_object__find_map_by_name(object, "counts");
	int fd = bpf_map__fd(map), ncpus = libbpf_num_possible_cpus();
	void *key = calloc(1, bpf_map__key_size(map)), *previous = NULL;
	unsigned long long *values = calloc((size_t)ncpus, sizeof(*values));
	unsigned long long sum = 0;

	while (!bpf_map_get_next_key(fd, previous, key)) {
		previous = key;
		if (!bpf_map_lookup_elem(fd, key, values))
			for (int i = 0; i < ncpus; i++)
				sum += values[i];
	}
	free(key);
	free(values);
	return sum;
}

static int arm(struct bpf_object *object, int pid, const char *file,
	       size_t end, int is_to_wait)
{
	struct bpf_link *links[MOST_PROGRAMS];
	struct bpf_program *program;
	sigset_t set;
	int n = 0, number;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigprocmask(SIG_BLOCK, &set, NULL);
	bpf_object__for_each_program(program, object) {
		links[n] = attach(program, pid, file, end);
		if (!links[n++])
			return 1;
	}
	if (is_to_wait) {
		puts("armed");
		fflush(stdout);
		sigwait(&set, &number);
	}
	while (n)
		bpf_link__destroy(links[--n]);
	if (is_to_wait)
		printf("total %llu\n", total(object));
	return 0;
}

/* ----------------------------------------------------------------- print */

static volatile sig_atomic_t is_over;

static void on_signal(int number)
{
	(void)number;
	is_over = 1;
}

static int print_event(void *context, void *data, size_t size)
{
	const struct event *event = data;

	(void)context;
	(void)size;
	printf("event %u %u %s %llu %lld\n", event->pid, event->tid,
	       event->comm, event->time, event->argument);
	return 0;
}

/* Looks every 2 ms, so that programs need not wake it up. */
static int print_events(struct bpf_object *object)
{
	struct bpf_link *link = bpf_program__attach(
		bpf_object__next_program(object, NULL));
	struct ring_buffer *ring = ring_buffer__new(
		bpf_object__find_map_fd_by_name(object, "events"),
		print_event, NULL, NULL);

	if (!link || !ring)
		return 1;
	signal(SIGINT, on_signal);
	puts("armed");
	while (!is_over) {
		ring_buffer__consume(ring);
		fflush(stdout);
		usleep(2000);
	}
	bpf_link__destroy(link);
	ring_buffer__consume(ring);
	printf("lost %llu\n", total(object));
	ring_buffer__free(ring);
	return 0;
}

/* The programs' constants, before they are loaded. */
static int open_for(struct bpf_object *object, const char *pid)
{
	struct bpf_map *map;

	bpf_object__for_each_map(map, object) {
		unsigned int wanted = (unsigned int)atoi(pid);

		if (strstr(bpf_map__name(map), ".rodata"))
			bpf_map__set_initial_value(map, &wanted,
						   sizeof(wanted));
	}
	return bpf_object__load(object);
}

int main(int argc, char **argv)
{
	if (argc < 3)
		return 2;
	struct bpf_object *object = bpf_object__open(argv[2]);

	if (object && argc == 4 && !strcmp(argv[1], "print"))
		return open_for(object, argv[3]) || print_events(object);
	if (!object || bpf_object__load(object))
		return 1;
	int status = !strcmp(argv[1], "begin") ? begin(object) :
		     arm(object, argc > 4 ? atoi(argv[3]) : -1,
			 argc > 4 ? argv[4] : NULL,
			 argc > 5 ? strtoul(argv[5], NULL, 0) : 0,
			 !strcmp(argv[1], "trace"));

	bpf_object__close(object);
	return status;
}
