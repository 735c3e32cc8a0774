/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Probe sites that a program contains: .note.stapsdt.
 *
 * Each note is one site: a place in the code (a nop), the names of its provider
 * and probe, where its arguments are, as text of the machine's assembler, and
 * perhaps a semaphore: two bytes that are not 0 while the probe is traced.
 */

#include <stddef.h>
#include <stdint.h>

struct usdt_note {
	const char *provider, *name, *arguments;
	uint64_t address;	   /* as linked */
	uint64_t offset;	   /* the same place in the file */
	uint64_t semaphore_offset; /* in the file; 0 if there is none */
};

struct usdt_notes {
	struct usdt_note *notes; /* in the order of the file */
	size_t count;
	char *text;
	struct budget *budget;
	uint64_t held; /* of it */
};

/* NULL: the file is not a 64-bit object for this machine, or has no notes. */
struct budget;
struct usdt_notes *usdt_notes_read(int fd, struct budget *budget);
void usdt_notes_free(struct usdt_notes *notes);
