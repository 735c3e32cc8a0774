/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* Strings of Java, which are UTF-16, as UTF-8. */

#include <stdbool.h>
#include <stddef.h>

#include "jvm.h"

/* Text as far as there is room, and a zero byte; no half of a pair is shown. */
void string_copy(jni_env jni, jvm_object string, char *to, size_t room);
