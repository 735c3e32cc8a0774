/* SPDX-License-Identifier: Apache-2.0 */
#include "proc/java_agent.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/budget.h"
#include "base/table.h"
#include "base/text.h"
#include "base/vec.h"
#include "java/machine.h"
#include "java/message.h"
#include "proc/java_attach.h"

enum { ANSWER_MS = 60000, STOP_MS = 20000 };

struct java_agent {
	struct arena *arena;
	struct budget *budget;
	uint64_t charged;
	pid_t pid;
	struct java_attached attached;
	char path[32];
	struct vec methods;
	struct table by_number; /* class and method -> struct java_method */
	struct table asked;	/* searches */
	uint8_t *buffer;
	size_t size, room;	 /* of what has come and is not read */
	uint32_t held, released; /* numbers of classes that waited */
	uint32_t ndone, nrefused;
	bool is_gone, is_stopped;
};

/* --------------------------------------------------------------- messages */

static void lose(struct java_agent *agent)
{
	agent->is_gone = true;
}

static void send_bytes(struct java_agent *agent, const void *bytes, size_t size)
{
	const char *at = bytes;

	while (size && !agent->is_gone) {
		ssize_t n = send(agent->attached.socket, at, size,
				 MSG_NOSIGNAL);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			lose(agent);
		if (n <= 0)
			return;
		at += n;
		size -= (size_t)n;
	}
}

static void send_text(struct java_agent *agent, uint32_t kind,
		      const struct text *body)
{
	struct java_head head = { kind, body ? (uint32_t)body->n : 0 };

	if (head.size > JAVA_MESSAGE_MOST)
		return;
	send_bytes(agent, &head, sizeof(head));
	if (body)
		send_bytes(agent, body->p, body->n);
}

static void add_word(struct text *body, uint32_t word)
{
	text_add(body, (const char *)&word, sizeof(word));
}

static void add_string(struct text *body, const char *string)
{
	add_word(body, (uint32_t)strlen(string));
	text_puts(body, string);
}

/* Names are for people: control characters are none of them. */
static const char *read_string(struct java_agent *agent,
			       struct java_reader *reader)
{
	uint32_t length = java_read_word(reader);

	if (reader->is_bad || length > (size_t)(reader->end - reader->at) ||
	    (agent->budget && !budget_hold(agent->budget, length + 1))) {
		reader->is_bad = true;
		return "";
	}
	agent->charged += length + 1;
	char *copy = arena_alloc(agent->arena, length + 1);

	for (uint32_t i = 0; i < length; i++)
		copy[i] = reader->at[i] < ' ' || reader->at[i] == 0x7f
				  ? '?'
				  : (char)reader->at[i];
	copy[length] = '\0';
	reader->at += length;
	return copy;
}

static struct str number_of(const uint32_t key[2])
{
	return (struct str){ (const char *)key, 2 * sizeof(*key) };
}

static const char *problem_of(uint32_t modifiers)
{
	if (modifiers & JAVA_NATIVE)
		return "it is native: it has no bytecode (its C function is a probe of the pid provider)";
	if (modifiers & JAVA_ABSTRACT)
		return "it is abstract: it has no bytecode (methods that implement it have)";
	if (modifiers & JAVA_UNMODIFIABLE)
		return "the virtual machine does not let its class be changed";
	return NULL;
}

static void take_method(struct java_agent *agent, struct java_reader *reader)
{
	uint32_t key[2] = { java_read_word(reader), 0 };

	key[1] = java_read_word(reader);
	uint32_t modifiers = java_read_word(reader);

	if (reader->is_bad || table_get(&agent->by_number, number_of(key)))
		return;
	struct java_method *method = arena_alloc(agent->arena, sizeof(*method));

	*method = (struct java_method){
		.class = key[0],
		.method = key[1],
		.modifiers = modifiers,
		.problem = problem_of(modifiers),
	};
	method->class_name = read_string(agent, reader);
	method->name = read_string(agent, reader);
	method->descriptor = read_string(agent, reader);
	if (reader->is_bad || !*method->class_name || !*method->name)
		return;
	table_put(&agent->by_number,
		  (struct str){ (const char *)&method->class, sizeof(key) },
		  method);
	vec_push(&agent->methods, method);
}

static void take_refused(struct java_agent *agent, struct java_reader *reader)
{
	uint32_t key[2] = { java_read_word(reader), 0 };

	key[1] = java_read_word(reader);
	struct java_method *method = table_get(&agent->by_number,
					       number_of(key));
	const char *why = read_string(agent, reader);

	if (reader->is_bad || !method || method->problem)
		return;
	method->problem = why;
	agent->nrefused++;
}

static void take(struct java_agent *agent, uint32_t kind, const uint8_t *bytes,
		 uint32_t size)
{
	struct java_reader reader = { bytes, bytes + size, false };

	switch (kind) {
	case JAVA_METHOD:
		take_method(agent, &reader);
		break;
	case JAVA_REFUSED:
		take_refused(agent, &reader);
		break;
	case JAVA_HOLD:
		agent->held = java_read_word(&reader);
		break;
	case JAVA_DONE:
		agent->ndone++;
		break;
	case JAVA_HELLO:
		if (java_read_word(&reader) != JAVA_VERSION)
			lose(agent);
		break;
	default:
		lose(agent);
	}
}

static void take_all(struct java_agent *agent)
{
	struct java_head head;
	size_t at = 0;

	while (!agent->is_gone && agent->size - at >= sizeof(head)) {
		memcpy(&head, agent->buffer + at, sizeof(head));
		if (head.size > JAVA_MESSAGE_MOST) {
			lose(agent);
			return;
		}
		if (agent->size - at - sizeof(head) < head.size)
			break;
		take(agent, head.kind, agent->buffer + at + sizeof(head),
		     head.size);
		at += sizeof(head) + head.size;
	}
	memmove(agent->buffer, agent->buffer + at, agent->size - at);
	agent->size -= at;
}

/* Waits so long for something; false: nothing came. */
static bool receive(struct java_agent *agent, int wait_ms)
{
	struct pollfd poll_fd = { .fd = agent->attached.socket,
				  .events = POLLIN };

	if (agent->is_gone || poll(&poll_fd, 1, wait_ms) != 1)
		return false;
	ssize_t n = recv(agent->attached.socket, agent->buffer + agent->size,
			 agent->room - agent->size, MSG_DONTWAIT);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return true;
	if (n <= 0) {
		lose(agent);
		return false;
	}
	agent->size += (size_t)n;
	take_all(agent);
	return true;
}

/* Waits for the answer to what was sent last. */
static bool await(struct java_agent *agent, uint32_t done, int wait_ms)
{
	while (agent->ndone == done && !agent->is_gone)
		if (!receive(agent, wait_ms) && !agent->is_gone)
			lose(agent);
	return !agent->is_gone;
}

/* ------------------------------------------------------------------- life */

struct java_agent *java_agent_of(pid_t pid, struct budget *budget,
				 const struct java_attached *attached)
{
	struct java_agent *agent = must_alloc(sizeof(*agent));

	*agent = (struct java_agent){
		.arena = arena_new(),
		.budget = budget,
		.pid = pid,
		.attached = *attached,
		.room = sizeof(struct java_head) + JAVA_MESSAGE_MOST,
	};
	agent->buffer = must_alloc(agent->room);
	snprintf(agent->path, sizeof(agent->path), "/proc/self/fd/%d",
		 attached->file);
	return agent;
}

struct java_agent *java_agent_new(pid_t pid, struct budget *budget,
				  char **problem)
{
	struct java_attached attached;
	struct text why = { 0 };
	int error = java_attach(pid, &attached, &why);

	if (error)
		*problem = strdup(text_str(&why));
	text_free(&why);
	return error ? NULL : java_agent_of(pid, budget, &attached);
}

void java_agent_stop(struct java_agent *agent)
{
	if (!agent->is_stopped)
		send_text(agent, JAVA_STOP, NULL);
	agent->is_stopped = true;
}

void java_agent_free(struct java_agent *agent)
{
	uint32_t done = agent->ndone;

	java_agent_stop(agent);
	await(agent, done, STOP_MS);
	close(agent->attached.socket);
	close(agent->attached.file);
	if (agent->budget)
		budget_release(agent->budget, agent->charged);
	table_free(&agent->by_number);
	table_free(&agent->asked);
	vec_free(&agent->methods);
	free(agent->buffer);
	arena_free(agent->arena);
	free(agent);
}

const char *java_agent_path(const struct java_agent *agent)
{
	return agent->path;
}

uint64_t java_agent_site(uint32_t site)
{
	return java_agent_sites + (uint64_t)site * JAVA_SITE_BYTES +
	       MACHINE_SITE_NOP;
}

/* ---------------------------------------------------------------- methods */

bool java_agent_search(struct java_agent *agent, const char *class,
		       const char *method, bool watches)
{
	char *key = arena_printf(agent->arena, "%s:%s:%d", class, method,
				 watches);
	struct str text = { key, strlen(key) };
	struct text body = { 0 };
	uint32_t done = agent->ndone;

	if (agent->is_gone || agent->is_stopped)
		return false;
	if (table_get(&agent->asked, text))
		return true;
	table_put(&agent->asked, text, agent);
	add_word(&body, watches);
	add_string(&body, class);
	add_string(&body, method);
	send_text(agent, JAVA_SEARCH, &body);
	text_free(&body);
	return await(agent, done, ANSWER_MS);
}

void java_agent_load(struct java_agent *agent, const char *class)
{
	struct text body = { 0 };

	add_string(&body, class);
	send_text(agent, JAVA_LOAD, &body);
	text_free(&body);
}

size_t java_agent_count(const struct java_agent *agent)
{
	return agent->methods.count;
}

struct java_method *java_agent_method(struct java_agent *agent, size_t n)
{
	return vec_at(&agent->methods, n, struct java_method);
}

bool java_agent_poll(struct java_agent *agent)
{
	size_t before = agent->methods.count;

	while (receive(agent, 0))
		;
	return agent->methods.count != before;
}

void java_agent_go(struct java_agent *agent)
{
	struct text body = { 0 };

	if (agent->held == agent->released)
		return;
	agent->released = agent->held;
	add_word(&body, agent->held);
	send_text(agent, JAVA_GO, &body);
	text_free(&body);
}

bool java_agent_is_gone(const struct java_agent *agent)
{
	return agent->is_gone;
}

void java_agent_probe(struct java_agent *agent,
		      const struct java_method *method, bool leaves,
		      uint32_t site, uint32_t number, uint32_t wants)
{
	struct text body = { 0 };

	add_word(&body, method->class);
	add_word(&body, method->method);
	add_word(&body, leaves);
	add_word(&body, site);
	add_word(&body, number);
	add_word(&body, wants);
	send_text(agent, JAVA_PROBE, &body);
	text_free(&body);
}

int java_agent_apply(struct java_agent *agent, uint32_t string_bytes)
{
	struct text body = { 0 };
	uint32_t done = agent->ndone, refused = agent->nrefused;

	add_word(&body, string_bytes);
	send_text(agent, JAVA_APPLY, &body);
	text_free(&body);
	return await(agent, done, ANSWER_MS) ? (int)(agent->nrefused - refused)
					     : -1;
}
