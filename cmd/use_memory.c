/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory, its error correction, and swap.
 *
 * Memory is saturated when threads must free some before they get any (direct
 * reclaim), and at its end when the kernel kills processes.
 */
#include "cmd/use.h"

#include <glob.h>
#include <string.h>

#define FULL 90.0 /* percent */
#define MEMINFO "/proc/meminfo"

static void add_memory(struct use *use)
{
	struct row *row = use_row(use, "memory");
	double total, available;

	if (use_read(MEMINFO, "MemTotal:", &total) &&
	    use_read(MEMINFO, "MemAvailable:", &available) && total > 0)
		use_known(&row->cells[UTILIZATION],
			  100 * (total - available) / total, "%", FULL,
			  MEMINFO ": MemTotal less MemAvailable");
	else
		use_unknown(&row->cells[UTILIZATION],
			    MEMINFO " has no MemAvailable");
	use_traced_cell(
		use, &row->cells[SATURATION], "stall", NULL, 1e6, "ms/s", 1e-9,
		"rawtp:vmscan::mm_vmscan_direct_reclaim_begin and _end: time that threads had to free memory");
	use_traced_cell(use, &row->cells[ERRORS], "oom", NULL, 1 / use->seconds,
			"killed", 1,
			"rawtp:oom::mark_victim: processes killed for memory");
}

/* Memory controllers that count corrected and uncorrected errors. */
static void add_correction(struct use *use)
{
	struct row *row = use_row(use, "memory ECC");
	double sum = 0, n;
	glob_t files;

	use_unknown(&row->cells[UTILIZATION], "not a thing that is used");
	use_unknown(&row->cells[SATURATION], "not a thing that is used");
	if (!glob("/sys/devices/system/edac/mc/mc*/[cu]e_count", 0, NULL,
		  &files)) {
		for (size_t i = 0; i < files.gl_pathc; i++)
			if (use_read_number(files.gl_pathv[i], &n))
				sum += n;
		use_known(&row->cells[ERRORS], use_grown(use, sum, "ecc"), "",
			  1,
			  "/sys/devices/system/edac/mc: ce_count and ue_count");
		globfree(&files);
	} else {
		use_unknown(
			&row->cells[ERRORS],
			"/sys/devices/system/edac/mc has no controller: no ECC, or no driver for it");
	}
}

static void add_swap(struct use *use)
{
	struct row *row = use_row(use, "swap");
	double total, unused, in, out;

	if (!use_read(MEMINFO, "SwapTotal:", &total) || total <= 0) {
		use_unknown(&row->cells[UTILIZATION],
			    MEMINFO ": there is no swap");
		use_unknown(&row->cells[SATURATION],
			    MEMINFO ": there is no swap");
		use_unknown(&row->cells[ERRORS], MEMINFO ": there is no swap");
		return;
	}
	if (use_read(MEMINFO, "SwapFree:", &unused))
		use_known(&row->cells[UTILIZATION],
			  100 * (total - unused) / total, "%", FULL,
			  MEMINFO ": SwapTotal less SwapFree");
	if (use_read("/proc/vmstat", "pswpin ", &in) &&
	    use_read("/proc/vmstat", "pswpout ", &out))
		use_known(&row->cells[SATURATION],
			  use_grown(use, in + out, "swap") / use->seconds,
			  "pages/s", 1e-9, "/proc/vmstat: pswpin and pswpout");
	else
		use_unknown(&row->cells[SATURATION],
			    "/proc/vmstat has no pswpin");
	use_unknown(&row->cells[ERRORS],
		    "not counted: see the errors of its disk");
}

void use_memory(struct use *use)
{
	add_memory(use);
	add_correction(use);
	add_swap(use);
}
