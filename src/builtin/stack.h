/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Frames that stack() has room for besides those requested: tracing code before
 * them, and one that shows whether there are more.
 */
enum { STACK_HIDDEN = 4, STACK_EXTRA = STACK_HIDDEN + 1 };
