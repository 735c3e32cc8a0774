/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JSON for d3-flame-graph: { name, value, children }, value with all that is
 * above.  A difference has `delta`, too.
 */
#include "view/page.h"
#include "view/write.h"

static void open_node(FILE *out, const struct profile *profile, uint32_t node,
		      struct text *name)
{
	text_clear(name);
	if (node)
		frame_text(name, profile_frame_of(profile, node));
	else
		text_puts(name, "all");
	fputs("{\"name\":", out);
	page_string(out, text_str(name), name->n);
	fprintf(out, ",\"value\":%lld", (long long)profile->nodes[node].total);
	if (profile->before)
		fprintf(out, ",\"delta\":%lld",
			(long long)(profile->nodes[node].total -
				    profile->before[node].total));
}

bool write_d3(FILE *out, const struct profile *profile,
	      const struct picture_options *options)
{
	struct profile_walk walk = { .profile = profile };
	uint32_t depth = 0;
	struct text name = { 0 };

	(void)options;
	open_node(out, profile, 0, &name);
	while (profile_next(&walk)) {
		if (walk.depth > depth)
			fputs(",\"children\":[", out);
		for (; depth > walk.depth; depth--)
			fputs("}]", out);
		if (depth == walk.depth)
			fputs("},", out);
		depth = walk.depth;
		open_node(out, profile, walk.node, &name);
	}
	for (; depth; depth--)
		fputs("}]", out);
	fputs("}\n", out);
	text_free(&name);
	return !ferror(out);
}
