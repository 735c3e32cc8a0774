/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libFuzzer target: any bytes as a file with USDT notes.
 *
 * The notes are read, and the arguments of each are parsed, with a symbol
 * table that knows every name.  Whatever comes, names end, places are inside
 * of the file, and no memory is left behind.
 */
#include <assert.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "proc/usdt_note.h"
#include "provider/usdt_argument.h"

static bool any_symbol(void *data, struct str name, uint64_t *address)
{
	(void)data;
	*address = name.n * 16;
	return name.p[0] != 'x';
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	struct arena *arena = arena_new();
	struct usdt_argument arguments[10];

	if (fd < 0 || write(fd, bytes, size) != (ssize_t)size)
		__builtin_trap();
	struct usdt_notes *notes = usdt_notes_read(fd, NULL);

	for (size_t i = 0; notes && i < notes->count; i++) {
		const struct usdt_note *note = &notes->notes[i];
		uint32_t count = usdt_arguments_parse(arena, note->arguments,
						      note->address,
						      any_symbol, NULL,
						      arguments, 10);

		assert(*note->provider && *note->name);
		for (uint32_t n = 0; n < count && n < 10; n++)
			assert(usdt_argument_type(&arguments[n]) &&
			       (arguments[n].operand.kind != OPERAND_UNREADABLE) ==
				       !arguments[n].operand.problem);
	}
	usdt_notes_free(notes);
	arena_free(arena);
	close(fd);
	return 0;
}
