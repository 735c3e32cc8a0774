#!/usr/sbin/dtrace -qs
/* SPDX-License-Identifier: Apache-2.0 */
/* Reads and writes that take long: who makes them, and who started those. */
#pragma D usage "Show reads and writes that take long, with the ancestors of the processes that make them"
#pragma D parameter min time = 10ms "how long they must take"
#pragma D parameter name string = "" "only this program"

string
parents(struct task_struct *t)
{
	string names = "";

	for (; t->pid > 1; t = t->real_parent)
		names = strjoin(names, strjoin(" < ", stringof(t->comm)));
	return names;
}

syscall::read:entry, syscall::write:entry /$name == "" || execname == $name/ { self->t = timestamp; }

syscall::read:return, syscall::write:return /self->t && timestamp - self->t > $min/
{
	printf("%6d ms %-5s%s\n", (timestamp - self->t) / 1000000, probefunc, parents(curthread));
}

syscall::read:return, syscall::write:return { self->t = 0; }
