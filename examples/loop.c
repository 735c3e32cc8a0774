/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libdtrace in a program with an event loop of its own: it serves standard
 * input and a D program in one poll(2), and sleeps nowhere else.
 *
 *	cc -o loop loop.c $(pkg-config --cflags --libs dtrace)
 *	./loop 'tick-1s { printf("%Y\n", walltimestamp); }'
 *
 * A line is answered; the end of the input ends the run.
 */
#include <dtrace.h>

#include <poll.h>
#include <stdio.h>
#include <unistd.h>

static int fail(dtrace_hdl_t *dtp, const char *what)
{
	fprintf(stderr, "loop: %s: %s\n", what,
		dtrace_errmsg(dtp, dtrace_errno(dtp)));
	dtrace_close(dtp);
	return 1;
}

/* What can be read now; false: that was the end. */
static int serve_input(void)
{
	char line[256];
	ssize_t n = read(STDIN_FILENO, line, sizeof(line) - 1);

	if (n <= 0)
		return 0;
	printf("you said: %.*s", (int)n, line);
	return 1;
}

static dtrace_workstatus_t serve(dtrace_hdl_t *dtp)
{
	struct pollfd fds[] = {
		{ .fd = dtrace_fd_ext(dtp), .events = POLLIN },
		{ .fd = STDIN_FILENO, .events = POLLIN },
	};
	dtrace_workstatus_t status;

	/* the first call looks at what is there, and sets the alarm */
	for (;;) {
		status = dtrace_poll_ext(dtp, stdout, NULL, NULL, NULL);
		fflush(stdout);
		if (status != DTRACE_WORKSTATUS_OKAY)
			return status;
		if (poll(fds, 2, -1) < 0)
			return DTRACE_WORKSTATUS_ERROR;
		if (fds[1].revents && !serve_input()) {
			fds[1].fd = -1;
			dtrace_interrupt(dtp);
		}
	}
}

int main(int argc, char **argv)
{
	int error, exit_status = 0;

	if (argc != 2) {
		fprintf(stderr, "usage: loop PROGRAM\n");
		return 2;
	}
	dtrace_hdl_t *dtp = dtrace_open(DTRACE_VERSION, 0, &error);

	if (!dtp) {
		fprintf(stderr, "loop: %s\n", dtrace_errmsg(NULL, error));
		return 1;
	}
	dtrace_setopt(dtp, "quiet", NULL);
	dtrace_prog_t *program = dtrace_program_strcompile(dtp, argv[1],
		DTRACE_PROBESPEC_NAME, 0, argc - 1, argv + 1);

	if (!program || dtrace_program_exec(dtp, program, NULL))
		return fail(dtp, "program");
	if (dtrace_go(dtp))
		return fail(dtp, "go");
	if (serve(dtp) == DTRACE_WORKSTATUS_ERROR || dtrace_stop(dtp))
		return fail(dtp, "work");
	dtrace_exit_status_ext(dtp, &exit_status);
	dtrace_close(dtp);
	return exit_status;
}
