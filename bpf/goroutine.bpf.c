/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The number of the goroutine that runs on this thread; 0: it is none of a Go
 * program's that user space knows (goroutine.h).
 */
#include "goroutine.h"
#include "library.h"

enum { WORD = 8 };

#ifdef __bpf__
static long (*const bpf_probe_read_user)(void *to, uint32_t size,
					 const void *from) = (void *)112;

static NOINLINE uint64_t user_word(uint64_t address)
{
	uint64_t word = 0;

	bpf_probe_read_user(&word, sizeof(word), (const void *)address);
	return word;
}
#else
/* The process that is asked about is this one: a test. */
static uint64_t user_word(uint64_t address)
{
	uint64_t word;

	if (address < 4096)
		return 0;
	memcpy(&word, (const void *)(uintptr_t)address, sizeof(word));
	return word;
}
#endif

/* mem: the table; a: the layout; b: the thread pointer. */
LIBRARY(goroutine)
{
	uint64_t at = GOROUTINE_AT(a), where = 0;

	for (unsigned i = 0; i < GOROUTINE_TRIES; i++) {
		uint64_t entry = at + i * GOROUTINE_ENTRY;

		if (load_word(mem, entry, CAP_MEM(caps)) == (uint64_t)a)
			where = load_word(mem, entry + WORD, CAP_MEM(caps));
	}
	if (!where)
		return 0;
	uint64_t own = user_word((uint64_t)b +
				 (uint64_t)((int64_t)where >> 48) * WORD);
	uint64_t machine = user_word(own + (where >> 32 & 0xffff) * WORD);
	uint64_t goroutine = user_word(machine + (where >> 16 & 0xffff) * WORD);

	/* A thread without a goroutine runs the scheduler: its own has no number. */
	if (!own || !machine || !goroutine)
		return 0;
	return (int64_t)user_word(goroutine + (where & 0xffff) * WORD);
}
