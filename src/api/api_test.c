/* SPDX-License-Identifier: Apache-2.0 */
/* The public interface as an outside program uses it, without privileges. */
#include <dtrace.h>

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static int set_up(void **state)
{
	int error;

	*state = dtrace_open(DTRACE_VERSION, 0, &error);
	return !*state;
}

static int tear_down(void **state)
{
	dtrace_close(*state);
	return 0;
}

static void versions_of_the_interface(void **state)
{
	int error = 0;

	(void)state;
	assert_null(dtrace_open(DTRACE_VERSION + 1, 0, &error));
	assert_int_equal(error, EDT_VERSION);
}

static void options(void **state)
{
	dtrace_hdl_t *dtp = *state;
	dtrace_optval_t value;

	assert_int_equal(dtrace_setopt(dtp, "bufsize", "64k"), 0);
	assert_int_equal(dtrace_getopt(dtp, "bufsize", &value), 0);
	assert_int_equal(value, 65536);
	assert_int_equal(dtrace_getopt(dtp, "quiet", &value), 0);
	assert_int_equal(value, DTRACEOPT_UNSET);
	assert_int_equal(dtrace_setopt(dtp, "quiet", NULL), 0);
	dtrace_getopt(dtp, "quiet", &value);
	assert_int_equal(value, 1);

	assert_int_equal(dtrace_setopt(dtp, "banana", NULL), -1);
	assert_int_equal(dtrace_errno(dtp), EDT_BADOPTNAME);
	assert_string_equal(dtrace_errmsg(dtp, dtrace_errno(dtp)),
			    "Invalid option name");
	assert_int_equal(dtrace_setopt(dtp, "bufsize", "x"), -1);
	assert_string_equal(dtrace_errmsg(dtp, dtrace_errno(dtp)),
			    "Invalid value for specified option");
	assert_string_equal(dtrace_errmsg(dtp, EDT_NOPROBE),
			    "No probe matches description");
}

static const struct {
	dtrace_probespec_t spec;
	const char *text, *printed; /* NULL: refused */
} descriptions[] = {
	{ DTRACE_PROBESPEC_NAME, "BEGIN", ":::BEGIN" },
	{ DTRACE_PROBESPEC_NAME, "read:entry", "::read:entry" },
	{ DTRACE_PROBESPEC_NAME, "a:b:c:d", "a:b:c:d" },
	{ DTRACE_PROBESPEC_NAME, "a:::", "a:::" },
	{ DTRACE_PROBESPEC_NAME, "", ":::" },
	{ DTRACE_PROBESPEC_NAME, "a:b:c:d:e", NULL },
	{ DTRACE_PROBESPEC_NAME, "12", "12" },
	{ DTRACE_PROBESPEC_FUNC, "m:f", ":m:f:" },
	{ DTRACE_PROBESPEC_MOD, "m", ":m::" },
	{ DTRACE_PROBESPEC_PROVIDER, "p", "p:::" },
	{ DTRACE_PROBESPEC_PROVIDER, "p:m", NULL },
};

static void descriptions_as_text(void **state)
{
	dtrace_hdl_t *dtp = *state;

	for (size_t i = 0; i < sizeof(descriptions) / sizeof(descriptions[0]);
	     i++) {
		dtrace_probedesc_t desc;
		char text[DTRACE_FULLNAMELEN];
		int result = dtrace_str2desc(dtp, descriptions[i].spec,
					     descriptions[i].text, &desc);

		if (!descriptions[i].printed) {
			assert_int_equal(result, -1);
			assert_int_equal(dtrace_errno(dtp), EDT_BADPSPEC);
			continue;
		}
		assert_int_equal(result, 0);
		assert_string_equal(dtrace_desc2str(&desc, text, sizeof(text)),
				    descriptions[i].printed);
	}
}

static int count(dtrace_hdl_t *dtp, const dtrace_probedesc_t *probe, void *arg)
{
	(void)dtp;
	assert_true(probe->dtpd_id != DTRACE_IDNONE);
	++*(int *)arg;
	return 0;
}

static int stop(dtrace_hdl_t *dtp, const dtrace_probedesc_t *probe, void *arg)
{
	(void)dtp;
	(void)probe;
	(void)arg;
	return 7;
}

static void walking_probes(void **state)
{
	dtrace_hdl_t *dtp = *state;
	dtrace_probedesc_t desc;
	dtrace_probeinfo_t info;
	int n = 0;

	dtrace_str2desc(dtp, DTRACE_PROBESPEC_PROVIDER, "dtrace", &desc);
	assert_int_equal(dtrace_probe_iter(dtp, &desc, count, &n), 0);
	assert_int_equal(n, 3);
	assert_int_equal(dtrace_probe_iter(dtp, NULL, stop, NULL), 7);
	dtrace_str2desc(dtp, DTRACE_PROBESPEC_PROVIDER, "banana", &desc);
	assert_int_equal(dtrace_probe_iter(dtp, &desc, count, &n), -1);
	assert_int_equal(dtrace_errno(dtp), EDT_NOPROBE);

	assert_int_equal(dtrace_id2desc(dtp, 2, &desc), 0);
	assert_string_equal(desc.dtpd_name, "END");
	assert_int_equal(dtrace_probe_info(dtp, &desc, &info), 0);
	assert_string_equal(dtrace_stability_name(info.dtp_attr.dtat_name),
			    "Stable");
	assert_string_equal(dtrace_class_name(info.dtp_attr.dtat_class),
			    "Common");
	assert_int_equal(info.dtp_argc, 0);
}

static void programs(void **state)
{
	dtrace_hdl_t *dtp = *state;
	char zero[] = "dtrace", one[] = "5";
	char *const argv[] = { zero, one, NULL };
	dtrace_proginfo_t info;
	int n = 0;
	dtrace_prog_t *program =
		dtrace_program_strcompile(dtp, "BEGIN, END { x = $1; }",
					  DTRACE_PROBESPEC_NAME, 0, 2, argv);

	assert_non_null(program);
	dtrace_program_info(dtp, program, &info);
	assert_int_equal(info.dpi_matches, 2);
	assert_int_equal(dtrace_program_desc_iter_ext(dtp, program, stop, &n),
			 7);
	assert_int_equal(dtrace_program_finish_ext(dtp), 0);
	assert_int_equal(dtrace_program_exec(dtp, program, &info), 0);
	assert_int_equal(info.dpi_matches, 2);
	assert_int_equal(dtrace_status(dtp), DTRACE_STATUS_NONE);

	assert_null(dtrace_program_strcompile(dtp, "BEGIN { nonsense; }",
					      DTRACE_PROBESPEC_NAME, 0, 2,
					      argv));
	assert_int_equal(dtrace_errno(dtp), EDT_COMPILER);
	assert_non_null(strstr(dtrace_errmsg(dtp, EDT_COMPILER), "nonsense"));
	assert_non_null(strchr(dtrace_errexcerpt_ext(dtp), '^'));

	FILE *file = tmpfile();

	fputs("BEGIN { x++; }\n", file);
	rewind(file);
	assert_non_null(dtrace_program_fcompile(dtp, file, 0, 2, argv));
	fclose(file);
}

static void unused_operands(void **state)
{
	dtrace_hdl_t *dtp = *state;
	char zero[] = "dtrace", one[] = "5";
	char *const argv[] = { zero, one, NULL };

	assert_non_null(dtrace_program_strcompile(dtp, "BEGIN",
						  DTRACE_PROBESPEC_NAME, 0, 2,
						  argv));
	assert_int_equal(dtrace_program_finish_ext(dtp), -1);
	assert_non_null(strstr(dtrace_errmsg(dtp, dtrace_errno(dtp)),
			       "extraneous argument '5'"));
}

static void processes(void **state)
{
	dtrace_hdl_t *dtp = *state;
	char word[] = "true", *argv[] = { word, NULL };
	char number[16], *operands[] = { word, number, NULL };

	assert_null(dtrace_proc_create(dtp, "/dev/null", argv, 0));
	assert_int_equal(dtrace_errno(dtp), EACCES);
	assert_null(dtrace_proc_grab_pid(dtp, -1, 0));
	assert_int_equal(dtrace_errno(dtp), ESRCH);

	dtrace_proc_t *first = dtrace_proc_create(dtp, "true", argv, 0);
	dtrace_proc_t *second = dtrace_proc_grab_pid(dtp, getpid(), 0);

	assert_non_null(first);
	assert_non_null(second);
	pid_t pid = dtrace_proc_getpid(dtp, first);

	assert_int_equal(dtrace_proc_getpid(dtp, second), getpid());
	/* $target must be the first, or this would divide by zero */
	snprintf(number, sizeof(number), "%d", (int)pid);
	assert_non_null(dtrace_program_strcompile(
		dtp, "BEGIN { trace(1 / ($target == $1)); }",
		DTRACE_PROBESPEC_NAME, 0, 2, operands));
	dtrace_proc_release(dtp, second);
	dtrace_proc_release(dtp, first);
	assert_int_equal(kill(pid, 0), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(versions_of_the_interface),
		cmocka_unit_test_setup_teardown(options, set_up, tear_down),
		cmocka_unit_test_setup_teardown(descriptions_as_text, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(walking_probes, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(programs, set_up, tear_down),
		cmocka_unit_test_setup_teardown(processes, set_up, tear_down),
		cmocka_unit_test_setup_teardown(unused_operands, set_up,
						tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
