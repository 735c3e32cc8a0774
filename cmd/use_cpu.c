/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CPUs, all of them and each, and the queues of threads that wait for them.
 *
 * The saturation is the number of threads that waited, on average: traced, as the
 * kernel keeps no such number.  Errors are machine checks.
 */
#include "cmd/use.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define BUSY 80.0     /* percent */
#define CROWDED 200.0 /* percent: as many wait as run */

/* user nice system idle iowait irq softirq steal; guest is in user. */
static bool read_times(const char *line, char *name, double *busy,
		       double *elapsed)
{
	double t[8];

	if (sscanf(line, "%15s %lf %lf %lf %lf %lf %lf %lf %lf", name, &t[0],
		   &t[1], &t[2], &t[3], &t[4], &t[5], &t[6], &t[7]) != 9)
		return false;
	*busy = t[0] + t[1] + t[2] + t[5] + t[6] + t[7];
	*elapsed = *busy + t[3] + t[4];
	return true;
}

/* "MCE: 0 0 Machine check exceptions": a column for each CPU that is online. */
static bool machine_checks(int column, double *checks)
{
	char line[8192];
	bool is_there = false;
	FILE *file = fopen("/proc/interrupts", "r");

	while (file && fgets(line, sizeof(line), file)) {
		char *at = strstr(line, "MCE:");

		if (!at)
			continue;
		at += 4;
		*checks = 0;
		for (int i = 0; !is_there || column < 0; i++) {
			char *end;
			double n = strtod(at, &end);

			if (end == at || !isdigit((unsigned char)end[-1]))
				break;
			at = end;
			if (column < 0 || i == column) {
				*checks += n;
				is_there = true;
			}
		}
		break;
	}
	if (file)
		fclose(file);
	return is_there;
}

static void add_row(struct use *use, const char *name, int column, double busy,
		    double elapsed)
{
	bool is_all = column < 0;
	const char *cpu = is_all ? NULL : name + 3;
	struct row *row = use_row(use, "%s", name);
	double checks;

	busy = use_grown(use, busy, "busy.%s", name);
	elapsed = use_grown(use, elapsed, "time.%s", name);
	if (elapsed > 0)
		use_known(&row->cells[UTILIZATION], 100 * busy / elapsed, "%",
			  BUSY, "/proc/stat");
	else
		use_unknown(&row->cells[UTILIZATION],
			    "/proc/stat: its time did not go on");
	use_traced_cell(
		use, &row->cells[SATURATION], "runq", cpu, 1e9, "waiting", 1,
		"sched:::wakeup, sched:::off-cpu: threads that wait, on average");
	if (machine_checks(column, &checks))
		use_known(&row->cells[ERRORS],
			  use_grown(use, checks, "mce.%s", name), "", 1,
			  "/proc/interrupts: MCE, machine checks");
	else
		use_unknown(&row->cells[ERRORS],
			    "/proc/interrupts has no MCE (machine checks)");
}

static void add_queue(struct use *use)
{
	struct row *row = use_row(use, "run queue");
	double runs = use_traced(use, "runs", NULL), runnable;
	const char *why_not = use_why_not("runq");

	if (use_read("/proc/stat", "procs_running", &runnable))
		/* this process is one of them */
		use_known(&row->cells[UTILIZATION],
			  100 * (runnable - 1) / use->ncpus, "%", CROWDED,
			  "/proc/stat: procs_running, of the CPUs; now");
	else
		use_unknown(&row->cells[UTILIZATION],
			    "/proc/stat has no procs_running");
	if (why_not)
		use_unknown(&row->cells[SATURATION], "sched:::off-cpu: %s",
			    why_not);
	else
		use_known(
			&row->cells[SATURATION],
			runs > 0 ? use_traced(use, "runq", NULL) / runs / 1e6
				 : 0,
			"ms", 10,
			"sched:::wakeup, sched:::off-cpu: time until a thread gets a CPU, on average");
	use_unknown(&row->cells[ERRORS], "a queue has none");
}

void use_cpus(struct use *use)
{
	char line[512], name[16];
	double busy, elapsed;
	FILE *file = fopen("/proc/stat", "r");

	use->ncpus = 0;
	for (int column = -1; file && fgets(line, sizeof(line), file); column++)
		if (!strncmp(line, "cpu", 3) &&
		    read_times(line, name, &busy, &elapsed)) {
			add_row(use, name, column, busy, elapsed);
			use->ncpus += column >= 0;
		}
	if (file)
		fclose(file);
	if (use->ncpus)
		add_queue(use);
}
