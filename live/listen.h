/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * The socket that clients come to.  An address that others can reach needs TLS,
 * and a password or client certificates: a token in a URL is not enough there.
 */

#include "live/settings.h"

/* Opens settings->listener; false: a message says why not. */
bool listen_open(struct settings *settings);
