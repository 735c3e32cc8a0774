/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records in the kernel: what the ring holds is what the interpreter wrote,
 * except for the stamp; a full ring counts; records run into the slack.
 */
#include "bpf/test_kernel.h"

static struct abi_ring *this_ring(struct bench *t)
{
	for (uint32_t cpu = 0; cpu < t->maps.ncpus; cpu++)
		if (bpf_ring(&t->maps, cpu)->head)
			return bpf_ring(&t->maps, cpu);
	return bpf_ring(&t->maps, 0);
}

static const uint8_t *ring_data(const struct abi_ring *ring)
{
	return (const uint8_t *)(ring + 1);
}

/* Without its stamp, which no two runs share. */
static void assert_record(const void *kernel, const void *interp)
{
	const struct abi_record *k = kernel, *i = interp;

	assert_int_equal(k->size, i->size);
	assert_int_equal(k->kind, i->kind);
	assert_int_equal(k->clause, i->clause);
	assert_int_equal(k->probe, i->probe);
	assert_memory_equal(k + 1, i + 1, k->size - sizeof(*k));
	assert_true(k->stamp != 0);
}

static struct ir_insn *begin(struct bench *t, uint32_t size, uint32_t clause,
			     ir_reg probe, struct ir_block *full)
{
	struct ir_insn *insn = ir_emit(&t->b, IR_RECORD_BEGIN);

	insn->imm = size;
	insn->imm2 = clause;
	insn->a = probe;
	insn->target = full;
	return insn;
}

static void test_record(void)
{
	struct bench t;

	bench_start(&t);
	struct ir_block *full = ir_block_new(&t.b, "full");
	ir_reg x = input(&t, 0, 0x1122334455667788);

	begin(&t, 72, 3, ir_const(&t.b, 42), full);
	ir_store(&t.b, ir_mem_of(IR_RECORD, 24), x, 8);
	ir_store(&t.b, ir_mem_of(IR_RECORD, 32), x, 2);
	ir_string_copy(&t.b, ir_mem_of(IR_RECORD, 40), 32,
		       ir_rodata(t.b.program, "hello", 6, 8), 6);
	ir_emit(&t.b, IR_RECORD_END);
	begin(&t, 40000, 4, ir_const(&t.b, 43), full);
	ir_store(&t.b, ir_mem_of(IR_RECORD, 39992), x, 8);
	ir_emit(&t.b, IR_RECORD_END);
	ir_enter(&t.b, full);
	bench_run(&t);
	const struct abi_ring *ring = this_ring(&t);

	assert_int_equal(ring->head, 72 + 40000);
	assert_record(ring_data(ring), t.world.records.p);
	assert_record(ring_data(ring) + 72, t.world.records.p + 72);

	/* 25392 bytes are left: the next short one fits, the long one not */
	assert_int_equal(bpf_run_once(t.loaded), 0);
	if (this_ring(&t) == ring) {
		assert_int_equal(ring->drops, 1);
		assert_int_equal(ring->head, 2 * 72 + 40000);
	}
	bench_end(&t);
}

/* The last record starts before the end of the data and runs over it. */
static void test_slack(void)
{
	struct bench t;

	bench_start(&t);
	struct ir_block *full = ir_block_new(&t.b, "full");
	ir_reg x = input(&t, 0, 7);

	t.ring_size = 64;
	begin(&t, 48, 1, x, full);
	ir_store(&t.b, ir_mem_of(IR_RECORD, 40), x, 8);
	ir_emit(&t.b, IR_RECORD_END);
	ir_enter(&t.b, full);
	bench_load(&t);
	for (uint64_t i = 0; i < 100; i++) {
		assert_int_equal(bpf_run_once(t.loaded), 0);
		uint64_t total = 0;

		for (uint32_t cpu = 0; cpu < t.maps.ncpus; cpu++) {
			struct abi_ring *ring = bpf_ring(&t.maps, cpu);
			uint8_t *at = (uint8_t *)(ring + 1) + (ring->tail & 63);

			total += ring->head;
			if (ring->head == ring->tail)
				continue;
			assert_int_equal(((struct abi_record *)at)->size, 48);
			assert_int_equal(((struct abi_record *)at)->kind,
					 RECORD_DATA);
			assert_int_equal(*(uint64_t *)(at + 40), 7);
			memset(at, 0, 48);
			ring->tail += 48;
		}
		assert_int_equal(total, 48 * (i + 1));
	}
	bench_end(&t);
}

static void test_fault(void)
{
	struct bench t;

	bench_start(&t);
	struct ir_block *full = ir_block_new(&t.b, "full");
	ir_reg probe = input(&t, 0, 17), bad = input(&t, 8, 1);

	begin(&t, 40, 2, probe, full);
	ir_fault_if(&t.b, bad, FAULT_DIVZERO, probe);
	ir_emit(&t.b, IR_RECORD_END);
	ir_return(&t.b);
	ir_enter(&t.b, t.fault);
	ir_emit(&t.b, IR_RECORD_DROP);
	struct ir_insn *report = ir_emit(&t.b, IR_FAULT_RECORD);

	report->a = probe;
	report->imm2 = 2;
	ir_store(&t.b, global_at(512), ir_query(&t.b, IR_QUERY_FAULT_PROBE), 8);
	ir_enter(&t.b, full);
	bench_run(&t);
	const uint8_t *data = ring_data(this_ring(&t));
	const struct abi_fault *fault = (const struct abi_fault *)(data + 40);

	assert_int_equal(((const struct abi_record *)data)->kind, RECORD_VOID);
	assert_int_equal(((const struct abi_record *)data)->size, 40);
	assert_int_equal(fault->header.size, sizeof(*fault));
	assert_int_equal(fault->header.kind, RECORD_FAULT);
	assert_int_equal(fault->header.clause, 2);
	assert_int_equal(fault->header.probe, 17);
	assert_int_equal(fault->code, FAULT_DIVZERO);
	assert_int_equal(fault->program, 7);
	assert_int_equal(fault->value, 17);
	bench_end(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BENCH_TEST(test_record),
		BENCH_TEST(test_slack),
		BENCH_TEST(test_fault),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
