/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* Places of x86-64's registers in struct pt_regs, for the files of this set. */
enum {
	PT_R15 = 0, PT_R14 = 8, PT_R13 = 16, PT_R12 = 24, PT_RBP = 32,
	PT_RBX = 40, PT_R11 = 48, PT_R10 = 56, PT_R9 = 64, PT_R8 = 72,
	PT_RAX = 80, PT_RCX = 88, PT_RDX = 96, PT_RSI = 104, PT_RDI = 112,
	PT_ORIG_RAX = 120, PT_RIP = 128, PT_CS = 136, PT_FLAGS = 144,
	PT_RSP = 152,
};
