/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * What a machine's sites look like: all that libusdt knows of a machine.
 *
 * A site is a function that does nothing.  It is called with the arguments of
 * the probe, so where they are is the machine's calling convention: the first in
 * registers, the others on the stack.  The nop that tracers replace comes before
 * anything has moved the stack.
 */

#include <elf.h>
#include <stdint.h>

#if !defined(__x86_64__) || defined(__ILP32__)
#error "libusdt does not know this machine: describe it here"
#endif

enum {
	MACHINE_ELF = EM_X86_64,
	MACHINE_SITE_NOP = 4,	     /* where the nop is in a site */
	MACHINE_REGISTER_ARGS = 6,   /* arguments in registers */
	MACHINE_STACK_FIRST = 8,     /* the next is there on the stack */
	MACHINE_RETURN_COLUMN = 16,  /* DWARF's name of the return address */
	MACHINE_STACK_COLUMN = 7,    /* and of the stack pointer */
};

/*
 * endbr64, a one-byte nop, a ten-byte nop that kernels may turn into a call, ret.
 * The one-byte nop is what every kernel emulates (src/arch/site.h).
 */
static const uint8_t machine_site[16] = {
	0xf3, 0x0f, 0x1e, 0xfa,
	0x90,
	0x66, 0x2e, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0,
	0xc3,
};

/* Registers of arguments, as notes spell them for 1, 2, 4 and 8 bytes. */
static const char *const machine_registers[MACHINE_REGISTER_ARGS][4] = {
	{ "%dil", "%di", "%edi", "%rdi" },
	{ "%sil", "%si", "%esi", "%rsi" },
	{ "%dl", "%dx", "%edx", "%rdx" },
	{ "%cl", "%cx", "%ecx", "%rcx" },
	{ "%r8b", "%r8w", "%r8d", "%r8" },
	{ "%r9b", "%r9w", "%r9d", "%r9" },
};

/* An argument on the stack, for printf. */
#define MACHINE_STACK_OPERAND "%d(%%rsp)"
