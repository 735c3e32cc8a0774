// SPDX-License-Identifier: Apache-2.0
// Functions of C++ with types of C++, to be probed.  Waits for SIGUSR1.
#include <csignal>

#define PLAIN __attribute__((noinline))

namespace shop {

struct Thing {
	int id;
	const char *label;
	virtual ~Thing() {}
};

class Item : public Thing {
public:
	enum class Kind : unsigned char { Small = 1, Large = 200 };

	Item(int number, const char *text, long cost) : price(cost)
	{
		id = number;
		label = text;
	}
	long total(int count, const Item &other);

	long price;
	static int made;
	Kind kind = Kind::Large;
	int tags[3] = { 1, 2, 3 };
	bool is_sold = true;
};

struct Bill {
	long sum, tax, items;
};

// Whoever has a destructor is not passed by value.
struct Owner {
	Item *item;
	int age;
	~Owner();
};

int Item::made = 7;

PLAIN Owner::~Owner()
{
	__asm__ volatile("" ::: "memory");
}

PLAIN long Item::total(int count, const Item &other)
{
	__asm__ volatile("" ::: "memory");
	return price * count + other.price;
}

PLAIN Bill sell(int count, Owner owner, Item &&item)
{
	__asm__ volatile("" ::: "memory");
	return { count * item.price, owner.age, item.id };
}

template <class T> PLAIN T twice(T value, Item *item)
{
	__asm__ volatile("" ::: "memory");
	return value + item->id;
}

}

int main()
{
	shop::Item apple(1, "apple", 30), pear(2, "pear", 40);
	static volatile long sink;
	sigset_t set;
	int number;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, nullptr);
	sigwait(&set, &number);
	sink = apple.total(3, pear);
	shop::Owner owner{ &apple, 33 };
	sink = sink + shop::sell(5, owner, shop::Item(9, "fig", 1)).sum;
	sink = sink + shop::twice<long>(21, &pear);
	return sink == 0;
}
