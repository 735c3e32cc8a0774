/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hand-made ring records become facts: the order in which the sink is called,
 * which actions of a record are reported, and how -F treats firings that leave
 * several records.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "run/internal.h"

enum { NCPUS = 2, SIZE = 4096, MOST = 256, RECORD = 48, NPROBES = 5 };
enum { GUARD = sizeof(struct abi_record) + 8 };

static const char *const names[NPROBES][2] = {
	{ "", "BEGIN" }, { "read", "entry" }, { "read", "return" },
	{ "vfs_read", "entry" }, { "vfs_read", "return" },
};

/* A sink that keeps what it receives. */
struct told {
	struct sink sink;
	struct text text;
	bool ends; /* the run: what the next action says */
	int error; /* of flushes */
};

struct fixture {
	struct options options;
	struct session *session;
	struct told told;
	struct probe probes[NPROBES];
	struct enabling enablings[NPROBES];
	struct enabling *by_id[1];
	struct schema_clause clauses[4], *by_number[4];
	struct schema_action actions[4][2];
	struct schema_field field;
	uint64_t stamp;
};

static bool tell_record(struct sink *sink, const struct fact_record *record)
{
	static const char *const flows[] = { "", "->", "<-" };

	text_printf(&((struct told *)sink)->text, "%u%s%s:%s.%u(", record->cpu,
		    flows[record->flow], record->probe->function,
		    record->probe->name, record->clause->clause);
	return true;
}

static bool tell_action(struct sink *sink, const struct fact_record *record,
			const struct fact_action *action)
{
	struct told *told = (struct told *)sink;

	(void)record;
	text_puts(&told->text, action->action->name);
	if (action->action->nfields)
		text_printf(&told->text, "=%lld",
			    (long long)fact_integer(&action->values[0]));
	text_putc(&told->text, ';');
	return !told->ends;
}

static bool tell_done(struct sink *sink, const struct fact_record *record)
{
	(void)record;
	text_puts(&((struct told *)sink)->text, ") ");
	return true;
}

static bool tell_fault(struct sink *sink, const struct fact_fault *fault)
{
	text_printf(&((struct told *)sink)->text, "fault %s of %s:%s ",
		    fault->what, fault->probe->function, fault->probe->name);
	return true;
}

static int flush(struct sink *sink)
{
	return ((struct told *)sink)->error;
}

static const struct sink_class told_class = {
	.name = "told", .record = tell_record, .action = tell_action,
	.done = tell_done, .fault = tell_fault, .flush = flush,
};

/* exit(): carried out after the sink has seen it. */
static void do_control(struct consumer *consumer,
		       const struct fact_action *action)
{
	struct told *told = (struct told *)consumer->sink;

	assert_non_null(consumer->record);
	text_printf(&told->text, "does %s;", action->action->name);
	consumer->exit_requested = true;
}

static void add_probe(struct fixture *f, uint32_t i)
{
	struct probe *probe = &f->probes[i];
	struct enabling *enabling = &f->enablings[i];

	probe->id = i + 1;
	enabling->probe = probe;
	enabling->names = (struct fact_probe){
		.id = i + 1,
		.provider = "t",
		.module = "",
		.function = names[i][0],
		.name = names[i][1],
	};
	enabling->next = f->by_id[0];
	f->by_id[0] = enabling;
}

static int setup(void **state)
{
	static struct fixture f;
	struct session *session = calloc(1, sizeof(*session));

	f = (struct fixture){ .session = session };
	options_init(&f.options);
	f.told.sink.class = &told_class;
	for (uint32_t i = 0; i < NPROBES; i++)
		add_probe(&f, i);
	f.field = (struct schema_field){
		.kind = FACT_INTEGER,
		.is_signed = true,
		.size = 4,
		.offset = sizeof(struct abi_record),
	};
	for (uint32_t i = 0; i < 4; i++) {
		f.actions[i][0] = (struct schema_action){
			.name = "trace",
			.rule = RULE_VALUE,
			.fields = &f.field,
			.nfields = 1,
		};
		f.clauses[i] = (struct schema_clause){
			.clause = i,
			.size = RECORD,
			.records = true,
			.actions = f.actions[i],
		};
		f.by_number[i] = &f.clauses[i];
	}
	session->arena = arena_new();
	session->config.options = &f.options;
	session->by_id = f.by_id;
	session->nby_id = 1;
	session->maps = (struct bpf_maps){
		.ncpus = NCPUS,
		.ring_size = SIZE,
		.max_record = MOST,
		.ring_element = sizeof(struct abi_ring) + SIZE + MOST,
		.rings = calloc(NCPUS, sizeof(struct abi_ring) + SIZE + MOST),
	};
	rings_init(&session->rings, &session->maps, true);
	session->lowering.schema = (struct schema){
		.clauses = f.by_number,
		.nclauses = 4,
	};
	session->consumer.sink = &f.told.sink;
	session->consumer.options = &f.options;
	session->consumer.aggs = agg_store_new(&session->lowering.schema,
					       &session->maps, &f.options,
					       &(struct agg_names){ 0 });
	session->last = calloc(NCPUS, sizeof(*session->last));
	*state = &f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;
	struct session *session = f->session;

	text_free(&f->told.text);
	agg_store_free(session->consumer.aggs);
	rings_free(&session->rings);
	free(session->maps.rings);
	free(session->last);
	free(session->values);
	arena_free(session->arena);
	free(session);
	options_free(&f->options);
	return 0;
}

static struct abi_record *put(struct fixture *f, uint32_t cpu, uint32_t probe,
			      uint32_t clause, int32_t value)
{
	struct abi_ring *ring = bpf_ring(&f->session->maps, cpu);
	struct abi_record *record =
		(struct abi_record *)((uint8_t *)(ring + 1) + ring->head);

	*record = (struct abi_record){
		.size = RECORD,
		.kind = RECORD_DATA,
		.clause = clause,
		.probe = probe + 1,
		.stamp = ++f->stamp,
	};
	memcpy(record + 1, &value, sizeof(value));
	ring->head += RECORD;
	return record;
}

static void expect(struct fixture *f, int result, const char *expected)
{
	assert_int_equal(session_consume(f->session, UINT64_MAX), result);
	assert_string_equal(text_str(&f->told.text), expected);
	text_clear(&f->told.text);
}

/* In order of time, whatever their CPU; each with its actions, then done. */
static void test_order(void **state)
{
	struct fixture *f = *state;

	put(f, 1, 0, 0, -7);
	put(f, 0, 1, 1, 8);
	put(f, 1, 2, 2, 9);
	expect(f, 0,
	       "1:BEGIN.0(trace=-7;) 0read:entry.1(trace=8;) "
	       "1read:return.2(trace=9;) ");
	expect(f, 0, "");
}

/* Actions under if, and those with nothing to report. */
static void test_guard(void **state)
{
	struct fixture *f = *state;

	f->actions[0][0].guard = GUARD;
	f->actions[1][0].rule = RULE_ABSENT;
	put(f, 0, 0, 0, 1);
	((uint8_t *)put(f, 0, 0, 0, 2))[GUARD] = 1;
	put(f, 0, 0, 1, 3);
	expect(f, 0, "0:BEGIN.0() 0:BEGIN.0(trace=2;) 0:BEGIN.1() ");
}

static void test_control(void **state)
{
	struct fixture *f = *state;

	f->actions[0][0].next = &f->actions[0][1];
	f->actions[0][1] = (struct schema_action){
		.name = "exit",
		.rule = RULE_SILENT,
		.control = do_control,
	};
	put(f, 0, 0, 0, 1);
	expect(f, 0, "0:BEGIN.0(trace=1;exit;does exit;) ");
	assert_true(f->session->consumer.exit_requested);
	assert_null(f->session->consumer.record);
}

/* -F: of the records of one firing, one changes the indentation. */
static void test_flow(void **state)
{
	static const struct { uint32_t probe, clause; } events[] = {
		{ 0, 0 }, { 1, 1 }, { 1, 2 }, { 3, 1 }, { 4, 1 }, { 4, 2 },
		{ 2, 1 }, { 2, 1 },
	};
	struct fixture *f = *state;

	option_set(&f->options, "flowindent", NULL, ORIGIN_COMMAND);
	for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++)
		put(f, 1, events[i].probe, events[i].clause, 0);
	expect(f, 0,
	       "1:BEGIN.0(trace=0;) 1->read:entry.1(trace=0;) "
	       "1read:entry.2(trace=0;) 1->vfs_read:entry.1(trace=0;) "
	       "1vfs_read:return.1(trace=0;) 1<-vfs_read:return.2(trace=0;) "
	       "1<-read:return.1(trace=0;) 1<-read:return.1(trace=0;) ");
}

/* -F: turns of a loop are one clause, and the return is the last clause's. */
static void test_flow_of_turns(void **state)
{
	static const struct { uint32_t probe, clause, stamp; } events[] = {
		{ 1, 1, 5 }, { 1, 1, 5 }, { 1, 1, 6 }, { 2, 1, 7 }, { 2, 1, 7 },
		{ 2, 2, 8 }, { 2, 1, 9 }, { 2, 1, 9 },
	};
	struct fixture *f = *state;

	option_set(&f->options, "flowindent", NULL, ORIGIN_COMMAND);
	f->clauses[1].is_cut = true;
	for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++)
		put(f, 1, events[i].probe, events[i].clause, 0)->stamp =
			events[i].stamp;
	expect(f, 0,
	       "1->read:entry.1(trace=0;) 1read:entry.1(trace=0;) "
	       "1->read:entry.1(trace=0;) 1read:return.1(trace=0;) "
	       "1read:return.1(trace=0;) 1<-read:return.2(trace=0;) "
	       "1<-read:return.1(trace=0;) 1read:return.1(trace=0;) ");
}

/* Records of other CPUs in between make no difference. */
static void test_flow_of_cpus(void **state)
{
	struct fixture *f = *state;

	option_set(&f->options, "flowindent", NULL, ORIGIN_COMMAND);
	put(f, 0, 1, 0, 0);
	put(f, 1, 1, 0, 0);
	put(f, 0, 1, 1, 0);
	put(f, 1, 2, 0, 0);
	put(f, 0, 2, 1, 0);
	put(f, 1, 2, 1, 0);
	expect(f, 0,
	       "0->read:entry.0(trace=0;) 1->read:entry.0(trace=0;) "
	       "0read:entry.1(trace=0;) 1read:return.0(trace=0;) "
	       "0<-read:return.1(trace=0;) 1<-read:return.1(trace=0;) ");
}

static void test_fault(void **state)
{
	struct fixture *f = *state;
	struct abi_fault *fault = (struct abi_fault *)put(f, 0, 1, 0, 0);

	assert_true(sizeof(*fault) <= RECORD);
	fault->header.kind = RECORD_FAULT;
	fault->code = FAULT_DIVZERO;
	put(f, 0, 0, 0, 1);
	expect(f, 0,
	       "fault divide-by-zero of read:entry "
	       "0:BEGIN.0(trace=1;) ");
	fault = (struct abi_fault *)put(f, 0, 1, 0, 0);
	fault->header.kind = RECORD_FAULT;
	option_set(&f->options, "noerror", NULL, ORIGIN_COMMAND);
	expect(f, 0, "");
}

/* A sink that wants no more ends the run after its record is done. */
static void test_ends(void **state)
{
	struct fixture *f = *state;

	f->told.ends = true;
	put(f, 0, 0, 0, 1);
	put(f, 0, 0, 0, 2);
	expect(f, -ECANCELED, "0:BEGIN.0(trace=1;) ");
	assert_string_equal(f->session->error, "the consumer ended the run");
}

static void test_nonsense(void **state)
{
	struct fixture *f = *state;

	put(f, 0, 0, 4, 1);
	expect(f, -EIO, "");
	assert_string_equal(
		f->session->error,
		"record of CPU 0 makes no sense (clause 4, probe 1)");
}

/* A broken pipe ends output quietly and permanently. */
static void test_broken_output(void **state)
{
	struct fixture *f = *state;

	f->told.error = -EPIPE;
	put(f, 0, 0, 0, 1);
	expect(f, -EPIPE, "0:BEGIN.0(trace=1;) ");
	f->told.error = 0;
	expect(f, -EPIPE, "");
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_order), TEST(test_guard), TEST(test_control),
		TEST(test_flow), TEST(test_flow_of_turns), TEST(test_flow_of_cpus), TEST(test_fault),
		TEST(test_ends), TEST(test_nonsense), TEST(test_broken_output),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
