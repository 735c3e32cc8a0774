/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Heat maps as files.  The SVG shows everything without a script: ranks as
 * colours, percentiles, and in the title of each cell its time, range, count,
 * shares and keys.  The HTML has the data and a page that explores them
 * (page/heat.ts).
 */

#include <stdbool.h>
#include <stdio.h>

#include "view/grid.h"

/* Finished grids; false: see errno. */
bool write_heat_svg(FILE *out, const struct heat *heat);
bool write_heat_html(FILE *out, const struct heat *heat);
