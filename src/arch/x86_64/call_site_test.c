/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Object files that -G reads may be damaged in any way: none may cause more
 * than an error.  Our own object is truncated at every length, and has every
 * byte changed.
 */
#include <stdarg.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "usdt/sites.h"

static struct provider_probe probes[] = {
	{ .name = "idle", .next = &probes[1] },
	{ .name = "req-start" },
};
static struct provider_decl provider = { .name = "p", .probes = probes };
static struct program program = { .providers = &provider };
static struct program *programs[] = { &program };

static struct usdt_sites examine(const char *path, int *result)
{
	struct usdt_sites sites;
	struct text error = { 0 };

	*result = usdt_examine(path, NULL, programs, 1, &sites, &error);
	assert_true(!*result || error.n);
	text_free(&error);
	return sites;
}

static void write_file(const char *path, const char *bytes, size_t size)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, size, file), size);
	assert_int_equal(fclose(file), 0);
}

/* An object that calls a probe and tests whether another is enabled. */
static void make_caller(struct text *out)
{
	static const uint8_t code[] = { 0xe8, 0, 0, 0, 0, 0xe9, 0, 0, 0, 0 };
	static const Elf64_Shdr text = {
		.sh_type = SHT_PROGBITS, .sh_addralign = 1,
		.sh_flags = SHF_ALLOC | SHF_EXECINSTR,
	};
	struct arena *arena = arena_new();
	struct relocatable object;

	relocatable_new(arena, usdt_native_machine(), &object);
	uint32_t number = relocatable_add_section(&object, ".text", &text, code,
						  sizeof(code));
	Elf64_Shdr relas = {
		.sh_type = SHT_RELA, .sh_link = object.symbols,
		.sh_info = number, .sh_entsize = sizeof(Elf64_Rela),
		.sh_addralign = 8,
	};
	uint32_t rela = relocatable_add_section(&object, ".rela.text", &relas,
						NULL, 0);
	Elf64_Sym undefined = {
		.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_NOTYPE),
	};
	Elf64_Sym function = {
		.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
		.st_shndx = (Elf64_Section)number,
	};

	relocatable_add_symbol(&object, "f", &function);
	relocatable_add_rela(&object, rela, 1,
			     relocatable_add_symbol(&object,
						    "__dtrace_p___idle",
						    &undefined),
			     R_X86_64_PLT32, -4);
	relocatable_add_rela(&object, rela, 6,
			     relocatable_add_symbol(
				     &object, "__dtraceenabled_p___req__start",
				     &undefined),
			     R_X86_64_PLT32, -4);
	relocatable_put(&object, out);
	arena_free(arena);
}

static char path[] = "/dev/shm/dtrace-sites-XXXXXX";

static void test_calls_become_sites(void **state)
{
	struct text caller = { 0 };
	int result;

	(void)state;
	make_caller(&caller);
	write_file(path, caller.p, caller.n);
	struct usdt_sites sites = examine(path, &result);

	assert_int_equal(result, 0);
	assert_int_equal(sites.nsites, 1);
	assert_int_equal(sites.nenabled, 1);
	assert_true(sites.is_changed);
	sites = examine(path, &result);
	assert_int_equal(result, 0);
	assert_int_equal(sites.nsites, 1);
	assert_int_equal(sites.nenabled, 1);
	assert_false(sites.is_changed);
	text_free(&caller);
}

static void damage(const struct text *whole)
{
	char *copy = malloc(whole->n);
	int result;

	assert_non_null(copy);
	for (size_t n = 0; n < whole->n; n += 3) {
		write_file(path, whole->p, n);
		examine(path, &result);
	}
	for (size_t i = 0; i < whole->n; i++) {
		memcpy(copy, whole->p, whole->n);
		copy[i] = (char)(copy[i] ^ (i % 3 ? 0xff : 0x10));
		write_file(path, copy, whole->n);
		examine(path, &result);
	}
	free(copy);
}

static void test_damaged_objects(void **state)
{
	struct usdt_object object = {
		.machine = usdt_native_machine(), .programs = programs,
		.nprograms = 1, .has_functions = true,
	};
	struct text bytes = { 0 };

	(void)state;
	usdt_object(&object, &bytes);
	damage(&bytes);
	text_clear(&bytes);
	make_caller(&bytes);
	damage(&bytes);
	text_free(&bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_calls_become_sites),
		cmocka_unit_test(test_damaged_objects),
	};
	int fd = mkstemp(path);

	if (fd < 0)
		return 1;
	close(fd);
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	unlink(path);
	return failed;
}
