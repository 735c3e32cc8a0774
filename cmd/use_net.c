/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Networks: interfaces, the CPU time of packets, and the protocols' queues.
 *
 * An interface of no speed (loopback, most virtual ones) has no utilization.
 * What it does to the machine shows in the soft interrupts: "packets".
 */
#include "cmd/use.h"

#include <string.h>

#define BUSY 60.0 /* percent */

static void add_interface(struct use *use, const char *name, const double *n)
{
	struct row *row = use_row(use, "net %s", name);
	char path[96];
	double speed;
	double received = use_grown(use, n[0], "rx.%s", name),
	       sent = use_grown(use, n[8], "tx.%s", name);
	double drops = use_grown(use, n[3] + n[4] + n[11] + n[12], "drops.%s",
				 name),
	       errors = use_grown(use, n[2] + n[5] + n[10] + n[13] + n[14],
				  "errors.%s", name);

	snprintf(path, sizeof(path), "/sys/class/net/%s/speed", name);
	/* in megabits per second */
	if (use_read_number(path, &speed) && speed > 0)
		use_known(
			&row->cells[UTILIZATION],
			100 * 8 * (received > sent ? received : sent) /
				use->seconds / (speed * 1e6),
			"%", BUSY,
			"/proc/net/dev: bytes, of the %g Mb/s of /sys/class/net/%s/speed",
			speed, name);
	else
		use_unknown(
			&row->cells[UTILIZATION],
			"the interface has no speed; /proc/net/dev: %.1f Mb/s in, %.1f out",
			8 * received / use->seconds / 1e6,
			8 * sent / use->seconds / 1e6);
	use_known(&row->cells[SATURATION], drops, "drops", 1,
		  "/proc/net/dev: drop and fifo");
	use_known(&row->cells[ERRORS], errors, "", 1,
		  "/proc/net/dev: errs, frame, colls and carrier");
}

static void add_interfaces(struct use *use)
{
	char line[1024];
	FILE *file = fopen("/proc/net/dev", "r");

	while (file && fgets(line, sizeof(line), file)) {
		char *colon = strrchr(line, ':'), *name = line;
		double n[16];

		if (!colon)
			continue;
		*colon = '\0';
		name += strspn(name, " ");
		if (sscanf(colon + 1,
			   "%lf %lf %lf %lf %lf %lf %lf %lf %lf %lf %lf %lf %lf %lf %lf %lf",
			   &n[0], &n[1], &n[2], &n[3], &n[4], &n[5], &n[6],
			   &n[7], &n[8], &n[9], &n[10], &n[11], &n[12], &n[13],
			   &n[14], &n[15]) != 16)
			continue;
		/* one that never was used is no news */
		if (n[1] + n[9] + n[2] + n[10] > 0 || !strcmp(name, "lo"))
			add_interface(use, name, n);
	}
	if (file)
		fclose(file);
}

/* processed, dropped, squeezed ... in hexadecimal, a line for each CPU */
static bool backlog(double *drops)
{
	char line[512];
	bool is_there = false;
	FILE *file = fopen("/proc/net/softnet_stat", "r");

	*drops = 0;
	while (file && fgets(line, sizeof(line), file)) {
		unsigned dropped, squeezed;

		if (sscanf(line, "%*x %x %x", &dropped, &squeezed) != 2)
			continue;
		*drops += dropped;
		is_there = true;
	}
	if (file)
		fclose(file);
	return is_there;
}

static void add_packets(struct use *use)
{
	struct row *row = use_row(use, "net packets");
	double drops;

	use_traced_cell(
		use, &row->cells[UTILIZATION], "softirq", NULL,
		1e7 * use->ncpus, "%", BUSY,
		"rawtp:irq::softirq_entry and _exit: time of the CPUs for packets");
	if (backlog(&drops))
		use_known(
			&row->cells[SATURATION],
			use_grown(use, drops, "softnet"), "drops", 1,
			"/proc/net/softnet_stat: packets for which a CPU's queue was full");
	else
		use_unknown(&row->cells[SATURATION],
			    "/proc/net/softnet_stat cannot be read");
	use_unknown(&row->cells[ERRORS], "not counted: see the interfaces");
}

/* "Tcp: RtoAlgorithm ..." above "Tcp: 1 ...": the number below a name. */
static bool read_below(const char *path, const char *protocol, const char *name,
		       double *value)
{
	char names[8192], numbers[8192];
	size_t n = strlen(protocol);
	FILE *file = fopen(path, "r");
	bool is_there = false;

	while (file && !is_there && fgets(names, sizeof(names), file) &&
	       fgets(numbers, sizeof(numbers), file)) {
		char *head, *below, *word, *number;

		if (strncmp(names, protocol, n) || names[n] != ':')
			continue;
		word = strtok_r(names, " \n", &head);
		number = strtok_r(numbers, " \n", &below);
		while (word && number && strcmp(word, name)) {
			word = strtok_r(NULL, " \n", &head);
			number = strtok_r(NULL, " \n", &below);
		}
		is_there = word && number && sscanf(number, "%lf", value) == 1;
	}
	if (file)
		fclose(file);
	return is_there;
}

static void add_count(struct use *use, struct cell *cell, const char *path,
		      const char *protocol, const char *name, const char *unit)
{
	double value;

	if (read_below(path, protocol, name, &value))
		use_known(cell, use_grown(use, value, "%s.%s", protocol, name),
			  unit, 1, "%s: %s %s", path, protocol, name);
	else
		use_unknown(cell, "%s has no %s %s", path, protocol, name);
}

/* IPv6, if there is any, counts its own. */
static void add_sixth(struct use *use, struct cell *cell, const char *name)
{
	double value;
	size_t n = strlen(cell->about);

	if (!cell->is_known || !use_read("/proc/net/snmp6", name, &value))
		return;
	cell->value += use_grown(use, value, "%s", name);
	snprintf(cell->about + n, sizeof(cell->about) - n,
		 ", /proc/net/snmp6: %s", name);
}

static void add_protocols(struct use *use)
{
	struct row *tcp = use_row(use, "tcp");

	use_unknown(&tcp->cells[UTILIZATION], "a protocol has no limit");
	add_count(use, &tcp->cells[SATURATION], "/proc/net/netstat", "TcpExt",
		  "ListenDrops", "drops");
	add_count(use, &tcp->cells[ERRORS], "/proc/net/snmp", "Tcp",
		  "RetransSegs", "resent");

	struct row *udp = use_row(use, "udp");

	use_unknown(&udp->cells[UTILIZATION], "a protocol has no limit");
	add_count(use, &udp->cells[SATURATION], "/proc/net/snmp", "Udp",
		  "RcvbufErrors", "drops");
	add_count(use, &udp->cells[ERRORS], "/proc/net/snmp", "Udp",
		  "InCsumErrors", "");
	add_sixth(use, &udp->cells[SATURATION], "Udp6RcvbufErrors");
	add_sixth(use, &udp->cells[ERRORS], "Udp6InCsumErrors");
}

void use_networks(struct use *use)
{
	add_interfaces(use);
	add_packets(use);
	add_protocols(use);
}
