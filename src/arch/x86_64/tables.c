/* SPDX-License-Identifier: Apache-2.0 */
/* Unwind tables of x86-64. */
#include "arch/arch.h"

/*
 * rsp + 8 + ((rip & 15) >= 11) * 8: an entry pushes a word at its 11th byte
 * (walk.h).
 */
const uint8_t arch_linkage_cfa[] = {
	0x77, 0x08, 0x80, 0x00, 0x3f, 0x1a, 0x3b, 0x2a, 0x33, 0x24, 0x22,
};
const size_t arch_linkage_cfa_size = sizeof(arch_linkage_cfa);
