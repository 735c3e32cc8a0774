/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Descriptors of methods, as in "(ILjava/lang/String;)V": kinds of parameters.
 */
#include <string.h>

#include "classfile.h"

static const char *one_type(const char *at, char *kind)
{
	static const char string[] = "Ljava/lang/String;";
	const char *start = at;

	switch (*at) {
	case 'Z':
	case 'B':
	case 'S':
	case 'C':
	case 'I':
		*kind = 'I';
		return at + 1;
	case 'J':
	case 'F':
	case 'D':
	case 'V':
		*kind = *at;
		return at + 1;
	}
	while (*at == '[')
		at++;
	*kind = 'L';
	if (*at == 'L') {
		const char *end = strchr(at, ';');

		if (!strncmp(start, string, sizeof(string) - 1))
			*kind = 'S';
		return end ? end + 1 : NULL;
	}
	return at > start && *at && strchr("ZBSCIJFD", *at) ? at + 1 : NULL;
}

int classfile_kinds(const char *descriptor, char *kinds, int most, char *result)
{
	int count = 0;
	char kind;

	if (*descriptor++ != '(')
		return -1;
	for (; *descriptor && *descriptor != ')'; count++) {
		descriptor = one_type(descriptor, &kind);
		if (!descriptor || kind == 'V' || count > 255)
			return -1;
		if (count < most)
			kinds[count] = kind;
	}
	if (*descriptor++ != ')')
		return -1;
	descriptor = one_type(descriptor, result);
	return descriptor && !*descriptor ? count : -1;
}
