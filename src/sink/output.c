/* SPDX-License-Identifier: Apache-2.0 */
/*
 * freopen() replaces the output's own descriptor, so that the buffers of its
 * stream stay valid.
 *
 * Any character device counts as a terminal: for other devices, making control
 * characters visible does no harm, and a terminal is never missed.
 */
#include "sink/output.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

static void look_at_file(struct output *output)
{
	int fd = output->file ? fileno(output->file) : -1;
	struct stat status;

	output->is_device = fd >= 0 && !fstat(fd, &status) &&
			    S_ISCHR(status.st_mode);
}

void output_set_file(struct output *output, FILE *file)
{
	output->file = file;
	look_at_file(output);
}

void output_write(struct output *output, const char *bytes, size_t count)
{
	if (!count || !output->file)
		return;
	errno = 0;
	if (fwrite(bytes, 1, count, output->file) != count && !output->error)
		output->error = errno ? -errno : -EIO;
}

int output_flush(struct output *output)
{
	errno = 0;
	if (output->file && (fflush(output->file) || ferror(output->file)) &&
	    !output->error)
		output->error = errno ? -errno : -EIO;
	return output->error;
}

bool output_redirect(struct output *output, const char *name)
{
	int own = fileno(output->file);
	int fd = open(name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);

	if (fd < 0)
		return false;
	if (!output->saved_fd)
		output->saved_fd = fcntl(own, F_DUPFD_CLOEXEC, 3);
	bool is_done = output->saved_fd >= 0 && dup2(fd, own) >= 0;

	look_at_file(output);
	if (output->saved_fd < 0)
		output->saved_fd = 0;
	close(fd);
	return is_done;
}

bool output_restore(struct output *output)
{
	if (!output->saved_fd)
		return true;
	bool is_done = dup2(output->saved_fd, fileno(output->file)) >= 0;

	look_at_file(output);
	close(output->saved_fd);
	output->saved_fd = 0;
	return is_done;
}

/* A terminal or pipe cannot be truncated; that is not an error. */
void output_truncate(struct output *output)
{
	int fd = fileno(output->file);

	fflush(output->file);
	if (ftruncate(fd, 0) == 0)
		lseek(fd, 0, SEEK_SET);
}

void output_size(const struct output *output, unsigned *rows, unsigned *columns)
{
	enum { USUAL_ROWS = 24, USUAL_COLUMNS = 80 };
	struct winsize size = { 0 };

	if (output->file)
		ioctl(fileno(output->file), TIOCGWINSZ, &size);
	*rows = size.ws_row ? size.ws_row : USUAL_ROWS;
	*columns = size.ws_col ? size.ws_col : USUAL_COLUMNS;
}
