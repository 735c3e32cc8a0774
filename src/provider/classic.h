/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Probes that guides and scripts of other systems name and Linux has nothing
 * for.
 */

/* Why there is no such probe, and what to take instead; NULL: it is none. */
const char *classic_absence(const char *provider, const char *name);
