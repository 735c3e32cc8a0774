/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* Long options of the fleet's commands: a table for reading and for --help. */

#include <stddef.h>

enum command_kind { COMMAND_TEXT, COMMAND_LIST, COMMAND_FLAG, COMMAND_NUMBER };

struct command_option {
	const char *name, *value, *about;
	size_t offset;		/* of a member of the command's own struct */
	enum command_kind kind; /* const char *; with commas; bool; int */
	char letter;		/* or 0 */
};

#define COMMAND(type, member, k, n, v, a) \
	{ .name = n, .value = v, .about = a, .offset = offsetof(type, member), \
	  .kind = COMMAND_##k }
/* With a letter, too. */
#define COMMAND_SHORT(l, type, member, k, n, v, a) \
	{ .name = n, .value = v, .about = a, .offset = offsetof(type, member), \
	  .kind = COMMAND_##k, .letter = l }

#define COMMAND_NATS(type, bus) \
	COMMAND(type, bus.url, TEXT, "nats", "URL,...", \
		"servers: nats://HOST:4222, tls://HOST:4222"), \
	COMMAND(type, bus.creds, TEXT, "creds", "FILE", \
		"credentials, as nsc makes them"), \
	COMMAND(type, bus.user, TEXT, "user", "NAME", \
		"user of the server's configuration"), \
	COMMAND(type, bus.password, TEXT, "password", "TEXT", \
		"and the password (or DTLIVE_PASSWORD)"), \
	COMMAND(type, bus.ca, TEXT, "tls-ca", "FILE", \
		"authority that signed the server's certificate"), \
	COMMAND(type, bus.cert, TEXT, "tls-cert", "FILE", \
		"certificate of this client"), \
	COMMAND(type, bus.key, TEXT, "tls-key", "FILE", "and its key"), \
	COMMAND(type, bus.as, TEXT, "as", "NAME", \
		"user in subjects, if not that of --user"), \
	COMMAND(type, bus.replicas, NUMBER, "replicas", "N", \
		"copies of streams in a cluster")

/*
 * Sets members of `into`.  0: go on; -1: help was shown; otherwise the status
 * to exit with.  `rest`: where words that are no options begin; NULL: there are
 * none.
 */
int command_read(const char *name, const struct command_option *options,
		 void *into, int argc, char **argv, int *rest);
