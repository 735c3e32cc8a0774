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

#include "builtin/builtin.h"
#include "ir/lower.h"
#include "out/out.h"

enum { CHANGES = FUNCTION_RECORDS | FUNCTION_DESTRUCTIVE };

/* Done by the kernel already; there is only a line. */
static bool print_nothing(struct printer *printer,
			  const struct record_action *action,
			  const uint8_t *record)
{
	(void)printer;
	(void)action;
	(void)record;
	return true;
}

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
       .print = print_nothing);
ACTION(stop, "void ()", .flags = FUNCTION_DESTRUCTIVE, .lower = lower_stop);

/* What stop() stopped goes on. */
static bool print_pidresume(struct printer *printer,
			    const struct record_action *action,
			    const uint8_t *record)
{
	struct print_value pid = printer_field(printer, action, 0, record);

	kill((pid_t)print_value_integer(printer->types, &pid), SIGCONT);
	return true;
}

ACTION(pidresume, "void (pid_t)", .flags = CHANGES, .lower = lower_arguments,
       .print = print_pidresume);

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
       .print = print_nothing);

/* ------------------------------------------------------------ the system */

static bool trigger_sysrq(struct printer *printer, const char *name, char key)
{
	int fd = open("/proc/sysrq-trigger", O_WRONLY | O_CLOEXEC);

	fflush(printer->file);
	if (fd >= 0 && write(fd, &key, 1) == 1) {
		close(fd);
		return true;
	}
	struct text message = { 0 };

	text_printf(&message, "couldn't %s(): %s", name, strerror(errno));
	printer->warn(printer->context, text_str(&message));
	text_free(&message);
	if (fd >= 0)
		close(fd);
	return true;
}

static bool print_panic(struct printer *printer,
			const struct record_action *action,
			const uint8_t *record)
{
	(void)action;
	(void)record;
	return trigger_sysrq(printer, "panic", 'c');
}

static bool print_breakpoint(struct printer *printer,
			     const struct record_action *action,
			     const uint8_t *record)
{
	(void)action;
	(void)record;
	return trigger_sysrq(printer, "breakpoint", 'g');
}

ACTION(panic, "void ()", .flags = FUNCTION_DESTRUCTIVE,
       .lower = lower_arguments, .print = print_panic);
ACTION(breakpoint, "void ()", .flags = FUNCTION_DESTRUCTIVE,
       .lower = lower_arguments, .print = print_breakpoint);

/* Kernels let a program override only functions that ask for it. */
static bool lower_return(struct lower *lower, const struct node *call,
			 struct value *result)
{
	(void)result;
	return lower_fail(lower, call,
			  "return( ) needs a kernel with error injection (CONFIG_BPF_KPROBE_OVERRIDE), and a probe of a function that allows it");
}

ACTION(return, "void (int)", .flags = CHANGES, .lower = lower_return,
       .print = print_nothing);
