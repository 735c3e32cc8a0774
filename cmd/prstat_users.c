/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Users: the names of their ids, and what all their processes use together.
 *
 * A user is kept as a process whose numbers are sums, so that what orders
 * processes orders users, too.  A page that processes share is counted for each.
 */
#include "cmd/prstat.h"

#include <pwd.h>
#include <stdlib.h>
#include <string.h>

const char *user_name(struct users *users, uid_t uid)
{
	size_t i = 0;

	while (i < users->nnames && users->names[i].uid != uid)
		i++;
	if (i == USER_NAMES)
		i = users->nnames = 0;
	if (i == users->nnames) {
		const struct passwd *entry = getpwuid(uid);
		struct user_name *user = &users->names[users->nnames++];

		user->uid = uid;
		if (entry)
			snprintf(user->name, sizeof(user->name), "%s",
				 entry->pw_name);
		else
			snprintf(user->name, sizeof(user->name), "%u", uid);
	}
	return users->names[i].name;
}

bool user_id(const char *text, uid_t *uid)
{
	const struct passwd *entry = getpwnam(text);
	char *end;

	if (entry) {
		*uid = entry->pw_uid;
		return true;
	}

	unsigned long number = strtoul(text, &end, 10);

	*uid = (uid_t)number;
	return *text >= '0' && *text <= '9' && !*end && number < UINT32_MAX;
}

void users_sum(struct users *users, const struct thread *rows, size_t nrows)
{
	users->nsums = 0;
	for (size_t i = 0; i < nrows; i++) {
		const struct thread *row = &rows[i];
		size_t at = 0;

		while (at < users->nsums && users->sums[at].uid != row->uid)
			at++;
		if (at == users->nsums) {
			if (users->nsums % 64 == 0)
				users->sums = tool_must(realloc(
					users->sums,
					(users->nsums + 64) * sizeof(*row)));
			memset(&users->sums[at], 0, sizeof(*row));
			users->sums[at].uid = row->uid;
			users->sums[at].priority = row->priority;
			users->nsums++;
		}

		struct thread *user = &users->sums[at];

		user->cpu += row->cpu;
		user->ticks += row->ticks;
		if (row->priority < user->priority)
			user->priority = row->priority;
		/* threads of a process have the same memory */
		if (row->tid != row->pid)
			continue;
		user->nprocesses++;
		user->size += row->size;
		user->resident += row->resident;
	}
}
