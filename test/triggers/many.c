/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ten thousand functions, f0 to f9999.  Each SIGUSR1 makes it call every one
 * of them once, and say so.
 */
#include <signal.h>
#include <stdio.h>

__asm__(".altmacro\n"
	".macro function n\n"
	"	.type f\\n, @function\n"
	"f\\n:	push %rbp\n"
	"	pop %rbp\n"
	"	ret\n"
	"	.size f\\n, . - f\\n\n"
	".endm\n"
	".macro invoke n\n"
	"	call f\\n\n"
	".endm\n"
	".set i, 0\n"
	".rept 10000\n"
	"	function %i\n"
	".set i, i + 1\n"
	".endr\n"
	".type call_all, @function\n"
	"call_all:\n"
	".set i, 0\n"
	".rept 10000\n"
	"	invoke %i\n"
	".set i, i + 1\n"
	".endr\n"
	"	ret\n"
	"	.size call_all, . - call_all\n"
	".noaltmacro\n");

void call_all(void);

int main(void)
{
	sigset_t set;
	int number;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	for (;;) {
		sigwait(&set, &number);
		call_all();
		puts("called");
		fflush(stdout);
	}
}
