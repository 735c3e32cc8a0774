/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a long run no longer needs to know: processes that have ended and that
 * no aggregation key names.
 *
 * This is checked right after aggregations are drained: what a process had
 * counted before its end is in the store then.  Its records are printed within
 * a few turns of the consumer, except those of speculations, which may wait
 * indefinitely.  With bufpolicy=fill and ring all records are printed at the
 * end, so nothing can be forgotten.
 */
#include "agg/store.h"
#include "lang/function.h"
#include "proc/symbols.h"
#include "run/internal.h"

static const uint64_t SECOND = 1000000000ull;
enum { TURNS = 10, SETTLED_S = 10 };

static bool names_process(const struct schema_field *key)
{
	switch (key->symbol) {
	case SYMBOL_USTACK:
	case SYMBOL_USYM:
	case SYMBOL_UMOD:
	case SYMBOL_UADDR:
		return true;
	default:
		return false;
	}
}

static void keep_those_in(struct symbols *symbols,
			  const struct agg_variable *variable)
{
	for (uint32_t n = 0; n < variable->layout->nkeys; n++) {
		const struct schema_field *key = &variable->layout->keys[n];

		if (!names_process(key))
			continue;
		for (uint32_t i = 0; i < variable->count; i++) {
			uint32_t pid;

			/* the low half of the key's first word */
			memcpy(&pid,
			       agg_key(variable->elements[i]) + key->offset,
			       sizeof(pid));
			symbols_keep(symbols, pid);
		}
	}
}

void session_forget(struct session *session, uint64_t turn)
{
	struct symbols *symbols = session->live.symbols;
	const struct agg_store *store = session->consumer.aggs;
	uint64_t age = SETTLED_S * SECOND + TURNS * turn;

	if (!symbols || session->policy != POLICY_SWITCH ||
	    !symbols_are_many(symbols))
		return;
	uint64_t now = session_now(), oldest = specs_oldest(&session->specs);

	if (oldest < now && now - oldest > age)
		age = now - oldest;
	for (uint32_t i = 0; i < session->ntargets; i++)
		symbols_keep(symbols,
			     (uint32_t)target_pid(session->targets[i].target));
	for (uint32_t i = 0; store && i < store->nvariables; i++)
		if (store->variables[i].layout) {
			keep_those_in(symbols, &store->variables[i]);
			/* clear() and trunc() do not empty this one */
			if (store->variables[i].fresh)
				keep_those_in(symbols,
					      store->variables[i].fresh);
		}
	symbols_forget(symbols, age);
}
