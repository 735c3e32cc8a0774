/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * What the command line of dtlive says.  Read once, before anything is started;
 * the monitor and the server, which is forked from it, have the same.
 */

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TOKEN_BYTES = 24, MOST_NAMES = 16 };

struct settings {
	/* what to start with: requests as POST /api/1/instrumentations has, and
	 * "spec", which is for the worker */
	json_t *begin;
	bool is_destructive;
	/* where it listens */
	const char *listen; /* ADDR:PORT, or NULL */
	const char *port;   /* on 127.0.0.1, or NULL: any that is free */
	const char *names[MOST_NAMES]; /* that browsers may call it */
	unsigned nnames;
	char *tls_cert, *tls_key, *client_ca; /* texts of the files */
	char *password;
	char *token; /* base64url would do, too; this is hex */
	const char *token_file;
	/* what it offers */
	const char *metrics; /* directory, or NULL */
	int64_t interval;    /* ms */
	uint32_t retention;  /* columns */
	double max_cost;     /* share of a CPU; 0: no limit */
	int64_t idle_max;    /* ms; 0: never */
	size_t max_memory;
	int64_t client_timeout; /* ms */
	uint32_t most;	     /* instrumentations */
	/* of a fleet: how to reach its NATS server (fleet/bus.h), and which
	 * hosts the command line's programs are for; NULL: this host */
	json_t *nats;
	const char *hosts;
	/* files */
	const char *session, *record, *replay;
	double speed; /* of --replay; 0: at once */
	/* opened by the monitor, for the server */
	int listener, record_fd, replay_fd;
	uint16_t bound_port;
	char address[64];
	bool is_loopback;
};

/* The credentials of the fleet, which the process that speaks HTTP must not have. */
void settings_forget(struct settings *settings);
/* 0: go on; else the status to exit with, after a message or the help. */
int settings_read(struct settings *settings, int argc, char **argv,
		  bool *is_done);
