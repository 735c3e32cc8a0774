/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * The agent's connection with the tracer (message.h).  Threads of the program send,
 * too; one of ours receives.  What cannot be sent ends it.
 */

#include "message.h"

struct message {
	uint32_t size;
	uint8_t bytes[4096];
};

/* What does not fit is left out. */
void message_word(struct message *message, uint32_t word);
void message_text(struct message *message, const char *text);

bool connection_open(const char *path);
/* Later calls send nothing. */
void connection_close(void);
/* Shut down: who receives finds the end. */
void connection_end(void);

void connection_send(uint32_t kind, const struct message *message);
/* JAVA_HOLD: numbered in the order in which they are sent. */
uint32_t connection_send_hold(void);
/* False: that was the end. */
bool connection_receive(void *bytes, size_t size);
