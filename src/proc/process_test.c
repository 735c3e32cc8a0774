/* SPDX-License-Identifier: Apache-2.0 */
/* This very process: its functions, its libraries, its vDSO; and junk files. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "proc/symbols.h"

int process_test_landmark(int x);
__attribute__((noinline)) int process_test_landmark(int x)
{
	return x * 3 + getppid();
}

static uint64_t address_of(int (*function)(int))
{
	return (uint64_t)(uintptr_t)function;
}

static struct symbols *open_symbols(void)
{
	return symbols_new(processes_new(NULL, NULL));
}

static void close_symbols(struct symbols *symbols)
{
	processes_free(symbols_processes(symbols));
	symbols_free(symbols);
}

static void finds_own_function(void **state)
{
	struct symbols *symbols = open_symbols();
	uint64_t address = address_of(process_test_landmark);
	struct symbol symbol;

	(void)state;
	assert_true(symbols_user(symbols, (uint32_t)getpid(), address + 1,
				 &symbol));
	assert_string_equal(symbol.module, "process_test");
	assert_string_equal(symbol.name, "process_test_landmark");
	assert_int_equal(symbol.offset, 1);
	assert_int_equal(symbol.start, address);
	assert_true(symbol.module_start <= address);

	assert_true(symbols_user(symbols, (uint32_t)getpid(),
				 (uint64_t)(uintptr_t)a64l, &symbol));
	assert_string_equal(symbol.module, "libc.so.6");
	assert_string_equal(symbol.name, "a64l");
	assert_false(symbols_user(symbols, (uint32_t)getpid(), 17, &symbol));
	close_symbols(symbols);
}

/* What was read while it existed is still known when it is gone. */
static uint32_t note_a_dead(struct symbols *symbols)
{
	pid_t pid = fork();

	if (!pid) {
		pause();
		_exit(0);
	}
	symbols_note_process(symbols, (uint32_t)pid);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	return (uint32_t)pid;
}

static void remembers_the_dead(void **state)
{
	struct symbols *symbols = open_symbols();
	struct symbol symbol;
	uint64_t address = address_of(process_test_landmark);
	uint32_t pid = note_a_dead(symbols);

	(void)state;
	assert_true(symbols_user(symbols, pid, address, &symbol));
	assert_string_equal(symbol.name, "process_test_landmark");
	close_symbols(symbols);

	symbols = open_symbols();
	assert_false(symbols_user(symbols, pid, address, &symbol));
	close_symbols(symbols);
}

/* When there are many: all that have ended, except the one that is needed. */
static void forgets_the_dead(void **state)
{
	struct symbols *symbols = open_symbols();
	uint64_t address = address_of(process_test_landmark);
	uint64_t hour = 3600 * 1000000000ull;
	uint32_t wanted = note_a_dead(symbols), last = 0;
	struct symbol symbol;

	(void)state;
	symbols_note_process(symbols, (uint32_t)getpid());
	assert_false(symbols_are_many(symbols));
	for (int i = 0; i < 300; i++)
		last = note_a_dead(symbols);
	assert_true(symbols_are_many(symbols));

	symbols_forget(symbols, hour);
	assert_true(symbols_user(symbols, last, address, &symbol));
	assert_false(symbols_are_many(symbols));

	symbols_keep(symbols, wanted);
	symbols_forget(symbols, 0);
	assert_false(symbols_user(symbols, last, address, &symbol));
	assert_true(symbols_user(symbols, wanted, address, &symbol));
	assert_string_equal(symbol.name, "process_test_landmark");
	assert_true(symbols_user(symbols, (uint32_t)getpid(), address,
				 &symbol));
	assert_string_equal(symbol.name, "process_test_landmark");
	close_symbols(symbols);
}

static void reads_the_vdso(void **state)
{
	struct elf_symbols *elf = elf_symbols_vdso();
	uint64_t address;

	(void)state;
	assert_non_null(elf);
	/* not every machine has one */
	if (elf_symbols_address(elf, 0, &address)) {
		bool found = false;

		for (uint64_t at = 0; at < 8192 && !found; at += 4) {
			const char *name;
			uint64_t start;

			if (elf_symbols_find(elf, at, &name, &start))
				found = strstr(name, "gettime") != NULL;
		}
		assert_true(found);
	}
	elf_symbols_free(elf);
}

/* Files that are truncated or overwritten anywhere: no crash, some result. */
static void survives_junk(void **state)
{
	char path[] = "/tmp/elf_test.XXXXXX";
	int from = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	int to = mkstemp(path);
	off_t size = lseek(from, 0, SEEK_END);
	char *bytes = malloc((size_t)size);

	(void)state;
	unlink(path);
	assert_non_null(bytes);
	assert_int_equal(pread(from, bytes, (size_t)size, 0), size);
	srand(1);
	for (int round = 0; round < 60; round++) {
		size_t length = (size_t)rand() % (size_t)size;
		uint64_t address, start;
		const char *name;

		assert_int_equal(ftruncate(to, 0), 0);
		assert_int_equal(pwrite(to, bytes,
					round % 2 ? (size_t)size : length, 0),
				 round % 2 ? (size_t)size : length);
		for (int i = 0; i < round; i++) {
			unsigned char junk = (unsigned char)rand();
			off_t at = rand() % (i % 3 ? 64 : size);

			assert_int_equal(pwrite(to, &junk, 1, at), 1);
		}
		struct elf_symbols *elf = elf_symbols_read(to, "", NULL, NULL);

		assert_non_null(elf);
		elf_symbols_address(elf, length, &address);
		elf_symbols_find(elf, length, &name, &start);
		elf_symbols_free(elf);
	}
	free(bytes);
	close(from);
	close(to);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_own_function),
		cmocka_unit_test(remembers_the_dead),
		cmocka_unit_test(forgets_the_dead),
		cmocka_unit_test(reads_the_vdso),
		cmocka_unit_test(survives_junk),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
