/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Inside unwind.bpf.c: the state of a walk, and how it reads the process, the
 * kernel and the memory of unwind.h.  Natively the process is a copy of its
 * stack, and there is no kernel.
 */

#include "library.h"
#include "runtime_steps.h"
#include "unwind.h"

enum { WORD = 8, PAGE = 4096 };
enum { WALK_FUNCTION_MOST = 1 << 16 }; /* bytes of a function */

/*
 * A process with a runtime makes tables and code that its list does not have yet:
 * it wants looks sixteen times as often.
 */
enum { UNMAPPED_SOON = 4 };

/*
 * What changes from frame to frame.  It is in a map, so the verifier knows
 * nothing about it: all paths through a frame look alike to it where they meet.
 */
struct state {
	union {
		uint64_t reg[RUNTIME_REGISTERS]; /* enum runtime_register */
		struct {
			uint64_t zero, pc, sp, fp;
			uint64_t is_exact; /* pc is not a return address */
			uint64_t is_first;
			uint64_t loop_sp, first_sp;
			uint64_t thread, anchor;
			uint64_t user[6];
		};
	};
	uint64_t at;	/* bytes of mem that are written */
	uint64_t list;	/* of mappings */
	uint64_t known; /* the same, if it is up to date, or 0 */
	uint64_t start, end, bias, file; /* mapping of the last frame */
	uint64_t utask;			 /* of the thread's probes */
	uint64_t instances;		 /* of intercepted returns, innermost */
	uint64_t status;
	uint64_t below, word; /* what was read last */
	uint64_t salt;	      /* of the rows that are remembered */
	uint64_t moment;      /* the same of rules for code that may go */
	uint64_t rule;	      /* for the frame at hand, or 0 */
	/* the current search: words at base + (n << shift) */
	uint64_t base, shift, low, high, want;
	uint64_t from, length; /* of the current copy */
	uint64_t slot;	       /* that it is in */
	uint64_t limit;	       /* bytes of frames, stored or not */
	uint64_t is_unmapped; /* 1, UNMAPPED_SOON: an address was in no mapping */
	uint64_t first_pc, first_fp, first_instances;
	/* runtime.h */
	uint64_t block;			/* 0: there is no runtime */
	uint64_t step, budget, verdict; /* of the program */
	uint64_t inside;	    /* frames of a place are to be written */
	uint64_t has_any;	    /* there were some */
	uint64_t loop_pc;	    /* of the place */
	uint64_t waiting, nameless; /* frames for a turn of their own */
	uint64_t look;		    /* user space must look */
	uint64_t piece[RUNTIME_PIECE + 1]; /* of the process's memory */
	/* all frames of the runtime, for a copy: SLOT_LANGUAGE */
	uint64_t is_collecting, collected; /* bytes */
	uint64_t may_wait;		   /* there may be a copy */
	uint64_t language[UNWIND_LANGUAGE / 8];
#ifndef __bpf__
	uint64_t parked; /* the stack has not changed below that */
#endif
};
_Static_assert(sizeof(struct state) <= UNWIND_STATE, "room for it");

struct walk {
	struct state *s;
	char *mem;
	const char *table;
	uint64_t caps;
	/* a word fits where it begins before that */
	uint64_t mem_end, table_end;
};

#define WALK(s, mem, table, caps) \
	{ \
		s, mem, table, caps, padded(CAP_MEM(caps)) - 7, \
			padded(CAP_SOURCE(caps)) - 7 \
	}

#ifdef __bpf__
static long (*const bpf_probe_read_kernel)(void *to, uint32_t size,
					   const void *from) = (void *)113;
static long (*const bpf_probe_read_user)(void *to, uint32_t size,
					 const void *from) = (void *)112;
static uint64_t (*const bpf_ktime_get_ns)(void) = (void *)5;
static uint64_t (*const bpf_get_current_pid_tgid)(void) = (void *)14;
/* The same twice: a number, and a pointer that the verifier knows. */
static uint64_t (*const bpf_get_current_task)(void) = (void *)35;
static const char *(*const bpf_get_current_task_btf)(void) = (void *)158;
static const char *(*const bpf_task_pt_regs)(const char *task) = (void *)175;

/* A word of the process becomes s->word; false: it cannot be read. */
INLINE bool read_user(struct state *s, uint64_t from)
{
	return !bpf_probe_read_user(&s->word, WORD, (const void *)from);
}

/* The same of two words: s->below, s->word. */
INLINE bool read_pair(struct state *s, uint64_t from)
{
	return !bpf_probe_read_user(&s->below, 2 * WORD, (const void *)from);
}

/* The same as a value; 0 if it cannot be read. */
static NOINLINE uint64_t user_word(uint64_t address)
{
	uint64_t word = 0;

	bpf_probe_read_user(&word, sizeof(word), (const void *)address);
	return word;
}

INLINE uint64_t kernel_word(uint64_t address)
{
	uint64_t word = 0;

	bpf_probe_read_kernel(&word, sizeof(word), (const void *)address);
	return word;
}
#else
#include "unwind_native.h"

unwind_reader *unwind_read, *unwind_read_process;
const uint64_t *unwind_instances;

static bool read_user(struct state *s, uint64_t from)
{
	s->word = 0;
	return unwind_read && unwind_read(&s->word, WORD, from);
}

static bool read_pair(struct state *s, uint64_t from)
{
	uint64_t pair[2] = { 0 };
	bool is_read = unwind_read && unwind_read(pair, sizeof(pair), from);

	s->below = pair[0];
	s->word = pair[1];
	return is_read;
}
#endif

INLINE uint64_t table_word(const struct walk *w, uint64_t at)
{
	return load_word(w->table, at, w->table_end);
}

INLINE void put_table_word(const struct walk *w, uint64_t at, uint64_t word)
{
	store_word((char *)w->table, at, w->table_end, word);
}

/* A frame, or what is before them. */
INLINE void put_mem_word(const struct walk *w, uint64_t at, uint64_t word)
{
	store_word(w->mem, at, w->mem_end, word);
}

INLINE uint64_t header(const struct walk *w, enum unwind_word n)
{
	return table_word(w, (uint64_t)n * WORD);
}
