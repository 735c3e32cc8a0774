#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pf.d - page faults by code
 *
 * Counts page faults by program and by the function that touched the memory,
 * until Ctrl-C.
 *
 * FIELDS
 *	EXEC	program
 *	COUNT	page faults
 *	FUNCTION	library and function
 *
 * EXAMPLES
 *	pf.d	who touches new memory
 *	pf.d -n mysqld	one program
 */
#pragma D option quiet
#pragma D option beginfirst

#pragma D usage "Count page faults by code."
#pragma D parameter name -n string = "" "only programs of this name"

BEGIN
{
	printf("Tracing... Hit Ctrl-C to end.\n");
}

vminfo:::as_fault
/$name == "" || $name == execname/
{
	@faults[execname, ufunc(uregs[R_PC])] = sum(arg0);
}

END
{
	printf("%-16s %8s %s\n", "EXEC", "COUNT", "FUNCTION");
	printa("%-16s %@8d %A\n", @faults);
}
