/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* The available sinks: base/sinks.def lists them, one line each. */

#include "facts/sink.h"

#define SINK(name) extern const struct sink_class sink_##name;
#include "base/sinks.def"
#undef SINK

/* The sink that -x oformat names, by the option's number. */
const struct sink_class *sink_class_of(const struct options *options);
