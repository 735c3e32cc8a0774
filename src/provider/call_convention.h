/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Where a C or C++ function finds its parameters when it is entered, by the
 * convention that all compilers for this machine keep.
 */

#include "arch/arch.h"
#include "btf/type.h"

struct arch_passed call_parameter(struct types *types, struct type *function,
				  uint32_t n);
struct arch_passed call_result(struct types *types, struct type *function);
