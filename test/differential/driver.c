/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One D program, two worlds: the IR interpreter and the kernel.
 *
 * Programs come on standard input, each as a line with its length in bytes
 * and then the bytes.  Each has BEGIN clauses (and ERROR clauses) only.  It is
 * lowered with and without passes, interpreted both ways, loaded, and run
 * once in the kernel.  Records, faults, global variables and aggregations
 * must be the same.  The answer on standard output is
 *
 *	ok | skip | refused | differ		what happened
 *	i NUMBER | s TEXT | x BYTES | f FAULT VALUE	what the program traced
 *	: anything				details of a difference
 *	.					the end
 *
 * so that who asked (differential.py) can hold the values against its own
 * idea of the language.  Text is escaped as in D.  With -t the programs are
 * those of ir/expressions.h, which says what they trace; with -S answers show
 * the program's IR and BPF, too.
 *
 * What both worlds see is the same: this process, pinned to one CPU, and two
 * pages of user memory at MEMORY with bytes that follow a rule.  There is no
 * other memory: programs must not read where the kernel might find any.
 */
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "agg/agg.h"
#include "bpf/bpf.h"
#include "bpf/sys.h"
#include "builtin/builtin.h"
#include "ir/expressions.h"
#include "ir/lower.h"
#include "ir/test_oracle.h"
#include "lang/lang.h"

enum {
	MEMORY = 0x10000000, MEMORY_SIZE = 8192,
	RING = 1 << 18, MAX_RECORD = 40000, AGG_SIZE = 1 << 20, ARRAY_SIZE = 1 << 18,
	SELF = 8192, CLAUSES = 512, AGGS = 16, LOOPLIMIT = 100,
};

/* Aggregations as a list of sums: what the interpreter was told. */
struct update {
	uint32_t aggregation;
	uint8_t *key;
	int64_t *values;	/* what its entry must hold */
	struct update *next;
};

struct outcome {
	struct lower_session session;
	struct ir_program *ir;
	struct abi_state state;
	uint8_t *globals, *self;
	struct text records;
	struct update *updates;
	int error;
};

struct trial {
	struct arena *arena;
	struct options options;
	struct language *language;
	struct program *program;
	const struct clause *clauses[CLAUSES], *errors[CLAUSES];
	struct lower_group group;
	struct outcome plain, passed;	/* without and with passes */
	struct bpf_maps maps;
	struct bpf_code *code;
	struct bpf_loaded *loaded;
	struct text kernel;		/* records of the kernel */
	struct text details;
};

static char comm[16];

/* ------------------------------------------------------------- the world */

static const struct fact_probe begin = { .id = 1, .provider = "dtrace", .module = "", .function = "", .name = "BEGIN" };

static int no_symbol(void *context, const char *module, const char *name,
		     uint64_t *address, uint64_t *size)
{
	(void)context, (void)module, (void)name, (void)address, (void)size;
	return 0;
}

static const struct probe_oracle oracle = TEST_ORACLE(no_symbol);

/*
 * The rule: letters, digits and slashes, a NUL every 37 bytes.
 *
 * The memory is that of a map because the kernel never moves it.  It does
 * move pages of processes to make room for larger ones, locked ones as well,
 * and who reads one at that moment without waiting gets a fault.
 */
static void make_memory(void)
{
	static const char letters[] = "abcdefghij/KLMNOP.0123 ,xyz-_%";
	int fd = sys_map_create(&(struct sys_map){
		.type = BPF_MAP_TYPE_ARRAY, .key_size = 4,
		.value_size = MEMORY_SIZE, .max_entries = 1,
		.flags = BPF_F_MMAPABLE, .name = "driver_memory",
	});
	char *memory = mmap((void *)MEMORY, MEMORY_SIZE,
			    PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_FIXED_NOREPLACE | MAP_POPULATE,
			    fd, 0);

	if (memory == MAP_FAILED) {
		perror("driver: memory");
		exit(2);
	}
	for (int i = 0; i < MEMORY_SIZE; i++)
		memory[i] = i % 37 == 36 ? 0 :
			letters[(i * 7 + i / 37) % (int)(sizeof(letters) - 1)];
}

static bool read_memory(void *data, enum ir_space space, uint64_t address,
			void *to, size_t size)
{
	(void)data;
	if (space != IR_USER || address < MEMORY ||
	    address - MEMORY > MEMORY_SIZE - size)
		return false;
	memcpy(to, (void *)(uintptr_t)address, size);
	return true;
}

static void stay_on_one_cpu(void)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET((size_t)sched_getcpu(), &set);
	sched_setaffinity(0, sizeof(set), &set);
	prctl(PR_GET_NAME, comm);
}

/* --------------------------------------------------------- interpretation */

static int64_t *fresh_values(struct arena *arena,
			     const struct ir_aggregation *agg)
{
	int64_t *values = arena_array_of(arena, int64_t, agg->nvalues);

	if (agg->identities)
		memcpy(values, agg->identities, agg->nvalues * sizeof(*values));
	return values;
}

static void note_update(void *data, uint32_t aggregation, const void *key,
			const struct ir_slot_value *values, uint32_t count)
{
	struct outcome *outcome = data;
	const struct ir_aggregation *agg =
		&outcome->ir->aggregations[aggregation];
	struct update *update;

	for (update = outcome->updates; update; update = update->next)
		if (update->aggregation == aggregation &&
		    (!agg->key_size ||
		     !memcmp(update->key, key, agg->key_size)))
			break;
	if (!update) {
		struct arena *arena = outcome->session.arena;

		update = arena_new_of(arena, struct update);
		update->aggregation = aggregation;
		update->key = agg->key_size ?
			arena_copy(arena, key, agg->key_size) : NULL;
		update->values = fresh_values(arena, agg);
		update->next = outcome->updates;
		outcome->updates = update;
	}
	for (uint32_t i = 0; i < count; i++)
		ir_slot_apply(update->values, &values[i]);
}

static bool interpret(struct trial *t, struct outcome *outcome,
		      bool without_passes)
{
	/* storage that the first lowering gave out stays */
	outcome->session = t->plain.session;
	outcome->session.arena = t->arena;
	outcome->session.language = t->language;
	outcome->session.without_passes = without_passes;
	outcome->session.looplimit = LOOPLIMIT;
	outcome->ir = lower_group(&outcome->session, &t->group);
	if (!outcome->ir)
		return false;
	outcome->ir->arrays = outcome->session.arrays;
	outcome->ir->narrays = outcome->session.narrays;
	const char *problem = ir_verify(outcome->ir);

	if (problem) {
		text_printf(&t->details, ": malformed IR%s: %s\n",
			    without_passes ? "" : " after passes", problem);
		return true;
	}
	uint32_t globals = outcome->session.globals_size;

	outcome->globals = arena_alloc(t->arena, globals + 8);
	outcome->self = arena_alloc(t->arena, SELF);
	memset(outcome->globals, 0, globals + 8);
	memset(outcome->self, 0, SELF);
	outcome->state.phase = PHASE_BEGIN;
	struct ir_world world = {
		.queries[IR_QUERY_PID_TGID] = (uint64_t)getpid() << 32 |
					      (uint32_t)gettid(),
		.queries[IR_QUERY_UID_GID] = (uint64_t)getgid() << 32 |
					     getuid(),
		.queries[IR_QUERY_CPU] = (uint64_t)sched_getcpu(),
		.state = &outcome->state, .globals = outcome->globals,
		.globals_size = globals, .self = outcome->self,
		.self_size = outcome->session.self_size,
		.read = read_memory, .data = outcome,
		.aggregate = note_update, .arena = t->arena,
	};

	memcpy(world.comm, comm, sizeof(comm));
	outcome->error = ir_run(outcome->ir, &world);
	outcome->records = world.records;
	if (outcome->error)
		text_printf(&t->details, ": the interpreter fails%s: %s\n",
			    without_passes ? "" : " after passes",
			    strerror(-outcome->error));
	return true;
}

/* ------------------------------------------------------------- the kernel */

/* false: too large for the verifier. */
static bool run_in_kernel(struct trial *t)
{
	struct ir_program *ir = t->passed.ir;
	struct lower_session *session = &t->passed.session;
	struct bpf_agg_table tables[AGGS];
	const char *error = NULL;
	struct bpf_problem problem = { 0 };

	if (session->naggregations > AGGS)
		return false;
	bpf_agg_layout(session->aggregations, session->naggregations, AGG_SIZE,
		       tables);
	struct bpf_generate_config config = {
		.kind = raw_tracepoint_kind,
		.ring_size = RING, .max_record = MAX_RECORD,
		.agg_tables = tables,
	};

	t->code = bpf_generate(t->arena, ir, &config, &problem);
	if (!t->code) {
		if (problem.is_too_large)
			return false;
		text_printf(&t->details, ": no code: %s\n", problem.text);
		return true;
	}
	struct bpf_maps_config maps = {
		.ring_size = RING, .max_record = MAX_RECORD,
		.globals_size = session->globals_size,
		.self_size = session->self_size,
		.scratch_slot_size = t->code->scratch_size,
		.aggregations = session->aggregations,
		.naggregations = session->naggregations,
		.agg_size = AGG_SIZE,
		.arrays = session->arrays, .narrays = session->narrays,
		.array_size = ARRAY_SIZE,
	};

	if (bpf_maps_create(&t->maps, &maps, &error)) {
		text_printf(&t->details, ": no maps: %s\n", error);
		return true;
	}
	t->loaded = bpf_load(t->arena, t->code, &t->maps,
			     &raw_tracepoint_kind, "differential",
			     0, &problem);
	if (!t->loaded) {
		if (problem.is_too_large)
			return false;
		text_printf(&t->details, ": not loaded: %s\n", problem.text);
		return true;
	}
	t->maps.state->phase = PHASE_BEGIN;
	int failed = bpf_run_once(t->loaded);

	if (failed)
		text_printf(&t->details, ": not run: %s\n", strerror(-failed));
	if (t->maps.state->dynamic_drops)
		text_puts(&t->details, ": a dynamic variable was dropped\n");
	return true;
}

/* What the rings hold, without records that were given back. */
static void collect(struct trial *t)
{
	for (uint32_t cpu = 0; cpu < t->maps.ncpus; cpu++) {
		struct abi_ring *ring = bpf_ring(&t->maps, cpu);
		const uint8_t *data = (const uint8_t *)(ring + 1);
		uint64_t at = 0;

		if (ring->drops)
			text_printf(&t->details, ": %llu drops\n",
				    (unsigned long long)ring->drops);
		while (at < ring->head) {
			const struct abi_record *record =
				(const void *)(data + at);

			if (record->size < sizeof(*record)) {
				text_puts(&t->details,
					  ": a record was not published\n");
				break;
			}
			if (record->kind != RECORD_VOID)
				text_add(&t->kernel, (const char *)record,
					 record->size);
			at += record->size;
		}
	}
}

/* ------------------------------------------------------------- comparison */

static void show_bytes(struct text *out, const uint8_t *bytes, uint32_t size)
{
	for (uint32_t i = 0; i < size; i++)
		text_printf(out, "%02x", bytes[i]);
}

static void show_string(struct text *out, const char *string, size_t most)
{
	size_t n = strnlen(string, most);

	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)string[i];

		if (c < ' ' || c > '~' || c == '\\')
			text_printf(out, "\\%03o", c);
		else
			text_putc(out, (char)c);
	}
}

static void show_field(const struct abi_record *record,
		       const struct schema_field *field, struct text *out)
{
	struct fact_value value = fact_value_of(field, (const uint8_t *)record,
						&begin, NULL);

	if (value.kind == FACT_STRING) {
		text_puts(out, "s ");
		show_string(out, (const char *)value.bytes, value.size);
	} else if (value.kind == FACT_INTEGER && value.is_signed) {
		text_printf(out, "i %lld", (long long)fact_integer(&value));
	} else if (value.kind == FACT_INTEGER) {
		text_printf(out, "i %llu",
			    (unsigned long long)fact_integer(&value));
	} else {
		text_puts(out, "x ");
		show_bytes(out, value.bytes, value.size);
	}
	text_putc(out, '\n');
}

static void show_record(struct trial *t, const struct abi_record *record,
			const char *prefix, struct text *out)
{
	if (record->kind == RECORD_FAULT) {
		const struct abi_fault *fault = (const void *)record;

		text_printf(out, "%sf %s %llu\n", prefix,
			    fault_name((enum fault)fault->code),
			    (unsigned long long)fault->value);
		return;
	}
	const struct schema_clause *layout =
		t->passed.session.schema.clauses[record->clause];

	for (const struct schema_action *action = layout->actions; action;
	     action = action->next) {
		if (action->guard && !((const uint8_t *)record)[action->guard])
			continue;
		for (uint32_t i = 0; i < action->nfields; i++) {
			text_puts(out, prefix);
			show_field(record, &action->fields[i], out);
		}
	}
}

static void show_records(struct trial *t, const struct text *records,
			 const char *prefix, struct text *out)
{
	for (size_t at = 0; at < records->n;) {
		const struct abi_record *record =
			(const void *)(records->p + at);

		show_record(t, record, prefix, out);
		at += record->size;
	}
}

/* Everything but what need not agree: times, program numbers. */
static bool same_record(const struct abi_record *a, const struct abi_record *b)
{
	if (a->size != b->size || a->kind != b->kind ||
	    a->clause != b->clause || a->probe != b->probe)
		return false;
	if (a->kind == RECORD_FAULT) {
		const struct abi_fault *x = (const void *)a;
		const struct abi_fault *y = (const void *)b;

		return x->code == y->code && x->site == y->site &&
		       x->value == y->value;
	}
	return !memcmp(a + 1, b + 1, a->size - sizeof(*a));
}

static bool same_records(const struct text *x, const struct text *y)
{
	if (x->n != y->n)
		return false;
	for (size_t at = 0; at < x->n;) {
		const struct abi_record *a = (const void *)(x->p + at);
		const struct abi_record *b = (const void *)(y->p + at);

		if (!same_record(a, b))
			return false;
		at += a->size;
	}
	return true;
}

static void compare_records(struct trial *t, const char *what,
			    const struct text *x, const struct text *y)
{
	if (same_records(x, y))
		return;
	text_printf(&t->details, ": records differ %s\n", what);
	show_records(t, x, ": < ", &t->details);
	show_records(t, y, ": > ", &t->details);
}

static void compare_globals(struct trial *t, const char *what,
			    const uint8_t *x, const uint8_t *y)
{
	for (uint32_t i = 0; i < t->passed.session.globals_size; i++) {
		if (x[i] == y[i])
			continue;
		text_printf(&t->details,
			    ": globals differ %s at byte %u: %02x, %02x\n",
			    what, i, x[i], y[i]);
		return;
	}
}

/* What the kernel's tables hold for an update's key, merged. */
static void find_in_tables(struct trial *t, const struct update *update,
			   int64_t *values)
{
	const struct ir_aggregation *agg =
		&t->passed.ir->aggregations[update->aggregation];
	const struct bpf_agg_map *map = &t->maps.aggs[update->aggregation];
	const struct aggregate *aggregate =
		t->passed.session.schema.aggregations[update->aggregation]
			->aggregate;

	for (uint32_t cpu = 0; cpu < t->maps.ncpus; cpu++) {
		const uint8_t *entries = map->memory +
			cpu * map->element_size + sizeof(struct abi_agg_table);

		for (uint32_t i = 0; i < map->entries; i++) {
			const struct abi_agg_entry *entry = (const void *)
				(entries + (uint64_t)i * map->entry_size);
			const uint8_t *key = (const uint8_t *)(entry + 1);

			if (entry->tag <= AGG_TAG_BUSY ||
			    memcmp(key, update->key ? update->key : key,
				   agg->key_size))
				continue;
			aggregate->merge(values, (const int64_t *)
						 (key + agg->key_size),
					 agg->nvalues);
		}
	}
}

static void compare_aggregations(struct trial *t)
{
	for (const struct update *update = t->passed.updates; update;
	     update = update->next) {
		const struct ir_aggregation *agg =
			&t->passed.ir->aggregations[update->aggregation];
		int64_t *values = fresh_values(t->arena, agg);

		find_in_tables(t, update, values);
		for (uint32_t i = 0; i < agg->nvalues; i++)
			if (values[i] != update->values[i])
				text_printf(&t->details,
					    ": aggregation %u, slot %u: %lld, kernel has %lld\n",
					    update->aggregation, i,
					    (long long)update->values[i],
					    (long long)values[i]);
	}
}

/* -------------------------------------------------------------- one trial */

static bool compile(struct trial *t, const char *text, size_t length)
{
	struct source *source = arena_new_of(t->arena, struct source);
	struct language_config config = {
		.options = &t->options, .registry = builtin_registry(),
		.oracle = &oracle,
	};

	options_init(&t->options);
	t->language = language_new(&config);
	types_without_kernel(language_types(t->language));
	*source = (struct source){ .name = "program", .text = text,
				   .length = length, .is_file = true };
	t->program = language_compile(t->language, source, SPEC_NONE);
	if (!t->program) {
		text_puts(&t->details, ": ");
		diag_print_line(language_diag(t->language), TAGS_ORACLE, &t->details);
		text_putc(&t->details, '\n');
		return false;
	}
	t->group = (struct lower_group){
		.probes = &begin, .nprobes = 1, .clauses = t->clauses,
		.error_clauses = t->errors, .phase = PHASE_BEGIN,
	};
	for (const struct clause *clause = t->program->clauses; clause;
	     clause = clause->next) {
		if (!strcmp(clause->descs->name, "ERROR"))
			t->errors[t->group.nerror_clauses++] = clause;
		else
			t->clauses[t->group.nclauses++] = clause;
	}
	return true;
}

static const char *try(struct trial *t, const char *text, size_t length)
{
	if (!compile(t, text, length))
		return "refused";
	if (!interpret(t, &t->plain, true)) {
		text_printf(&t->details, ": %s\n", t->plain.session.error);
		return "refused";
	}
	if (!interpret(t, &t->passed, false))
		text_printf(&t->details, ": lowered only once: %s\n",
			    t->passed.session.error);
	if (t->details.n)
		return "differ";
	compare_records(t, "before (<) and after (>) passes",
			&t->plain.records, &t->passed.records);
	compare_globals(t, "before and after passes", t->plain.globals,
			t->passed.globals);
	if (!run_in_kernel(t))
		return t->details.n ? "differ" : "skip";
	if (t->loaded) {
		collect(t);
		compare_records(t, "in interpreter (<) and kernel (>)",
				&t->passed.records, &t->kernel);
		compare_globals(t, "in interpreter and kernel",
				t->passed.globals, t->maps.globals);
		compare_aggregations(t);
	}
	return t->details.n ? "differ" : "ok";
}

static struct trial *trial_new(void)
{
	struct trial *t = must_alloc(sizeof(*t));

	memset(t, 0, sizeof(*t));
	t->arena = arena_new();
	return t;
}

static void trial_free(struct trial *t)
{
	text_free(&t->details);
	text_free(&t->kernel);
	text_free(&t->plain.records);
	text_free(&t->passed.records);
	bpf_unload(t->loaded);
	if (t->maps.ncpus)
		bpf_maps_close(&t->maps);
	language_free(t->language);
	options_free(&t->options);
	arena_free(t->arena);
	free(t);
}

static void answer(const char *text, size_t length, bool with_listing)
{
	struct trial *t = trial_new();
	struct text traced = { 0 };

	printf("%s\n", try(t, text, length));
	if (t->plain.ir && t->passed.session.schema.clauses)
		show_records(t, &t->plain.records, "", &traced);
	if (with_listing && t->passed.ir) {
		ir_print(t->passed.ir, &t->details);
		if (t->code)
			bpf_disassemble(t->code, &t->details);
	}
	printf("%s%s.\n", text_str(&traced), text_str(&t->details));
	fflush(stdout);

	text_free(&traced);
	trial_free(t);
}

/* ------------------------------------------- expressions with known results */

static void expectation(const struct expression_case *c, struct text *out)
{
	if (c->fault) {
		text_printf(out, "f %s ", fault_name(c->fault));
	} else if (c->text) {
		text_puts(out, "s ");
		show_string(out, c->text, SIZE_MAX);
	} else {
		text_printf(out, "i %lld", (long long)c->value);
	}
}

/* The table gives 64-bit unsigned results as signed numbers. */
static bool is_expected(const struct expression_case *c, const char *traced,
			const char *expected)
{
	if (c->fault)
		return !strncmp(traced, expected, strlen(expected));
	if (c->text)
		return !strncmp(traced, expected, strlen(expected)) &&
		       traced[strlen(expected)] == '\n';
	return !strncmp(traced, "i ", 2) &&
	       (traced[2] == '-' ? strtoll(traced + 2, NULL, 10) :
			(int64_t)strtoull(traced + 2, NULL, 10)) == c->value;
}

static bool try_expression(const struct expression_case *c)
{
	struct trial *t = trial_new();
	struct text text = { 0 }, traced = { 0 }, expected = { 0 };

	text_printf(&text, "%s\nBEGIN { %s trace(%s); }\n", c->declare,
		    c->setup, c->expression);
	expectation(c, &expected);
	const char *verdict = try(t, text_str(&text), text.n);

	if (t->passed.session.schema.clauses)
		show_records(t, &t->kernel, "", &traced);
	bool good = !strcmp(verdict, "ok") &&
		    is_expected(c, text_str(&traced), text_str(&expected));

	if (!good)
		printf("FAIL %s%s: %s, expected %s\n%s", text_str(&text),
		       verdict, text_str(&traced), text_str(&expected),
		       text_str(&t->details));
	text_free(&text);
	text_free(&traced);
	text_free(&expected);
	trial_free(t);
	return good;
}

static int try_expressions(void)
{
	unsigned count = sizeof(expression_cases) / sizeof(expression_cases[0]);
	unsigned passed = 0;

	for (unsigned i = 0; i < count; i++)
		passed += try_expression(&expression_cases[i]);
	printf("%u passed, %u failed, 0 skipped\n", passed, count - passed);
	return passed < count;
}

/* Names of functions that can run, for a generator that wants to know. */
static void announce(void)
{
	const struct language_registry *registry = builtin_registry();

	printf("functions");
	for (size_t i = 0; registry->functions[i]; i++)
		if (registry->functions[i]->lower)
			printf(" %s", registry->functions[i]->name);
	printf("\n");
	fflush(stdout);
}

int main(int argc, char **argv)
{
	const char *problem = bpf_privilege_problem();
	bool with_listing = argc > 1 && !strcmp(argv[1], "-S");
	size_t length;

	if (problem) {
		fprintf(stderr, "driver: %s\n", problem);
		return 2;
	}
	make_memory();
	stay_on_one_cpu();
	if (argc > 1 && !strcmp(argv[1], "-t"))
		return try_expressions();
	announce();
	while (scanf("%zu", &length) == 1 && getchar() == '\n') {
		char *text = must_alloc(length + 1);

		if (fread(text, 1, length, stdin) != length)
			return 2;
		text[length] = '\0';
		answer(text, length, with_listing);
		free(text);
	}
	return 0;
}
