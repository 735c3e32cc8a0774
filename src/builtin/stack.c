/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stacks and symbols: actions, keys of aggregations, and values of %k and %a.
 * The number of frames is fixed when the program is compiled, because it is
 * room in the record.
 */
#include <string.h>

#include "bpf/unwind.h"
#include "builtin/builtin.h"
#include "builtin/stack.h"
#include "ir/lower.h"

enum { WORD = 8 };

static bool check_frames(struct checker *checker, struct node *call,
			 enum tag tag)
{
	struct node *frames = call_argument(call, 0);

	if (!frames || (node_is_positive_constant(frames) &&
			frames->integer.value <= UINT32_MAX))
		return true;
	return builtin_error(
		checker, frames, tag,
		"%s( ) argument #1 must be a non-zero positive integer constant",
		call->call.name);
}

static bool check_stack(struct checker *checker, struct node *call)
{
	return check_frames(checker, call, D_STACK_SIZE);
}

static bool check_ustack(struct checker *checker, struct node *call)
{
	struct node *size = call_argument(call, 1);

	if (!check_frames(checker, call, D_USTACK_FRAMES))
		return false;
	if (!size || (node_is_integer_constant(size) &&
		      (int64_t)size->integer.value >= 0))
		return true;
	return builtin_error(
		checker, size, D_USTACK_STRSIZE,
		"%s( ) argument #2 must be a positive integer constant",
		call->call.name);
}

/* ---------------------------------------------------------------- frames */

static uint32_t frames_of(struct lower *lower, const struct node *call,
			  enum option_id option)
{
	const struct node *frames = call_argument(call, 0);
	const struct options *options =
		language_options(lower->session->language);
	int64_t limit = option_number(options, OPTION_MAXFRAMES);
	int64_t n = frames ? (int64_t)frames->integer.value
			   : option_number(options, option);

	if (limit <= 0 || limit > UNWIND_FRAMES)
		limit = UNWIND_FRAMES;
	return (uint32_t)(n < 1 ? 1 : n > limit ? limit : n);
}

static uint32_t stack_size(struct lower *lower, const struct node *call)
{
	return (frames_of(lower, call, OPTION_STACKFRAMES) + STACK_EXTRA) *
	       WORD;
}

static uint32_t ustack_size(struct lower *lower, const struct node *call)
{
	return (1 + frames_of(lower, call, OPTION_USTACKFRAMES)) * WORD;
}

static uint32_t jstack_size(struct lower *lower, const struct node *call)
{
	return (1 + frames_of(lower, call, OPTION_JSTACKFRAMES)) * WORD;
}

static bool store_stack(struct lower *lower, const struct node *call,
			struct ir_mem at)
{
	ir_stack(&lower->b, at, stack_size(lower, call));
	return true;
}

uint32_t walk_user(struct lower *lower, struct ir_mem at, uint32_t size,
		   uint32_t flags)
{
	struct ir_builder *b = &lower->b;
	ir_reg who = lower_process_id(lower);

	if (lower->group->in_kernel)
		who = ir_binary(b, IR_OR, who,
				ir_binary_imm(b, IR_MUL,
					      lower->group->in_kernel(lower),
					      UNWIND_IN_KERNEL));
	return ir_ustack(b, at, size, flags, who);
}

static bool store_ustack(struct lower *lower, const struct node *call,
			 struct ir_mem at)
{
	walk_user(lower, at, call->call.function->size(lower, call), 0);
	return true;
}

/* --------------------------------------------------------------- symbols */

static uint32_t sym_size(struct lower *lower, const struct node *call)
{
	(void)lower;
	(void)call;
	return WORD;
}

static uint32_t usym_size(struct lower *lower, const struct node *call)
{
	(void)lower;
	(void)call;
	return 2 * WORD;
}

static bool store_sym(struct lower *lower, const struct node *call,
		      struct ir_mem at)
{
	ir_reg address;

	if (!lower_scalar(lower, call_argument(call, 0), &address))
		return false;
	ir_store(&lower->b, at, address, WORD);
	return true;
}

/* The process that the addresses after it belong to. */
static void store_process(struct lower *lower, struct ir_mem at)
{
	lower->session->uses_user_addresses = true;
	ir_store(&lower->b, at, lower_process_id(lower), WORD);
}

static bool is_ucaller(const struct node *node)
{
	return node->kind == NODE_VARIABLE &&
	       node->variable.ident->builtin == &variable_ucaller;
}

/*
 * ucaller, by name: the walk may be put off until the process is known.  Then
 * the next word is the number of its copy, as in a stack.
 */
static bool store_caller(struct lower *lower, struct ir_mem at)
{
	struct ir_builder *b = &lower->b;
	struct ir_mem frames = ir_object(b, 3 * WORD, "caller");
	ir_reg caller = ir_reg_new(b->program);
	ir_reg head = ir_reg_new(b->program);

	walk_user(lower, frames, 3 * WORD, 0);
	ir_reg first = ir_load(b, frames, WORD, false);
	struct ir_block *later = ir_block_new(b, "put off");
	struct ir_block *join = ir_block_new(b, "join");

	lower->session->uses_user_addresses = true;
	ir_move(b, head, ir_extend(b, first, 4, false));
	ir_move(b, caller,
		ir_load(b, ir_mem_at(frames, 2 * WORD), WORD, false));
	ir_branch(b,
		  ir_binary_imm(b, IR_EQ, ir_binary_imm(b, IR_LSR, first, 32),
				STACK_PENDING),
		  later, join);
	ir_enter(b, later);
	ir_move(b, head, first);
	ir_move(b, caller, ir_load(b, ir_mem_at(frames, WORD), WORD, false));
	ir_enter(b, join);
	ir_store(b, at, head, WORD);
	ir_store(b, ir_mem_at(at, WORD), caller, WORD);
	return true;
}

static bool store_usym(struct lower *lower, const struct node *call,
		       struct ir_mem at)
{
	/* where the probe itself knows it, there is nothing to put off */
	if (is_ucaller(call_argument(call, 0)) && !lower->group->user_caller)
		return store_caller(lower, at);
	store_process(lower, at);
	return store_sym(lower, call, ir_mem_at(at, WORD));
}

/* --------------------------------------------------------------- actions */

static bool lower_printable(struct lower *lower, const struct node *call,
			    struct value *result)
{
	struct schema_action *action = layout_action(lower, call, 1);

	(void)result;
	return layout_store(lower, action, 0, call);
}

#define PRINTABLE(id, prototype, ...) \
	ACTION(id, prototype, .flags = FUNCTION_RECORDS | FUNCTION_KEY, \
	       .lower = lower_printable, .rule = RULE_KEY, __VA_ARGS__)
#define STACK(id, ...) \
	PRINTABLE(id, "stack ([uint32_t, uint32_t])", .check = check_ustack, \
		  .form = SYMBOL_USTACK, .store = store_ustack, __VA_ARGS__)
#define KERNEL(id, which) \
	PRINTABLE(id, "_symaddr (uintptr_t)", .since = 2, .form = which, \
		  .size = sym_size, .store = store_sym)
#define USER(id, which) \
	PRINTABLE(id, "_usymaddr (uintptr_t)", .since = 2, .form = which, \
		  .size = usym_size, .store = store_usym)

PRINTABLE(stack, "stack ([uint32_t])", .check = check_stack,
	  .form = SYMBOL_STACK, .size = stack_size, .store = store_stack);
STACK(ustack, .size = ustack_size);
STACK(jstack, .size = jstack_size);

KERNEL(func, SYMBOL_SYM);
KERNEL(mod, SYMBOL_MOD);
KERNEL(sym, SYMBOL_SYM);
USER(uaddr, SYMBOL_UADDR);
USER(ufunc, SYMBOL_USYM);
USER(umod, SYMBOL_UMOD);
USER(usym, SYMBOL_USYM);
