/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lives of processes, made of forks, execs and exits.
 *
 * Processes that were there before appear when something happens to them; when
 * they began is not known.  A number that is used again is another life.
 */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/table.h"
#include "view/process.h"

struct lives_index {
	struct arena *arena;
	struct table by_pid; /* the life that has the number now, + 1 */
};

struct lives *lives_new(void)
{
	struct lives *lives = must_alloc(sizeof(*lives));

	lives->index = must_alloc(sizeof(*lives->index));
	lives->index->arena = arena_new();
	return lives;
}

void lives_free(struct lives *lives)
{
	table_free(&lives->index->by_pid);
	arena_free(lives->index->arena);
	free(lives->index);
	free(lives->lives);
	free(lives);
}

static struct str key_of(const int64_t *pid)
{
	return (struct str){ (const char *)pid, sizeof(*pid) };
}

static uint32_t find(const struct lives *lives, int64_t pid)
{
	uintptr_t number = (uintptr_t)table_get(&lives->index->by_pid,
						key_of(&pid));

	return number ? (uint32_t)(number - 1) : NO_LIFE;
}

static uint32_t add(struct lives *lives, int64_t pid, const char *name)
{
	struct arena *arena = lives->index->arena;
	uint32_t number = lives->count++;

	if (number == lives->capacity) {
		lives->capacity = lives->capacity * 2 + 64;
		lives->lives = must_realloc(lives->lives,
					    checked_mul(lives->capacity,
							sizeof(struct life)));
	}
	lives->lives[number] = (struct life){
		.pid = pid,
		.name = arena_strdup(arena, name),
		.parent = NO_LIFE,
		.first_child = NO_LIFE,
		.last_child = NO_LIFE,
		.next = NO_LIFE,
	};
	table_put(&lives->index->by_pid,
		  key_of(arena_copy(arena, &pid, sizeof(pid))),
		  (void *)((uintptr_t)number + 1));
	return number;
}

static uint32_t find_or_add(struct lives *lives, int64_t pid, const char *name)
{
	uint32_t number = find(lives, pid);

	return number == NO_LIFE || lives->lives[number].end
		       ? add(lives, pid, name)
		       : number;
}

/* Good until the next one is added. */
static struct life *life_of(struct lives *lives, int64_t pid, const char *name)
{
	uint32_t number = find_or_add(lives, pid, name);

	return &lives->lives[number];
}

void lives_fork(struct lives *lives, uint64_t time, int64_t parent,
		int64_t child, const char *name)
{
	uint32_t above = find_or_add(lives, parent, name);
	uint32_t number = find(lives, child);
	struct life *life = number == NO_LIFE ? NULL : &lives->lives[number];

	/* what the child did may have come first */
	if (!life || life->end || life->parent != NO_LIFE)
		number = add(lives, child, name);
	life = &lives->lives[number];
	life->begin = time;
	life->parent = above;
	struct life *elder = &lives->lives[above];

	if (elder->first_child == NO_LIFE)
		elder->first_child = number;
	else
		lives->lives[elder->last_child].next = number;
	elder->last_child = number;
}

void lives_exec(struct lives *lives, uint64_t time, int64_t pid,
		const char *name)
{
	struct arena *arena = lives->index->arena;
	struct life *life = life_of(lives, pid, "?");
	struct life_exec *exec = arena_new_of(arena, struct life_exec);

	exec->time = time;
	exec->name = arena_strdup(arena, name);
	if (life->last_exec)
		life->last_exec->next = exec;
	else
		life->execs = exec;
	life->last_exec = exec;
}

void lives_exit(struct lives *lives, uint64_t time, int64_t pid,
		const char *name, int status)
{
	struct life *life = life_of(lives, pid, name);

	life->end = time;
	life->status = status;
}

bool lives_next(struct lives_walk *walk)
{
	const struct life *lives = walk->lives->lives;
	uint32_t at = walk->life;

	if (at != NO_LIFE && lives[at].first_child != NO_LIFE) {
		walk->life = lives[at].first_child;
		walk->depth++;
		return true;
	}
	while (at != NO_LIFE && lives[at].parent != NO_LIFE) {
		if (lives[at].next != NO_LIFE) {
			walk->life = lives[at].next;
			return true;
		}
		at = lives[at].parent;
		walk->depth--;
	}
	while (walk->root < walk->lives->count) {
		walk->life = walk->root++;
		walk->depth = 0;
		if (lives[walk->life].parent == NO_LIFE)
			return true;
	}
	return false;
}

void life_put_names(struct text *out, const struct life *life)
{
	text_puts(out, life->name);
	for (const struct life_exec *exec = life->execs; exec;
	     exec = exec->next)
		text_printf(out, " > %s", exec->name);
}

void life_put_status(struct text *out, const struct life *life)
{
	if (!life->end || !life->status)
		return;
	if (life->status & 0x7f)
		text_printf(out, "signal %d", life->status & 0x7f);
	else
		text_printf(out, "exit %d", life->status >> 8 & 0xff);
}

void life_put_time(struct text *out, const struct life *life)
{
	if (life->begin && life->end > life->begin)
		put_duration(out, life->end - life->begin);
}
