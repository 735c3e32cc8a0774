/* SPDX-License-Identifier: Apache-2.0 */
/*
 * -x version: names that came after a version of D.
 *
 * A script that asks for version 1.0 may call a variable `index`, because the
 * function of that name came with 1.1.  The versions are those of the classic
 * systems, and each name has its own (`since`); names without one existed from
 * the beginning, or on systems without such versions, and are always known.
 */
#include "lang/check.h"

bool version_hides(const struct language *language, const struct ident *ident)
{
	const struct option_value *asked =
		&language->config.options->values[OPTION_VERSION];
	int64_t since = ident->function	 ? ident->function->since
			: ident->builtin ? ident->builtin->since
					 : 0;

	return since && asked->is_set && !language->in_library &&
	       asked->number < (1 << 24 | since << 12);
}
