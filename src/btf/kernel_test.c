/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The running kernel's types, as far as they are the same on every kernel
 * that matters.  Skipped, with a reason, where there is no BTF.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "btf/internal.h"

static struct arena *arena;
static struct types *types;

static int setup(void **state)
{
	(void)state;
	arena = arena_new();
	types = types_new(arena, 256);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	types_free(types);
	arena_free(arena);
	return 0;
}

static void need_kernel(void)
{
	int err = types_kernel_available(types);

	if (err) {
		print_message("no kernel BTF: %s\n", strerror(-err));
		skip();
	}
}

/* Nothing is opened by what D itself can answer. */
static void test_lazy(void **state)
{
	(void)state;
	assert_non_null(types_parse(types, "unsigned long *"));
	assert_non_null(types_parse(types, "pid_t"));
	assert_non_null(types_parse(types, "string"));
	assert_int_equal(types->kernel_state, KERNEL_UNTRIED);
}

static void test_members(void **state)
{
	static const struct {
		const char *type, *member, *printed;
	} cases[] = {
		{ "struct task_struct", "comm", "char [16]" },
		{ "struct task_struct", "pid", "pid_t" },
		{ "struct task_struct", "real_parent", "struct task_struct *" },
		{ "struct task_struct", "children", "struct list_head" },
		{ "struct list_head", "next", "struct list_head *" },
		{ "struct file", "f_pos", "loff_t" },
		{ "struct inode", "i_ino", "unsigned long" },
		{ "struct cred", "uid", "kuid_t" },
		{ "struct sock", "sk_prot_creator", "struct proto *" },
		/* inside anonymous members */
		{ "struct sk_buff", "next", "struct sk_buff *" },
	};
	struct member found;

	(void)state;
	need_kernel();
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct type *type = types_parse(types, cases[i].type);

		assert_non_null(type);
		if (!type_member(types, type, cases[i].member, &found))
			fail_msg("%s has no %s", cases[i].type,
				 cases[i].member);
		assert_string_equal(type_name(types, found.type),
				    cases[i].printed);
	}
	struct type *task = types_parse(types, "struct task_struct");

	/* one member was read without the others; all agree with it */
	assert_false(task->is_complete);
	assert_true(type_member(types, task, "comm", &found));
	uint64_t offset = found.bit_offset;

	assert_true(type_complete(types, task));
	assert_true(task->nmembers > 100);
	assert_true(type_member(types, task, "comm", &found));
	assert_int_equal(found.bit_offset, offset);
	assert_true(type_is_signed(types,
				   type_strip(types, found.type)->target));
	assert_false(type_member(types, task, "nonesuch", &found));
}

static void test_bitfields(void **state)
{
	struct member found;

	(void)state;
	need_kernel();
	assert_true(type_member(types, types_parse(types, "struct tcphdr"),
				"syn", &found));
	assert_int_equal(found.bit_width, 1);
	assert_int_equal(found.bit_offset, 13 * 8 + 1);
	assert_int_equal(type_size(types, found.type), 2);
}

static void test_enums(void **state)
{
	struct type *kinds;
	int64_t value;

	(void)state;
	need_kernel();
	kinds = types_parse(types, "enum pid_type");
	assert_non_null(kinds);
	assert_int_equal(type_enumerator(types, kinds, "PIDTYPE_SID")->value,
			 3);
	assert_true(types_enumerator(types, "PIDTYPE_PGID", &value));
	assert_int_equal(value, 2);
	assert_false(types_enumerator(types, "PIDTYPE_NONESUCH", &value));
}

static void test_functions(void **state)
{
	struct type *type;

	(void)state;
	need_kernel();
	type = types_function(types, NULL, "vfs_read");
	assert_non_null(type);
	assert_int_equal(type->nparams, 4);
	assert_string_equal(type_name(types, type->target), "ssize_t");
	assert_string_equal(type_name(types, type->params[0]), "struct file *");
	assert_string_equal(type->param_names[0], "file");
	assert_string_equal(btf_module(type->btf), "");
	assert_true(type->btf_id > 0);
	assert_ptr_equal(type, types_function(types, "vmlinux", "vfs_read"));
	assert_null(types_function(types, NULL, "nonesuch_function"));

	type = types_tracepoint(types, "sched_switch");
	assert_non_null(type);
	assert_true(type->nparams >= 3);
	assert_string_equal(type_name(types, type->params[1]),
			    "struct task_struct *");
	assert_null(types_tracepoint(types, "nonesuch"));
}

static void test_scopes(void **state)
{
	static const struct {
		const char *scope;
		bool is_found;
	} cases[] = {
		{ NULL, true },		 { "", true },	  { "vmlinux", true },
		{ "genunix", true },	 { "D", false },  { "nonesuch", false },
		{ "../vmlinux", false }, { "..", false }, { "/", false },
	};

	(void)state;
	need_kernel();
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		assert_int_equal(cases[i].is_found,
				 types_lookup(types, cases[i].scope, TAG_STRUCT,
					      STR("task_struct")) != NULL);
}

static void test_forwards(void **state)
{
	struct type *own = types_declare_tag(types, TAG_STRUCT, "task_struct");
	struct member found;

	(void)state;
	need_kernel();
	/* a forward in D is the kernel's struct ... */
	assert_int_equal(own->kind, TYPE_FORWARD);
	assert_int_equal(type_strip(types, own)->kind, TYPE_STRUCT);
	assert_true(type_member(types, own, "comm", &found));
	assert_true(type_size(types, own) > 0);
	assert_non_null(
		types_lookup(types, NULL, TAG_STRUCT, STR("task_struct"))->btf);
	/* ... until D defines it */
	type_add_member(types, own, "mine", types_base(types, BASE_INT), 0);
	type_finish_sou(types, own);
	assert_ptr_equal(types_lookup(types, NULL, TAG_STRUCT,
				      STR("task_struct")),
			 own);
	assert_true(type_member(types, own, "mine", &found));
	assert_false(type_member(types, own, "comm", &found));
}

/* The index and the search find the same first record of each name. */
static void test_index(void **state)
{
	static const char *const names[] = {
		"task_struct", "list_head", "vfs_read", "nonesuch", "int",
		"pid_type", "sk_buff", "u64", "__u8",
	};
	struct btf_file *plain, *indexed;

	(void)state;
	need_kernel();
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		assert_int_equal(btf_open(&plain, "/sys/kernel/btf/vmlinux",
					  NULL, ""),
				 0);
		assert_int_equal(btf_open(&indexed, "/sys/kernel/btf/vmlinux",
					  NULL, ""),
				 0);
		btf_build_index(indexed);
		assert_int_equal(btf_find(plain, UINT32_MAX, str_of(names[i])),
				 btf_find(indexed, UINT32_MAX,
					  str_of(names[i])));
		btf_close(plain);
		btf_close(indexed);
	}
}

/* Every type of the running kernel can be made, completed and printed. */
static void test_everything(void **state)
{
	(void)state;
	need_kernel();
	uint32_t count = btf_count(types->kernel);

	for (uint32_t id = 1; id < count; id += 7) {
		struct btf_record record;
		struct text text = { 0 };

		assert_true(btf_read(types->kernel, id, &record));
		const char *name = btf_string(types->kernel, record.name);

		if (record.kind != BTF_STRUCT || !*name)
			continue;
		struct type *type = types_lookup(types, "", TAG_STRUCT,
						 str_of(name));

		assert_non_null(type);
		assert_true(type_complete(types, type));
		for (uint32_t i = 0; i < type->nmembers; i++) {
			const struct member *member = &type->members[i];

			type_print(types, member->type, &text);
			type_size(types, member->type);
			assert_true(member->bit_offset <= type->size * 8);
		}
		text_free(&text);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_lazy, setup, teardown),
		cmocka_unit_test_setup_teardown(test_members, setup, teardown),
		cmocka_unit_test_setup_teardown(test_bitfields, setup,
						teardown),
		cmocka_unit_test_setup_teardown(test_enums, setup, teardown),
		cmocka_unit_test_setup_teardown(test_functions, setup,
						teardown),
		cmocka_unit_test_setup_teardown(test_scopes, setup, teardown),
		cmocka_unit_test_setup_teardown(test_forwards, setup,
						teardown),
		cmocka_unit_test_setup_teardown(test_index, setup, teardown),
		cmocka_unit_test_setup_teardown(test_everything, setup,
						teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
