/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Maps files as code, whatever is in them, and asks for the names of their
 * addresses: each is the argument of a getppid(), where a tracer sees it.
 *
 *	hold FILE ...
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { ADDRESSES = 64, MOST = 1000 };

int main(int argc, char **argv)
{
	static struct {
		char *start;
		size_t size;
	} files[MOST];
	int count = 0;

	for (int i = 1; i < argc && count < MOST; i++) {
		int fd = open(argv[i], O_RDONLY);
		struct stat stat;

		if (fd < 0 || fstat(fd, &stat) || !stat.st_size)
			return 1;
		files[count].size = (size_t)stat.st_size;
		files[count].start =
			mmap(NULL, files[count].size, PROT_READ | PROT_EXEC,
			     MAP_PRIVATE, fd, 0);
		if (files[count].start != MAP_FAILED)
			count++;
		close(fd);
	}
	puts("mapped");
	fflush(stdout);
	for (unsigned long n = 0;; n++) {
		for (int i = 0; i < count; i++)
			syscall(SYS_getppid,
				files[i].start + n % ADDRESSES * files[i].size /
							 ADDRESSES);
		usleep(1000);
	}
}
