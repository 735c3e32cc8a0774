/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fsinfo: what is done with files, whatever their file system.
 *
 * args[0] is the file, args[1] the number of bytes that were read or written (a
 * directory's entries are bytes, too), or 0 if there are none.  A file is
 * passed as one word; if bit 0 is set, the word is that of a name (dlib/io.d).
 *
 * 1. Operations on a descriptor are taken from system calls, which are the same
 *    on all kernels; the file is the one that the descriptor refers to.  Where
 *    bytes count, the probe fires at the return, and the entry saves the
 *    descriptor for the thread, plus 1: 0 means none.
 * 2. Operations on names are taken from the functions that implement the calls,
 *    because these know the file; so they need a kernel whose functions can be
 *    traced.
 */
#include "provider/stable.h"

#define FILE_AND_BYTES                             \
	{                                          \
		{ "_fsinfo_t *", "fileinfo_t *" }, \
		{                                  \
			"int"                      \
		}                                  \
	}

/* Bytes through a descriptor. */
#define MOVES(call) \
	{ "syscall::" call ":entry", .also = true, \
	  .when = "(self->_fs_fd = args[0] + 1) == 0" }, \
	{ "syscall::" call ":return", .also = true, \
	  .when = "self->_fs_fd != 0 && getf(self->_fs_fd - 1) != NULL", \
	  .args = { "(uintptr_t)getf(self->_fs_fd - 1)", "args[1] > 0 ? args[1] : 0" } }
/* Something else through the descriptor that is argument n. */
#define THROUGH(call, n) \
	{ "syscall::" call ":entry", .also = true, \
	  .when = "getf((int)args[" n "]) != NULL", \
	  .args = { "(uintptr_t)getf((int)args[" n "])" } }
#define OPENS(call) \
	{ "syscall::" call ":return", .also = true, .when = "args[1] >= 0", \
	  .args = { "(uintptr_t)getf(args[1])" } }
/* The name is an argument of the function. */
#define KNOWS(function, dentry) \
	STABLE_SOURCES({ "fbt::" function ":entry", \
			 .args = { "(uintptr_t)" dentry " | 1" } })

/* The function takes the next part of a path. */
#define LOOKS_UP(function) \
	{ "fbt::" function ":entry", \
	  .when = "(args[0]->path.dentry->d_inode->i_mode & 0xf000) == 0x4000", \
	  .args = { "(uintptr_t)args[0]->path.dentry | 1" } }

/* A name of an inode. */
#define NAME_OF(inode) \
	"(uintptr_t)_inode_name(" inode ") | 1"
#define HAS_NAME(inode) inode "->i_dentry.first != NULL"

static const struct stable_probe probes[] = {
	{ "read", FILE_AND_BYTES,
	  STABLE_SOURCES(MOVES("read"), MOVES("pread64"), MOVES("readv"),
			 MOVES("preadv"), MOVES("preadv2")) },
	{ "write", FILE_AND_BYTES,
	  STABLE_SOURCES(MOVES("write"), MOVES("pwrite64"), MOVES("writev"),
			 MOVES("pwritev"), MOVES("pwritev2")) },
	{ "readdir", FILE_AND_BYTES,
	  STABLE_SOURCES(MOVES("getdents"), MOVES("getdents64")) },
	{ "open", FILE_AND_BYTES,
	  STABLE_SOURCES(OPENS("open"), OPENS("openat"), OPENS("openat2"),
			 OPENS("creat")) },
	{ "close", FILE_AND_BYTES, STABLE_SOURCES(THROUGH("close", "0")) },
	{ "fsync", FILE_AND_BYTES,
	  STABLE_SOURCES(THROUGH("fsync", "0"), THROUGH("fdatasync", "0"),
			 THROUGH("sync_file_range", "0")) },
	{ "ioctl", FILE_AND_BYTES, STABLE_SOURCES(THROUGH("ioctl", "0")) },
	{ "seek", FILE_AND_BYTES, STABLE_SOURCES(THROUGH("lseek", "0")) },
	{ "map", FILE_AND_BYTES, STABLE_SOURCES(THROUGH("mmap", "4")) },
	{ "frlock", FILE_AND_BYTES, STABLE_SOURCES(THROUGH("flock", "0")) },
	{ "space", FILE_AND_BYTES,
	  STABLE_SOURCES(THROUGH("fallocate", "0"),
			 THROUGH("ftruncate", "0")) },
	{ "mkdir", FILE_AND_BYTES, KNOWS("vfs_mkdir", "args[2]") },
	{ "rmdir", FILE_AND_BYTES, KNOWS("vfs_rmdir", "args[2]") },
	{ "remove", FILE_AND_BYTES, KNOWS("vfs_unlink", "args[2]") },
	{ "rename", FILE_AND_BYTES, KNOWS("vfs_rename", "args[0]->old_dentry") },
	{ "link", FILE_AND_BYTES, KNOWS("vfs_link", "args[0]") },
	{ "symlink", FILE_AND_BYTES, KNOWS("vfs_symlink", "args[2]") },
	{ "getattr", FILE_AND_BYTES, KNOWS("vfs_getattr", "args[0]->dentry") },
	{ "setattr", FILE_AND_BYTES, KNOWS("notify_change", "args[1]") },
	/* a directory in which a part of a path is looked up */
	{ "lookup", FILE_AND_BYTES,
	  STABLE_SOURCES(LOOKS_UP("walk_component"), LOOKS_UP("lookup_fast")) },
	/* by open(2) too, where the name is not there yet */
	{ "create", FILE_AND_BYTES, KNOWS("security_inode_create", "args[1]") },
	/* access(2): its mask has bit 4 set (MAY_ACCESS) */
	{ "access", FILE_AND_BYTES,
	  STABLE_SOURCES({ "fbt::inode_permission:entry",
			   .when = "(args[2] & 16) != 0 && " HAS_NAME("args[1]"),
			   .args = { NAME_OF("args[1]") } }) },
	{ "readlink", FILE_AND_BYTES, KNOWS("vfs_readlink", "args[0]") },
	/* fcntl(F_SETFL) */
	{ "setfl", FILE_AND_BYTES,
	  STABLE_SOURCES({ "syscall::fcntl:entry",
			   .when = "args[1] == 4 && getf((int)args[0]) != NULL",
			   .args = { "(uintptr_t)getf((int)args[0])" } }) },
	/* a page of a mapping that is touched and not at hand */
	{ "getpage", FILE_AND_BYTES,
	  STABLE_SOURCES(
		{ "fbt::filemap_fault:entry",
		  .args = { "(uintptr_t)args[0]->vma->vm_file" } },
		{ "rawtp:filemap::mm_filemap_fault",
		  .when = HAS_NAME("args[0]->host"),
		  .args = { NAME_OF("args[0]->host") } }) },
	{ "putpage", FILE_AND_BYTES,
	  STABLE_SOURCES({ "fbt::do_writepages:entry",
			   .when = HAS_NAME("args[0]->host"),
			   .args = { NAME_OF("args[0]->host") } }) },
	{ .name = NULL },
};

static int fsinfo_list(struct probe_registry *registry,
		       const struct probe_desc *desc, struct probe_error *error)
{
	(void)error;
	return stable_list(registry, &fsinfo_provider, probes, desc);
}

const struct provider fsinfo_provider = {
	.name = "fsinfo",
	.about = "what is done with files, whatever their file system",
	.attrs = STABLE_ATTRS(CLASS_ISA),
	.list = fsinfo_list,
	.nids = sizeof(probes) / sizeof(probes[0]) - 1,
	STABLE_METHODS,
};
