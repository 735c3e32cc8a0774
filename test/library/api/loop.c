/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A consumer with its own poll(2): records of a D program and bytes of a pipe.
 *
 *	loop PROGRAM [COMMAND]
 *
 * Every record answers with a byte into the pipe, which the same loop reads:
 * neither side may starve.  dtrace_poll_ext() must not sleep: two hundred calls
 * in a row, with nothing to do, give up the CPU less often than that.
 */
#include <dtrace.h>

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static int ends[2];
static unsigned long records, answers;

static int on_record(const dtrace_probedata_t *data,
		     const dtrace_recdesc_t *rec, void *arg)
{
	(void)data;
	(void)arg;
	if (!rec && write(ends[1], "", 1) == 1)
		records++;
	return DTRACE_CONSUME_NEXT;
}

static void serve(void)
{
	char bytes[4096];
	ssize_t n = read(ends[0], bytes, sizeof(bytes));

	if (n > 0)
		answers += (unsigned long)n;
}

static long sleeps(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_nvcsw;
}

static dtrace_workstatus_t look(dtrace_hdl_t *dtp)
{
	return dtrace_poll_ext(dtp, stdout, NULL, on_record, NULL);
}

int main(int argc, char **argv)
{
	int error, status = -1;
	dtrace_hdl_t *dtp = dtrace_open(DTRACE_VERSION, 0, &error);
	dtrace_proc_t *proc = NULL;

	if (!dtp || argc < 2 || pipe(ends))
		return 2;
	dtrace_setopt(dtp, "bufsize", "4m");
	dtrace_setopt(dtp, "quiet", NULL);
	printf("before: %d\n", dtrace_fd_ext(dtp));
	if (argc > 2)
		proc = dtrace_proc_create(dtp, argv[2], argv + 2, 0);
	dtrace_prog_t *program = dtrace_program_strcompile(
		dtp, argv[1], DTRACE_PROBESPEC_NAME, 0, 0, NULL);

	if (!program || dtrace_program_exec(dtp, program, NULL) ||
	    dtrace_go(dtp)) {
		printf("%s\n", dtrace_errmsg(dtp, dtrace_errno(dtp)));
		return 1;
	}
	struct pollfd fds[] = {
		{ .fd = dtrace_fd_ext(dtp), .events = POLLIN },
		{ .fd = ends[0], .events = POLLIN },
	};
	dtrace_workstatus_t work = look(dtp);

	/* nothing comes before the process runs: two hundred calls, no sleep */
	if (proc) {
		long before = sleeps();

		for (int i = 0; i < 200 && !work; i++)
			work = look(dtp);
		printf("%s\n", sleeps() - before < 100 ? "does not sleep" :
							 "sleeps");
		dtrace_proc_continue(dtp, proc);
	}
	while (work == DTRACE_WORKSTATUS_OKAY) {
		/* no time limit: what does not wake it hangs the test */
		poll(fds, 2, -1);
		if (fds[1].revents)
			serve();
		if (fds[0].revents)
			work = look(dtp);
	}
	printf("%s\n", work == DTRACE_WORKSTATUS_DONE ? "done" : "error");
	dtrace_stop(dtp);
	while (answers < records)
		serve();
	printf("%lu records, %lu answers\n", records, answers);
	if (dtrace_exit_status_ext(dtp, &status))
		printf("status %d\n", status);
	dtrace_close(dtp);
	return 0;
}
