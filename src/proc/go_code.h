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
/* The function of that name; false: it has none. */
bool go_code_function(const struct go_code *code, const char *name,
		      uint64_t *start, uint64_t *size);
