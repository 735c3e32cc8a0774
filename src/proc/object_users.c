/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Processes by the objects that they execute.
 *
 * All of /proc is read at first; then the kernel reports what processes map.  A
 * child executes what its parent does, until it executes something else.
 */
#include "proc/object_users.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "proc/module.h"
#include "proc/process.h"
#include "proc/symbols.h"

static bool path_answers(const char *path, const char *name)
{
	const char *slash = strrchr(path, '/');
	const struct module module = {
		.path = (char *)(uintptr_t)path,
		.name = slash ? slash + 1 : path,
	};

	return module_answers(&module, name);
}

bool object_user_answers(const struct object_user *user, const char *name)
{
	return path_answers(user->path, name);
}

bool object_users_add_name(struct object_users *all, const char *name)
{
	for (size_t i = 0; i < all->nnames; i++)
		if (!strcmp(all->names[i], name))
			return false;
	all->names = must_realloc(all->names,
				  (all->nnames + 1) * sizeof(*all->names));
	all->names[all->nnames++] = name;
	return true;
}

static bool is_wanted(const struct object_users *all, const char *path)
{
	for (size_t i = 0; i < all->nnames; i++)
		if (path_answers(path, all->names[i]))
			return true;
	return false;
}

static void add_user(struct object_users *all, pid_t pid, const char *path)
{
	for (size_t i = 0; i < all->nusers; i++)
		if (all->users[i].pid == pid &&
		    !strcmp(all->users[i].path, path))
			return;
	all->users = must_realloc(all->users, checked_mul(all->nusers + 1,
							  sizeof(*all->users)));
	all->users[all->nusers++] = (struct object_user){
		.pid = pid,
		.path = must_strdup(path),
	};
	all->nfound++;
}

int object_users_look_at(struct object_users *all, pid_t pid)
{
	struct maps *maps = &all->processes->maps;
	int error = maps_read(maps, pid);
	struct maps_line line;

	while (!error && maps_next(maps, &line, true))
		if (line.inode && *line.path == '/' &&
		    is_wanted(all, line.path))
			add_user(all, pid, line.path);
	return error;
}

void object_users_look_at_all(struct object_users *all)
{
	DIR *directory = opendir("/proc");

	all->ndenied = 0;
	if (!directory)
		return;
	for (const struct dirent *entry; (entry = readdir(directory));) {
		if (!isdigit((unsigned char)entry->d_name[0]))
			continue;
		int error = object_users_look_at(all, atoi(entry->d_name));

		all->ndenied += error == -EACCES || error == -EPERM;
	}
	closedir(directory);
}

/* ---------------------------------------------------------- while tracing */

static void forget(struct object_users *all, pid_t pid)
{
	size_t kept = 0;

	for (size_t i = 0; i < all->nusers; i++) {
		if (all->users[i].pid == pid)
			free(all->users[i].path);
		else
			all->users[kept++] = all->users[i];
	}
	all->nusers = kept;
}

static void hear(void *context, const struct map_event *event)
{
	struct object_users *all = context;
	size_t before = all->nusers;

	if (event->kind == MAP_EVENT_EXIT)
		forget(all, (pid_t)event->pid);
	if (event->kind == MAP_EVENT_MAP && event->inode &&
	    is_wanted(all, event->path))
		add_user(all, (pid_t)event->pid, event->path);
	if (event->kind != MAP_EVENT_FORK || event->pid == event->parent)
		return;
	for (size_t i = 0; i < before; i++)
		if (all->users[i].pid == (pid_t)event->parent)
			add_user(all, (pid_t)event->pid, all->users[i].path);
}

bool object_users_follow(struct object_users *all)
{
	bool is_first = !all->is_following;

	if (is_first) {
		all->is_following = true;
		all->listener.hear = hear;
		all->listener.context = all;
		processes_listen(all->processes, &all->listener);
	}
	processes_poll(all->processes);
	if (is_first || all->listener.has_lost) {
		all->listener.has_lost = false;
		object_users_look_at_all(all);
	}
	/* others poll, too, so some may have been heard before */
	bool is_new = all->nfound != all->nreported;

	all->nreported = all->nfound;
	return is_new;
}

void object_users_free(struct object_users *all)
{
	if (all->is_following)
		processes_unlisten(all->processes, &all->listener);
	for (size_t i = 0; i < all->nusers; i++)
		free(all->users[i].path);
	free(all->users);
	free(all->names);
}
