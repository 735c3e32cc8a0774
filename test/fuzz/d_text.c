/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libFuzzer target: any bytes as a D program.
 *
 * The first byte chooses how the text arrives (a script, or an argument of
 * -n, -P ...), the rest is the text.  No kernel is needed: the compiler front
 * end runs against a handful of made-up probes.  Whatever comes, it must end
 * with a program or with one error, and leave no memory behind.
 */
#include <stdint.h>
#include <string.h>

#include "builtin/builtin.h"
#include "lang/lang.h"

static const struct probe_info probes[] = {
	{ .id = 1, .provider = "dtrace", .module = "", .function = "", .name = "BEGIN" },
	{ .id = 2, .provider = "dtrace", .module = "", .function = "", .name = "END" },
	{ .id = 20, .provider = "syscall", .module = "vmlinux", .function = "read", .name = "entry" },
};

static bool field_matches(const char *pattern, const char *text)
{
	return !*pattern || !strcmp(pattern, "*") || !strcmp(pattern, text);
}

static int match(void *context, const struct probe_desc *desc,
		 bool (*visit)(void *, const struct probe_info *), void *data,
		 const char **error)
{
	int count = 0;

	(void)context;
	(void)error;
	for (size_t i = 0; i < sizeof(probes) / sizeof(*probes); i++) {
		const struct probe_info *probe = &probes[i];

		if (desc->id ? desc->id != probe->id :
		    !(field_matches(desc->provider, probe->provider) &&
		      field_matches(desc->module, probe->module) &&
		      field_matches(desc->function, probe->function) &&
		      field_matches(desc->name, probe->name)))
			continue;
		count++;
		if (!visit(data, probe))
			break;
	}
	return count;
}

static int argument(void *context, const struct probe_info *probe, uint32_t n,
		    struct type **native, struct type **translated,
		    uint32_t *mapping)
{
	struct language *language = *(struct language **)context;

	if (probe->id != 20)
		return -1;
	if (n > 2)
		return 0;
	*native = *translated = language_parse_type(language,
						    n == 1 ? "char *" : "size_t");
	*mapping = n;
	return 1;
}

static bool has_any(void *context, const char *name)
{
	(void)context;
	return !strcmp(name, "syscall") || !strcmp(name, "vmlinux");
}

static int symbol(void *context, const char *module, const char *name,
		  uint64_t *address, uint64_t *size)
{
	(void)context;
	(void)module;
	*address = 0xffffffff81000000;
	*size = 8;
	return !strcmp(name, "jiffies");
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	if (!size)
		return 0;

	struct options options;
	struct language *language = NULL;
	const struct probe_oracle oracle = {
		.context = &language, .match = match, .argument = argument,
		.has_provider = has_any, .has_module = has_any,
		.symbol = symbol,
	};
	const char *args[] = { "dtrace", "10", "word", "\"two words\"" };

	options_init(&options);
	/* Never start a preprocessor from fuzzed pragmas. */
	language = language_new(&(struct language_config){
		.options = &options, .registry = builtin_registry(),
		.oracle = &oracle, .args = args, .nargs = 4, .target = 42,
	});
	char *text = arena_strndup(language_arena(language),
				   (const char *)bytes + 1, size - 1);
	struct source source = {
		.name = "fuzz.d", .text = text, .length = size - 1,
		.is_file = bytes[0] % 6 == 0,
	};
	struct program *program = language_compile(language, &source,
						   bytes[0] % 6);
	struct text out = { 0 };

	if (program)
		tree_print_program(language_types(language), program, &out);
	else
		diag_print_excerpt(language_diag(language), &out);
	text_free(&out);
	language_free(language);
	options_free(&options);
	return 0;
}
