/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Disks, and the controllers that they hang on.
 *
 * The kernel counts how long a disk had something to do, and that time times the
 * number of its requests.  A controller's own limits are not known: its
 * utilization is unknown, its saturation and errors are those of its disks.
 */
#include "cmd/use.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BUSY 60.0 /* percent */

/* More than one request at a time, on average. */
#define QUEUED 1.0

/* Errors are traced by the name of a disk or of a partition of it. */
static double errors_of(const struct use *use, const char *disk)
{
	double sum = 0;
	char path[160];

	for (size_t i = 0; i < use->nevents; i++) {
		const struct event *event = &use->events[i];

		if (strcmp(event->name, "ioerror"))
			continue;
		snprintf(path, sizeof(path), "/sys/block/%s/%s", disk,
			 event->key);
		if (!strcmp(event->key, disk) ||
		    (*event->key && !access(path, F_OK)))
			sum += event->value;
	}
	return sum;
}

/* Disks of one controller have a directory of /sys in common. */
static bool controller_of(const char *disk, char *name, size_t size)
{
	char path[96], real[PATH_MAX];
	static const char *const kinds[] = { "/host", "/nvme", "/virtio",
					     "/mmc" };

	snprintf(path, sizeof(path), "/sys/block/%s/device", disk);
	if (!realpath(path, real))
		return false;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		const char *at = strstr(real, kinds[i]);

		if (!at)
			continue;
		at++;
		snprintf(name, size, "%.*s", (int)strcspn(at, "/"), at);
		return true;
	}
	return false;
}

static void add_to_controller(struct use *use, size_t first, const char *disk,
			      double queue, double errors)
{
	static const char source[] =
		"/proc/diskstats, io:::done: those of its disks";
	const char *why_not = use_why_not("ioerror");
	char name[32], full[48];
	struct row *row = NULL;

	if (!controller_of(disk, name, sizeof(name)))
		return;
	snprintf(full, sizeof(full), "controller %s", name);
	for (size_t i = first; i < use->nrows; i++)
		if (!strcmp(use->rows[i].name, full))
			row = &use->rows[i];
	if (!row) {
		row = use_row(use, "%s", full);
		use_unknown(&row->cells[UTILIZATION],
			    "how much a controller can do is not known");
		use_known(&row->cells[SATURATION], 0, "requests", QUEUED, "%s",
			  source);
		if (why_not)
			use_unknown(&row->cells[ERRORS], "io:::done: %s",
				    why_not);
		else
			use_known(&row->cells[ERRORS], 0, "", 1, "%s", source);
	}
	row->cells[SATURATION].value += queue;
	row->cells[ERRORS].value += errors;
}

struct disk {
	char name[32];
	double queue, errors;
};

/* Number 10 is ms with requests, 11 ms times requests. */
static bool add_disk(struct use *use, const char *line, struct disk *disk)
{
	double reads, writes, busy, weighted;
	char path[96];

	if (sscanf(line,
		   "%*u %*u %31s %lf %*u %*u %*u %lf %*u %*u %*u %*u %lf %lf",
		   disk->name, &reads, &writes, &busy, &weighted) != 5)
		return false;
	snprintf(path, sizeof(path), "/sys/block/%s", disk->name);
	/* no partitions, and none that never was used */
	if (access(path, F_OK) || reads + writes == 0)
		return false;

	struct row *row = use_row(use, "disk %s", disk->name);
	double part = use_grown(use, busy, "busy.%s", disk->name) /
		      use->seconds / 10;

	disk->queue = use_grown(use, weighted, "queue.%s", disk->name) /
		      use->seconds / 1000;
	disk->errors = errors_of(use, disk->name);
	use_known(&row->cells[UTILIZATION], part > 100 ? 100 : part, "%", BUSY,
		  "/proc/diskstats: time with requests");
	use_known(&row->cells[SATURATION], disk->queue, "requests", QUEUED,
		  "/proc/diskstats: requests at a time, on average");

	const char *why_not = use_why_not("ioerror");

	if (why_not)
		use_unknown(&row->cells[ERRORS], "io:::done: %s", why_not);
	else
		use_known(&row->cells[ERRORS], disk->errors, "", 1,
			  "io:::done: b_flags & B_ERROR");
	return true;
}

void use_disks(struct use *use)
{
	char line[512];
	struct disk disk, *disks = NULL;
	size_t n = 0, first;
	FILE *file = fopen("/proc/diskstats", "r");

	while (file && fgets(line, sizeof(line), file)) {
		if (!add_disk(use, line, &disk))
			continue;
		disks = tool_must(realloc(disks, (n + 1) * sizeof(disk)));
		disks[n++] = disk;
	}
	if (file)
		fclose(file);
	first = use->nrows;
	for (size_t i = 0; i < n; i++)
		add_to_controller(use, first, disks[i].name, disks[i].queue,
				  disks[i].errors);
	free(disks);
}
