/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Snapshots, taken while all CPUs count.
 *
 *	snapshots snap|interval COUNT PROGRAM
 *
 * A process with a thread on each CPU calls lseek(-1, n % 1000, 0) and knows how
 * often it did.  The consumer takes COUNT snapshots meanwhile, merges
 * them, and compares with what must have been counted; and with the totals, if
 * no action has changed those.
 */
#include <dtrace.h>

#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	VALUES = 1000, KEYS = 4, LEAST = 100000,
	MOST_CPUS = 1024, MOST_WORDS = 1024, MOST_SERIES = 64
};

/* ------------------------------------------------------------------- load */

static struct {
	atomic_bool begins, ends;
	_Atomic uint64_t calls[MOST_CPUS];
} *shared;

static void *make_calls(void *arg)
{
	int cpu = (int)(intptr_t)arg;
	cpu_set_t set;
	uint64_t n = 0;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	sched_setaffinity(0, sizeof(set), &set);
	while (!shared->begins)
		usleep(1000);
	for (; !shared->ends || n < LEAST; n++)
		lseek(-1, (off_t)(n % VALUES), SEEK_SET);
	shared->calls[cpu] = n;
	return NULL;
}

static pid_t start_load(void)
{
	pthread_t threads[MOST_CPUS];
	cpu_set_t set;
	int n = 0;

	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pid_t pid = fork();

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	sched_getaffinity(0, sizeof(set), &set);
	for (int cpu = 0; cpu < MOST_CPUS; cpu++)
		if (CPU_ISSET(cpu, &set))
			pthread_create(&threads[n++], NULL, make_calls,
				       (void *)(intptr_t)cpu);
	while (n)
		pthread_join(threads[--n], NULL);
	_exit(0);
}

/* ---------------------------------------------------------------- merging */

/* An aggregation's words for one key. */
struct series {
	char name[16], function[16];
	int64_t key;
	uint32_t nwords;
	int64_t words[MOST_WORDS];
};

static struct series merged[MOST_SERIES];
static uint32_t nmerged;
static uint64_t last_second, last_to, snapshots;
static int failures;

static void fail(const char *what)
{
	printf("%s\n", what);
	failures++;
}

static int64_t key_of(const dtrace_aggdata_t *row)
{
	return row->dtada_nkeys ? row->dtada_keys[0].dtv_integer : -1;
}

static struct series *find(const char *name, int64_t key)
{
	for (uint32_t i = 0; i < nmerged; i++)
		if (!strcmp(merged[i].name, name) && merged[i].key == key)
			return &merged[i];
	return NULL;
}

static struct series *series_of(const dtrace_aggdata_t *row)
{
	struct series *series = find(row->dtada_name, key_of(row));

	if (series)
		return series;
	if (nmerged == MOST_SERIES || row->dtada_nvalues > MOST_WORDS) {
		fail("too many aggregations");
		exit(1);
	}
	series = &merged[nmerged++];
	snprintf(series->name, sizeof(series->name), "%s", row->dtada_name);
	snprintf(series->function, sizeof(series->function), "%s",
		 row->dtada_function);
	series->key = key_of(row);
	series->nwords = row->dtada_nvalues;
	if (!strcmp(series->function, "min"))
		series->words[0] = INT64_MAX;
	if (!strcmp(series->function, "max"))
		series->words[0] = INT64_MIN;
	return series;
}

static void merge(struct series *series, const int64_t *words)
{
	for (uint32_t i = 0; i < series->nwords; i++) {
		int64_t *word = &series->words[i];

		if (!strcmp(series->function, "min"))
			*word = words[i] < *word ? words[i] : *word;
		else if (!strcmp(series->function, "max"))
			*word = words[i] > *word ? words[i] : *word;
		else
			*word += words[i];
	}
}

static int see_snapshot(const dtrace_snapdata_ext_t *data, void *arg)
{
	(void)arg;
	if (data->dtsn_to != last_to) {
		snapshots++;
		if (last_to && data->dtsn_from < last_to)
			fail("an interval begins before the last one has ended");
	}
	if (data->dtsn_second < last_second)
		fail("a second comes after a later one");
	if (data->dtsn_second != data->dtsn_from / 1000000000)
		fail("a snapshot is not of the second that it began in");
	if (data->dtsn_to < data->dtsn_from)
		fail("an interval ends before it begins");
	last_second = data->dtsn_second;
	last_to = data->dtsn_to;
	merge(series_of(data->dtsn_row), data->dtsn_row->dtada_values);
	return DTRACE_HANDLE_OK;
}

/* -------------------------------------------------------------- comparing */

static void compare(const char *name, int64_t key, uint32_t word,
		    int64_t expected)
{
	const struct series *series = find(name, key);
	int64_t value = series ? series->words[word] : 0;

	if (value == expected)
		return;
	printf("%s[%" PRId64 "] word %u: %" PRId64 ", not %" PRId64 "\n", name,
	       key, word, value, expected);
	failures++;
}

/* What must have been counted: calls with each value. */
static void compare_with_calls(void)
{
	static int64_t with[VALUES];
	int64_t calls = 0, sum = 0, lows[MOST_WORDS] = { 0 };

	for (int cpu = 0; cpu < MOST_CPUS; cpu++)
		for (int64_t v = 0; v < VALUES; v++)
			with[v] += (int64_t)(shared->calls[cpu] / VALUES) +
				   (v < (int64_t)(shared->calls[cpu] % VALUES));
	for (int64_t v = 0; v < VALUES; v++) {
		calls += with[v];
		sum += with[v] * v;
		lows[v / 100] += with[v];
	}
	if (calls < 2 * LEAST)
		fail("there were few calls");
	compare("count", -1, 0, calls);
	compare("sum", -1, 0, sum);
	compare("min", -1, 0, 0);
	compare("max", -1, 0, VALUES - 1);
	compare("avg", -1, 0, calls);
	compare("avg", -1, 1, sum);
	/* bucket 0 is what is below; then a hundred values each */
	for (uint32_t i = 0; i < VALUES / 100; i++)
		compare("lquantize", -1, i + 1, lows[i]);
	for (int64_t key = 0; key < KEYS; key++) {
		int64_t of_key = 0;

		for (int64_t v = key; v < VALUES; v += KEYS)
			of_key += with[v];
		compare("keyed", key, 0, of_key);
	}
	/* bucket 63 is 0; 64 is 1, 65 is 2 and 3 ... */
	compare("quantize", -1, 63, with[0]);
	for (uint32_t bit = 0; bit < 10; bit++) {
		int64_t in_bucket = 0;

		for (int64_t v = 1 << bit; v < 2 << bit && v < VALUES; v++)
			in_bucket += with[v];
		compare("quantize", -1, 64 + bit, in_bucket);
	}
}

static int see_total(const dtrace_aggdata_t *row, void *arg)
{
	const struct series *series = find(row->dtada_name, key_of(row));

	++*(uint32_t *)arg;
	if (!series)
		fail("a total that no snapshot had");
	else if (memcmp(series->words, row->dtada_values,
			series->nwords * sizeof(int64_t)))
		fail("snapshots are not the total");
	return DTRACE_AGGWALK_NEXT;
}

/* --------------------------------------------------------------- the run */

static int see_drop(const dtrace_dropdata_t *data, void *arg)
{
	(void)arg;
	fail(data->dtdda_msg);
	return DTRACE_HANDLE_OK;
}

static void check(dtrace_hdl_t *dtp, bool is_good, const char *what)
{
	if (is_good)
		return;
	printf("%s: %s\n", what, dtrace_errmsg(dtp, dtrace_errno(dtp)));
	exit(1);
}

int main(int argc, char **argv)
{
	bool snaps = argc == 4 && !strcmp(argv[1], "snap");
	uint64_t wanted = argc == 4 ? strtoull(argv[2], NULL, 10) : 0;
	char pid[16], *args[] = { "snapshots", pid };
	uint32_t totals = 0;
	int error, status;
	FILE *nowhere = fopen("/dev/null", "w");
	pid_t load = start_load();
	dtrace_hdl_t *dtp = dtrace_open(DTRACE_VERSION, 0, &error);

	snprintf(pid, sizeof(pid), "%d", (int)load);
	dtrace_setopt(dtp, "quiet", NULL);
	dtrace_setopt(dtp, snaps ? "switchrate" : "interval", "1ms");
	dtrace_handle_drop(dtp, see_drop, NULL);
	dtrace_handle_snapshot_ext(dtp, see_snapshot, NULL);
	dtrace_prog_t *program = dtrace_program_strcompile(
		dtp, argv[3], DTRACE_PROBESPEC_NAME, 0, 2, args);

	check(dtp, program && !dtrace_program_exec(dtp, program, NULL),
	      "program");
	check(dtp, !dtrace_go(dtp), "go");
	shared->begins = true;
	for (unsigned i = 0; snapshots < wanted; i++) {
		if (!snaps || i % 16 == 0)
			check(dtp, dtrace_work(dtp, nowhere, NULL, NULL,
					       NULL) == DTRACE_WORKSTATUS_OKAY,
			      "work");
		if (snaps)
			check(dtp, !dtrace_aggregate_snap(dtp), "snap");
	}
	shared->ends = true;
	waitpid(load, &status, 0);
	check(dtp, !dtrace_stop(dtp), "stop");
	compare_with_calls();
	if (snaps) {
		check(dtp, !dtrace_aggregate_walk(dtp, see_total, &totals),
		      "walk");
		if (totals != nmerged)
			fail("snapshots of what has no total");
	}
	printf("%u series: %d failures\n", nmerged, failures);
	dtrace_close(dtp);
	fclose(nowhere);
	return failures != 0;
}
