/* SPDX-License-Identifier: Apache-2.0 */
/* Calls as others compile them, which -G makes sites of. */
void __dtrace_sites___wide(long a, int b);
int __dtraceenabled_sites___wide(long n);
void __dtrace_sites___memory(const char *text);

int called(int n);
int called(int n)
{
	if (__dtraceenabled_sites___wide(0))
		__dtrace_sites___wide(n, n);
	__dtrace_sites___memory("text");
	return n;
}
