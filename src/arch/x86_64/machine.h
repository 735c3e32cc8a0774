/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* The constants of x86-64; arch.h says what they mean. */

/* Registers: rip, rsp, rbp, rflags, rax, rdx, orig_rax; cs. */
enum {
	ARCH_PC = 128, ARCH_SP = 152, ARCH_FP = 32, ARCH_FLAGS = 144,
	ARCH_RESULT = 80, ARCH_RESULT_HIGH = 96, ARCH_SYSCALL_NUMBER = 120,
	ARCH_MODE = 136, ARCH_MODE_BITS = 3, ARCH_USER_MODE_IS_0 = 0,
	ARCH_NREGISTERS = 17,
};
/* Those that runtimes keep something in: rbx, r13, rax, r9, r12, r14. */
enum {
	ARCH_RUNTIME_0 = 40, ARCH_RUNTIME_1 = 16, ARCH_RUNTIME_2 = 80,
	ARCH_RUNTIME_3 = 64, ARCH_RUNTIME_4 = 24, ARCH_RUNTIME_5 = 8,
};

enum { ARCH_UREGS_SAVED = 21, ARCH_UREGS = 26 };
#define ARCH_UREGS_SP "19"

enum {
	ARCH_ARGUMENT_REGISTERS = 6, ARCH_SYSCALL_ARGUMENTS = 6,
	ARCH_CALL_PUSHES = 8,
};

#define ARCH_ELF_MACHINE EM_X86_64
#define ARCH_ELF_MACHINE_32 EM_386
#define ARCH_ELF_ADDRESS R_X86_64_64
#define ARCH_ELF_RELATIVE R_X86_64_RELATIVE
#define ARCH_ELF_NONE R_X86_64_NONE

/* two pages */
enum { ARCH_VDSO_SIZE = 8192, ARCH_STORES_IN_ORDER = 1 };
#define ARCH_CPP_OPTIONS "-D__amd64", "-D__x86_64"
#define ARCH_FPU_EVENT "rawtp:x86_fpu::x86_fpu_"
/* bit 0: the page is present; bit 1: written to */
#define ARCH_FAULT_PROTECTS(code) code " & 1"
#define ARCH_FAULT_COPIES(code) "(" code " & 3) == 3"

/* DWARF's numbers of rbp and rsp */
enum {
	ARCH_DWARF_FP = 6, ARCH_DWARF_SP = 7, ARCH_RETURN_AT = -8,
	ARCH_RED_ZONE = 128,
};

enum { ARCH_BREAKPOINT_SIZE = 1 };

#define ARCH_THREAD_POINTER "thread.fsbase"

enum { ARCH_CONDITION_STEPS = 8, ARCH_CONDITION_PAIRS = 8 };
