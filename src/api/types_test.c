/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The argument types in providers' tables: each must be a type that this kernel
 * has, or that the D library declares.  An unknown type would silently be
 * treated as long, and it would be hard to see why args[0]->member fails.
 */
#include <dtrace.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

#include "api/internal.h"
#include "probe/probe.h"

struct walk {
	unsigned probes, arguments;
};

static int see(dtrace_hdl_t *dtp, const dtrace_probedesc_t *desc, void *arg)
{
	struct walk *walk = arg;
	struct probe_registry *registry = session_registry(handle_session(dtp));
	/* sources were checked before: their types do not matter here */
	const char *before = registry_unknown_type(registry);
	dtrace_probeinfo_t info;

	assert_int_equal(dtrace_probe_info(dtp, desc, &info), 0);
	walk->probes++;
	walk->arguments += (unsigned)info.dtp_argc;
	if (registry_unknown_type(registry) != before)
		fail_msg(
			"%s:::%s has an argument of type \"%s\", which nobody knows",
			desc->dtpd_provider, desc->dtpd_name,
			registry_unknown_type(registry));
	return 0;
}

static void every_type_is_known(void **state)
{
	static const char *const tables[] = {
		"proc", "sched", "io", "ip", "tcp", "udp", "mib", "sysinfo",
		"vminfo", "fsinfo", "lockstat",
	};
	struct walk walk = { 0 };
	int error;

	(void)state;
	if (geteuid() || access("/sys/kernel/btf/vmlinux", R_OK))
		skip(); /* sources are not available */
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		dtrace_hdl_t *dtp = dtrace_open(DTRACE_VERSION, 0, &error);
		dtrace_probedesc_t desc;

		assert_non_null(dtp);
		assert_int_equal(dtrace_str2desc(dtp, DTRACE_PROBESPEC_PROVIDER,
						 tables[i], &desc),
				 0);
		assert_int_equal(dtrace_probe_iter(dtp, &desc, see, &walk), 0);
		dtrace_close(dtp);
	}
	assert_true(walk.probes > 50);
	assert_true(walk.arguments > 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_type_is_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
