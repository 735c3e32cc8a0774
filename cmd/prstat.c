/* SPDX-License-Identifier: Apache-2.0 */
/*
 * prstat(8): processes or threads, those that use most CPU time first.
 *
 * Without -m everything comes from /proc, and the first page, about the time
 * since each process began, is there at once.  With -m the pages show in which
 * microstates threads spent the interval; that takes tracing, and the first
 * page comes after the first interval.
 */
#include "cmd/pages.h"
#include "cmd/prstat.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { LINES = 15, USER_LINES = 5, MOST_IDS = 64 };

struct command {
	struct tool tool;
	struct pages pages;
	struct wanted wanted;
	int pids[MOST_IDS];
	uid_t uids[MOST_IDS];
	struct threads threads;
	/* what is shown: all of the above, or for -m without -L one of each process */
	struct thread *rows;
	size_t nrows;
	bool has_states, has_threads, is_plain, is_reverse;
	bool shows_rows, shows_users;
	const struct key *key;
	long lines, user_lines, seconds, count;
	uint64_t last;	   /* page; ns */
	uint64_t interval; /* since then; ns */
	uint64_t drops;	   /* of events, since then */
	struct users users;
};

static double cpu_of(const struct thread *thread)
{
	return thread->cpu;
}

static double priority_of(const struct thread *thread)
{
	return (double)-thread->priority;
}

static double resident_of(const struct thread *thread)
{
	return (double)thread->resident;
}

static double size_of(const struct thread *thread)
{
	return (double)thread->size;
}

static double time_of(const struct thread *thread)
{
	return (double)thread->ticks;
}

/* -s, -S: the largest first. */
static const struct key {
	const char *name;
	double (*value)(const struct thread *thread);
} keys[] = {
	{ "cpu", cpu_of },   { "pri", priority_of }, { "rss", resident_of },
	{ "size", size_of }, { "time", time_of },
};

static int usage(FILE *out, int status)
{
	fputs("Usage: prstat [-acLmt] [-n lines[,lines]] [-p pidlist] [-s key | -S key] [-u userlist] [-x opt[=val]] [interval [count]]\n"
	      "\n"
	      "\t-a - users, too, below\n"
	      "\t-t - users only: what all processes of each use together\n"
	      "\t-m - microstates, by tracing\n"
	      "\t-L - a line for each thread\n"
	      "\t-c - one page after the other, also on a terminal\n"
	      "\t-n lines[,lines] - at most so many (15, or what the terminal shows); of users (5)\n"
	      "\t-p pidlist - only these processes: 1,17\n"
	      "\t-s key - the largest first: cpu, pri, rss, size or time\n"
	      "\t-S key - the smallest first\n"
	      "\t-u userlist - only processes of these users, names or ids: root,33\n"
	      "\t-x opt[=val] - set an option of tracing\n",
	      out);
	return status;
}

/* ------------------------------------------------------------------- rows */

/* CPU time since the last page; on the first one since the process began. */
static void set_cpu(struct command *command, uint64_t now)
{
	double ncpus = (double)sysconf(_SC_NPROCESSORS_ONLN);
	double hz = (double)sysconf(_SC_CLK_TCK);
	struct timespec boot;

	clock_gettime(CLOCK_BOOTTIME, &boot);
	for (size_t i = 0; i < command->threads.n; i++) {
		struct thread *thread = &command->threads.all[i];
		bool is_new = !command->last || thread->micro.is_new;
		double elapsed = is_new ? (double)boot.tv_sec +
						  (double)boot.tv_nsec / 1e9 -
						  (double)thread->started / hz
					: (double)(now - command->last) / 1e9;
		uint64_t ticks = thread->ticks -
				 (is_new ? 0 : thread->last_ticks);

		thread->cpu = elapsed > 0 ? 100.0 * (double)ticks / hz /
						    elapsed / ncpus
					  : 0;
	}
}

static int by_process(const void *a, const void *b)
{
	const struct thread *x = a, *y = b;

	/* the first thread has the process's own name */
	return x->pid != y->pid ? (x->pid > y->pid) - (x->pid < y->pid)
				: (x->tid > y->tid) - (x->tid < y->tid);
}

/* Threads become their process. */
static void join(struct command *command)
{
	size_t n = 0;

	qsort(command->rows, command->nrows, sizeof(struct thread), by_process);
	for (size_t i = 0; i < command->nrows; i++) {
		const struct thread *thread = &command->rows[i];

		if (!n || command->rows[n - 1].pid != thread->pid) {
			command->rows[n++] = *thread;
			continue;
		}

		struct thread *process = &command->rows[n - 1];

		process->cpu += thread->cpu;
		process->ticks += thread->ticks;
		for (int k = 0; k < NSTATES; k++)
			process->micro.time[k] += thread->micro.time[k];
		for (int k = 0; k < NCOUNTS; k++)
			process->micro.count[k] += thread->micro.count[k];
	}
	command->nrows = n;
}

/* With microstates the CPU time is what tracing saw: it is exact. */
static void trace_cpu(struct command *command)
{
	double all = (double)command->interval *
		     (double)sysconf(_SC_NPROCESSORS_ONLN);

	for (size_t i = 0; i < command->nrows; i++) {
		struct thread *row = &command->rows[i];

		row->cpu = 100 *
			   (double)(row->micro.time[USR] +
				    row->micro.time[SYS]) /
			   all;
	}
}

static int by_key(const void *a, const void *b, void *arg)
{
	const struct command *command = arg;
	const struct thread *x = a, *y = b;
	double left = command->key->value(x), right = command->key->value(y);
	int order = (left < right) - (left > right);

	if (command->is_reverse)
		order = -order;
	return order ? order : by_process(a, b);
}

static size_t count_processes(const struct threads *threads)
{
	size_t n = 0;

	for (size_t i = 0; i < threads->n; i++)
		n += threads->all[i].tid == threads->all[i].pid;
	return n;
}

static void make_rows(struct command *command)
{
	size_t n = command->threads.n;

	free(command->rows);
	command->rows = tool_must(malloc((n + 1) * sizeof(struct thread)));
	if (n)
		memcpy(command->rows, command->threads.all,
		       n * sizeof(struct thread));
	command->nrows = n;
	if (command->wanted.has_threads && !command->has_threads)
		join(command);
	if (command->has_states)
		trace_cpu(command);
	qsort_r(command->rows, command->nrows, sizeof(struct thread), by_key,
		command);
	if (!command->shows_users)
		return;
	users_sum(&command->users, command->rows, command->nrows);
	qsort_r(command->users.sums, command->users.nsums,
		sizeof(struct thread), by_key, command);
}

/* ------------------------------------------------------------------ pages */

/* Three columns: 0.0 to 9.9, 10 to 100. */
static void print_part(FILE *out, int64_t part, int64_t all)
{
	double percent = all ? 100.0 * (double)part / (double)all : 0;

	if (percent < 9.95)
		fprintf(out, " %3.1f", percent);
	else
		fprintf(out, " %3.0f", percent);
}

static void print_count(FILE *out, int64_t count)
{
	if (count < 100000)
		fprintf(out, " %5lld", (long long)count);
	else if (count < 9999500)
		fprintf(out, " %4lldK", (long long)(count + 500) / 1000);
	else
		fprintf(out, " %4lldM", (long long)(count + 500000) / 1000000);
}

static void print_states(struct command *command, FILE *out,
			 const struct thread *row)
{
	const struct microstates *micro = &row->micro;
	int64_t all = 0;

	for (int i = 0; i < NSTATES; i++)
		all += micro->time[i];
	fprintf(out, "%6d %-8.8s", row->pid,
		user_name(&command->users, row->uid));
	for (int i = 0; i < NSTATES; i++) {
		if (i == TRP)
			fputs("   -", out);
		else
			print_part(out, micro->time[i], all);
	}
	for (int i = 0; i < CAME; i++)
		print_count(out, micro->count[i]);
}

static const char *size_text(uint64_t kilobytes, char *text, size_t size)
{
	if (kilobytes < 10000)
		snprintf(text, size, "%lluK", (unsigned long long)kilobytes);
	else if (kilobytes < 10000ULL * 1024)
		snprintf(text, size, "%lluM",
			 (unsigned long long)kilobytes / 1024);
	else if (kilobytes < 10000ULL * 1024 * 1024)
		snprintf(text, size, "%lluG",
			 (unsigned long long)kilobytes / 1024 / 1024);
	else
		snprintf(text, size, "%lluT",
			 (unsigned long long)kilobytes / 1024 / 1024 / 1024);
	return text;
}

static const char *state_name(char letter)
{
	switch (letter) {
	case 'R':
		return "run";
	case 'T':
	case 't':
		return "stop";
	case 'Z':
	case 'X':
		return "zombie";
	case 'D':
		return "wait";
	default:
		return "sleep";
	}
}

/* 0.0% to 99.9%, then 100%. */
static void print_percent(FILE *out, int width, double percent)
{
	fprintf(out, "%*.*f%%", width, percent < 99.95 ? 1 : 0, percent);
}

static void print_cpu(FILE *out, const struct thread *row)
{
	uint64_t seconds = row->ticks / (uint64_t)sysconf(_SC_CLK_TCK);

	fprintf(out, " %3llu:%02llu:%02llu ",
		(unsigned long long)seconds / 3600,
		(unsigned long long)seconds / 60 % 60,
		(unsigned long long)seconds % 60);
	print_percent(out, 3, row->cpu);
}

static void print_classic(struct command *command, FILE *out,
			  const struct thread *row)
{
	char size[24], resident[24];

	fprintf(out, "%6d %-8.8s %5s %5s %-6s %4ld %4ld", row->pid,
		user_name(&command->users, row->uid),
		size_text(row->size, size, sizeof(size)),
		size_text(row->resident, resident, sizeof(resident)),
		state_name(row->letter), row->priority, row->nice);
	print_cpu(out, row);
}

static void print_user(struct command *command, FILE *out,
		       const struct thread *user)
{
	char size[24], resident[24];
	double memory = (double)sysconf(_SC_PHYS_PAGES) *
			(double)sysconf(_SC_PAGESIZE) / 1024;

	fprintf(out, "%6zu %-8.8s %5s %5s ", user->nprocesses,
		user_name(&command->users, user->uid),
		size_text(user->size, size, sizeof(size)),
		size_text(user->resident, resident, sizeof(resident)));
	print_percent(out, 5, 100 * (double)user->resident / memory);
	print_cpu(out, user);
	fputc('\n', out);
}

/* Processes or threads, of them so many. */
static void print_rows(struct command *command, FILE *out, long lines)
{
	fprintf(out, "%s/%s\n",
		command->has_states
			? "   PID USERNAME USR SYS TRP TFL DFL LCK SLP LAT   VCX   ICX   SCL   SIG PROCESS"
			: "   PID USERNAME  SIZE   RSS STATE   PRI NICE      TIME  CPU PROCESS",
		command->has_threads ? "LWPID" : "NLWP");
	for (size_t i = 0; i < command->nrows && (long)i < lines; i++) {
		const struct thread *row = &command->rows[i];

		if (command->has_states)
			print_states(command, out, row);
		else
			print_classic(command, out, row);
		fprintf(out, " %s/%ld\n", row->name,
			command->has_threads ? row->tid : row->nthreads);
	}
}

static void print_users(struct command *command, FILE *out, long lines)
{
	fputs(" NPROC USERNAME  SIZE   RSS MEMORY      TIME  CPU\n", out);
	for (size_t i = 0; i < command->users.nsums && (long)i < lines; i++)
		print_user(command, out, &command->users.sums[i]);
}

/*
 * How many lines processes and users get: what is asked for, else what fits on the
 * terminal beside the headings and the last line.
 */
static void share_lines(const struct command *command, long *rows, long *users)
{
	long height = (long)pages_rows(&command->pages), all = height;

	*rows = command->lines ? command->lines : LINES;
	*users = command->user_lines   ? command->user_lines
		 : command->shows_rows ? USER_LINES
		 : command->lines      ? command->lines
				       : LINES;
	if (!height)
		return;
	all -= 1 + command->shows_rows + command->shows_users;
	if (!command->shows_rows) {
		if (!command->lines && !command->user_lines)
			*users = all;
		return;
	}
	if (command->shows_users) {
		if (*users > (long)command->users.nsums)
			*users = (long)command->users.nsums;
		all -= *users;
	}
	if (!command->lines && all > 0)
		*rows = all;
}

static void print_page(struct command *command)
{
	FILE *out = pages_begin(&command->pages);
	double load[3] = { 0 };
	size_t nthreads = 0;
	long rows, users;

	share_lines(command, &rows, &users);
	if (command->shows_rows)
		print_rows(command, out, rows);
	if (command->shows_users)
		print_users(command, out, users);
	for (size_t i = 0; i < command->nrows; i++)
		nthreads += command->has_threads
				    ? 1
				    : (size_t)command->rows[i].nthreads;
	getloadavg(load, 3);
	if (command->drops)
		fprintf(out, "%llu events were lost\n",
			(unsigned long long)command->drops);
	command->drops = 0;
	fprintf(out,
		"Total: %zu processes, %zu lwps, load averages: %.2f, %.2f, %.2f\n",
		count_processes(&command->threads), nthreads, load[0], load[1],
		load[2]);
	pages_show(&command->pages);
}

/* -------------------------------------------------------------------- run */

static void page(struct command *command)
{
	threads_scan(&command->threads, &command->wanted);

	uint64_t now = states_now();

	set_cpu(command, now);
	if (command->has_states)
		now = states_take(&command->tool, &command->threads,
				  command->last);
	command->interval = now - command->last;
	command->last = now;
	make_rows(command);
	print_page(command);
}

static int begin_states(struct command *command)
{
	int status;

	tool_count_drops(&command->tool, &command->drops);
	status = states_start(&command->tool, &command->wanted);
	if (status)
		return status;
	threads_scan(&command->threads, &command->wanted);
	command->last = states_now();
	if (command->pages.is_screen)
		fputs("\033[H\033[2J", stdout);
	puts("Tracing... Please wait.");
	fflush(stdout);
	return 0;
}

static int run(struct command *command)
{
	struct pages *pages = &command->pages;
	dtrace_hdl_t *dtp = command->has_states ? command->tool.dtp : NULL;
	double next = tool_now();
	int status = 0;

	pages_open(pages, dtp, !command->is_plain);
	if (command->has_states)
		status = begin_states(command);
	for (long i = 0; !status && (!command->count || i < command->count);
	     i++) {
		if (i || command->has_states)
			next += (double)command->seconds;
		if (!pages_wait(pages, next))
			break;
		page(command);
		/* a page that was late does not shorten the next interval */
		if (tool_now() > next + (double)command->seconds / 2)
			next = tool_now();
	}
	pages_close(pages);
	return status;
}

static bool parse_pids(struct command *command, const char *text)
{
	while (*text) {
		char *end;
		long pid = strtol(text, &end, 10);

		if (end == text || pid <= 0 || pid > INT32_MAX ||
		    (*end && *end != ',' && *end != ' ') ||
		    command->wanted.npids == MOST_IDS)
			return false;
		command->pids[command->wanted.npids++] = (int)pid;
		text = *end ? end + 1 : end;
	}
	return command->wanted.npids;
}

static bool parse_users(struct command *command, char *text)
{
	for (char *rest, *name = strtok_r(text, ", ", &rest); name;
	     name = strtok_r(NULL, ", ", &rest)) {
		if (command->wanted.nuids == MOST_IDS) {
			fprintf(stderr, "prstat: more than %d users\n",
				MOST_IDS);
			return false;
		}
		if (!user_id(name, &command->uids[command->wanted.nuids++])) {
			fprintf(stderr,
				"prstat: invalid user '%s': neither a name nor an id\n",
				name);
			return false;
		}
	}
	if (!command->wanted.nuids)
		fputs("prstat: -u needs a user\n", stderr);
	return command->wanted.nuids;
}

/* -n 20 or -n 20,5 */
static bool parse_lines(struct command *command, char *text)
{
	char *comma = strchr(text, ',');

	if (comma)
		*comma = '\0';
	return tool_number(&command->tool, text, &command->lines) &&
	       (!comma ||
		tool_number(&command->tool, comma + 1, &command->user_lines));
}

static bool parse_key(struct command *command, const char *text)
{
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (!strcmp(keys[i].name, text)) {
			command->key = &keys[i];
			return true;
		}
	fprintf(stderr,
		"prstat: invalid key '%s' (cpu, pri, rss, size or time)\n",
		text);
	return false;
}

static int parse_options(struct command *command, int argc, char **argv)
{
	const struct tool *tool = &command->tool;
	int flag;

	while ((flag = getopt(argc, argv, "acLmn:p:s:S:tu:x:")) != -1) {
		switch (flag) {
		case 'a':
			command->shows_users = true;
			break;
		case 't':
			command->shows_users = true;
			command->shows_rows = false;
			break;
		case 'u':
			if (!parse_users(command, optarg))
				return EXIT_USAGE;
			break;
		case 'c':
			command->is_plain = true;
			break;
		case 'L':
			command->has_threads = true;
			break;
		case 'm':
			command->has_states = true;
			break;
		case 'n':
			if (!parse_lines(command, optarg))
				return EXIT_USAGE;
			break;
		case 'p':
			if (parse_pids(command, optarg))
				break;
			fprintf(stderr, "prstat: invalid processes '%s'\n",
				optarg);
			return EXIT_USAGE;
		case 's':
		case 'S':
			command->is_reverse = flag == 'S';
			if (!parse_key(command, optarg))
				return EXIT_USAGE;
			break;
		case 'x':
			if (tool_set_option(tool, optarg))
				return EXIT_FATAL;
			break;
		default:
			return usage(stderr, EXIT_USAGE);
		}
	}
	if (argc - optind > 2 ||
	    (argc > optind && !is_positive(argv[optind], &command->seconds)) ||
	    (argc > optind + 1 &&
	     !is_positive(argv[optind + 1], &command->count)))
		return usage(stderr, EXIT_USAGE);
	command->wanted.pids = command->pids;
	command->wanted.uids = command->uids;
	command->wanted.has_threads = command->has_threads ||
				      command->has_states;
	return 0;
}

int main(int argc, char **argv)
{
	static struct command command = { .shows_rows = true,
					  .seconds = 5,
					  .key = &keys[0] };
	int status;

	if (argc > 1 && !strcmp(argv[1], "--help"))
		return usage(stdout, 0);
	status = tool_open(&command.tool, "prstat");
	if (status)
		return status;
	status = parse_options(&command, argc, argv);
	if (!status)
		status = run(&command);
	dtrace_close(command.tool.dtp);
	free(command.threads.all);
	free(command.rows);
	free(command.users.sums);
	return status;
}
