/* SPDX-License-Identifier: Apache-2.0 */
/*
 * intrstat(8): which interrupts the CPUs handle, and how long they take.
 *
 * Handlers of devices, and the kernel's software interrupts, are timed from
 * entry to exit on their CPU.  A handler can be interrupted by another one;
 * its time includes that.  The program only ever adds up; a table shows what
 * was added since the last one.
 */
#include "cmd/tool.h"

#include <getopt.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
	NAME_SIZE = 64, MOST_CPUS = 4096, CPUS_PER_TABLE = 4,
	NAME_WIDTH = 12,	/* at least: longer names widen the column */
};

static const char program[] =
	"rawtp:irq::irq_handler_entry { began[0, args[0], cpu] = timestamp; }\n"
	"rawtp:irq::irq_handler_exit /began[0, args[0], cpu]/\n"
	"{ @n[stringof(args[1]->name), args[0], cpu] = count();\n"
	"  @t[stringof(args[1]->name), args[0], cpu] = sum(timestamp - began[0, args[0], cpu]);\n"
	"  began[0, args[0], cpu] = 0; }\n"
	"rawtp:irq::softirq_entry { began[1, (int)args[0], cpu] = timestamp; }\n"
	"rawtp:irq::softirq_exit /began[1, (int)args[0], cpu]/\n"
	"{ @n[\"softirq\", (int)args[0], cpu] = count();\n"
	"  @t[\"softirq\", (int)args[0], cpu] = sum(timestamp - began[1, (int)args[0], cpu]);\n"
	"  began[1, (int)args[0], cpu] = 0; }\n";

static const char *const softirqs[] = {
	"hi", "timer", "net_tx", "net_rx", "block", "irq_poll", "tasklet",
	"sched", "hrtimer", "rcu",
};

/* One interrupt on one CPU: since the beginning, and until the last table. */
struct cell {
	char name[NAME_SIZE];
	long cpu;
	long long count, time, last_count, last_time;
};

struct command {
	struct tool tool;
	bool wants[MOST_CPUS];
	long ncpus, seconds, count;
	bool is_parsable;
	char time; /* of -T: u, d; 0: none */
	struct cell *cells;
	size_t ncells;
	double last;
};

static int usage(void)
{
	fputs("Usage: intrstat [-c | -C cpulist] [-T u | d] [-p] [-x opt[=val]] [interval [count]]\n"
	      "\n"
	      "\t-c cpulist - only these CPUs: 0,2-3\n"
	      "\t-C cpulist - the same\n"
	      "\t-T u | d - the time before each table, in seconds or as a date\n"
	      "\t-p - parsable: interrupt, CPU, number, part of time\n"
	      "\t-x opt[=val] - set an option of tracing\n",
	      stderr);
	return EXIT_USAGE;
}

/* ----------------------------------------------------------------- tables */

static struct cell *cell_of(struct command *command, const char *name, long cpu)
{
	for (size_t i = 0; i < command->ncells; i++)
		if (command->cells[i].cpu == cpu &&
		    !strcmp(command->cells[i].name, name))
			return &command->cells[i];
	command->cells = tool_must(realloc(command->cells,
					   (command->ncells + 1) *
						   sizeof(struct cell)));

	struct cell *cell = &command->cells[command->ncells++];

	memset(cell, 0, sizeof(*cell));
	snprintf(cell->name, sizeof(cell->name), "%s", name);
	cell->cpu = cpu;
	return cell;
}

static int take(const dtrace_aggdata_t *data, void *arg)
{
	struct command *command = arg;
	const dtrace_value_ext_t *keys = data->dtada_keys;
	char device[NAME_SIZE - 16], name[NAME_SIZE];

	if (data->dtada_nkeys != 3)
		return DTRACE_AGGWALK_NEXT;

	int64_t number = keys[1].dtv_integer;

	snprintf(device, sizeof(device), "%.*s", (int)keys[0].dtv_size,
		 (const char *)keys[0].dtv_bytes);
	if (strcmp(device, "softirq"))
		snprintf(name, sizeof(name), "%s#%lld", device,
			 (long long)number);
	else if (number >= 0 &&
		 number < (int64_t)(sizeof(softirqs) / sizeof(softirqs[0])))
		snprintf(name, sizeof(name), "softirq#%s", softirqs[number]);
	else
		return DTRACE_AGGWALK_NEXT;

	struct cell *cell = cell_of(command, name, (long)keys[2].dtv_integer);

	if (!strcmp(data->dtada_name, "n"))
		cell->count = data->dtada_number;
	else
		cell->time = data->dtada_number;
	return DTRACE_AGGWALK_NEXT;
}

static int compare(const void *a, const void *b)
{
	const struct cell *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	return order ? order : (x->cpu > y->cpu) - (x->cpu < y->cpu);
}

/* One line: an interrupt on some CPUs.  -p: a line for each of them. */
static void print_line(struct command *command, const char *name, int width,
		       const long *cpus, int ncpus, double elapsed)
{
	if (!command->is_parsable)
		printf("%*s |", width, name);
	for (int i = 0; i < ncpus; i++) {
		const struct cell *cell = cell_of(command, name, cpus[i]);
		long long count = cell->count - cell->last_count;
		double part = (double)(cell->time - cell->last_time) / elapsed /
			      1e7;

		if (!command->is_parsable)
			printf(" %9lld %4.1f", count, part);
		else if (count)
			printf("%s %ld %lld %.1f\n", name, cpus[i], count,
			       part);
	}
	if (!command->is_parsable)
		putchar('\n');
}

static void print_head(int width, const long *cpus, int ncpus)
{
	printf("\n%*s |", width, "device");
	for (int i = 0; i < ncpus; i++) {
		char cpu[24];

		snprintf(cpu, sizeof(cpu), "cpu%ld", cpus[i]);
		printf(" %9s %%tim", cpu);
	}
	putchar('\n');
	for (int i = 0; i <= width; i++)
		putchar('-');
	putchar('+');
	for (int i = 0; i < ncpus; i++)
		printf("---------------");
	putchar('\n');
}

static void print_some(struct command *command, const long *cpus, int ncpus,
		       double elapsed)
{
	size_t n = command->ncells;
	int width = NAME_WIDTH;

	for (size_t i = 0; i < n; i++)
		if (strlen(command->cells[i].name) > (size_t)width)
			width = (int)strlen(command->cells[i].name);
	if (!command->is_parsable)
		print_head(width, cpus, ncpus);
	for (size_t i = 0; i < n; i++) {
		char name[NAME_SIZE];

		if (i &&
		    !strcmp(command->cells[i - 1].name, command->cells[i].name))
			continue;
		memcpy(name, command->cells[i].name, sizeof(name));
		print_line(command, name, width, cpus, ncpus, elapsed);
	}
	command->ncells = n;
}

static void print_time(const struct command *command)
{
	time_t now = time(NULL);
	char date[64];

	strftime(date, sizeof(date), "%c", localtime(&now));
	if (command->time == 'u')
		printf("%lld\n", (long long)now);
	else if (command->time == 'd')
		printf("%s\n", date);
}

static void print_tables(struct command *command)
{
	double time = tool_now(), elapsed = time - command->last;
	long cpus[CPUS_PER_TABLE];
	int ncpus = 0;

	command->last = time;
	print_time(command);
	dtrace_aggregate_snap(command->tool.dtp);
	dtrace_aggregate_walk(command->tool.dtp, take, command);
	if (command->ncells)
		qsort(command->cells, command->ncells, sizeof(struct cell),
		      compare);
	for (long cpu = 0; cpu < command->ncpus; cpu++) {
		if (!command->wants[cpu])
			continue;
		cpus[ncpus++] = cpu;
		if (ncpus == CPUS_PER_TABLE) {
			print_some(command, cpus, ncpus, elapsed);
			ncpus = 0;
		}
	}
	if (ncpus)
		print_some(command, cpus, ncpus, elapsed);
	fflush(stdout);
	for (size_t i = 0; i < command->ncells; i++) {
		command->cells[i].last_count = command->cells[i].count;
		command->cells[i].last_time = command->cells[i].time;
	}
}

/* -------------------------------------------------------------------- run */

static int run(struct command *command)
{
	const struct tool *tool = &command->tool;
	int error = tool_start(tool, program);

	if (error)
		return error;
	command->last = tool_now();
	for (long i = 0; !command->count || i < command->count; i++) {
		while (tool_now() < command->last + (double)command->seconds) {
			dtrace_workstatus_t status = dtrace_work(tool->dtp,
								 stdout, NULL,
								 NULL, NULL);

			if (status == DTRACE_WORKSTATUS_ERROR)
				return tool_fail(tool, "cannot continue");
			if (status == DTRACE_WORKSTATUS_DONE)
				return 0;
		}
		print_tables(command);
	}
	return 0;
}

static bool parse_cpus(struct command *command, const char *text)
{
	memset(command->wants, 0, sizeof(command->wants));
	return tool_ranges(text, command->ncpus, command->wants, NULL);
}

static void want_online(struct command *command)
{
	char cpus[4096] = "";
	FILE *file = fopen("/sys/devices/system/cpu/online", "r");

	if (file && fgets(cpus, sizeof(cpus), file))
		cpus[strcspn(cpus, "\n")] = '\0';
	if (file)
		fclose(file);
	if (*cpus && parse_cpus(command, cpus))
		return;
	for (long cpu = 0; cpu < command->ncpus; cpu++)
		command->wants[cpu] = true;
}

static int parse_options(struct command *command, int argc, char **argv)
{
	const struct tool *tool = &command->tool;
	int flag;

	while ((flag = getopt(argc, argv, "c:C:pT:x:")) != -1) {
		switch (flag) {
		case 'c':
		case 'C':
			if (parse_cpus(command, optarg))
				break;
			fprintf(stderr, "intrstat: invalid CPUs '%s'\n",
				optarg);
			return EXIT_USAGE;
		case 'p':
			command->is_parsable = true;
			break;
		case 'T':
			if (strcmp(optarg, "u") && strcmp(optarg, "d"))
				return usage();
			command->time = *optarg;
			break;
		case 'x':
			if (tool_set_option(tool, optarg))
				return EXIT_FATAL;
			break;
		default:
			return usage();
		}
	}
	if (argc - optind > 2 ||
	    (argc > optind && !is_positive(argv[optind], &command->seconds)) ||
	    (argc > optind + 1 &&
	     !is_positive(argv[optind + 1], &command->count)))
		return usage();
	return 0;
}

int main(int argc, char **argv)
{
	static struct command command = { .seconds = 1 };
	int status;

	command.ncpus = sysconf(_SC_NPROCESSORS_CONF);
	if (command.ncpus > MOST_CPUS)
		command.ncpus = MOST_CPUS;
	want_online(&command);
	status = tool_open(&command.tool, "intrstat");
	if (status)
		return status;
	dtrace_setopt(command.tool.dtp, "switchrate", "50ms");
	dtrace_setopt(command.tool.dtp, "aggrate", "50ms");
	status = parse_options(&command, argc, argv);
	if (!status)
		status = run(&command);
	dtrace_close(command.tool.dtp);
	free(command.cells);
	return status;
}
