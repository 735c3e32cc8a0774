/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A command that is held stands where it is while programs that ask about its
 * libraries are compiled.  It moves at one step, to evaltime, and stands there
 * again.
 *
 *	held COMMAND TEXT ...	compile each text, and say where the command is
 */
#include <dtrace.h>

#include <stdlib.h>
#include <string.h>

static dtrace_hdl_t *dtp;
static pid_t child;

static int failed(const char *what)
{
	printf("%s: %s\n", what, dtrace_errmsg(dtp, dtrace_errno(dtp)));
	return 1;
}

/* A line of a file of the command's. */
static const char *read_line(const char *name)
{
	static char line[4096];
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)child, name);
	FILE *file = fopen(path, "re");

	if (!file || !fgets(line, sizeof(line), file))
		snprintf(line, sizeof(line), "gone");
	if (file)
		fclose(file);
	return line;
}

/* Objects that it has mapped, without what the kernel shows it. */
static int count_objects(void)
{
	char path[64], line[4096], last[4096] = "";
	int count = 0;

	snprintf(path, sizeof(path), "/proc/%d/maps", (int)child);
	FILE *file = fopen(path, "re");

	while (file && fgets(line, sizeof(line), file)) {
		const char *object = strchr(line, '/');

		if (!object || !strcmp(object, last))
			continue;
		snprintf(last, sizeof(last), "%s", object);
		count++;
	}
	if (file)
		fclose(file);
	return count;
}

/* Where it stands: registers of the system call, and what it has mapped. */
static void look(const char *when, const char *before)
{
	printf("%s: %s, %s\n", when,
	       strcmp(read_line("syscall"), before) ? "it has moved" :
						      "it stands still",
	       count_objects() == 2 ? "program and linker are mapped" :
				      "libraries are mapped");
}

int main(int argc, char **argv)
{
	char *const command[] = { argv[1], NULL };
	int error;
	dtrace_proginfo_t info;

	if (argc < 3 || argc > 16 || !(dtp = dtrace_open(DTRACE_VERSION, 0, &error)))
		return 2;
	setvbuf(stdout, NULL, _IONBF, 0);
	dtrace_proc_t *proc = dtrace_proc_create(dtp, argv[1], command, 0);

	if (!proc)
		return failed("create");
	child = dtrace_proc_getpid(dtp, proc);
	static char before[512];
	dtrace_prog_t *programs[16];

	snprintf(before, sizeof(before), "%s", read_line("syscall"));

	for (int i = 2; i < argc; i++) {
		programs[i] = dtrace_program_strcompile(dtp, argv[i],
			DTRACE_PROBESPEC_NAME, 0, 0, NULL);
		if (!programs[i])
			return failed("compile");
		look("compiled", before);
	}
	for (int i = 2; i < argc; i++) {
		if (dtrace_program_exec(dtp, programs[i], &info))
			return failed("enable");
		printf("enabled: %u probes\n", info.dpi_matches);
		look("enabled", before);
	}
	if (dtrace_go(dtp))
		return failed("go");
	look("going", before);
	dtrace_proc_continue(dtp, proc);
	while (dtrace_work(dtp, stdout, NULL, NULL, NULL) ==
	       DTRACE_WORKSTATUS_OKAY)
		continue;
	dtrace_stop(dtp);
	dtrace_close(dtp);
	return 0;
}
