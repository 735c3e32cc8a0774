/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* Hashes of names and stacks, and comparing them: a profile has millions. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t mix(uint64_t a, uint64_t b)
{
	__uint128_t product = (__uint128_t)(a ^ 0x9e3779b97f4a7c15) *
			      (b ^ 0xd1b54a32d192ed03);

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static inline uint64_t load64(const char *at)
{
	uint64_t word;

	memcpy(&word, at, sizeof(word));
	return word;
}

static inline uint32_t load32(const char *at)
{
	uint32_t word;

	memcpy(&word, at, sizeof(word));
	return word;
}

/* The last words overlap, so that no byte is taken alone. */
static inline uint64_t hash_bytes(uint64_t hash, const char *bytes, size_t n)
{
	hash = mix(hash, n);
	if (n >= 8) {
		const char *last = bytes + n - 8;

		for (; bytes < last; bytes += 8)
			hash = mix(hash, load64(bytes));
		return mix(hash, load64(last));
	}
	if (n >= 4)
		return mix(hash, load32(bytes) | (uint64_t)load32(bytes + n - 4)
							 << 32);
	if (!n)
		return hash;
	return mix(hash, (uint8_t)bytes[0] |
				 (uint64_t)(uint8_t)bytes[n / 2] << 8 |
				 (uint64_t)(uint8_t)bytes[n - 1] << 16);
}

/* memcmp() for short names. */
static inline bool bytes_equal(const char *a, const char *b, size_t n)
{
	if (n >= 8) {
		const char *last = a + n - 8;

		if (load64(last) != load64(b + n - 8))
			return false;
		for (; a < last; a += 8, b += 8)
			if (load64(a) != load64(b))
				return false;
		return true;
	}
	if (n >= 4)
		return load32(a) == load32(b) &&
		       load32(a + n - 4) == load32(b + n - 4);
	for (size_t i = 0; i < n; i++)
		if (a[i] != b[i])
			return false;
	return true;
}
