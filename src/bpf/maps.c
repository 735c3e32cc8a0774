/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The maps that the programs of a session share, and their mappings.
 *
 * Only what is needed is created: a script without aggregations has no
 * aggregation table.  Who writes and what happens when full:
 *
 *   state	both sides; fixed words
 *   rings	programs on their CPU, see abi.h; full: ring.drops
 *   control	programs, by exit(); full: the message is lost, which is why
 *		the consumer looks at state.phase, too
 *   specs	both sides, atomically; fixed
 *   spec rings	like rings, see abi.h; full: spec_drops
 *   globals	programs on any CPU; fixed
 *   self	programs, for their own thread; no memory: dynamic_drops
 *   scratch	programs on their CPU; none free: scratch_drops
 *   aggs	programs on their CPU; a table is full: chunks
 *   chunks	programs on any CPU; full, or no memory: table.drops
 *   array N	programs on any CPU; full: dynamic_drops
 *   unwind	user space, and programs that copy stacks; see bpf/unwind.h
 */
#include "bpf/bpf.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/btf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

#include "bpf/gen.h"
#include "bpf/sys.h"

enum {
	PAGE = 4096,		/* the unit of value sizes */
	CONTROL_SIZE = 4096,	/* grows to the machine's page */
	INDEX_MARGIN = 1024,	/* a bound index may step over the end */
};

static uint64_t round_to(uint64_t n, uint64_t to)
{
	return (n + to - 1) / to * to;
}

static uint64_t page_size(void)
{
	return (uint64_t)sysconf(_SC_PAGESIZE);
}

/*
 * Possible CPUs, not those online: elements are found by CPU number, and a
 * CPU may come while we trace.  "0-3,8-11" means twelve.
 */
uint32_t bpf_possible_cpus(void)
{
	char text[256] = "";
	int fd = open("/sys/devices/system/cpu/possible", O_RDONLY | O_CLOEXEC);

	if (fd >= 0) {
		ssize_t n = read(fd, text, sizeof(text) - 1);

		text[n > 0 ? n : 0] = '\0';
		close(fd);
	}
	char *last = text;

	for (char *p = text; *p; p++)
		if (*p == '-' || *p == ',')
			last = p + 1;
	if (*last >= '0' && *last <= '9')
		return (uint32_t)strtoul(last, NULL, 10) + 1;
	long online = sysconf(_SC_NPROCESSORS_CONF);

	return online > 0 ? (uint32_t)online : 1;
}

/* ---------------------------------------------------------------- creation */

static const char *const hints[] = {
	[ENOMEM] = " (too large: lower bufsize, specsize, aggsize or dynvarsize)",
	[E2BIG] = " (too large: lower bufsize, specsize, aggsize, dynvarsize or strsize)",
	[EINVAL] = " (this kernel does not know such a map)",
};

static int fail(const char **error, int err, const char *what)
{
	/* One session at a time fails; the text must outlive this call. */
	static _Thread_local char text[256];
	const char *problem = err == -EPERM ? bpf_privilege_problem() : NULL;
	unsigned code = (unsigned)-err;
	const char *hint = code < sizeof(hints) / sizeof(*hints) ? hints[code]
								 : NULL;

	if (problem)
		snprintf(text, sizeof(text), "%s", problem);
	else
		snprintf(text, sizeof(text), "cannot create the %s: %s%s", what,
			 strerror(-err), hint ? hint : "");
	*error = text;
	return err;
}

/* An mmap-able array; *memory is its mapping. */
static int make_array(const char *name, uint64_t element, uint32_t count,
		      int *fd, uint8_t **memory)
{
	struct sys_map map = {
		.type = BPF_MAP_TYPE_ARRAY,
		.key_size = 4,
		.value_size = (uint32_t)element,
		.max_entries = count,
		.flags = memory ? BPF_F_MMAPABLE : 0,
		.name = name,
	};

	if (element > INT32_MAX)
		return -E2BIG;
	*fd = sys_map_create(&map);
	if (*fd < 0 || !memory)
		return *fd < 0 ? *fd : 0;
	void *mapped = mmap(NULL, round_to(element * count, page_size()),
			    PROT_READ | PROT_WRITE, MAP_SHARED, *fd, 0);

	if (mapped == MAP_FAILED)
		return -errno;
	*memory = mapped;
	return 0;
}

/* Types for the kernel: int, and an array of `size` bytes. */
static int make_self_btf(uint32_t size)
{
	static const char strings[] = "\0int\0char";
	struct {
		struct btf_header header;
		struct btf_type integer;
		uint32_t integer_bits;
		struct btf_type byte;
		uint32_t byte_bits;
		struct btf_type array_type;
		struct btf_array array;
		char strings[sizeof(strings)];
	} __attribute__((packed)) btf = {
		.header = {
			.magic = BTF_MAGIC, .version = BTF_VERSION,
			.hdr_len = sizeof(struct btf_header),
		},
		.integer = { .name_off = 1, .info = BTF_KIND_INT << 24,
			     .size = 4 },
		.integer_bits = BTF_INT_SIGNED << 24 | 32,
		.byte = { .name_off = 5, .info = BTF_KIND_INT << 24,
			  .size = 1 },
		.byte_bits = 8,
		.array_type = { .info = BTF_KIND_ARRAY << 24 },
		.array = { .type = 2, .index_type = 1, .nelems = size },
	};

	memcpy(btf.strings, strings, sizeof(strings));
	btf.header.str_len = sizeof(strings);
	btf.header.type_len = (uint32_t)(sizeof(btf) - sizeof(btf.header) -
					 sizeof(strings));
	btf.header.str_off = btf.header.type_len;
	return sys_btf_load(&btf, sizeof(btf));
}

static int make_self(uint32_t size)
{
	int btf = make_self_btf(size);

	if (btf < 0)
		return btf;
	int fd = sys_map_create(&(struct sys_map){
		.type = BPF_MAP_TYPE_TASK_STORAGE,
		.key_size = 4,
		.value_size = size,
		.flags = BPF_F_NO_PREALLOC,
		.btf_fd = btf,
		.btf_key = 1,
		.btf_value = 3,
		.name = "dtrace_self",
	});

	close(btf);
	return fd;
}

/*
 * Consumer's page, then producer's page and the data twice in a row, as the
 * kernel lays them out.
 */
static int make_control(struct bpf_maps *maps)
{
	uint64_t page = page_size();

	maps->control_size = (uint32_t)round_to(CONTROL_SIZE, page);
	maps->control_fd = sys_map_create(&(struct sys_map){
		.type = BPF_MAP_TYPE_RINGBUF,
		.max_entries = maps->control_size,
		.name = "dtrace_control",
	});
	if (maps->control_fd < 0)
		return maps->control_fd;
	void *consumer = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_SHARED,
			      maps->control_fd, 0);

	if (consumer == MAP_FAILED)
		return -errno;
	maps->control_consumer = consumer;
	void *data = mmap(NULL, page + 2 * (uint64_t)maps->control_size,
			  PROT_READ, MAP_SHARED, maps->control_fd, (off_t)page);

	if (data == MAP_FAILED)
		return -errno;
	maps->control_data = data;
	return 0;
}

/* One entry without key is always there; its slots start at their identity. */
static void prepare_keyless(const struct bpf_maps *maps,
			    const struct bpf_agg_map *map,
			    const struct ir_aggregation *agg)
{
	if (agg->key_size || !agg->identities)
		return;
	for (uint32_t cpu = 0; cpu < maps->ncpus; cpu++) {
		uint8_t *entry = map->memory + cpu * map->element_size +
				 sizeof(struct abi_agg_table);

		memcpy(entry + sizeof(struct abi_agg_entry), agg->identities,
		       agg->nvalues * sizeof(int64_t));
	}
}

/* Elements are made by programs; `blank` is what they start as. */
static int make_chunks(struct bpf_maps *maps,
		       const struct bpf_maps_config *config)
{
	if (!config->chunk_size || !config->nchunks)
		return 0;
	maps->chunk_size = config->chunk_size;
	maps->chunks_fd = sys_map_create(&(struct sys_map){
		.type = BPF_MAP_TYPE_HASH,
		.key_size = sizeof(uint64_t),
		.value_size = config->chunk_size,
		.max_entries = config->nchunks,
		.flags = BPF_F_NO_PREALLOC,
		.name = "dtrace_chunks",
	});
	if (maps->chunks_fd < 0)
		return maps->chunks_fd;
	return make_array("dtrace_blank", config->chunk_size, 1,
			  &maps->blank_fd, NULL);
}

static int make_aggregations(struct bpf_maps *maps,
			     const struct bpf_maps_config *config)
{
	uint32_t count = config->naggregations;
	struct bpf_agg_table *tables;

	if (!count)
		return 0;
	tables = must_alloc(checked_mul(count, sizeof(*tables)));
	maps->aggs = must_alloc(checked_mul(count, sizeof(*maps->aggs)));
	maps->naggs = count;
	maps->agg_element = bpf_agg_layout(config->aggregations, count,
					   config->agg_size, tables);
	int err = maps->agg_element
			  ? make_array("dtrace_aggs", maps->agg_element,
				       maps->ncpus, &maps->agg_fd,
				       &maps->agg_memory)
			  : 0;

	for (uint32_t i = 0; !err && i < count; i++) {
		if (!tables[i].entries)
			continue;
		maps->aggs[i] = (struct bpf_agg_map){
			.memory = maps->agg_memory + tables[i].offset,
			.element_size = maps->agg_element,
			.entries = tables[i].entries,
			.entry_size = tables[i].entry_size,
		};
		prepare_keyless(maps, &maps->aggs[i], &config->aggregations[i]);
	}
	free(tables);
	return err ? err : make_chunks(maps, config);
}

/*
 * Associative arrays.  An element takes its key, its value and what the kernel
 * links it with.  Small tables are allocated beforehand, so that elements can
 * be created anywhere, even in an NMI, and the budget is what the table takes;
 * large ones grow, because most of them stay nearly empty.
 */
enum { ELEMENT_OVERHEAD = 48, PREALLOCATE = 16 << 20 };

uint32_t bpf_array_entries(const struct ir_array *array, uint64_t size)
{
	uint64_t element = (uint64_t)array->key_size + array->value_size +
			   ELEMENT_OVERHEAD;
	uint64_t count = size / element;

	if (count > INT32_MAX / 4)
		count = INT32_MAX / 4;
	return count ? (uint32_t)count : 1;
}

static int make_hash(const struct ir_array *array, uint64_t size)
{
	return sys_map_create(&(struct sys_map){
		.type = BPF_MAP_TYPE_HASH,
		.key_size = array->key_size,
		.value_size = array->value_size,
		.max_entries = bpf_array_entries(array, size),
		.flags = size > PREALLOCATE ? BPF_F_NO_PREALLOC : 0,
		.name = array->name,
	});
}

static int make_hashes(struct bpf_maps *maps,
		       const struct bpf_maps_config *config)
{
	if (config->narrays)
		maps->array_fds = must_alloc(config->narrays * sizeof(int));
	for (uint32_t i = 0; i < config->narrays; i++) {
		int fd = make_hash(&config->arrays[i], config->array_size);

		if (fd < 0)
			return fd;
		maps->array_fds[maps->narrays++] = fd;
	}
	return 0;
}

static uint64_t nanoseconds(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

uint64_t bpf_wall_offset(void)
{
	struct timex clock = { 0 };

	if (!bpf_has(FEATURE_TAI_CLOCK))
		return nanoseconds(CLOCK_REALTIME) -
		       nanoseconds(CLOCK_BOOTTIME);
	if (adjtimex(&clock) < 0)
		return 0;
	return -(uint64_t)clock.tai * 1000000000;
}

/* --------------------------------------------------------------- all of it */

static int make_basics(struct bpf_maps *maps,
		       const struct bpf_maps_config *config, const char **error)
{
	uint8_t *memory = NULL;
	int err = make_array("dtrace_state", PAGE, 1, &maps->state_fd, &memory);

	maps->state = (struct abi_state *)memory;
	if (err)
		return fail(error, err, "state map");
	err = make_control(maps);
	if (err)
		return fail(error, err, "control buffer");
	if (!config->ring_size)
		return 0;
	/* Faults are records, too, planned or not. */
	if (maps->max_record < sizeof(struct abi_fault))
		maps->max_record = sizeof(struct abi_fault);
	maps->ring_element = round_to(sizeof(struct abi_ring) +
					      config->ring_size +
					      maps->max_record,
				      PAGE);
	err = make_array("dtrace_rings", maps->ring_element, maps->ncpus,
			 &maps->ring_fd, &maps->rings);
	return err ? fail(error, err, "principal buffers") : 0;
}

static uint32_t nspec_rounded(uint32_t nspec)
{
	uint32_t n = 1;

	while (n < nspec)
		n *= 2;
	return n;
}

static uint64_t specs_size(uint32_t nspec)
{
	return sizeof(struct abi_specs) +
	       nspec_rounded(nspec) * sizeof(struct abi_spec);
}

static int make_speculations(struct bpf_maps *maps,
			     const struct bpf_maps_config *config,
			     const char **error)
{
	uint8_t *memory = NULL;

	if (!config->nspec)
		return 0;
	maps->nspec = config->nspec;
	maps->spec_size = config->spec_size;
	maps->spec_element = round_to(sizeof(struct abi_ring) +
					      config->spec_size +
					      maps->max_record,
				      PAGE);
	int err = make_array("dtrace_specs", specs_size(config->nspec), 1,
			     &maps->specs_fd, &memory);

	maps->specs = (struct abi_specs *)memory;
	if (!err)
		err = make_array("dtrace_spec", maps->spec_element,
				 maps->ncpus * config->nspec,
				 &maps->spec_ring_fd, &maps->spec_rings);
	if (err)
		return fail(error, err, "speculation buffers");
	for (unsigned i = 0; i < 64; i++)
		maps->specs->bit_index[(SPEC_BIT_FACTOR << i) >> 58] =
			(uint8_t)i;
	for (uint32_t i = 0; i < config->nspec; i++)
		maps->specs->free[i / 64] |= 1ull << (i % 64);
	return 0;
}

uint64_t bpf_scratch_size(uint32_t slot_size)
{
	return slot_size ? SCRATCH_HEADER + INDEX_MARGIN +
				   SCRATCH_SLOTS *
					   round_to(slot_size, SCRATCH_ALIGN)
			 : 0;
}

static int make_scratch(struct bpf_maps *maps, uint32_t slot_size)
{
	uint32_t size = (uint32_t)round_to(slot_size, SCRATCH_ALIGN);
	int fd = -1;
	int err = make_array("dtrace_scratch", bpf_scratch_size(size),
			     maps->ncpus, &fd, NULL);

	if (err)
		return err;
	maps->scratch_fd = fd;
	maps->scratch_slot_size = size;
	return 0;
}

int bpf_scratch_grow(struct bpf_maps *maps, uint32_t slot_size)
{
	int old = maps->scratch_fd;

	if (slot_size <= maps->scratch_slot_size)
		return 0;
	int err = make_scratch(maps, slot_size);

	if (!err && old >= 0)
		sys_close(old);
	return err;
}

static int make_variables(struct bpf_maps *maps,
			  const struct bpf_maps_config *config,
			  const char **error)
{
	int err = 0;

	if (config->globals_size)
		err = make_array("dtrace_globals",
				 round_to((uint64_t)config->globals_size +
						  INDEX_MARGIN,
					  PAGE),
				 1, &maps->globals_fd, &maps->globals);
	if (err)
		return fail(error, err, "global variables");
	if (config->self_size) {
		maps->self_fd = make_self((config->self_size + 7) & ~7u);
		/* It is their own size, not that of buffers. */
		if (maps->self_fd == -E2BIG) {
			*error =
				"thread-local variables take more than the 64 KB that the kernel gives a thread (lower strsize)";
			return -EOVERFLOW;
		}
		if (maps->self_fd < 0)
			return fail(error, maps->self_fd,
				    "thread-local variables");
	}
	if (config->scratch_slot_size)
		err = make_scratch(maps, config->scratch_slot_size);
	if (err)
		return fail(error, err, "scratch memory");
	if (config->has_unwind) {
		maps->unwind_size = config->unwind_size;
		err = make_array("dtrace_unwind", config->unwind_size, 1,
				 &maps->unwind_fd, &maps->unwind);
	}
	return err ? fail(error, err, "tables for user stacks") : 0;
}

int bpf_maps_create(struct bpf_maps *maps, const struct bpf_maps_config *config,
		    const char **error)
{
	*maps = (struct bpf_maps){
		.ncpus = bpf_possible_cpus(),
		.state_fd = -1,
		.ring_fd = -1,
		.control_fd = -1,
		.globals_fd = -1,
		.self_fd = -1,
		.scratch_fd = -1,
		.specs_fd = -1,
		.spec_ring_fd = -1,
		.unwind_fd = -1,
		.agg_fd = -1,
		.chunks_fd = -1,
		.blank_fd = -1,
		.stage_fd = -1,
		.ring_size = config->ring_size,
		.max_record = config->max_record,
		.globals_size = config->globals_size,
		.self_size = config->self_size,
	};
	int err = make_basics(maps, config, error);

	if (!err)
		err = make_speculations(maps, config, error);
	if (!err)
		err = make_variables(maps, config, error);
	if (!err) {
		err = make_aggregations(maps, config);
		if (err)
			fail(error, err, "aggregation tables");
	}
	if (!err) {
		err = make_hashes(maps, config);
		if (err)
			fail(error, err, "associative arrays");
	}
	if (err)
		bpf_maps_close(maps);
	else
		maps->state->wall_offset = bpf_wall_offset();
	return err;
}

static void unmap(void *memory, uint64_t size)
{
	if (memory)
		munmap(memory, round_to(size, page_size()));
}

void bpf_maps_close(struct bpf_maps *maps)
{
	uint64_t page = page_size();

	unmap(maps->state, PAGE);
	unmap(maps->rings, maps->ring_element * maps->ncpus);
	unmap(maps->specs, specs_size(maps->nspec));
	unmap(maps->spec_rings, maps->spec_element * maps->ncpus * maps->nspec);
	unmap(maps->globals,
	      round_to((uint64_t)maps->globals_size + INDEX_MARGIN, PAGE));
	unmap(maps->unwind, maps->unwind_size);
	unmap(maps->control_consumer, page);
	unmap(maps->control_data, page + 2 * (uint64_t)maps->control_size);
	unmap(maps->agg_memory, maps->agg_element * maps->ncpus);
	free(maps->aggs);
	for (uint32_t i = 0; i < maps->narrays; i++)
		sys_close(maps->array_fds[i]);
	free(maps->array_fds);
	sys_close(maps->state_fd);
	sys_close(maps->ring_fd);
	sys_close(maps->control_fd);
	sys_close(maps->globals_fd);
	sys_close(maps->self_fd);
	sys_close(maps->scratch_fd);
	sys_close(maps->agg_fd);
	sys_close(maps->chunks_fd);
	sys_close(maps->blank_fd);
	sys_close(maps->specs_fd);
	sys_close(maps->spec_ring_fd);
	sys_close(maps->unwind_fd);
	*maps = (struct bpf_maps){
		.state_fd = -1,
		.ring_fd = -1,
		.control_fd = -1,
		.globals_fd = -1,
		.self_fd = -1,
		.scratch_fd = -1,
		.specs_fd = -1,
		.spec_ring_fd = -1,
		.unwind_fd = -1,
		.agg_fd = -1,
		.chunks_fd = -1,
		.blank_fd = -1,
		.stage_fd = -1,
	};
}

/* ----------------------------------------------------------------- control */

/*
 * Positions only grow.  A record is a length word, whose upper bits say busy
 * or discarded, a page offset, and the message, rounded to 8 bytes.
 */
bool bpf_control_read(struct bpf_maps *maps, struct abi_message *message)
{
	uint64_t page = page_size();
	uint64_t *consumer = (uint64_t *)maps->control_consumer;
	uint64_t *producer = (uint64_t *)maps->control_data;

	if (!consumer || !producer)
		return false;
	uint64_t at = __atomic_load_n(consumer, __ATOMIC_RELAXED);

	while (at < __atomic_load_n(producer, __ATOMIC_ACQUIRE)) {
		const uint8_t *record = maps->control_data + page +
					(at & (maps->control_size - 1));
		uint32_t header = __atomic_load_n((const uint32_t *)record,
						  __ATOMIC_ACQUIRE);
		uint32_t length = header & ~(BPF_RINGBUF_BUSY_BIT |
					     BPF_RINGBUF_DISCARD_BIT);
		bool is_ours = !(header & BPF_RINGBUF_DISCARD_BIT) &&
			       length >= sizeof(*message);

		if (header & BPF_RINGBUF_BUSY_BIT)
			return false;
		if (is_ours)
			memcpy(message, record + BPF_RINGBUF_HDR_SZ,
			       sizeof(*message));
		at += round_to(length + BPF_RINGBUF_HDR_SZ, 8);
		__atomic_store_n(consumer, at, __ATOMIC_RELEASE);
		if (is_ours)
			return true;
	}
	return false;
}
