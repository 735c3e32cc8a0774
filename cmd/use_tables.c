/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables that can be full, and locks: descriptors, of the machine and of the
 * process that is nearest to its limit; processes; locks of the kernel and of
 * programs.
 */
#include "cmd/use.h"

#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define FULL 80.0 /* percent */

static void add_files(struct use *use)
{
	struct row *row = use_row(use, "descriptors");
	double open, unused, most;
	FILE *file = fopen("/proc/sys/fs/file-nr", "r");

	if (file && fscanf(file, "%lf %lf %lf", &open, &unused, &most) == 3 &&
	    most > 0)
		use_known(&row->cells[UTILIZATION],
			  100 * (open - unused) / most, "%", FULL,
			  "/proc/sys/fs/file-nr");
	else
		use_unknown(&row->cells[UTILIZATION],
			    "/proc/sys/fs/file-nr cannot be read");
	if (file)
		fclose(file);
	use_unknown(&row->cells[SATURATION],
		    "nobody waits for a descriptor: it is an error");
	use_traced_cell(use, &row->cells[ERRORS], "nofile", NULL,
			1 / use->seconds, "", 1,
			"syscall::open*:return and others: EMFILE, ENFILE");
	if (row->cells[ERRORS].is_known)
		row->cells[ERRORS].value += use_traced(use, "nfile", NULL);
}

static double count_files(const char *pid)
{
	char path[64];
	struct stat stat_of;
	double n = 0;

	snprintf(path, sizeof(path), "/proc/%.20s/fd", pid);
	/* since Linux 6.2 the directory's size is the number */
	if (!stat(path, &stat_of) && stat_of.st_size > 0)
		return (double)stat_of.st_size;

	DIR *directory = opendir(path);

	if (!directory)
		return -1;
	while (readdir(directory))
		n++;
	closedir(directory);
	return n - 2;
}

static void add_limits(struct use *use)
{
	struct row *row = use_row(use, "descriptors/process");
	double most = -1;
	char which[32] = "", path[64];
	DIR *processes = opendir("/proc");

	for (struct dirent *entry; processes && (entry = readdir(processes));) {
		double open, limit;

		if (!isdigit((unsigned char)*entry->d_name))
			continue;
		snprintf(path, sizeof(path), "/proc/%.20s/limits",
			 entry->d_name);
		open = count_files(entry->d_name);
		if (open < 0 || !use_read(path, "Max open files", &limit) ||
		    limit <= 0 || 100 * open / limit <= most)
			continue;
		most = 100 * open / limit;
		snprintf(which, sizeof(which), "%.20s", entry->d_name);
	}
	if (processes)
		closedir(processes);
	if (most >= 0)
		use_known(
			&row->cells[UTILIZATION], most, "%", FULL,
			"/proc/%s/fd and limits: the process nearest to its limit",
			which);
	else
		use_unknown(&row->cells[UTILIZATION],
			    "/proc/PID/fd cannot be read");
	use_unknown(&row->cells[SATURATION],
		    "nobody waits for a descriptor: it is an error");
	use_traced_cell(use, &row->cells[ERRORS], "nofile", NULL,
			1 / use->seconds, "", 1,
			"syscall::open*:return and others: EMFILE");
}

/* "0.50 0.40 0.30 2/345 6789": the number after / is that of all threads. */
static void add_processes(struct use *use)
{
	struct row *row = use_row(use, "process table");
	double threads = 0, pids = 0, most = 0;
	FILE *file = fopen("/proc/loadavg", "r");
	bool is_there = file &&
			fscanf(file, "%*f %*f %*f %*u/%lf", &threads) == 1 &&
			use_read_number("/proc/sys/kernel/pid_max", &pids) &&
			use_read_number("/proc/sys/kernel/threads-max", &most);

	if (file)
		fclose(file);
	if (is_there)
		use_known(&row->cells[UTILIZATION],
			  100 * threads / (most < pids ? most : pids), "%",
			  FULL,
			  "/proc/loadavg: threads, of /proc/sys/kernel/%s",
			  most < pids ? "threads-max" : "pid_max");
	else
		use_unknown(&row->cells[UTILIZATION],
			    "/proc/loadavg or /proc/sys/kernel cannot be read");
	use_unknown(&row->cells[SATURATION],
		    "nobody waits for a process: it is an error");
	use_traced_cell(use, &row->cells[ERRORS], "nofork", NULL,
			1 / use->seconds, "", 1,
			"syscall::clone*:return, fork, vfork: EAGAIN");
}

void use_tables(struct use *use)
{
	add_files(use);
	add_limits(use);
	add_processes(use);
}

void use_locks(struct use *use)
{
	struct row *kernel = use_row(use, "locks kernel");

	use_unknown(
		&kernel->cells[UTILIZATION],
		"how long locks are held takes a probe on each: lockstat -H");
	use_traced_cell(
		use, &kernel->cells[SATURATION], "lock", NULL, 1e9, "waiting",
		1,
		"rawtp:lock::contention_begin and _end: threads that wait, on average");
	use_unknown(&kernel->cells[ERRORS], "not counted: lockstat -E");

	struct row *program = use_row(use, "locks futex");
	const char *why_not = use_why_not("futex");

	use_unknown(
		&program->cells[UTILIZATION],
		"how long locks are held is known to the program: plockstat -H");
	/* idle threads wait for conditions in the same way: it never stands out */
	use_traced_cell(
		use, &program->cells[SATURATION], "futex", NULL, 1, "waits/s",
		1e300,
		"syscall::futex:entry, sched:::off-cpu: waits for locks and for conditions");
	if (why_not)
		use_unknown(&program->cells[ERRORS],
			    "syscall::futex:return: %s", why_not);
	else
		use_known(&program->cells[ERRORS],
			  use_traced(use, "deadlock", NULL), "", 1,
			  "syscall::futex:return: EDEADLK, EOWNERDEAD");
}
