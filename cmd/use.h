/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * The parts of use(8): resources, each with its utilization, saturation and
 * errors, and how they are measured.
 *
 * A row is a resource, a cell one of the three measures.  Every cell has a
 * source, which -v names; one that cannot be measured has the reason instead, and
 * never a number.  Files of use_*.c each add the rows of some resources.
 */

#include "cmd/tool.h"

enum measure { UTILIZATION, SATURATION, ERRORS, NMEASURES };

struct cell {
	bool is_known;
	double value;
	const char *unit;
	double limit;	 /* from here on it stands out */
	char about[160]; /* the source, or why it is unknown */
};

struct row {
	char name[48];
	struct cell cells[NMEASURES];
};

struct use {
	struct tool tool;
	struct row *rows;
	size_t nrows;
	/* numbers that only ever grow, as they were on the last page */
	struct counter {
		char name[80];
		double value;
	} * counters;
	size_t ncounters;
	/* what was traced since then: a name, a key, a number */
	struct event {
		char name[16], key[48];
		double value;
	} * events;
	size_t nevents;
	double seconds; /* since the last page */
	int ncpus;
};

/* A new row, whose cells are unknown for a reason that follows. */
struct row *use_row(struct use *use, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Stands out if the value is `limit` or more, and more than 0. */
void use_known(struct cell *cell, double value, const char *unit, double limit,
	       const char *format, ...) __attribute__((format(printf, 5, 6)));
void use_unknown(struct cell *cell, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* How much the number has grown; 0 when it is seen for the first time. */
double use_grown(struct use *use, double value, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* A number in a file: what follows `word` at the beginning of a line. */
bool use_read(const char *path, const char *word, double *value);
/* The whole file is the number. */
bool use_read_number(const char *path, double *value);

/* Tracing: what cannot be had on this kernel is known by its reason. */
int use_trace_start(struct use *use);
void use_trace_take(struct use *use);
/* NULL, or why nothing of this name is traced. */
const char *use_why_not(const char *name);
/* The sum over all keys if key is NULL. */
double use_traced(const struct use *use, const char *name, const char *key);
/* A cell that is traced, per second and divided by `unit_size`. */
void use_traced_cell(const struct use *use, struct cell *cell, const char *name,
		     const char *key, double unit_size, const char *unit,
		     double limit, const char *source);

void use_cpus(struct use *use);
void use_memory(struct use *use);
void use_networks(struct use *use);
void use_disks(struct use *use);
void use_tables(struct use *use);
void use_locks(struct use *use);
