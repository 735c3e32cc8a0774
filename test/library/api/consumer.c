/* SPDX-License-Identifier: Apache-2.0 */
/* Text by callback, aggregations changed while walked, a run cut short. */
#include <dtrace.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int on_text(const dtrace_bufdata_t *data, void *arg)
{
	(void)arg;
	printf("<%s>%s\n", data->dtbda_buffered,
	       data->dtbda_probe ? data->dtbda_probe->dtpda_pdesc->dtpd_name :
				   "");
	return strstr(data->dtbda_buffered, "abort") ? DTRACE_HANDLE_ABORT :
						       DTRACE_HANDLE_OK;
}

/* Keys 1: zeroed, 2: removed, 4: the end of the walk. */
static int change(const dtrace_aggdata_t *data, void *arg)
{
	int *seen = arg;

	++*seen;
	switch (data->dtada_keys[0].dtv_integer) {
	case 1:
		return DTRACE_AGGWALK_CLEAR;
	case 2:
		return DTRACE_AGGWALK_REMOVE;
	case 4:
		return DTRACE_AGGWALK_ABORT;
	default:
		return DTRACE_AGGWALK_NEXT;
	}
}

static dtrace_hdl_t *start(const char *text)
{
	int error;
	dtrace_hdl_t *dtp = dtrace_open(DTRACE_VERSION, 0, &error);
	dtrace_prog_t *program;

	dtrace_setopt(dtp, "quiet", NULL);
	dtrace_handle_buffered(dtp, on_text, NULL);
	program = dtrace_program_strcompile(dtp, text, DTRACE_PROBESPEC_NAME,
					    0, 0, NULL);
	if (!program || dtrace_program_exec(dtp, program, NULL) ||
	    dtrace_go(dtp)) {
		printf("%s\n", dtrace_errmsg(dtp, dtrace_errno(dtp)));
		exit(1);
	}
	return dtp;
}

static void end(dtrace_hdl_t *dtp)
{
	dtrace_workstatus_t status;

	do
		status = dtrace_work(dtp, NULL, NULL, NULL, NULL);
	while (status == DTRACE_WORKSTATUS_OKAY);
	if (status == DTRACE_WORKSTATUS_ERROR || dtrace_stop(dtp))
		printf("ended: %s\n", dtrace_errmsg(dtp, dtrace_errno(dtp)));
}

static int skip(const dtrace_probedata_t *data, void *arg)
{
	(void)arg;
	return data->dtpda_epid ? DTRACE_CONSUME_THIS : DTRACE_CONSUME_NEXT;
}

int main(void)
{
	dtrace_hdl_t *dtp = start(
		"BEGIN { printf(\"one \"); printf(\"line\"); } BEGIN { trace(2); }"
		"BEGIN { @ = count(); exit(0); } END { trace(\"end\"); }");
	int seen = 0;

	end(dtp);
	dtrace_close(dtp);

	dtp = start("BEGIN { @[1] = count(); @[2] = count(); @[3] = count();"
		    "@[4] = count(); @[5] = count(); exit(0); }");
	end(dtp);
	dtrace_aggregate_snap(dtp);
	printf("walk %d\n", dtrace_aggregate_walk(dtp, change, &seen));
	printf("saw %d\n", seen);
	dtrace_aggregate_print(dtp, NULL, NULL);
	dtrace_aggregate_clear(dtp);
	fflush(stdout);
	dtrace_aggregate_print(dtp, stdout, NULL);
	dtrace_close(dtp);

	dtp = start("BEGIN { printf(\"abort\"); } BEGIN { printf(\"never\"); }"
		    "END { printf(\"never\"); } BEGIN { exit(0); }");
	end(dtp);
	printf("status %d\n", dtrace_errno(dtp) == EDT_ABORTED);
	dtrace_close(dtp);

	/* records skipped by the probe function; exit() works all the same */
	dtp = start("BEGIN { printf(\"unseen\"); exit(3); }"
		    "END { printf(\"seen\\n\"); }");
	while (dtrace_work(dtp, stdout, skip, NULL, NULL) ==
	       DTRACE_WORKSTATUS_OKAY)
		continue;
	dtrace_stop(dtp);
	dtrace_exit_status_ext(dtp, &seen);
	printf("exit status %d\n", seen);
	dtrace_close(dtp);
	return 0;
}
