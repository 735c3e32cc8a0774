/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * What mapping.bpf.c must know, in words that user space fills in before
 * programs run (src/run/offsets.c): where members are in the kernel's
 * structures, and which file systems are local.
 *
 * A file system is known by its magic number, which is in the slot that
 * MAPPING_SLOT() says, or it is not in the list: no two of the list share one.
 * Empty slots hold UINT64_MAX, which is nobody's number.
 */

#include <stdint.h>

enum mapping_word {
	MAPPING_KNOWN,				/* 1: this kernel has them all */
	MAPPING_END, MAPPING_OPS, MAPPING_FILE,	/* in struct vm_area_struct */
	MAPPING_ANSWERS,			/* 1: there is userfaultfd, */
	MAPPING_USERFAULTFD,			/* and its word is there, too */
	MAPPING_INODE,				/* in struct file */
	MAPPING_MODE, MAPPING_SB,		/* in struct inode */
	MAPPING_MAGIC,				/* in struct super_block */
	MAPPING_LOCAL = 16,			/* MAPPING_SLOTS of them */
	MAPPING_SLOTS = 64,
	MAPPING_WORDS = MAPPING_LOCAL + MAPPING_SLOTS
};

#define MAPPING_SLOT(magic) ((uint64_t)(magic) * 0x1e2feb89414c343dull >> 58)
