/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "view/profile.h"

static uint32_t frame(struct profile *profile, const char *name)
{
	return profile_frame(profile, name, strlen(name), NULL, 0,
			     PROFILE_USER);
}

/* A stack, each letter a frame. */
static void add(struct profile *profile, const char *letters, int64_t weight,
		bool is_before)
{
	uint32_t frames[64], n = 0;

	for (; letters[n]; n++)
		frames[n] = profile_frame(profile, letters + n, 1, NULL, 0,
					  PROFILE_USER);
	(is_before ? profile_add_before : profile_add)(profile, frames, n,
						       weight);
}

/* "a 3/5 b 2/2": the tree in walking order, with self and total. */
static void show(struct profile *profile, struct text *out)
{
	struct profile_walk walk = { .profile = profile };

	profile_settle(profile);
	text_clear(out);
	while (profile_next(&walk)) {
		const struct profile_node *node = &profile->nodes[walk.node];

		text_printf(out, "%u%s %lld/%lld ", walk.depth,
			    profile_frame_of(profile, walk.node)->name,
			    (long long)node->self, (long long)node->total);
	}
}

static void stacks_merge(void **state)
{
	struct profile *profile = profile_new();
	struct text out = { 0 };

	(void)state;
	show(profile, &out);
	assert_string_equal(text_str(&out), "");
	add(profile, "mcb", 2, false);
	add(profile, "mca", 3, false);
	add(profile, "mc", 4, false);
	add(profile, "ma", 5, false);
	add(profile, "mcb", 1, false);
	add(profile, "b", 7, false);
	add(profile, "", 8, false);
	show(profile, &out);
	assert_string_equal(text_str(&out),
			    "1b 7/7 1m 0/15 2a 5/5 2c 4/10 3a 3/3 3b 3/3 ");
	assert_int_equal(profile->nodes[0].total, 30);
	assert_int_equal(profile->nodes[0].self, 8);
	assert_int_equal(profile->depth, 3);
	add(profile, "mcaz", 1, false);
	show(profile, &out);
	assert_string_equal(
		text_str(&out),
		"1b 7/7 1m 0/16 2a 5/5 2c 4/11 3a 3/4 4z 1/1 3b 3/3 ");
	text_free(&out);
	profile_free(profile);
}

static void frames_are_the_same_in_all_three(void **state)
{
	struct profile *profile = profile_new();
	uint32_t plain = frame(profile, "read");
	uint32_t libc = profile_frame(profile, "read", 4, "libc", 4,
				      PROFILE_USER);
	uint32_t kernel = profile_frame(profile, "read", 4, "libc", 4,
					PROFILE_KERNEL);

	(void)state;
	assert_int_not_equal(plain, libc);
	assert_int_not_equal(libc, kernel);
	assert_int_equal(plain, frame(profile, "read"));
	assert_int_equal(libc, profile_frame(profile, "read!", 4, "libcx", 4,
					     PROFILE_USER));
	assert_string_equal(profile->frames[libc].object, "libc");
	assert_string_equal(profile->frames[plain].object, "");
	profile_free(profile);
}

static void sums_and_depths_are_bounded(void **state)
{
	struct profile *profile = profile_new();
	uint32_t *deep = calloc(PROFILE_DEPTH + 5, sizeof(*deep));
	uint32_t f = frame(profile, "f");

	(void)state;
	for (int i = 0; i < PROFILE_DEPTH + 5; i++)
		deep[i] = f;
	profile_add(profile, deep, PROFILE_DEPTH + 5, 1);
	profile_add(profile, deep, PROFILE_DEPTH, 1);
	assert_int_equal(profile->ncut, 1);
	profile_add(profile, deep, 1, -1);
	profile_add(profile, deep, 1, INT64_MAX);
	profile_add(profile, deep, 1, PROFILE_MOST);
	assert_int_equal(profile->nignored, 3);
	profile_add(profile, deep, 1, PROFILE_MOST - 2);
	assert_int_equal(profile->nignored, 3);
	profile_settle(profile);
	assert_true(profile->nodes[0].total == PROFILE_MOST);
	assert_int_equal(profile->depth, PROFILE_DEPTH);
	free(deep);
	profile_free(profile);
}

static void two_runs_share_a_tree(void **state)
{
	struct profile *before = profile_new(), *after = profile_new();
	struct text out = { 0 };

	(void)state;
	add(before, "ma", 10, false);
	add(before, "mb", 4, false);
	add(after, "ma", 6, false);
	add(after, "mc", 6, false);
	profile_settle(before);
	profile_compare(after, before, 0.5);
	show(after, &out);
	assert_string_equal(text_str(&out), "1m 0/12 2a 6/6 2b 0/0 2c 6/6 ");

	struct profile_walk walk = { .profile = after };

	profile_next(&walk);
	assert_int_equal(after->before[walk.node].total, 7);
	profile_next(&walk);
	assert_int_equal(after->before[walk.node].self, 5);
	profile_skip(&walk);
	assert_int_equal(after->before[walk.node].self, 2);
	text_free(&out);
	profile_free(before);
	profile_free(after);
}

/* Weights of the run before move with the nodes. */
static void many_of_two_runs(void **state)
{
	struct profile *profile = profile_new();

	(void)state;
	for (int i = 0; i < 5000; i++) {
		char name[16];
		int n = snprintf(name, sizeof(name), "f%d", i);
		uint32_t f = profile_frame(profile, name, (size_t)n, NULL, 0,
					   PROFILE_USER);

		(i % 3 ? profile_add : profile_add_before)(profile, &f, 1, 2);
	}
	profile_settle(profile);
	assert_int_equal(profile->nodes[0].total, 6666);
	assert_int_equal(profile->before[0].total, 3334);
	profile_free(profile);
}

/* The tree is the same as one that is built in the simplest way. */
static void many_stacks(void **state)
{
	struct profile *profile = profile_new();
	uint32_t names[26], seed = 1;
	int64_t want[26] = { 0 }, sum = 0;

	(void)state;
	for (int i = 0; i < 26; i++) {
		char name[] = { (char)('a' + i), '\0' };

		names[i] = frame(profile, name);
	}
	for (int i = 0; i < 200000; i++) {
		uint32_t stack[12], depth;

		seed = seed * 1664525 + 1013904223;
		depth = 1 + (seed >> 24) % 12;
		for (uint32_t d = 0; d < depth; d++) {
			seed = seed * 1664525 + 1013904223;
			stack[d] = names[(seed >> 28) % (d < 3 ? 3 : 16)];
		}
		profile_add(profile, stack, depth, i % 7);
		want[stack[0]] += i % 7;
		sum += i % 7;
	}
	profile_settle(profile);
	assert_int_equal(profile->nodes[0].total, sum);

	const struct profile_node *nodes = profile->nodes;

	for (uint32_t at = nodes[0].first_child; at; at = nodes[at].next)
		assert_int_equal(nodes[at].total, want[nodes[at].frame]);
	/* no child twice, sorted, totals add up */
	for (uint32_t i = 0; i < profile->nnodes; i++) {
		int64_t total = nodes[i].self;
		const char *last = "";

		for (uint32_t at = nodes[i].first_child; at;
		     at = nodes[at].next) {
			const char *name = profile_frame_of(profile, at)->name;

			assert_true(strcmp(last, name) < 0);
			assert_true(at > i);
			assert_int_equal(nodes[at].parent, i);
			last = name;
			total += nodes[at].total;
		}
		assert_int_equal(nodes[i].total, total);
	}
	profile_free(profile);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stacks_merge),
		cmocka_unit_test(frames_are_the_same_in_all_three),
		cmocka_unit_test(sums_and_depths_are_bounded),
		cmocka_unit_test(two_runs_share_a_tree),
		cmocka_unit_test(many_of_two_runs),
		cmocka_unit_test(many_stacks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
