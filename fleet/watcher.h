/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * The watcher knows which hosts there are, whatever runs on them.  It speaks the
 * protocol of live/worker.h without a wire: its spec has "nats" (fleet/head.h),
 * and it says
 *
 *	{"event":"hosts","hosts":[{"host","labels","kernel","version"}, ...]}
 *	{"event":"problem","text":"..."}	"": it is solved
 *
 * Hosts come when something has changed, all of them, at most once in a second.
 */
int watcher_main(void);
