/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel's table: order, aliases, modules, holes, and junk. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "proc/symbols.h"

static const char table_text[] = "0000000000001000 A per_cpu_thing\n"
				 "ffffffff81000000 T _text\n"
				 "ffffffff81000000 T startup_64\n"
				 "ffffffff81000100 t helper\n"
				 "ffffffff81000200 T last_one\n"
				 "junk\n"
				 "ffffffffc0000010 t mod_b\t[mod]\n"
				 "ffffffffc0000000 t mod_a\t[mod]\n"
				 "ffffffffc0900000 t prog\t[bpf]\n"
				 "ffffffffc0800000 t mod_init\t[mod]";

static const struct {
	uint64_t address;
	const char *module, *name;
	uint64_t offset, module_start;
} cases[] = {
	{ 0xffffffff80ffffff, NULL, NULL, 0, 0 },
	{ 0x1000, NULL, NULL, 0, 0 },
	{ 0xffffffff81000000, "vmlinux", "_text", 0, 0xffffffff81000000 },
	{ 0xffffffff810000ff, "vmlinux", "_text", 0xff, 0xffffffff81000000 },
	{ 0xffffffff81000104, "vmlinux", "helper", 4, 0xffffffff81000000 },
	/* Nothing is known about the hole after the kernel. */
	{ 0xffffffff81000210, "vmlinux", "last_one", 16, 0xffffffff81000000 },
	{ 0xffffffff82000000, NULL, NULL, 0, 0 },
	{ 0xffffffffc000000f, "mod", "mod_a", 15, 0xffffffffc0000000 },
	{ 0xffffffffc0000011, "mod", "mod_b", 1, 0xffffffffc0000000 },
	{ 0xffffffffc0800001, "mod", "mod_init", 1, 0xffffffffc0000000 },
	{ 0xffffffffc0900001, "bpf", "prog", 1, 0xffffffffc0900000 },
	{ 0xfffffffffffffff0, NULL, NULL, 0, 0 },
};

static void finds(void **state)
{
	char path[] = "/tmp/kallsyms_test.XXXXXX";
	int fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(write(fd, table_text, sizeof(table_text) - 1),
			 sizeof(table_text) - 1);
	close(fd);
	struct kernel_symbols *table = kernel_symbols_read(path);

	unlink(path);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct symbol symbol;
		bool found = kernel_symbols_find(table, cases[i].address,
						 &symbol);

		assert_int_equal(found, cases[i].module != NULL);
		if (!found)
			continue;
		assert_string_equal(symbol.module, cases[i].module);
		assert_string_equal(symbol.name, cases[i].name);
		assert_int_equal(symbol.offset, cases[i].offset);
		assert_int_equal(symbol.start,
				 cases[i].address - cases[i].offset);
		assert_int_equal(symbol.module_start, cases[i].module_start);
	}
	kernel_symbols_free(table);
}

static void finds_nothing(void **state)
{
	struct kernel_symbols *table = kernel_symbols_read("/nonexistent");
	struct symbol symbol;

	(void)state;
	assert_false(kernel_symbols_find(table, 0xffffffff81000000, &symbol));
	kernel_symbols_free(table);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds),
		cmocka_unit_test(finds_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
