/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* What fires: methods with probes, by number, and the natives that they call. */

#include <stdbool.h>
#include <stdint.h>

#include "jvm.h"
#include "message.h"

/* One program's probe at a method. */
struct firing {
	uint32_t site, number;
	bool leaves;
};

/*
 * A method as it was instrumented.  It never changes and is never freed: a thread
 * may be in an old version of the method as long as it likes.
 */
struct fired_method {
	uint32_t entry_wants, leave_wants;
	char kinds[JAVA_THIS + 1], result; /* classfile_kinds() */
	uint32_t nfirings;
	struct firing firings[];
};

/* Words that are passed for those that are wanted: of objects only one. */
static inline uint32_t java_passed(uint32_t wants)
{
	return (wants | wants >> JAVA_OBJECTS) & ((1u << JAVA_OBJECTS) - 1);
}

/* Its number, or UINT32_MAX: there are too many, or no memory. */
uint32_t fire_add(struct fired_method *method);

/* Until it is live, and afterwards, methods that fire do nothing. */
void fire_start(jvmti_env jvmti, uint32_t string_bytes);
void fire_stop(void);
bool fire_is_live(void);

/* Makes the natives those of the helper class. */
bool fire_register(jni_env jni, jvm_object helper);

/* The sites, which are at a page of the agent's file. */
extern const uint8_t fire_sites[];
