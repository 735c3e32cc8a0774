/* SPDX-License-Identifier: Apache-2.0 */
#include "bpf/func_info.h"

#include <linux/btf.h>
#include <string.h>

#include "bpf/sys.h"

enum { TYPE_INT = 1, TYPE_PROTO, TYPE_FIRST_FUNCTION };

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

int func_info_load(const struct bpf_code *code, struct bpf_func_info *info)
{
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
	for (uint32_t i = 0; i < code->nfunctions; i++) {
		struct btf_type function = {
			.name_off = add_name(&names, code->functions[i].name),
			.info = (uint32_t)BTF_KIND_FUNC << 24 |
				BTF_FUNC_STATIC,
			.type = TYPE_PROTO,
		};

		add(&types, &function, sizeof(function));
		info[i] = (struct bpf_func_info){
			.insn_off = code->functions[i].insn,
			.type_id = TYPE_FIRST_FUNCTION + i,
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
