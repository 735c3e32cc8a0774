/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Can a page be waited for?  Before a program waits for a page of user memory,
 * it looks at the mapping: what would bring the page in?
 *
 * A page that the kernel brings in on its own arrives: anonymous memory, also
 * from swap, and files of local file systems.  A page that another process or
 * another machine must provide may never arrive: memory registered with
 * userfaultfd, files of FUSE or a network, mappings of devices.  A program that
 * waits for such a page blocks its thread, and every tracer that detaches user
 * probes waits for the program.
 *
 * 1. What counts is the mapped file.  Overlay file systems put the real file
 *    there, so that they are not in the list of local ones.
 * 2. The mapping can change between this look and the read.
 * 3. No lock is taken.  bpf_find_vma() gives up when another thread changes
 *    mappings, or only waits to do so: in a busy process that is most of the
 *    time.  So the tree of mappings is walked without a lock, as the kernel's
 *    own page faults do, and a result counts only if it is a mapping of this
 *    process at this address; otherwise the walk starts again.
 * 4. Tests are arithmetic: every branch is another path for the verifier, in
 *    each program as often as it reads user memory.
 */
#include "library.h"
#include "mapping.h"

enum {
	PAGE = 4096,
	TURNS = 128,		/* for a walk to a mapping; about 30 are usual */
	AGAIN = 4096,		/* for walks that went astray */
	NODE_MASK = 255, TYPE_SHIFT = 3, TYPE_MASK = 3, FIRST_INNER = 2,
	SLOT_MASK = 15,
	FORMAT = 0170000, REGULAR = 0100000,	/* in the mode of an inode */
};

#ifdef __bpf__

static long (*const bpf_probe_read_kernel)(void *to, uint32_t size,
					   const void *from) = (void *)113;
static uint64_t (*const bpf_get_current_task)(void) = (void *)35;

struct look {
	const uint64_t *words; /* mapping.h */
	uint64_t at, end;      /* where we are, and where to */
	uint64_t node, type;   /* of the tree */
	uint64_t slot, last;   /* in the node */
	uint64_t word;	       /* read last */
};

/* 1: it is; 0: it is not. */
INLINE uint64_t is_zero(uint64_t value)
{
	return 1 - (fresh(value | -value) >> 63);
}

/* Of numbers in the lower half of their range. */
INLINE uint64_t is_below(uint64_t a, uint64_t b)
{
	return (a - b) >> 63;
}

/* The word at an address in the kernel; 0: it cannot be read. */
INLINE uint64_t kernel_word(struct look *look, uint64_t address,
			    uint64_t offset)
{
	bpf_probe_read_kernel(&look->word, sizeof(look->word),
			      (const void *)(address + offset));
	return look->word;
}

INLINE uint64_t own_mm(struct look *look)
{
	return kernel_word(look, bpf_get_current_task(),
			   look->words[MAPPING_TASK_MM]);
}

/* type: at most TYPE_MASK */
INLINE uint64_t node_word(const struct look *look, uint64_t type,
			  enum mapping_node n)
{
	return look->words[MAPPING_NODES + NODE_WORDS * type + n];
}

/*
 * A node is 256 bytes on as many; its type is in the low bits of what points to
 * it.  One that is not full says in a byte of its own where it ends.  The
 * hidden zero makes everything that is stored look alike to the verifier.
 */
INLINE void enter(struct look *look, uint64_t entry, uint64_t zero)
{
	uint64_t node = entry & ~(uint64_t)NODE_MASK;
	uint64_t type = entry >> TYPE_SHIFT & TYPE_MASK;
	uint64_t full = node_word(look, type, NODE_FULL);
	uint64_t told = kernel_word(look, node,
				    node_word(look, type, NODE_META));
	uint64_t pivot = kernel_word(look, node,
				     node_word(look, type, NODE_PIVOTS) +
					     8 * full - 8);
	uint64_t is_told = is_zero(full) | is_zero(pivot);

	look->node = node + zero;
	look->type = type + zero;
	look->slot = zero;
	look->last = zero +
		     (((told & -is_told) | (full & (is_told - 1))) & SLOT_MASK);
}

/* The kernel itself brings in the pages of the mapping. */
INLINE uint64_t is_good(struct look *look, uint64_t vma)
{
	const uint64_t *words = look->words;
	uint64_t file = kernel_word(look, vma, words[MAPPING_FILE]);
	uint64_t inode = kernel_word(look, file, words[MAPPING_INODE]);
	uint64_t mode = kernel_word(look, inode, words[MAPPING_MODE]);
	uint64_t sb = kernel_word(look, inode, words[MAPPING_SB]);
	uint64_t magic = kernel_word(look, sb, words[MAPPING_MAGIC]);
	uint64_t is_local = is_zero(words[MAPPING_LOCAL + MAPPING_SLOT(magic)] ^
				    magic) &
			    is_zero((mode & FORMAT) ^ REGULAR);
	/* no file: anonymous memory, and the kernel's own (vdso) */
	uint64_t is_own = is_zero(kernel_word(look, vma, words[MAPPING_OPS])) |
			  is_zero(file);
	/* without userfaultfd in the kernel: no word at all */
	uint64_t answers = kernel_word(look, vma & -words[MAPPING_ANSWERS],
				       words[MAPPING_USERFAULTFD]);

	return (is_local | is_own) & is_zero(answers);
}

/*
 * At a mapping.  One that is not ours, or not here, has just been replaced:
 * look again.  Returns whether the walk is done.
 */
INLINE uint64_t arrive(struct look *look, uint64_t vma, uint64_t mm,
		       uint64_t zero)
{
	const uint64_t *words = look->words;
	uint64_t start = kernel_word(look, vma, words[MAPPING_START]);
	uint64_t end = kernel_word(look, vma, words[MAPPING_END]);
	uint64_t is_here = is_zero(kernel_word(look, vma, words[MAPPING_MM]) ^
				   mm) &
			   is_below(look->at, end) &
			   (1 - is_below(look->at, start));
	uint64_t good = is_good(look, vma) & is_here;
	uint64_t is_gap = is_zero(vma) & (1 - is_zero(look->node));
	uint64_t is_end = 1 - is_below(end, look->end);

	look->at += ((end - look->at) & -good) + zero;
	return is_gap | (is_here & (1 - good)) | (good & is_end);
}

/* One slot further, or one level down, or at a mapping and up again. */
static long look_on(UNUSED uint32_t turn, void *context)
{
	struct look *look = context;
	uint64_t zero = unknown(0);
	uint64_t slot = look->slot & SLOT_MASK, type = look->type & TYPE_MASK;
	uint64_t pivot = kernel_word(look, look->node,
				     8 * slot + node_word(look, type,
							  NODE_PIVOTS));

	/* the last pivot may be beyond what can be compared so */
	if (is_below(slot, look->last) & is_below(pivot, look->at) &
	    (1 - (pivot >> 63))) {
		look->slot = slot + 1 + zero;
		return 0;
	}
	uint64_t entry = kernel_word(look, look->node,
				     8 * slot +
					     node_word(look, type, NODE_SLOTS));

	if (type < FIRST_INNER) {
		uint64_t mm = own_mm(look);

		if (arrive(look, entry, mm, zero))
			return 1;
		entry = kernel_word(look, mm, look->words[MAPPING_ROOT]);
	}
	enter(look, entry, zero);
	return 0;
}

/*
 * How many of the b bytes at address a can be waited for; source has the
 * words of mapping.h.
 */
LIBRARY(pageable)
{
	uint64_t zero = unknown(0);
	uint64_t start = (uint64_t)a + zero, size = (uint64_t)b;
	struct look look = {
		.words = (const uint64_t *)source,
		.at = start, .end = start + size,
		/* above the root: a leaf without a mapping */
		.node = zero, .type = zero, .slot = zero, .last = zero,
	};

	/* not an address of the kernel */
	if (start >> 63 || !look.words[MAPPING_KNOWN])
		return 0;
	repeat((size / PAGE + 2) * TURNS + AGAIN, look_on, &look);
	return (int64_t)smaller(look.at - start, size);
}

#else

/* An interpreted world has no memory to wait for. */
LIBRARY(pageable)
{
	return b;
}

#endif
