#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mmapfiles.d - files that programs map into memory
 *
 * Counts mappings by program and file, until Ctrl-C. Each library of a program
 * is mapped several times.
 *
 * FIELDS
 *	CMD	program
 *	COUNT	how often
 *	FILE	whole path
 *
 * EXAMPLES
 *	mmapfiles.d	libraries and data files that are mapped
 *	mmapfiles.d -n postgres	by one program
 */
#pragma D option quiet
#pragma D option beginfirst

#pragma D usage "Show files that programs map into memory."
#pragma D parameter name -n string = "" "only programs of this name"

BEGIN
{
	printf("Tracing... Hit Ctrl-C to end.\n");
}

syscall::mmap:entry
/(int)arg4 >= 0 && !(arg3 & MAP_ANONYMOUS) && ($name == "" || $name == execname)/
{
	self->file = (int)arg4 + 1;
}

syscall::mmap:return
/self->file/
{
	@maps[execname, fds[self->file - 1].fi_pathname] = count();
	self->file = 0;
}

END
{
	printf("%-16s %8s %s\n", "CMD", "COUNT", "FILE");
	printa("%-16s %@8d %s\n", @maps);
}
