/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions that get pointers to memory that others must provide, and do not.
 *
 *	absent userfaultfd|fuse [SECONDS]
 *
 * At each SIGUSR1 it calls take() with three strings and prints a line; it
 * goes on until it is killed:
 *
 *	absent		in memory that is not there
 *	present		on a page of a local file that nobody has touched yet,
 *			and ends where the memory that is not there starts
 *	halfabsent	the first half on such a page, the other is not there
 *
 * The memory is a page registered with userfaultfd, or a file of a FUSE file
 * system of our own, mapped as code, so that tracers may want to read the file,
 * too.  SECONDS (default: 15) after it was asked for the memory is provided, and
 * the server of the file system answers: a tracer that waits must not hold up
 * everybody for ever.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PAGE = 4096, FILE_NODE = 2, REQUEST = 1 << 17 };

static unsigned seconds = 15;
static char content[PAGE];	/* of the page that does not come */

__attribute__((noinline, noclone)) void take(const char *text)
{
	asm volatile("" : : "r"(text) : "memory");
}

/* --------------------------------------------------------------- userfaultfd */

static void *provide(void *data)
{
	int events = *(const int *)data;
	struct uffd_msg message;

	for (;;) {
		if (read(events, &message, sizeof(message)) != sizeof(message))
			continue;
		sleep(seconds);
		ioctl(events, UFFDIO_COPY, &(struct uffdio_copy){
			.dst = message.arg.pagefault.address & ~(PAGE - 1ull),
			.src = (unsigned long)content, .len = PAGE });
	}
	return NULL;
}

static void register_page(char *page)
{
	static int events = -1;
	pthread_t thread;

	if (mmap(page, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != page)
		err(1, "mmap");
	if (events < 0) {
		events = (int)syscall(SYS_userfaultfd, O_CLOEXEC);
		if (events < 0 || ioctl(events, UFFDIO_API,
				&(struct uffdio_api){ .api = UFFD_API }))
			err(77, "userfaultfd");
		pthread_create(&thread, NULL, provide, &events);
	}
	if (ioctl(events, UFFDIO_REGISTER, &(struct uffdio_register){
			.range.start = (unsigned long)page,
			.range.len = PAGE,
			.mode = UFFDIO_REGISTER_MODE_MISSING }))
		err(77, "userfaultfd");
}

/* ---------------------------------------------------------------------- FUSE */

static void answer(int device, const struct fuse_in_header *request, int error,
		   const void *body, size_t size)
{
	char reply[sizeof(struct fuse_out_header) + PAGE];
	struct fuse_out_header header = {
		.len = (unsigned)(sizeof(header) + size), .error = -error,
		.unique = request->unique,
	};

	memcpy(reply, &header, sizeof(header));
	memcpy(reply + sizeof(header), body, size);
	if (write(device, reply, header.len) < 0 && errno != ENOENT)
		err(1, "answer to FUSE request %u", request->opcode);
}

static struct fuse_attr attributes(uint64_t node)
{
	return (struct fuse_attr){
		.ino = node, .nlink = 1, .size = PAGE, .blocks = 8,
		.blksize = PAGE,
		.mode = node == FILE_NODE ? S_IFREG | 0755 : S_IFDIR | 0755,
	};
}

static void serve(int device, const struct fuse_in_header *request)
{
	struct fuse_init_out init = {
		.major = FUSE_KERNEL_VERSION, .minor = FUSE_KERNEL_MINOR_VERSION,
		.max_write = PAGE,
	};
	struct fuse_entry_out entry = {
		.nodeid = FILE_NODE, .attr = attributes(FILE_NODE),
	};
	struct fuse_attr_out attr = { .attr = attributes(request->nodeid) };
	/* or our end would wait for an answer, too */
	struct fuse_open_out opened = { .open_flags = FOPEN_NOFLUSH };

	switch (request->opcode) {
	case FUSE_INIT:
		answer(device, request, 0, &init, sizeof(init));
		break;
	case FUSE_LOOKUP:
		answer(device, request, 0, &entry, sizeof(entry));
		break;
	case FUSE_GETATTR:
		answer(device, request, 0, &attr, sizeof(attr));
		break;
	case FUSE_OPEN:
		answer(device, request, 0, &opened, sizeof(opened));
		break;
	case FUSE_READ:
		answer(device, request, 0, content, PAGE);
		break;
	case FUSE_FORGET:
	case FUSE_BATCH_FORGET:
	case FUSE_INTERRUPT:
		break;
	default:
		answer(device, request, ENOSYS, NULL, 0);
	}
}

/* What comes after open(2) takes its time. */
static void serve_all(int device)
{
	static char request[REQUEST];
	const struct fuse_in_header *header = (const void *)request;
	bool is_open = false;

	for (;;) {
		ssize_t n = read(device, request, sizeof(request));

		if (n < 0 && errno == ENODEV)
			_exit(0);
		if (n < (ssize_t)sizeof(*header))
			continue;
		if (is_open)
			sleep(seconds);
		serve(device, header);
		is_open |= header->opcode == FUSE_OPEN;
	}
}

/* The file system that only we see, and that ends with us; its file. */
static int make_file(void)
{
	char options[128];
	int device = open("/dev/fuse", O_RDWR | O_CLOEXEC);

	if (device < 0)
		err(77, "/dev/fuse");
	if (unshare(CLONE_NEWNS) ||
	    mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL))
		err(1, "unshare");
	snprintf(options, sizeof(options),
		 "fd=%d,rootmode=40000,user_id=0,group_id=0", device);
	if (mkdir("absent.mount", 0755) ||
	    mount("absent", "absent.mount", "fuse", 0, options))
		err(77, "FUSE");
	if (!fork()) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		serve_all(device);
	}
	close(device);
	return open("absent.mount/file", O_RDONLY | O_CLOEXEC);
}

static void map_file(char *page)
{
	static int fd = -1;

	if (fd < 0)
		fd = make_file();
	if (mmap(page, PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED,
		 fd, 0) != page)
		err(1, "absent.mount/file");
}

/* ----------------------------------------------------------------------- all */

/* A page of a local file that is mapped, and not in our memory yet. */
static char *map_local(char *page, const char *text, size_t size)
{
	int fd = memfd_create("local", MFD_CLOEXEC);

	if (fd < 0 || ftruncate(fd, PAGE) ||
	    pwrite(fd, text, size, (off_t)(PAGE - size)) != (ssize_t)size ||
	    mmap(page, PAGE, PROT_READ, MAP_PRIVATE | MAP_FIXED, fd, 0) != page)
		err(1, "memfd");
	return page + PAGE - size;
}

int main(int argc, char **argv)
{
	bool is_fuse = argc > 1 && !strcmp(argv[1], "fuse");
	sigset_t set;
	int number;

	if (argc > 2)
		seconds = (unsigned)atoi(argv[2]);
	strcpy(content, "absent");
	/* local, absent, local, absent */
	char *pages = mmap(NULL, 4 * PAGE, PROT_NONE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	void (*map_absent)(char *page) = is_fuse ? map_file : register_page;
	const char *present = map_local(pages, "present", 8);
	const char *half = map_local(pages + 2 * PAGE, "half", 4);

	map_absent(pages + PAGE);
	map_absent(pages + 3 * PAGE);
	setlinebuf(stdout);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	for (;;) {
		sigwait(&set, &number);
		take(pages + PAGE);
		take(present);
		take(half);
		puts("went on");
	}
}
