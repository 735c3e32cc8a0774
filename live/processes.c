/* SPDX-License-Identifier: Apache-2.0 */
/*
 * /proc, as a list for the page: number, name, command line, owner, time on CPUs,
 * memory, and whether it is one of the services that have metrics of their own.
 *
 * Names and command lines are chosen by others: they are text, and may be wrong
 * on purpose.  Processes may end while they are read.
 */
#include "live/processes.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "live/complaint.h"

enum { MOST_PROCESSES = 4096, LONGEST_COMMAND = 300 };

/* By the name of the program, or its beginning. */
static const struct {
	const char *name, *service;
	bool is_start;
} services[] = {
	{ "postgres", "postgres", false },  { "mariadbd", "mariadb", false },
	{ "mysqld", "mariadb", false },	    { "nginx", "nginx", false },
	{ "redis-server", "redis", false }, { "java", "java", false },
	{ "node", "node", false },	    { "python", "python", true },
	{ "ruby", "ruby", true },	    { "php", "php", true },
	{ "apache2", "apache", false },	    { "httpd", "apache", false },
};

static const char *service_of(const char *name)
{
	for (size_t i = 0; i < sizeof(services) / sizeof(*services); i++) {
		size_t n = strlen(services[i].name);

		if (services[i].is_start ? !strncmp(name, services[i].name, n)
					 : !strcmp(name, services[i].name))
			return services[i].service;
	}
	return NULL;
}

static ssize_t read_file(int directory, const char *name, char *text,
			 size_t size)
{
	int fd = openat(directory, name, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, text, size - 1);

	if (fd >= 0)
		close(fd);
	text[n > 0 ? n : 0] = '\0';
	return n;
}

/* Words of a command line end in NUL. */
static void join_words(char *text, ssize_t n)
{
	while (n > 0 && !text[n - 1])
		n--;
	for (ssize_t i = 0; i < n; i++)
		if (!text[i] || iscntrl((unsigned char)text[i]))
			text[i] = ' ';
}

struct times {
	unsigned long long user, system, start, pages;
};

/* What follows the name, which may have blanks and parentheses in it. */
static bool read_stat(int directory, char *name, size_t size,
		      struct times *times)
{
	char text[1024];

	if (read_file(directory, "stat", text, sizeof(text)) <= 0)
		return false;
	char *from = strchr(text, '('), *to = strrchr(text, ')');

	if (!from || !to || to < from)
		return false;
	*to = '\0';
	snprintf(name, size, "%s", from + 1);
	return sscanf(to + 2,
		      "%*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu "
		      "%*d %*d %*d %*d %*d %*d %llu %*u %llu",
		      &times->user, &times->system, &times->start,
		      &times->pages) == 4;
}

static json_t *owner_of(int directory)
{
	struct stat status;
	const struct passwd *user =
		fstat(directory, &status) ? NULL : getpwuid(status.st_uid);

	return user ? text_json(user->pw_name)
		    : json_sprintf("%u", (unsigned)status.st_uid);
}

/* NULL: a kernel thread, or it has ended. */
static json_t *process_json(int proc, const char *pid, double uptime)
{
	int directory = openat(proc, pid, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	char name[64], command[LONGEST_COMMAND];
	struct times times;
	json_t *process = NULL;

	if (directory < 0)
		return NULL;
	ssize_t n = read_file(directory, "cmdline", command, sizeof(command));

	if (n > 0 && read_stat(directory, name, sizeof(name), &times)) {
		double tick = (double)sysconf(_SC_CLK_TCK);
		double age = uptime - (double)times.start / tick;
		const char *service = service_of(name);

		join_words(command, n);
		process = json_pack(
			"{s:i, s:o, s:o, s:o, s:f, s:I, s:s?}", "pid",
			atoi(pid), "name", text_json(name), "command",
			text_json(command), "user", owner_of(directory), "cpu",
			(double)(times.user + times.system) / tick /
				(age > 1 ? age : 1),
			"rss",
			(json_int_t)(times.pages *
				     (unsigned long long)sysconf(_SC_PAGESIZE)),
			"service", service);
	}
	close(directory);
	return process;
}

json_t *processes_json(void)
{
	DIR *proc = opendir("/proc");
	json_t *list = json_array();
	const struct dirent *entry;
	char text[64];
	double uptime = 0;

	if (!proc)
		return list;
	if (read_file(dirfd(proc), "uptime", text, sizeof(text)) > 0)
		uptime = strtod(text, NULL);
	while ((entry = readdir(proc)) &&
	       json_array_size(list) < MOST_PROCESSES) {
		if (!isdigit((unsigned char)*entry->d_name) ||
		    atoi(entry->d_name) == getpid())
			continue;
		json_t *process = process_json(dirfd(proc), entry->d_name,
					       uptime);

		if (process)
			json_array_append_new(list, process);
	}
	closedir(proc);
	return list;
}
