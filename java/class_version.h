/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Which bytes a class has that others redefine while it is traced.
 *
 * The virtual machine keeps the bytes that the first agent which changes a class was
 * given.  Until OpenJDK 21 it gives them again at the next transformation even if the
 * class has been redefined meanwhile, which would bring back what is no longer wanted.
 * So what others define is remembered, and is what the class is from then on.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct class_version {
	uint64_t first; /* hash of the first bytes */
	bool is_known;
	uint8_t *latest; /* of a redefinition, or NULL */
	size_t size;
};

/*
 * The virtual machine gives these bytes, in a transformation of ours or in one of
 * others.  What the class really is, which may be `bytes`; valid until the next call.
 */
const uint8_t *version_given(struct class_version *version,
			     const uint8_t *bytes, size_t size, bool is_ours,
			     size_t *real_size);
void version_free(struct class_version *version);
