/* SPDX-License-Identifier: Apache-2.0 */
#include "sink/sink.h"

const struct sink_class *sink_class_of(const struct options *options)
{
	static const struct sink_class *const classes[] = {
#define SINK(name) &sink_##name,
#include "base/sinks.def"
#undef SINK
	};

	return classes[option_number(options, OPTION_OFORMAT)];
}
