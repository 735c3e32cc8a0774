/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Notes: what users should know about a description that was accepted.
 *
 * A description is evaluated several times on its way to the kernel; a note
 * about it is printed once.
 */
#include <stdarg.h>

#include "probe/registry.h"

void registry_set_say(struct probe_registry *registry,
		      void (*say)(void *data, const char *note), void *data)
{
	registry->say = say;
	registry->say_data = data;
}

void registry_note(struct probe_registry *registry, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	const char *note = arena_vprintf(registry->arena, format, args);

	va_end(args);
	struct str key = str_of(note);

	if (!registry->say || table_get(&registry->notes, key))
		return;
	table_put(&registry->notes, key, registry);
	registry->say(registry->say_data, note);
}
