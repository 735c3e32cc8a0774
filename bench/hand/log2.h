/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
#pragma once

/* The position of the highest bit. */
static __always_inline __u32 log2_of(__u64 value)
{
	__u32 result = 0;

	for (int bits = 32; bits; bits /= 2)
		if (value >> bits) {
			value >>= bits;
			result += (__u32)bits;
		}
	return result;
}
