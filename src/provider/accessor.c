/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Data of a program that only its own functions know where to find.
 *
 * Most programs are installed without debug information, so nobody says at
 * which offset a struct has its members.  But many export functions that do
 * nothing but return one (thd_user_name(thd)).  They cannot be called from a
 * probe; their few instructions tell the offsets, however (arch_getter()), and
 * those are the right ones for this very file, whatever its version.
 *
 * In D of a synthetic provider, getter(thd_user_name, arg0) is replaced by the
 * expression that reads the same: *(*(arg0 + 0x25f8) + 8), and 0 where a pointer
 * on the way is null.  A third value skips pointers: getter(f, b, 1) reads what f
 * would for an a whose first pointer is b.
 */
#include "provider/accessor.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "base/arena.h"
#include "proc/functions.h"
#include "proc/image.h"

static const char word[] = "getter";

static bool is_word_char(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* The next getter( in the text, which begins with the text; or NULL. */
static const char *find_getter(const char *text)
{
	for (const char *at = text; (at = strstr(at, word)); at++) {
		const char *after = at + sizeof(word) - 1;

		if ((at == text || !is_word_char(at[-1])) &&
		    after[strspn(after, " \t\n")] == '(')
			return at;
	}
	return NULL;
}

/* The comma that follows, or the parenthesis that closes the one before. */
static const char *find_end(const char *at)
{
	unsigned depth = 1;

	for (; *at; at++) {
		depth += *at == '(';
		depth -= *at == ')';
		if (!depth || (depth == 1 && *at == ','))
			return at;
	}
	return NULL;
}

static const struct elf_function *find_function(const struct image *image,
						const char *name)
{
	const struct elf_functions *functions = image->functions;

	for (size_t i = 0; functions && i < functions->count; i++)
		if (!strcmp(functions->items[i].name, name))
			return &functions->items[i];
	return NULL;
}

static const char *expression_of(struct arena *arena,
				 const struct arch_getter *getter,
				 const char *argument, unsigned skipped)
{
	const char *value = arena_printf(arena, "((uint64_t)(%s))", argument);

	for (unsigned i = skipped; i < getter->count; i++) {
		const struct arch_getter_step *step = &getter->steps[i];
		const char *sum = arena_printf(arena, "%s + %d", value,
					       step->offset);

		if (step->size)
			sum = arena_printf(arena, "*(userland uint%u_t *)(%s)",
					   8u * step->size, sum);
		value = arena_printf(arena, "(%s ? %s : 0)", value, sum);
	}
	return value;
}

/* One of them: its function and argument, and the pointers to skip. */
static const char *expand_one(struct arena *arena, struct image *image,
			      const char *name, const char *argument,
			      unsigned skipped, const char **problem)
{
	const struct elf_function *function = image ? find_function(image, name)
						    : NULL;
	struct arch_getter getter;

	if (!image)
		return arena_printf(arena, "((uint64_t)(%s))", argument);
	if (!function) {
		*problem = arena_printf(arena, "has no function %s", name);
		return NULL;
	}
	size_t size = function->size;
	const uint8_t *code = image_code(image, function->offset, &size);

	if (!arch_getter(code, size, &getter)) {
		*problem = arena_printf(
			arena,
			"has a function %s that does more than to return something of its argument, so getter( ) cannot use it",
			name);
		return NULL;
	}
	if (skipped >= getter.count) {
		*problem = arena_printf(
			arena,
			"has a function %s that follows no more than %u pointers, so getter( ) cannot skip %u",
			name, getter.count - 1, skipped);
		return NULL;
	}
	return expression_of(arena, &getter, argument, skipped);
}

/* "(function, argument)" or "(function, argument, pointers to skip)". */
struct call {
	const char *name, *argument, *close;
	unsigned skipped;
};

static bool parse_call(struct arena *arena, const char *text, struct call *call)
{
	const char *name = text + strspn(text, " \t\n");
	size_t length = strcspn(name, " \t\n,()");
	const char *comma = find_end(name);
	const char *end = comma && *comma == ',' ? find_end(comma + 1) : NULL;

	if (!end || !length)
		return false;
	call->name = arena_strndup(arena, name, length);
	call->argument = arena_strndup(arena, comma + 1,
				       (size_t)(end - comma - 1));
	call->close = end;
	call->skipped = 0;
	if (*end == ')')
		return true;
	const char *number = end + 1 + strspn(end + 1, " \t\n");
	char *after;

	call->skipped = (unsigned)strtoul(number, &after, 10);
	call->close = after + strspn(after, " \t\n");
	return isdigit((unsigned char)*number) && *call->close == ')';
}

const char *accessor_expand(struct arena *arena, struct image *image,
			    const char *text, const char **problem)
{
	const char *at = text ? find_getter(text) : NULL;
	struct call call;

	if (!at)
		return text;
	if (!parse_call(arena, strchr(at, '(') + 1, &call)) {
		*problem =
			"cannot serve a getter( ) that is not of the form getter(function, argument)";
		return NULL;
	}
	const char *argument = accessor_expand(arena, image, call.argument,
					       problem);
	const char *value = argument ? expand_one(arena, image, call.name,
						  argument, call.skipped,
						  problem)
				     : NULL;
	const char *rest = value ? accessor_expand(arena, image, call.close + 1,
						   problem)
				 : NULL;

	return rest ? arena_printf(arena, "%.*s%s%s", (int)(at - text), text,
				   value, rest)
		    : NULL;
}
