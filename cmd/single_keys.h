/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Keys from the terminal at once, without being shown, for commands that draw
 * pages and end by q.
 */

#include <poll.h>
#include <stdbool.h>

/*
 * Asks the terminal for them, if this process is in its foreground: another would be
 * stopped.  While the process is stopped (Ctrl-Z) the terminal is as it was before;
 * then `on_continue` is called, in a signal handler, unless it is NULL.
 */
void single_keys_begin(void (*on_continue)(void));
/* Gives the terminal back; may be called in a signal handler. */
void single_keys_end(void);

/* For poll(2): the terminal, or nothing to wait for. */
struct pollfd single_keys_pollfd(void);
/* After poll(2): was q typed? */
bool single_keys_quit(struct pollfd *terminal);
