/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Types of a program's functions, as the kernel wants them when it has
 * callbacks: which instruction each starts at, and whether it is static.
 */

#include "bpf/bpf.h"

/*
 * Loads type information for code->functions and fills `info` (as many).
 * Descriptor or negative errno.
 */
int func_info_load(const struct bpf_code *code, struct bpf_func_info *info);
