/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vminfo: what the kernel counts about memory, where it happens.
 *
 * arg0 is by how much the statistic grows: 1, or a number of pages.  The
 * names are the classic ones; what Linux does not count is a probe that never
 * fires.
 *
 * 1. What a page fault is about the machine's error code says (args[2]): a page
 *    that is there but may not be used so, and writing.  Both together are a
 *    write to a page that must be copied first, unless it is a mistake.
 * 2. An anonymous page has the lowest bit of its mapping set.
 * 3. A page that is filled with zeros on demand is one that users' programs
 *    get (movable, bit 3 of how it is wanted) and that is to be zero (bit 8).
 */
#include "provider/stable.h"

#define NO_KINDS_OF_PAGES \
	"Linux does not tell pages of programs from pages of files"
#define NEVER(name, why)                               \
	{                                              \
		name, { { "uint64_t" } }, .never = why \
	}
#define ONE .args = { "1" }
#define ANY_FAULT(...) STABLE_SOURCES( \
	{ "rawtp:exceptions::page_fault_user", ONE, __VA_ARGS__ })
/* pages read from a disk; else pages added to the page cache */
#define PAGED_IN(amount) STABLE_SOURCES( \
	{ "rawtp:block::block_bio_queue", \
	  .when = "(args[0]->bi_opf & 0xff) == 0", .args = { amount } }, \
	{ "rawtp:filemap::mm_filemap_add_to_page_cache", ONE })
#define IS_ANONYMOUS "((uintptr_t)args[0]->mapping & 1) != 0"
#define SWAP_OUT STABLE_SOURCES( \
	{ "rawtp:vmscan::mm_vmscan_write_folio", ONE, .when = IS_ANONYMOUS })
#define SWAP_IN STABLE_SOURCES( \
	{ "fbt::swap_read_folio:entry", ONE }, \
	{ "fbt::swap_readpage:entry", ONE })
#define WRITTEN(amount) STABLE_SOURCES( \
	{ "rawtp:writeback::writeback_pages_written", \
	  .when = "args[0] > 0", .args = { amount } })

static const struct stable_probe probes[] = {
	{ "anonpgin", { { "uint64_t" } }, SWAP_IN },
	{ "anonpgout", { { "uint64_t" } }, SWAP_OUT },
	{ "as_fault", { { "uint64_t" } }, ANY_FAULT() },
	{ "cow_fault", { { "uint64_t" } },
	  STABLE_SOURCES(
		{ "fbt::do_wp_page:entry", ONE },
		{ "rawtp:exceptions::page_fault_user", ONE,
		  .when = ARCH_FAULT_COPIES("args[2]") }) },
	{ "dfree", { { "uint64_t" } },
	  STABLE_SOURCES(
		{ "rawtp:vmscan::mm_vmscan_lru_shrink_inactive",
		  .args = { "args[2]" } }) },
	{ "fspgin", { { "uint64_t" } },
	  STABLE_SOURCES(
		{ "rawtp:filemap::mm_filemap_add_to_page_cache", ONE }) },
	{ "fspgout", { { "uint64_t" } }, WRITTEN("args[0]") },
	{ "kernel_asflt", { { "uint64_t" } },
	  STABLE_SOURCES({ "rawtp:exceptions::page_fault_kernel", ONE }) },
	{ "maj_fault", { { "uint64_t" } },
	  STABLE_SOURCES(
		{ "fbt::handle_mm_fault:return", ONE,
		  .when = "((int)args[1] & 4) != 0" },
		{ "cpc:::major_faults-all-1", ONE }) },
	{ "pgin", { { "uint64_t" } }, PAGED_IN("1") },
	{ "pgout", { { "uint64_t" } }, WRITTEN("1") },
	{ "pgpgin", { { "uint64_t" } },
	  PAGED_IN("(args[0]->bi_iter.bi_size + 4095) / 4096") },
	{ "pgpgout", { { "uint64_t" } }, WRITTEN("args[0]") },
	{ "pgrec", { { "uint64_t" } },
	  STABLE_SOURCES({ "rawtp:pagemap::mm_lru_activate", ONE }) },
	{ "pgrrun", { { "uint64_t" } },
	  STABLE_SOURCES({ "rawtp:vmscan::mm_vmscan_kswapd_wake", ONE }) },
	{ "pgswapin", { { "uint64_t" } }, SWAP_IN },
	{ "pgswapout", { { "uint64_t" } }, SWAP_OUT },
	{ "prot_fault", { { "uint64_t" } }, ANY_FAULT(.when = ARCH_FAULT_PROTECTS("args[2]")) },
	{ "scan", { { "uint64_t" } },
	  STABLE_SOURCES(
		{ "rawtp:vmscan::mm_vmscan_lru_isolate",
		  .args = { "args[3]" } }) },
	{ "swapin", { { "uint64_t" } }, SWAP_IN },
	{ "swapout", { { "uint64_t" } }, SWAP_OUT },
	{ "zfod", { { "uint64_t" } },
	  STABLE_SOURCES(
		{ "fbt::do_anonymous_page:entry", ONE },
		{ "rawtp:kmem::mm_page_alloc", ONE,
		  .when = "(args[2] & 0x108) == 0x108" }) },

	/* those that Linux has nothing for, so that scripts with all of them run */
	NEVER("anonfree", "Linux does not count freed pages by kind; dfree has all of them"),
	NEVER("fsfree", "Linux does not count freed pages by kind; dfree has all of them"),
	NEVER("execfree", NO_KINDS_OF_PAGES "; dfree has all that are freed"),
	NEVER("execpgin", NO_KINDS_OF_PAGES "; fspgin has both"),
	NEVER("execpgout", NO_KINDS_OF_PAGES "; fspgout has both"),
	NEVER("hat_fault", "Linux has one kind of page fault: see as_fault"),
	NEVER("pgfrec", "pages that Linux has freed are not taken back; pgrec has those that were about to be"),
	NEVER("rev", "Linux goes through its lists of pages piece by piece, and there is no end of a round; see scan"),
	NEVER("softlock", "Linux has no soft locks of pages"),
	{ .name = NULL },
};

static int vminfo_list(struct probe_registry *registry,
		       const struct probe_desc *desc, struct probe_error *error)
{
	(void)error;
	return stable_list(registry, &vminfo_provider, probes, desc);
}

const struct provider vminfo_provider = {
	.name = "vminfo",
	.about = "what the kernel counts about memory",
	.attrs = STABLE_ATTRS(CLASS_ISA),
	.list = vminfo_list,
	.nids = sizeof(probes) / sizeof(probes[0]) - 1,
	STABLE_METHODS,
};
