/* SPDX-License-Identifier: Apache-2.0 */
/* A library for requests.c, with its own idea of what is in a request. */
struct link {
	int value;
	unsigned rest;
	char label[16];
	const char *text;
	struct link *next;
};

int walk(struct link *list, int most);
int walk(struct link *list, int most)
{
	int sum = 0;

	for (; list && most-- > 0; list = list->next)
		sum += list->value;
	return sum;
}
