/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vfs: what happens between system calls and file systems.
 *
 *	vfs:namei:lookup:      a path is looked up: entry has the directory it
 *	                       starts from, the path and the flags; return an
 *	                       error number (0: found) and what was found
 *	vfs:fplookup:lookup:   ... and whether that went without locks (args[2])
 *	vfs:namecache:FUNCTION: the cache of names is asked (hit, miss), grows
 *	                       (add, done) and shrinks (evict, done)
 *	vfs:vop:vop_NAME:      operations on a file: args[0] is the file, args[1]
 *	                       its dentry, and at return args[2] an error number
 *
 * The names are those of FreeBSD, whose vnodes are dentries here.
 *
 * 1. Functions of the kernel provide all this.  Where they cannot be traced,
 *    system calls replace them: those that take a path for look-ups, whose path
 *    is then the caller's, and those that take a descriptor.
 * 2. What is needed at return is saved at entry, on a stack for the thread:
 *    stacked file systems (overlayfs) perform the same operation on the lower
 *    one meanwhile.
 * 3. A file is passed as fsinfo passes it (dlib/io.d).
 */
#include "provider/stable.h"

#define FUNCTIONS "fbt::vfs_read:entry"

/* The thread's stack of that name; _last is what was taken from it. */
#define PUSH(stack, value) \
	"(self->_" stack "[++self->_" stack "_n] = (uintptr_t)" value ") == 2"
#define POP(stack) \
	"(self->_" stack "_last = self->_" stack "[self->_" stack "_n]) != 0" \
	" && (self->_" stack "[self->_" stack "_n--] = 0) == 0"

/* The error number in what a function returns: an int, a size, a pointer. */
#define ERROR \
	"(int)((long)args[1] < 0 && (long)args[1] >= -4095 ? -(long)args[1] : 0)"
#define IS_FOUND "((long)args[1] >= 0 || (long)args[1] < -4095)"
#define CALL_ERROR "errno"

/* ---------------------------------------------------------------- look-ups */

#define LOOKUP_ENTRY                                       \
	{                                                  \
		{ "struct dentry *" }, { "const char *" }, \
		{                                          \
			"unsigned int"                     \
		}                                          \
	}
#define LOOKUP_RETURN                     \
	{                                 \
		{ "int" },                \
		{                         \
			"struct dentry *" \
		}                         \
	}
#define ABSOLUTE "(*args[1]->name == '/')"
#define STARTS_FROM \
	ABSOLUTE " ? curthread->fs->root.dentry : " \
	"args[0] == -100 ? curthread->fs->pwd.dentry : getf(args[0])->f_path.dentry"
#define STARTS_IN(function, flags) \
	"fbt::" function ":entry", \
	.args = { STARTS_FROM, "args[1]->name", flags }
#define STARTS(function, flags)                          \
	{                                                \
		STARTS_IN(function, flags), .also = true \
	}
#define OR_STARTS(function, flags)         \
	{                                  \
		STARTS_IN(function, flags) \
	}
#define OPEN_FLAGS "(unsigned int)args[2]->lookup_flags"
/* What open(2) calls: do_filp_open(), or since Linux 7 do_file_open(). */
#define OPENED \
	.args = { ERROR, IS_FOUND " ? args[1]->f_path.dentry : " \
			 "(struct dentry *)NULL" }

/*
 * System calls whose argument n is a path, unless it is empty where that is
 * allowed.
 */
#define PATH_ENTRY(call, n, ...) \
	{ "syscall::" call ":entry", .also = true, .is_user = true, \
	  .without = FUNCTIONS, .args = { NULL, "args[" n "]" }, __VA_ARGS__ }
#define PATH_RETURN(call, n, ...) \
	{ "syscall::" call ":return", .also = true, .without = FUNCTIONS, \
	  .args = { CALL_ERROR } }
#define NOT_EMPTY(flags) .when = "((int)" flags " & 0x1000) == 0"
#define PATHS(PATH) \
	PATH("open", "0"), PATH("openat", "1"), PATH("openat2", "1"), \
	PATH("creat", "0"), PATH("stat", "0"), PATH("lstat", "0"), \
	PATH("newfstatat", "1", NOT_EMPTY("args[3]")), \
	PATH("statx", "1", NOT_EMPTY("args[2]")), PATH("access", "0"), \
	PATH("faccessat", "1"), PATH("faccessat2", "1"), \
	PATH("readlink", "0"), PATH("readlinkat", "1"), PATH("mkdir", "0"), \
	PATH("mkdirat", "1"), PATH("rmdir", "0"), PATH("unlink", "0"), \
	PATH("unlinkat", "1"), PATH("rename", "0"), PATH("renameat", "1"), \
	PATH("renameat2", "1"), PATH("link", "0"), PATH("linkat", "1"), \
	PATH("symlink", "1"), PATH("symlinkat", "2"), PATH("chdir", "0"), \
	PATH("chmod", "0"), PATH("fchmodat", "1"), PATH("chown", "0"), \
	PATH("lchown", "0"), PATH("fchownat", "1"), PATH("truncate", "0"), \
	PATH("mknod", "0"), PATH("mknodat", "1"), PATH("statfs", "0"), \
	PATH("execve", "0")

/* The first attempt of each look-up is the one without locks. */
#define BEGINS_IN(function) \
	"fbt::" function ":entry", .when = "(self->_fpl = 1) == 0"
#define BEGINS(function)                          \
	{                                         \
		BEGINS_IN(function), .also = true \
	}
#define OR_BEGINS(function)         \
	{                           \
		BEGINS_IN(function) \
	}
#define ATTEMPT(function) \
	{ "fbt::" function ":return", .also = true, \
	  .when = "self->_fpl == 1 && (self->_fpl = 0) == 0", \
	  .args = { NULL, NULL, "(long)args[1] != -ECHILD" } }

/* ---------------------------------------------------------- cache of names */

/* Directory, name, and what the name is for; NULL if that is nothing. */
#define NAME_TYPES                                         \
	{                                                  \
		{ "struct dentry *" }, { "const char *" }, \
		{                                          \
			"struct dentry *"                  \
		}                                          \
	}
#define NAME_OF(dentry) \
	{ dentry "->d_parent", "(const char *)" dentry "->d_name.name", dentry }
#define HITS(function, sign) \
	{ "fbt::" function ":return", .also = true, \
	  .when = "args[1] != NULL && args[1]->d_inode " sign " NULL", \
	  .args = NAME_OF("args[1]") }
#define ADDS_IN(function, dentry, inode, sign) \
	"fbt::" function ":entry", \
	.when = inode " " sign " NULL", .args = NAME_OF(dentry)
#define ADDS(function, dentry, inode, sign) \
	{ ADDS_IN(function, dentry, inode, sign), .also = true }
/*
 * A name that is not in the cache gets an entry at once; one may call the
 * other.
 */
#define NAME_ASKED                                       \
	{                                                \
		"args[0]", "(const char *)args[1]->name" \
	}
#define CACHE(function_name, probe_name, ...) \
	{ probe_name, NAME_TYPES, STABLE_SOURCES(__VA_ARGS__), \
	  .module = "namecache", .function = function_name }
#define ADDED \
	ADDS("d_instantiate", "args[0]", "args[1]", "!="), \
	ADDS("d_instantiate_new", "args[0]", "args[1]", "!="), \
	ADDS("d_make_persistent", "args[0]", "args[1]", "!="), \
	ADDS("d_add", "args[0]", "args[1]", "!="), \
	ADDS("d_splice_alias", "args[1]", "args[0]", "!=")
#define ADDED_NEGATIVE \
	ADDS("d_add", "args[0]", "args[1]", "=="), \
	ADDS("d_splice_alias", "args[1]", "args[0]", "==")
/* Where both functions are there, the second calls the first. */
#define EVICTED(sign) \
	{ ADDS_IN("__dentry_kill", "args[0]", "args[0]->d_inode", sign) }, \
	{ ADDS_IN("dentry_kill", "args[0]", "args[0]->d_inode", sign) }

/* -------------------------------------------------------------- operations */

#define VOP_ENTRY                                  \
	{                                          \
		{ "_fsinfo_t *", "fileinfo_t *" }, \
		{                                  \
			"struct dentry *"          \
		}                                  \
	}
#define VOP_RETURN                                                        \
	{                                                                 \
		{ "_fsinfo_t *", "fileinfo_t *" }, { "struct dentry *" }, \
		{                                                         \
			"int"                                             \
		}                                                         \
	}
#define OF_FILE(file) "(uintptr_t)" file
#define OF_NAME(dentry) "((uintptr_t)" dentry " | 1)"

#define BEFORE_IN(function, word) \
	"fbt::" function ":entry", \
	.when = "_fsinfo_entry[" word "] != NULL", \
	.args = { word, "_fsinfo_entry[" word "]" }
#define BEFORE(function, word)                          \
	{                                               \
		BEFORE_IN(function, word), .also = true \
	}
#define OR_BEFORE(function, word)         \
	{                                 \
		BEFORE_IN(function, word) \
	}
#define SAVED_IN(function, word) \
	"fbt::" function ":entry", .when = PUSH("vop", word)
#define POPPED POP("vop") " && _fsinfo_entry[self->_vop_last] != NULL"
#define OF_POPPED(error) \
	{ "self->_vop_last", "_fsinfo_entry[self->_vop_last]", error }
#define RETURNED(function, error) \
	{ "fbt::" function ":return", .also = true, .when = POPPED, \
	  .args = OF_POPPED(error) }
#define AFTER(function, word, error) \
	{ SAVED_IN(function, word), .also = true }, RETURNED(function, error)
/* The same through a descriptor, where functions cannot be traced. */
#define DESCRIPTOR_GIVEN(call, sources) \
	{ "syscall::" call ":entry", .also = true, .without = sources, \
	  .when = "getf((int)args[0]) != NULL", \
	  .args = { "(uintptr_t)getf((int)args[0])", "getf((int)args[0])->f_path.dentry" } }
#define DESCRIPTOR_DONE(call, sources) \
	{ "syscall::" call ":entry", .also = true, .without = sources, \
	  .when = "getf((int)args[0]) != NULL && " PUSH("vop", "getf((int)args[0])") }, \
	{ "syscall::" call ":return", .also = true, .without = sources, \
	  .when = POP("vop"), .args = OF_POPPED(CALL_ERROR) }

#define ENTRY(op, ...) \
	{ "entry", VOP_ENTRY, STABLE_SOURCES(__VA_ARGS__), \
	  .module = "vop", .function = op }
#define RETURN(op, ...) \
	{ "return", VOP_RETURN, STABLE_SOURCES(__VA_ARGS__), \
	  .module = "vop", .function = op }
#define VOP(op, name, word) \
	ENTRY(op, BEFORE(name, word)), RETURN(op, AFTER(name, word, ERROR))
/* Two functions do it, or two calls replace them. */
#define VOP_OR_CALLS(op, name, name2, word, error, call, call2) \
	ENTRY(op, BEFORE(name, word), BEFORE(name2, word), \
	      DESCRIPTOR_GIVEN(call, FUNCTIONS), \
	      DESCRIPTOR_GIVEN(call2, FUNCTIONS)), \
	RETURN(op, AFTER(name, word, error), AFTER(name2, word, error), \
	       DESCRIPTOR_DONE(call, FUNCTIONS), \
	       DESCRIPTOR_DONE(call2, FUNCTIONS))
#define NO_FUNCTION "vfs_"

/*
 * fsync(2) calls vfs_fsync_range() for its file, unless the compiler has put
 * that function into do_fsync(), as in Linux 7.  So do_fsync() counts, and of
 * calls of the other function those for other files, or all where do_fsync()
 * itself is inlined.  `file` is what the thread is in do_fsync() for; each probe
 * has a variable of its own.
 */
#define NO_DO_FSYNC .also = true, .without = "fbt::do_fsync:entry"
#define SYNC_BEGINS(file) \
	"(" file " = (uintptr_t)getf((int)args[0])) != 0"
#define SYNC_ENDS(file) file " != 0 && (" file " = 0) == 0"
#define SYNC_OTHER(file) \
	"((uintptr_t)args[0] == " file " ? 1 : (uintptr_t)args[0])"
#define SYNC_ENTRY(file) \
	{ "fbt::do_fsync:entry", .also = true, .when = SYNC_BEGINS(file), \
	  .args = { file, "_fsinfo_entry[" file "]" } }, \
	{ "fbt::do_fsync:return", .also = true, \
	  .when = SYNC_ENDS(file) " && 0" }, \
	{ BEFORE_IN("vfs_fsync_range", OF_FILE("args[0]")), NO_DO_FSYNC }, \
	OR_BEFORE("vfs_fsync_range", SYNC_OTHER(file))
#define SYNC_RETURN(file) \
	{ "fbt::do_fsync:entry", .also = true, \
	  .when = SYNC_BEGINS(file) " && " PUSH("vop", file) }, \
	{ "fbt::do_fsync:return", .also = true, \
	  .when = SYNC_ENDS(file) " && " POPPED, .args = OF_POPPED(ERROR) }, \
	{ SAVED_IN("vfs_fsync_range", OF_FILE("args[0]")), NO_DO_FSYNC }, \
	{ SAVED_IN("vfs_fsync_range", SYNC_OTHER(file)) }, \
	RETURNED("vfs_fsync_range", ERROR)

/* Since Linux 7 vfs_create() is not told the directory. */
#define WITHOUT_DIRECTORY \
	.also = true, .prototype = "struct mnt_idmap *, struct dentry *, " \
				   "umode_t, struct delegated_inode *"

static const struct stable_probe probes[] = {
	{ "entry", LOOKUP_ENTRY, STABLE_SOURCES(
		STARTS("filename_lookup", "args[2]"),
		STARTS("__filename_parentat", "args[2]"),
		STARTS("do_filp_open", OPEN_FLAGS),
		OR_STARTS("do_file_open", OPEN_FLAGS),
		PATHS(PATH_ENTRY)),
	  .module = "namei", .function = "lookup" },
	{ "return", LOOKUP_RETURN, STABLE_SOURCES(
		{ "fbt::filename_lookup:entry", .also = true,
		  .when = PUSH("namei", "args[3]") },
		{ "fbt::filename_lookup:return", .also = true,
		  .when = POP("namei"),
		  .args = { ERROR, "args[1] != 0 ? (struct dentry *)NULL : "
				   "((struct path *)self->_namei_last)->dentry" } },
		{ "fbt::__filename_parentat:return", .also = true,
		  .args = { ERROR } },
		{ "fbt::do_filp_open:return", .also = true, OPENED },
		{ "fbt::do_file_open:return", OPENED },
		PATHS(PATH_RETURN)),
	  .module = "namei", .function = "lookup" },
	{ "done", { { "void *" }, { "int" }, { "int" } }, STABLE_SOURCES(
		BEGINS("filename_lookup"), BEGINS("__filename_parentat"),
		BEGINS("do_filp_open"), OR_BEGINS("do_file_open"),
		ATTEMPT("path_lookupat"),
		ATTEMPT("path_parentat"), ATTEMPT("path_openat")),
	  .module = "fplookup", .function = "lookup" },

	CACHE("lookup", "hit", HITS("__d_lookup_rcu", "!="), HITS("__d_lookup", "!=")),
	CACHE("lookup", "hit-negative", HITS("__d_lookup_rcu", "=="),
	      HITS("__d_lookup", "==")),
	CACHE("lookup", "miss",
	      { "fbt::d_alloc_parallel:entry", .when = "(self->_miss = 1) == 1",
		.args = NAME_ASKED },
	      { "fbt::d_alloc_parallel:return", .also = true,
		.when = "(self->_miss = 0) == 1" },
	      { "fbt::d_alloc:entry", .also = true, .when = "self->_miss == 0",
		.args = NAME_ASKED }),
	CACHE("enter", "add", ADDED),
	CACHE("enter", "done", ADDED),
	CACHE("enter_negative", "add", ADDED_NEGATIVE),
	CACHE("enter_negative", "done", ADDED_NEGATIVE),
	CACHE("zap", "evict", EVICTED("!=")),
	CACHE("zap", "done", EVICTED("!=")),
	CACHE("zap_negative", "evict", EVICTED("==")),
	CACHE("zap_negative", "done", EVICTED("==")),
	{ "entry", { { "struct dentry *" } }, STABLE_SOURCES(
		{ "fbt::d_path:entry", .args = { "args[0]->dentry" } }),
	  .module = "namecache", .function = "fullpath" },
	{ "return", { { "int" }, { "const char *" } }, STABLE_SOURCES(
		{ "fbt::d_path:return",
		  .args = { ERROR, IS_FOUND " ? args[1] : NULL" } }),
	  .module = "namecache", .function = "fullpath" },

	VOP_OR_CALLS("vop_read", "vfs_read", "vfs_readv", OF_FILE("args[0]"),
		     ERROR, "read", "pread64"),
	VOP_OR_CALLS("vop_write", "vfs_write", "vfs_writev", OF_FILE("args[0]"),
		     ERROR, "write", "pwrite64"),
	/* the file itself is gone when that returns; none for failed opens */
	VOP_OR_CALLS("vop_close", "__fput", NO_FUNCTION,
		     OF_NAME("args[0]->f_path.dentry"), "0", "close", NO_FUNCTION),
	ENTRY("vop_fsync", SYNC_ENTRY("self->_syncs"),
	      DESCRIPTOR_GIVEN("fsync", FUNCTIONS),
	      DESCRIPTOR_GIVEN("fdatasync", FUNCTIONS)),
	RETURN("vop_fsync", SYNC_RETURN("self->_synced"),
	       DESCRIPTOR_DONE("fsync", FUNCTIONS),
	       DESCRIPTOR_DONE("fdatasync", FUNCTIONS)),
	VOP_OR_CALLS("vop_readdir", "iterate_dir", NO_FUNCTION,
		     OF_FILE("args[0]"), ERROR, "getdents64", "getdents"),
	ENTRY("vop_ioctl", DESCRIPTOR_GIVEN("ioctl", NULL)),
	RETURN("vop_ioctl", DESCRIPTOR_DONE("ioctl", NULL)),
	VOP("vop_open", "vfs_open", OF_NAME("args[0]->dentry")),
	VOP("vop_lookup", "__lookup_slow", OF_NAME("args[1]")),
	VOP("vop_getattr", "vfs_getattr_nosec", OF_NAME("args[0]->dentry")),
	VOP("vop_setattr", "notify_change", OF_NAME("args[1]")),
	ENTRY("vop_create",
	      { BEFORE_IN("vfs_create", OF_NAME("args[1]")), WITHOUT_DIRECTORY },
	      OR_BEFORE("vfs_create", OF_NAME("args[2]"))),
	RETURN("vop_create",
	       { SAVED_IN("vfs_create", OF_NAME("args[1]")), WITHOUT_DIRECTORY },
	       { SAVED_IN("vfs_create", OF_NAME("args[2]")) },
	       RETURNED("vfs_create", ERROR)),
	VOP("vop_mknod", "vfs_mknod", OF_NAME("args[2]")),
	VOP("vop_mkdir", "vfs_mkdir", OF_NAME("args[2]")),
	VOP("vop_rmdir", "vfs_rmdir", OF_NAME("args[2]")),
	VOP("vop_remove", "vfs_unlink", OF_NAME("args[2]")),
	VOP("vop_rename", "vfs_rename", OF_NAME("args[0]->old_dentry")),
	VOP("vop_link", "vfs_link", OF_NAME("args[0]")),
	VOP("vop_symlink", "vfs_symlink", OF_NAME("args[2]")),
	VOP("vop_readlink", "vfs_readlink", OF_NAME("args[0]")),
	VOP("vop_allocate", "vfs_fallocate", OF_FILE("args[0]")),
	VOP("vop_advlock", "vfs_lock_file", OF_FILE("args[0]")),
	VOP("vop_copy_file_range", "vfs_copy_file_range", OF_FILE("args[0]")),
	VOP("vop_getextattr", "vfs_getxattr", OF_NAME("args[1]")),
	VOP("vop_setextattr", "vfs_setxattr", OF_NAME("args[1]")),
	VOP("vop_listextattr", "vfs_listxattr", OF_NAME("args[0]")),
	VOP("vop_deleteextattr", "vfs_removexattr", OF_NAME("args[1]")),
	{ .name = NULL },
};

static int vfs_list(struct probe_registry *registry,
		    const struct probe_desc *desc, struct probe_error *error)
{
	(void)error;
	return stable_list(registry, &vfs_provider, probes, desc);
}

const struct provider vfs_provider = {
	.name = "vfs",
	.about = "path look-ups, the cache of names, operations on files",
	.attrs = STABLE_ATTRS(CLASS_ISA),
	.list = vfs_list,
	.nids = sizeof(probes) / sizeof(probes[0]) - 1,
	STABLE_METHODS,
};
