#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * soerrors.d - calls about sockets that fail
 *
 * Prints a line for each call about a socket that fails.  Calls that have
 * nothing to do yet on a socket that does not block (EAGAIN, EINPROGRESS) are
 * left out, unless -a is given.
 *
 * FIELDS
 *	PID	process
 *	PROCESS	program
 *	SYSCALL	system call
 *	ERR	error number
 *	ERROR	its name
 *
 * EXAMPLES
 *	soerrors.d -n nginx
 */
#pragma D option quiet
#pragma D option beginfirst
#pragma D option switchrate=10hz

#pragma D usage "Show calls about sockets that fail."
#pragma D parameter all -a bool "also those that have nothing to do yet"
#pragma D parameter name -n string = "" "only programs of this name"

string
error_name(int error)
{
	if (error == EAGAIN)
		return "EAGAIN";
	if (error == EINPROGRESS)
		return "EINPROGRESS";
	if (error == EINTR)
		return "EINTR";
	if (error == EBADF)
		return "EBADF";
	if (error == EACCES)
		return "EACCES";
	if (error == EPERM)
		return "EPERM";
	if (error == EINVAL)
		return "EINVAL";
	if (error == ENOENT)
		return "ENOENT";
	if (error == EPIPE)
		return "EPIPE";
	if (error == ENOTSOCK)
		return "ENOTSOCK";
	if (error == ENOTCONN)
		return "ENOTCONN";
	if (error == EISCONN)
		return "EISCONN";
	if (error == EADDRINUSE)
		return "EADDRINUSE";
	if (error == EADDRNOTAVAIL)
		return "EADDRNOTAVAIL";
	if (error == ENETUNREACH)
		return "ENETUNREACH";
	if (error == EHOSTUNREACH)
		return "EHOSTUNREACH";
	if (error == ECONNREFUSED)
		return "ECONNREFUSED";
	if (error == ECONNRESET)
		return "ECONNRESET";
	if (error == ECONNABORTED)
		return "ECONNABORTED";
	if (error == ETIMEDOUT)
		return "ETIMEDOUT";
	if (error == EMSGSIZE)
		return "EMSGSIZE";
	if (error == EAFNOSUPPORT)
		return "EAFNOSUPPORT";
	if (error == EPROTONOSUPPORT)
		return "EPROTONOSUPPORT";
	if (error == EOPNOTSUPP)
		return "EOPNOTSUPP";
	if (error == ENOPROTOOPT)
		return "ENOPROTOOPT";
	if (error == EMFILE)
		return "EMFILE";
	if (error == ENOBUFS)
		return "ENOBUFS";
	return "";
}

BEGIN
{
	printf("%6s %-16s %-12s %4s %s\n", "PID", "PROCESS", "SYSCALL", "ERR", "ERROR");
}

syscall::connect:return, syscall::accept:return, syscall::accept4:return, syscall::bind:return,
syscall::listen:return, syscall::sendto:return, syscall::sendmsg:return, syscall::recvfrom:return,
syscall::recvmsg:return, syscall::shutdown:return, syscall::setsockopt:return, syscall::getsockopt:return,
syscall::socket:return
/errno && ($all || (errno != EAGAIN && errno != EINPROGRESS)) && ($name == "" || $name == execname)/
{
	printf("%6d %-16s %-12s %4d %s\n", pid, execname, probefunc, errno, error_name(errno));
}
