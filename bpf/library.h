/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * The run-time library: what is too long to be generated, written in C.
 *
 * Every *.bpf.c here is compiled twice: by clang for BPF, embedded into the
 * binary and linked into the programs that use it (src/bpf/link.c), and by the
 * host's compiler for the IR's interpreter and the unit tests.  So both agree
 * by construction.
 *
 * All functions have the same shape (library_function): two pieces of memory
 * with their capacities, two numbers, one result.  functions.def lists those
 * that IR may call.
 *
 * Rules, because of the verifier:
 *
 * 1. Memory is in maps, never on the stack, starts on 8 bytes and may be
 *    accessed up to the next multiple of 8 after its capacity.  A string ends
 *    at its NUL, or at its capacity; what follows the NUL is garbage.
 * 2. Bytes are reached through byte_at(), word_at() and friends alone: the
 *    bound is tested in the instruction right before the access, because 6.1
 *    forgets bounds that the compiler moved.  Outside, reads are 0 and writes
 *    are lost; that is how results are truncated.
 * 3. Loops are repeat(), which is bpf_loop(): verified once whatever the
 *    capacity.  What is in the context of a loop must be unknown() to the
 *    verifier, unless it is the same constant on every path there (capacities)
 *    or is only written by the loop.  Kernels before 6.8 lose track of what an
 *    iteration learnt from its context: having seen a length of 0 on one path
 *    they regard the other paths as seen, too, and remove the code that only
 *    those need.  And kernels before 6.7 verify one iteration only, so they
 *    take a value that changes between iterations for its first value.
 * 4. Inside loops the verifier follows every path separately unless its
 *    knowledge is the same again.  State is read with fresh(), so that a test
 *    of it teaches nothing about the original, and written with a hidden zero
 *    added, so that one path's value looks like another's.
 * 5. The stack of program, function and iteration together is 512 bytes; keep
 *    contexts small (see LIBRARY_STACK in src/bpf/gen.h).
 * 6. No tables and no global data: there is no section to put them in.
 */

#include <stdbool.h>
#include <stdint.h>

typedef int64_t library_function(char *mem, const char *source, uint64_t caps,
				 int64_t a, int64_t b);

#define UNUSED __attribute__((unused))
#define LIBRARY(name) \
	int64_t d_##name(UNUSED char *mem, UNUSED const char *source, \
			 UNUSED uint64_t caps, UNUSED int64_t a, \
			 UNUSED int64_t b)
#define FUNCTION(name) LIBRARY(name);
#include "functions.def"
#undef FUNCTION

/* Capacities of mem and source share one argument. */
#define CAP_MEM(caps) ((caps)&0xffffffff)
#define CAP_SOURCE(caps) ((caps) >> 32)
#define CAPS(mem, source) ((uint64_t)(mem) | (uint64_t)(source) << 32)

/* A piece of a string, as one result; SPAN_NONE: none. */
#define SPAN(start, length) ((int64_t)((uint64_t)(start) << 32 | (length)))
#define SPAN_START(span) ((uint64_t)(span) >> 32)
#define SPAN_LENGTH(span) ((uint64_t)(span)&0xffffffff)
enum { SPAN_NONE = -1 };

static const uint64_t NOWHERE = UINT64_MAX;

#define INLINE static inline __attribute__((always_inline, unused))
#define NOINLINE __attribute__((noinline))

/* ---------------------------------------------------------------- the target */

#ifdef __bpf__

/*
 * The bound is tested on a copy that the verifier does not connect with the
 * original ("|= 0" does that), so that both paths join again right after it.
 */
#define TARGET_LOAD(name, width) \
	INLINE uint64_t name(const char *p, uint64_t at, uint64_t limit) \
	{ \
		uint64_t value; \
		asm volatile("%[value] = %[at]\n" \
			     "%[value] |= 0\n" \
			     "if %[value] >= %[limit] goto +3\n" \
			     "%[value] += %[p]\n" \
			     "%[value] = *(" width " *)(%[value] + 0)\n" \
			     "goto +1\n" \
			     "%[value] = 0\n" \
			     : [value] "=&r"(value) \
			     : [p] "r"(p), [at] "r"(at), [limit] "r"(limit) \
			     : "memory"); \
		return value; \
	}

#define TARGET_STORE(name, width) \
	INLINE void name(char *p, uint64_t at, uint64_t limit, \
			 uint64_t value) \
	{ \
		uint64_t temp; \
		asm volatile("%[temp] = %[at]\n" \
			     "%[temp] |= 0\n" \
			     "if %[temp] >= %[limit] goto +2\n" \
			     "%[temp] += %[p]\n" \
			     "*(" width " *)(%[temp] + 0) = %[value]\n" \
			     : [temp] "=&r"(temp) \
			     : [p] "r"(p), [at] "r"(at), \
			       [limit] "r"(limit), [value] "r"(value) \
			     : "memory"); \
	}

/* The same value; the verifier learns nothing about the original from it. */
INLINE uint64_t fresh(uint64_t value)
{
	asm volatile("%[value] |= 0\n" : [value] "+r"(value));
	return value;
}

typedef long turn_function(uint32_t turn, void *context);

/* The count is 32 bits, but where it is inlined all 64 are looked at. */
static long (*const bpf_loop)(uint64_t count, turn_function *turn,
			      void *context, uint64_t flags) = (void *)181;

INLINE void repeat(uint64_t count, turn_function *turn, void *context)
{
	bpf_loop(count, turn, context, 0);
}

#else

#include <string.h>

#define TARGET_LOAD(name, width) \
	INLINE uint64_t name(const char *p, uint64_t at, uint64_t limit) \
	{ \
		uint64_t value = 0; \
		if (at < limit) \
			memcpy(&value, p + at, width[1] == '8' ? 1 : 8); \
		return value; \
	}

#define TARGET_STORE(name, width) \
	INLINE void name(char *p, uint64_t at, uint64_t limit, \
			 uint64_t value) \
	{ \
		if (at < limit) \
			memcpy(p + at, &value, width[1] == '8' ? 1 : 8); \
	}

INLINE uint64_t fresh(uint64_t value)
{
	return value;
}

typedef long turn_function(uint32_t turn, void *context);

INLINE void repeat(uint64_t count, turn_function *turn, void *context)
{
	for (uint32_t i = 0; i < count; i++)
		if (turn(i, context))
			break;
}

#endif

/* ------------------------------------------------------------------ memory */

TARGET_LOAD(load_byte, "u8")
TARGET_LOAD(load_word, "u64")
TARGET_STORE(store_byte, "u8")
TARGET_STORE(store_word, "u64")

/* A number about which the verifier knows nothing. */
INLINE uint64_t unknown(uint64_t value)
{
	/* It does not follow halves of a word, unless they are 0. */
	union {
		volatile uint32_t half[2];
		volatile uint64_t whole;
	} hidden;

	hidden.half[0] = 1;
	hidden.half[1] = 1;
	return value + hidden.whole - 0x100000001;
}

INLINE uint64_t padded(uint64_t cap)
{
	return (cap + 7) & ~(uint64_t)7;
}

INLINE uint64_t byte_at(const char *p, uint64_t at, uint64_t cap)
{
	return load_byte(p, at, cap);
}

/* An aligned word; at is a multiple of 8. */
INLINE uint64_t word_at(const char *p, uint64_t at, uint64_t cap)
{
	return load_word(p, at, padded(cap) - 7);
}

/* A word from anywhere; what is after the end reads 0. */
INLINE uint64_t piece_at(const char *p, uint64_t at, uint64_t cap)
{
	uint64_t last = padded(cap) - 8;

	uint64_t over = fresh(at - last);

	if (over - 1 < 7)
		return load_word(p, last, last + 1) >> (over * 8);
	return load_word(p, at, last + 1);
}

INLINE void put_byte(char *p, uint64_t at, uint64_t cap, uint64_t byte)
{
	store_byte(p, at, cap, byte);
}

INLINE void put_word(char *p, uint64_t at, uint64_t cap, uint64_t word)
{
	store_word(p, at, padded(cap) - 7, word);
}

/* ------------------------------------------------------------------- words */

#define EACH_BYTE(byte) ((uint64_t)(byte)*0x0101010101010101)

/* 0x80 in each byte of the word that is 0, and nowhere else. */
INLINE uint64_t zero_bytes(uint64_t word)
{
	uint64_t low = EACH_BYTE(0x7f);

	return ~(((word & low) + low) | word | low);
}

/* Number of the lowest byte that has its 0x80 set; there must be one. */
INLINE uint64_t first_byte(uint64_t marks)
{
	return ((marks & -marks) >> 7) * 0x0001020304050607 >> 56;
}

INLINE uint64_t last_byte(uint64_t marks)
{
	return 7 - first_byte(__builtin_bswap64(marks) & EACH_BYTE(0x80));
}

/* The lowest `count` (at most 8) bytes of a word. */
INLINE uint64_t low_bytes(uint64_t word, uint64_t count)
{
	return count > 7 ? word : word & (((uint64_t)1 << (count * 8)) - 1);
}

INLINE uint64_t smaller(uint64_t x, uint64_t y)
{
	return x < y ? x : y;
}

/* --------------------------------------------------- shared parts (part.bpf.c) */

/* Bytes before the NUL, at most cap. */
uint64_t part_length(const char *p, uint64_t cap);
/*
 * Last place before `end` where the byte is (is_not: is not) `byte`, or
 * NOWHERE.  The string must be at least `end` long.
 */
uint64_t part_last(const char *p, uint64_t cap, uint64_t end, uint64_t byte,
		   uint64_t is_not);
/*
 * Bytes of `from` (span) to the front of `to`, which has been zeroed, with
 * at most cap - 1 bytes.
 */
void part_copy(char *to, const char *from, uint64_t caps, uint64_t span);
