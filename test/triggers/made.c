/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Code that is made at run time, at a known address: main -> made -> inner,
 * which calls getppid().  Nothing names it: that is for the test to do.
 *
 *	made
 *
 * Waits for SIGUSR1, does that once, waits again, and ends.
 */
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static volatile long sink;

__attribute__((noinline, noclone)) static void inner(void)
{
	sink = syscall(SYS_getppid);
	sink++;
}

int main(void)
{
	/* push %rbp; mov %rsp,%rbp; mov $inner,%rax; call *%rax; pop %rbp; ret
	 */
	static const uint8_t head[] = {0x55, 0x48, 0x89, 0xe5, 0x48, 0xb8};
	static const uint8_t tail[] = {0xff, 0xd0, 0x5d, 0xc3};
	void (*call)(void) = inner;
	uint8_t *code = mmap(
		(void *)0x600000000, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	sigset_t set;
	int number;

	if (code == MAP_FAILED)
		return 1;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	memcpy(code, head, sizeof(head));
	memcpy(code + sizeof(head), &call, sizeof(call));
	memcpy(code + sizeof(head) + sizeof(call), tail, sizeof(tail));
	sigwait(&set, &number);
	((void (*)(void))code)();
	sigwait(&set, &number);
	return 0;
}
