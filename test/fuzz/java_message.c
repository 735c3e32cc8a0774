/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libFuzzer target: any bytes over the connection between dtrace and its agent in a
 * Java virtual machine, in both directions.
 *
 * What the agent says is another user's word: dtrace reads it from a real socket,
 * asks, applies and ends as always, and the names that it got must be printable.
 * What comes to the agent is read as its commands.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "java/command.h"
#include "proc/java_agent.h"
#include "proc/java_attach.h"

static void check_text(const char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < ' ' || *text == 0x7f)
			abort();
}

static void check_methods(struct java_agent *agent)
{
	for (size_t i = 0; i < java_agent_count(agent); i++) {
		const struct java_method *method = java_agent_method(agent, i);

		check_text(method->class_name);
		check_text(method->name);
		check_text(method->descriptor);
		if (method->problem)
			check_text(method->problem);
		if (!*method->class_name || !*method->name)
			abort();
		java_agent_probe(agent, method, i & 1, (uint32_t)i, 1, ~0u);
	}
}

static void to_tracer(const uint8_t *bytes, size_t size)
{
	int ends[2], room = 1 << 20;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
		abort();
	setsockopt(ends[1], SOL_SOCKET, SO_SNDBUF, &room, sizeof(room));
	if (send(ends[1], bytes, size, MSG_NOSIGNAL | MSG_DONTWAIT) !=
	    (ssize_t)size)
		abort();
	shutdown(ends[1], SHUT_WR);
	struct java_attached attached = {
		.socket = ends[0],
		.file = open("/dev/null", O_RDONLY | O_CLOEXEC),
	};
	struct java_agent *agent = java_agent_of(getpid(), NULL, &attached);

	java_agent_search(agent, "*", "*", true);
	check_methods(agent);
	java_agent_apply(agent, 256);
	java_agent_poll(agent);
	java_agent_go(agent);
	check_methods(agent);
	java_agent_free(agent);
	close(ends[1]);
}

static void to_agent(const uint8_t *bytes, size_t size)
{
	struct java_command command;
	struct java_head head;

	while (size >= sizeof(head)) {
		memcpy(&head, bytes, sizeof(head));
		bytes += sizeof(head);
		size -= sizeof(head);
		if (head.size > size)
			return;
		/* memory of its own, whose end is noticed */
		uint8_t *own = malloc(head.size + 1);

		if (!own)
			abort();
		memcpy(own, bytes, head.size);
		if (command_read(head.kind, own, head.size, &command) &&
		    command.kind == JAVA_SEARCH &&
		    strlen(command.class) + strlen(command.method) > size)
			abort();
		command_free(&command);
		free(own);
		bytes += head.size;
		size -= head.size;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	if (!size)
		return 0;
	if (bytes[0] & 1)
		to_agent(bytes + 1, size - 1);
	else
		to_tracer(bytes + 1, size - 1);
	return 0;
}
