/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A page around any data, for tests in browsers, as the commands write it.
 *
 *	write_page BUNDLE TITLE <data.json >page.html
 */
#include <stdio.h>

#include "view/page.h"

static void copy_input(FILE *out, const void *context)
{
	(void)context;
	for (int c = getchar(); c != EOF; c = getchar())
		putc(c, out);
}

int main(int argc, char **argv)
{
	if (argc != 3) {
		fprintf(stderr, "usage: write_page BUNDLE TITLE\n");
		return 2;
	}
	return page_write(stdout, argv[1], argv[2], copy_input, NULL) &&
			       !fflush(stdout)
		       ? 0
		       : 1;
}
