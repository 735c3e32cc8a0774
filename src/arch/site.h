/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Probe sites.  A site is a one-byte nop, on x86-64 followed by a ten-byte nop
 * that a kernel may turn into a call, and a note in .note.stapsdt that says
 * which probe it is and where its arguments are.  Nothing else is executed
 * while the program is not traced.  Debuggers and tracers read these notes:
 * gdb, perf, bpftrace, SystemTap, and dtrace(8) itself.
 *
 * This text may be part of any program, under any terms.
 */
#ifndef _DTRACE_SITE
#define _DTRACE_SITE 1

#if defined(__GNUC__)
#pragma GCC system_header /* no warnings about what is below */
#endif

#if defined(__x86_64__)
#define _DTRACE_NOPS "nop\n\t.byte 0x66,0x2e,0x0f,0x1f,0x84,0,0,0,0,0\n"
#else
#define _DTRACE_NOPS "nop\n"
#endif

#if __SIZEOF_POINTER__ == 4
#define _DTRACE_ADDRESS "\t.4byte "
#define _DTRACE_WORD "4"
#else
#define _DTRACE_ADDRESS "\t.8byte "
#define _DTRACE_WORD "8"
#endif

/*
 * The texts of a site.  The section is of the same group as the function, so
 * that the notes of an inline function are dropped with it by the linker.  The
 * one byte in .stapsdt.base shows by how much a file was moved (prelink).
 */
#define _DTRACE_SITE_TEXT(provider, name, semaphore, arguments) \
	"990:\t" _DTRACE_NOPS \
	"\t.pushsection .note.stapsdt,\"?\",\"note\"\n" \
	"\t.balign 4\n" \
	"\t.4byte 992f-991f, 994f-993f, 3\n" \
	"991:\t.asciz \"stapsdt\"\n" \
	"992:\t.balign 4\n" \
	"993:" _DTRACE_ADDRESS "990b\n" \
	_DTRACE_ADDRESS "_.stapsdt.base\n" \
	_DTRACE_ADDRESS semaphore "\n" \
	"\t.asciz \"" provider "\"\n" \
	"\t.asciz \"" name "\"\n" \
	"\t.asciz \"" arguments "\"\n" \
	"994:\t.balign 4\n" \
	"\t.popsection\n" \
	"\t.ifndef _.stapsdt.base\n" \
	"\t.pushsection .stapsdt.base,\"aG\",\"progbits\",.stapsdt.base,comdat\n" \
	"\t.weak _.stapsdt.base\n" \
	"\t.hidden _.stapsdt.base\n" \
	"_.stapsdt.base:\t.space 1\n" \
	"\t.size _.stapsdt.base, 1\n" \
	"\t.popsection\n" \
	"\t.endif\n"

/*
 * A semaphore counts the tracers of the probe.  Each file that may test it has
 * one, and the linker keeps one of them; `dtrace -G` creates another, which
 * wins.
 */
#define _DTRACE_SEMAPHORE(symbol) \
	__asm__("\t.ifndef " #symbol "\n" \
		"\t.pushsection .probes,\"awG\",\"progbits\"," #symbol ",comdat\n" \
		"\t.balign 2\n" \
		"\t.weak " #symbol "\n" \
		"\t.hidden " #symbol "\n" \
		"\t.type " #symbol ", \"object\"\n" \
		"\t.size " #symbol ", 2\n" \
		#symbol ":\t.zero 2\n" \
		"\t.popsection\n" \
		"\t.endif\n"); \
	extern volatile unsigned short symbol \
		__attribute__((visibility("hidden")))

#define _DTRACE_ENABLED(symbol) __builtin_expect((symbol) != 0, 0)

/*
 * Where arguments are: constants, registers, and the stack if there are many.
 * General memory operands would sometimes be "counter(%rip)", which can be read
 * only with a symbol table; so what is not on the stack is loaded.
 */
#if defined(__x86_64__) || defined(__aarch64__)
#define _DTRACE_FEW "nr"
#else
#define _DTRACE_FEW "nor"
#endif
#define _DTRACE_MANY "nor"
#define _DTRACE_HOLD(value) \
	do { \
		if (!__builtin_constant_p(value)) \
			__asm__("" : "+r"(value)); \
	} while (0)
#if defined(__x86_64__) || defined(__i386__)
#define _DTRACE_FLOAT "x"
#elif defined(__aarch64__)
#define _DTRACE_FLOAT "w"
#else
#define _DTRACE_FLOAT "m"
#endif

/* What a pointer points at must be in memory, where a tracer looks. */
#if defined(__clang__)
#define _DTRACE_BYTES const char(*)[65536]
#else
#define _DTRACE_BYTES const char(*)[]
#endif
#define _DTRACE_STORE(pointer) \
	do { \
		if (!__builtin_constant_p(pointer)) \
			__asm__ __volatile__("" : : "m"(*(_DTRACE_BYTES)(pointer))); \
	} while (0)

/* For arguments whose type only the compiler knows. */
#ifdef __cplusplus
extern "C++" {
template <typename _DtraceType> _DtraceType _dtrace_decayed(_DtraceType);
}
#define _DTRACE_TYPEOF(value) __typeof__(_dtrace_decayed(value))
#else
#define _DTRACE_TYPEOF(value) __typeof__(0 ? (value) : (value))
#endif
#define _DTRACE_SIZE(type) \
	((type)-1 < (type)1 ? -(int)sizeof(type) : (int)sizeof(type))
/* 5: a pointer */
#define _DTRACE_STORE_ANY(value) \
	do { \
		if (__builtin_classify_type(value) == 5) \
			_DTRACE_STORE((__UINTPTR_TYPE__)(value)); \
	} while (0)

#endif /* _DTRACE_SITE */
