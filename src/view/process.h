/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Pictures of processes: who started whom (tree), when each lived (lives), and
 * which thread ran on which CPU (board).
 *
 *	process_lives.c	the model of tree and lives
 *	process_tree.c	the tree as DOT and as SVG
 *	process_time.c	lives as SVG
 *	process_board.c	the checkerboard: model and SVG
 *	process_svg.c	what these SVG files share
 *
 * Times are ns of one clock.  They may come a little out of order, but those of
 * one process in order.  Names are bytes that any user may have chosen.
 */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/text.h"

/* ----------------------------------------------------------------- lives */

enum { NO_LIFE = UINT32_MAX };

/* A program that a process began to execute. */
struct life_exec {
	uint64_t time;
	const char *name;
	struct life_exec *next;
};

/* One process: a number may be used again by another. */
struct life {
	int64_t pid;
	uint32_t parent;			/* NO_LIFE: not seen */
	uint32_t first_child, last_child, next; /* NO_LIFE: none */
	const char *name;			/* when it began */
	struct life_exec *execs, *last_exec;
	uint64_t begin, end; /* 0: not seen */
	int status;	     /* as wait(2) has it; known with `end` */
};

struct lives {
	struct life *lives; /* in the order in which they were seen */
	uint32_t count, capacity;
	uint64_t from, to; /* of the run */
	struct lives_index *index;
};

struct lives *lives_new(void);
void lives_free(struct lives *lives);
void lives_fork(struct lives *lives, uint64_t time, int64_t parent,
		int64_t child, const char *name);
void lives_exec(struct lives *lives, uint64_t time, int64_t pid,
		const char *name);
void lives_exit(struct lives *lives, uint64_t time, int64_t pid,
		const char *name, int status);

/* Each process after its parent, before the parent's next child. */
struct lives_walk {
	const struct lives *lives;
	uint32_t root;	/* 0 at the start */
	uint32_t life;	/* NO_LIFE at the start */
	uint32_t depth; /* 0: its parent was not seen */
};
bool lives_next(struct lives_walk *walk);

/* Its names in order: "sh", then what it executed: "sh > ls". */
void life_put_names(struct text *out, const struct life *life);
/* "exit 1", "signal 9", or nothing after 0 and without an end. */
void life_put_status(struct text *out, const struct life *life);
/* "12 ms": from begin to end, as far as both were seen. */
void life_put_time(struct text *out, const struct life *life);

bool write_tree_dot(FILE *out, const struct lives *lives);
bool write_tree_svg(FILE *out, const struct lives *lives, const char *title);
bool write_lives_svg(FILE *out, const struct lives *lives, const char *title);

/* ----------------------------------------------------------------- board */

struct board;

struct board *board_new(void);
void board_free(struct board *board);
/* A thread begins to run on a CPU; 0: nobody does. */
void board_run(struct board *board, uint64_t time, uint32_t cpu, int64_t thread,
	       int64_t pid, const char *name);
/* The end of the run.  A page of HTML has the same SVG in it. */
bool write_board(FILE *out, struct board *board, uint64_t from, uint64_t to,
		 const char *title, bool is_html);

/* ------------------------------------------------------------ inside: SVG */

enum { SVG_PAD = 10, SVG_ROW = 16, SVG_FONT = 12, SVG_HEAD = 30 };

void svg_begin(FILE *out, double width, double height, const char *title);
void svg_end(FILE *out);
/* A text at its left end. */
void svg_text(FILE *out, double x, double y, const char *attributes,
	      const char *bytes, size_t count);
/* What viewers show on hover, inside of an element. */
void svg_hover(FILE *out, const char *bytes, size_t count);
/* Marks of a time axis from `from` on, over rows down to `bottom`. */
void svg_axis(FILE *out, double x, double width, double top, double bottom,
	      uint64_t ns);
/* "1.5 ms" */
void put_duration(struct text *out, uint64_t ns);
