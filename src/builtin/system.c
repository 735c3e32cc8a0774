/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Facts about the machine, for the library kernel.d.
 *
 * Programs cannot read them in the kernel: not every kernel reveals the
 * addresses of its variables.  What does not change is a constant, read when
 * the program is compiled.  Load averages are in D's globals, where user space
 * puts them when tracing starts and every second or so (run/loads.c); the
 * kernel computes them every five seconds.
 */
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "builtin/builtin.h"
#include "ir/lower.h"

enum { WORD = 8, LOADS = 3 };

static bool lower_load(struct lower *lower, const struct node *call,
		       struct value *result)
{
	struct ir_builder *b = &lower->b;
	struct lower_session *session = lower->session;
	ir_reg n;

	if (!lower_scalar(lower, call_argument(call, 0), &n))
		return false;
	if (!session->loads.is_used) {
		session->loads.is_used = true;
		session->loads.at = round_up(session->globals_size, WORD);
		session->globals_size = session->loads.at + LOADS * WORD;
	}
	ir_fault_if(b, ir_binary_imm(b, IR_UGE, n, LOADS), FAULT_BADINDEX, n);
	struct ir_mem mem = ir_mem_of(IR_GLOBAL, session->loads.at);

	mem.base = ir_binary_imm(b, IR_SHL, n, 3);
	mem.bound = (LOADS - 1) * WORD + 1;
	*result = value_of_reg(call->type, ir_load(b, mem, WORD, false));
	return true;
}

static bool constant_argument(struct checker *checker, struct node *call)
{
	return node_is_integer_constant(call_argument(call, 0)) ||
	       argument_error(checker, call, 0, D_PROTO_ARG, "int constant");
}

static bool lower_sysconf(struct lower *lower, const struct node *call,
			  struct value *result)
{
	int name = (int)call_argument(call, 0)->integer.value;

	*result = value_of_reg(call->type, ir_const(&lower->b, sysconf(name)));
	return true;
}

static bool lower_uname(struct lower *lower, const struct node *call,
			struct value *result)
{
	struct utsname names = { 0 };
	const char *const fields[] = {
		names.sysname, names.nodename, names.release, names.version,
		names.machine,
	};
	uint64_t n = call_argument(call, 0)->integer.value;

	uname(&names);
	if (n >= sizeof(fields) / sizeof(fields[0]))
		return lower_fail(lower, call, "uname has no field %llu",
				  (unsigned long long)n);
	*result = value_of_literal(lower, fields[n], strlen(fields[n]));
	return true;
}

SUBROUTINE(_load, "uint64_t (int)", .lower = lower_load);
SUBROUTINE(_sysconf, "long (int)", .check = constant_argument,
	   .lower = lower_sysconf);
SUBROUTINE(_uname, "string (int)", .check = constant_argument,
	   .lower = lower_uname);
