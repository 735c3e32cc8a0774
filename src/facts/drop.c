/* SPDX-License-Identifier: Apache-2.0 */
/* Kinds of drops, by the names that -x droptags and structured output use. */
#include "facts/fact.h"

const char *drop_name(enum drop_kind kind)
{
	static const char *const names[DROP_KINDS] = {
		[DROP_PRINCIPAL] = "PRINCIPAL",
		[DROP_AGGREGATION] = "AGGREGATION",
		[DROP_DYNAMIC] = "DYNAMIC",
		[DROP_DYNRINSE] = "DYNRINSE",
		[DROP_DYNDIRTY] = "DYNDIRTY",
		[DROP_SPEC] = "SPEC",
		[DROP_SPECBUSY] = "SPECBUSY",
		[DROP_SPECUNAVAIL] = "SPECUNAVAIL",
		[DROP_STKSTROVERFLOW] = "STKSTROVERFLOW",
		[DROP_DBLERROR] = "DBLERROR",
	};

	return kind < DROP_KINDS ? names[kind] : "UNKNOWN";
}
