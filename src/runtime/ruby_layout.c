/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where Ruby keeps what its frames need: from code of functions that it exports
 * for extensions and profilers.
 *
 * 1. What code says is only believed if it agrees with what else is known:
 *    a function that was compiled differently gives no offset, not a wrong one.
 * 2. What code does not say is the order of members, which are those of 3.1;
 *    so other versions are refused.
 */
#include <string.h>

#include "arch/arch.h"
#include "runtime/ruby.h"

enum {
	MAJOR = 3, MINOR = 1, FRAME_SIZE = 64,
	OPERANDS = 32, CODE_MOST = 512, OFFSET_MOST = 240,
	CALLEES = 64, LOOP_LEAST = 4096,
};

enum symbol {
	EXECUTE, CURRENT, VERSION, PROFILE, PATH, LABEL, PLACE, LINES, NAME,
	SYMBOL_NAME, SYMBOLS
};

/* Data that a function uses. */
static size_t accesses(const struct runtime_image *image, uint64_t address,
		       uint64_t size, struct arch_access operands[OPERANDS])
{
	uint8_t code[CODE_MOST];

	size = size < CODE_MOST ? size : CODE_MOST;
	memset(operands, 0, OPERANDS * sizeof(*operands));
	if (!address || !size || !runtime_code(image, address, code, size))
		return 0;
	return arch_accesses(code, size, operands, OPERANDS);
}

/* The n-th offset (from 0) of a load of that many bytes; 0: there is none. */
static uint64_t offset_of_load(const struct runtime_image *image,
			       const struct runtime_symbol *function,
			       unsigned size, unsigned n)
{
	struct arch_access operands[OPERANDS];
	size_t count = accesses(image, function->address, function->size,
				operands);

	for (size_t i = 0; i < count; i++)
		if (operands[i].size == size && !operands[i].is_relative &&
		    operands[i].value > 0 && !n--)
			return (uint64_t)operands[i].value;
	return 0;
}

/* Does a function load something with that offset, whatever it is? */
static bool uses_offset(const struct runtime_image *image,
			const struct runtime_symbol *function, uint64_t offset)
{
	struct arch_access operands[OPERANDS];
	size_t count = accesses(image, function->address, function->size,
				operands);

	for (size_t i = 0; i < count; i++)
		if (operands[i].size && !operands[i].is_relative &&
		    operands[i].value == (int64_t)offset)
			return true;
	return false;
}

/* The first address that a function uses; size 0: itself; 0: there is none. */
static uint64_t address_used(const struct runtime_image *image,
			     const struct runtime_symbol *function,
			     unsigned size)
{
	struct arch_access operands[OPERANDS];
	size_t count = accesses(image, function->address, function->size,
				operands);

	for (size_t i = 0; i < count; i++)
		if (operands[i].is_relative && operands[i].size == size)
			return function->address + (uint64_t)operands[i].value;
	return 0;
}

/* The loop is by far the largest function that its caller calls. */
static bool find_loop(const struct runtime_image *image,
		      const struct runtime_symbol *execute,
		      struct runtime_symbol *loop)
{
	struct runtime_symbol callees[CALLEES];
	size_t count = runtime_callees(image, execute, callees, CALLEES);

	*loop = (struct runtime_symbol){ .name = "vm_exec_core" };
	for (size_t i = 0; i < count; i++)
		if (callees[i].size > loop->size) {
			loop->address = callees[i].address;
			loop->size = callees[i].size;
		}
	return loop->size >= LOOP_LEAST;
}

/* Variables that may be the table of symbols: a function has it. */
static void find_symbols(const struct runtime_image *image,
			 const struct runtime_symbol *function,
			 uint64_t symbols[RUBY_TABLES])
{
	enum { AWAY = 4 };
	struct runtime_symbol callees[AWAY];
	size_t count = runtime_callees(image, function, callees, AWAY);
	unsigned found = 0;

	for (size_t n = 0; n < count; n++) {
		struct arch_access operands[OPERANDS];
		size_t most = accesses(image, callees[n].address,
				       callees[n].size, operands);

		for (size_t i = 0; i < most && found < RUBY_TABLES; i++)
			if (operands[i].is_relative && operands[i].size == 8)
				symbols[found++] = callees[n].address +
						   (uint64_t)operands[i].value;
	}
}

/* Offsets in the body of a sequence of instructions. */
static bool find_body(const struct runtime_image *image,
		      const struct runtime_symbol *symbols, struct ruby *ruby)
{
	enum { NUMBER = 4, WORD = 8, PLACES = 4, ALIGNED = 7 };

	ruby->path = offset_of_load(image, &symbols[PATH], WORD, 1);
	ruby->label = offset_of_load(image, &symbols[LABEL], WORD, 1);
	/* The table of lines comes after the place of the code, which ends so: */
	ruby->lines = offset_of_load(image, &symbols[PLACE], NUMBER,
				     PLACES - 1);
	ruby->lines = (ruby->lines + NUMBER + ALIGNED) & ~(uint64_t)ALIGNED;
	for (unsigned n = 0; n < 2; n++)
		if (offset_of_load(image, n ? &symbols[PATH] : &symbols[LABEL],
				   WORD, 0) != RUBY_SEQUENCE_BODY)
			return false;
	/* Its second member is in the code of what packs it, too. */
	return ruby->path && ruby->path < OFFSET_MOST &&
	       ruby->label > ruby->path && ruby->label < OFFSET_MOST &&
	       ruby->lines > ruby->label && ruby->lines < OFFSET_MOST &&
	       uses_offset(image, &symbols[LINES], ruby->lines + WORD);
}

static bool is_known_version(struct runtime_process *process,
			     const struct runtime_symbol *version)
{
	int numbers[2];

	return version->address &&
	       runtime_read(process, version->address, numbers,
			    sizeof(numbers)) &&
	       numbers[0] == MAJOR && numbers[1] == MINOR;
}

bool ruby_layout(struct runtime_process *process,
		 const struct runtime_image *image, struct ruby *ruby,
		 struct ruby_places *places, const char **why)
{
	enum { FRAME_AT = 16, MARKS_AT = 32 };
	struct runtime_symbol symbols[SYMBOLS] = {
		[EXECUTE] = { .name = "rb_vm_exec" },
		[CURRENT] = { .name = "ruby_current_ec" },
		[VERSION] = { .name = "ruby_api_version" },
		[PROFILE] = { .name = "rb_profile_frames" },
		[PATH] = { .name = "rb_iseq_path" },
		[LABEL] = { .name = "rb_iseq_label" },
		[PLACE] = { .name = "rb_iseq_code_location" },
		[LINES] = { .name = "rb_iseq_insns_info_encode_positions" },
		[NAME] = { .name = "rb_mod_name" },
		[SYMBOL_NAME] = { .name = "rb_id2str" },
	};

	runtime_symbols(image, symbols, SYMBOLS);
	*why = NULL;
	if (!symbols[VERSION].address)
		return false;
	*why = "this version of Ruby is not known (3.1 is)";
	if (!is_known_version(process, &symbols[VERSION]))
		return false;
	*why = "its loop is not found";
	if (!symbols[EXECUTE].address ||
	    !find_loop(image, &symbols[EXECUTE], &places->loop))
		return false;
	*why = "the code that tells where its frames are is not understood";
	if (!symbols[CURRENT].address || !find_body(image, symbols, ruby) ||
	    offset_of_load(image, &symbols[PROFILE], 8, 1) != FRAME_AT ||
	    offset_of_load(image, &symbols[PROFILE], 8, 2) != MARKS_AT)
		return false;
	ruby->frame_size = FRAME_SIZE;
	places->offset = symbols[CURRENT].address - image->bias;
	places->module_at = address_used(image, &symbols[PROFILE], 0);
	/* Without these, only names of classes and of C functions are missing. */
	ruby->class_more = offset_of_load(image, &symbols[NAME], 8, 0);
	ruby->class_variables = offset_of_load(image, &symbols[NAME], 8, 1);
	ruby->class_name = address_used(image, &symbols[NAME], 8);
	find_symbols(image, &symbols[SYMBOL_NAME], ruby->symbols);
	return true;
}
