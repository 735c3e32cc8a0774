/* SPDX-License-Identifier: Apache-2.0 */
/*
 * When V8 begins and ends to collect garbage.
 *
 * Node-API does not tell, and JavaScript learns of it when it is over.  V8 itself
 * calls back, through functions that every node exports for its addons: they are
 * methods in C++, whose names are written here as the linker has them.  To call a
 * method is to pass the object first, and an enum is an int; that is the C++ ABI
 * of this system.  They are looked for at run time: a V8 that has them no longer
 * does without these two probes.
 *
 * The callbacks run in the middle of a collection and touch nothing of V8's.
 */
#include "collections.h"

#include <dlfcn.h>
#include <stdlib.h>

typedef void callback(void *isolate, int type, int flags, void *data);
typedef void *current(void);
typedef void change(void *isolate, callback *call, void *data, int types);
typedef void undo(void *isolate, callback *call, void *data);

static const char current_name[] = "_ZN2v87Isolate10GetCurrentEv";
static const char add_start_name[] =
	"_ZN2v87Isolate21AddGCPrologueCallbackEPFvPS0_NS_6GCTypeENS_15GCCallbackFlagsEPvES4_S2_";
static const char add_done_name[] =
	"_ZN2v87Isolate21AddGCEpilogueCallbackEPFvPS0_NS_6GCTypeENS_15GCCallbackFlagsEPvES4_S2_";
static const char remove_start_name[] =
	"_ZN2v87Isolate24RemoveGCPrologueCallbackEPFvPS0_NS_6GCTypeENS_15GCCallbackFlagsEPvES4_";
static const char remove_done_name[] =
	"_ZN2v87Isolate24RemoveGCEpilogueCallbackEPFvPS0_NS_6GCTypeENS_15GCCallbackFlagsEPvES4_";

enum { ALL_TYPES = 0xffff };

struct watch {
	void *isolate;
	usdt_probe_t *start, *done;
	undo *remove_start, *remove_done;
};

static void fire(usdt_probe_t *probe, void *isolate, int type, int flags)
{
	void *values[] = { (void *)(intptr_t)type, (void *)(intptr_t)flags,
			   isolate };

	usdt_fire_probe(probe, 3, values);
}

static void starts(void *isolate, int type, int flags, void *data)
{
	fire(((struct watch *)data)->start, isolate, type, flags);
}

static void ends(void *isolate, int type, int flags, void *data)
{
	fire(((struct watch *)data)->done, isolate, type, flags);
}

static void forget(void *data)
{
	struct watch *watch = data;

	watch->remove_start(watch->isolate, starts, watch);
	watch->remove_done(watch->isolate, ends, watch);
	free(watch);
}

bool collections_watch(napi_env env, usdt_probe_t *start, usdt_probe_t *done)
{
	current *get_current = (current *)dlsym(RTLD_DEFAULT, current_name);
	change *add_start = (change *)dlsym(RTLD_DEFAULT, add_start_name);
	change *add_done = (change *)dlsym(RTLD_DEFAULT, add_done_name);
	struct watch made = {
		.isolate = get_current ? get_current() : NULL,
		.start = start,
		.done = done,
		.remove_start = (undo *)dlsym(RTLD_DEFAULT, remove_start_name),
		.remove_done = (undo *)dlsym(RTLD_DEFAULT, remove_done_name),
	};
	struct watch *watch;

	if (!made.isolate || !add_start || !add_done || !made.remove_start ||
	    !made.remove_done)
		return false;
	watch = malloc(sizeof(*watch));
	if (!watch)
		return false;
	*watch = made;
	if (napi_add_env_cleanup_hook(env, forget, watch) != napi_ok) {
		free(watch);
		return false;
	}
	add_start(watch->isolate, starts, watch, ALL_TYPES);
	add_done(watch->isolate, ends, watch, ALL_TYPES);
	return true;
}
