/* SPDX-License-Identifier: Apache-2.0 */
#include "base/budget.h"

#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"

enum { WORK_FACTOR = 4, WORK_REFILL = 32, MEMORY_PART = 4 };

/* Unless it was set: no more than a part of the machine's memory. */
static uint64_t limit_of(struct budget *budget)
{
	const struct option_value *size =
		&budget->options->values[OPTION_SYMSIZE];
	uint64_t limit = (uint64_t)size->number;

	if (size->is_set)
		return limit;
	if (!budget->machine) {
		long pages = sysconf(_SC_PHYS_PAGES);

		budget->machine =
			pages <= 0 ? UINT64_MAX
				   : (uint64_t)pages *
					     (uint64_t)sysconf(_SC_PAGESIZE) /
					     MEMORY_PART;
	}
	return limit < budget->machine ? limit : budget->machine;
}

/* Add what has become available since the last time. */
static void refill(struct budget *budget, uint64_t limit)
{
	uint64_t time = clock_monotonic(), passed = time - budget->work_at;
	uint64_t rate = limit / WORK_REFILL / 1000; /* in a millisecond */
	uint64_t more = budget->work_at ? passed / 1000000 * rate : 0;

	budget->work -= more < budget->work ? more : budget->work;
	budget->work_at = time;
}

bool budget_work(struct budget *budget, uint64_t bytes)
{
	if (!budget)
		return true;
	uint64_t limit = limit_of(budget), most = WORK_FACTOR * limit;

	if (bytes > most || budget->work > most - bytes)
		refill(budget, limit);
	if (bytes > most || budget->work > most - bytes)
		return false;
	if (!budget->work_at)
		budget->work_at = clock_monotonic();
	budget->work += bytes;
	return true;
}

bool budget_hold(struct budget *budget, uint64_t bytes)
{
	if (!budget)
		return true;
	uint64_t limit = limit_of(budget);

	if (bytes > limit || budget->held > limit - bytes)
		return false;
	budget->held += bytes;
	return true;
}

void budget_release(struct budget *budget, uint64_t bytes)
{
	if (budget)
		budget->held -= bytes < budget->held ? bytes : budget->held;
}

void budget_refuse(struct budget *budget, int fd)
{
	struct text message = { 0 };
	char link[32], path[4096] = "a file of a process";

	if (!budget || budget->is_told)
		return;
	budget->is_told = true;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	ssize_t n = fd < 0 ? -1 : readlink(link, path, sizeof(path) - 1);

	if (n > 0)
		path[n] = '\0';
	uint64_t limit = limit_of(budget);

	text_printf(
		&message,
		"%s is not read whole: files of processes may take %llu%s of "
		"memory, and work in proportion; what they do not name is "
		"shown as addresses (raise the limit with -x symsize=SIZE)",
		path,
		(unsigned long long)(limit < 1 << 20 ? limit : limit >> 20),
		limit < 1 << 20 ? " bytes" : "m");
	if (budget->tell)
		budget->tell(budget->context, text_str(&message));
	text_free(&message);
}
