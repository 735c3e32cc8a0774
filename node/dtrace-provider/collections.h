/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Garbage collections of this thread's V8, as firings of two probes.
 */

#include <node_api.h>
#include <stdbool.h>

#include "usdt.h"

/*
 * The probes must stay as long as the environment does.  False: this V8 has no
 * such callbacks.
 */
bool collections_watch(napi_env env, usdt_probe_t *start, usdt_probe_t *done);
