/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libFuzzer target: any bytes as Go's table of functions, and as an ELF file
 * that may have one.  The first byte says which layout; the head that all have
 * is put right, so that the rest is looked at.  Whatever comes, names end
 * within the table, and no memory is left behind.  A symbol may have no name:
 * what follows an '@' in another's is cut off.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "proc/eh_frame.h"
#include "proc/go_code.h"
#include "proc/go_functions.h"
#include "proc/go_table.h"

static void check(struct elf_table *table)
{
	for (size_t i = 0; i < table->count; i++) {
		const char *name = elf_table_name(table, &table->symbols[i]);

		if (name &&
		    name + strlen(name) > table->names + table->names_size)
			__builtin_trap();
	}
	free(table->symbols);
	free(table->names);
}

/* All that is known of each function. */
static void as_functions(const uint8_t *bytes, size_t size)
{
	enum { MOST = 64 };
	struct go_function function;
	struct go_values values;
	struct go_table go;

	if (!go_table_open(&go, bytes, size, 0x1000))
		return;
	for (size_t n = 0; n < go.count && n < MOST; n++) {
		if (!go_table_function(&go, n, &function))
			continue;
		if (function.name + strlen(function.name) >
		    (const char *)bytes + size)
			__builtin_trap();
		for (int which = 0; which < GO_VALUES; which++) {
			go_values_open(&values, &go, &function,
				       (enum go_value)which);
			while (go_values_next(&values))
				if (strlen(go_table_file(&go, &function,
							 values.value)) > size)
					__builtin_trap();
		}
	}
}

static void as_table(const uint8_t *bytes, size_t size)
{
	static const uint8_t magics[] = { 0xfb, 0xfa, 0xf0, 0xf1 };
	uint8_t head[8] = { 0, 0xff, 0xff, 0xff, 0, 0, 1, 8 };
	struct elf_table table;
	uint8_t *own = malloc(size + 1);

	if (!own)
		return;
	memcpy(own, bytes, size);
	own[size] = 0;
	head[0] = magics[bytes[0] % sizeof(magics)];
	memcpy(own, head, sizeof(head));
	as_functions(own, size);
	if (go_functions_parse(own, size, 0x1000, 1, &table))
		check(&table);
	else
		free(own);
}

/* Lines and inlined functions of some addresses, and rules for stacks. */
static void as_code(int fd)
{
	enum { FRAMES = 8, FIRST = 0x400000, LAST = 0x490000, STEP = 0x1001 };
	struct go_code *code = go_code_read(fd, NULL);
	struct go_frame frames[FRAMES];
	volatile size_t length = 0;
	struct eh_rows rows;

	for (uint64_t at = FIRST; code && at < LAST; at += STEP) {
		unsigned count = go_code_frames(code, at, frames, FRAMES);

		if (count > FRAMES)
			__builtin_trap();
		for (unsigned i = 0; i < count; i++)
			length += strlen(frames[i].function) +
				  strlen(frames[i].file);
	}
	go_code_free(code);
	eh_frame_read_file(&rows, fd, NULL);
	for (size_t i = 1; i < rows.count; i++)
		if ((uint32_t)rows.rows[i] < (uint32_t)rows.rows[i - 1])
			__builtin_trap();
	eh_rows_free(&rows);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct elf_file file;
	struct elf_table table;
	int fd = memfd_create("fuzz", MFD_CLOEXEC);

	if (size >= 8)
		as_table(bytes, size);
	if (fd < 0 || write(fd, bytes, size) != (ssize_t)size)
		__builtin_trap();
	if (elf_file_open(&file, fd, NULL) == ELF_GOOD &&
	    go_functions_read(&file, &table))
		check(&table);
	elf_file_close(&file);
	as_code(fd);
	close(fd);
	return 0;
}
