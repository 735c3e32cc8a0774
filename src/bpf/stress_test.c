/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Nothing is lost without being counted.
 *
 * The same program runs at every system call of four threads and in a 20 kHz
 * clock interrupt on every CPU, so that firings nest in each other while user
 * space drains.  (An emulated CPU could not keep up, and nothing but the
 * interrupt would ever run: there the clock is as fast as firings allow.)  Each firing counts itself, writes scratch memory, a record
 * and an aggregation.  At the end
 *
 *	records + dropped records	= firings
 *	sum of the aggregation + drops	= firings
 *
 * exactly, and no record is torn.  Rings are small, so that many are full.
 */
#include "bpf/test_kernel.h"

#include <linux/perf_event.h>
#include <pthread.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>

enum {
	RECORD = 48, SMALL_RING = 1 << 16, SECONDS = 2, THREADS = 4,
	HERTZ = 20000, LEAST_HERTZ = 100, SHARE = 160, MOST_CPUS = 1024,
};

/* What the programs count in globals. */
struct counts {
	uint64_t firings, broken;
};

struct stress {
	struct arena *arena;
	struct bpf_maps maps;
	struct bpf_code *code[2]; /* raw_tp, perf_event */
	struct bpf_loaded *loaded[2];
	struct ir_aggregation agg;
	struct bpf_agg_table table;
	uint64_t records, torn;
	volatile bool stop;
};

static struct ir_mem counter(size_t offset)
{
	return ir_mem_of(IR_GLOBAL, (int64_t)offset);
}

/*
 * ++firings; scratch = random; record { x, ~x, from scratch };
 * @[random & 63] = count(); scratch must still be what it was.
 */
static struct ir_program *build(struct stress *s)
{
	struct ir_builder b = { .program = ir_new(s->arena) };
	struct ir_block *full = ir_block_new(&b, "full");
	struct ir_block *bad = ir_block_new(&b, "bad");
	struct ir_block *good = ir_block_new(&b, "good");

	ir_enter(&b, ir_block_new(&b, "start"));
	ir_atomic_add(&b, counter(offsetof(struct counts, firings)),
		      ir_const(&b, 1), 8);
	struct ir_mem big = ir_object(&b, 600, "big");
	struct ir_mem key = ir_object(&b, 8, "key");
	ir_reg x = ir_query(&b, IR_QUERY_RANDOM);

	ir_clear(&b, big, 600);
	ir_store(&b, ir_mem_at(big, 592), x, 8);
	ir_reg cpu = ir_query(&b, IR_QUERY_CPU);
	struct ir_insn *insn = ir_emit(&b, IR_RECORD_BEGIN);

	insn->imm = RECORD;
	insn->imm2 = 5;
	insn->a = cpu;
	insn->target = full;
	ir_store(&b, ir_mem_of(IR_RECORD, 24), x, 8);
	ir_store(&b, ir_mem_of(IR_RECORD, 32), ir_unary(&b, IR_NOT, x), 8);
	ir_store(&b, ir_mem_of(IR_RECORD, 40),
		 ir_load(&b, ir_mem_at(big, 592), 8, false), 8);
	ir_emit(&b, IR_RECORD_END);
	ir_enter(&b, full);
	ir_store(&b, key, ir_binary_imm(&b, IR_AND, x, 63), 8);
	struct ir_slots slots = { 0 };

	ir_slot(&slots, IR_SLOT_ADD, 0, ir_const(&b, 1));
	ir_aggregate(&b, 0, key, &slots);
	ir_reg again = ir_load(&b, ir_mem_at(big, 592), 8, false);

	ir_branch(&b, ir_binary(&b, IR_NE, again, x), bad, good);
	ir_enter(&b, bad);
	ir_atomic_add(&b, counter(offsetof(struct counts, broken)),
		      ir_const(&b, 1), 8);
	ir_enter(&b, good);
	ir_return(&b);
	ir_renumber(b.program);
	b.program->aggregations = &s->agg;
	b.program->naggregations = 1;
	return b.program;
}

static void set_up(struct stress *s)
{
	static const uint32_t types[] = {
		BPF_PROG_TYPE_RAW_TRACEPOINT, BPF_PROG_TYPE_PERF_EVENT,
	};
	const char *error = NULL;
	struct bpf_problem problem = { 0 };

	memset(s, 0, sizeof(*s));
	s->arena = arena_new();
	s->agg = (struct ir_aggregation){
		.key_size = 8,
		.nvalues = 1,
	};
	bpf_agg_layout(&s->agg, 1, 1 << 16, &s->table);
	struct ir_program *program = build(s);

	assert_null(ir_verify(program));
	for (unsigned i = 0; i < 2; i++) {
		struct bpf_generate_config config = {
			.kind.type = types[i], .ring_size = SMALL_RING,
			.max_record = RECORD, .agg_tables = &s->table,
		};

		s->code[i] = bpf_generate(s->arena, program, &config, &problem);
		if (!s->code[i])
			fail_msg("%s", problem.text);
	}
	struct bpf_maps_config config = {
		.ring_size = SMALL_RING, .max_record = RECORD,
		.globals_size = sizeof(struct counts),
		.scratch_slot_size = s->code[0]->scratch_size,
		.aggregations = &s->agg, .naggregations = 1,
		.agg_size = 1 << 16,
	};

	if (bpf_maps_create(&s->maps, &config, &error))
		fail_msg("%s", error);
	for (unsigned i = 0; i < 2; i++) {
		s->loaded[i] = bpf_load(s->arena, s->code[i], &s->maps,
					&(struct bpf_kind){ .type = types[i] },
					"stress", 0, &problem);
		if (!s->loaded[i])
			fail_msg("%s", problem.text);
	}
}

static int attach_raw_tp(const struct stress *s, const char *name)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.raw_tracepoint.name = (uint64_t)(uintptr_t)name;
	attr.raw_tracepoint.prog_fd = (uint32_t)s->loaded[0]->fd;
	return sys_bpf(BPF_RAW_TRACEPOINT_OPEN, &attr, sizeof(attr));
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/*
 * The rate at which firings, which now cost a system call, take 1/SHARE of a
 * CPU.
 */
static uint64_t bearable_hertz(void)
{
	enum { CALLS = 2000 };
	uint64_t start = now_ns();

	for (int i = 0; i < CALLS; i++)
		syscall(SYS_getppid);
	uint64_t hertz = 1000000000ull * CALLS / SHARE / (now_ns() - start);

	return hertz > HERTZ	     ? HERTZ
	       : hertz < LEAST_HERTZ ? LEAST_HERTZ
				     : hertz;
}

static int attach_clock(const struct stress *s, uint32_t cpu, uint64_t hertz)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE, .size = sizeof(attr),
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_period = 1000000000 / hertz,
	};
	int fd = (int)syscall(SYS_perf_event_open, &attr, -1, (int)cpu, -1,
			      PERF_FLAG_FD_CLOEXEC);

	if (fd >= 0 && (ioctl(fd, PERF_EVENT_IOC_SET_BPF, s->loaded[1]->fd) ||
			ioctl(fd, PERF_EVENT_IOC_ENABLE, 0))) {
		close(fd);
		return -1;
	}
	return fd;
}

/* The consumer of abi.h: read, zero, move on. */
static void drain(struct stress *s)
{
	for (uint32_t cpu = 0; cpu < s->maps.ncpus; cpu++) {
		struct abi_ring *ring = bpf_ring(&s->maps, cpu);
		uint64_t head = __atomic_load_n(&ring->head, __ATOMIC_ACQUIRE);

		while (ring->tail < head) {
			uint8_t *at = (uint8_t *)(ring + 1) +
				      (ring->tail & (SMALL_RING - 1));
			struct abi_record *record = (struct abi_record *)at;
			uint32_t size = __atomic_load_n(&record->size,
							__ATOMIC_ACQUIRE);
			uint64_t words[3];

			if (!size)
				break;
			memcpy(words, at + sizeof(*record), sizeof(words));
			if (size != RECORD || record->kind != RECORD_DATA ||
			    record->clause != 5 || record->probe != cpu ||
			    words[0] != ~words[1] || words[0] != words[2])
				s->torn++;
			s->records++;
			memset(at, 0, RECORD);
			__atomic_store_n(&ring->tail, ring->tail + RECORD,
					 __ATOMIC_RELEASE);
		}
	}
}

static void *make_calls(void *data)
{
	struct stress *s = data;

	while (!s->stop)
		syscall(SYS_getppid);
	return NULL;
}

static void run(struct stress *s)
{
	int fds[MOST_CPUS + 1], nfds = 0;
	pthread_t threads[THREADS];
	fds[nfds++] = attach_raw_tp(s, "sys_enter");
	assert_true(fds[0] >= 0);
	uint64_t hertz = bearable_hertz();

	print_message("a clock of %llu Hz\n", (unsigned long long)hertz);
	for (uint32_t cpu = 0; cpu < s->maps.ncpus && cpu < MOST_CPUS; cpu++) {
		int fd = attach_clock(s, cpu, hertz);

		if (fd >= 0)
			fds[nfds++] = fd;
	}
	assert_true(nfds > 1);
	for (unsigned i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, make_calls, s);
	uint64_t start = now_ns();

	do
		drain(s);
	while (now_ns() - start < SECONDS * 1000000000ull);
	s->stop = true;
	for (unsigned i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	while (nfds)
		close(fds[--nfds]);
	/* Until the last firing has left: closing does not wait for it. */
	usleep(300000);
	drain(s);
}

static void test_nothing_lost(void)
{
	static struct stress s;
	uint64_t dropped = 0, counted = 0, agg_drops = 0;

	set_up(&s);
	run(&s);
	const struct counts *counts = (const struct counts *)s.maps.globals;
	const struct bpf_agg_map *map = &s.maps.aggs[0];

	for (uint32_t cpu = 0; cpu < s.maps.ncpus; cpu++) {
		const uint8_t *table = map->memory + cpu * map->element_size;

		dropped += bpf_ring(&s.maps, cpu)->drops;
		agg_drops += ((const struct abi_agg_table *)table)->drops;
		for (uint32_t i = 0; i < map->entries; i++)
			counted += *(
				const uint64_t *)(table +
						  sizeof(struct abi_agg_table) +
						  i * map->entry_size +
						  sizeof(struct abi_agg_entry) +
						  8);
	}
	uint64_t scratch = s.maps.state->scratch_drops;

	print_message(
		"%llu firings: %llu records + %llu dropped, %llu counted + %llu dropped, %llu without scratch, %llu not run\n",
		(unsigned long long)counts->firings,
		(unsigned long long)s.records, (unsigned long long)dropped,
		(unsigned long long)counted, (unsigned long long)agg_drops,
		(unsigned long long)scratch,
		(unsigned long long)bpf_missed(s.loaded[0]));
	assert_true(counts->firings > 10000);
	assert_int_equal(s.torn, 0);
	assert_int_equal(counts->broken, 0);
	assert_int_equal(s.records + dropped + scratch, counts->firings);
	assert_int_equal(counted + agg_drops + scratch, counts->firings);
	for (unsigned i = 0; i < 2; i++)
		bpf_unload(s.loaded[i]);
	bpf_maps_close(&s.maps);
	arena_free(s.arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BENCH_TEST(test_nothing_lost),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
