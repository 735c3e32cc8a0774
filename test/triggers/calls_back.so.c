/* SPDX-License-Identifier: Apache-2.0 */
/* A C function that calls back, in a library that is loaded later. */
void call(void (*function)(void));

static volatile int depth;

__attribute__((noinline)) static void call_deeper(void (*function)(void))
{
	depth++;
	function();
	depth--;
}

void call(void (*function)(void))
{
	call_deeper(function);
	depth = 0;
}
