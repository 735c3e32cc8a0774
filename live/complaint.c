/* SPDX-License-Identifier: Apache-2.0 */
#include "live/complaint.h"

#include <stdlib.h>

json_t *text_json(const char *text)
{
	json_t *json = json_string(text ? text : "");

	if (json)
		return json;
	char *visible = dtrace_visible_ext(text, DTRACE_VISIBLE_LINES);

	json = json_string(visible ? visible : "");
	free(visible);
	return json ? json : json_string("?");
}

json_t *complaint_json(const dtrace_complaint_ext_t *complaint)
{
	const dtrace_place_ext_t *place = &complaint->dtcm_place;

	return json_pack("{s:o, s:o, s:o, s:i, s:i, s:i, s:b}", "tag",
			 text_json(complaint->dtcm_tag), "message",
			 text_json(complaint->dtcm_message), "hint",
			 text_json(complaint->dtcm_hint), "line",
			 (int)place->dtpl_line, "column",
			 (int)place->dtpl_column, "length",
			 (int)place->dtpl_length, "doubt",
			 complaint->dtcm_is_doubt);
}
