/* SPDX-License-Identifier: Apache-2.0 */
/*
 * io: requests to disks, and their completion.
 *
 * A firing is a request as the device gets it, after the kernel has split large
 * ones and merged adjacent ones.  So each start has a matching done, with the
 * same device, block and size, and the sizes add up to what the disk moved.
 * Devices that have no requests (device mapper, md, zram) are traced by the
 * bios that they get.
 *
 * 1. A request is passed as one word; dlib/io.d explains how a request, a bio
 *    and a status share it, and has the translators.
 * 2. Only the last completion of a request is its done.  Requests of no size
 *    (to flush caches) are not traced.
 * 3. start fires where the request is put into a queue, in the thread that
 *    issues it; or else where it is handed to the device.  Which of the two
 *    came first is saved until the request has ended or has been merged into
 *    another one.  While it waits in the queue it may still grow: in a long
 *    queue, the size at start can be less than at done.
 * 4. done fires in an interrupt or a kernel thread.
 * 5. A wait is for a single bio; wait-start passes it to wait-done in a
 *    thread-local variable.
 */
#include "provider/stable.h"

#define REQUEST "struct request *"
#define IO \
	{ REQUEST, "bufinfo_t *" }, \
	{ "struct block_device *", "devinfo_t *" }, \
	{ "struct bio *", "fileinfo_t *" }
#define OF_REQUEST(io, request) \
	.args = { io, "_bio_device[" request "->bio, " request "]", \
		  "_bio_data[" request "->bio]" }
#define OF_BIO(io, bio) .args = { io, bio "->bi_bdev", "_bio_data[" bio "]" }
#define HAS_SIZE "args[0]->__data_len != 0"
#define HAS_NO_REQUESTS(bio) bio "->bi_bdev->bd_disk->fops->submit_bio != NULL"
#define BEGINS " && _io_begun[(uintptr_t)args[0]]++ == 0"
#define ENDS "(_io_begun[(uintptr_t)args[0]] = 0)"
#define WAITED "((struct bio *)(self->_io_wait - 1))"

static const struct stable_probe probes[] = {
	{ "start", { IO },
	  STABLE_SOURCES(
		{ "rawtp:block::block_rq_insert", .when = HAS_SIZE BEGINS,
		  OF_REQUEST("args[0]", "args[0]") },
		{ "rawtp:block::block_rq_issue", .when = HAS_SIZE BEGINS,
		  OF_REQUEST("args[0]", "args[0]"), .also = true },
		{ "rawtp:block::block_rq_complete", .when = ENDS,
		  .also = true },
		{ "rawtp:block::block_rq_merge", .when = ENDS, .also = true },
		{ "rawtp:block::block_bio_queue", .also = true,
		  .when = HAS_NO_REQUESTS("args[0]") " && args[0]->bi_iter.bi_size != 0",
		  OF_BIO("(uintptr_t)args[0] | 1", "args[0]") }) },
	{ "done", { IO },
	  STABLE_SOURCES(
		{ "rawtp:block::block_rq_complete",
		  .when = HAS_SIZE " && args[2] >= args[0]->__data_len",
		  OF_REQUEST("(uintptr_t)args[0] ^ (uint64_t)args[1] << 56",
			     "args[0]") },
		{ "rawtp:block::block_bio_complete", .also = true,
		  .when = HAS_NO_REQUESTS("args[1]") " && (args[1]->bi_iter.bi_size != 0 || args[1]->bi_vcnt != 0)",
		  OF_BIO("((uintptr_t)args[1] | 1) ^ (uint64_t)args[1]->bi_status << 56",
			 "args[1]") }) },
	{ "wait-start", { IO },
	  STABLE_SOURCES(
		{ "fbt::submit_bio_wait:entry",
		  OF_BIO("(uintptr_t)args[0] | 1", "args[0]") }) },
	{ "wait-done", { IO },
	  STABLE_SOURCES(
		{ "fbt::submit_bio_wait:entry",
		  .when = "(self->_io_wait = (uintptr_t)args[0] | 1) == 0" },
		{ "fbt::submit_bio_wait:return", .also = true,
		  .when = "self->_io_wait != 0",
		  OF_BIO("self->_io_wait", WAITED) }) },
	{ .name = NULL },
};

static int io_list(struct probe_registry *registry,
		   const struct probe_desc *desc, struct probe_error *error)
{
	(void)error;
	return stable_list(registry, &io_provider, probes, desc);
}

const struct provider io_provider = {
	.name = "io",
	.about = "requests to disks: start, end, waiting",
	.attrs = STABLE_ATTRS(CLASS_ISA),
	.list = io_list,
	.nids = sizeof(probes) / sizeof(probes[0]) - 1,
	STABLE_METHODS,
};
