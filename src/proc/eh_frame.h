/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Rules for walking a stack, from an object file's .eh_frame.
 *
 * Compilers describe for every instruction where the caller's frame starts
 * (the CFA) and where its registers were saved, for exceptions.  Those little
 * programs are run here once, and become rows as in bpf/unwind.h: sorted, one
 * where the rule changes.  What a row cannot say (other registers, other
 * expressions) becomes ROW_UNKNOWN, code without a description ROW_NONE.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/unwind.h"

/* A segment of code in the file. */
struct eh_code {
	uint64_t offset, address, size;
};
enum { EH_CODE_MOST = 4 };

struct eh_rows {
	struct eh_code code[EH_CODE_MOST];
	unsigned ncode;
	uint64_t base;	/* rows' addresses are relative to it */
	uint64_t *rows; /* sorted; the last one is ROW_NONE */
	size_t count, capacity;
};

/*
 * Rules of a section of `size` bytes that is linked at address `at`.  Nothing
 * in it is trusted: entries that are not understood are left out.
 */
void eh_frame_read(struct eh_rows *rows, const uint8_t *section, size_t size,
		   uint64_t at, uint64_t base);
/* Where .eh_frame is, from .eh_frame_hdr that is linked at address `at`. */
bool eh_frame_pointer(const uint8_t *header, size_t size, uint64_t at,
		      uint64_t *address);
/* eh_file.c: from an open ELF file; from the vDSO of this process.  Rows may be none. */
struct budget;
void eh_frame_read_file(struct eh_rows *rows, int fd, struct budget *budget);
void eh_frame_read_vdso(struct eh_rows *rows);
/*
 * go_rows.c: those of a Go program, which has a table of its own; `rows` are
 * those of its C code.
 */
struct elf_file;
void go_rows_add(struct eh_rows *rows, struct elf_file *file);
/* A rule from an address on, as linked; ascending. */
void eh_rows_add(struct eh_rows *rows, uint64_t address, enum row_kind kind,
		 int64_t offset, int64_t fp);
void eh_rows_append(struct eh_rows *rows, uint64_t row);
void eh_rows_free(struct eh_rows *rows);
