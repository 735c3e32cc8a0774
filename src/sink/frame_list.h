/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * The frames of a row's keys, as pictures of stacks have them: outermost first,
 * the user stack below the kernel's.  A frame is its number in a profile
 * (view/profile.h), so equal names are kept once.
 */

#include "base/option.h"
#include "facts/fact.h"
#include "view/profile.h"

struct frame_list {
	/* set by the owner */
	struct profile *names;
	const struct resolver *resolver;
	const struct options *options;
	/* the list; the owner empties it by setting `count` */
	uint32_t *frames;
	uint32_t count, capacity;
	bool is_idle; /* a CPU waits for work in one of them */
};

void frame_list_push(struct frame_list *list, uint32_t frame);
/* A frame that is no function: the value of a key. */
void frame_list_push_key(struct frame_list *list, const char *text,
			 size_t length);
/* All stacks among the keys. */
void frame_list_push_stacks(struct frame_list *list,
			    const struct fact_value *keys, uint32_t nkeys);
void frame_list_free(struct frame_list *list);
