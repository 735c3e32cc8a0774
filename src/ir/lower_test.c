/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lowering, seen from D: text is compiled, lowered and run in the
 * interpreter, with and without the passes.
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "builtin/builtin.h"
#include "ir/abi.h"
#include "ir/expressions.h"
#include "ir/lower.h"
#include "ir/test_oracle.h"
#include "lang/lang.h"

enum { SPACE = 4096, KERNEL_BASE = 0x10000 };

/* --------------------------------------------------------------- fixture */

/* Memory of a kernel that has 4096 bytes. */
struct fixture {
	struct options options;
	struct language *language;
	struct arena *arena;
	struct program *program;
	struct lower_session session;
	struct ir_program *ir;
	struct abi_state state;
	uint8_t globals[SPACE], self[SPACE], kernel[SPACE];
	uint64_t context[8];
	struct ir_world world;
	struct fact_probe probes[3];
	uint32_t nprobes;
	/* aggregate callback */
	uint32_t nupdates;
	uint64_t last_value;
};

static int symbol(void *context, const char *module, const char *name,
		  uint64_t *address, uint64_t *size)
{
	(void)context, (void)module, (void)name;
	*address = KERNEL_BASE;
	*size = 8;
	return 1;
}

static const struct probe_oracle oracle = TEST_ORACLE(symbol);

static bool read_kernel(void *data, enum ir_space space, uint64_t address,
			void *to, size_t size)
{
	struct fixture *f = data;

	(void)space;
	if (address < KERNEL_BASE || address - KERNEL_BASE > SPACE - size)
		return false;
	memcpy(to, f->kernel + (address - KERNEL_BASE), size);
	return true;
}

static void count_update(void *data, uint32_t aggregation, const void *key,
			 const struct ir_slot_value *values, uint32_t count)
{
	struct fixture *f = data;

	(void)aggregation, (void)key;
	f->nupdates++;
	f->last_value = values[count - 1].value;
}

static ir_reg read_context(struct lower *lower, uint32_t n)
{
	return ir_load(&lower->b, ir_mem_of(IR_CONTEXT, (int64_t)n * 8), 8,
		       false);
}

static ir_reg select_by_context(struct lower *lower)
{
	return read_context(lower, 7);
}

static void open_fixture(struct fixture *f)
{
	memset(f, 0, sizeof(*f));
	options_init(&f->options);
	f->arena = arena_new();

	struct language_config config = {
		.options = &f->options, .registry = builtin_registry(),
		.oracle = &oracle,
	};

	f->language = language_new(&config);
	assert_non_null(f->language);
	types_without_kernel(language_types(f->language));
	f->nprobes = 1;
	f->probes[0] = (struct fact_probe){ 1,	     "dtrace", "",   "",
					    "BEGIN", false,    false };
	f->probes[1] = (struct fact_probe){ 12,	     "t",   "m",  "read",
					    "entry", false, false };
	f->probes[2] = (struct fact_probe){ 17,	     "t",   "m",  "write_all",
					    "entry", false, false };
}

static void close_fixture(struct fixture *f)
{
	text_free(&f->world.records);
	language_free(f->language);
	arena_free(f->arena);
	options_free(&f->options);
}

static void compile(struct fixture *f, const char *text)
{
	struct source *source = arena_new_of(f->arena, struct source);

	*source = (struct source){ .name = "test",
				   .text = text,
				   .length = strlen(text),
				   .is_file = true };
	f->program = language_compile(f->language, source, SPEC_NONE);
	if (!f->program) {
		struct text out = { 0 };

		diag_print_line(language_diag(f->language), TAGS_ORACLE, &out);
		fail_msg("%s\n%s", text, text_str(&out));
	}
}

static bool lower(struct fixture *f, bool without_passes)
{
	const struct clause *clauses[16], *errors[4];
	struct lower_group group = {
		.probes = f->probes, .nprobes = f->nprobes,
		.clauses = clauses, .error_clauses = errors,
		.phase = PHASE_BEGIN, .argument = read_context,
		.select = f->nprobes > 1 ? select_by_context : NULL,
	};

	for (const struct clause *clause = f->program->clauses; clause;
	     clause = clause->next)
		if (!strcmp(clause->descs->name, "ERROR"))
			errors[group.nerror_clauses++] = clause;
		else
			clauses[group.nclauses++] = clause;
	f->session = (struct lower_session){
		.arena = f->arena,
		.language = f->language,
		.without_passes = without_passes,
		.globals_size = f->session.globals_size,
		.self_size = f->session.self_size,
	};
	f->ir = lower_group(&f->session, &group);
	return f->ir != NULL;
}

static void print_program(const struct fixture *f)
{
	struct text out = { 0 };

	ir_print(f->ir, &out);
	printf("%s", text_str(&out));
	text_free(&out);
}

static void run(struct fixture *f)
{
	struct text records = f->world.records;
	const char *problem = ir_verify(f->ir);

	if (problem) {
		print_program(f);
		fail_msg("%s", problem);
	}
	text_clear(&records);
	memset(f->globals, 0, sizeof(f->globals));
	memset(f->self, 0, sizeof(f->self));
	memset(&f->state, 0, sizeof(f->state));
	f->nupdates = 0;
	f->state.phase = PHASE_BEGIN;
	f->world = (struct ir_world){
		.state = &f->state,
		.globals = f->globals,
		.globals_size = sizeof(f->globals),
		.self = f->self,
		.self_size = sizeof(f->self),
		.context = f->context,
		.ncontext = 8,
		.read = read_kernel,
		.data = f,
		.records = records,
		.aggregate = count_update,
		.comm = "tester",
		.queries[IR_QUERY_PID_TGID] = UINT64_C(123) << 32 | 456,
		.queries[IR_QUERY_TIMESTAMP] = 1000,
	};

	int error = ir_run(f->ir, &f->world);

	if (error) {
		print_program(f);
		fail_msg("ir_run: %d", error);
	}
}

/* Record n that came out, or NULL. */
static const struct abi_record *record_at(const struct fixture *f, unsigned n)
{
	size_t at = 0;

	while (at < f->world.records.n) {
		const struct abi_record *record =
			(const void *)(f->world.records.p + at);

		if (!n--)
			return record;
		at += record->size;
	}
	return NULL;
}

static int64_t field_integer(const struct fixture *f,
			     const struct abi_record *record,
			     const struct schema_field *field)
{
	struct fact_value value = fact_value_of(field, (const uint8_t *)record,
						&f->probes[0], NULL);

	assert_int_equal(field->form, FIELD_BYTES);
	assert_int_equal(value.kind, FACT_INTEGER);
	return fact_integer(&value);
}

static const char *field_text(const struct fixture *f,
			      const struct abi_record *record,
			      const struct schema_field *field)
{
	struct fact_value value = fact_value_of(field, (const uint8_t *)record,
						&f->probes[0], NULL);

	assert_int_equal(value.kind, FACT_STRING);
	return (const char *)value.bytes;
}

static const struct schema_field *first_field(const struct fixture *f,
					      const struct abi_record *record)
{
	const struct schema_action *action =
		f->session.schema.clauses[record->clause]->actions;

	assert_non_null(action);
	return &action->fields[0];
}

/* ----------------------------------------------------------- expressions */

static void check_case(const struct expression_case *c, bool without_passes)
{
	struct fixture f;
	char text[512];

	snprintf(text, sizeof(text), "%s\nBEGIN { %s trace(%s); }", c->declare,
		 c->setup, c->expression);
	open_fixture(&f);
	compile(&f, text);
	if (!lower(&f, without_passes))
		fail_msg("%s\n%s", text, f.session.error);
	run(&f);

	const struct abi_record *record = record_at(&f, 0);

	assert_non_null(record);
	assert_null(record_at(&f, 1));
	if (c->fault) {
		const struct abi_fault *fault = (const void *)record;

		if (record->kind != RECORD_FAULT || fault->code != c->fault) {
			print_program(&f);
			fail_msg("%s: no fault %s", text, fault_name(c->fault));
		}
	} else {
		if (record->kind != RECORD_DATA)
			fail_msg("%s: fault %s", text,
				 fault_name(f.world.fault));

		const struct schema_field *field = first_field(&f, record);

		if (c->text)
			assert_string_equal(field_text(&f, record, field),
					    c->text);
		else if (field_integer(&f, record, field) != c->value) {
			print_program(&f);
			fail_msg("%s: %lld, not %lld", text,
				 (long long)field_integer(&f, record, field),
				 (long long)c->value);
		}
	}
	close_fixture(&f);
}

static void test_expressions(void **state)
{
	(void)state;
	for (size_t i = 0;
	     i < sizeof(expression_cases) / sizeof(expression_cases[0]); i++) {
		check_case(&expression_cases[i], true);
		check_case(&expression_cases[i], false);
	}
}

/* --------------------------------------------------------------- programs */

static void compile_and_run(struct fixture *f, const char *text)
{
	open_fixture(f);
	compile(f, text);
	if (!lower(f, false))
		fail_msg("%s\n%s", text, f->session.error);
	run(f);
}

static void test_predicates(void **state)
{
	struct fixture f;

	(void)state;
	compile_and_run(&f, "BEGIN /pid == 123/ { trace(tid); } "
			    "BEGIN /pid != 123/ { trace(1); } "
			    "BEGIN /execname == \"tester\"/ { trace(2); }");
	assert_int_equal(field_integer(&f, record_at(&f, 0),
				       first_field(&f, record_at(&f, 0))),
			 456);
	assert_int_equal(record_at(&f, 1)->clause, 2);
	assert_null(record_at(&f, 2));
	close_fixture(&f);
}

static void test_this_is_shared(void **state)
{
	struct fixture f;

	(void)state;
	compile_and_run(&f, "BEGIN { this->x = 5; this->s = \"abc\"; } "
			    "BEGIN { trace(this->x); } "
			    "BEGIN /this->s == \"abc\"/ { this->x++; } "
			    "BEGIN { trace(this->x); }");
	assert_int_equal(field_integer(&f, record_at(&f, 0),
				       first_field(&f, record_at(&f, 0))),
			 5);
	assert_int_equal(field_integer(&f, record_at(&f, 1),
				       first_field(&f, record_at(&f, 1))),
			 6);
	assert_null(record_at(&f, 2));
	close_fixture(&f);
}

static void test_fault_leaves_no_record(void **state)
{
	struct fixture f;

	(void)state;
	compile_and_run(&f, "BEGIN { trace(1); trace(*(int *)8); } "
			    "BEGIN { trace(2); } "
			    "ERROR { trace(arg1); trace(arg2); trace(arg3); "
			    "trace(arg4); trace(arg5); } "
			    "ERROR { trace(*(int *)16); }");

	const struct abi_fault *fault = (const void *)record_at(&f, 0);
	const struct abi_record *error = record_at(&f, 1);
	static const int64_t arguments[] = { 1, 2, -1, FAULT_BADADDR, 8 };
	const struct schema_action *action;

	assert_int_equal(fault->header.kind, RECORD_FAULT);
	assert_int_equal(fault->header.clause, 0);
	assert_int_equal(fault->value, 8);
	assert_int_equal(error->kind, RECORD_DATA);
	assert_int_equal(error->probe, 3);
	action = f.session.schema.clauses[error->clause]->actions;
	for (size_t i = 0; i < 5; i++, action = action->next)
		assert_int_equal(field_integer(&f, error, action->fields),
				 arguments[i]);
	assert_int_equal(record_at(&f, 2)->clause, 1);
	assert_null(record_at(&f, 3));
	assert_int_equal(f.state.error_drops, 1);
	close_fixture(&f);
}

static void test_fault_in_predicate(void **state)
{
	struct fixture f;

	(void)state;
	compile_and_run(&f, "BEGIN / *(int *)8/ { trace(1); } "
			    "BEGIN { trace(2); }");
	assert_int_equal(record_at(&f, 0)->kind, RECORD_FAULT);
	assert_int_equal(record_at(&f, 1)->kind, RECORD_DATA);
	assert_null(record_at(&f, 2));
	close_fixture(&f);
}

static void test_phase(void **state)
{
	struct fixture f;

	(void)state;
	compile_and_run(&f, "BEGIN { exit(3); trace(1); } BEGIN { trace(2); }");
	assert_true(f.world.exited);
	assert_int_equal(f.world.exit_status, 3);
	assert_non_null(record_at(&f, 0));
	assert_null(record_at(&f, 1));
	close_fixture(&f);
}

static void test_silent_clauses(void **state)
{
	struct fixture f;

	(void)state;
	compile_and_run(&f, "BEGIN { x = 1; @a[x] = sum(x + 4); } BEGIN { }");
	assert_int_equal(record_at(&f, 0)->clause, 1);
	assert_int_equal(record_at(&f, 0)->size, sizeof(struct abi_record));
	assert_null(record_at(&f, 1));
	assert_int_equal(f.nupdates, 1);
	assert_int_equal(f.last_value, 5);
	close_fixture(&f);
}

static void test_many_probes(void **state)
{
	struct fixture f;

	(void)state;
	for (uint32_t i = 0; i < 3; i++) {
		open_fixture(&f);
		f.nprobes = 3;
		f.context[7] = i;
		compile(&f, "BEGIN /probefunc == \"write_all\"/ { trace(9); } "
			    "BEGIN { this->s = probefunc; "
			    "this->l = strlen(this->s); trace(this->l); }");
		assert_true(lower(&f, false));
		run(&f);

		const struct abi_record *record = record_at(&f, i == 2);

		assert_int_equal(record->probe, f.probes[i].id);
		assert_int_equal(record->clause, 1);
		assert_int_equal(field_integer(&f, record,
					       first_field(&f, record)),
				 strlen(f.probes[i].function));
		close_fixture(&f);
	}
}

static void test_arguments_under_conditions(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	compile(&f, "BEGIN { trace(pid == 1 ? arg0 : arg1); trace(arg0); }"
		    "BEGIN /pid == 1 && arg0/ { } BEGIN { trace(arg0); }");
	f.context[0] = 70;
	f.context[1] = 71;
	for (int without = 0; without < 2; without++) {
		assert_true(lower(&f, without));
		run(&f);
		const struct abi_record *record = record_at(&f, 0);

		assert_int_equal(field_integer(&f, record,
					       first_field(&f, record)),
				 71);
		record = record_at(&f, 1);
		assert_int_equal(field_integer(&f, record,
					       first_field(&f, record)),
				 70);
	}
	close_fixture(&f);
}

static void test_guards(void **state)
{
	struct fixture f;

	(void)state;
	compile_and_run(&f, "BEGIN { trace(1); "
			    "if (pid == 123) { trace(2); trace(3); } "
			    "else { trace(4); } }");

	const struct abi_record *record = record_at(&f, 0);
	const uint8_t *bytes = (const uint8_t *)record;
	const struct schema_action *action =
		f.session.schema.clauses[record->clause]->actions;

	assert_int_equal(action->guard, 0);
	action = action->next;
	assert_true(bytes[action->guard]);
	assert_int_equal(field_integer(&f, record, action->fields), 2);
	assert_int_equal(action->guard, action->next->guard);
	action = action->next->next;
	assert_false(bytes[action->guard]);
	assert_null(action->next);
	close_fixture(&f);
}

static void test_kernel_memory(void **state)
{
	struct fixture f;
	static const uint64_t next = KERNEL_BASE + 64;
	static const int32_t value = -77;

	(void)state;
	open_fixture(&f);
	compile(&f, "struct node { struct node *next; int value; "
		    "char name[8]; unsigned a:4; unsigned b:6; }; "
		    "BEGIN { this->n = (struct node *)0x10000; "
		    "trace(this->n->next->value); "
		    "trace(stringof(this->n->next->name)); "
		    "trace(this->n->next->b); "
		    "trace(this->n->next->name[1]); "
		    "trace(*this->n->next); }");
	memcpy(f.kernel, &next, 8);
	memcpy(f.kernel + 64 + 8, &value, 4);
	memcpy(f.kernel + 64 + 12, "abcdefgh", 8);
	f.kernel[64 + 20] = 0xf5;
	f.kernel[64 + 21] = 0x02;
	assert_true(lower(&f, false));
	run(&f);

	const struct abi_record *record = record_at(&f, 0);
	const struct schema_action *action =
		f.session.schema.clauses[record->clause]->actions;

	assert_int_equal(record->kind, RECORD_DATA);
	assert_int_equal(field_integer(&f, record, action->fields), -77);
	action = action->next;
	assert_string_equal(field_text(&f, record, action->fields), "abcdefgh");
	action = action->next;
	assert_int_equal(field_integer(&f, record, action->fields), 0x2f);
	action = action->next;
	assert_int_equal(field_integer(&f, record, action->fields), 'b');
	action = action->next;
	assert_int_equal(action->fields->size, 24);
	assert_memory_equal((const uint8_t *)record + action->fields->offset,
			    f.kernel + 64, 24);
	close_fixture(&f);
}

static void test_refusals(void **state)
{
	static const struct { const char *text, *message; } cases[] = {
		{ "BEGIN { trace(cpuinstrs); }",
		  "cpuinstrs: the processor's counter of instructions is not read by probes; cpc:::instructions-all-1000000 fires by it where the machine has one (dtrace -lP cpc)" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct fixture f;

		open_fixture(&f);
		compile(&f, cases[i].text);
		assert_false(lower(&f, false));
		assert_string_equal(f.session.error, cases[i].message);
		assert_int_equal(f.session.error_place.line, 1);
		close_fixture(&f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_expressions),
		cmocka_unit_test(test_predicates),
		cmocka_unit_test(test_this_is_shared),
		cmocka_unit_test(test_fault_leaves_no_record),
		cmocka_unit_test(test_fault_in_predicate),
		cmocka_unit_test(test_phase),
		cmocka_unit_test(test_silent_clauses),
		cmocka_unit_test(test_many_probes),
		cmocka_unit_test(test_arguments_under_conditions),
		cmocka_unit_test(test_guards),
		cmocka_unit_test(test_kernel_memory),
		cmocka_unit_test(test_refusals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
