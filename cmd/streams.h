/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * For the start of a command: who was started with a standard stream closed
 * would get its number for the next thing he opens, and write his output into
 * that.  A closed one becomes one that can neither be read nor written as it
 * should, so that use of it fails and is told.
 */
void streams_hold(void);
