/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The embedded D libraries: their index is sorted, finds what scripts use,
 * and no name is in two of them (each would be loaded for it), unless one has
 * the type and the other its translators.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "lang/library.h"

static bool has_name(const struct embedded_library *library, const char *name)
{
	for (size_t i = 0; i < library->nnames; i++)
		if (!strcmp(library->names[i], name))
			return true;
	return false;
}

/* Is it there only because the library translates something into it? */
static bool is_only_translated(const struct embedded_library *library,
			       const char *name)
{
	char definition[64];

	snprintf(definition, sizeof(definition), "translator %s <", name);
	if (!strstr(library->text, definition))
		return false;
	snprintf(definition, sizeof(definition), "} %s;", name);
	return !strstr(library->text, definition);
}

static const char *library_of(const char *name)
{
	const struct embedded_library *library = embedded_libraries;

	for (; library->name; library++)
		if (has_name(library, name) &&
		    !is_only_translated(library, name))
			return library->name;
	return NULL;
}

static void test_index(void **state)
{
	const struct embedded_library *library = embedded_libraries;

	(void)state;
	for (; library->name; library++) {
		assert_int_equal(strlen(library->text), library->length);
		assert_null(library->names[library->nnames]);
		assert_true(library->nnames > 0);
		for (size_t i = 0; i < library->nnames; i++) {
			const char *name = library->names[i];

			if (i && strcmp(library->names[i - 1], name) >= 0)
				fail_msg("%s: %s out of order", library->name,
					 name);
			if (!is_only_translated(library, name) &&
			    strcmp(library_of(name), library->name))
				fail_msg("%s is in %s and %s", name,
					 library_of(name), library->name);
		}
	}
}

static void test_names(void **state)
{
	static const struct {
		const char *name, *library;
	} cases[] = {
		{ "EPERM", "errno.d" },
		{ "SIGKILL", "signal.d" },
		{ "CLD_DUMPED", "signal.d" },
		{ "O_RDONLY", "fcntl.d" },
		{ "AF_INET6", "socket.d" },
		{ "IPPROTO_TCP", "socket.d" },
		{ "R_PC", "regs.d" },
		{ "R_SP", "regs.d" },
		{ "NULL", "unistd.d" },
		{ "DTRACEFLT_BADADDR", "unistd.d" },
		{ "psinfo_t", "psinfo.d" },
		{ "lwpsinfo_t", "psinfo.d" },
		{ "curpsinfo", "psinfo.d" },
		{ "SONPROC", "psinfo.d" },
		{ "cpuinfo_t", "sched.d" },
		{ "fileinfo_t", "io.d" },
		{ "bufinfo_t", "io.d" },
		{ "devinfo_t", "io.d" },
		{ "B_READ", "io.d" },
		{ "tcpsinfo_t", "net.d" },
		{ "tcp_state_string", "net.d" },
		{ "nonesuch", NULL },
		{ "T", NULL },
		{ "pr_pid", NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const char *found = library_of(cases[i].name);

		if (!found != !cases[i].library ||
		    (found && strcmp(found, cases[i].library)))
			fail_msg("%s is in %s", cases[i].name,
				 found ? found : "none");
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_index),
		cmocka_unit_test(test_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
