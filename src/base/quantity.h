/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Numbers as users write them: 64k, 10ms, 100hz, on.
 *
 * Options and parameters of scripts are read by the same functions, so that
 * what one takes the other takes as well.  They return false, and leave
 * `number` undefined, if the text is anything else or out of range.
 */

#include <stdbool.h>
#include <stdint.h>

/* The largest size, and the longest time: 64t and 365d. */
#define QUANTITY_SIZE_MOST ((int64_t)64 << 40)
#define QUANTITY_TIME_MOST (365 * 86400 * (int64_t)1000000000)

/* Digits in base 8, 10 or 16 at the start of the text; no sign. */
bool quantity_digits(const char *text, uint64_t *value, const char **end);
/* Bytes: 512, 64k, 4m, 1g, 1t. */
bool quantity_size(const char *text, int64_t *number);
/* Nanoseconds: 10ms, 1s, 5min; without a unit they are nanoseconds. */
bool quantity_time(const char *text, int64_t *number);
/* The same, and 100hz, which is the time between two. */
bool quantity_rate(const char *text, int64_t *number);
/* 0 or 1: yes, no, on, off, true, false ... */
bool quantity_switch(const char *text, int64_t *number);
