/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of /proc/PID/maps; needs no privilege. */
#include "proc/maps.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cmocka.h>

enum { PAGE = 4096 };

/* The line that has an address. */
static bool find(struct maps *maps, const void *memory, bool only_code,
		 struct maps_line *line)
{
	uint64_t address = (uint64_t)(uintptr_t)memory;

	assert_int_equal(maps_read(maps, getpid()), 0);
	while (maps_next(maps, line, only_code))
		if (address >= line->start && address < line->end)
			return true;
	return false;
}

static void own_mappings(void **state)
{
	char path[] = "/tmp/maps test (deleted) XXXXXX";
	int fd = mkstemp(path);
	struct maps maps = { 0 };
	struct maps_line line;
	struct stat status;

	(void)state;
	assert_true(fd >= 0 && !ftruncate(fd, 3 * PAGE) && !fstat(fd, &status));
	void *data = mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE, fd, PAGE);
	void *code = mmap(NULL, PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd,
			  2 * PAGE);

	assert_true(data != MAP_FAILED && code != MAP_FAILED);
	assert_true(find(&maps, data, false, &line));
	assert_false(line.is_code);
	assert_int_equal(line.offset, PAGE);
	assert_int_equal(line.inode, status.st_ino);
	assert_int_equal(line.end - line.start, PAGE);
	assert_string_equal(line.path, path);
	assert_false(find(&maps, data, true, &line));

	/* its name stays what it was */
	unlink(path);
	assert_true(find(&maps, code, true, &line));
	assert_true(line.is_code);
	assert_int_equal(line.offset, 2 * PAGE);
	assert_string_equal(line.path, path);

	assert_true(find(&maps, &maps, false, &line));
	assert_string_equal(line.path, "[stack]");
	assert_int_equal(line.inode, 0);
	munmap(data, PAGE);
	munmap(code, PAGE);
	close(fd);
	maps_free(&maps);
}

static void no_process(void **state)
{
	struct maps maps = { 0 };
	struct maps_line line;

	(void)state;
	assert_int_equal(maps_read(&maps, -1), -ESRCH);
	assert_false(maps_next(&maps, &line, false));
	maps_free(&maps);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(own_mappings),
		cmocka_unit_test(no_process),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
