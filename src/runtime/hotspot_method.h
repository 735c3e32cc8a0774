/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* Names of Java methods, their files and lines, as the machine keeps them. */

#include "runtime/hotspot_code.h"

enum {
	HOTSPOT_FUNCTION_MOST = 512, HOTSPOT_FILE_MOST = 128,
	HOTSPOT_LINES_MOST = 8192,
};

struct hotspot_name {
	char function[HOTSPOT_FUNCTION_MOST]; /* java.net.Socket.connect */
	char file[HOTSPOT_FILE_MOST];	      /* Socket.java; "": not known */
	size_t nlines;			      /* bytes of the table of lines */
	uint8_t lines[HOTSPOT_LINES_MOST];
};

/* False: there is no method at that address. */
bool hotspot_method_name(const struct hotspot_vm *vm, struct hotspot_code *code,
			 uint64_t method, struct hotspot_name *name);
/* The line of a bytecode, from a table of lines; 0: it has none. */
uint32_t hotspot_line(const uint8_t *table, size_t size, uint8_t excess,
		      uint32_t bci);
