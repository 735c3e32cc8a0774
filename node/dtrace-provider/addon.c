/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The part of dtrace-provider that is not JavaScript: libusdt for node.
 *
 * Node-API only, so that one binary serves all versions of node.  It has no state
 * of its own: providers and probes are external values, which JavaScript keeps,
 * and several threads (workers) have several of them.
 *
 *	createProvider(name, module)		provider
 *	createProbe(provider, name, types)	probe
 *	removeProbe(provider, probe)
 *	enable(provider)			Uint16Array of semaphores
 *	disable(provider)
 *	fire(probe, values)
 *	watchCollections(start, done)		see collections.h
 *
 * 1. JavaScript reads semaphores itself: a call into C for each firing that nobody
 *    wants to see would cost more than all the rest.  The array has the provider as
 *    its `owner`, so memory stays while it can be read.
 * 2. Values are converted for the time of a firing: strings become UTF-8 in a
 *    buffer on the stack, or on the heap if they are long.
 */
#include <node_api.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collections.h"
#include "usdt.h"

enum { NAME_LIMIT = 128, BUFFER = 4096, RECORD = 8, STRING_LIMIT = 1 << 20 };

/* How an argument of a type gets to the tracer. */
enum kind { KIND_NUMBER, KIND_STRING, KIND_RECORD };

struct probe {
	usdt_probedef_t *def;
	enum kind kinds[USDT_ARG_MAX];
};

static napi_value fail(napi_env env, const char *message)
{
	napi_throw_error(env, NULL, message);
	return NULL;
}

/* ----------------------------------------------------------------- values */

/* Memory for one firing: a part of the stack, then of the heap. */
struct pieces {
	char buffer[BUFFER];
	size_t used;
	struct piece {
		struct piece *next;
		char bytes[];
	} * more;
};

static void *take(struct pieces *pieces, size_t size)
{
	struct piece *piece;

	size = (size + 7) & ~(size_t)7;
	if (size <= sizeof(pieces->buffer) - pieces->used) {
		pieces->used += size;
		return pieces->buffer + pieces->used - size;
	}
	piece = malloc(sizeof(*piece) + size);
	if (!piece)
		return NULL;
	piece->next = pieces->more;
	pieces->more = piece;
	return piece->bytes;
}

static void give_back(struct pieces *pieces)
{
	for (struct piece *piece = pieces->more, *next; piece; piece = next) {
		next = piece->next;
		free(piece);
	}
}

static const char none[] = "";

static uint64_t string_of(napi_env env, napi_value value, struct pieces *pieces)
{
	napi_value string;
	size_t length;
	char *text;

	if (napi_coerce_to_string(env, value, &string) != napi_ok ||
	    napi_get_value_string_utf8(env, string, NULL, 0, &length) !=
		    napi_ok)
		return (uintptr_t)none;
	if (length > STRING_LIMIT)
		length = STRING_LIMIT;
	text = take(pieces, length + 1);
	if (!text)
		return (uintptr_t)none;
	napi_get_value_string_utf8(env, string, text, length + 1, &length);
	return (uintptr_t)text;
}

static uint64_t number_of(napi_env env, napi_value value, napi_valuetype type)
{
	napi_value number;
	double real = 0;
	int64_t integer = 0;
	bool is_exact;

	if (type == napi_bigint) {
		/* modulo 2^64, whatever its sign */
		napi_get_value_bigint_int64(env, value, &integer, &is_exact);
		return (uint64_t)integer;
	}
	if (type == napi_undefined || type == napi_symbol ||
	    napi_coerce_to_number(env, value, &number) != napi_ok)
		return 0;
	napi_get_value_double(env, number, &real);
	if (real >= 0x1p63 && real < 0x1p64)
		return (uint64_t)real;
	napi_get_value_int64(env, number, &integer);
	return (uint64_t)integer;
}

static uint64_t value_of(napi_env env, napi_value value, enum kind kind,
			 struct pieces *pieces);

/* An array as words in memory; each is a number, or leads to a string. */
static uint64_t record_of(napi_env env, napi_value value, struct pieces *pieces)
{
	uint64_t *words = take(pieces, RECORD * sizeof(*words));
	uint32_t length = 0;

	if (!words)
		return 0;
	memset(words, 0, RECORD * sizeof(*words));
	napi_get_array_length(env, value, &length);
	for (uint32_t i = 0; i < length && i < RECORD; i++) {
		napi_valuetype type;
		napi_value item;

		if (napi_get_element(env, value, i, &item) != napi_ok ||
		    napi_typeof(env, item, &type) != napi_ok)
			continue;
		words[i] = value_of(env, item,
				    type == napi_string ? KIND_STRING
							: KIND_NUMBER,
				    pieces);
	}
	return (uintptr_t)words;
}

static uint64_t value_of(napi_env env, napi_value value, enum kind kind,
			 struct pieces *pieces)
{
	napi_valuetype type;
	bool is_array = false;

	if (napi_typeof(env, value, &type) != napi_ok)
		return 0;
	if (kind == KIND_STRING)
		return string_of(env, value, pieces);
	if (kind == KIND_NUMBER)
		return number_of(env, value, type);
	napi_is_array(env, value, &is_array);
	return is_array ? record_of(env, value, pieces) : 0;
}

static bool name_of(napi_env env, napi_value value, char *to)
{
	size_t length;

	return napi_get_value_string_utf8(env, value, to, NAME_LIMIT,
					  &length) == napi_ok;
}

/* -------------------------------------------------------------- functions */

static bool arguments(napi_env env, napi_callback_info info, size_t count,
		      napi_value *values)
{
	size_t given = count;

	if (napi_get_cb_info(env, info, &given, values, NULL, NULL) ==
		    napi_ok &&
	    given == count)
		return true;
	fail(env, "wrong number of arguments");
	return false;
}

static void *pointer_of(napi_env env, napi_value value)
{
	void *pointer = NULL;

	if (napi_get_value_external(env, value, &pointer) != napi_ok)
		fail(env, "not a provider or probe");
	return pointer;
}

static void forget_provider(napi_env env, void *provider, void *hint)
{
	(void)env;
	(void)hint;
	usdt_provider_free(provider);
}

static void forget_probe(napi_env env, void *data, void *hint)
{
	struct probe *probe = data;

	(void)env;
	(void)hint;
	usdt_probe_release(probe->def);
	free(probe);
}

static napi_value create_provider(napi_env env, napi_callback_info info)
{
	napi_value values[2], result;
	char name[NAME_LIMIT], module[NAME_LIMIT];
	usdt_provider_t *provider;

	if (!arguments(env, info, 2, values))
		return NULL;
	if (!name_of(env, values[0], name) || !name_of(env, values[1], module))
		return fail(env, "the name of a provider must be a string");
	provider = usdt_create_provider(name, module);
	if (!provider)
		return fail(env,
			    "a provider's name is letters, digits and \"_-.\"");
	if (napi_create_external(env, provider, forget_provider, NULL,
				 &result) != napi_ok) {
		usdt_provider_free(provider);
		return fail(env, "no memory");
	}
	return result;
}

static enum kind kind_of(const char *type)
{
	if (!strcmp(type, "record"))
		return KIND_RECORD;
	return strchr(type, '*') || !strcmp(type, "json") ||
			       !strcmp(type, "string")
		       ? KIND_STRING
		       : KIND_NUMBER;
}

/* The types, of which there are `count` now. */
static bool types_of(napi_env env, napi_value list, uint32_t count,
		     char (*types)[NAME_LIMIT], enum kind *kinds)
{
	for (uint32_t i = 0; i < count; i++) {
		napi_value type;

		if (napi_get_element(env, list, i, &type) != napi_ok ||
		    !name_of(env, type, types[i]))
			return false;
		kinds[i] = kind_of(types[i]);
	}
	return true;
}

static napi_value create_probe(napi_env env, napi_callback_info info)
{
	char name[NAME_LIMIT], types[USDT_ARG_MAX][NAME_LIMIT];
	const char *texts[USDT_ARG_MAX];
	napi_value values[3], result;
	usdt_provider_t *provider;
	struct probe *probe;
	uint32_t count;

	if (!arguments(env, info, 3, values))
		return NULL;
	provider = pointer_of(env, values[0]);
	if (!provider)
		return NULL;
	if (napi_get_array_length(env, values[2], &count) != napi_ok ||
	    count > USDT_ARG_MAX)
		return fail(env, "a probe has up to 32 arguments");
	probe = calloc(1, sizeof(*probe));
	if (!probe)
		return fail(env, "no memory");
	if (!name_of(env, values[1], name) ||
	    !types_of(env, values[2], count, types, probe->kinds)) {
		free(probe);
		return fail(env, "names and types must be strings");
	}
	for (uint32_t i = 0; i < count; i++)
		texts[i] = types[i];
	probe->def = usdt_create_probe("func", name, count, texts);
	if (!probe->def) {
		free(probe);
		return fail(env,
			    "a probe's name is letters, digits and \"_-.\"");
	}
	if (usdt_provider_add_probe(provider, probe->def)) {
		forget_probe(env, probe, NULL);
		return fail(env, usdt_errstr(provider));
	}
	if (napi_create_external(env, probe, forget_probe, NULL, &result) !=
	    napi_ok) {
		usdt_provider_remove_probe(provider, probe->def);
		forget_probe(env, probe, NULL);
		return fail(env, "no memory");
	}
	return result;
}

static napi_value remove_probe(napi_env env, napi_callback_info info)
{
	napi_value values[2];
	struct probe *probe;
	usdt_provider_t *provider;

	if (!arguments(env, info, 2, values))
		return NULL;
	provider = pointer_of(env, values[0]);
	probe = provider ? pointer_of(env, values[1]) : NULL;
	if (probe && usdt_provider_remove_probe(provider, probe->def))
		return fail(env, usdt_errstr(provider));
	return NULL;
}

/* The semaphores of all probes, in the order in which those were added. */
static napi_value enable(napi_env env, napi_callback_info info)
{
	napi_value provider_value, buffer, array;
	usdt_provider_t *provider;
	size_t count = 0;

	if (!arguments(env, info, 1, &provider_value))
		return NULL;
	provider = pointer_of(env, provider_value);
	if (!provider)
		return NULL;
	if (usdt_provider_enable(provider))
		return fail(env, usdt_errstr(provider));
	for (const usdt_probedef_t *probe = provider->probedefs; probe;
	     probe = probe->next)
		count++;
	if (napi_create_external_arraybuffer(
		    env, (void *)(uintptr_t)provider->probedefs->probe->enabled,
		    count * sizeof(uint16_t), NULL, NULL, &buffer) != napi_ok ||
	    napi_create_typedarray(env, napi_uint16_array, count, buffer, 0,
				   &array) != napi_ok ||
	    napi_set_named_property(env, array, "owner", provider_value) !=
		    napi_ok) {
		usdt_provider_disable(provider);
		return fail(env, "cannot share semaphores with JavaScript");
	}
	return array;
}

static napi_value disable(napi_env env, napi_callback_info info)
{
	napi_value value;
	usdt_provider_t *provider;

	if (!arguments(env, info, 1, &value))
		return NULL;
	provider = pointer_of(env, value);
	if (provider)
		usdt_provider_disable(provider);
	return NULL;
}

static napi_value fire(napi_env env, napi_callback_info info)
{
	struct pieces pieces = { .used = 0 };
	void *words[USDT_ARG_MAX];
	napi_value values[2], value;
	struct probe *probe;
	uint32_t count = 0;

	if (!arguments(env, info, 2, values))
		return NULL;
	probe = pointer_of(env, values[0]);
	if (!probe || !usdt_is_enabled(probe->def->probe))
		return NULL;
	if (napi_get_array_length(env, values[1], &count) != napi_ok)
		return fail(env, "values of a probe must be an array");
	/* those that are missing are 0 or "" */
	for (uint32_t i = 0; i < probe->def->argc; i++) {
		enum kind kind = probe->kinds[i];

		words[i] = (void *)(kind == KIND_STRING ? (uintptr_t)none : 0);
		if (i < count &&
		    napi_get_element(env, values[1], i, &value) == napi_ok)
			words[i] = (void *)(uintptr_t)value_of(env, value, kind,
							       &pieces);
	}
	usdt_fire_probe(probe->def->probe, probe->def->argc, words);
	give_back(&pieces);
	return NULL;
}

/* False: this node does not tell. */
static napi_value watch_collections(napi_env env, napi_callback_info info)
{
	napi_value values[2], result;
	const struct probe *start, *done;

	if (!arguments(env, info, 2, values))
		return NULL;
	start = pointer_of(env, values[0]);
	done = start ? pointer_of(env, values[1]) : NULL;
	if (!done)
		return NULL;
	napi_get_boolean(env,
			 collections_watch(env, start->def->probe,
					   done->def->probe),
			 &result);
	return result;
}

static napi_value init(napi_env env, napi_value exports)
{
	static const struct {
		const char *name;
		napi_callback function;
	} functions[] = {
		{ "createProvider", create_provider },
		{ "createProbe", create_probe },
		{ "removeProbe", remove_probe },
		{ "enable", enable },
		{ "disable", disable },
		{ "fire", fire },
		{ "watchCollections", watch_collections },
	};

	for (size_t i = 0; i < sizeof(functions) / sizeof(*functions); i++) {
		napi_value function;

		if (napi_create_function(env, functions[i].name,
					 NAPI_AUTO_LENGTH,
					 functions[i].function, NULL,
					 &function) != napi_ok ||
		    napi_set_named_property(env, exports, functions[i].name,
					    function) != napi_ok)
			return fail(env, "cannot make functions");
	}
	return exports;
}

NAPI_MODULE(NODE_GYP_MODULE_NAME, init)
