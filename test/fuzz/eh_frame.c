/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libFuzzer target: any bytes as a section .eh_frame, and as an ELF file that
 * has one.  Whatever comes, rows are in order and within 4 GB of their base,
 * and no memory is left behind.
 */
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "proc/eh_frame.h"

static void check(struct eh_rows *rows)
{
	for (size_t i = 1; i < rows->count; i++)
		if ((uint32_t)rows->rows[i - 1] >= (uint32_t)rows->rows[i])
			__builtin_trap();
	eh_rows_free(rows);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct eh_rows rows = { 0 };
	int fd = memfd_create("fuzz", MFD_CLOEXEC);

	eh_frame_read(&rows, bytes, size, 0x2000, 0x1000);
	check(&rows);
	if (fd < 0 || write(fd, bytes, size) != (ssize_t)size)
		__builtin_trap();
	eh_frame_read_file(&rows, fd, NULL);
	check(&rows);
	close(fd);
	return 0;
}
