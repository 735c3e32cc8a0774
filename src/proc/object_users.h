/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Which processes execute code of certain objects, programs or libraries, that
 * are known by their names.  Found in /proc, and followed while tracing.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "proc/map_watch.h"

struct processes;

struct object_user {
	pid_t pid;
	char *path; /* of the object, as the process sees it */
};

struct object_users {
	struct processes *processes;
	/* names of objects, as module_answers() reads them */
	const char **names;
	size_t nnames;
	struct object_user *users;
	size_t nusers;
	uint64_t nfound; /* in all, those included that have ended */
	size_t ndenied;	 /* processes that we were not permitted to examine */
	/* while tracing */
	bool is_following;
	uint64_t nreported; /* of nfound, by object_users_follow() */
	struct map_listener listener;
};

/* The name stays where it is; false: it was there already. */
bool object_users_add_name(struct object_users *all, const char *name);
/* Examine a process; 0 or a negative errno. */
int object_users_look_at(struct object_users *all, pid_t pid);
/* Examine all of them. */
void object_users_look_at_all(struct object_users *all);
/* Anything new since the last call?  The first one begins to listen. */
bool object_users_follow(struct object_users *all);
/* Is the user's object called so? */
bool object_user_answers(const struct object_user *user, const char *name);
void object_users_free(struct object_users *all);
