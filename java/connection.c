/* SPDX-License-Identifier: Apache-2.0 */
#include "connection.h"

#include <errno.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

enum { SEND_SECONDS = 5 };

/* Of this copy of the agent. */
static struct {
	int fd;
	pthread_mutex_t sending;
	uint32_t nheld; /* classes that wait have numbers */
} connection = { .fd = -1, .sending = PTHREAD_MUTEX_INITIALIZER };

void message_word(struct message *message, uint32_t word)
{
	if (sizeof(message->bytes) - message->size < sizeof(word))
		return;
	memcpy(message->bytes + message->size, &word, sizeof(word));
	message->size += (uint32_t)sizeof(word);
}

void message_text(struct message *message, const char *text)
{
	size_t room = sizeof(message->bytes) - message->size, length;

	if (room < sizeof(uint32_t))
		return;
	length = strlen(text);
	if (length > room - sizeof(uint32_t))
		length = room - sizeof(uint32_t);
	message_word(message, (uint32_t)length);
	memcpy(message->bytes + message->size, text, length);
	message->size += (uint32_t)length;
}

void connection_end(void)
{
	shutdown(connection.fd, SHUT_RDWR);
}

static bool send_all(const void *bytes, size_t size)
{
	const char *at = bytes;

	while (size) {
		ssize_t n = send(connection.fd, at, size, MSG_NOSIGNAL);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		at += n;
		size -= (size_t)n;
	}
	return true;
}

void connection_send(uint32_t kind, const struct message *message)
{
	struct java_head head = { kind, message ? message->size : 0 };

	pthread_mutex_lock(&connection.sending);
	if (!send_all(&head, sizeof(head)) ||
	    (message && !send_all(message->bytes, message->size)))
		connection_end();
	pthread_mutex_unlock(&connection.sending);
}

uint32_t connection_send_hold(void)
{
	struct java_head head = { JAVA_HOLD, sizeof(uint32_t) };

	pthread_mutex_lock(&connection.sending);
	uint32_t number = ++connection.nheld;

	if (!send_all(&head, sizeof(head)) ||
	    !send_all(&number, sizeof(number)))
		connection_end();
	pthread_mutex_unlock(&connection.sending);
	return number;
}

bool connection_receive(void *bytes, size_t size)
{
	char *at = bytes;

	while (size) {
		ssize_t n = recv(connection.fd, at, size, 0);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		at += n;
		size -= (size_t)n;
	}
	return true;
}

bool connection_open(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	struct timeval limit = { .tv_sec = SEND_SECONDS };

	if (strlen(path) >= sizeof(address.sun_path))
		return false;
	strcpy(address.sun_path, path);
	connection.fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (connection.fd < 0)
		return false;
	setsockopt(connection.fd, SOL_SOCKET, SO_SNDTIMEO, &limit,
		   sizeof(limit));
	return !connect(connection.fd, (const struct sockaddr *)&address,
			sizeof(address));
}

void connection_close(void)
{
	pthread_mutex_lock(&connection.sending);
	if (connection.fd >= 0)
		close(connection.fd);
	connection.fd = -1;
	pthread_mutex_unlock(&connection.sending);
}
