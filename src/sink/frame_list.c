/* SPDX-License-Identifier: Apache-2.0 */
#include "sink/frame_list.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/text.h"

void frame_list_push(struct frame_list *list, uint32_t frame)
{
	if (list->count == list->capacity) {
		list->capacity = list->capacity * 2 + 64;
		list->frames = must_realloc(list->frames,
					    list->capacity * sizeof(uint32_t));
	}
	list->frames[list->count++] = frame;
}

void frame_list_push_key(struct frame_list *list, const char *text,
			 size_t length)
{
	frame_list_push(list, profile_frame(list->names, text, length, NULL, 0,
					    PROFILE_KEY));
}

/* Functions in which a CPU waits for work. */
static bool is_idle_function(const char *name)
{
	static const char *const names[] = {
		"do_idle",	 "cpu_startup_entry", "cpu_idle_loop",
		"arch_cpu_idle", "default_idle",      "cpuidle_enter",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

/*
 * What a frame is called.  One without a name is where its function starts in
 * the object, "libz.so.1+0x2460", so that it is one in all its calls and runs.
 * Code of a program that is in no object changes its place, and is unknown,
 * unless numbers are all that was asked for.
 */
static void put_name(const struct frame_list *list,
		     const struct fact_frame *frame, struct text *out)
{
	bool is_number = frame->kind == FRAME_KERNEL ||
			 option_on(list->options, OPTION_NORESOLVE) ||
			 !option_on(list->options, OPTION_STACKSYMBOLS);

	if (frame->function)
		text_puts(out, frame->function);
	else if (frame->object && frame->offset)
		text_printf(out, "%s+0x%llx", frame->object,
			    (unsigned long long)frame->offset);
	else if (frame->object || is_number)
		text_printf(out, "0x%llx", (unsigned long long)frame->address);
	else
		text_puts(out, "[unknown]");
}

static void push_frame(void *data, const struct fact_frame *frame)
{
	static const enum profile_kind kinds[] = {
		[FRAME_KERNEL] = PROFILE_KERNEL,
		[FRAME_USER] = PROFILE_USER,
		[FRAME_SCRIPT] = PROFILE_SCRIPT,
	};
	struct frame_list *list = data;
	const char *object = frame->object ? frame->object : "";
	struct text name = { 0 };

	put_name(list, frame, &name);
	if (frame->kind == FRAME_KERNEL && is_idle_function(text_str(&name)))
		list->is_idle = true;
	frame_list_push(list, profile_frame(list->names, text_str(&name),
					    name.n, object, strlen(object),
					    kinds[frame->kind]));
	text_free(&name);
}

/* Outermost first, which resolvers give last. */
static void push_stack(struct frame_list *list, const struct fact_value *value)
{
	uint32_t first = list->count;
	const char *cut = list->resolver->stack(list->resolver->context, value,
						push_frame, list);

	if (cut) {
		struct text text = { 0 };

		text_printf(&text, "[%s]", cut);
		frame_list_push_key(list, text_str(&text), text.n);
		text_free(&text);
	}
	for (uint32_t last = list->count; first + 1 < last;) {
		uint32_t frame = list->frames[first];

		list->frames[first++] = list->frames[--last];
		list->frames[last] = frame;
	}
}

void frame_list_push_stacks(struct frame_list *list,
			    const struct fact_value *keys, uint32_t nkeys)
{
	static const enum symbol_form forms[] = { SYMBOL_USTACK, SYMBOL_STACK };

	for (size_t form = 0; form < 2; form++)
		for (uint32_t i = 0; i < nkeys; i++)
			if (keys[i].kind == FACT_STACK &&
			    keys[i].symbol == forms[form])
				push_stack(list, &keys[i]);
}

void frame_list_free(struct frame_list *list)
{
	free(list->frames);
}
