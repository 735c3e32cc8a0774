/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * What mapping.bpf.c must know, as words that user space fills in before
 * programs run (src/run/offsets.c): where members are in the kernel's
 * structures, and which file systems are local.
 *
 * A file system is identified by its magic number, which is in the slot that
 * MAPPING_SLOT() gives, or it is not in the list: no two of the list share a
 * slot.  Empty slots hold UINT64_MAX, which no file system has.
 */

#include <stdint.h>

enum mapping_word {
	MAPPING_KNOWN,		/* 1: this kernel has them all */
	/* offsets of members */
	MAPPING_TASK_MM,
	MAPPING_ROOT,		/* in struct mm_struct: of the tree of mappings */
	MAPPING_MM, MAPPING_START, MAPPING_END,	/* in struct vm_area_struct */
	MAPPING_OPS, MAPPING_FILE,
	MAPPING_ANSWERS,	/* 1: there is userfaultfd, */
	MAPPING_USERFAULTFD,	/* and its word is in that structure, too */
	MAPPING_INODE,		/* in struct file */
	MAPPING_MODE, MAPPING_SB,	/* in struct inode */
	MAPPING_MAGIC,		/* in struct super_block */
	/* in a node of the tree, by its type: enum mapping_node of each */
	MAPPING_NODES = 16,
	MAPPING_LOCAL = 32,	/* MAPPING_SLOTS of them */
	MAPPING_SLOTS = 64,
	MAPPING_WORDS = MAPPING_LOCAL + MAPPING_SLOTS
};

enum mapping_node {
	NODE_PIVOTS,		/* the last address below each slot */
	NODE_SLOTS, NODE_META,
	NODE_FULL,		/* how many pivots; 0: its end is always given */
	NODE_WORDS
};

#define MAPPING_SLOT(magic) ((uint64_t)(magic)*0x1e2feb89414c343dull >> 58)
