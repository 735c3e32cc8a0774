/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A run with something to say of every sort: a library that does not compile,
 * a buffer that must grow, the log of the verifier, a fault.
 *
 *	silent		nobody wants to know
 *	silent told	a function gets the messages
 */
#include <dtrace.h>

#include <string.h>
#include <unistd.h>

static const char text[] =
	"BEGIN { trace(*(int *)8); }"
	"BEGIN { this->s = \"x\"; trace(this->s); trace(this->s); }"
	"END { trace(2); }";

/* The beginning is enough: what follows is the kernel's, or a number. */
static void tell(void *arg, const char *message)
{
	(void)arg;
	printf("told: %.*s\n", (int)strcspn(message, ":("), message);
}

static int fail(dtrace_hdl_t *dtp, const char *what)
{
	printf("%s: %s\n", what, dtrace_errmsg(dtp, dtrace_errno(dtp)));
	return 1;
}

int main(int argc, char **argv)
{
	int error;
	dtrace_hdl_t *dtp = dtrace_open(DTRACE_VERSION, 0, &error);
	dtrace_optval_t bufsize;

	(void)argv;
	if (argc > 1)
		dtrace_handle_message_ext(dtp, tell, NULL);
	dtrace_setopt(dtp, "quiet", NULL);
	dtrace_setopt(dtp, "bufsize", "600");
	dtrace_setopt(dtp, "bpflog", NULL);
	dtrace_setopt(dtp, "libdir", "library");
	dtrace_prog_t *program = dtrace_program_strcompile(
		dtp, text, DTRACE_PROBESPEC_NAME, 0, 0, NULL);

	if (!program || dtrace_program_exec(dtp, program, NULL))
		return fail(dtp, "program");
	if (dtrace_go(dtp))
		return fail(dtp, "go");
	dtrace_work(dtp, stdout, NULL, NULL, NULL);
	if (dtrace_stop(dtp))
		return fail(dtp, "stop");
	dtrace_getopt(dtp, "bufsize", &bufsize);
	printf("\nbufsize %lld\n", (long long)bufsize);
	dtrace_close(dtp);
	return 0;
}
