/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What /proc says about threads and processes.
 *
 * Names are those that a process gave itself: control characters are replaced.
 */
#include "cmd/prstat.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static ssize_t read_text(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return -1;

	ssize_t n = read(fd, text, size - 1);

	close(fd);
	if (n >= 0)
		text[n] = '\0';
	return n;
}

/* pid (name) letter ...: the name may contain anything, also ") ". */
static bool read_stat(const char *directory, struct thread *thread)
{
	char path[96], text[2048], *name, *end;
	unsigned long user, system, size;
	long resident;

	snprintf(path, sizeof(path), "%s/stat", directory);
	if (read_text(path, text, sizeof(text)) <= 0)
		return false;
	name = strchr(text, '(');
	end = strrchr(text, ')');
	if (!name || !end || end < name ||
	    sscanf(end + 1,
		   " %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu %*d %*d %ld %ld %ld %*d %lu %lu %ld",
		   &thread->letter, &user, &system, &thread->priority,
		   &thread->nice, &thread->nthreads, &thread->started, &size,
		   &resident) != 9)
		return false;
	*end = '\0';
	snprintf(thread->name, sizeof(thread->name), "%s", name + 1);
	for (char *c = thread->name; *c; c++)
		if (iscntrl((unsigned char)*c))
			*c = '?';
	thread->ticks = user + system;
	thread->size = size / 1024;
	thread->resident = (uint64_t)resident *
			   (uint64_t)sysconf(_SC_PAGESIZE) / 1024;
	return true;
}

/* Where a thread is that was not traced yet. */
static enum state state_of(const char *directory, char letter)
{
	char path[96], call[32];

	if (letter == 'R')
		return USR;
	snprintf(path, sizeof(path), "%s/syscall", directory);
	return read_text(path, call, sizeof(call)) > 0 &&
			       isdigit((unsigned char)*call) &&
			       atoi(call) == SYS_futex
		       ? LCK
		       : SLP;
}

static bool is_wanted(const struct wanted *wanted, uid_t uid)
{
	for (size_t i = 0; i < wanted->nuids; i++)
		if (wanted->uids[i] == uid)
			return true;
	return !wanted->nuids;
}

static void add(struct threads *threads, const struct threads *before,
		const struct wanted *wanted, const char *directory, int pid,
		int tid)
{
	struct stat stat;

	if (threads->n % 256 == 0)
		threads->all = tool_must(
			realloc(threads->all,
				(threads->n + 256) * sizeof(struct thread)));

	struct thread *thread = &threads->all[threads->n];
	const struct thread *known = threads_find(before, tid);

	memset(thread, 0, sizeof(*thread));
	thread->pid = pid;
	thread->tid = tid;
	if (!read_stat(directory, thread))
		return;
	if (!lstat(directory, &stat))
		thread->uid = stat.st_uid;
	if (!is_wanted(wanted, thread->uid))
		return;
	if (known && known->started == thread->started) {
		thread->micro = known->micro;
		thread->micro.is_new = false;
		thread->last_ticks = known->ticks;
	} else {
		thread->micro.is_new = true;
		thread->micro.state = state_of(directory, thread->letter);
	}
	threads->n++;
}

static void add_tasks(struct threads *threads, const struct threads *before,
		      const struct wanted *wanted, int pid)
{
	char path[64], task[96];

	snprintf(path, sizeof(path), "/proc/%d/task", pid);

	DIR *directory = opendir(path);

	if (!directory)
		return;
	for (struct dirent *entry; (entry = readdir(directory));) {
		int tid = atoi(entry->d_name);

		snprintf(task, sizeof(task), "%s/%d", path, tid);
		if (tid > 0)
			add(threads, before, wanted, task, pid, tid);
	}
	closedir(directory);
}

static void add_process(struct threads *threads, const struct threads *before,
			const struct wanted *wanted, int pid)
{
	char path[64];

	if (wanted->has_threads) {
		add_tasks(threads, before, wanted, pid);
		return;
	}
	snprintf(path, sizeof(path), "/proc/%d", pid);
	add(threads, before, wanted, path, pid, pid);
}

static int compare(const void *a, const void *b)
{
	const struct thread *x = a, *y = b;

	return (x->tid > y->tid) - (x->tid < y->tid);
}

void threads_scan(struct threads *threads, const struct wanted *wanted)
{
	struct threads before = *threads;

	memset(threads, 0, sizeof(*threads));
	for (size_t i = 0; i < wanted->npids; i++)
		add_process(threads, &before, wanted, wanted->pids[i]);
	if (!wanted->npids) {
		DIR *directory = opendir("/proc");

		for (struct dirent *entry;
		     directory && (entry = readdir(directory));)
			if (isdigit((unsigned char)*entry->d_name))
				add_process(threads, &before, wanted,
					    atoi(entry->d_name));
		if (directory)
			closedir(directory);
	}
	if (threads->n)
		qsort(threads->all, threads->n, sizeof(struct thread), compare);
	free(before.all);
}

struct thread *threads_find(const struct threads *threads, int tid)
{
	struct thread key = { .tid = tid };

	return threads->n ? bsearch(&key, threads->all, threads->n,
				    sizeof(struct thread), compare)
			  : NULL;
}
