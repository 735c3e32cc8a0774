/* SPDX-License-Identifier: Apache-2.0 */
#include "base/str.h"

enum { LONGEST_WORD = 63 };

static unsigned least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

unsigned str_distance(const char *a, const char *b, unsigned limit)
{
	size_t n = strlen(a), m = strlen(b);

	if (n > LONGEST_WORD || m > LONGEST_WORD)
		return limit + 1;
	if ((n > m ? n - m : m - n) > limit)
		return limit + 1;

	unsigned rows[3][LONGEST_WORD + 1];
	unsigned *before = rows[0], *above = rows[1], *row = rows[2];

	for (size_t j = 0; j <= m; j++)
		above[j] = (unsigned)j;
	for (size_t i = 1; i <= n; i++) {
		row[0] = (unsigned)i;
		for (size_t j = 1; j <= m; j++) {
			unsigned cost = a[i - 1] != b[j - 1];

			row[j] = least(above[j - 1] + cost,
				       least(above[j], row[j - 1]) + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
			    a[i - 2] == b[j - 1])
				row[j] = least(row[j], before[j - 2] + 1);
		}
		unsigned *free_row = before;

		before = above;
		above = row;
		row = free_row;
	}
	return above[m];
}
