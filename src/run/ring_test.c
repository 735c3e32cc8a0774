/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rings: order, unpublished records, room, drops; and a thread per CPU that
 * writes as programs do while the reader drains.
 */
#include "run/ring.h"

#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

enum { NCPUS = 2, SIZE = 4096, MOST = 256 };

struct fixture {
	struct bpf_maps maps;
	struct rings rings;
};

static int setup(void **state)
{
	static struct fixture f;

	f = (struct fixture){
		.maps = {
			.ncpus = NCPUS, .ring_size = SIZE, .max_record = MOST,
			.ring_element = sizeof(struct abi_ring) + SIZE + MOST,
		},
	};
	f.maps.rings = calloc(NCPUS, f.maps.ring_element);
	rings_init(&f.rings, &f.maps, true);
	*state = &f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	rings_free(&f->rings);
	free(f->maps.rings);
	return 0;
}

/* Like generated code; NULL: no room. */
static struct abi_record *claim(const struct bpf_maps *maps, uint32_t cpu,
				uint32_t size)
{
	struct abi_ring *ring = bpf_ring(maps, cpu);
	uint64_t head = __atomic_load_n(&ring->head, __ATOMIC_RELAXED);
	uint64_t tail = __atomic_load_n(&ring->tail, __ATOMIC_ACQUIRE);

	if (head + size - tail > SIZE) {
		__atomic_fetch_add(&ring->drops, 1, __ATOMIC_RELAXED);
		return NULL;
	}
	__atomic_store_n(&ring->head, head + size, __ATOMIC_RELEASE);
	return (struct abi_record *)((uint8_t *)(ring + 1) +
				     (head & (SIZE - 1)));
}

static void publish(struct abi_record *record, uint32_t size, uint32_t probe,
		    uint64_t stamp)
{
	/* what is claimed must read 0 */
	for (uint32_t i = 0; i < size / 8; i++)
		assert_int_equal(((uint64_t *)record)[i], 0);
	memset(record + 1, 0xff, size - sizeof(*record));
	record->kind = RECORD_DATA;
	record->probe = probe;
	record->stamp = stamp;
	__atomic_store_n(&record->size, size, __ATOMIC_RELEASE);
}

static void put(const struct bpf_maps *maps, uint32_t cpu, uint32_t probe,
		uint64_t stamp)
{
	publish(claim(maps, cpu, 32), 32, probe, stamp);
}

/* Probes of the records up to `until`, as text. */
static const char *drain(struct rings *rings, uint64_t now, uint64_t until)
{
	static char seen[256];
	const struct abi_record *record;
	uint32_t cpu;

	seen[0] = '\0';
	rings_begin(rings, now, until);
	while ((record = rings_next(rings, &cpu)))
		snprintf(seen + strlen(seen), sizeof(seen) - strlen(seen),
			 "%s%u:%u", *seen ? " " : "", cpu, record->probe);
	rings_end(rings);
	return seen;
}

static void test_merge(void **state)
{
	struct fixture *f = *state;

	put(&f->maps, 0, 1, 10);
	put(&f->maps, 0, 2, 30);
	put(&f->maps, 1, 3, 20);
	put(&f->maps, 1, 4, 40);
	assert_string_equal(drain(&f->rings, 50, 35), "0:1 1:3 0:2");
	assert_true(f->rings.is_held);
	assert_string_equal(drain(&f->rings, 60, UINT64_MAX), "1:4");
	assert_false(f->rings.is_held);
	assert_string_equal(drain(&f->rings, 60, UINT64_MAX), "");
}

static void test_cpu_order(void **state)
{
	struct fixture *f = *state;

	f->rings.is_temporal = false;
	put(&f->maps, 0, 1, 10);
	put(&f->maps, 0, 2, 30);
	put(&f->maps, 1, 3, 20);
	assert_string_equal(drain(&f->rings, 50, 0), "0:1 0:2 1:3");
}

static void test_unpublished(void **state)
{
	struct fixture *f = *state;

	assert_string_equal(drain(&f->rings, 100, 90), "");
	struct abi_record *late = claim(&f->maps, 0, 64);

	put(&f->maps, 0, 2, 130);
	put(&f->maps, 1, 3, 80);
	put(&f->maps, 1, 4, 140);
	/* CPU 0 was empty until 90, so older records may be returned */
	assert_string_equal(drain(&f->rings, 200, 190), "1:3");
	assert_true(f->rings.is_waiting && f->rings.is_held);
	publish(late, 64, 1, 110);
	assert_string_equal(drain(&f->rings, 300, 290), "0:1 0:2 1:4");
	assert_false(f->rings.is_waiting);

	/* one that is never published does not stop the others forever */
	claim(&f->maps, 0, 32);
	put(&f->maps, 1, 5, 310);
	assert_string_equal(drain(&f->rings, 400, 390), "");
	assert_string_equal(drain(&f->rings, 400 + 200000000, 200000000),
			    "1:5");
}

static void test_look_ahead(void **state)
{
	struct fixture *f = *state;
	uint32_t cpu;

	put(&f->maps, 0, 1, 10);
	put(&f->maps, 1, 2, 11);
	put(&f->maps, 0, 3, 12);
	claim(&f->maps, 0, 32);
	rings_begin(&f->rings, 20, UINT64_MAX);
	assert_int_equal(rings_next(&f->rings, &cpu)->probe, 1);
	assert_int_equal(rings_after(&f->rings, 0, &(uint64_t){ 0 })->probe, 3);
	assert_int_equal(rings_next(&f->rings, &cpu)->probe, 2);
	assert_null(rings_after(&f->rings, 1, &(uint64_t){ 0 }));
	assert_int_equal(rings_next(&f->rings, &cpu)->probe, 3);
	assert_null(rings_after(&f->rings, 0, &(uint64_t){ 0 }));
	rings_end(&f->rings);
}

static void test_damage(void **state)
{
	struct fixture *f = *state;

	put(&f->maps, 0, 1, 10);
	((struct abi_record *)(bpf_ring(&f->maps, 0) + 1))->size = 4000;
	assert_string_equal(drain(&f->rings, 20, UINT64_MAX), "");
	assert_true(f->rings.is_damaged);
}

static void test_full(void **state)
{
	struct fixture *f = *state;

	for (unsigned i = 0; i < SIZE / 32; i++)
		put(&f->maps, 0, 1, i);
	assert_null(claim(&f->maps, 0, 32));
	assert_null(claim(&f->maps, 0, 32));
	assert_int_equal(rings_drops(&f->rings, 0), 2);
	assert_int_equal(rings_drops(&f->rings, 0), 0);
	drain(&f->rings, SIZE, UINT64_MAX);
	assert_non_null(claim(&f->maps, 0, 32));
}

/* ------------------------------------------------------------ threads */

enum { FIRINGS = 100000 };

struct writer {
	const struct bpf_maps *maps;
	uint32_t cpu;
	bool is_done;
};

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static void *write_records(void *data)
{
	struct writer *writer = data;

	for (uint32_t i = 1; i <= FIRINGS; i++) {
		uint32_t size = 32 + i % 20 * 8;
		struct abi_record *record = claim(writer->maps, writer->cpu,
						  size);

		if (record)
			publish(record, size, i, now());
		else
			sched_yield();
	}
	__atomic_store_n(&writer->is_done, true, __ATOMIC_RELEASE);
	return NULL;
}

static void test_threads(void **state)
{
	struct fixture *f = *state;
	struct writer writers[NCPUS];
	pthread_t threads[NCPUS];
	uint64_t count = 0, stamp = 0, lost = 0;
	uint32_t last[NCPUS] = { 0 }, cpu;
	const struct abi_record *record;
	bool is_done = false;

	for (uint32_t i = 0; i < NCPUS; i++) {
		writers[i] = (struct writer){ &f->maps, i, false };
		pthread_create(&threads[i], NULL, write_records, &writers[i]);
	}
	while (!is_done) {
		is_done = true;
		for (uint32_t i = 0; i < NCPUS; i++)
			is_done &= __atomic_load_n(&writers[i].is_done,
						   __ATOMIC_ACQUIRE);
		uint64_t t = now();

		rings_begin(&f->rings, t, is_done ? UINT64_MAX : t - 1000000);
		while ((record = rings_next(&f->rings, &cpu))) {
			assert_true(record->probe > last[cpu]);
			assert_int_equal(record->size,
					 32 + record->probe % 20 * 8);
			assert_true(record->stamp >= stamp);
			stamp = record->stamp;
			last[cpu] = record->probe;
			count++;
		}
		rings_end(&f->rings);
		assert_false(f->rings.is_damaged);
	}
	for (cpu = 0; cpu < NCPUS; cpu++) {
		pthread_join(threads[cpu], NULL);
		lost += rings_drops(&f->rings, cpu);
	}
	assert_int_equal(count + lost, (uint64_t)FIRINGS * NCPUS);
	assert_true(count > 0);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_merge), TEST(test_cpu_order), TEST(test_unpublished),
		TEST(test_look_ahead), TEST(test_damage), TEST(test_full),
		TEST(test_threads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
