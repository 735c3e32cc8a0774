/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * For the start of a command: if a standard stream is closed, its number would
 * go to the next file that is opened, and output would be written into that.  A
 * closed stream becomes one that is open in the wrong direction, so that using
 * it fails and is reported.
 */
void streams_hold(void);
