/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Does to its stacks what programs may do, and prints what came of it:
 *
 *	stackswitch WAY N [SEED]
 *
 *	ucontext	eight coroutines by swapcontext(), in random order
 *	switch		the same by a switch of our own, in assembler
 *	longjmp		out of nested calls
 *	handler		siglongjmp() out of a signal handler, on its own stack
 *	preempt		coroutines that a signal handler switches
 *	vfork		children that share the memory and exec or exit
 *	clone		threads made by clone() without a library
 *	recurse		N calls deep, ten times; a thousand and more once
 *	tail		calls in place of returns: direct, conditional, indirect
 *	cancel		threads that are cancelled while they wait
 *
 * The last line says how many calls of own functions were left without
 * returning.  With a fourth argument it does all that again and again until
 * SIGTERM, and says whether it was always the same.
 */
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#define OUTLINE __attribute__((noinline, noclone))

enum { COROUTINES = 8, STACK = 256 << 10, STEPS = 12 };

static uint64_t seed, sum;
static long unreturned;

static uint32_t draw(void)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(seed >> 33);
}

/* Stack n; the same one when it is asked for again. */
static void *stack_of(unsigned n)
{
	static void *stacks[COROUTINES + 1];

	if (!stacks[n])
		stacks[n] = mmap(NULL, STACK, PROT_READ | PROT_WRITE,
				 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (stacks[n] == MAP_FAILED)
		abort();
	return stacks[n];
}

static OUTLINE uint64_t note(uint64_t value)
{
	char text[32];

	snprintf(text, sizeof(text), "%llu", (unsigned long long)value);
	sum = sum * 31 + strlen(text) + strtoull(text, NULL, 10);
	return sum;
}

/* ------------------------------------------------------------ coroutines */

static ucontext_t contexts[COROUTINES], scheduler;
static void *own_stacks[COROUTINES + 1];
static unsigned running;
static int uses_own;

/* Keeps what a called function must keep, and goes on on another stack. */
void own_switch(void **from, void *to);
__asm__(".globl own_switch\n.type own_switch, @function\nown_switch:\n"
	"	.cfi_startproc\n"
	"	push %rbp\n	push %rbx\n	push %r12\n"
	"	push %r13\n	push %r14\n	push %r15\n"
	"	mov %rsp, (%rdi)\n	mov %rsi, %rsp\n"
	"	pop %r15\n	pop %r14\n	pop %r13\n"
	"	pop %r12\n	pop %rbx\n	pop %rbp\n"
	"	ret\n	.cfi_endproc\n.size own_switch, . - own_switch\n");

static OUTLINE void leave(void)
{
	if (uses_own)
		own_switch(&own_stacks[running], own_stacks[COROUTINES]);
	else
		swapcontext(&contexts[running], &scheduler);
	note(running);
}

static OUTLINE uint64_t descend(unsigned depth)
{
	if (!depth) {
		leave();
		return note(1);
	}
	uint64_t below = descend(depth - 1);

	if (draw() % 2)
		leave();
	return note(below ^ depth);
}

static void coroutine(void)
{
	for (;;) {
		note(descend(draw() % STEPS));
		leave();
	}
}

static void run_coroutines(long count)
{
	volatile long n = count;

	for (volatile unsigned i = 0; i < COROUTINES; i++) {
		char *stack = stack_of(i);

		if (uses_own) {
			void **top = (void **)(stack + STACK) - 8;

			top[6] = (void *)coroutine;
			own_stacks[i] = top;
			continue;
		}
		getcontext(&contexts[i]);
		contexts[i].uc_stack.ss_sp = stack;
		contexts[i].uc_stack.ss_size = STACK;
		makecontext(&contexts[i], coroutine, 0);
	}
	while (n--) {
		running = draw() % COROUTINES;
		if (uses_own)
			own_switch(&own_stacks[COROUTINES],
				   own_stacks[running]);
		else
			swapcontext(&scheduler, &contexts[running]);
	}
}

/* ----------------------------------------------------------------- jumps */

static sigjmp_buf back;

static OUTLINE void jump_from(unsigned depth)
{
	unreturned++;
	if (!depth)
		siglongjmp(back, 1);
	jump_from(depth - 1);
	note(depth);
}

static void run_longjmp(long count)
{
	volatile long n = count;

	while (n--)
		if (!sigsetjmp(back, 0))
			jump_from(draw() % STEPS);
		else
			note(n);
}

static void jump_out(int number)
{
	(void)number;
	unreturned++;
	jump_from(3);
}

static OUTLINE void raise_from(unsigned depth)
{
	unreturned++;
	if (!depth)
		raise(SIGUSR2);
	else
		raise_from(depth - 1);
	note(depth);
}

static void run_handler(long count)
{
	volatile long n = count;
	stack_t stack = { .ss_sp = stack_of(COROUTINES), .ss_size = STACK };
	struct sigaction action = {
		.sa_handler = jump_out, .sa_flags = SA_ONSTACK | SA_NODEFER,
	};

	sigaltstack(&stack, NULL);
	sigaction(SIGUSR2, &action, NULL);
	while (n--)
		if (!sigsetjmp(back, 1))
			raise_from(draw() % STEPS);
		else
			note(n);
}

/* The handler of a timer takes the CPU away from one coroutine. */
static volatile uint64_t turns[COROUTINES];
static ucontext_t home;
static volatile int is_home = 1;

static OUTLINE uint64_t turn(uint64_t value)
{
	return value * 3 + 1;
}

static void spin(void)
{
	for (;;)
		turns[running] = turn(turns[running]);
}

static OUTLINE void preempt_one(int number)
{
	(void)number;
	if (is_home)
		return;
	is_home = 1;
	swapcontext(&contexts[running], &home);
}

static void run_preempt(long count)
{
	volatile long n = count;
	struct sigaction action = { .sa_handler = preempt_one };
	struct itimerval timer = { { 0, 1000 }, { 0, 1000 } };
	sigset_t alarm;

	sigemptyset(&alarm);
	sigaddset(&alarm, SIGALRM);
	sigaction(SIGALRM, &action, NULL);
	for (unsigned i = 0; i < COROUTINES; i++) {
		getcontext(&contexts[i]);
		contexts[i].uc_stack.ss_sp = stack_of(i);
		contexts[i].uc_stack.ss_size = STACK;
		makecontext(&contexts[i], spin, 0);
	}
	setitimer(ITIMER_REAL, &timer, NULL);
	while (n--) {
		sigprocmask(SIG_BLOCK, &alarm, NULL);
		running = draw() % COROUTINES;
		is_home = 0;
		swapcontext(&home, &contexts[running]);
	}
	memset(&timer, 0, sizeof(timer));
	setitimer(ITIMER_REAL, &timer, NULL);
	sigprocmask(SIG_UNBLOCK, &alarm, NULL);
	/* how far they got depends on the time */
	sum = 0;
}

/* -------------------------------------------------------------- children */

static void run_vfork(long count)
{
	volatile long n = count;
	volatile int failed = 0;

	while (n--) {
		int status = 0;
		pid_t child = vfork();

		if (!child) {
			if (n % 2)
				execl("/bin/true", "true", (char *)NULL);
			_exit((int)note((uint64_t)n) & 1);
		}
		failed += child < 0 || waitpid(child, &status, 0) != child ||
			  WIFSIGNALED(status);
	}
	sum = (uint64_t)failed;
}

static int thread_of_clone(void *argument)
{
	note((uintptr_t)argument);
	return (int)(draw() & 3);
}

static void run_clone(long n)
{
	char *stack = stack_of(0);

	while (n--) {
		int status;
		pid_t child = clone(thread_of_clone, stack + STACK,
				    CLONE_VM | SIGCHLD, (void *)(uintptr_t)n);

		if (child < 0 || waitpid(child, &status, 0) != child)
			abort();
		note((uint64_t)status);
	}
}

static void *wait_in_thread(void *argument)
{
	pthread_barrier_wait(argument);
	for (;;)
		pause();
	return NULL;
}

static void run_cancel(long n)
{
	while (n--) {
		pthread_barrier_t barrier;
		pthread_t thread;
		void *result;

		pthread_barrier_init(&barrier, NULL, 2);
		pthread_create(&thread, NULL, wait_in_thread, &barrier);
		pthread_barrier_wait(&barrier);
		pthread_cancel(thread);
		pthread_join(thread, &result);
		note(result == PTHREAD_CANCELED);
		unreturned++;
	}
}

/* ------------------------------------------------------ recursion, tails */

static OUTLINE uint64_t recurse(long depth)
{
	return depth ? recurse(depth - 1) * 3 + 1 : note(0);
}

static void run_recurse(long n)
{
	for (int i = n < 1000 ? 10 : 1; i; i--)
		note(recurse(n));
}

#define TAIL OUTLINE __attribute__((optimize("O2")))

static TAIL uint64_t tail_direct(uint64_t value)
{
	return note(value + 1);
}

static TAIL uint64_t tail_conditional(uint64_t value)
{
	if (value % 3)
		return note(value);
	sum++;
	return sum;
}

static uint64_t (*const choices[])(uint64_t) = {
	note, tail_direct, tail_conditional,
};

static TAIL uint64_t tail_indirect(uint64_t value)
{
	return choices[value % 3](value);
}

static TAIL uint64_t tail_pointer(uint64_t (*function)(uint64_t))
{
	return function(sum);
}

static TAIL uint64_t tail_switch(unsigned value)
{
	switch (value) {
	case 0: sum += 3; break;
	case 1: return note(1);
	case 2: sum ^= 77; break;
	case 3: return tail_direct(3);
	case 4: sum *= 5; break;
	case 5: return sum / 3;
	case 6: sum -= 6; break;
	case 7: sum = sum << 1 | 1; break;
	case 8: return 0;
	default: sum = ~sum;
	}
	return sum;
}

/* A conditional jump out of the function, which compilers make rarely. */
uint64_t jump_if(uint64_t value);
uint64_t jumped_to(uint64_t value);
__asm__(".type jump_if, @function\njump_if:\n"
	"	.cfi_startproc\n	test $1, %dil\n	jne jumped_to\n"
	"	cmp $100, %rdi\n	jbe jumped_to\n"
	"	mov %rdi, %rax\n	rep ret\n	.cfi_endproc\n"
	".size jump_if, . - jump_if\n"
	".type jumped_to, @function\njumped_to:\n"
	"	.cfi_startproc\n	lea 1(%rdi), %rax\n"
	"	ret\n	.cfi_endproc\n"
	".size jumped_to, . - jumped_to\n");

static void run_tail(long n)
{
	for (long i = 0; i < n; i++) {
		note(tail_direct(draw()));
		note(tail_conditional(draw()));
		note(tail_indirect(draw()));
		note(tail_pointer(choices[draw() % 3]));
		note(tail_switch(draw() % 10));
		note(jump_if(draw() % 300));
	}
}

/* ------------------------------------------------------------------ main */

static const struct {
	const char *name;
	void (*run)(long n);
	int is_own;
} ways[] = {
	{ "ucontext", run_coroutines, 0 }, { "switch", run_coroutines, 1 },
	{ "longjmp", run_longjmp, 0 }, { "handler", run_handler, 0 },
	{ "preempt", run_preempt, 0 }, { "vfork", run_vfork, 0 },
	{ "clone", run_clone, 0 }, { "recurse", run_recurse, 0 },
	{ "tail", run_tail, 0 }, { "cancel", run_cancel, 0 },
};

static volatile sig_atomic_t is_ended;

static void end(int number)
{
	(void)number;
	is_ended = 1;
}

static void run(size_t way, long n, uint64_t from)
{
	seed = from;
	sum = 0;
	unreturned = 0;
	ways[way].run(n);
}

int main(int argc, char **argv)
{
	long n = argc > 2 ? atol(argv[2]) : 0;
	uint64_t from = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
	size_t way = 0;

	while (argc > 1 && strcmp(argv[1], ways[way].name))
		if (++way == sizeof(ways) / sizeof(ways[0]))
			return 2;
	uses_own = ways[way].is_own;
	signal(SIGTERM, end);
	run(way, n, from);
	uint64_t first = sum;
	int is_alike = 1;

	while (argc > 4 && !is_ended) {
		run(way, n, from);
		is_alike &= sum == first;
	}
	printf("%llu\n%s\n%ld unreturned\n", (unsigned long long)first,
	       is_alike ? "alike" : "different", unreturned);
	return 3;
}
