/* SPDX-License-Identifier: Apache-2.0 */
/*
 * plockstat(8): which user locks a process waits for, and holds.
 *
 * A D program over the provider plockstat, and a table of what it counted.
 * Each kind of event is an aggregation that keeps number and sum of times by
 * lock and by who took it; this file sorts by the sum and prints.
 */
#include "cmd/tool.h"

#include <getopt.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CONTENTION = 1, HOLD = 2, LOCK_WIDTH = 28, NAME_SIZE = 256 };
enum { CONTENTION_EVENTS = 5, HOLD_EVENTS = 3 }; /* in this order: */

/* Events: title, and the aggregation of the program that has them. */
static const struct event {
	const char *title, *aggregation;
} events[] = {
	{ "Mutex block", "mutex_block" },
	{ "Mutex spin", "mutex_spin" },
	{ "Mutex unsuccessful spin", "mutex_vain" },
	{ "R/W writer block", "writer_block" },
	{ "R/W reader block", "reader_block" },
	{ "Mutex hold", "mutex_hold" },
	{ "R/W writer hold", "writer_hold" },
	{ "R/W reader hold", "reader_hold" },
};

/*
 * At these probes the function that took the lock is about to return, so the
 * instruction pointer is in its caller.  %s: more to do with a time.
 */
static const char contention[] =
	"plockstat$target:::mutex-block { self->mutex_block = timestamp; }\n"
	"plockstat$target:::mutex-blocked /self->mutex_block/\n"
	"{ this->t = timestamp - self->mutex_block; self->mutex_block = 0;\n"
	"  @mutex_block[arg0, ucaller] = avg(this->t); %s }\n"
	"plockstat$target:::mutex-spin { self->mutex_spin = timestamp; }\n"
	"plockstat$target:::mutex-spun /self->mutex_spin && arg1/\n"
	"{ this->t = timestamp - self->mutex_spin; self->mutex_spin = 0;\n"
	"  @mutex_spin[arg0, ucaller] = avg(this->t); %s }\n"
	"plockstat$target:::mutex-spun /self->mutex_spin/\n"
	"{ self->mutex_vain = timestamp - self->mutex_spin; self->mutex_spin = 0; }\n"
	"plockstat$target:::mutex-blocked /self->mutex_vain/\n"
	"{ this->t = self->mutex_vain; self->mutex_vain = 0;\n"
	"  @mutex_vain[arg0, ucaller] = avg(this->t); %s }\n"
	"plockstat$target:::rw-block { self->rw_block = timestamp; }\n"
	"plockstat$target:::rw-blocked /self->rw_block && arg1/\n"
	"{ this->t = timestamp - self->rw_block; self->rw_block = 0;\n"
	"  @writer_block[arg0, ucaller] = avg(this->t); %s }\n"
	"plockstat$target:::rw-blocked /self->rw_block && !arg1/\n"
	"{ this->t = timestamp - self->rw_block; self->rw_block = 0;\n"
	"  @reader_block[arg0, ucaller] = avg(this->t); %s }\n";

static const char hold[] =
	"plockstat$target:::mutex-acquire /!arg1/\n"
	"{ self->mutex_since[arg0] = timestamp; self->mutex_who[arg0] = ucaller; }\n"
	"plockstat$target:::mutex-release /!arg1 && self->mutex_since[arg0]/\n"
	"{ this->t = timestamp - self->mutex_since[arg0];\n"
	"  @mutex_hold[arg0, self->mutex_who[arg0]] = avg(this->t); %s\n"
	"  self->mutex_since[arg0] = 0; self->mutex_who[arg0] = 0; }\n"
	"plockstat$target:::rw-acquire\n"
	"{ self->rw_since[arg0] = timestamp; self->rw_who[arg0] = ucaller; }\n"
	"plockstat$target:::rw-release /arg1 && self->rw_since[arg0]/\n"
	"{ this->t = timestamp - self->rw_since[arg0];\n"
	"  @writer_hold[arg0, self->rw_who[arg0]] = avg(this->t); %s\n"
	"  self->rw_since[arg0] = 0; self->rw_who[arg0] = 0; }\n"
	"plockstat$target:::rw-release /!arg1 && self->rw_since[arg0]/\n"
	"{ this->t = timestamp - self->rw_since[arg0];\n"
	"  @reader_hold[arg0, self->rw_who[arg0]] = avg(this->t); %s\n"
	"  self->rw_since[arg0] = 0; self->rw_who[arg0] = 0; }\n";

struct row {
	uint64_t lock, caller;
	int64_t count, sum;
};

struct command {
	struct tool tool;
	dtrace_proc_t *proc;
	pid_t pid;
	unsigned what;
	long limit, depth, seconds;
	bool is_verbose, shows_program;
	char *program;
	size_t program_size;
	FILE *text;
	/* rows of the current event */
	const struct event *event;
	struct row *rows;
	size_t nrows;
};

static int usage(void)
{
	fputs("Usage:\n"
	      "\tplockstat [-vACHV] [-n count] [-s depth] [-e secs] [-x opt[=val]]\n"
	      "\t    command [arg...]\n"
	      "\tplockstat [-vACHV] [-n count] [-s depth] [-e secs] [-x opt[=val]]\n"
	      "\t    -p pid\n"
	      "\n"
	      "\t-v - print a message when tracing starts\n"
	      "\t-A - trace contention and hold events (same as -CH)\n"
	      "\t-C - trace contention events for mutexes and rwlocks\n"
	      "\t-H - trace hold events for mutexes and rwlocks\n"
	      "\t-V - print the D program\n"
	      "\t-n count - limit the display to 'count' entries for each event type\n"
	      "\t-s depth - show stack trace upto 'depth' entries\n"
	      "\t-e secs - exit after specified seconds\n"
	      "\t-x arg[=val] - enable a DTrace runtime option or a D compiler option\n"
	      "\t-p pid - attach and trace the specified process id\n",
	      stderr);
	return EXIT_USAGE;
}

/* ---------------------------------------------------------------- program */

static void distribution(char *text, size_t size, const struct command *command,
			 const char *name)
{
	text[0] = '\0';
	if (command->depth)
		snprintf(
			text, size,
			"@%s_time[usym(arg0), ustack(%ld)] = quantize(this->t);",
			name, command->depth);
}

static void print_program(struct command *command, const char *text,
			  const struct event *first, unsigned count)
{
	char more[CONTENTION_EVENTS][128];

	for (unsigned i = 0; i < count; i++)
		distribution(more[i], sizeof(more[i]), command,
			     first[i].aggregation);
	for (unsigned i = 0; i < count; i++) {
		const char *end = strstr(text, "%s");

		fprintf(command->text, "%.*s%s", (int)(end - text), text,
			more[i]);
		text = end + 2;
	}
	fputs(text, command->text);
	/* the tables are printed here, and not by the library at the end */
	for (unsigned i = 0; i < count; i++)
		fprintf(command->text, "END { trunc(@%s); }\n",
			first[i].aggregation);
	for (unsigned i = 0; i < count && command->depth; i++)
		fprintf(command->text,
			"END { printa(\"\\n%s %%A: nsec, and stack%%k%%@d\", @%s_time); }\n",
			first[i].title, first[i].aggregation);
}

static void make_program(struct command *command)
{
	command->text = tool_must(open_memstream(&command->program,
						 &command->program_size));
	if (command->what & CONTENTION)
		print_program(command, contention, events, CONTENTION_EVENTS);
	if (command->what & HOLD)
		print_program(command, hold, events + CONTENTION_EVENTS,
			      HOLD_EVENTS);
	if (command->seconds)
		fprintf(command->text, "tick-%lds { exit(0); }\n",
			command->seconds);
	fclose(command->text);
	if (command->shows_program)
		printf("%s\n", command->program);
}

/* ----------------------------------------------------------------- report */

static int take_row(const dtrace_aggdata_t *data, void *arg)
{
	struct command *command = arg;

	if (strcmp(data->dtada_name, command->event->aggregation) ||
	    data->dtada_nkeys != 2 || data->dtada_nvalues < 2 ||
	    !data->dtada_values[0])
		return DTRACE_AGGWALK_NEXT;
	command->rows = tool_must(realloc(command->rows,
					  (command->nrows + 1) *
						  sizeof(struct row)));
	command->rows[command->nrows++] = (struct row){
		.lock = (uint64_t)data->dtada_keys[0].dtv_integer,
		.caller = (uint64_t)data->dtada_keys[1].dtv_integer,
		.count = data->dtada_values[0],
		.sum = data->dtada_values[1],
	};
	return DTRACE_AGGWALK_NEXT;
}

/* The most time first. */
static int compare(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	if (x->sum != y->sum)
		return x->sum < y->sum ? 1 : -1;
	if (x->count != y->count)
		return x->count < y->count ? 1 : -1;
	return (x->lock > y->lock) - (x->lock < y->lock);
}

static void print_event(struct command *command, const struct event *event)
{
	command->event = event;
	command->nrows = 0;
	dtrace_aggregate_walk(command->tool.dtp, take_row, command);
	if (!command->nrows)
		return;
	qsort(command->rows, command->nrows, sizeof(struct row), compare);
	printf("\n%s\n\n"
	       "Count     nsec Lock                         Caller\n"
	       "-------------------------------------------------------------------------------\n",
	       event->title);
	for (size_t i = 0; i < command->nrows; i++) {
		const struct row *row = &command->rows[i];
		char lock[NAME_SIZE], caller[NAME_SIZE];

		if (command->limit && i == (size_t)command->limit)
			break;
		dtrace_uaddr2str_ext(command->tool.dtp, command->pid, row->lock,
				     lock, sizeof(lock));
		dtrace_uaddr2str_ext(command->tool.dtp, command->pid,
				     row->caller, caller, sizeof(caller));
		printf("%5lld %8lld %-*s %s\n", (long long)row->count,
		       (long long)(row->sum / row->count), LOCK_WIDTH, lock,
		       caller);
	}
}

/* -------------------------------------------------------------------- run */

static int run(struct command *command)
{
	const struct tool *tool = &command->tool;
	int status;

	make_program(command);
	status = tool_start(tool, command->program);
	if (status)
		return status;
	if (command->is_verbose)
		printf("plockstat: tracing enabled for pid %d\n",
		       (int)command->pid);
	fflush(stdout);
	dtrace_proc_continue(tool->dtp, command->proc);
	status = tool_work(tool, stdout);
	if (status)
		return status;
	dtrace_aggregate_snap(tool->dtp);
	for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++)
		print_event(command, &events[i]);
	fflush(stdout);
	return tool_stop(tool);
}

static int grab(struct command *command, char **operands)
{
	const struct tool *tool = &command->tool;

	command->proc = command->pid
				? dtrace_proc_grab_pid(tool->dtp, command->pid,
						       0)
				: dtrace_proc_create(tool->dtp, operands[0],
						     operands, 0);
	if (!command->proc)
		return tool_fail(tool, command->pid ? "cannot grab the process"
						    : operands[0]);
	command->pid = dtrace_proc_getpid(tool->dtp, command->proc);
	return 0;
}

static int parse_options(struct command *command, int argc, char **argv)
{
	const struct tool *tool = &command->tool;
	int flag;
	long pid;

	while ((flag = getopt(argc, argv, "+vACHVn:s:e:p:x:")) != -1) {
		switch (flag) {
		case 'v': command->is_verbose = true; break;
		case 'V': command->shows_program = true; break;
		case 'A': command->what |= CONTENTION | HOLD; break;
		case 'C': command->what |= CONTENTION; break;
		case 'H': command->what |= HOLD; break;
		case 'n':
			if (!tool_number(tool, optarg, &command->limit))
				return usage();
			break;
		case 's':
			if (!tool_number(tool, optarg, &command->depth))
				return usage();
			break;
		case 'e':
			if (!tool_number(tool, optarg, &command->seconds))
				return usage();
			break;
		case 'p':
			if (!tool_number(tool, optarg, &pid))
				return usage();
			command->pid = (pid_t)pid;
			break;
		case 'x':
			if (tool_set_option(tool, optarg))
				return EXIT_FATAL;
			break;
		default:
			return usage();
		}
	}
	if (!command->what)
		command->what = CONTENTION;
	return !command->pid == (optind == argc) ? usage() : 0;
}

int main(int argc, char **argv)
{
	struct command command = { 0 };
	int status;

	status = tool_open(&command.tool, "plockstat");
	if (status)
		return status;
	status = parse_options(&command, argc, argv);
	if (!status)
		status = grab(&command, argv + optind);
	if (!status)
		status = run(&command);
	dtrace_close(command.tool.dtp);
	free(command.program);
	free(command.rows);
	return status;
}
