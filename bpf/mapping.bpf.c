/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whose memory is it?  Before a program waits for a page of user memory, it
 * looks at the mapping: who would bring the page in?
 *
 * A page that the kernel brings in on its own arrives: anonymous memory, also
 * from swap, and files of local file systems.  A page that another process or
 * another machine must provide may never arrive: memory registered with
 * userfaultfd, files of FUSE or a network, mappings of devices.  A program
 * that waits for such a page holds up its thread, and everybody who detaches
 * user probes waits for the program.
 *
 * 1. What counts is the file behind the mapping.  Overlay file systems put the
 *    real file there, so that they are not in the list of local ones.
 * 2. The mapping can change between this look and the read.
 * 3. Tests are arithmetic here: every branch is another way for the verifier,
 *    in each program as often as it reads user memory.
 */
#include "library.h"
#include "mapping.h"

enum {
	PAGE = 4096,
	TRIES = 1 << 14,	/* of a lock that another thread holds; < 1 ms */
	BUSY = -16,		/* EBUSY */
	FORMAT = 0170000, REGULAR = 0100000,	/* in the mode of an inode */
};

#ifdef __bpf__

static long (*const bpf_probe_read_kernel)(void *to, uint32_t size,
					   const void *from) = (void *)113;
static const char *(*const bpf_get_current_task_btf)(void) = (void *)158;
typedef long vma_function(const char *task, const char *vma, void *context);
static long (*const bpf_find_vma)(const char *task, uint64_t address,
				  vma_function *function, void *context,
				  uint64_t flags) = (void *)180;

struct look {
	const uint64_t *words;	/* mapping.h */
	uint64_t at, end;	/* where we are, and where to */
	uint64_t good_to;	/* end of the mapping at hand, if it is good */
};

/* 1: it is; 0: it is not. */
INLINE uint64_t is_zero(uint64_t value)
{
	return 1 - (fresh(value | -value) >> 63);
}

/* The word at an address in the kernel; 0: it cannot be read. */
INLINE uint64_t kernel_word(uint64_t address, uint64_t offset)
{
	uint64_t word;

	bpf_probe_read_kernel(&word, sizeof(word),
			      (const void *)(address + offset));
	return word;
}

/* The kernel holds the mapping still while it calls this. */
static long look_at(UNUSED const char *task, const char *typed, void *context)
{
	struct look *look = context;
	const uint64_t *words = look->words;

	/* A number: what has a type takes no offset that was read. */
	uint64_t vma = kernel_word((uint64_t)&typed, 0);
	uint64_t file = kernel_word(vma, words[MAPPING_FILE]);
	uint64_t inode = kernel_word(file, words[MAPPING_INODE]);
	uint64_t mode = kernel_word(inode, words[MAPPING_MODE]);
	uint64_t sb = kernel_word(inode, words[MAPPING_SB]);
	uint64_t magic = kernel_word(sb, words[MAPPING_MAGIC]);
	uint64_t is_local = is_zero(words[MAPPING_LOCAL +
					  MAPPING_SLOT(magic)] ^ magic) &
			    is_zero((mode & FORMAT) ^ REGULAR);
	/* of nobody: anonymous memory, and the kernel's own (vdso) */
	uint64_t is_own = is_zero(kernel_word(vma, words[MAPPING_OPS])) |
			  is_zero(file);
	/* without userfaultfd in the kernel: no word at all */
	uint64_t answers = kernel_word(vma & -words[MAPPING_ANSWERS],
				       words[MAPPING_USERFAULTFD]);

	look->good_to = kernel_word(vma, words[MAPPING_END]) &
			-((is_local | is_own) & is_zero(answers) &
			  words[MAPPING_KNOWN]);
	return 0;
}

static long next_mapping(UNUSED uint32_t turn, void *context)
{
	struct look *look = context;

	look->good_to = unknown(0);
	if (bpf_find_vma(bpf_get_current_task_btf(), look->at, look_at, look,
			 0) == BUSY)
		return 0;
	if (look->good_to <= look->at)
		return 1;
	look->at = look->good_to;
	return look->at >= look->end;
}

/*
 * How many of the b bytes at address a can be waited for; source has the
 * words of mapping.h.
 */
LIBRARY(pageable)
{
	uint64_t start = unknown((uint64_t)a), size = (uint64_t)b;
	struct look look = {
		.words = (const uint64_t *)source,
		.at = start, .end = start + size,
	};

	repeat(size / PAGE + 2 + TRIES, next_mapping, &look);
	return (int64_t)smaller(look.at - start, size);
}

#else

/* There is no memory to wait for in an interpreted world. */
LIBRARY(pageable)
{
	return b;
}

#endif
