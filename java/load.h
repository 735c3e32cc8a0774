/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * A class of a program that has not begun, loaded as the program would load it, but for
 * its initializer, which does not run.  It is also made ready for that, because only
 * then it has methods; asking for them does it.
 */

#include "jvm.h"

void load_class(jni_env jni, const char *name);
