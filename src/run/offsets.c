/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where programs find what they need in kernel structures: offsets of members,
 * from the kernel's own type information, in words of shared memory.
 *
 * Reading that information takes milliseconds the first time, so words are
 * filled in only for programs that use them, before the first one runs.
 */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "arch/arch.h"
#include "bpf/mapping.h"
#include "bpf/unwind.h"
#include "run/internal.h"

/* `path` leads from a structure through members and pointers. */
struct place_of {
	uint32_t word;
	const char *tag, *path;
};

static const struct place_of unwind_places[] = {
	{ UNWIND_TASK_MM, "task_struct", "mm" },
	{ UNWIND_TASK_UTASK, "task_struct", "utask" },
	{ UNWIND_TASK_THREAD, "task_struct", ARCH_THREAD_POINTER },
	{ UNWIND_START_CODE, "mm_struct", "start_code" },
	{ UNWIND_END_CODE, "mm_struct", "end_code" },
	{ UNWIND_START_STACK, "mm_struct", "start_stack" },
	{ UNWIND_EXEC_VM, "mm_struct", "exec_vm" },
	{ UNWIND_MM_UPROBES, "mm_struct", "uprobes_state" },
	{ UNWIND_XOL_AREA, "uprobes_state", "xol_area" },
	{ UNWIND_TRAMPOLINES, "uprobes_state", "head_tramps" },
	{ UNWIND_XOL_START, "xol_area", "vaddr" },
	{ UNWIND_TRAMPOLINE_START, "uprobe_trampoline", "vaddr" },
	{ UNWIND_INSTANCES, "uprobe_task", "return_instances" },
	{ UNWIND_XOL_SLOT, "uprobe_task", "xol_vaddr" },
	{ UNWIND_PROBED, "uprobe_task", "vaddr" },
	{ UNWIND_ACTIVE, "uprobe_task", "active_uprobe" },
	{ UNWIND_HANDLED, "uprobe_task", "auprobe" },
	{ UNWIND_USED, "uprobe_task", "ri_pool" },
	{ UNWIND_INSTANCE_STACK, "return_instance", "stack" },
	{ UNWIND_INSTANCE_RETURN, "return_instance", "orig_ret_vaddr" },
	{ UNWIND_INSTANCE_NEXT, "return_instance", "next" },
};

enum { LEAF = 1, INNER, RANGED }; /* types of nodes */

#define NODE(type, n) (MAPPING_NODES + NODE_WORDS * (type) + (n))

static const struct place_of mapping_places[] = {
	{ MAPPING_TASK_MM, "task_struct", "mm" },
	{ MAPPING_ROOT, "task_struct", "mm.mm_mt.ma_root" },
	{ MAPPING_MM, "vm_area_struct", "vm_mm" },
	{ MAPPING_START, "vm_area_struct", "vm_start" },
	{ MAPPING_END, "vm_area_struct", "vm_end" },
	{ MAPPING_OPS, "vm_area_struct", "vm_ops" },
	{ MAPPING_FILE, "vm_area_struct", "vm_file" },
	{ MAPPING_USERFAULTFD, "vm_area_struct", "vm_userfaultfd_ctx" },
	{ MAPPING_INODE, "vm_area_struct", "vm_file.f_inode" },
	{ MAPPING_MODE, "vm_area_struct", "vm_file.f_inode.i_mode" },
	{ MAPPING_SB, "vm_area_struct", "vm_file.f_inode.i_sb" },
	{ MAPPING_MAGIC, "vm_area_struct", "vm_file.f_inode.i_sb.s_magic" },
	{ NODE(LEAF, NODE_PIVOTS), "maple_range_64", "pivot" },
	{ NODE(LEAF, NODE_SLOTS), "maple_range_64", "slot" },
	{ NODE(LEAF, NODE_META), "maple_range_64", "meta.end" },
	{ NODE(INNER, NODE_PIVOTS), "maple_range_64", "pivot" },
	{ NODE(INNER, NODE_SLOTS), "maple_range_64", "slot" },
	{ NODE(INNER, NODE_META), "maple_range_64", "meta.end" },
	{ NODE(RANGED, NODE_PIVOTS), "maple_arange_64", "pivot" },
	{ NODE(RANGED, NODE_SLOTS), "maple_arange_64", "slot" },
	{ NODE(RANGED, NODE_META), "maple_arange_64", "meta.end" },
};
/* Without userfaultfd in the kernel the structure lacks this. */
static const struct place_of inside_userfaultfd = {
	MAPPING_USERFAULTFD, "vm_area_struct", "vm_userfaultfd_ctx.ctx",
};

/* The offset after the last pointer of a path; false: no such member. */
static bool follow(struct types *types, struct type *sou, const char *path,
		   uint64_t *offset)
{
	char name[64];
	int length;

	*offset = 0;
	for (; sou && sscanf(path, "%63[^.]%n", name, &length) == 1;
	     path += length + 1) {
		struct member member;

		if (!type_member(types, sou, name, &member))
			return false;
		*offset += member.bit_offset / 8;
		if (!path[length])
			return true;
		sou = type_strip(types, member.type);
		if (sou->kind == TYPE_POINTER) {
			sou = type_strip(types, sou->target);
			*offset = 0;
		}
	}
	return false;
}

/*
 * Does this kernel have all of them?  The words of others stay as they are.
 * Rows of one structure are adjacent, so that it is looked up once: with many
 * lookups the types would need an index, which takes long to build.
 */
static bool fill_words(struct session *session, const struct place_of *places,
		       size_t count, uint64_t *words)
{
	struct types *types = language_types(session->language);
	struct type *sou = NULL;
	bool has_all = true;

	for (size_t i = 0; i < count; i++) {
		uint64_t offset;

		if (!i || strcmp(places[i].tag, places[i - 1].tag) != 0)
			sou = types ? types_lookup(types, "vmlinux", TAG_STRUCT,
						   str_of(places[i].tag))
				    : NULL;
		if (sou && follow(types, sou, places[i].path, &offset))
			words[places[i].word] = offset;
		else
			has_all = false;
	}
	return has_all;
}

void session_fill_unwind(struct session *session, uint64_t *words)
{
	fill_words(session, unwind_places,
		   sizeof(unwind_places) / sizeof(*unwind_places), words);
}

/*
 * An allow list, not a deny list: a file system missing from this one costs a
 * fault, one missing from a deny list hangs the traced program.
 */
static const uint32_t local_file_systems[] = {
	0x01021994,	/* tmpfs; shared anonymous memory */
	0x858458f6,	/* ramfs */
	0x958458f6,	/* hugetlbfs */
	0x5345434d,	/* memfd_secret */
	0xef53,		/* ext2, ext3, ext4 */
	0x58465342,	/* xfs */
	0x9123683e,	/* btrfs */
	0xf2f52010,	/* f2fs */
	0x2fc12fc1,	/* zfs */
	0xca451a4e,	/* bcachefs */
	0x3153464a,	/* jfs */
	0x52654973,	/* reiserfs */
	0x3434,		/* nilfs2 */
	0x24051905,	/* ubifs */
	0x72b6,		/* jffs2 */
	0x73717368,	/* squashfs */
	0xe0f5e1e2,	/* erofs */
	0x28cd3d45,	/* cramfs */
	0x9660,		/* isofs */
	0x15013346,	/* udf */
	0x4d44,		/* vfat */
	0x2011bab0,	/* exfat */
	0x7366746e,	/* ntfs3 */
	0x482b,		/* hfsplus */
};

static void fill_local(uint64_t *slots)
{
	size_t count = sizeof(local_file_systems) / sizeof(uint32_t);

	for (size_t i = 0; i < MAPPING_SLOTS; i++)
		slots[i] = UINT64_MAX;
	for (size_t i = 0; i < count; i++) {
		uint64_t magic = local_file_systems[i];

		assert(slots[MAPPING_SLOT(magic)] == UINT64_MAX);
		slots[MAPPING_SLOT(magic)] = magic;
	}
}

/* If the kernel's types lack something, programs do not wait for any page. */
void session_fill_mapping(struct session *session, uint64_t *words)
{
	uint64_t unused[MAPPING_WORDS];

	if (words[MAPPING_KNOWN])
		return;
	if (!fill_words(session, mapping_places,
			sizeof(mapping_places) / sizeof(*mapping_places),
			words))
		return;
	words[NODE(LEAF, NODE_FULL)] = words[NODE(INNER, NODE_FULL)] =
		(words[NODE(LEAF, NODE_SLOTS)] -
		 words[NODE(LEAF, NODE_PIVOTS)]) /
		8;
	words[MAPPING_ANSWERS] = fill_words(session, &inside_userfaultfd, 1,
					    unused);
	fill_local(words + MAPPING_LOCAL);
	words[MAPPING_KNOWN] = 1;
}
