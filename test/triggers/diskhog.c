/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keeps a disk busy until it is killed: threads that write past the cache.
 *
 *	diskhog PATH THREADS MEGABYTES
 *
 * Each thread writes over the first MEGABYTES again and again.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int fd;
static size_t size;

static void *write_all(void *unused)
{
	void *data;

	if (posix_memalign(&data, 4096, size))
		exit(1);
	memset(data, 0, size);
	while (pwrite(fd, data, size, 0) == (ssize_t)size)
		;
	perror("pwrite");
	exit(1);
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t thread;

	if (argc < 4)
		return 2;
	size = (size_t)atol(argv[3]) << 20;
	fd = open(argv[1], O_WRONLY | O_DIRECT);
	if (fd < 0) {
		perror(argv[1]);
		return 1;
	}
	for (int i = 1; i < atoi(argv[2]); i++)
		if (pthread_create(&thread, NULL, write_all, NULL))
			return 1;
	write_all(NULL);
	return 0;
}
