/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Addresses and stacks become text (d-language.md §14.4), and keys that are
 * addresses become comparable.
 *
 * A kernel stack starts with the frames that led to our BPF program: the
 * program, the tracing code that called it.  Nobody asked for those.  How
 * many there are depends on the kernel and on who else is tracing, so the
 * record has room for STACK_HIDDEN frames more than the user wants; what is
 * machinery is known by its name, here.
 *
 * A user's address only means something in its process: its id stands before
 * it.  -x noresolve leaves users' addresses as numbers.
 */
#include <string.h>

#include "bpf/unwind.h"
#include "out/out.h"
#include "proc/symbols.h"
#include "proc/unwind.h"

enum { WORD = sizeof(uint64_t) };

static uint64_t word_at(const uint8_t *bytes, uint32_t size, uint32_t n)
{
	uint64_t word = 0;

	if ((n + 1) * WORD <= size)
		memcpy(&word, bytes + n * WORD, WORD);
	return word;
}

/* --------------------------------------------------------------- symbols */

enum detail { DETAIL_OFFSET, DETAIL_NAME, DETAIL_MODULE };

static bool find_kernel(struct printer *printer, uint64_t address,
			struct symbol *symbol)
{
	if (symbols_kernel(printer->symbols, address, symbol))
		return true;
	if (!printer->has_warned_hidden && printer->warn &&
	    symbols_kernel_hidden(printer->symbols)) {
		printer->has_warned_hidden = true;
		printer->warn(printer->context,
			      "kernel addresses have no names: /proc/kallsyms hides them (needs CAP_SYSLOG, or kernel.kptr_restrict=0 and kernel.perf_event_paranoid at most 1)");
	}
	return false;
}

static bool find(struct printer *printer, bool is_user, uint32_t pid,
		 uint64_t address, struct symbol *symbol)
{
	if (!printer->symbols)
		return false;
	if (!is_user)
		return find_kernel(printer, address, symbol);
	return !option_on(printer->options, OPTION_NORESOLVE) &&
	       symbols_user(printer->symbols, pid, address, symbol);
}

/* -x stacksymbols=no: a frame is a number. */
static bool put_number(const struct printer *printer, uint64_t frame,
		       struct text *out)
{
	if (option_on(printer->options, OPTION_STACKSYMBOLS))
		return false;
	text_printf(out, "0x%llx", (unsigned long long)frame);
	return true;
}

static void put_found(const struct printer *printer,
		      const struct symbol *symbol, uint64_t address,
		      enum detail detail, struct text *out)
{
	if (symbol->is_script && detail != DETAIL_MODULE) {
		print_name(printer, symbol->name, out);
		return;
	}
	print_name(printer, symbol->module, out);
	if (detail == DETAIL_MODULE)
		return;
	text_putc(out, '`');
	if (!symbol->name) {
		text_printf(out, "0x%llx", (unsigned long long)address);
		return;
	}
	print_name(printer, symbol->name, out);
	if (detail != DETAIL_NAME && symbol->offset)
		text_printf(out, "+0x%llx", (unsigned long long)symbol->offset);
}

static void put(struct printer *printer, bool is_user, uint32_t pid,
		uint64_t address, enum detail detail, struct text *out)
{
	struct symbol symbol;

	if (find(printer, is_user, pid, address, &symbol))
		put_found(printer, &symbol, address, detail, out);
	else
		text_printf(out, "0x%llx", (unsigned long long)address);
}

/*
 * A frame.  Behind the first one addresses are where a call returns to, which
 * may be behind the end of the caller, or in another function: what counts is
 * the call before it.  What a signal interrupted is no call.
 */
static void put_frame(struct printer *printer, uint32_t pid, uint64_t frame,
		      bool *is_call, struct text *out)
{
	struct symbol symbol, before;
	bool is_found = find(printer, true, pid, frame - *is_call, &symbol);

	/* A handler returns to the start of a function. */
	if (*is_call && (!is_found || !symbol.name)) {
		is_found = find(printer, true, pid, frame, &symbol);
		*is_call = false;
	}
	/* A breakpoint that was a function's last byte is behind the thread. */
	if (!*is_call && (!is_found || !symbol.name) &&
	    find(printer, true, pid, frame - 1, &before) && before.name) {
		symbol = before;
		symbol.offset++;
		is_found = true;
	}
	if (!is_found) {
		text_printf(out, "0x%llx", (unsigned long long)frame);
		*is_call = true;
		return;
	}
	symbol.offset += *is_call;
	put_found(printer, &symbol, frame, DETAIL_OFFSET, out);
	*is_call = !symbol.name || strcmp(symbol.name, "__restore_rt");
}

void print_kernel_address(struct printer *printer, uint64_t address,
			  struct text *out)
{
	put(printer, false, 0, address, DETAIL_OFFSET, out);
}

void print_user_address(struct printer *printer, uint32_t pid,
			uint64_t address, struct text *out)
{
	put(printer, true, pid, address, DETAIL_OFFSET, out);
}

static enum symbol_form form_of(const struct print_value *value)
{
	if (value->function && value->function->form)
		return value->function->form;
	return value->size > WORD ? SYMBOL_UADDR : SYMBOL_SYM;
}

void print_symbol(struct printer *printer, const struct print_value *value,
		  struct text *out)
{
	uint64_t first = word_at(value->bytes, value->size, 0);
	uint64_t second = word_at(value->bytes, value->size, 1);

	switch (form_of(value)) {
	case SYMBOL_MOD:
		put(printer, false, 0, first, DETAIL_MODULE, out);
		break;
	case SYMBOL_USYM:
		put(printer, true, (uint32_t)first, second, DETAIL_NAME, out);
		break;
	case SYMBOL_UMOD:
		put(printer, true, (uint32_t)first, second, DETAIL_MODULE,
		    out);
		break;
	case SYMBOL_UADDR:
		put(printer, true, (uint32_t)first, second, DETAIL_OFFSET,
		    out);
		break;
	default:
		put(printer, false, 0, first, DETAIL_NAME, out);
	}
}

/* ---------------------------------------------------------------- stacks */

/* Words of machinery in front. */
static uint32_t hidden_frames(struct printer *printer, const uint8_t *bytes,
			      uint32_t size)
{
	uint32_t n = 0;

	while (printer->symbols && n < STACK_HIDDEN &&
	       symbols_is_machinery(printer->symbols,
				    word_at(bytes, size, n)))
		n++;
	return n;
}

/* What is behind the frames of a kernel stack; also the last word of keys. */
enum kernel_cut {
	KERNEL_CUT_NONE,
	KERNEL_CUT_MORE,	/* than were asked for */
	KERNEL_CUT_BY_KERNEL,	/* it gives no more */
	KERNEL_CUT_LAST = KERNEL_CUT_BY_KERNEL
};

/* The frames asked for start `at` there. */
static enum kernel_cut kernel_cut(struct printer *printer,
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
	return printer->symbols &&
	       n == symbols_kernel_depth(printer->symbols) ?
		KERNEL_CUT_BY_KERNEL : KERNEL_CUT_NONE;
}

/*
 * Whether that many frames are what was asked for, by argument, by option or by
 * the option's default, and not the most there can be.
 */
static bool is_asked(const struct printer *printer, int64_t frames)
{
	return frames < UNWIND_FRAMES &&
	       frames != option_number(printer->options, OPTION_MAXFRAMES);
}

/* Why a user's stack is not whole; NULL: it is. */
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

static void put_cut(int indent, const char *text, struct text *out)
{
	text_printf(out, "%*s  [ cut: %s ]\n", indent, "", text);
}

static void put_more(int indent, uint32_t frames, struct text *out)
{
	text_printf(out, "%*s  [ cut: more than %u frames ]\n", indent, "",
		    frames);
}

static void print_user_stack(struct printer *printer,
			     const struct print_value *value, int indent,
			     struct text *out)
{
	uint64_t head = word_at(value->bytes, value->size, 0), frame;
	uint32_t frames = value->size / WORD - 1;
	bool is_call = false;

	text_putc(out, '\n');
	for (uint32_t n = 1; (frame = word_at(value->bytes, value->size, n));
	     n++) {
		text_printf(out, "%*s", indent, "");
		if (!put_number(printer, frame, out))
			put_frame(printer, (uint32_t)head, frame, &is_call,
				  out);
		text_putc(out, '\n');
	}
	if (cut_text(head))
		put_cut(indent, cut_text(head), out);
	else if (STACK_STATUS(head) == STACK_FULL &&
		 !is_asked(printer, frames))
		put_more(indent, frames, out);
}

static void print_kernel_stack(struct printer *printer,
			       const struct print_value *value, int indent,
			       struct text *out)
{
	uint32_t words = value->size / WORD, n = 0;
	uint32_t frames = words > STACK_EXTRA ? words - STACK_EXTRA : words;
	uint32_t at = hidden_frames(printer, value->bytes, value->size);
	enum kernel_cut cut = kernel_cut(printer, value->bytes, value->size,
					 at);

	text_putc(out, '\n');
	for (; n < frames && word_at(value->bytes, value->size, at + n); n++) {
		uint64_t frame = word_at(value->bytes, value->size, at + n);

		text_printf(out, "%*s", indent, "");
		if (!put_number(printer, frame, out))
			put(printer, false, 0, frame, DETAIL_OFFSET, out);
		text_putc(out, '\n');
	}
	if (cut == KERNEL_CUT_BY_KERNEL)
		put_cut(indent, "see sysctl kernel.perf_event_max_stack", out);
	else if (cut == KERNEL_CUT_MORE && !is_asked(printer, frames))
		put_more(indent, frames, out);
}

void print_stack(struct printer *printer, const struct print_value *value,
		 int indent, struct text *out)
{
	if (value->function && value->function->form == SYMBOL_USTACK)
		print_user_stack(printer, value, indent, out);
	else
		print_kernel_stack(printer, value, indent, out);
}

/* ------------------------------------------------------------------ keys */

/* usym(ucaller) and the like, whose walk was put off: {head, address}. */
static void complete_caller(struct printer *printer, uint8_t *bytes,
			    uint32_t size)
{
	if (printer->unwind && size == 2 * WORD)
		unwind_complete_caller(printer->unwind, bytes);
}

void print_complete(struct printer *printer, struct print_value *value)
{
	enum symbol_form form = value->function ? value->function->form :
						  SYMBOL_NONE;
	/* The record is ours until it is consumed. */
	uint8_t *bytes = (uint8_t *)(uintptr_t)value->bytes;

	if (!printer->unwind)
		return;
	if (form == SYMBOL_USTACK)
		unwind_complete(printer->unwind, bytes, value->size);
	else if (form == SYMBOL_USYM || form == SYMBOL_UMOD ||
		 form == SYMBOL_UADDR)
		complete_caller(printer, bytes, value->size);
}

static void stack_key(struct printer *printer, uint8_t *bytes, uint32_t size)
{
	uint32_t n = hidden_frames(printer, bytes, size);
	uint64_t cut = kernel_cut(printer, bytes, size, n);

	memmove(bytes, bytes + n * WORD, size - n * WORD);
	memset(bytes + size - STACK_EXTRA * WORD, 0, STACK_EXTRA * WORD);
	memcpy(bytes + size - WORD, &cut, WORD);
}

/* Frames of scripts have no offsets: stacks that print alike are one. */
static void ustack_key(struct printer *printer, uint8_t *bytes, uint32_t size,
		       uint32_t pid)
{
	struct symbol symbol;
	uint64_t frame;

	for (uint32_t n = 1; (frame = word_at(bytes, size, n)); n++) {
		if (!symbols_is_made(printer->symbols, pid, frame) ||
		    !find(printer, true, pid, frame - (n > 1), &symbol) ||
		    !symbol.is_script)
			continue;
		frame = symbol.start + (n > 1);
		memcpy(bytes + n * WORD, &frame, WORD);
	}
}

/* The address that stands for all that print alike. */
static void address_key(struct printer *printer, uint8_t *bytes, bool is_user,
			uint32_t pid, bool is_module)
{
	uint64_t address;
	struct symbol symbol;

	memcpy(&address, bytes, WORD);
	if (!find(printer, is_user, pid, address, &symbol))
		return;
	if (is_module)
		address = symbol.module_start;
	else if (symbol.name)
		address = symbol.start;
	memcpy(bytes, &address, WORD);
}

void symbol_key(struct printer *printer, const struct record_field *key,
		uint8_t *bytes)
{
	bytes += key->offset;
	uint32_t pid = (uint32_t)word_at(bytes, key->size, 0);

	switch (key->function->form) {
	case SYMBOL_STACK:
		stack_key(printer, bytes, key->size);
		return;
	case SYMBOL_SYM:
	case SYMBOL_MOD:
		address_key(printer, bytes, false, 0,
			    key->function->form == SYMBOL_MOD);
		return;
	case SYMBOL_USYM:
	case SYMBOL_UMOD:
		complete_caller(printer, bytes, key->size);
		address_key(printer, bytes + WORD, true, pid,
			    key->function->form == SYMBOL_UMOD);
		return;
	case SYMBOL_USTACK:
		if (printer->unwind)
			unwind_complete(printer->unwind, bytes, key->size);
		if (!printer->symbols)
			return;
		symbols_note_process(printer->symbols, pid);
		ustack_key(printer, bytes, key->size, pid);
		return;
	case SYMBOL_UADDR:
		complete_caller(printer, bytes, key->size);
		if (printer->symbols)
			symbols_note_process(printer->symbols, pid);
		return;
	case SYMBOL_NONE:
		return;
	}
}
