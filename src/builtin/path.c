/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Open files and paths: getf(), and fds[] on top of it in dlib/io.d; cwd, root
 * and d_path(), whose text is built by a function of the run-time library
 * (bpf/dentry.bpf.c).  Paths are as the process itself sees them, below its own
 * root.
 */
#include "bpf/path.h"
#include "builtin/builtin.h"
#include "ir/lower.h"

/*
 * The process's file with that number, or NULL.  The table grows by being
 * replaced, so its size and its start are read from the same one.
 */
static bool lower_getf(struct lower *lower, const struct node *call,
		       struct value *result)
{
	static const struct member_name table_of[] = {
		{ "task_struct", "files" }, { "files_struct", "fdt" },
	};
	struct ir_builder *b = &lower->b;
	struct ir_block *inside = ir_block_new(b, "open file");
	struct ir_block *join = ir_block_new(b, "join");
	ir_reg fd, table, size, files, file = ir_reg_new(b->program);

	if (!lower_scalar(lower, call_argument(call, 0), &fd) ||
	    !load_chain(lower, call, table_of, 2, &table) ||
	    !load_member(lower, call, table, "fdtable", "max_fds", &size) ||
	    !load_member(lower, call, table, "fdtable", "fd", &files))
		return false;
	fd = ir_extend(b, fd, 4, false);
	ir_move(b, file, ir_const(b, 0));
	ir_branch(b, ir_binary(b, IR_ULT, fd, size), inside, join);
	ir_enter(b, inside);
	ir_move(b, file,
		ir_read_scalar(b, IR_KERNEL,
			       ir_binary(b, IR_ADD, files,
					 ir_binary_imm(b, IR_SHL, fd, 3)),
			       8, false));
	ir_enter(b, join);
	*result = value_of_reg(call->type, file);
	return true;
}

SUBROUTINE(getf, "struct file *(int)", .since = 10, .lower = lower_getf);

/* ----------------------------------------------------------------- paths */

/* Where a path is: numbers, not pointers that the verifier follows. */
struct spot_of_path {
	ir_reg dentry, mount;
};

static bool member_offset(struct lower *lower, const struct node *node,
			  const char *tag, const char *name, int64_t *offset)
{
	struct member member;

	if (!find_member(lower, node, tag, name, &member))
		return false;
	*offset = (int64_t)(member.bit_offset / 8);
	return true;
}

static ir_reg read_word(struct ir_builder *b, ir_reg address, int64_t offset)
{
	return ir_read_scalar(b, IR_KERNEL,
			      ir_binary_imm(b, IR_ADD, address, offset), 8,
			      false);
}

/* Reads the struct path at an address. */
static bool read_path(struct lower *lower, const struct node *node,
		      ir_reg address, struct spot_of_path *path)
{
	int64_t dentry, mount;

	if (!member_offset(lower, node, "path", "dentry", &dentry) ||
	    !member_offset(lower, node, "path", "mnt", &mount))
		return false;
	path->dentry = read_word(&lower->b, address, dentry);
	path->mount = read_word(&lower->b, address, mount);
	return true;
}

/* pwd or root of the process's struct fs_struct. */
static bool read_own_path(struct lower *lower, const struct node *node,
			  const char *name, struct spot_of_path *path)
{
	static const struct member_name fs_of[] = { { "task_struct", "fs" } };
	int64_t offset;
	ir_reg fs;

	if (!load_chain(lower, node, fs_of, 1, &fs) ||
	    !member_offset(lower, node, "fs_struct", name, &offset))
		return false;
	return read_path(lower, node,
			 ir_address(&lower->b,
				    ir_mem_from(IR_TYPED, fs, offset)),
			 path);
}

/*
 * Where paths begin for the process.  A task that exits has given up its
 * struct fs_struct: paths begin at the top then.
 */
static bool load_own_root(struct lower *lower, const struct node *node,
			  struct spot_of_path *path)
{
	static const struct member_name fs_of[] = { { "task_struct", "fs" } };
	struct ir_builder *b = &lower->b;
	struct ir_block *has_root = ir_block_new(b, "has a root");
	struct ir_block *join = ir_block_new(b, "root");
	struct spot_of_path root;
	ir_reg fs;

	path->dentry = ir_reg_new(b->program);
	path->mount = ir_reg_new(b->program);
	ir_move(b, path->dentry, ir_const(b, 0));
	ir_move(b, path->mount, ir_const(b, 0));
	if (!load_chain(lower, node, fs_of, 1, &fs))
		return false;
	ir_branch(b, fs, has_root, join);
	ir_enter(b, has_root);
	if (!read_own_path(lower, node, "root", &root))
		return false;
	ir_move(b, path->dentry, root.dentry);
	ir_move(b, path->mount, root.mount);
	ir_enter(b, join);
	return true;
}

/* The table for the walk: offsets, and where it ends. */
static bool fill_table(struct lower *lower, const struct node *node,
		       struct ir_mem table)
{
	static const struct {
		const char *tag, *name;
		enum path_word word;
	} members[] = {
		{ "dentry", "d_parent", PATH_PARENT },
		{ "dentry", "d_name", PATH_NAME },
		{ "dentry", "d_name", PATH_NAME_LENGTH },
		{ "mount", "mnt", PATH_MNT },
		{ "mount", "mnt_parent", PATH_MNT_PARENT },
		{ "mount", "mnt_mountpoint", PATH_MOUNTPOINT },
		{ "vfsmount", "mnt_root", PATH_MNT_ROOT },
		{ "dentry", "d_sb", PATH_SB },
		{ "dentry", "d_inode", PATH_INODE },
		{ "super_block", "s_magic", PATH_MAGIC },
		{ "inode", "i_ino", PATH_INO },
	};
	struct ir_builder *b = &lower->b;
	struct spot_of_path root;
	int64_t offset, name, length;

	if (!member_offset(lower, node, "qstr", "name", &name) ||
	    !member_offset(lower, node, "qstr", "len", &length) ||
	    !load_own_root(lower, node, &root))
		return false;
	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
		if (!member_offset(lower, node, members[i].tag, members[i].name,
				   &offset))
			return false;
		if (members[i].word == PATH_NAME)
			offset += name;
		if (members[i].word == PATH_NAME_LENGTH)
			offset += length;
		ir_store(b, ir_mem_at(table, 8 * members[i].word),
			 ir_const(b, offset), 8);
	}
	ir_store(b, ir_mem_at(table, 8 * PATH_ROOT_DENTRY), root.dentry, 8);
	ir_store(b, ir_mem_at(table, 8 * PATH_ROOT_MOUNT), root.mount, 8);
	return true;
}

static bool path_text(struct lower *lower, const struct node *node,
		      const struct spot_of_path *path, struct value *result)
{
	struct ir_builder *b = &lower->b;
	struct ir_mem table = ir_object(b, 8 * PATH_WORDS, "path table");
	struct ir_mem room = ir_object(b, PATH_ROOM, "path");

	if (!fill_table(lower, node, table))
		return false;
	ir_reg span = ir_call(b, IR_CALL_WRITE, FUNCTION_dentry, room,
			      PATH_ROOM, table, 8 * PATH_WORDS, path->dentry,
			      path->mount);
	ir_reg start = ir_binary_imm(b, IR_LSR, span, 32);
	ir_reg length = ir_extend(b, span, 4, false);
	struct value whole = value_of_string(lower, room, PATH_ROOM);

	*result = lower_library_result(lower, lower_string_capacity(lower));
	lower_library_write(lower, FUNCTION_piece, result, &whole, start,
			    length);
	return true;
}

static bool lower_d_path(struct lower *lower, const struct node *call,
			 struct value *result)
{
	struct spot_of_path path;
	ir_reg address;

	return lower_scalar(lower, call_argument(call, 0), &address) &&
	       read_path(lower, call, address, &path) &&
	       path_text(lower, call, &path, result);
}

static bool lower_cwd(struct lower *lower, const struct node *variable,
		      struct value *result)
{
	struct spot_of_path path;

	return read_own_path(lower, variable, "pwd", &path) &&
	       path_text(lower, variable, &path, result);
}

static bool lower_root(struct lower *lower, const struct node *variable,
		       struct value *result)
{
	struct spot_of_path path;

	return read_own_path(lower, variable, "root", &path) &&
	       path_text(lower, variable, &path, result);
}

SUBROUTINE(d_path, "string (struct path *)", .lower = lower_d_path);
BUILTIN(cwd, "string", .lower = lower_cwd);
BUILTIN(root, "string", .lower = lower_root);

/* For fi_mount: the path of the mount point that a path is under. */
static bool mount_text(struct lower *lower, const struct node *node,
		       struct spot_of_path *path, struct value *result)
{
	int64_t offset;

	if (!member_offset(lower, node, "vfsmount", "mnt_root", &offset))
		return false;
	path->dentry = read_word(&lower->b, path->mount, offset);
	return path_text(lower, node, path, result);
}

static bool lower_mount_path(struct lower *lower, const struct node *call,
			     struct value *result)
{
	struct spot_of_path path;
	ir_reg address;

	return lower_scalar(lower, call_argument(call, 0), &address) &&
	       read_path(lower, call, address, &path) &&
	       mount_text(lower, call, &path, result);
}

SUBROUTINE(_mount_path, "string (struct path *)", .lower = lower_mount_path);

/* Where a member is that has one of two names, the older first. */
static bool either_offset(struct lower *lower, const struct node *node,
			  const char *tag, const char *older, const char *newer,
			  int64_t *offset)
{
	struct member member;

	if (!types_kernel_member(lower->types, tag, older, &member))
		return member_offset(lower, node, tag, newer, offset);
	*offset = (int64_t)(member.bit_offset / 8);
	return true;
}

/*
 * A page may be part of a larger folio: then bit 0 of compound_head is set and
 * the rest is the folio's address.  Since Linux 7.0 the member is compound_info,
 * and the rest may be a mask instead, which makes the page's address the
 * folio's.  Masks have more leading ones than an address of a page can have.
 */
static bool lower_page_folio(struct lower *lower, const struct node *call,
			     struct value *result)
{
	struct ir_builder *b = &lower->b;
	enum { MASK_SHIFT = 40, MASK_ONES = 0xffffff };
	struct ir_block *part = ir_block_new(b, "part of a folio");
	struct ir_block *masked = ir_block_new(b, "masked");
	struct ir_block *join = ir_block_new(b, "join");
	ir_reg page, head, ones, folio = ir_reg_new(b->program);
	int64_t offset;

	if (!lower_scalar(lower, call_argument(call, 0), &page) ||
	    !either_offset(lower, call, "page", "compound_head",
			   "compound_info", &offset))
		return false;
	head = read_word(b, page, offset);
	ir_move(b, folio, page);
	ir_branch(b, ir_binary_imm(b, IR_AND, head, 1), part, join);
	ir_enter(b, part);
	ir_move(b, folio, ir_binary_imm(b, IR_ADD, head, -1));
	ones = ir_binary_imm(b, IR_LSR, head, MASK_SHIFT);
	ir_branch(b, ir_binary_imm(b, IR_EQ, ones, MASK_ONES), masked, join);
	ir_enter(b, masked);
	ir_move(b, folio, ir_binary(b, IR_AND, page, head));
	ir_enter(b, join);
	*result = value_of_reg(call->type, folio);
	return true;
}

/*
 * The inode of a folio in the page cache, if it has a name, or NULL.  The low
 * bits of the mapping are set in pages with another use; inodes of block
 * devices have no name.
 */
static bool lower_folio_inode(struct lower *lower, const struct node *call,
			      struct value *result)
{
	enum { BDEVFS_MAGIC = 0x62646576 };
	struct ir_builder *b = &lower->b;
	struct ir_block *cached = ir_block_new(b, "cached");
	struct ir_block *hosted = ir_block_new(b, "hosted");
	struct ir_block *named = ir_block_new(b, "named");
	struct ir_block *join = ir_block_new(b, "join");
	int64_t mapping, host, names, sb, magic;
	ir_reg folio, space, found, inode = ir_reg_new(b->program);

	if (!lower_scalar(lower, call_argument(call, 0), &folio) ||
	    !member_offset(lower, call, "page", "mapping", &mapping) ||
	    !member_offset(lower, call, "address_space", "host", &host) ||
	    !member_offset(lower, call, "inode", "i_dentry", &names) ||
	    !member_offset(lower, call, "inode", "i_sb", &sb) ||
	    !member_offset(lower, call, "super_block", "s_magic", &magic))
		return false;
	ir_move(b, inode, ir_const(b, 0));
	space = read_word(b, folio, mapping);
	/* no mapping at all counts as one with the bits set */
	ir_branch(b,
		  ir_binary_imm(b, IR_AND,
				ir_binary(b, IR_OR, space,
					  ir_binary_imm(b, IR_EQ, space, 0)),
				3),
		  join, cached);
	ir_enter(b, cached);
	found = read_word(b, space, host);
	ir_branch(b, found, hosted, join);
	ir_enter(b, hosted);
	ir_branch(b,
		  ir_binary(b, IR_AND,
			    ir_binary_imm(b, IR_NE, read_word(b, found, names),
					  0),
			    ir_binary_imm(b, IR_NE,
					  read_word(b, read_word(b, found, sb),
						    magic),
					  BDEVFS_MAGIC)),
		  named, join);
	ir_enter(b, named);
	ir_move(b, inode, found);
	ir_enter(b, join);
	*result = value_of_reg(call->type, inode);
	return true;
}

SUBROUTINE(_page_folio, "struct folio *(struct page *)",
	   .lower = lower_page_folio);
SUBROUTINE(_folio_inode, "struct inode *(struct folio *)",
	   .lower = lower_folio_inode);

/*
 * For files of requests, of which only the inode is known: one of its names,
 * below a place where its file system is mounted.  The mounts of a file system
 * hang on a list (6.1), or the first of them on a pointer.  The process's root
 * is preferred, so that its path begins there in any mount namespace.
 */
static bool prefer_own_mount(struct lower *lower, const struct node *call,
			     ir_reg sb, ir_reg mount)
{
	struct ir_builder *b = &lower->b;
	struct ir_block *rooted = ir_block_new(b, "has a root");
	struct ir_block *same = ir_block_new(b, "of the root's file system");
	struct ir_block *join = ir_block_new(b, "mount");
	struct spot_of_path root;
	int64_t offset;

	if (!load_own_root(lower, call, &root) ||
	    !member_offset(lower, call, "vfsmount", "mnt_sb", &offset))
		return false;
	ir_branch(b, root.mount, rooted, join);
	ir_enter(b, rooted);
	ir_branch(b, ir_binary(b, IR_EQ, read_word(b, root.mount, offset), sb),
		  same, join);
	ir_enter(b, same);
	ir_move(b, mount, root.mount);
	ir_enter(b, join);
	return true;
}

static bool read_alias(struct lower *lower, const struct node *call,
		       struct spot_of_path *path)
{
	struct ir_builder *b = &lower->b;
	int64_t names, alias, sb, mnt, instance = 0;
	struct member mounts;
	ir_reg inode;

	if (!lower_scalar(lower, call_argument(call, 0), &inode) ||
	    !member_offset(lower, call, "inode", "i_dentry", &names) ||
	    !member_offset(lower, call, "inode", "i_sb", &sb) ||
	    !either_offset(lower, call, "dentry", "d_u", "d_alias", &alias) ||
	    !member_offset(lower, call, "mount", "mnt", &mnt) ||
	    !find_member(lower, call, "super_block", "s_mounts", &mounts))
		return false;
	if (!type_is_pointer(lower->types, mounts.type) &&
	    !member_offset(lower, call, "mount", "mnt_instance", &instance))
		return false;
	path->dentry = ir_binary_imm(b, IR_ADD, read_word(b, inode, names),
				     -alias);
	ir_reg its_sb = read_word(b, inode, sb);
	ir_reg first = read_word(b, its_sb, (int64_t)(mounts.bit_offset / 8));

	path->mount = ir_reg_new(b->program);
	ir_move(b, path->mount,
		ir_binary_imm(b, IR_ADD, first, mnt - instance));
	return prefer_own_mount(lower, call, its_sb, path->mount);
}

static bool lower_inode_path(struct lower *lower, const struct node *call,
			     struct value *result)
{
	struct spot_of_path path;

	return read_alias(lower, call, &path) &&
	       path_text(lower, call, &path, result);
}

static bool lower_inode_mount(struct lower *lower, const struct node *call,
			      struct value *result)
{
	struct spot_of_path path;

	return read_alias(lower, call, &path) &&
	       mount_text(lower, call, &path, result);
}

static bool lower_inode_name(struct lower *lower, const struct node *call,
			     struct value *result)
{
	struct ir_builder *b = &lower->b;
	int64_t names, alias;
	ir_reg inode;

	if (!lower_scalar(lower, call_argument(call, 0), &inode) ||
	    !member_offset(lower, call, "inode", "i_dentry", &names) ||
	    !either_offset(lower, call, "dentry", "d_u", "d_alias", &alias))
		return false;
	*result = value_of_reg(call->type,
			       ir_binary_imm(b, IR_ADD,
					     read_word(b, inode, names),
					     -alias));
	return true;
}

SUBROUTINE(_inode_name, "struct dentry *(struct inode *)",
	   .lower = lower_inode_name);
SUBROUTINE(_inode_path, "string (struct inode *)", .lower = lower_inode_path);
SUBROUTINE(_inode_mount, "string (struct inode *)", .lower = lower_inode_mount);
