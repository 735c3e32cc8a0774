/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Constructors of BPF instructions.  Nothing else writes encodings: a template
 * says insn_load(8, R0, R1, 16), never a struct with numbers.  `size` is in
 * bytes (1, 2, 4, 8); ALU and jump operations are the BPF_ADD, BPF_JEQ ... of
 * linux/bpf.h.
 *
 * Only what a 6.1 kernel knows is here: no signed division, no sign-extending
 * loads or moves, no 32-bit jump distances.
 */

#include <linux/bpf.h>
#include <stdbool.h>
#include <stdint.h>

enum { R0, R1, R2, R3, R4, R5, R6, R7, R8, R9, R10 };

/* 64-bit arithmetic, and moves */
struct bpf_insn insn_alu(int op, int dst, int src);
struct bpf_insn insn_alu_imm(int op, int dst, int32_t imm);
struct bpf_insn insn_mov(int dst, int src);
struct bpf_insn insn_mov_imm(int dst, int32_t imm);
struct bpf_insn insn_mov32(int dst, int src); /* upper half becomes 0 */
struct bpf_insn insn_neg(int dst);
/* The low `size` bytes (2, 4, 8) from memory order to comparable order. */
struct bpf_insn insn_big_endian(int dst, int size);

struct bpf_insn insn_load(int size, int dst, int base, int16_t offset);
struct bpf_insn insn_store(int size, int base, int16_t offset, int src);
struct bpf_insn insn_store_imm(int size, int base, int16_t offset, int32_t imm);
/* op: BPF_ADD, BPF_OR ..., with BPF_FETCH; BPF_XCHG, BPF_CMPXCHG */
struct bpf_insn insn_atomic(int size, int op, int base, int16_t offset,
			    int src);

struct bpf_insn insn_jump(int op, int dst, int src, int16_t distance);
struct bpf_insn insn_jump_imm(int op, int dst, int32_t imm, int16_t distance);
struct bpf_insn insn_jump32_imm(int op, int dst, int32_t imm, int16_t distance);
struct bpf_insn insn_goto(int16_t distance);
struct bpf_insn insn_call(int helper);
/* a subprogram, by distance */
struct bpf_insn insn_call_function(int32_t distance);
/* a function of the kernel, by its number in BTF */
struct bpf_insn insn_call_kernel(uint32_t btf_id);
struct bpf_insn insn_exit(void);

/* Two slots: dst = value; dst = map; dst = address within a map's value */
void insn_const64(struct bpf_insn pair[2], int dst, uint64_t value);
void insn_map(struct bpf_insn pair[2], int dst, int fd);
void insn_map_value(struct bpf_insn pair[2], int dst, int fd, uint32_t offset);
/* dst = a function of this program; its distance is filled in later */
void insn_function(struct bpf_insn pair[2], int dst);

/* Does the instruction take two slots? */
bool insn_is_wide(const struct bpf_insn *insn);
/* Does it jump, and how is the distance kept? */

/* Can `value` be an immediate (32 bits, sign-extended by the machine)? */
static inline bool fits_imm(int64_t value)
{
	return value >= INT32_MIN && value <= INT32_MAX;
}
