/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>

/* Runs a command and waits for its end; false, with errno: it was not run. */
bool shell_run(const char *command);
