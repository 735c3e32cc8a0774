/* SPDX-License-Identifier: Apache-2.0 */
/* Options that affect the text of a run: recordings contain them. */
#include "facts/recording.h"

static const enum option_id shown[] = {
	OPTION_QUIET, OPTION_FLOWINDENT, OPTION_RAWBYTES, OPTION_STACKINDENT,
	OPTION_AGGHIST, OPTION_AGGPACK, OPTION_AGGPCT, OPTION_AGGZOOM,
	OPTION_ENCODING, OPTION_PRINTSIZE, OPTION_SCREEN,
};

bool option_is_shown(enum option_id id)
{
	for (size_t i = 0; i < sizeof(shown) / sizeof(*shown); i++)
		if (shown[i] == id)
			return true;
	return false;
}
