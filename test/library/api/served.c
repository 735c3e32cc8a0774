/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two handles, and a process that maps a file of FUSE: each handle hears of
 * its own refusal, and one that may wait (blockingreads) does not make the
 * other wait.  served PID
 */
#include <dtrace.h>

#include <stdlib.h>
#include <string.h>

static void hear(void *name, const char *message)
{
	if (strstr(message, "is not read"))
		printf("%s: a file is not read\n", (const char *)name);
}

static dtrace_hdl_t *open_handle(const char *name)
{
	int error;
	dtrace_hdl_t *dtp = dtrace_open(DTRACE_VERSION, 0, &error);

	if (!dtp)
		exit(1);
	dtrace_handle_message_ext(dtp, hear, (void *)(uintptr_t)name);
	/* its session is made with the first program */
	if (!dtrace_program_strcompile(dtp, "BEGIN", DTRACE_PROBESPEC_NAME, 0,
				       0, NULL))
		exit(1);
	return dtp;
}

static int count(dtrace_hdl_t *dtp, const dtrace_probedesc_t *desc, void *arg)
{
	(void)dtp;
	(void)desc;
	++*(int *)arg;
	return 0;
}

static void ask(dtrace_hdl_t *dtp, const char *name, const char *pid)
{
	dtrace_probedesc_t desc;
	char text[64];
	int found = 0;

	snprintf(text, sizeof(text), "pid%s::take:entry", pid);
	dtrace_str2desc(dtp, DTRACE_PROBESPEC_NAME, text, &desc);
	dtrace_probe_iter(dtp, &desc, count, &found);
	printf("%s: %d probes\n", name, found);
}

int main(int argc, char **argv)
{
	if (argc != 2)
		return 2;
	setvbuf(stdout, NULL, _IONBF, 0);
	dtrace_hdl_t *first = open_handle("first");
	dtrace_hdl_t *second = open_handle("second");
	dtrace_hdl_t *waiting = open_handle("waiting");

	dtrace_setopt(waiting, "blockingreads", NULL);
	ask(first, "first", argv[1]);
	ask(waiting, "waiting", argv[1]);
	ask(second, "second", argv[1]);
	dtrace_close(waiting);
	dtrace_close(second);
	dtrace_close(first);
	return 0;
}
