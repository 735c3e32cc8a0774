/* SPDX-License-Identifier: Apache-2.0 */
#include "bpf/func_info.h"

#include <linux/btf.h>
#include <string.h>

#include "bpf/sys.h"

enum { GLOBAL_ARGS = 5 };
enum {
	TYPE_INT = 1, TYPE_PROTO, TYPE_GLOBAL,
	TYPE_SLOT, TYPE_SLOT_POINTER, TYPE_SLOT_PROTO, /* if there are any */
};

static void add(struct text *out, const void *bytes, size_t size)
{
	text_add(out, bytes, size);
}

static uint32_t add_name(struct text *names, const char *name)
{
	uint32_t at = (uint32_t)names->n;

	text_add(names, name, strlen(name) + 1);
	return at;
}

/* Global functions, verified by themselves: five numbers and a result. */
static void add_global(struct text *types, struct text *names)
{
	struct btf_type proto = {
		.info = (uint32_t)BTF_KIND_FUNC_PROTO << 24 | GLOBAL_ARGS,
		.type = TYPE_INT,
	};

	add(types, &proto, sizeof(proto));
	for (unsigned i = 0; i < GLOBAL_ARGS; i++) {
		struct btf_param param = {
			.name_off = add_name(names, (const char[]){
							    (char)('a' + i),
							    '\0' }),
			.type = TYPE_INT,
		};

		add(types, &param, sizeof(param));
	}
}

/* D's functions: they get a pointer to the slot, whose size all share. */
static void add_slot(struct text *types, struct text *names, uint32_t size)
{
	struct btf_type slot = {
		.name_off = add_name(names, "slot"),
		.info = (uint32_t)BTF_KIND_STRUCT << 24,
		.size = size,
	};
	struct btf_type pointer = { .info = (uint32_t)BTF_KIND_PTR << 24,
				    .type = TYPE_SLOT };
	struct btf_type proto = {
		.info = (uint32_t)BTF_KIND_FUNC_PROTO << 24 | 1,
		.type = TYPE_INT,
	};
	struct btf_param param = { .name_off = add_name(names, "slot"),
				   .type = TYPE_SLOT_POINTER };

	add(types, &slot, sizeof(slot));
	add(types, &pointer, sizeof(pointer));
	add(types, &proto, sizeof(proto));
	add(types, &param, sizeof(param));
}

static uint32_t slot_size(const struct bpf_code *code)
{
	for (uint32_t i = 0; i < code->nfunctions; i++)
		if (code->functions[i].slot_size)
			return code->functions[i].slot_size;
	return 0;
}

static uint32_t function_type(const struct bpf_function *function)
{
	if (function->slot_size)
		return TYPE_SLOT_PROTO;
	return function->is_global ? TYPE_GLOBAL : TYPE_PROTO;
}

int func_info_load(const struct bpf_code *code, struct bpf_func_info *info)
{
	uint32_t slot = slot_size(code);
	uint32_t first_function = slot ? TYPE_SLOT_PROTO + 1 : TYPE_GLOBAL + 1;
	struct text types = { 0 }, names = { 0 }, blob = { 0 };

	add_name(&names, "");

	struct btf_type number = {
		.name_off = add_name(&names, "long"),
		.info = BTF_KIND_INT << 24, .size = 8,
	};
	uint32_t encoding = BTF_INT_SIGNED << 24 | 64;
	struct btf_type proto = {
		.info = (uint32_t)BTF_KIND_FUNC_PROTO << 24, .type = TYPE_INT,
	};

	add(&types, &number, sizeof(number));
	add(&types, &encoding, sizeof(encoding));
	add(&types, &proto, sizeof(proto));
	add_global(&types, &names);
	if (slot)
		add_slot(&types, &names, slot);
	for (uint32_t i = 0; i < code->nfunctions; i++) {
		bool is_global = code->functions[i].is_global;
		struct btf_type function = {
			.name_off = add_name(&names, code->functions[i].name),
			.info = (uint32_t)BTF_KIND_FUNC << 24 |
				(is_global ? BTF_FUNC_GLOBAL : BTF_FUNC_STATIC),
			.type = function_type(&code->functions[i]),
		};

		add(&types, &function, sizeof(function));
		info[i] = (struct bpf_func_info){
			.insn_off = code->functions[i].insn,
			.type_id = first_function + i,
		};
	}
	struct btf_header header = {
		.magic = BTF_MAGIC, .version = BTF_VERSION,
		.hdr_len = sizeof(header),
		.type_len = (uint32_t)types.n,
		.str_off = (uint32_t)types.n, .str_len = (uint32_t)names.n,
	};

	add(&blob, &header, sizeof(header));
	add(&blob, types.p, types.n);
	add(&blob, names.p, names.n);

	int fd = sys_btf_load(blob.p, (uint32_t)blob.n);

	text_free(&types);
	text_free(&names);
	text_free(&blob);
	return fd;
}
