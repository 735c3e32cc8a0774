/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names and addresses of the kernel, for consumers that print them themselves.
 */
#include <errno.h>
#include <string.h>

#include "api/internal.h"
#include "base/visible.h"
#include "probe/probe.h"
#include "proc/symbols.h"

int dtrace_kaddr2sym_ext(dtrace_hdl_t *dtp, uint64_t address,
			 dtrace_symbol_ext_t *symbol)
{
	struct session *session = handle_session(dtp);
	struct symbol found = { 0 };

	if (!session_consumer(session) ||
	    !symbols_kernel(session_symbols(session), address, &found) ||
	    !found.name)
		return handle_fail(dtp, ENOENT);
	*symbol = (dtrace_symbol_ext_t){
		.dts_object = found.module,
		.dts_name = found.name,
		.dts_address = found.start,
	};
	return 0;
}

int dtrace_kname2sym_ext(dtrace_hdl_t *dtp, const char *name,
			 dtrace_symbol_ext_t *symbol)
{
	struct probe_registry *registry = session_registry(handle_session(dtp));
	uint64_t address, size;

	if (!registry_symbol(registry, "", name, &address, &size) || !address)
		return handle_fail(dtp, ENOENT);
	*symbol = (dtrace_symbol_ext_t){
		.dts_object = "",
		.dts_name = name,
		.dts_address = address,
		.dts_size = size,
	};
	return 0;
}

char *dtrace_visible_ext(const char *text, dtrace_visible_t how)
{
	struct text out = { 0 };

	text_add_visible(&out, text, strlen(text),
			 how == DTRACE_VISIBLE_NAME ? VISIBLE_LINE
						    : VISIBLE_LINES);
	return out.p;
}
