/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* What path.c of builtin/ passes to dentry.bpf.c. */

enum path_word {
	PATH_PARENT, PATH_NAME, PATH_NAME_LENGTH,	/* in struct dentry */
	PATH_MNT, PATH_MNT_PARENT, PATH_MOUNTPOINT,	/* in struct mount */
	PATH_MNT_ROOT,					/* in struct vfsmount */
	PATH_SB, PATH_INODE,				/* in struct dentry */
	PATH_MAGIC,					/* in struct super_block */
	PATH_INO,					/* in struct inode */
	PATH_ROOT_DENTRY, PATH_ROOT_MOUNT,		/* pointers */
	PATH_WORDS
};

/* The longest path; another name must fit after it. */
enum { PATH_END = 1024, PATH_ROOM = PATH_END + 256 };
