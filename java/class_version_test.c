/* SPDX-License-Identifier: Apache-2.0 */
#include "java/class_version.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void expect(struct class_version *version, const char *bytes,
		   bool is_ours, const char *real)
{
	size_t size;
	const uint8_t *found = version_given(version, (const uint8_t *)bytes,
					     strlen(bytes), is_ours, &size);

	assert_int_equal(size, strlen(real));
	assert_memory_equal(found, real, size);
}

/* What others define stays, whatever the virtual machine gives later. */
static void test_redefined(void **state)
{
	struct class_version version = { 0 };

	(void)state;
	expect(&version, "first", true, "first");
	expect(&version, "first", false, "first");
	expect(&version, "second one", false, "second one");
	expect(&version, "first", true, "second one");
	expect(&version, "first", false, "second one");
	expect(&version, "third", false, "third");
	expect(&version, "second one", true, "third");
	expect(&version, "", false, "");
	version_free(&version);
	expect(&version, "third", true, "third");
	version_free(&version);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_redefined),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
