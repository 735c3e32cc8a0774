/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sizes COUNT: so many writes of 10 bytes by one function, and as many of 1,000
 * bytes by another one.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

static char bytes[1000];

__attribute__((noinline)) static int write_few(int fd)
{
	ssize_t n = write(fd, bytes, 10);

	return n != 10;
}

__attribute__((noinline)) static int write_many(int fd)
{
	ssize_t n = write(fd, bytes, 1000);

	return n != 1000;
}

int main(int argc, char **argv)
{
	int fd = open("/dev/null", O_WRONLY), count = argc > 1 ? atoi(argv[1]) : 100;

	for (int i = 0; i < count; i++)
		if (write_few(fd) + write_many(fd))
			return 1;
	return 0;
}
