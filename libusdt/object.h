/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * The file of a provider: an ELF object with a function, a semaphore and a note
 * for each of its probes.  It is mapped at once and without relocations:
 *
 *	0		headers, rules for unwinding, code	executable
 *	object->data	semaphores				writable
 *	the rest	notes and symbols, which only readers of the file see
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "usdt.h"

struct object {
	uint8_t *bytes;
	size_t size;
	size_t code;   /* where the functions are */
	size_t data;   /* where semaphores are; a page of its own */
	size_t mapped; /* what is mapped: code and data */
};

/* The distance of functions, and of semaphores. */
enum { OBJECT_SITE = 16, OBJECT_SEMAPHORE = 2 };

/* False: no memory.  Free object->bytes. */
bool object_make(struct object *object, const usdt_provider_t *provider);
