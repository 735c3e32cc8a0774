/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Sites of the agent: all that it knows of a machine.  Each is a function that does
 * nothing and has a nop that tracers replace.
 */

#if !defined(__x86_64__) || defined(__ILP32__)
#error "the agent for Java does not know this machine: describe it here"
#endif

enum { MACHINE_SITE_NOP = 4 }; /* where the nop is in a site */

/* endbr64, a one-byte nop, a ten-byte nop that kernels may turn into a call, ret */
#define MACHINE_SITE \
	".byte 0xf3,0x0f,0x1e,0xfa,0x90\n\t" \
	".byte 0x66,0x2e,0x0f,0x1f,0x84,0,0,0,0,0\n\t" \
	"ret\n\t"
