/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Actions that change the world: signals, delays, the end of the system.
 * They are refused unless -w allows them.
 *
 * Signals are sent where the probe fires, by the kernel.  What a BPF program
 * may not do at all, panic() and breakpoint(), is done by the consumer when
 * it meets the record, through /proc/sysrq-trigger: a moment later, in its
 * own process, and only if the administrator has left sysrq on.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "builtin/builtin.h"
#include "facts/consumer.h"
#include "ir/lower.h"

enum { CHANGES = FUNCTION_RECORDS | FUNCTION_DESTRUCTIVE };

/* --------------------------------------------------------------- signals */

static bool lower_raise(struct lower *lower, const struct node *call,
			struct value *result)
{
	ir_reg number;

	(void)result;
	layout_action(lower, call, 0);
	if (!lower_scalar(lower, call_argument(call, 0), &number))
		return false;
	ir_intrinsic(&lower->b, IR_SEND_SIGNAL, number, 0);
	return true;
}

static bool lower_stop(struct lower *lower, const struct node *call,
		       struct value *result)
{
	(void)call;
	(void)result;
	ir_intrinsic(&lower->b, IR_SEND_SIGNAL, ir_const(&lower->b, SIGSTOP),
		     0);
	return true;
}

ACTION(raise, "void (int)", .flags = CHANGES, .lower = lower_raise,
       .rule = RULE_SILENT);
ACTION(stop, "void ()", .flags = FUNCTION_DESTRUCTIVE, .lower = lower_stop);

/* Resumes what stop() stopped. */
static void do_pidresume(struct consumer *consumer,
			 const struct fact_action *action)
{
	(void)consumer;
	kill((pid_t)fact_integer(&action->values[0]), SIGCONT);
}

ACTION(pidresume, "void (pid_t)", .flags = CHANGES, .lower = lower_arguments,
       .rule = RULE_SILENT, .control = do_pidresume);

/* ----------------------------------------------------------------- chill */

static bool lower_chill(struct lower *lower, const struct node *call,
			struct value *result)
{
	struct ir_builder *b = &lower->b;
	ir_reg ns;

	(void)result;
	layout_action(lower, call, 0);
	if (!lower_scalar(lower, call_argument(call, 0), &ns))
		return false;
	ir_reg is_done = ir_intrinsic(b, IR_CHILL, ns, 0);

	ir_fault_if(b, ir_binary_imm(b, IR_EQ, is_done, 0), FAULT_ILLOP, 0);
	return true;
}

ACTION(chill, "void (int)", .flags = CHANGES, .lower = lower_chill,
       .rule = RULE_SILENT);

/* ------------------------------------------------------------ the system */

static void trigger_sysrq(struct consumer *consumer, const char *name, char key)
{
	int fd = open("/proc/sysrq-trigger", O_WRONLY | O_CLOEXEC);

	sink_flush(consumer->sink);
	if (fd < 0 || write(fd, &key, 1) != 1) {
		struct text message = { 0 };

		text_printf(&message, "couldn't %s(): %s", name,
			    strerror(errno));
		consumer->warn(consumer->context, text_str(&message));
		text_free(&message);
	}
	if (fd >= 0)
		close(fd);
}

static void do_panic(struct consumer *consumer,
		     const struct fact_action *action)
{
	(void)action;
	trigger_sysrq(consumer, "panic", 'c');
}

static void do_breakpoint(struct consumer *consumer,
			  const struct fact_action *action)
{
	(void)action;
	trigger_sysrq(consumer, "breakpoint", 'g');
}

ACTION(panic, "void ()", .flags = FUNCTION_DESTRUCTIVE,
       .lower = lower_arguments, .rule = RULE_SILENT, .control = do_panic);
ACTION(breakpoint, "void ()", .flags = FUNCTION_DESTRUCTIVE,
       .lower = lower_arguments, .rule = RULE_SILENT, .control = do_breakpoint);

/* Kernels only allow overriding functions that are marked for it. */
static bool lower_return(struct lower *lower, const struct node *call,
			 struct value *result)
{
	(void)result;
	return lower_fail(
		lower, call,
		"return( ) needs a kernel with error injection (CONFIG_BPF_KPROBE_OVERRIDE), and a probe of a function that allows it");
}

ACTION(return, "void (int)", .flags = CHANGES, .lower = lower_return,
	     .rule = RULE_SILENT);
