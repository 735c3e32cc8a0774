/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Loads the agent (java/) into a running Java virtual machine, by the socket that
 * HotSpot has for that purpose.  The process need not be prepared; it may be in a
 * container and belong to any user.
 *
 * 1. A process that would not understand is left alone: it must have mapped libjvm
 *    and catch SIGQUIT, which is how it is asked for its socket.
 * 2. Files are made in a directory of the process's own root, which only its user
 *    can enter, and are removed as soon as the agent is loaded.
 */

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct text;

/* Has it mapped libjvm? */
bool java_has_library(pid_t pid);
/* Is it a virtual machine that can be asked? */
bool java_is_ready(pid_t pid);

struct java_attached {
	int socket; /* to the agent */
	int file;   /* the agent: programs are attached to its sites */
};

/* 0; or -1, and `problem` says why and what to do. */
int java_attach(pid_t pid, struct java_attached *attached,
		struct text *problem);

/* The agent, and where in it the sites are: made when dtrace is built. */
extern const uint8_t java_agent_bytes[], java_agent_end[];
extern const uint64_t java_agent_sites;
