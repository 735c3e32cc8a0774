/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"

#include <stdlib.h>

static char *read_text(struct java_reader *reader)
{
	uint32_t length = java_read_word(reader);
	char *text;

	if (reader->is_bad || length > (size_t)(reader->end - reader->at) ||
	    !(text = malloc(length + 1))) {
		reader->is_bad = true;
		return NULL;
	}
	memcpy(text, reader->at, length);
	text[length] = '\0';
	reader->at += length;
	return text;
}

bool command_read(uint32_t kind, const uint8_t *bytes, size_t size,
		  struct java_command *command)
{
	struct java_reader in = { bytes, bytes + size, false };

	*command = (struct java_command){ .kind = kind };
	switch (kind) {
	case JAVA_SEARCH:
		command->is_watched = java_read_word(&in);
		command->class = read_text(&in);
		command->method = read_text(&in);
		break;
	case JAVA_LOAD:
		command->class = read_text(&in);
		break;
	case JAVA_PROBE:
		command->class_index = java_read_word(&in);
		command->index = java_read_word(&in);
		command->leaves = java_read_word(&in);
		command->site = java_read_word(&in);
		command->number = java_read_word(&in);
		command->wants = java_read_word(&in);
		in.is_bad |= command->site >= JAVA_SITES;
		break;
	case JAVA_APPLY:
	case JAVA_GO:
		command->word = java_read_word(&in);
		break;
	case JAVA_STOP:
		break;
	default:
		return false;
	}
	return !in.is_bad && in.at == in.end;
}

void command_free(struct java_command *command)
{
	if (command->kind != JAVA_SEARCH && command->kind != JAVA_LOAD)
		return;
	free(command->class);
	free(command->method);
	command->class = command->method = NULL;
}
