/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Addresses get names, stacks become lists of frames, and keys that are
 * addresses become comparable.
 *
 * A kernel stack starts with the frames that led to our BPF program: the
 * program itself, and the tracing code that called it.  Users did not ask for
 * those.  Their number depends on the kernel and on other tracers, so the
 * record has room for STACK_HIDDEN frames more than the user wants.  Here, the
 * frames to hide are recognized by name.
 *
 * A user address only means something in its process, so the process id is
 * stored before it.  -x noresolve leaves user addresses as numbers.
 */
#include "run/resolve.h"

#include <stdio.h>
#include <string.h>

#include "bpf/unwind.h"
#include "builtin/stack.h"
#include "ir/abi.h"
#include "proc/symbols.h"
#include "proc/unwind.h"
#include "runtime/inlines.h"
#include "runtime/runtime.h"

enum { WORD = sizeof(uint64_t) };

static uint64_t word_at(const uint8_t *bytes, uint32_t size, uint32_t n)
{
	uint64_t word = 0;

	if ((n + 1) * WORD <= size)
		memcpy(&word, bytes + n * WORD, WORD);
	return word;
}

/* --------------------------------------------------------------- symbols */

static bool find_kernel(struct live_resolver *live, uint64_t address,
			struct symbol *symbol)
{
	if (symbols_kernel(live->symbols, address, symbol))
		return true;
	if (!live->has_warned_hidden && live->warn &&
	    symbols_kernel_hidden(live->symbols)) {
		live->has_warned_hidden = true;
		live->warn(
			live->context,
			"kernel addresses have no names: /proc/kallsyms hides them (needs CAP_SYSLOG, or kernel.kptr_restrict=0 and kernel.perf_event_paranoid at most 1)");
	}
	return false;
}

static bool find(struct live_resolver *live, bool is_user, uint32_t pid,
		 uint64_t address, struct symbol *symbol)
{
	if (!live->symbols)
		return false;
	if (!is_user)
		return find_kernel(live, address, symbol);
	return !option_on(live->options, OPTION_NORESOLVE) &&
	       symbols_user(live->symbols, pid, address, symbol);
}

static struct fact_frame unknown_frame(bool is_user, uint64_t address)
{
	return (struct fact_frame){
		.kind = is_user ? FRAME_USER : FRAME_KERNEL,
		.address = address,
	};
}

static struct fact_frame found_frame(bool is_user, uint64_t address,
				     const struct symbol *symbol)
{
	return (struct fact_frame){
		.kind = symbol->is_script ? FRAME_SCRIPT
			: is_user	  ? FRAME_USER
					  : FRAME_KERNEL,
		.address = address,
		.object = symbol->module,
		.function = symbol->name,
		.offset = symbol->name ? symbol->offset : symbol->code,
	};
}

/* Of a language: where the file is known, the offset is the line in it. */
static struct fact_frame script_frame(uint64_t word,
				      const struct runtime_frame *frame)
{
	return (struct fact_frame){
		.kind = FRAME_SCRIPT,
		.address = RUNTIME_IS_FRAME(word) ? RUNTIME_POINTER(word)
						  : word,
		.object = frame->file,
		.function = frame->function,
		.offset = frame->line,
	};
}

/* What a word of a stack means to the process's runtime; 0: nothing. */
static unsigned find_script(const struct live_resolver *live, uint32_t pid,
			    uint64_t word, const struct runtime_frame **frames)
{
	if (!live->runtimes || option_on(live->options, OPTION_NORESOLVE))
		return 0;
	if (RUNTIME_IS_FRAME(word))
		unwind_answer(live->unwind);
	return runtimes_name(live->runtimes, pid, word, frames);
}

/* Is the address alone known by its symbol? */
static bool has_symbols(const struct live_resolver *live, uint32_t pid,
			uint64_t address)
{
	return live->runtimes && !RUNTIME_IS_FRAME(address) &&
	       runtimes_have_symbols(live->runtimes, pid);
}

static void resolve_address(void *context, bool is_user, uint32_t pid,
			    uint64_t address, struct fact_frame *frame)
{
	const struct runtime_frame *script;
	struct symbol symbol;

	if (is_user && !has_symbols(context, pid, address) &&
	    find_script(context, pid, address, &script)) {
		*frame = script_frame(address, script);
		return;
	}
	if (is_user && RUNTIME_IS_FRAME(address))
		address = RUNTIME_POINTER(address);
	*frame = find(context, is_user, pid, address, &symbol)
			 ? found_frame(is_user, address, &symbol)
			 : unknown_frame(is_user, address);
}

/*
 * A frame.  After the first one, addresses are return addresses, which may be
 * after the end of the caller, or in another function: what counts is the call
 * before it.  A function interrupted by a signal did not make a call.
 */
static struct fact_frame user_frame(struct live_resolver *live, uint32_t pid,
				    uint64_t address, bool *is_call)
{
	struct symbol symbol, before;
	bool is_found = find(live, true, pid, address - *is_call, &symbol);
	uint64_t code = is_found ? symbol.code : 0;

	/* A signal handler returns to the start of a function. */
	if (*is_call && (!is_found || !symbol.name)) {
		is_found = find(live, true, pid, address, &symbol);
		*is_call = false;
	}
	/* A breakpoint on a function's last byte: the thread is past it. */
	if (!*is_call && (!is_found || !symbol.name) &&
	    find(live, true, pid, address - 1, &before) && before.name) {
		symbol = before;
		symbol.offset++;
		is_found = true;
	}
	if (!is_found) {
		*is_call = true;
		return unknown_frame(true, address);
	}
	symbol.offset += *is_call;
	if (code)
		symbol.code = code;
	*is_call = !symbol.name || strcmp(symbol.name, "__restore_rt");
	return found_frame(true, address, &symbol);
}

/* ---------------------------------------------------------------- stacks */

/* Words of tracing code at the start. */
static uint32_t hidden_frames(struct live_resolver *live, const uint8_t *bytes,
			      uint32_t size)
{
	uint32_t n = 0;

	if (word_at(bytes, size, 0) == ABI_OWN_FRAME)
		return 1;
	while (live->symbols && n < STACK_HIDDEN &&
	       symbols_is_machinery(live->symbols, word_at(bytes, size, n)))
		n++;
	return n;
}

/* What follows the frames of a kernel stack; also the last word of keys. */
enum kernel_cut {
	KERNEL_CUT_NONE,
	KERNEL_CUT_MORE,	/* frames than requested */
	KERNEL_CUT_BY_KERNEL,	/* the kernel's limit */
	KERNEL_CUT_LAST = KERNEL_CUT_BY_KERNEL
};

/* The requested frames start `at` there. */
static enum kernel_cut kernel_cut(struct live_resolver *live,
				  const uint8_t *bytes, uint32_t size,
				  uint32_t at)
{
	uint32_t words = size / WORD, n = 0;
	uint64_t last = word_at(bytes, size, words - 1);

	if (last && last <= KERNEL_CUT_LAST)
		return (enum kernel_cut)last;
	if (word_at(bytes, size, at + words - STACK_EXTRA))
		return KERNEL_CUT_MORE;
	while (word_at(bytes, size, n))
		n++;
	return live->symbols && n == symbols_kernel_depth(live->symbols)
		       ? KERNEL_CUT_BY_KERNEL
		       : KERNEL_CUT_NONE;
}

/*
 * Was this number of frames requested, by argument, by option or by the
 * option's default, rather than being the maximum?
 */
static bool is_asked(const struct live_resolver *live, int64_t frames)
{
	return frames < UNWIND_FRAMES &&
	       frames != option_number(live->options, OPTION_MAXFRAMES);
}

/* Why a user stack is incomplete; NULL if it is complete. */
static const char *cut_text(uint64_t head)
{
	switch (STACK_STATUS(head)) {
	case STACK_UNREADABLE:
		return "the stack cannot be read";
	case STACK_NO_RULE:
		return "no frame pointer and no unwind table";
	case STACK_LOST:
		return "no code at the return address";
	case STACK_NARROW:
		return "32-bit code";
	case STACK_BUSY:
		return "by frame pointers, no unwind table was at hand";
	default:
		return NULL;
	}
}

/* "more than 127 frames" */
static const char *more_than(struct live_resolver *live, uint32_t frames)
{
	snprintf(live->cut, sizeof(live->cut), "more than %u frames", frames);
	return live->cut;
}

/* Frames of a language that the word stands for; false: it does not. */
static bool visit_script(struct live_resolver *live, uint32_t pid,
			 uint64_t word, frame_visit *visit, void *data)
{
	const struct runtime_frame *script;
	unsigned count = find_script(live, pid, word, &script);
	struct fact_frame frame = unknown_frame(true, RUNTIME_POINTER(word));

	for (unsigned i = 0; i < count; i++) {
		frame = script_frame(word, &script[i]);
		visit(data, &frame);
	}
	if (count || !RUNTIME_IS_FRAME(word))
		return count != 0;
	visit(data, &frame);
	return true;
}

/* Functions that were inlined where the frame is. */
static void visit_inlined(struct live_resolver *live, uint32_t pid,
			  uint64_t address, frame_visit *visit, void *data)
{
	const struct runtime_frame *inlined;
	bool is_wanted = live->inlines &&
			 !option_on(live->options, OPTION_NORESOLVE);
	unsigned count = is_wanted ? inlines_find(live->inlines, pid, address,
						  &inlined)
				   : 0;

	for (unsigned i = 0; i < count; i++) {
		struct fact_frame frame = script_frame(address, &inlined[i]);

		visit(data, &frame);
	}
}

static const char *user_stack(struct live_resolver *live,
			      const struct fact_value *value,
			      frame_visit *visit, void *data)
{
	uint64_t head = fact_word(value, 0), address;
	uint32_t frames = value->size / WORD - 1;
	bool is_call = false,
	     is_named = option_on(live->options, OPTION_STACKSYMBOLS);

	for (uint32_t n = 1; (address = fact_word(value, n)); n++) {
		if (is_named &&
		    visit_script(live, (uint32_t)head,
				 address - (is_call &&
					    !RUNTIME_IS_FRAME(address)),
				 visit, data)) {
			is_call = true;
			continue;
		}
		if (is_named)
			visit_inlined(live, (uint32_t)head, address - is_call,
				      visit, data);
		struct fact_frame frame =
			is_named ? user_frame(live, (uint32_t)head, address,
					      &is_call)
				 : unknown_frame(true, address);

		visit(data, &frame);
	}
	if (cut_text(head))
		return cut_text(head);
	return STACK_STATUS(head) == STACK_FULL && !is_asked(live, frames)
		       ? more_than(live, frames)
		       : NULL;
}

static const char *kernel_stack(struct live_resolver *live,
				const struct fact_value *value,
				frame_visit *visit, void *data)
{
	uint32_t words = value->size / WORD;
	uint32_t frames = words > STACK_EXTRA ? words - STACK_EXTRA : words;
	uint32_t at = hidden_frames(live, value->bytes, value->size);
	enum kernel_cut cut = kernel_cut(live, value->bytes, value->size, at);
	uint64_t address;

	for (uint32_t n = 0; n < frames && (address = fact_word(value, at + n));
	     n++) {
		struct fact_frame frame = unknown_frame(false, address);

		/* -x stacksymbols=no: a frame is a number */
		if (option_on(live->options, OPTION_STACKSYMBOLS))
			resolve_address(live, false, 0, address, &frame);
		visit(data, &frame);
	}
	if (cut == KERNEL_CUT_BY_KERNEL)
		return "see sysctl kernel.perf_event_max_stack";
	return cut == KERNEL_CUT_MORE && !is_asked(live, frames)
		       ? more_than(live, frames)
		       : NULL;
}

static const char *resolve_stack(void *context, const struct fact_value *value,
				 frame_visit *visit, void *data)
{
	return value->symbol == SYMBOL_USTACK
		       ? user_stack(context, value, visit, data)
		       : kernel_stack(context, value, visit, data);
}

struct resolver live_resolver(struct live_resolver *live)
{
	return (struct resolver){
		.context = live,
		.address = resolve_address,
		.stack = resolve_stack,
	};
}

/* ------------------------------------------------------------------ keys */

/* usym(ucaller) and the like, whose walk was deferred: {head, address}. */
static void complete_caller(const struct live_resolver *live, uint8_t *bytes,
			    uint32_t size)
{
	if (live->unwind && size == 2 * WORD)
		unwind_complete_caller(live->unwind, bytes);
}

void resolve_value(const struct live_resolver *live, struct fact_value *value)
{
	enum symbol_form form = value->symbol;
	/* The record is ours until it is consumed. */
	uint8_t *bytes = (uint8_t *)(uintptr_t)value->bytes;

	if (!live->unwind)
		return;
	if (form == SYMBOL_USTACK)
		unwind_complete(live->unwind, bytes, value->size);
	else if (form == SYMBOL_USYM || form == SYMBOL_UMOD ||
		 form == SYMBOL_UADDR)
		complete_caller(live, bytes, value->size);
}

static void stack_key(struct live_resolver *live, uint8_t *bytes, uint32_t size)
{
	uint32_t n = hidden_frames(live, bytes, size);
	uint64_t cut = kernel_cut(live, bytes, size, n);

	memmove(bytes, bytes + n * WORD, size - n * WORD);
	memset(bytes + size - STACK_EXTRA * WORD, 0, STACK_EXTRA * WORD);
	memcpy(bytes + size - WORD, &cut, WORD);
}

/* Script frames have no offsets: stacks that print alike are one. */
static void ustack_key(struct live_resolver *live, uint8_t *bytes,
		       uint32_t size, uint32_t pid)
{
	struct symbol symbol;
	uint64_t frame;

	for (uint32_t n = 1; (frame = word_at(bytes, size, n)); n++) {
		if (live->runtimes) {
			uint64_t is_call = n > 1 && !RUNTIME_IS_FRAME(frame);

			unwind_answer(live->unwind);
			frame = runtimes_key(live->runtimes, pid,
					     frame - is_call);
			/* It may stand for one of the other sort. */
			frame += n > 1 && !RUNTIME_IS_FRAME(frame);
			memcpy(bytes + n * WORD, &frame, WORD);
		}
		if (RUNTIME_IS_FRAME(frame))
			continue;
		if (!symbols_is_made(live->symbols, pid, frame) ||
		    !find(live, true, pid, frame - (n > 1), &symbol) ||
		    !symbol.is_script)
			continue;
		frame = symbol.start + (n > 1);
		memcpy(bytes + n * WORD, &frame, WORD);
	}
}

/* The address that stands for all that print alike. */
static void address_key(struct live_resolver *live, uint8_t *bytes,
			bool is_user, uint32_t pid, bool is_module)
{
	uint64_t address;
	struct symbol symbol;

	memcpy(&address, bytes, WORD);
	if (!find(live, is_user, pid, address, &symbol))
		return;
	if (is_module)
		address = symbol.module_start;
	else if (symbol.name)
		address = symbol.start;
	memcpy(bytes, &address, WORD);
}

void resolve_key(struct live_resolver *live, const struct schema_field *key,
		 uint8_t *bytes)
{
	bytes += key->offset;
	uint32_t pid = (uint32_t)word_at(bytes, key->size, 0);

	switch (key->symbol) {
	case SYMBOL_STACK:
		stack_key(live, bytes, key->size);
		return;
	case SYMBOL_SYM:
	case SYMBOL_MOD:
		address_key(live, bytes, false, 0, key->symbol == SYMBOL_MOD);
		return;
	case SYMBOL_USYM:
	case SYMBOL_UMOD:
		complete_caller(live, bytes, key->size);
		address_key(live, bytes + WORD, true, pid,
			    key->symbol == SYMBOL_UMOD);
		return;
	case SYMBOL_USTACK:
		if (live->unwind)
			unwind_complete(live->unwind, bytes, key->size);
		if (!live->symbols)
			return;
		symbols_note_process(live->symbols, pid);
		ustack_key(live, bytes, key->size, pid);
		return;
	case SYMBOL_UADDR:
		complete_caller(live, bytes, key->size);
		if (live->symbols)
			symbols_note_process(live->symbols, pid);
		return;
	default:
		return;
	}
}
