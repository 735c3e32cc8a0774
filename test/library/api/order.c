/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every public function, in random orders.
 *
 *	order SEED COUNT
 *
 * A handle, some calls in an order that the seed decides, the handle's end;
 * COUNT times.  What matters is that nothing crashes (the library may have been
 * built with sanitizers), that an error comes with words, and that a call that
 * is out of order is an error and does not disturb the run.
 */
#include <dtrace.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CALLS = 40, MOST = 8 };

static struct {
	dtrace_hdl_t *dtp;
	dtrace_prog_t *progs[MOST];
	int nprogs;
	dtrace_proc_t *procs[MOST];	/* also those that were released */
	bool is_released[MOST];
	int nprocs;
	bool has_begun, has_stopped, is_fixed;
	const char *call;
} now;

static FILE *nowhere;
static unsigned seed, sequence, step;
static int failures;

static unsigned pick(unsigned n)
{
	return (unsigned)rand_r(&seed) % n;
}

static void complain(const char *what)
{
	fprintf(stderr, "sequence %u, call %u, %s: %s\n", sequence, step,
		now.call, what);
	failures++;
}

/* A call that failed says why. */
static int said(int result)
{
	if (result < 0 && (!dtrace_errno(now.dtp) ||
			   !*dtrace_errmsg(now.dtp, dtrace_errno(now.dtp))))
		complain("failed without a reason");
	return result;
}

static void expect(int result, int error)
{
	if (said(result) != -1)
		complain("should have failed");
	else if (dtrace_errno(now.dtp) != error)
		complain(dtrace_errmsg(now.dtp, dtrace_errno(now.dtp)));
}

/* ------------------------------------------------------------- callbacks */

static int see_probe(dtrace_hdl_t *dtp, const dtrace_probedesc_t *pdp, void *arg)
{
	char text[DTRACE_FULLNAMELEN];

	(void)arg;
	dtrace_desc2str(pdp, text, sizeof(text));
	return dtp == now.dtp ? 1 : 0;
}

static int see_provider(dtrace_hdl_t *dtp, const dtrace_providerstate_ext_t *p,
			void *arg)
{
	(void)dtp;
	(void)arg;
	return !strcmp(p->dtps_name, "dtrace");
}

static int see_data(const dtrace_probedata_t *data, void *arg)
{
	(void)data;
	(void)arg;
	return DTRACE_CONSUME_THIS;
}

/* Frames are of stacks and symbols, and of nothing else. */
static void see_value(const dtrace_value_ext_t *value)
{
	bool has_frames = value->dtv_kind == DTRACE_VALUE_STACK ||
			  value->dtv_kind == DTRACE_VALUE_SYMBOL;
	dtrace_stack_ext_t stack;

	if (said(dtrace_value_stack_ext(now.dtp, value, &stack)) !=
	    (has_frames ? 0 : -1))
		complain("frames of a number, or none of a stack");
	for (uint32_t i = 0; i < stack.dts_nframes; i++)
		if (stack.dts_frames[i].dtf_kind > DTRACE_FRAME_SCRIPT)
			complain("a frame of no kind");
}

static int see_rec(const dtrace_probedata_t *data, const dtrace_recdesc_t *rec,
		   void *arg)
{
	(void)data;
	(void)arg;
	for (uint32_t i = 0; rec && i < rec->dtrd_nvalues; i++)
		see_value(&rec->dtrd_values[i]);
	return DTRACE_CONSUME_THIS;
}

static int see_agg(const dtrace_aggdata_t *data, void *arg)
{
	dtrace_bucket_ext_t bucket;

	(void)arg;
	for (uint32_t i = 0; i < data->dtada_nkeys; i++)
		see_value(&data->dtada_keys[i]);
	for (uint32_t i = 0; i <= data->dtada_nvalues; i++) {
		bool is_bucket = !data->dtada_has_number &&
				 i < data->dtada_nvalues;

		if (dtrace_aggregate_bucket_ext(data, i, &bucket) !=
		    (is_bucket ? 0 : -1))
			complain("a bucket of a number, or none of a histogram");
	}
	return DTRACE_AGGWALK_NEXT;
}

static int see_snapshot(const dtrace_snapdata_ext_t *data, void *arg)
{
	if (data->dtsn_from > data->dtsn_to)
		complain("a snapshot that ends before it begins");
	see_agg(data->dtsn_row, arg);
	return DTRACE_HANDLE_OK;
}

static int see_text(const dtrace_bufdata_t *data, void *arg)
{
	(void)data;
	(void)arg;
	return DTRACE_HANDLE_OK;
}

static int see_drop(const dtrace_dropdata_t *data, void *arg)
{
	(void)data;
	(void)arg;
	return DTRACE_HANDLE_OK;
}

static int see_error(const dtrace_errdata_t *data, void *arg)
{
	(void)data;
	(void)arg;
	return DTRACE_HANDLE_OK;
}

static void see_end(dtrace_proc_t *proc, const char *message, void *arg)
{
	(void)proc;
	(void)message;
	(void)arg;
}

static void see_message(void *arg, const char *message)
{
	(void)arg;
	(void)message;
}

/* -------------------------------------------------------------- programs */

static const char *const texts[] = {
	"BEGIN { trace(1); @a[probename] = count(); self->x = 1; }",
	"tick-1ms { @ = quantize(timestamp % 100); printf(\"%d\\n\", n++); }",
	"syscall::getppid:entry /pid == $target/ { trace(arg0); }",
	"END { printf(\"end\"); printa(@b); @b = sum(3); }",
	"tick-1ms { trace(1); stack(3); @s[stack(), ustack(5), usym(0)] = avg(1); }",
	"BEGIN { trace(*(int *)8); } ERROR { trace(arg4); }",
	"BEGIN { exit(3); }",
	"this is not D",
	"nosuch:::probe { }",
	"provider mine { probe here(int); };",
	"pid$target:libc:exit:entry { trace(arg0); } BEGIN { trace($0); }",
};

static dtrace_prog_t *any_program(void)
{
	return now.nprogs ? now.progs[pick((unsigned)now.nprogs)] : NULL;
}

static void keep(dtrace_prog_t *prog)
{
	if (!prog)
		said(-1);
	else if (now.nprogs < MOST)
		now.progs[now.nprogs++] = prog;
}

static void strcompile(void)
{
	static char *const args[] = { "zero", "1" };
	unsigned n = pick(sizeof(texts) / sizeof(*texts));

	keep(dtrace_program_strcompile(now.dtp, texts[n], DTRACE_PROBESPEC_NAME,
				       n == 9 ? DTRACE_C_BUILD_EXT :
						DTRACE_C_ZDEFS * pick(2),
				       (int)pick(3), args));
}

static void fcompile(void)
{
	FILE *fp = fmemopen((void *)texts[0], strlen(texts[0]), "r");

	keep(dtrace_program_fcompile(now.dtp, fp, 0, 0, NULL));
	fclose(fp);
}

static void pathcompile(void)
{
	keep(dtrace_program_pathcompile_ext(now.dtp,
					    pick(2) ? "script.d" : "/nowhere",
					    0, 0, NULL));
}

static void exec(void)
{
	dtrace_prog_t *prog = any_program();
	dtrace_proginfo_t info;

	if (!prog)
		return;
	int result = dtrace_program_exec(now.dtp, prog, pick(2) ? &info : NULL);

	if (now.has_begun)
		expect(result, EDT_ACTIVE);
	else if (now.is_fixed)
		expect(result, EDT_ORDER);
	else
		said(result);
}

static void about_program(void)
{
	dtrace_prog_t *prog = any_program();
	dtrace_proginfo_t info;

	if (!prog)
		return;
	dtrace_program_info(now.dtp, prog, &info);
	dtrace_program_desc_iter_ext(now.dtp, prog, see_probe, NULL);
}

static void complete(void)
{
	dtrace_prog_t *prog = any_program();

	if (prog)
		said(dtrace_program_complete_ext(now.dtp, prog));
}

static void finish(void)
{
	said(dtrace_program_finish_ext(now.dtp));
}

static void disassemble(void)
{
	said(dtrace_disassemble_ext(now.dtp, nowhere));
	now.is_fixed = true;
}

static void make_header(void)
{
	said(dtrace_program_header(now.dtp, nowhere, pick(2) ? "h.h" : NULL));
}

static void make_object(void)
{
	said(dtrace_program_link(now.dtp, any_program(), DTRACE_D_LAZYLOAD_EXT,
				 "object.o", 0, NULL));
}

/* ---------------------------------------------------- probes, names, texts */

static void about_probes(void)
{
	dtrace_probedesc_t desc;
	dtrace_probeinfo_t info;

	if (!said(dtrace_str2desc(now.dtp, DTRACE_PROBESPEC_NAME,
				  pick(2) ? "syscall::read:entry" : "a:b:c:d:e",
				  &desc))) {
		said(dtrace_probe_iter(now.dtp, &desc, see_probe, NULL));
		said(dtrace_probe_info(now.dtp, &desc, &info));
	}
	said(dtrace_id2desc(now.dtp, pick(3000), &desc));
}

static void about_providers(void)
{
	said(dtrace_provider_iter_ext(now.dtp, see_provider, NULL));
	dtrace_privilege_ext(now.dtp);
}

static void about_symbols(void)
{
	dtrace_symbol_ext_t symbol;
	char text[64];

	said(dtrace_kaddr2sym_ext(now.dtp, 0xffffffff81000000, &symbol));
	said(dtrace_kname2sym_ext(now.dtp, "no_such_name", &symbol));
	dtrace_uaddr2str_ext(now.dtp, getpid(), (uintptr_t)complain, text,
			     sizeof(text));
}

static void about_attributes(void)
{
	dtrace_attribute_t attribute;
	char text[DTRACE_ATTR2STR_MAX];

	if (dtrace_str2attr("Stable/Stable/Common", &attribute))
		complain("no attribute");
	dtrace_attr2str(attribute, text, sizeof(text));
	if (strcmp(text, "Stable/Stable/Common") ||
	    !dtrace_stability_name(attribute.dtat_name) ||
	    !dtrace_class_name(attribute.dtat_class))
		complain(text);
}

static void options(void)
{
	static const struct {
		const char *name, *value;
	} all[] = {
		{ "bufsize", "64k" }, { "strsize", "32" }, { "quiet", NULL },
		{ "aggsize", "64k" }, { "interval", "1ms" },
		{ "switchrate", "1ms" }, { "nosuch", "1" },
		{ "bufsize", "nonsense" }, { "aggrate", "1ms" },
		{ "destructive", NULL }, { "bufpolicy", "ring" },
	};
	unsigned n = pick(sizeof(all) / sizeof(*all));
	dtrace_optval_t value;

	said(dtrace_setopt(now.dtp, all[n].name, all[n].value));
	said(dtrace_getopt(now.dtp, all[n].name, &value));
	dtrace_optnearest_ext(all[n].name);
	dtrace_optname_ext(n);
	dtrace_provider_name_ext(n);
	free(dtrace_optexpects_ext(all[n].name));
	dtrace_optreport_ext(now.dtp, nowhere);
	dtrace_opthelp_ext(nowhere);
	free(dtrace_visible_ext("a\033b", DTRACE_VISIBLE_NAME));
}

static int see_parameter(dtrace_hdl_t *dtp, const dtrace_param_ext_t *param,
			 void *arg)
{
	(void)dtp;
	(void)arg;
	return !param->dtpa_name || !param->dtpa_type || !param->dtpa_help;
}

static void parameters(void)
{
	static const char declarations[] =
		"#pragma D parameter min time = 10ms \"help\"\n"
		"#pragma D parameter wide bool \"help\"\n"
		"BEGIN { trace($min); }";
	static const char *const words[] = {
		"--min", "1s", "--min=x", "--wide", "--help", "--", "--nosuch", "a",
	};
	char *argv[5] = { (char *)"name" };
	int argc = 1 + (int)pick(4);

	for (int i = 1; i < argc; i++)
		argv[i] = (char *)(uintptr_t)
			words[pick(sizeof(words) / sizeof(*words))];
	said(dtrace_param_text_ext(now.dtp, declarations));
	said(dtrace_param_file_ext(now.dtp, "/nonexistent"));
	said(dtrace_param_letters_ext(now.dtp, "/nonexistent"));
	said(dtrace_param_parse_ext(now.dtp, &argc, argv));
	said(dtrace_param_iter_ext(now.dtp, see_parameter, NULL));
	dtrace_param_help_ext(now.dtp, "name", nowhere);
	free(dtrace_param_expand_ext(now.dtp, "$min $nosuch"));
}

static void about_errors(void)
{
	dtrace_errmsg(now.dtp, dtrace_errno(now.dtp));
	dtrace_errmsg(NULL, (int)pick(2000));
	dtrace_errexcerpt_ext(now.dtp);
	dtrace_complaint_ext_t complaint;

	if (!dtrace_errplace_ext(now.dtp, &complaint) &&
	    (!*complaint.dtcm_tag || !*complaint.dtcm_message))
		complain("a complaint without words");
	dtrace_close(NULL);
}

static void see_complaint(void *arg, const dtrace_complaint_ext_t *complaint)
{
	(void)arg;
	if (!*complaint->dtcm_message)
		complain("a complaint without words");
}

static void see_name(void *arg, const dtrace_name_ext_t *name)
{
	(void)arg;
	if (!*name->dtnm_declaration)
		complain("a name without a declaration");
}

static void inspection(void)
{
	const dtrace_inspect_ext_t what = {
		.dtin_name = "name",
		.dtin_text = "BEGIN { x = pid; y = nosuch; trace(x }\nEND { @a = count(x); }",
		.dtin_line = 1,
		.dtin_column = pick(40),
		.dtin_complain = pick(2) ? see_complaint : NULL,
		.dtin_define = pick(2) ? see_name : NULL,
		.dtin_find = pick(2) ? see_name : NULL,
	};

	said(dtrace_inspect_ext(now.dtp, &what));
}

static int see_completion(dtrace_hdl_t *dtp,
			  const dtrace_completion_ext_t *completion, void *arg)
{
	(void)dtp;
	(void)arg;
	if (!*completion->dtco_text)
		complain("a completion without text");
	return !pick(100);
}

static void completion(void)
{
	static const char text[] =
		"BEGIN { x = curthread; trace(x->comm } syscall::read:entry { tra";

	said(dtrace_complete_ext(now.dtp, text, sizeof(text) - 1,
				 pick(sizeof(text)), DTRACE_PROBESPEC_NAME,
				 see_completion, NULL));
}

static void handlers(void)
{
	bool is_there = pick(2);

	dtrace_handle_drop(now.dtp, is_there ? see_drop : NULL, NULL);
	dtrace_handle_err(now.dtp, is_there ? see_error : NULL, NULL);
	dtrace_handle_proc(now.dtp, is_there ? see_end : NULL, NULL);
	dtrace_handle_buffered(now.dtp, is_there ? see_text : NULL, NULL);
	said(dtrace_handle_snapshot_ext(now.dtp, is_there ? see_snapshot : NULL,
					NULL));
}

/* -------------------------------------------------------------- processes */

static void keep_process(dtrace_proc_t *proc)
{
	if (!proc) {
		said(-1);
		return;
	}
	/* one that was released may have been in the same place */
	for (int i = 0; i < now.nprocs; i++)
		if (now.procs[i] == proc)
			now.procs[i] = NULL;
	now.procs[now.nprocs++] = proc;
}

static void create(void)
{
	char *argv[] = { pick(4) ? "true" : "/nowhere", NULL };

	if (now.nprocs < MOST)
		keep_process(dtrace_proc_create(now.dtp, argv[0], argv,
						!pick(4)));
}

static void grab(void)
{
	if (now.nprocs < MOST)
		keep_process(dtrace_proc_grab_pid(now.dtp,
						  pick(3) ? getppid() : -1, 0));
}

static void use_process(void)
{
	int n = now.nprocs ? (int)pick((unsigned)now.nprocs) : -1;
	dtrace_proc_t *proc = n < 0 ? NULL : now.procs[n];
	bool is_nobody = n < 0 || now.is_released[n];

	if ((dtrace_proc_getpid(now.dtp, proc) == -1) != is_nobody)
		complain("a pid of nobody, or none of a process");
	if (pick(2))
		dtrace_proc_continue(now.dtp, proc);
	if (pick(2)) {
		dtrace_proc_release(now.dtp, proc);
		if (n >= 0)
			now.is_released[n] = true;
	}
}

/* -------------------------------------------------------------------- run */

static void go(void)
{
	int result = pick(2) ? dtrace_go(now.dtp)
			     : dtrace_go_ext(now.dtp, pick(3) ? nowhere : NULL,
					     NULL, NULL, NULL);

	if (now.has_stopped)
		expect(result, EDT_ORDER);
	else if (now.has_begun)
		expect(result, EDT_ACTIVE);
	else if (!said(result))
		now.has_begun = true;
	now.is_fixed = true;
}

static void work(void)
{
	bool has_functions = !pick(3);
	dtrace_workstatus_t status = dtrace_work(now.dtp,
		pick(3) ? nowhere : NULL, has_functions ? see_data : NULL,
		has_functions ? see_rec : NULL, NULL);

	if (!now.has_begun)
		expect(status, EDT_ORDER);
	else if (now.has_stopped && status != DTRACE_WORKSTATUS_DONE)
		complain("there is nothing to do any more");
	else
		said(status);
	dtrace_sleep(now.dtp);
}

/* An event loop of the consumer's own. */
static void poll_once(void)
{
	bool has_functions = !pick(3);
	int fd = dtrace_fd_ext(now.dtp);
	dtrace_progress_ext_t progress;
	int how_far = dtrace_progress_ext(now.dtp, &progress);

	if (!now.has_begun)
		expect(how_far, EDT_ORDER);
	else if (said(how_far) == 0 && progress.dtpr_pictures)
		complain("no picture was asked for");

	dtrace_cost_ext_t cost;

	if (said(dtrace_cost_ext(now.dtp, &cost)) == 0 && now.has_begun &&
	    !cost.dtct_bytes)
		complain("tracing takes no memory");
	if ((fd >= 0) != now.has_begun)
		complain("a descriptor before tracing, or none");
	dtrace_workstatus_t status = dtrace_poll_ext(now.dtp,
		pick(3) ? nowhere : NULL, has_functions ? see_data : NULL,
		has_functions ? see_rec : NULL, NULL);

	if (!now.has_begun)
		expect(status, EDT_ORDER);
	else if (now.has_stopped && status != DTRACE_WORKSTATUS_DONE)
		complain("there is nothing to do any more");
	else
		said(status);
}

/* A handle that has compiled or traced does not; a file may be anything. */
static void replay(void)
{
	static const char *const files[] = { "run.rec", "cut.rec", "script.d",
					     "/nowhere" };
	unsigned n = pick(4);
	int result = dtrace_replay_ext(now.dtp, files[n], nowhere, see_data,
				       see_rec, NULL);

	if (now.has_begun)
		expect(result, EDT_ORDER);
	else if (said(result) == 0 && n > 1)
		complain("that is no recording");
}

static void stop(void)
{
	int result = dtrace_stop(now.dtp);

	if (!now.has_begun) {
		expect(result, EDT_ORDER);
		return;
	}
	said(result);
	now.has_stopped = true;
}

static void status(void)
{
	dtrace_status_t is = dtrace_status(now.dtp);
	int number;

	if ((is == DTRACE_STATUS_NONE) != !now.has_begun ||
	    (is == DTRACE_STATUS_STOPPED) != now.has_stopped)
		complain("wrong status");
	dtrace_exit_status_ext(now.dtp, &number);
}

static void interrupt(void)
{
	if (!pick(4))
		dtrace_interrupt(now.dtp);
}

static void aggregations(void)
{
	int expected = now.has_begun ? 0 : -1;

	if (said(dtrace_aggregate_snap(now.dtp)) != expected ||
	    said(dtrace_aggregate_walk(now.dtp, see_agg, NULL)) != expected ||
	    said(dtrace_aggregate_walk_sorted(now.dtp, see_agg, NULL)) !=
		    expected)
		complain("aggregations are there while tracing, and after");
	said(dtrace_aggregate_print(now.dtp, nowhere, NULL));
	if (pick(2))
		dtrace_aggregate_clear(now.dtp);
}

static const struct {
	const char *name;
	void (*call)(void);
	unsigned weight;
} calls[] = {
	{ "compile a text", strcompile, 4 },
	{ "compile a stream", fcompile, 1 },
	{ "compile a file", pathcompile, 1 },
	{ "exec", exec, 4 },
	{ "about a program", about_program, 1 },
	{ "complete", complete, 1 },
	{ "finish", finish, 1 },
	{ "disassemble", disassemble, 1 },
	{ "header", make_header, 1 },
	{ "object", make_object, 1 },
	{ "about probes", about_probes, 1 },
	{ "about providers", about_providers, 1 },
	{ "about symbols", about_symbols, 1 },
	{ "about attributes", about_attributes, 1 },
	{ "options", options, 4 },
	{ "parameters", parameters, 2 },
	{ "about errors", about_errors, 1 },
	{ "inspection", inspection, 1 },
	{ "completion", completion, 1 },
	{ "handlers", handlers, 1 },
	{ "create", create, 1 },
	{ "grab", grab, 1 },
	{ "use a process", use_process, 3 },
	{ "go", go, 2 },
	{ "work", work, 3 },
	{ "poll", poll_once, 2 },
	{ "replay", replay, 1 },
	{ "stop", stop, 1 },
	{ "status", status, 1 },
	{ "interrupt", interrupt, 1 },
	{ "aggregations", aggregations, 2 },
};

static void run(void)
{
	unsigned total = 0;
	int error;

	memset(&now, 0, sizeof(now));
	now.dtp = dtrace_open(DTRACE_VERSION, 0, &error);
	dtrace_handle_message_ext(now.dtp, see_message, NULL);
	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++)
		total += calls[i].weight;
	for (step = 0; step < CALLS; step++) {
		unsigned n = pick(total);
		size_t i = 0;

		while (n >= calls[i].weight)
			n -= calls[i++].weight;
		now.call = calls[i].name;
		if (getenv("ORDER_VERBOSE"))
			fprintf(stderr, "%u %u %s\n", sequence, step, now.call);
		calls[i].call();
	}
	dtrace_close(now.dtp);
}

int main(int argc, char **argv)
{
	unsigned first = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
	unsigned count = argc > 2 ? (unsigned)atoi(argv[2]) : 1;

	nowhere = fopen("/dev/null", "w");
	for (sequence = first; sequence < first + count; sequence++) {
		seed = sequence;
		run();
	}
	fprintf(stderr, "%d failures\n", failures);
	fclose(nowhere);
	return failures != 0;
}
