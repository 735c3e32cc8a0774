// SPDX-License-Identifier: Apache-2.0
//
// Deep stacks without frame pointers: 17 visits that go through std::function
// and std::for_each, then qsort() of libc, then std::map of libstdc++.
//
//	deep
//
// Runs until it is killed.  Built with -O2 -fomit-frame-pointer and stripped.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <vector>

static volatile long sink;

struct node {
	virtual ~node() {}
	virtual long visit(int depth) = 0;
};

static std::vector<node *> nodes;

__attribute__((noinline)) static long leaf(int n)
{
	std::map<std::string, int> counts;

	for (int i = 0; i < 20; i++)
		counts[std::string("key") + std::to_string(i * n)]++;
	return (long)counts.size();
}

static int compare(const void *a, const void *b)
{
	sink = sink + leaf(3);
	return *(const int *)a - *(const int *)b;
}

__attribute__((noinline)) static long bottom()
{
	int numbers[] = { 5, 3, 8, 1, 9, 2, 7, 4 };

	qsort(numbers, 8, sizeof(*numbers), compare);
	return numbers[0];
}

struct inner : node {
	long visit(int depth) override
	{
		std::vector<int> once{ 1 };
		std::function<long(int)> next = [&](int left) {
			return left > 0 ?
				nodes[left % nodes.size()]->visit(left - 1) :
				bottom();
		};
		long sum = 0;

		std::for_each(once.begin(), once.end(),
			      [&](int) { sum += next(depth); });
		sink = sink + sum;
		return sum + depth;
	}
};

struct outer : inner {
	long visit(int depth) override
	{
		char room[128];

		memset(room, depth, sizeof(room));
		sink = sink + room[5];
		long sum = inner::visit(depth);

		sink = sink + sum;
		return sum + 1;
	}
};

int main()
{
	nodes.push_back(new inner);
	nodes.push_back(new outer);
	for (;;)
		sink = sink + nodes[1]->visit(17);
}
