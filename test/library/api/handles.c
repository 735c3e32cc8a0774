/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Handles: two at once, and one after the other many times.
 *
 *	handles together	two trace, each prints what is its own
 *	handles compile N	N times: open, compile, close
 *	handles trace N		N times a whole run
 *
 * Nothing may be left of a handle that was closed: no memory, no descriptor,
 * no mapping.  Valgrind finds what was lost; what is kept and grows is counted
 * here, from the moment on when everything was used once.
 */
#include <dtrace.h>

#include <dirent.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

static void must(dtrace_hdl_t *dtp, int good, const char *what)
{
	if (good)
		return;
	printf("%s: %s\n", what, dtrace_errmsg(dtp, dtrace_errno(dtp)));
	exit(1);
}

static dtrace_hdl_t *compile(const char *text)
{
	int error;
	dtrace_hdl_t *dtp = dtrace_open(DTRACE_VERSION, 0, &error);

	if (!dtp) {
		printf("open: %s\n", dtrace_errmsg(NULL, error));
		exit(1);
	}
	dtrace_setopt(dtp, "quiet", NULL);
	dtrace_setopt(dtp, "bufsize", "64k");
	dtrace_prog_t *program = dtrace_program_strcompile(dtp, text,
		DTRACE_PROBESPEC_NAME, 0, 0, NULL);

	must(dtp, program != NULL, "compile");
	must(dtp, !dtrace_program_exec(dtp, program, NULL), "exec");
	return dtp;
}

static void together(void)
{
	dtrace_hdl_t *handles[2] = {
		compile("int n; BEGIN { n = 1; printf(\"first %d\\n\", n); } tick-50ms { printf(\"first %d\\n\", ++n); exit(n); } END { printf(\"first ends\\n\"); }"),
		compile("int n; BEGIN { n = 5; printf(\"second %d\\n\", n); } tick-50ms { printf(\"second %d\\n\", ++n); exit(n); } END { printf(\"second ends\\n\"); }"),
	};
	char *texts[2];
	size_t sizes[2];
	FILE *files[2];
	int running = 2;

	for (int i = 0; i < 2; i++) {
		files[i] = open_memstream(&texts[i], &sizes[i]);
		must(handles[i], !dtrace_go(handles[i]), "go");
	}
	while (running) {
		running = 0;
		for (int i = 0; i < 2; i++) {
			dtrace_workstatus_t status = dtrace_work(
				handles[i], files[i], NULL, NULL, NULL);

			must(handles[i], status != DTRACE_WORKSTATUS_ERROR,
			     "work");
			running += status == DTRACE_WORKSTATUS_OKAY;
		}
	}
	for (int i = 0; i < 2; i++) {
		int status = -1;

		must(handles[i], !dtrace_stop(handles[i]), "stop");
		dtrace_exit_status_ext(handles[i], &status);
		dtrace_close(handles[i]);
		fclose(files[i]);
		printf("%sstatus %d\n", texts[i], status);
		free(texts[i]);
	}
}

/* Without probes of the kernel's, so that valgrind need not know its calls. */
static void only_compile(void)
{
	dtrace_hdl_t *dtp = compile(
		"struct pair { int a; string b; }; struct pair pairs[int]; "
		"BEGIN / curpsinfo->pr_pid != 0 / { pairs[1].b = strjoin(execname, \"x\"); @[ustack(), pid] = quantize(1); } "
		"syscall::read:entry { self->t = timestamp; printf(\"%d %s\", arg0, copyinstr(arg1)); }");

	dtrace_close(dtp);
}

static void trace(void)
{
	dtrace_hdl_t *dtp = compile(
		"int seen[int]; BEGIN { seen[1] = 2; @[execname] = count(); printf(\"%s\", probename); exit(0); }");
	FILE *sink = fopen("/dev/null", "w");

	must(dtp, !dtrace_go(dtp), "go");
	while (dtrace_work(dtp, sink, NULL, NULL, NULL) ==
	       DTRACE_WORKSTATUS_OKAY)
		continue;
	must(dtp, !dtrace_stop(dtp), "stop");
	dtrace_close(dtp);
	fclose(sink);
}

static long count_entries(const char *path)
{
	DIR *dir = opendir(path);
	long count = 0;

	while (readdir(dir))
		count++;
	closedir(dir);
	return count;
}

static void repeat(void (*run)(void), int times)
{
	size_t memory = 0;
	long files = 0;

	for (int i = 0; i < times; i++) {
		run();
		if (i)
			continue;
		memory = mallinfo2().uordblks + mallinfo2().hblkhd;
		files = count_entries("/proc/self/fd");
	}
	long more = (long)(mallinfo2().uordblks + mallinfo2().hblkhd - memory);

	if (more > 0 && times > 1)
		printf("%ld bytes more than after the first\n", more);
	if (count_entries("/proc/self/fd") != files)
		printf("%ld descriptors, and %ld after the first\n",
		       count_entries("/proc/self/fd"), files);
	printf("done %d times\n", times);
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "compile"))
		repeat(only_compile, atoi(argv[2]));
	else if (argc == 3 && !strcmp(argv[1], "trace"))
		repeat(trace, atoi(argv[2]));
	else
		together();
	return 0;
}
