/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* What the files about Ruby share: see ruby.c. */

#include <stdbool.h>
#include <stdint.h>

#include "runtime/runtime.h"

/* Offsets and bits that all of 3.1 have. */
enum {
	/* kinds of objects: the first five bits of their first word */
	RUBY_KIND = 0x1f, RUBY_CLASS = 2, RUBY_MODULE = 3, RUBY_STRING = 5,
	RUBY_ARRAY = 7, RUBY_INTERNAL = 0x1a,
	/* of an internal one: the next bits */
	RUBY_INTERNAL_SHIFT = 12, RUBY_INTERNAL_MOST = 15,
	RUBY_VARIABLES = 2, RUBY_ENTRY = 6, RUBY_SEQUENCE = 7,
	RUBY_VARIABLES_ENTRY = 8,
	/* rb_iseq_t, its body */
	RUBY_SEQUENCE_BODY = 16, RUBY_BODY_CODE = 8,
	/* rb_callable_method_entry_t, rb_method_definition_t */
	RUBY_ENTRY_DEFINITION = 16, RUBY_ENTRY_OWNER = 32,
	RUBY_DEFINITION_SEQUENCE = 8, RUBY_DEFINITION_NAME = 32,
};

enum { RUBY_TABLES = 4 };

/* What is kept of a process; offsets are in the body of a sequence. */
struct ruby {
	uint64_t frame_size;
	uint64_t path, label, lines;
	/* in a class: where more about it is; in that: names by numbers */
	uint64_t class_more, class_variables;
	uint64_t class_name; /* address of the name's number */
	/* addresses of what may be the table of names */
	uint64_t symbols[RUBY_TABLES];
};

struct ruby_places {
	struct runtime_symbol loop;
	uint64_t module_at; /* number of the file for thread-local data; 0: 1 */
	uint64_t offset;    /* in that: what the thread executes */
};

bool ruby_layout(struct runtime_process *process,
		 const struct runtime_image *image, struct ruby *ruby,
		 struct ruby_places *places, const char **why);
unsigned ruby_name_frame(struct runtime_process *process, uint64_t pointer,
			 uint32_t detail, struct runtime_frame *frames,
			 const char **why);
