/* SPDX-License-Identifier: Apache-2.0 */
#include "streams.h"

#include <fcntl.h>
#include <unistd.h>

void streams_hold(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		/* the lowest free number is this one: those below are held */
		if (fcntl(fd, F_GETFD) < 0)
			(void)!open("/dev/null",
				    fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}
