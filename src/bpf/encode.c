/* SPDX-License-Identifier: Apache-2.0 */
#include "bpf/encode.h"

#include <assert.h>

static uint8_t size_code(int size)
{
	switch (size) {
	case 1:
		return BPF_B;
	case 2:
		return BPF_H;
	case 4:
		return BPF_W;
	default:
		assert(size == 8);
		return BPF_DW;
	}
}

static struct bpf_insn make(int code, int dst, int src, int16_t offset,
			    int32_t imm)
{
	return (struct bpf_insn){
		.code = (uint8_t)code,
		.dst_reg = (uint8_t)(dst & 15),
		.src_reg = (uint8_t)(src & 15),
		.off = offset,
		.imm = imm,
	};
}

struct bpf_insn insn_alu(int op, int dst, int src)
{
	return make(BPF_ALU64 | op | BPF_X, dst, src, 0, 0);
}

struct bpf_insn insn_alu_imm(int op, int dst, int32_t imm)
{
	return make(BPF_ALU64 | op | BPF_K, dst, 0, 0, imm);
}

struct bpf_insn insn_mov(int dst, int src)
{
	return insn_alu(BPF_MOV, dst, src);
}

struct bpf_insn insn_mov_imm(int dst, int32_t imm)
{
	return insn_alu_imm(BPF_MOV, dst, imm);
}

struct bpf_insn insn_mov32(int dst, int src)
{
	return make(BPF_ALU | BPF_MOV | BPF_X, dst, src, 0, 0);
}

struct bpf_insn insn_neg(int dst)
{
	return insn_alu_imm(BPF_NEG, dst, 0);
}

struct bpf_insn insn_big_endian(int dst, int size)
{
	return make(BPF_ALU | BPF_END | BPF_TO_BE, dst, 0, 0, size * 8);
}

struct bpf_insn insn_load(int size, int dst, int base, int16_t offset)
{
	return make(BPF_LDX | BPF_MEM | size_code(size), dst, base, offset, 0);
}

struct bpf_insn insn_store(int size, int base, int16_t offset, int src)
{
	return make(BPF_STX | BPF_MEM | size_code(size), base, src, offset, 0);
}

struct bpf_insn insn_store_imm(int size, int base, int16_t offset, int32_t imm)
{
	return make(BPF_ST | BPF_MEM | size_code(size), base, 0, offset, imm);
}

struct bpf_insn insn_atomic(int size, int op, int base, int16_t offset, int src)
{
	assert(size == 4 || size == 8);
	return make(BPF_STX | BPF_ATOMIC | size_code(size), base, src, offset,
		    op);
}

struct bpf_insn insn_jump(int op, int dst, int src, int16_t distance)
{
	return make(BPF_JMP | op | BPF_X, dst, src, distance, 0);
}

struct bpf_insn insn_jump_imm(int op, int dst, int32_t imm, int16_t distance)
{
	return make(BPF_JMP | op | BPF_K, dst, 0, distance, imm);
}

struct bpf_insn insn_jump32_imm(int op, int dst, int32_t imm, int16_t distance)
{
	return make(BPF_JMP32 | op | BPF_K, dst, 0, distance, imm);
}

struct bpf_insn insn_goto(int16_t distance)
{
	return make(BPF_JMP | BPF_JA, 0, 0, distance, 0);
}

struct bpf_insn insn_call(int helper)
{
	return make(BPF_JMP | BPF_CALL, 0, 0, 0, helper);
}

struct bpf_insn insn_call_function(int32_t distance)
{
	return (struct bpf_insn){
		.code = BPF_JMP | BPF_CALL,
		.src_reg = BPF_PSEUDO_CALL,
		.imm = distance,
	};
}

struct bpf_insn insn_call_kernel(uint32_t btf_id)
{
	return (struct bpf_insn){
		.code = BPF_JMP | BPF_CALL,
		.src_reg = BPF_PSEUDO_KFUNC_CALL,
		.imm = (int32_t)btf_id,
	};
}

struct bpf_insn insn_exit(void)
{
	return make(BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
}

static void wide(struct bpf_insn pair[2], int dst, int kind, uint32_t low,
		 uint32_t high)
{
	pair[0] = make(BPF_LD | BPF_IMM | BPF_DW, dst, kind, 0, (int32_t)low);
	pair[1] = make(0, 0, 0, 0, (int32_t)high);
}

void insn_const64(struct bpf_insn pair[2], int dst, uint64_t value)
{
	wide(pair, dst, 0, (uint32_t)value, (uint32_t)(value >> 32));
}

void insn_map(struct bpf_insn pair[2], int dst, int fd)
{
	wide(pair, dst, BPF_PSEUDO_MAP_FD, (uint32_t)fd, 0);
}

void insn_map_value(struct bpf_insn pair[2], int dst, int fd, uint32_t offset)
{
	wide(pair, dst, BPF_PSEUDO_MAP_VALUE, (uint32_t)fd, offset);
}

void insn_function(struct bpf_insn pair[2], int dst)
{
	wide(pair, dst, BPF_PSEUDO_FUNC, 0, 0);
}

bool insn_is_wide(const struct bpf_insn *insn)
{
	return insn->code == (BPF_LD | BPF_IMM | BPF_DW);
}
