/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Probes that guides and scripts of other systems name and Linux has nothing
 * for.
 */

/*
 * Why the probe does not exist and what to use instead; NULL if it is not one.
 */
const char *classic_absence(const char *provider, const char *name);
