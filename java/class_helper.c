/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The class with the natives that methods call.
 */
#include <stdlib.h>
#include <string.h>

#include "class_pool.h"
#include "classfile.h"

static const char object[] = "Ljava/lang/Object;";

enum {
	HELPER_CLASS = 0x1031, /* public final super synthetic */
	HELPER_METHOD = 0x0109, /* public static native */
	HELPER_VERSION = 49,
};

static void put_native(struct pool *pool, struct out *methods, const char *name,
		       const char *descriptor)
{
	out_put(methods, HELPER_METHOD, 2);
	out_put(methods, pool_text(pool, name), 2);
	out_put(methods, pool_text(pool, descriptor), 2);
	out_put(methods, 0, 2);
}

uint8_t *classfile_helper(const char *name, size_t *size)
{
	static const char *const leaves[][2] = {
		{ "rv", "(I)V" },  { "rj", "(JI)V" },
		{ "rf", "(FI)V" }, { "rd", "(DI)V" },
		{ "ro", "(Ljava/lang/Object;I)V" },
		{ "rx", "(Ljava/lang/Object;I)V" },
	};
	struct pool pool = { .count = 1, .next = 1 };
	struct out methods = { 0 }, all = { 0 };
	uint32_t self = pool_class(&pool, name);
	uint32_t super = pool_class(&pool, "java/lang/Object"), count = 0;

	for (unsigned i = 0; i < sizeof(leaves) / sizeof(*leaves); i++, count++)
		put_native(&pool, &methods, leaves[i][0], leaves[i][1]);
	for (int numbers = 0; numbers <= CLASSFILE_ARGUMENTS; numbers++)
		for (int objects = 0;
		     numbers + objects <= CLASSFILE_ARGUMENTS + 1;
		     objects++, count++) {
			char text[(CLASSFILE_ARGUMENTS + 1) * sizeof(object) +
				  8] = "(I";

			for (int i = 0; i < numbers; i++)
				strcat(text, "J");
			for (int i = 0; i < objects; i++)
				strcat(text, object);
			strcat(text, ")V");
			put_native(&pool, &methods, "e", text);
		}
	out_put(&all, 0xcafebabe, 4);
	out_put(&all, HELPER_VERSION, 4);
	out_put(&all, pool.next, 2);
	out_bytes(&all, pool.more.bytes, pool.more.size);
	out_put(&all, HELPER_CLASS, 2);
	out_put(&all, self, 2);
	out_put(&all, super, 2);
	out_put(&all, 0, 4);
	out_put(&all, count, 2);
	out_bytes(&all, methods.bytes, methods.size);
	out_put(&all, 0, 2);
	bool is_bad = all.is_bad || pool.more.is_bad || methods.is_bad;

	free(pool.more.bytes);
	free(methods.bytes);
	if (is_bad) {
		free(all.bytes);
		return NULL;
	}
	*size = all.size;
	return all.bytes;
}
