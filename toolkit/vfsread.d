#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vfsread.d - how long reads of files take, by program
 *
 * Shows distributions of the time that the virtual file system takes for reads,
 * until Ctrl-C: what comes from memory takes microseconds, what comes from a disk
 * milliseconds. Pipes, sockets and terminals are left out, as they wait for
 * others; -a shows them, too.
 *
 * FIELDS
 *	value	nanoseconds
 *	count	reads that took so long, or up to twice as long
 *
 * EXAMPLES
 *	vfsread.d		all programs
 *	vfsread.d -n cksum	one of them
 *	vfsread.d -f		by type of file system
 */
#pragma D option quiet
#pragma D option beginfirst

#pragma D usage "Show how long reads of files take, by program."
#pragma D parameter all -a bool "pipes, sockets and terminals, too"
#pragma D parameter types -f bool "by type of file system, too"
#pragma D parameter name -n string = "" "only programs of this name"

BEGIN
{
	printf("Tracing... Hit Ctrl-C to end.\n");
}

vfs:vop:vop_read:entry
/($name == "" || $name == execname) && ($all ||
    (args[0]->fi_fs != "pipefs" && args[0]->fi_fs != "sockfs" &&
    args[0]->fi_fs != "anon_inodefs" && args[0]->fi_fs != "devpts"))/
{
	self->start = timestamp;
}

vfs:vop:vop_read:return
/self->start/
{
	@[execname, $types ? args[0]->fi_fs : "", "ns"] =
	    quantize(timestamp - self->start);
	self->start = 0;
}

END
{
	printa("  %s %s %s%@d\n", @);
	trunc(@);
}
