/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * The signals that end a run politely go to `handler`: SIGINT, SIGTERM, and
 * SIGHUP unless it was ignored when the command started (nohup).
 */
void signals_catch(void (*handler)(int number));
