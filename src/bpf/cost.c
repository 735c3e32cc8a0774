/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every program and every map of a session is a descriptor of this process, and
 * /proc/self/fdinfo says what each has cost.  So nothing has to be registered
 * here, and nothing can be forgotten.
 */
#include "bpf/cost.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bpf/sys.h"

int bpf_cost_measure(void)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.enable_stats.type = BPF_STATS_RUN_TIME;
	return sys_bpf(BPF_ENABLE_STATS, &attr, sizeof(attr.enable_stats));
}

/* The number behind "\nname:\t"; 0: there is none. */
static uint64_t number_of(const char *text, const char *name)
{
	const char *at = strstr(text, name);

	return at ? strtoull(at + strlen(name), NULL, 10) : 0;
}

static void add_descriptor(struct bpf_cost *cost, int directory,
			   const char *name)
{
	char text[1024];
	int fd = openat(directory, name, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);

	if (fd >= 0)
		close(fd);
	if (n <= 0)
		return;
	text[n] = '\0';
	cost->nanoseconds += number_of(text, "\nrun_time_ns:\t");
	cost->runs += number_of(text, "\nrun_cnt:\t");
	cost->bytes += number_of(text, "\nmemlock:\t");
}

void bpf_cost_read(struct bpf_cost *cost)
{
	DIR *list = opendir("/proc/self/fd");
	int infos = open("/proc/self/fdinfo", O_PATH | O_DIRECTORY | O_CLOEXEC);
	const struct dirent *entry;

	*cost = (struct bpf_cost){ 0 };
	while (list && infos >= 0 && (entry = readdir(list))) {
		char what[32];
		ssize_t n = readlinkat(dirfd(list), entry->d_name, what,
				       sizeof(what) - 1);

		what[n > 0 ? n : 0] = '\0';
		if (!strcmp(what, "anon_inode:bpf-prog") ||
		    !strcmp(what, "anon_inode:bpf-map"))
			add_descriptor(cost, infos, entry->d_name);
	}
	sys_close(infos);
	if (list)
		closedir(list);
}
