/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * The tracer's side of the agent in a Java virtual machine (java/message.h): which
 * methods it has found, which of them have probes.
 *
 * What comes from it is another user's word: sizes are checked, names are made
 * printable, and what is kept is charged to the budget.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct budget;

struct java_method {
	uint32_t class, method; /* the agent's numbers */
	uint32_t modifiers;	/* java/message.h */
	const char *class_name, *name, *descriptor;
	const char *problem; /* why it has no probes, or NULL */
};

struct java_agent;

/* NULL: *problem (from malloc) says why. */
struct java_agent *java_agent_new(pid_t pid, struct budget *budget,
				  char **problem);
struct java_attached;
/* Of an agent that is there: both descriptors become its own. */
struct java_agent *java_agent_of(pid_t pid, struct budget *budget,
				 const struct java_attached *attached);
/* Takes everything back, and waits for that. */
void java_agent_free(struct java_agent *agent);

/* The file with the sites, and where one is. */
const char *java_agent_path(const struct java_agent *agent);
uint64_t java_agent_site(uint32_t site);

/*
 * Methods that match, and with `watches` those of classes that come later.  The
 * same is asked once.  False: the connection has ended.
 */
bool java_agent_search(struct java_agent *agent, const char *class,
		       const char *method, bool watches);
/* Have a class loaded, of a program that has not begun. */
void java_agent_load(struct java_agent *agent, const char *class);
/* All that were found, in this order, which grows. */
size_t java_agent_count(const struct java_agent *agent);
struct java_method *java_agent_method(struct java_agent *agent, size_t n);

/* Has anything been found meanwhile?  Does not wait. */
bool java_agent_poll(struct java_agent *agent);
/* Classes that are held may be used: their methods have their probes. */
void java_agent_go(struct java_agent *agent);
/* Is it still there? */
bool java_agent_is_gone(const struct java_agent *agent);

/* A method gets a probe at the next apply. */
void java_agent_probe(struct java_agent *agent,
		      const struct java_method *method, bool leaves,
		      uint32_t site, uint32_t number, uint32_t wants);
/* How many were refused; java_method.problem says why.  -1: it is gone. */
int java_agent_apply(struct java_agent *agent, uint32_t string_bytes);
/* Take all of them away, without waiting. */
void java_agent_stop(struct java_agent *agent);
