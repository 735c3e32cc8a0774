/* SPDX-License-Identifier: Apache-2.0 */
/* Images are read once, however often they are used; needs no privilege. */
#include "proc/image.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "proc/functions.h"
#include "proc/module.h"
#include "proc/process.h"
#include "proc/symbols.h"

__attribute__((noinline, visibility("default"))) int image_test_landmark(int n)
{
	return n * n + 3;
}

static struct module *find(struct modules *modules, const char *name)
{
	for (size_t i = 0; i < modules->count; i++)
		if (module_answers(modules->items[i], name))
			return modules->items[i];
	return NULL;
}

static bool has_function(const struct image *image, const char *name)
{
	for (size_t i = 0; i < image->functions->count; i++)
		if (!strcmp(image->functions->items[i].name, name))
			return true;
	return false;
}

/* A child has the same files: nothing is opened or read again. */
static void two_processes_share(void **state)
{
	struct processes *processes = processes_new(NULL, NULL);
	struct modules own = { .processes = processes };
	struct modules other = { .processes = processes };
	pid_t pid = fork();

	(void)state;
	if (!pid) {
		pause();
		_exit(0);
	}
	assert_int_equal(modules_read(&own, getpid()), 0);
	assert_int_equal(modules_read(&other, pid), 0);
	struct module *mine = find(&own, "a.out");
	struct module *theirs = find(&other, "a.out");

	assert_non_null(mine);
	assert_non_null(theirs);
	assert_ptr_equal(mine->image, theirs->image);
	assert_true(module_open(&own, mine));
	const struct elf_functions *functions = mine->image->functions;
	int fd = mine->image->fd;

	assert_true(has_function(mine->image, "image_test_landmark"));
	assert_true(module_open(&other, theirs));
	assert_ptr_equal(theirs->image->functions, functions);
	assert_int_equal(theirs->image->fd, fd);
	assert_int_equal(theirs->bias, mine->bias);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);

	/* the last release closes it */
	modules_free(&other);
	assert_true(mine->image->fd >= 0);
	modules_free(&own);
	processes_free(processes);
	assert_int_equal(close(fd), -1);
	assert_int_equal(errno, EBADF);
}

/* Names of addresses are read with the existing descriptor. */
static void names_of_an_open_image(void **state)
{
	struct processes *processes = processes_new(NULL, NULL);
	struct symbols *symbols = symbols_new(processes);
	struct modules modules = { .processes = processes };
	uint64_t address = (uint64_t)(uintptr_t)image_test_landmark;
	struct symbol symbol;

	(void)state;
	assert_int_equal(modules_read(&modules, getpid()), 0);
	struct module *program = find(&modules, "a.out");

	assert_true(module_open_file(&modules, program));
	assert_false(program->image->has_symbols);
	assert_true(symbols_user(symbols, (uint32_t)getpid(), address,
				 &symbol));
	assert_string_equal(symbol.name, "image_test_landmark");
	assert_true(program->image->has_symbols);
	modules_free(&modules);
	symbols_free(symbols);
	processes_free(processes);
}

/* A pinned image stays when no process is known to map it. */
static void pinned_images_stay(void **state)
{
	struct processes *processes = processes_new(NULL, NULL);
	struct image *pinned = image_of(processes, 1, 2, "/lib/one");

	(void)state;
	image_of(processes, 1, 3, "/lib/two");
	image_pin(pinned);
	assert_int_equal(processes->nimages, 2);
	processes_forget(processes, 0);
	assert_int_equal(processes->nimages, 1);
	assert_ptr_equal(image_of(processes, 1, 2, "/usr/lib/one"), pinned);
	/* another name is another file: numbers of inodes are used again */
	assert_ptr_not_equal(image_of(processes, 1, 2, "/lib/three"), pinned);
	image_unpin(pinned);
	processes_forget(processes, 0);
	assert_int_equal(processes->nimages, 0);
	processes_free(processes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_processes_share),
		cmocka_unit_test(names_of_an_open_image),
		cmocka_unit_test(pinned_images_stay),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
