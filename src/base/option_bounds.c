/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How large and how small the values of options may be.
 *
 * What is outside is refused when the option is set, with the range in the
 * message: a run should not fail in the middle, or wait for memory that no
 * machine has.  Options that are not listed have the range of their kind;
 * option.c describes it.
 *
 * Two sorts of options have a wide range on purpose.  Sizes of buffers are
 * lowered to what the machine has when tracing starts, and that is reported
 * (bufresize).  Rates and numbers of frames are limited to what is possible, as
 * expected by scripts that ask for "all" with a large number.
 */
#include "base/option.h"

#define MB ((int64_t)1 << 20)
#define MS ((int64_t)1000000)

static const struct bounds {
	enum option_id id;
	bool or_zero; /* 0 has a meaning of its own */
	int64_t least, most;
	const char *expects;
} bounds[] = {
	/* a count: the program's minimum is known when it is enabled */
	{ OPTION_AGGSIZE, false, 8, OPTION_SIZE_MOST,
	  "a size from 8 to 64t: 512, 64k, 4m or 1g" },
	{ OPTION_BUFSIZE, false, 1, OPTION_SIZE_MOST,
	  "a size from 1 to 64t: 512, 64k, 4m or 1g" },
	{ OPTION_BUFLIMIT, false, 0, 100, "a percentage from 0 to 100" },
	{ OPTION_DEADMAN, true, 100 * MS, OPTION_RATE_MOST,
	  "0, or a time from 100ms to 365d" },
	{ OPTION_DYNVARSIZE, false, 8, OPTION_SIZE_MOST,
	  "a size from 8 to 64t: 512, 64k, 4m or 1g" },
	/* what bpf_loop() takes */
	{ OPTION_LOOPLIMIT, false, 1, 1 << 23, "a number from 1 to 8388608" },
	{ OPTION_NSPEC, false, 0, OPTION_NSPEC_MOST,
	  "a number from 0 to 1024" },
	/* ir/lower_scratch.c: what a slot can hold */
	{ OPTION_SCRATCHSIZE, false, 0, MB, "a size from 0 to 1m" },
	{ OPTION_STACKINDENT, false, 0, 1000, "a number from 0 to 1000" },
	/* a character and its NUL */
	{ OPTION_STRSIZE, false, 2, MB, "a size from 2 to 1m" },
	/* bpf/unwind.h */
	{ OPTION_UNWINDSIZE, false, 0, 256 * MB, "a size from 0 to 256m" },
};

static const struct bounds *bounds_of(enum option_id id)
{
	for (size_t i = 0; i < sizeof(bounds) / sizeof(bounds[0]); i++)
		if (bounds[i].id == id)
			return &bounds[i];
	return NULL;
}

bool option_is_within(enum option_id id, int64_t number)
{
	const struct bounds *of = bounds_of(id);

	return !of || (number >= of->least && number <= of->most) ||
	       (of->or_zero && !number);
}

const char *option_range(enum option_id id)
{
	const struct bounds *of = bounds_of(id);

	return of ? of->expects : NULL;
}

/* Out of range is the default; the rest is rounded up. */
uint64_t option_print_limit(const struct options *options)
{
	enum { LEAST = 1, MOST = 65536, USUAL = 8192 };
	int64_t limit = option_number(options, OPTION_PRINTSIZE);

	if (limit < LEAST || limit > MOST)
		limit = USUAL;
	return ((uint64_t)limit + 7) / 8 * 8;
}
