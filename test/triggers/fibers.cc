// SPDX-License-Identifier: Apache-2.0
/* Boost's fibers that resume each other in random order: fibers N */
#include <boost/context/fiber.hpp>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

namespace context = boost::context;

enum { FIBERS = 8 };

static unsigned long seed = 3, sum;
static context::fiber fibers[FIBERS];

static unsigned draw()
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return static_cast<unsigned>(seed >> 33);
}

__attribute__((noinline)) static unsigned long descend(context::fiber &back, unsigned depth)
{
	if (!depth)
		back = std::move(back).resume();
	else
		sum += descend(back, depth - 1);
	if (draw() % 5 == 0)
		throw std::runtime_error("five");
	return sum * 31 + depth;
}

static context::fiber run(context::fiber &&back)
{
	for (;;) {
		try {
			descend(back, draw() % 9);
		} catch (const std::exception &) {
			sum++;
		}
		back = std::move(back).resume();
	}
}

int main(int argc, char **argv)
{
	long n = argc > 1 ? atol(argv[1]) : 1;

	for (auto &fiber : fibers)
		fiber = context::fiber(run);
	while (n--) {
		auto &fiber = fibers[draw() % FIBERS];

		fiber = std::move(fiber).resume();
	}
	printf("%lu\n", sum);
	fflush(stdout);
	_Exit(6);
}
