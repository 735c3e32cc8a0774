/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * A USDT site, as text for asm(): a nop and its note.  The arguments are
 * spelled out, so that a test has exactly the forms it wants; in asm() with
 * operands a percent sign is written twice.  SEMAPHORE is a symbol, or 0.
 */
#define SITE(PROVIDER, NAME, SEMAPHORE, ARGUMENTS)			\
	"990:	nop\n"							\
	"	.pushsection .note.stapsdt, \"\", \"note\"\n"		\
	"	.balign 4\n"						\
	"	.4byte 992f-991f, 994f-993f, 3\n"			\
	"991:	.asciz \"stapsdt\"\n"					\
	"992:	.balign 4\n"						\
	"993:	.8byte 990b\n"						\
	"	.8byte _.stapsdt.base\n"				\
	"	.8byte " SEMAPHORE "\n"					\
	"	.asciz \"" PROVIDER "\"\n"				\
	"	.asciz \"" NAME "\"\n"					\
	"	.asciz \"" ARGUMENTS "\"\n"				\
	"994:	.balign 4\n"						\
	"	.popsection\n"						\
	"	.ifndef _.stapsdt.base\n"				\
	"	.pushsection .stapsdt.base, \"aG\", \"progbits\", .stapsdt.base, comdat\n" \
	"	.weak _.stapsdt.base\n"					\
	"	.hidden _.stapsdt.base\n"				\
	"_.stapsdt.base: .space 1\n"					\
	"	.size _.stapsdt.base, 1\n"				\
	"	.popsection\n"						\
	"	.endif\n"

/* Two bytes that are not 0 while somebody listens. */
#define SEMAPHORE(NAME)							\
	extern volatile unsigned short NAME;				\
	__attribute__((section(".probes"), used, visibility("hidden")))	\
	volatile unsigned short NAME
