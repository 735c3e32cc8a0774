/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rules from sections that are built here, from this process's own files, and
 * from every damaged version of one.
 */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "bpf/unwind.h"
#include "proc/eh_frame.h"

enum { AT = 0x5000, CODE = 0x1000 };

struct section {
	uint8_t bytes[512];
	size_t size, start;
};

static void put(struct section *s, const void *bytes, size_t size)
{
	memcpy(s->bytes + s->size, bytes, size);
	s->size += size;
}

static void put_word(struct section *s, uint32_t word)
{
	put(s, &word, sizeof(word));
}

static void begin(struct section *s)
{
	s->start = s->size;
	put_word(s, 0);
}

static void end(struct section *s)
{
	while (s->size % 8)
		put(s, "", 1);
	uint32_t length = (uint32_t)(s->size - s->start - 4);

	memcpy(s->bytes + s->start, &length, sizeof(length));
}

/* CFA = RSP + 8, return address at CFA - 8; "zR" or "zRS". */
static void put_cie(struct section *s, const char *augmentation)
{
	begin(s);
	put_word(s, 0);
	put(s, "\1", 1);
	put(s, augmentation, strlen(augmentation) + 1);
	put(s, "\1\x78\x10\1\x1b\x0c\7\x08\x90\1", 10);
	end(s);
}

static void put_fde(struct section *s, uint32_t start, uint32_t length,
		    const char *program, size_t size)
{
	begin(s);
	put_word(s, (uint32_t)s->size); /* back to the first entry */
	put_word(s, start - (uint32_t)(AT + s->size));
	put_word(s, length);
	put(s, "", 1);
	put(s, program, size);
	end(s);
}

static enum row_kind kind_of(uint64_t row)
{
	return (enum row_kind)(row >> 48 & 15);
}

static void expect(const struct eh_rows *rows, size_t n, uint32_t address,
		   enum row_kind kind, int cfa, int rbp)
{
	assert_true(n < rows->count);
	uint64_t row = rows->rows[n];

	assert_int_equal((uint32_t)row, address);
	assert_int_equal(kind_of(row), kind);
	assert_int_equal((int16_t)(row >> 32) * 8, cfa);
	assert_int_equal(((int64_t)row >> 52) * 8, rbp);
}

/* push %rbp; mov %rsp,%rbp; ...; leave; ret */
static void frame_pointer(void **state)
{
	static const char program[] =
		"\x41\x0e\x10\x86\2\x43\x0d\6\x50\x0c\7\x08";
	struct section s = { 0 };
	struct eh_rows rows = { 0 };

	(void)state;
	put_cie(&s, "zR");
	put_fde(&s, CODE, 0x20, program, sizeof(program) - 1);
	eh_frame_read(&rows, s.bytes, s.size, AT, 0);
	expect(&rows, 0, CODE, ROW_SP, 8, 0);
	expect(&rows, 1, CODE + 1, ROW_SP, 16, -16);
	expect(&rows, 2, CODE + 4, ROW_FP, 16, -16);
	expect(&rows, 3, CODE + 0x14, ROW_SP, 8, -16);
	expect(&rows, 4, CODE + 0x20, ROW_NONE, 0, 0);
	assert_int_equal(rows.count, 5);
	eh_rows_free(&rows);
}

/* Entries in any order; a gap; remembered states; addresses from a base. */
static void several(void **state)
{
	static const char program[] = "\x0a\x42\x0e\x30\x44\x0b\x41\x0e\x40";
	struct section s = { 0 };
	struct eh_rows rows = { 0 };

	(void)state;
	put_cie(&s, "zR");
	put_fde(&s, CODE + 0x100, 0x10, "", 0);
	put_fde(&s, CODE, 0x10, program, sizeof(program) - 1);
	put_fde(&s, CODE + 0x14, 0x10, "\7\x10", 2);
	eh_frame_read(&rows, s.bytes, s.size, AT, 0x400);
	expect(&rows, 0, CODE - 0x400, ROW_SP, 8, 0);
	expect(&rows, 1, CODE - 0x400 + 2, ROW_SP, 0x30, 0);
	expect(&rows, 2, CODE - 0x400 + 6, ROW_SP, 8, 0);
	expect(&rows, 3, CODE - 0x400 + 7, ROW_SP, 0x40, 0);
	/* no row for the padding; the return address is undefined */
	expect(&rows, 4, CODE - 0x400 + 0x14, ROW_END, 0, 0);
	expect(&rows, 5, CODE - 0x400 + 0x24, ROW_NONE, 0, 0);
	expect(&rows, 6, CODE - 0x400 + 0x100, ROW_SP, 8, 0);
	expect(&rows, 7, CODE - 0x400 + 0x110, ROW_NONE, 0, 0);
	eh_rows_free(&rows);
}

static void expressions(void **state)
{
	static const char plt[] =
		"\x0f\x0b\x77\x08\x80\0\x3f\x1a\x3b\x2a\x33\x24\x22";
	static const char aligned[] = "\x10\6\2\x76\0\x0f\3\x76\x78\6";
	static const char other[] = "\x0f\2\x73\0";
	struct section s = { 0 };
	struct eh_rows rows = { 0 };

	(void)state;
	put_cie(&s, "zR");
	put_fde(&s, CODE, 0x10, plt, sizeof(plt) - 1);
	put_fde(&s, CODE + 0x10, 0x10, aligned, sizeof(aligned) - 1);
	put_fde(&s, CODE + 0x20, 0x10, other, sizeof(other) - 1);
	eh_frame_read(&rows, s.bytes, s.size, AT, 0);
	expect(&rows, 0, CODE, ROW_PLT, 0, 0);
	expect(&rows, 1, CODE + 0x10, ROW_LOAD, -8, 0);
	expect(&rows, 2, CODE + 0x20, ROW_UNKNOWN, 0, 0);
	eh_rows_free(&rows);
}

static void signal_frame(void **state)
{
	struct section s = { 0 };
	struct eh_rows rows = { 0 };

	(void)state;
	put_cie(&s, "zRS");
	put_fde(&s, CODE, 0x10, "", 0);
	eh_frame_read(&rows, s.bytes, s.size, AT, 0);
	expect(&rows, 0, CODE, ROW_SIGNAL, 0, 0);
	eh_rows_free(&rows);
}

static void check_order(const struct eh_rows *rows)
{
	for (size_t i = 1; i < rows->count; i++)
		assert_true((uint32_t)rows->rows[i - 1] <
			    (uint32_t)rows->rows[i]);
}

/* Nothing is trusted: every byte changed, every length truncated. */
static void damaged(void **state)
{
	static const char program[] =
		"\x41\x0e\x10\x86\2\x43\x0d\6\x50\x0c\7\x08";
	struct section s = { 0 };

	(void)state;
	put_cie(&s, "zR");
	put_fde(&s, CODE, 0x20, program, sizeof(program) - 1);
	put_fde(&s, CODE + 0x20, 0x20, program, sizeof(program) - 1);
	for (size_t i = 0; i < s.size; i++)
		for (unsigned value = 0; value < 256; value += 5) {
			struct section bad = s;
			struct eh_rows rows = { 0 };

			bad.bytes[i] = (uint8_t)value;
			/* exactly so much memory */
			size_t size = value & 1 ? s.size : i;
			uint8_t *copy = malloc(size + 1);

			memcpy(copy, bad.bytes, size);
			eh_frame_read(&rows, copy, size, AT, 0);
			check_order(&rows);
			eh_rows_free(&rows);
			free(copy);
		}
}

static void own_files(void **state)
{
	struct eh_rows rows;
	int fd = open("/proc/self/exe", O_RDONLY);

	(void)state;
	eh_frame_read_file(&rows, fd, NULL);
	assert_true(rows.count > 100 && rows.ncode == 1);
	check_order(&rows);
	eh_rows_free(&rows);
	close(fd);
	eh_frame_read_vdso(&rows);
	assert_true(rows.count > 1);
	check_order(&rows);
	eh_rows_free(&rows);
	fd = open("/proc/self/maps", O_RDONLY);
	eh_frame_read_file(&rows, fd, NULL);
	assert_int_equal(rows.count, 0);
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(frame_pointer),
		cmocka_unit_test(several),
		cmocka_unit_test(expressions),
		cmocka_unit_test(signal_frame),
		cmocka_unit_test(damaged),
		cmocka_unit_test(own_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
