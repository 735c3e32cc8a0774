/* SPDX-License-Identifier: Apache-2.0 */
/* bufpolicy=ring: from the head back to the oldest complete record. */
#include "run/ring.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SIZE = 4096, MOST = 512, LEAST = sizeof(struct abi_record) + 8 };

static struct bpf_maps maps;
static struct rings rings;

static int setup(void **state)
{
	(void)state;
	maps = (struct bpf_maps){
		.ncpus = 1,
		.ring_size = SIZE,
		.max_record = MOST,
		.ring_element = sizeof(struct abi_ring) + SIZE + MOST,
	};
	maps.rings = calloc(1, maps.ring_element);
	rings_init(&rings, &maps, true);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	rings_free(&rings);
	free(maps.rings);
	return 0;
}

/*
 * Like generated code: overwrite, write the size again before the next claim.
 */
static struct abi_record *write_record(uint32_t size, uint32_t number)
{
	struct abi_ring *ring = bpf_ring(&maps, 0);
	uint8_t *data = (uint8_t *)(ring + 1);
	uint64_t at = ring->head, trailer = size;

	ring->head += size;
	memcpy(data + ((ring->head - 8) & (SIZE - 1)), &trailer, 8);
	struct abi_record *record = (void *)(data + (at & (SIZE - 1)));

	memset(record, 0, sizeof(*record));
	record->kind = RECORD_DATA;
	record->probe = number;
	record->stamp = number + 1;
	record->size = size;
	return record;
}

/* The records read must be `first` to `last`, all of them. */
static void expect(uint32_t first, uint32_t last)
{
	const struct abi_record *record;
	uint32_t cpu, next = first;

	assert_true(rings_rewind(&rings, false));
	rings_begin(&rings, 1, UINT64_MAX);
	while ((record = rings_next(&rings, &cpu)))
		assert_int_equal(record->probe, next++);
	rings_end(&rings);
	assert_false(rings.is_damaged);
	assert_int_equal(next, last + 1);
}

static void short_of_a_lap(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < 10; i++)
		write_record(LEAST + 8 * i, i);
	expect(0, 9);
	/* what was read is not read again */
	write_record(LEAST, 10);
	expect(10, 10);
}

static void empty(void **state)
{
	(void)state;
	assert_true(rings_rewind(&rings, false));
}

/* Any sizes, any number of laps: a full ring minus at most one record. */
static void many_laps(void **state)
{
	uint32_t sizes[1000], number = 0;

	(void)state;
	srand(1);
	for (; number < 1000; number++) {
		sizes[number] = LEAST + 8 * (uint32_t)(rand() % 50);
		write_record(sizes[number], number);
	}
	uint32_t first = number, total = 0;

	while (total + sizes[first - 1] <= SIZE)
		total += sizes[--first];
	expect(first, number - 1);
}

/* The newest is still being written: wait. */
static void unpublished(void **state)
{
	(void)state;
	write_record(LEAST, 0);
	struct abi_record *record = write_record(LEAST, 1);

	record->size = 0;
	assert_false(rings_rewind(&rings, false));
	record->size = LEAST;
	expect(0, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(short_of_a_lap, setup, teardown),
		cmocka_unit_test_setup_teardown(empty, setup, teardown),
		cmocka_unit_test_setup_teardown(many_laps, setup, teardown),
		cmocka_unit_test_setup_teardown(unpublished, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
