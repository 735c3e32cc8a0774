// SPDX-License-Identifier: Apache-2.0
/*
 * Throws through functions of the C library that call back, and through a
 * library that it loads later:  callbacks N [LIBRARY]
 */
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <pthread.h>
#include <search.h>
#include <stdexcept>

static int numbers[16];
static long caught;

static int compare(const void *a, const void *b)
{
	if (*static_cast<const int *>(a) == 7 || *static_cast<const int *>(b) == 7)
		throw std::runtime_error("seven");
	return *static_cast<const int *>(a) - *static_cast<const int *>(b);
}

static void once()
{
	throw 1;
}

static ssize_t refuse(void *, const char *, size_t)
{
	throw 2L;
}

static void visit(const void *, VISIT, int)
{
	throw 'c';
}

template <typename Work> static void attempt(Work work)
{
	try {
		work();
	} catch (...) {
		caught++;
	}
}

static void write_cookie()
{
	cookie_io_functions_t functions = { nullptr, refuse, nullptr, nullptr };
	FILE *file = fopencookie(nullptr, "w", functions);

	setvbuf(file, nullptr, _IONBF, 0);
	fputs("text", file);
}

static void walk()
{
	static void *tree;
	static int key = 5;

	tsearch(&key, &tree, [](const void *a, const void *b) {
		return (a > b) - (a < b);
	});
	twalk(tree, visit);
}

int main(int argc, char **argv)
{
	long n = argc > 1 ? atol(argv[1]) : 1;
	int key = 7;
	void (*call)(void (*)()) = nullptr;

	for (int i = 0; i < 16; i++)
		numbers[i] = (i * 7) % 16;
	if (argc > 2) {
		void *library = dlopen(argv[2], RTLD_NOW);

		call = reinterpret_cast<void (*)(void (*)())>(dlsym(library, "call"));
		/* its probes come a moment later */
		struct timespec pause = { 0, 300000000 };

		nanosleep(&pause, nullptr);
	}
	while (n--) {
		pthread_once_t control = PTHREAD_ONCE_INIT;

		attempt([] { qsort(numbers, 16, sizeof(int), compare); });
		attempt([&] { bsearch(&key, numbers, 16, sizeof(int), compare); });
		attempt([&] { pthread_once(&control, once); });
		attempt(write_cookie);
		attempt(walk);
		if (call)
			attempt([&] { call(once); });
	}
	printf("%ld caught\n", caught);
	return 4;
}
