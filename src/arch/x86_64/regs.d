/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Indexes of uregs[] on x86-64: the user registers of the current thread, in the
 * order in which the kernel saves them (struct pt_regs), and behind them the
 * segment registers and the trap number.
 */

inline int R_R15 = 0;
#pragma D attributes Stable/Stable/ISA R_R15
inline int R_R14 = 1;
#pragma D attributes Stable/Stable/ISA R_R14
inline int R_R13 = 2;
#pragma D attributes Stable/Stable/ISA R_R13
inline int R_R12 = 3;
#pragma D attributes Stable/Stable/ISA R_R12
inline int R_RBP = 4;
#pragma D attributes Stable/Stable/ISA R_RBP
inline int R_RBX = 5;
#pragma D attributes Stable/Stable/ISA R_RBX
inline int R_R11 = 6;
#pragma D attributes Stable/Stable/ISA R_R11
inline int R_R10 = 7;
#pragma D attributes Stable/Stable/ISA R_R10
inline int R_R9 = 8;
#pragma D attributes Stable/Stable/ISA R_R9
inline int R_R8 = 9;
#pragma D attributes Stable/Stable/ISA R_R8
inline int R_RAX = 10;
#pragma D attributes Stable/Stable/ISA R_RAX
inline int R_RCX = 11;
#pragma D attributes Stable/Stable/ISA R_RCX
inline int R_RDX = 12;
#pragma D attributes Stable/Stable/ISA R_RDX
inline int R_RSI = 13;
#pragma D attributes Stable/Stable/ISA R_RSI
inline int R_RDI = 14;
#pragma D attributes Stable/Stable/ISA R_RDI
inline int R_ERR = 15;
#pragma D attributes Stable/Stable/ISA R_ERR
inline int R_RIP = 16;
#pragma D attributes Stable/Stable/ISA R_RIP
inline int R_CS = 17;
#pragma D attributes Stable/Stable/ISA R_CS
inline int R_RFL = 18;
#pragma D attributes Stable/Stable/ISA R_RFL
inline int R_RSP = 19;
#pragma D attributes Stable/Stable/ISA R_RSP
inline int R_SS = 20;
#pragma D attributes Stable/Stable/ISA R_SS
inline int R_DS = 21;
#pragma D attributes Stable/Stable/ISA R_DS
inline int R_ES = 22;
#pragma D attributes Stable/Stable/ISA R_ES
inline int R_FS = 23;
#pragma D attributes Stable/Stable/ISA R_FS
inline int R_GS = 24;
#pragma D attributes Stable/Stable/ISA R_GS
inline int R_TRAPNO = 25;
#pragma D attributes Stable/Stable/ISA R_TRAPNO

/* Other names of the same. */
inline int R_EBP = 4;
#pragma D attributes Stable/Stable/ISA R_EBP
inline int R_EBX = 5;
#pragma D attributes Stable/Stable/ISA R_EBX
inline int R_EAX = 10;
#pragma D attributes Stable/Stable/ISA R_EAX
inline int R_ECX = 11;
#pragma D attributes Stable/Stable/ISA R_ECX
inline int R_EDX = 12;
#pragma D attributes Stable/Stable/ISA R_EDX
inline int R_ESI = 13;
#pragma D attributes Stable/Stable/ISA R_ESI
inline int R_EDI = 14;
#pragma D attributes Stable/Stable/ISA R_EDI
inline int R_EIP = 16;
#pragma D attributes Stable/Stable/ISA R_EIP
inline int R_EFL = 18;
#pragma D attributes Stable/Stable/ISA R_EFL
inline int R_ESP = 19;
#pragma D attributes Stable/Stable/ISA R_ESP
inline int R_UESP = 19;
#pragma D attributes Stable/Stable/ISA R_UESP
inline int R_PC = 16;
#pragma D attributes Stable/Stable/ISA R_PC
inline int R_FP = 4;
#pragma D attributes Stable/Stable/ISA R_FP
inline int R_SP = 19;
#pragma D attributes Stable/Stable/ISA R_SP
inline int R_PS = 18;
#pragma D attributes Stable/Stable/ISA R_PS
inline int R_R0 = 10;
#pragma D attributes Stable/Stable/ISA R_R0
inline int R_R1 = 5;
#pragma D attributes Stable/Stable/ISA R_R1
