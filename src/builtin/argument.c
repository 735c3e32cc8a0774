/* SPDX-License-Identifier: Apache-2.0 */
/* What the checks and the lowering of many functions share. */
#include "builtin/builtin.h"
#include "ir/lower.h"

bool argument_error(struct checker *checker, const struct node *call,
		    uint32_t n, enum tag tag, const char *prototype)
{
	struct node *argument = call_argument(call, n);

	builtin_error(
		checker, argument, tag,
		"%s( ) argument #%u is incompatible with prototype:\n\tprototype: %s\n\t argument: %s",
		call->call.name, n + 1, prototype,
		node_type_name(checker, argument));
	return diag_where(&checker->language->diag, "%s #%u", call->call.name,
			  n + 1);
}

bool node_is_positive_constant(const struct node *node)
{
	return node_is_integer_constant(node) &&
	       (int64_t)node->integer.value > 0;
}

bool lower_arguments(struct lower *lower, const struct node *call,
		     struct value *result)
{
	uint32_t count = call_count(call), n = 0;
	struct schema_action *action = layout_action(lower, call, count);

	(void)result;
	for (const struct node *arg = call->call.args; arg; arg = arg->next)
		if (!layout_store(lower, action, n++, arg))
			return false;
	return true;
}
