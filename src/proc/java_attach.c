/* SPDX-License-Identifier: Apache-2.0 */
#include "proc/java_attach.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/text.h"

enum {
	PATIENCE_MS = 20000, STEP_MS = 20, ANSWER_SECONDS = 60,
	DIRECTORY_MOST = 64, ANSWER_MOST = 1024,
};

/* What is known of the process. */
struct machine {
	pid_t pid;
	pid_t inner; /* as it knows itself */
	uid_t uid;
	gid_t gid;
	bool catches_quit;
	int root, tmp; /* directories */
	/* where the agent is */
	const char *place; /* under the root */
	int directory;	   /* in it */
	char name[DIRECTORY_MOST];
	int listener, file;
};

/* ------------------------------------------------------------ the process */

static bool read_status(struct machine *machine)
{
	char path[32], line[512];
	unsigned long long caught = 0;
	unsigned uid = 0, gid = 0;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)machine->pid);
	FILE *file = fopen(path, "re");

	if (!file)
		return false;
	machine->inner = machine->pid;
	while (fgets(line, sizeof(line), file)) {
		const char *last = strrchr(line, '\t');

		if (!strncmp(line, "NSpid:", 6) && last)
			machine->inner = atoi(last + 1);
		sscanf(line, "Uid:\t%*u\t%u", &uid);
		sscanf(line, "Gid:\t%*u\t%u", &gid);
		sscanf(line, "SigCgt:\t%llx", &caught);
	}
	fclose(file);
	machine->uid = uid;
	machine->gid = gid;
	machine->catches_quit = caught >> (SIGQUIT - 1) & 1;
	return true;
}

bool java_has_library(pid_t pid)
{
	char path[32], line[8192];
	bool is_found = false;

	snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);
	FILE *file = fopen(path, "re");

	if (!file)
		return false;
	while (!is_found && fgets(line, sizeof(line), file))
		is_found = strstr(line, "/libjvm.so");
	fclose(file);
	return is_found;
}

bool java_is_ready(pid_t pid)
{
	struct machine machine = { .pid = pid };

	return java_has_library(pid) && read_status(&machine) &&
	       machine.catches_quit;
}

static int open_inside(int root, const char *path)
{
	struct open_how how = {
		.flags = O_PATH | O_DIRECTORY | O_CLOEXEC,
		.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS,
	};

	return (int)syscall(SYS_openat2, root, path, &how, sizeof(how));
}

static void pause_ms(unsigned ms)
{
	nanosleep(&(struct timespec){ .tv_nsec = ms * 1000000l }, NULL);
}

/* ------------------------------------------------------ the machine's socket */

/*
 * Connects as the process's user, whom alone older machines accept; a child does,
 * so that our own rights do not change.
 */
static int connect_as(const struct machine *machine, int fd, const char *name)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int status;

	snprintf(address.sun_path, sizeof(address.sun_path), "%s", name);
	pid_t child = fork();

	if (child < 0)
		return -errno;
	if (!child) {
		if (fchdir(machine->tmp))
			_exit(errno);
		if (!geteuid()) {
			syscall(SYS_setgroups, 0, NULL);
			syscall(SYS_setresgid, machine->gid, machine->gid,
				machine->gid);
			syscall(SYS_setresuid, machine->uid, machine->uid,
				machine->uid);
		}
		_exit(connect(fd, (const struct sockaddr *)&address,
			      sizeof(address))
			      ? errno
			      : 0);
	}
	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	return WIFEXITED(status) ? -WEXITSTATUS(status) : -EINTR;
}

/* A descriptor, or a negative errno. */
static int connect_once(const struct machine *machine)
{
	const struct timeval limit = { .tv_sec = ANSWER_SECONDS };
	char name[64];
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), error;

	if (fd < 0)
		return -errno;
	snprintf(name, sizeof(name), ".java_pid%d", (int)machine->inner);
	error = connect_as(machine, fd, name);
	if (error) {
		close(fd);
		return error;
	}
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit));
	return fd;
}

/* A new file of ours: one that is there may be a link to somebody's file. */
static int create_new(int directory, const char *name)
{
	const int flags = O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC;
	int fd = openat(directory, name, flags, 0600);

	if (fd < 0 && errno == EEXIST && !unlinkat(directory, name, 0))
		fd = openat(directory, name, flags, 0600);
	return fd;
}

/*
 * Is another tracer just asking, too?  Then its file does for both: without it
 * the machine would take the SIGQUIT for a wish to see all threads.
 */
static bool is_asked(const struct machine *machine, const char *name)
{
	struct stat found;

	return !fstatat(machine->tmp, name, &found, AT_SYMLINK_NOFOLLOW) &&
	       S_ISREG(found.st_mode) &&
	       (!found.st_uid || found.st_uid == machine->uid);
}

/* Ask it to listen: a file that says so, and SIGQUIT. */
static int ask_to_listen(const struct machine *machine, struct text *problem)
{
	char name[64];
	int fd = -1;

	snprintf(name, sizeof(name), ".attach_pid%d", (int)machine->inner);
	if (!is_asked(machine, name)) {
		int file = create_new(machine->tmp, name);

		if (file < 0) {
			text_printf(problem, "cannot create %s in its /tmp: %s",
				    name, strerror(errno));
			return -1;
		}
		if (fchown(file, machine->uid, machine->gid))
			errno = 0; /* root's is accepted, too */
		close(file);
	}
	kill(machine->pid, SIGQUIT);
	for (unsigned waited = 0;
	     fd < 0 && waited < PATIENCE_MS && java_has_library(machine->pid);
	     waited += STEP_MS) {
		pause_ms(STEP_MS);
		fd = connect_once(machine);
	}
	unlinkat(machine->tmp, name, 0);
	if (fd < 0)
		text_printf(
			problem,
			"it does not listen to tools: %s (was it started with -XX:+DisableAttachMechanism?)",
			strerror(-fd));
	return fd;
}

static int connect_to_machine(const struct machine *machine,
			      struct text *problem)
{
	int fd = connect_once(machine);

	/* no socket, or one that a process of that number left */
	return fd >= 0 ? fd : ask_to_listen(machine, problem);
}

/* -------------------------------------------------------------- the agent */

static const char agent_name[] = "agent.so", socket_name[] = "socket";

static bool write_agent(const struct machine *machine)
{
	int fd = create_new(machine->directory, agent_name);
	const uint8_t *at = java_agent_bytes;

	if (fd < 0)
		return false;
	while (at < java_agent_end) {
		ssize_t n = write(fd, at, (size_t)(java_agent_end - at));

		if (n <= 0)
			break;
		at += n;
	}
	bool is_whole = at == java_agent_end && !fchmod(fd, 0444);

	close(fd);
	return is_whole;
}

static int listen_there(const struct machine *machine)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return -1;
	snprintf(address.sun_path, sizeof(address.sun_path),
		 "/proc/self/fd/%d/%s", machine->directory, socket_name);
	if (!bind(fd, (const struct sockaddr *)&address, sizeof(address)) &&
	    !fchownat(machine->directory, socket_name, machine->uid,
		      machine->gid, AT_SYMLINK_NOFOLLOW) &&
	    !listen(fd, 1))
		return fd;
	close(fd);
	return -1;
}

static void empty(int directory)
{
	unlinkat(directory, agent_name, 0);
	unlinkat(directory, socket_name, 0);
}

static void remove_files(struct machine *machine)
{
	int place = open_inside(machine->root, machine->place);

	empty(machine->directory);
	close(machine->directory);
	if (place < 0)
		return;
	unlinkat(place, machine->name, AT_REMOVEDIR);
	close(place);
}

static const char prefix[] = ".dtrace-";

static int open_directory(int place, const char *name)
{
	return openat(place, name,
		      O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* What tracers left that were killed: nobody has a lock on it. */
static void sweep(int place)
{
	int copy = openat(place, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *files = copy < 0 ? NULL : fdopendir(copy);

	if (!files) {
		if (copy >= 0)
			close(copy);
		return;
	}
	for (const struct dirent *entry; (entry = readdir(files));) {
		if (strncmp(entry->d_name, prefix, sizeof(prefix) - 1))
			continue;
		int directory = open_directory(place, entry->d_name);

		if (directory < 0)
			continue;
		if (!flock(directory, LOCK_EX | LOCK_NB)) {
			empty(directory);
			unlinkat(place, entry->d_name, AT_REMOVEDIR);
		}
		close(directory);
	}
	closedir(files);
}

/* Files in a directory of ours; only its user gets in. */
static bool make_files(struct machine *machine, int place)
{
	uint64_t random;

	if (getrandom(&random, sizeof(random), 0) != sizeof(random))
		return false;
	snprintf(machine->name, sizeof(machine->name), "%s%016llx", prefix,
		 (unsigned long long)random);
	if (mkdirat(place, machine->name, 0700))
		return false;
	machine->directory = open_directory(place, machine->name);
	if (machine->directory < 0)
		return false;
	/* another tracer that sweeps may be faster: then nothing can be made */
	if (!flock(machine->directory, LOCK_EX) && write_agent(machine)) {
		machine->file = openat(machine->directory, agent_name,
				       O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
		machine->listener = listen_there(machine);
	}
	if (machine->file >= 0 && machine->listener >= 0 &&
	    !fchmod(machine->directory, 0500) &&
	    (geteuid() == machine->uid ||
	     !fchown(machine->directory, machine->uid, machine->gid)))
		return true;
	remove_files(machine);
	return false;
}

/* Where its user may execute. */
static bool place_files(struct machine *machine, struct text *problem)
{
	static const char *const places[] = { "tmp", "var/tmp", "dev/shm",
					      "run" };

	for (unsigned i = 0; i < sizeof(places) / sizeof(*places); i++) {
		int place = open_inside(machine->root, places[i]);
		struct statfs about;

		if (place < 0)
			continue;
		machine->place = places[i];
		sweep(place);
		bool is_made = !fstatfs(place, &about) &&
			       !(about.f_flags & (ST_NOEXEC | ST_RDONLY)) &&
			       make_files(machine, place);

		close(place);
		if (is_made)
			return true;
	}
	text_puts(
		problem,
		"there is no place for its agent: none of /tmp, /var/tmp, /dev/shm, /run of the process can be written and executed");
	return false;
}

/* ------------------------------------------------------------ the request */

static void add_word(struct text *request, const char *word)
{
	text_add(request, word, strlen(word) + 1);
}

static bool send_request(const struct machine *machine, int fd)
{
	struct text request = { 0 }, path = { 0 };
	size_t sent = 0;

	text_printf(&path, "/%s/%s/", machine->place, machine->name);
	size_t length = path.n;

	add_word(&request, "1");
	add_word(&request, "load");
	text_puts(&path, agent_name);
	add_word(&request, text_str(&path));
	add_word(&request, "true"); /* that is a path */
	path.n = length;
	text_puts(&path, socket_name);
	add_word(&request, text_str(&path));
	while (sent < request.n) {
		ssize_t n = send(fd, request.p + sent, request.n - sent,
				 MSG_NOSIGNAL);

		if (n <= 0)
			break;
		sent += (size_t)n;
	}
	bool is_sent = sent == request.n;

	text_free(&request);
	text_free(&path);
	return is_sent;
}

/* What Agent_OnAttach() (java/agent.c) found. */
static const char *const refusals[] = {
	[1] = "the agent is in use",
	[2] = "it has no JVM TI",
	[3] = "another agent has what is needed, or it was started with options that forbid changing classes",
	[4] = "its class loader refuses the agent's helper",
	[5] = "its agent cannot connect",
	[6] = "it cannot start a thread",
};

static bool judge(char *answer, struct text *problem)
{
	enum { MOST = sizeof(refusals) / sizeof(*refusals) };
	char *line = strchr(answer, '\n');
	int status = atoi(answer), code = 0;
	static const char lead[] = "return code: ";

	if (line) {
		line += 1 + strspn(line, "\n");
		line[strcspn(line, "\n")] = '\0';
		code = atoi(!strncmp(line, lead, sizeof(lead) - 1)
				    ? line + sizeof(lead) - 1
				    : line);
	}
	for (char *at = line; at && *at; at++)
		if ((unsigned char)*at < ' ' || *at == 0x7f)
			*at = '?';
	if (!status && !code && *answer)
		return true;
	if (!*answer)
		text_puts(problem, "it does not answer");
	else if (code > 0 && code < MOST && refusals[code])
		text_puts(problem, refusals[code]);
	else
		text_printf(problem, "it says: %s", line ? line : answer);
	return false;
}

static bool load_agent(const struct machine *machine, struct text *problem)
{
	char answer[ANSWER_MOST];
	size_t size = 0;
	int fd = connect_to_machine(machine, problem);

	if (fd < 0)
		return false;
	if (send_request(machine, fd))
		while (size + 1 < sizeof(answer)) {
			ssize_t n = recv(fd, answer + size,
					 sizeof(answer) - 1 - size, 0);

			if (n < 0 && errno == EINTR)
				continue;
			if (n <= 0)
				break;
			size += (size_t)n;
		}
	close(fd);
	answer[size] = '\0';
	return judge(answer, problem);
}

static int accept_agent(const struct machine *machine, struct text *problem)
{
	struct pollfd poll_fd = { .fd = machine->listener, .events = POLLIN };
	struct ucred peer = { 0 };
	socklen_t size = sizeof(peer);
	int fd = -1;

	if (poll(&poll_fd, 1, PATIENCE_MS) == 1)
		fd = accept4(machine->listener, NULL, NULL, SOCK_CLOEXEC);
	if (fd >= 0 && !getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) &&
	    peer.pid == machine->pid)
		return fd;
	if (fd >= 0)
		close(fd);
	text_puts(problem, "its agent does not connect");
	return -1;
}

static int attach_in(struct machine *machine, struct java_attached *attached,
		     struct text *problem)
{
	if (!place_files(machine, problem))
		return -1;
	attached->socket = load_agent(machine, problem)
				   ? accept_agent(machine, problem)
				   : -1;
	remove_files(machine);
	close(machine->listener);
	attached->file = machine->file;
	if (attached->socket >= 0)
		return 0;
	close(machine->file);
	return -1;
}

int java_attach(pid_t pid, struct java_attached *attached, struct text *problem)
{
	struct machine machine = {
		.pid = pid, .root = -1, .tmp = -1, .file = -1, .listener = -1,
	};
	char path[32];
	int error = -1;

	if (!java_has_library(pid) || !read_status(&machine)) {
		text_puts(
			problem,
			"it is no Java virtual machine that may be examined: libjvm.so is not mapped");
		return -1;
	}
	if (!machine.catches_quit) {
		text_puts(
			problem,
			"it does not catch SIGQUIT: it is starting or was started with -Xrs");
		return -1;
	}
	snprintf(path, sizeof(path), "/proc/%d/root", (int)pid);
	machine.root = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (machine.root >= 0)
		machine.tmp = open_inside(machine.root, "tmp");
	if (machine.tmp < 0)
		text_printf(problem, "its /tmp cannot be opened: %s",
			    strerror(errno));
	else
		error = attach_in(&machine, attached, problem);
	if (machine.root >= 0)
		close(machine.root);
	if (machine.tmp >= 0)
		close(machine.tmp);
	return error;
}
