/* SPDX-License-Identifier: Apache-2.0 */
/* Machines of object files, by name, whichever of them this is. */
#include <elf.h>

#include "arch/arch.h"

const char *arch_machine_name(uint16_t elf_machine)
{
	static const struct {
		uint16_t machine;
		const char *name;
	} names[] = {
		{ EM_X86_64, "x86-64" },
		{ EM_386, "i386" },
		{ EM_AARCH64, "aarch64" },
		{ EM_ARM, "arm" },
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (names[i].machine == elf_machine)
			return names[i].name;
	return NULL;
}
