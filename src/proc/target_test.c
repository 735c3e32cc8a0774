/* SPDX-License-Identifier: Apache-2.0 */
/* Processes that are held, let go, forgotten; needs no privilege. */
#include "proc/target.h"

#include <errno.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static struct target *create(const char *script, int *error)
{
	char sh[] = "sh", flag[] = "-c", *text = strdup(script);
	char change[] = "GIVEN=7";
	char *argv[] = { sh, flag, text, NULL }, *changes[] = { change };
	struct target *target = target_create(
		&(struct target_command){
			.file = "sh",
			.argv = argv,
			.changes = changes,
			.nchanges = 1,
		},
		error);

	free(text);
	return target;
}

static const struct {
	const char *script, *end;
} cases[] = {
	{ "exit 0", " has exited" },
	{ "exit 3", " exited with status 3" },
	{ "exit $GIVEN", " exited with status 7" },
	{ "kill -TERM $$", " terminated by SIGTERM" },
	{ "kill -34 $$", " terminated by signal 34" },
};

static void ends_in_words(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		int error;
		struct target *target = create(cases[i].script, &error);
		struct text text = { 0 };

		assert_non_null(target);
		struct pollfd end = { target_fd(target), POLLIN, 0 };

		assert_true(target_is_held(target));
		assert_int_equal(poll(&end, 1, 20), 0);
		assert_false(target_is_gone(target));
		target_continue(target);
		assert_int_equal(poll(&end, 1, 10000), 1);
		assert_true(target_is_gone(target));
		target_print_end(target, &text);
		assert_non_null(strstr(text_str(&text), cases[i].end));
		text_free(&text);
		target_free(target);
	}
}

static void held_ones_do_not_stay(void **state)
{
	int error;
	struct target *target = create("sleep 60", &error);

	(void)state;
	assert_non_null(target);
	pid_t pid = target_pid(target);

	assert_int_equal(kill(pid, 0), 0);
	target_free(target);
	assert_int_equal(kill(pid, 0), -1);
	assert_int_equal(waitpid(pid, NULL, 0), -1);
}

static void killed_while_held(void **state)
{
	int error;
	struct target *target = create("exit 0", &error);
	struct text text = { 0 };

	(void)state;
	assert_non_null(target);
	struct pollfd end = { target_fd(target), POLLIN, 0 };

	kill(target_pid(target), SIGKILL);
	assert_int_equal(poll(&end, 1, 10000), 1);
	assert_true(target_is_gone(target));
	target_continue(target);
	target_print_end(target, &text);
	assert_non_null(strstr(text_str(&text), "terminated by SIGKILL"));
	text_free(&text);
	target_free(target);
}

static void refusals(void **state)
{
	char word[] = "/dev/null", *argv[] = { word, NULL };
	int error = 0;

	(void)state;
	assert_null(target_create(&(struct target_command){ .file = word,
							    .argv = argv },
				  &error));
	assert_int_equal(error, -EACCES);
	assert_null(target_grab(0, &error));
	assert_int_equal(error, -ESRCH);
	/* no child is left of the attempt */
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}

static void grabbed_ones_live_on(void **state)
{
	int error;
	pid_t pid = fork();

	(void)state;
	if (pid == 0) {
		pause();
		_exit(0);
	}
	struct target *target = target_grab(pid, &error);

	assert_non_null(target);
	assert_false(target_is_held(target));
	assert_false(target_is_gone(target));
	target_free(target);
	assert_int_equal(waitpid(pid, NULL, WNOHANG), 0);
	target = target_grab(pid, &error);
	kill(pid, SIGKILL);
	struct pollfd end = { target_fd(target), POLLIN, 0 };
	struct text text = { 0 };

	assert_int_equal(poll(&end, 1, 10000), 1);
	assert_true(target_is_gone(target));
	target_print_end(target, &text);
	assert_non_null(strstr(text_str(&text), " has exited"));
	text_free(&text);
	target_free(target);
	waitpid(pid, NULL, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ends_in_words),
		cmocka_unit_test(held_ones_do_not_stay),
		cmocka_unit_test(killed_while_held),
		cmocka_unit_test(refusals),
		cmocka_unit_test(grabbed_ones_live_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
