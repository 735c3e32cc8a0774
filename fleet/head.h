/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * A head is a worker whose probes are elsewhere: it speaks the protocol of
 * live/worker.h, so whoever starts workers can start heads.  Its spec has
 *
 *	"nats": {"url": "...", "creds": "...", "ca": "..."},
 *	"hosts": "role=db", "aggby": ["host"], "id": "..." (to take over)
 *
 * and its status lines say more:
 *
 *	{"event":"status", ..., "sources":{"wanted":3,"reporting":2,"late":1},
 *	 "errors":{"web1":"..."}}
 *	{"event":"column","second":1700000000,"sources":3,"wanted":3,"late":false}
 *	{"event":"hosts","hosts":[{"host","state","error","clock_ms", ...}]}
 *
 * Besides "stop" it can be told {"do":"who","n":N,"name","function","from","to",
 * "low","high"} (fleet/who.h), and answers {"event":"who","n":N,"hosts":[...]}.
 */
int head_main(void);
/* dtlive run: the same, for a terminal; the arguments after that word. */
int run_main(int argc, char **argv);
