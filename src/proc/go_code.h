/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Code of a Go program: functions, files and lines of an address, those of
 * inlined calls included, and where the runtime keeps what it knows of
 * goroutines.
 */

#include <stdbool.h>
#include <stdint.h>

#include "proc/elf_file.h"

struct budget;
struct go_code;

struct go_frame {
	const char *function, *file; /* last as long as the code */
	uint32_t line;
};

/*
 * Of an open file, which is opened once more.  NULL: it is no Go program, or it
 * is older than Go 1.18.  It is freed when all that keep it are done.
 */
struct go_code *go_code_read(int fd, struct budget *budget);
struct go_code *go_code_keep(struct go_code *code);
void go_code_free(struct go_code *code);
/*
 * What an address, as linked, is in: innermost first, at most `most`; returns
 * how many.
 */
unsigned go_code_frames(struct go_code *code, uint64_t address,
			struct go_frame *frames, unsigned most);
/* Functions by name; size 0: there is none. */
struct go_code_name {
	const char *name;
	uint64_t start, size;
};
void go_code_find(const struct go_code *code, struct go_code_name *names,
		  size_t count);
/* The first bytes of a function, at most `most`; returns how many. */
size_t go_code_bytes(struct go_code *code, const struct go_code_name *name,
		     uint8_t *to, size_t most);
/* The file's segment of a type; NULL: it has none. */
const Elf64_Phdr *go_code_segment(const struct go_code *code, uint32_t type);
