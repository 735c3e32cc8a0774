/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Confinement of the process that speaks HTTP.
 *
 * Before it reads the first byte of a client it gives up everything that it
 * does not need: files (its root is an empty directory that is gone), its user,
 * all capabilities, new privileges, and all system calls but those with which
 * open sockets and its own memory are used.  There is no way back.
 */

#include <stdbool.h>

/*
 * Root: all of it.  Others, for --replay: all but root directory and user.
 * False: something failed, errno says why, and *step what.
 */
bool confine(const char **step);
/* The part that needs no root: limits, no new privileges, system calls. */
bool confine_calls(const char **step);
