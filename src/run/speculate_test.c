/* SPDX-License-Identifier: Apache-2.0 */
/* Speculations in the consumer: content, its place, and freeing ids. */
#include "run/speculate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { NCPUS = 2, NSPEC = 3, SIZE = 4096, MOST = 256, RECORD = 32 };

static struct bpf_maps maps;
static struct specs specs;

static int setup(void **state)
{
	(void)state;
	maps = (struct bpf_maps){
		.ncpus = NCPUS,
		.nspec = NSPEC,
		.spec_size = SIZE,
		.max_record = MOST,
		.spec_element = sizeof(struct abi_ring) + SIZE + MOST,
	};
	maps.spec_rings = calloc(NCPUS * NSPEC, maps.spec_element);
	maps.specs = calloc(1,
			    sizeof(*maps.specs) + 4 * sizeof(struct abi_spec));
	specs_init(&specs, &maps, true);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	specs_free(&specs);
	free(maps.spec_rings);
	free(maps.specs);
	return 0;
}

static void put(uint32_t id, uint32_t cpu, uint64_t stamp, uint32_t size)
{
	struct abi_ring *ring = bpf_spec_ring(&maps, id, cpu);
	struct abi_record *record =
		(struct abi_record *)((uint8_t *)(ring + 1) +
				      (ring->head & (SIZE - 1)));

	assert_int_equal(record->size, 0);
	ring->head += RECORD;
	record->kind = RECORD_DATA;
	record->stamp = stamp;
	record->size = size;
}

static struct abi_commit retire(uint32_t id, uint64_t generation,
				enum abi_spec_state how)
{
	uint64_t word = generation << SPEC_STATE_BITS | how;

	bpf_spec(&maps, id)->word = word;
	maps.specs->busy++;
	return (struct abi_commit){ .id = id, .word = word };
}

static void expect_free(uint32_t id)
{
	assert_int_equal(bpf_spec(&maps, id)->word & 0xff, SPEC_FREE);
	assert_true(maps.specs->free[0] >> (id - 1) & 1);
	assert_int_equal(maps.specs->busy, 0);
	for (uint32_t cpu = 0; cpu < NCPUS; cpu++)
		assert_int_equal(bpf_spec_ring(&maps, id, cpu)->tail,
				 bpf_spec_ring(&maps, id, cpu)->head);
}

static void expect_stamps(struct spec_content *content, uint64_t a, uint64_t b,
			  uint64_t c)
{
	assert_non_null(content);
	assert_int_equal(content->nrecords, 3);
	assert_int_equal(content->records[0].record->stamp, a);
	assert_int_equal(content->records[1].record->stamp, b);
	assert_int_equal(content->records[2].record->stamp, c);
	spec_content_free(content);
}

/* The place comes first: content of all CPUs, by time. */
static void taken_at_its_place(void **state)
{
	(void)state;
	put(2, 0, 10, RECORD);
	put(2, 1, 5, RECORD);
	put(2, 0, 20, RECORD);
	struct abi_commit commit = retire(2, 7, SPEC_COMMITTING);

	expect_stamps(specs_take(&specs, &commit), 5, 10, 20);
	expect_free(2);
	assert_null(specs_take(&specs, &commit));
}

/* The cleaner comes first, and the id is used again before the place. */
static void taken_by_the_cleaner(void **state)
{
	(void)state;
	for (uint64_t i = 1; i <= 3; i++)
		put(1, 0, i, RECORD);
	struct abi_commit first = retire(1, 1, SPEC_COMMITTING);

	specs_clean(&specs);
	expect_free(1);
	for (uint64_t i = 4; i <= 6; i++)
		put(1, 1, i, RECORD);
	struct abi_commit second = retire(1, 2, SPEC_COMMITTING);

	expect_stamps(specs_take(&specs, &second), 4, 5, 6);
	expect_stamps(specs_take(&specs, &first), 1, 2, 3);
	assert_int_equal(specs.waiting_size, 0);
}

static void discarded(void **state)
{
	(void)state;
	put(3, 0, 1, RECORD);
	retire(3, 1, SPEC_DISCARDING);
	specs_clean(&specs);
	expect_free(3);
	assert_null(specs.waiting);
}

/* A program is still writing: the id stays busy until it is done. */
static void unpublished(void **state)
{
	(void)state;
	put(1, 0, 1, 0);
	struct abi_commit commit = retire(1, 1, SPEC_COMMITTING);

	specs_clean(&specs);
	assert_int_equal(bpf_spec(&maps, 1)->word, commit.word);
	((struct abi_record *)(bpf_spec_ring(&maps, 1, 0) + 1))->size = RECORD;
	specs_clean(&specs);
	expect_free(1);
	spec_content_free(specs_take(&specs, &commit));
}

/* Content whose place never comes does not accumulate. */
static void forgotten(void **state)
{
	const uint64_t rounds = 4 * NCPUS * NSPEC;

	(void)state;
	for (uint64_t i = 1; i <= rounds; i++) {
		for (unsigned n = 0; n < SIZE / RECORD; n++)
			put(1, 0, n, RECORD);
		retire(1, i, SPEC_COMMITTING);
		specs_clean(&specs);
	}
	assert_true(specs.waiting_size <= (uint64_t)SIZE * NCPUS * NSPEC);
	assert_int_equal(specs_lost(&specs),
			 (rounds - NCPUS * NSPEC) * (SIZE / RECORD));
	assert_int_equal(specs_lost(&specs), 0);
}

/* In a ring, or taken out of it and not printed yet. */
static void knows_the_oldest(void **state)
{
	(void)state;
	assert_int_equal(specs_oldest(&specs), UINT64_MAX);
	put(1, 0, 9, RECORD);
	put(2, 1, 5, RECORD);
	put(2, 1, 7, RECORD);
	assert_int_equal(specs_oldest(&specs), 5);
	struct abi_commit commit = retire(2, 1, SPEC_COMMITTING);

	specs_clean(&specs);
	assert_int_equal(specs_oldest(&specs), 5);
	spec_content_free(specs_take(&specs, &commit));
	assert_int_equal(specs_oldest(&specs), 9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(taken_at_its_place, setup,
						teardown),
		cmocka_unit_test_setup_teardown(taken_by_the_cleaner, setup,
						teardown),
		cmocka_unit_test_setup_teardown(discarded, setup, teardown),
		cmocka_unit_test_setup_teardown(unpublished, setup, teardown),
		cmocka_unit_test_setup_teardown(forgotten, setup, teardown),
		cmocka_unit_test_setup_teardown(knows_the_oldest, setup,
						teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
