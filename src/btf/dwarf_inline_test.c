/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inlined functions at addresses all over a program, which is this one, are what
 * addr2line(1) says.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "btf/dwarf.h"
#include "proc/debug_info.h"

enum { ADDRESSES = 4000, DEPTH = 32, LINE = 4096 };

struct program {
	struct arena *arena;
	struct types *types;
	struct dwarf *dwarf;
	uint64_t start, size; /* of its code */
};

static const char *path_of_program(void)
{
	const char *path = getenv("INLINED_PROGRAM");

	return path ? path : "/proc/self/exe";
}

static void open_program(struct program *program)
{
	int fd = open(path_of_program(), O_RDONLY);
	enum debug_problem problem = DEBUG_GOOD;
	struct dwarf_sections sections = { 0 };
	struct debug_info info;
	struct elf_file file;

	assert_int_equal(elf_file_open(&file, fd, NULL), ELF_GOOD);
	const Elf64_Shdr *text = elf_file_section(&file, ".text");

	assert_non_null(text);
	program->start = text->sh_addr;
	program->size = text->sh_size;
	assert_true(debug_info_open(&info, &file, "", "", ".debug_info"));
	for (int i = 0; i < DWARF_PARTS; i++)
		sections.parts[i].p = debug_info_section(&info,
							 dwarf_part_names[i],
							 &sections.parts[i].n,
							 &problem);
	assert_int_equal(problem, DEBUG_GOOD);
	debug_info_close(&info);
	elf_file_close(&file);
	close(fd);
	program->arena = arena_new();
	program->types = types_new(program->arena, 256);
	types_without_kernel(program->types);
	program->dwarf = dwarf_new(program->types, NULL, &sections, NULL, NULL);
}

static void close_program(struct program *program)
{
	types_free(program->types);
	arena_free(program->arena);
}

/* The last part of a path, and nothing after the line. */
static void put_place(char *to, const char *name, const char *file,
		      uint64_t line)
{
	const char *slash = strrchr(file, '/');

	snprintf(to, LINE, "%.2000s %.1000s:%llu", name,
		 slash ? slash + 1 : file, (unsigned long long)line);
}

/* The next address's frames but the last, which is the function itself. */
static unsigned read_truth(FILE *truth, char (*frames)[LINE], char *next)
{
	char name[LINE], place[LINE];
	unsigned n = 0;

	while (fgets(name, LINE, truth)) {
		name[strcspn(name, "\n")] = 0;
		if (!strncmp(name, "0x", 2)) {
			strcpy(next, name);
			break;
		}
		assert_non_null(fgets(place, LINE, truth));
		char *colon = strrchr(place, ':');

		assert_non_null(colon);
		*colon = 0;
		if (n < DEPTH)
			put_place(frames[n++], name, place,
				  strtoull(colon + 1, NULL, 10));
	}
	return n ? n - 1 : 0;
}

static void test_all(void **state)
{
	static char truth[DEPTH][LINE];
	static struct dwarf_inlined found[DEPTH];
	char command[256], file[] = "/tmp/addressesXXXXXX", next[LINE] = "";
	struct program program;
	unsigned nwith = 0, nwrong = 0;

	(void)state;
	open_program(&program);
	int fd = mkstemp(file);
	FILE *list = fdopen(fd, "w");

	assert_non_null(list);
	for (unsigned i = 0; i < ADDRESSES; i++)
		fprintf(list, "0x%llx\n",
			(unsigned long long)(program.start +
					     program.size / ADDRESSES * i));
	fclose(list);
	snprintf(command, sizeof(command), "addr2line -a -f -i -e %s < %s",
		 getenv("INLINED_PROGRAM") ? "\"$INLINED_PROGRAM\""
					   : "/proc/$PPID/exe",
		 file);
	FILE *answers = popen(command, "r");

	assert_non_null(answers);
	read_truth(answers, truth, next);
	for (unsigned i = 0; i < ADDRESSES; i++) {
		uint64_t address = strtoull(next, NULL, 16);
		unsigned expected = read_truth(answers, truth, next);
		unsigned count = dwarf_find_inlined(program.dwarf, address,
						    found, DEPTH);
		bool is_same = expected == count;

		assert_int_equal(address,
				 program.start + program.size / ADDRESSES * i);
		for (unsigned n = 0; n < count && is_same; n++) {
			char frame[LINE];

			put_place(frame,
				  found[n].linkage ? found[n].linkage
						   : found[n].name,
				  found[n].file, found[n].line);
			is_same = !strcmp(frame, truth[n]);
			if (!is_same)
				print_message("%llx: %s, not %s\n",
					      (unsigned long long)address,
					      frame, truth[n]);
		}
		if (expected != count)
			print_message("%llx: %u, not %u\n",
				      (unsigned long long)address, count,
				      expected);
		nwith += expected > 0;
		nwrong += !is_same;
	}
	pclose(answers);
	unlink(file);
	close_program(&program);
	print_message("%u of %u addresses are in inlined functions\n", nwith,
		      ADDRESSES);
	assert_true(nwith > ADDRESSES / 100);
	assert_int_equal(nwrong, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_all) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
