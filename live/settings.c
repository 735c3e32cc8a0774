/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The options of dtlive: one table, from which getopt's, the help and the
 * reading of values are made.
 *
 * -n, -s, -p, -c, -w and -x mean what they mean to dtrace(8).  Each -n and -s is
 * an instrumentation of its own, which runs with the others' -p, -c and -x.
 */
#include "live/settings.h"

#include <dtrace.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/quantity.h"
#include "base/text.h"
#include "base/visible.h"

enum { EXIT_USAGE = 2, MOST_FILE = 1 << 20 };

/* What is common to the programs of the command line. */
struct reading {
	struct settings *settings;
	json_t *programs; /* {"program"} or {"file"} */
	json_t *options;
	const char *pid, *command;
	json_t *nats;
};

typedef bool set_option(struct reading *reading, const char *value);

static bool complain(const char *format, const char *value)
{
	fputs("dtlive: ", stderr);
	fprintf(stderr, format, value);
	fputc('\n', stderr);
	return false;
}

/* ------------------------------------------------------------------ values */

static bool add_program(struct reading *reading, const char *value)
{
	return !json_array_append_new(reading->programs,
				      json_pack("{s:s}", "program", value));
}

static bool add_file(struct reading *reading, const char *value)
{
	return !json_array_append_new(reading->programs,
				      json_pack("{s:s}", "file", value));
}

static bool set_pid(struct reading *reading, const char *value)
{
	char *end;
	long pid = strtol(value, &end, 10);

	if (*end || pid <= 0 || pid > INT32_MAX)
		return complain("-p: %s is not the number of a process", value);
	reading->pid = value;
	return true;
}

static bool set_command(struct reading *reading, const char *value)
{
	reading->command = value;
	return true;
}

static bool set_destructive(struct reading *reading, const char *value)
{
	(void)value;
	reading->settings->is_destructive = true;
	return true;
}

static bool add_option(struct reading *reading, const char *value)
{
	const char *equals = strchr(value, '=');
	char *name = equals ? strndup(value, (size_t)(equals - value))
			    : strdup(value);

	json_object_set_new(reading->options, name,
			    json_pack("s", equals ? equals + 1 : ""));
	free(name);
	return true;
}

static bool set_time(const char *name, const char *value, int64_t least,
		     int64_t most, int64_t *ms)
{
	int64_t ns;

	if (!quantity_time(value, &ns) || ns / 1000000 < least ||
	    ns / 1000000 > most) {
		fprintf(stderr, "dtlive: %s: %s is not a time from %lld ms to %lld ms, such as 1s\n", name, value, (long long)least,
			(long long)most);
		return false;
	}
	*ms = ns / 1000000;
	return true;
}

static bool set_interval(struct reading *reading, const char *value)
{
	return set_time("--interval", value, 100, 60000,
			&reading->settings->interval);
}

static bool set_retention(struct reading *reading, const char *value)
{
	int64_t ms;

	if (!set_time("--retention", value, 10000, 86400000, &ms))
		return false;
	/* until the interval is known */
	reading->settings->retention = (uint32_t)(ms / 100);
	return true;
}

static bool set_idle(struct reading *reading, const char *value)
{
	return set_time("--idle-max", value, 0, (int64_t)365 * 86400000,
			&reading->settings->idle_max);
}

static bool set_patience(struct reading *reading, const char *value)
{
	return set_time("--client-timeout", value, 1000, 3600000,
			&reading->settings->client_timeout);
}

static bool set_share(struct reading *reading, const char *value)
{
	char *end;
	double share = strtod(value, &end);

	if (!strcmp(end, "%")) {
		share /= 100;
		end++;
	}
	if (*end || end == value || !(share > 0) || share > 1024)
		return complain("--max-cost: %s is not a share of a CPU, such as 0.1 or 10%%", value);
	reading->settings->max_cost = share;
	return true;
}

static bool set_memory(struct reading *reading, const char *value)
{
	int64_t size;

	if (!quantity_size(value, &size) || size < 8 << 20)
		return complain("--max-memory: %s is not a size of at least 8m", value);
	reading->settings->max_memory = (size_t)size;
	return true;
}

static bool set_most(struct reading *reading, const char *value)
{
	char *end;
	long most = strtol(value, &end, 10);

	if (*end || most < 1 || most > 1000)
		return complain("--max-instrumentations: %s is not a number from 1 to 1000", value);
	reading->settings->most = (uint32_t)most;
	return true;
}

static bool set_speed(struct reading *reading, const char *value)
{
	char *end;
	double speed = strtod(value, &end);

	if (*end || end == value || !(speed >= 0) || speed > 1e6)
		return complain("--speed: %s is not a number", value);
	reading->settings->speed = speed;
	return true;
}

static bool add_name(struct reading *reading, const char *value)
{
	struct settings *settings = reading->settings;

	if (settings->nnames == MOST_NAMES)
		return complain("--name: %s is one too many", value);
	settings->names[settings->nnames++] = value;
	return true;
}

/* A text file as a whole. */
static char *read_file(const char *path)
{
	struct text text = { 0 };
	char bytes[4096];
	size_t n;
	FILE *file = fopen(path, "re");

	if (!file) {
		fprintf(stderr, "dtlive: cannot read %s: %s\n", path,
			strerror(errno));
		return NULL;
	}
	while ((n = fread(bytes, 1, sizeof(bytes), file)) && text.n < MOST_FILE)
		text_add(&text, bytes, n);
	fclose(file);
	text_add(&text, "", 0);
	return text.p;
}

/* A program may have bytes that are not UTF-8: the page shows them somehow. */
static json_t *shown(const char *text)
{
	struct text visible = { 0 };
	json_t *json = json_stringn(text, strlen(text));

	if (json)
		return json;
	text_add_visible(&visible, text, strlen(text), VISIBLE_LINES);
	json = json_stringn(text_str(&visible), visible.n);
	text_free(&visible);
	return json;
}

static bool set_cert(struct reading *reading, const char *value)
{
	return (reading->settings->tls_cert = read_file(value));
}

static bool set_key(struct reading *reading, const char *value)
{
	return (reading->settings->tls_key = read_file(value));
}

static bool set_ca(struct reading *reading, const char *value)
{
	return (reading->settings->client_ca = read_file(value));
}

static bool set_password(struct reading *reading, const char *value)
{
	char *text = read_file(value);

	if (!text)
		return false;
	text[strcspn(text, "\r\n")] = '\0';
	if (strlen(text) < 8)
		return complain("--password-file: the first line of %s must have at least 8 characters", value);
	reading->settings->password = text;
	return true;
}

#define PLAIN(function, member)                                              \
	static bool function(struct reading *reading, const char *value)     \
	{                                                                    \
		reading->settings->member = value;                           \
		return true;                                                 \
	}

PLAIN(set_port, port)
PLAIN(set_listen, listen)
PLAIN(set_metrics, metrics)
PLAIN(set_session, session)
PLAIN(set_record, record)
PLAIN(set_replay, replay)
PLAIN(set_token_file, token_file)

PLAIN(set_hosts, hosts)

/* How to reach a fleet: members of "nats" in the spec of a head. */
#define NATS(function, member)                                               \
	static bool function(struct reading *reading, const char *value)     \
	{                                                                    \
		return !json_object_set_new(reading->nats, member,           \
					    json_string(value));             \
	}

NATS(set_nats, "url")
NATS(set_creds, "creds")
NATS(set_user, "user")
NATS(set_as, "as")
NATS(set_nats_ca, "ca")
NATS(set_nats_cert, "cert")
NATS(set_nats_key, "key")

static bool set_replicas(struct reading *reading, const char *value)
{
	char *end;
	long replicas = strtol(value, &end, 10);

	if (*end || replicas < 1 || replicas > 5)
		return complain("--replicas: %s is not a number from 1 to 5", value);
	return !json_object_set_new(reading->nats, "replicas",
				    json_integer(replicas));
}

/* ------------------------------------------------------------------- table */

static const struct {
	const char *name;  /* of one letter, or long */
	const char *value; /* what the help calls it; NULL: none */
	set_option *set;
	const char *about;
} options[] = {
	{ "n", "PROGRAM", add_program, "begin with this D program" },
	{ "s", "FILE", add_file, "begin with the D program in FILE" },
	{ "p", "PID", set_pid, "process of $target" },
	{ "c", "COMMAND", set_command, "run COMMAND, which is $target" },
	{ "w", NULL, set_destructive, "allow destructive programs" },
	{ "x", "OPTION[=VALUE]", add_option, "option of dtrace(8) for these programs" },
	{ "port", "PORT", set_port, "port on 127.0.0.1 (otherwise any that is free)" },
	{ "listen", "ADDR:PORT", set_listen, "another address; needs TLS, and a password or client certificates" },
	{ "name", "HOST", add_name, "name by which browsers may call this server, too" },
	{ "tls-cert", "FILE", set_cert, "certificate, PEM" },
	{ "tls-key", "FILE", set_key, "its key, PEM" },
	{ "password-file", "FILE", set_password, "password for browsers: the first line of FILE" },
	{ "client-ca", "FILE", set_ca, "accept clients with a certificate of this authority, PEM" },
	{ "token-file", "FILE", set_token_file, "read the token from FILE; it is written if FILE does not exist" },
	{ "metrics", "DIR", set_metrics, "directory with metrics" },
	{ "interval", "TIME", set_interval, "time of a column (1s)" },
	{ "retention", "TIME", set_retention, "how long columns are kept (10min)" },
	{ "max-cost", "SHARE", set_share, "stop an instrumentation that takes more of a CPU, such as 0.1 or 10%" },
	{ "idle-max", "TIME", set_idle, "end an instrumentation that nobody looks at (10min; 0: never)" },
	{ "max-memory", "SIZE", set_memory, "memory for what is kept (256m)" },
	{ "max-instrumentations", "N", set_most, "most instrumentations at a time (64)" },
	{ "client-timeout", "TIME", set_patience, "how long a client may take for a request, and a program to be checked (30s)" },
	{ "session", "FILE", set_session, "remember instrumentations in FILE, to start them again when asked" },
	{ "record", "FILE", set_record, "write what the first program reports to FILE" },
	{ "replay", "FILE", set_replay, "show a recording instead of tracing" },
	{ "speed", "N", set_speed, "replay N times as fast as it was recorded (otherwise at once)" },
	{ "nats", "URL,...", set_nats, "show the hosts of a fleet instead of this one: nats://HOST:4222, tls://HOST:4222" },
	{ "hosts", "EXPRESSION", set_hosts, "hosts of the fleet to begin with: role=db,site!=ulm" },
	{ "creds", "FILE", set_creds, "credentials for NATS, as nsc makes them" },
	{ "user", "NAME", set_user, "user for NATS; the password is in DTLIVE_PASSWORD" },
	{ "as", "NAME", set_as, "user in subjects, if not that of --user" },
	{ "nats-ca", "FILE", set_nats_ca, "authority that signed the certificate of the NATS server" },
	{ "nats-cert", "FILE", set_nats_cert, "certificate of this client for NATS" },
	{ "nats-key", "FILE", set_nats_key, "and its key" },
	{ "replicas", "N", set_replicas, "copies of streams in a cluster of NATS servers" },
	{ "help", NULL, NULL, "show this text" },
	{ "version", NULL, NULL, "show the version" },
};

enum { NOPTIONS = sizeof(options) / sizeof(*options) };

static void help(FILE *out)
{
	fputs("Usage: dtlive [OPTION]... [ARGUMENT]...\n"
	      "A live page of what D programs report.  Prints its URL.\n\n",
	      out);
	for (unsigned i = 0; i < NOPTIONS; i++) {
		char words[64];

		snprintf(words, sizeof(words), "%s%s%s%s",
			 options[i].name[1] ? "--" : "-", options[i].name,
			 options[i].value ? " " : "",
			 options[i].value ? options[i].value : "");
		fprintf(out, "  %-24s  %s\n", words, options[i].about);
	}
	fputs("\nARGUMENTs are $1, $2 ... of the programs.  See dtlive(8).\n",
	      out);
}

/* ----------------------------------------------------------------- reading */

/* Requests of the command line, with what the worker is told. */
static void make_begin(struct reading *reading, char **args)
{
	struct settings *settings = reading->settings;
	size_t i;
	json_t *program, *words = json_array();

	json_array_append_new(words, json_pack("s", "dtlive"));
	json_t *hosts = settings->hosts ? json_string(settings->hosts) : NULL;

	for (; *args; args++)
		json_array_append_new(words, json_pack("s", *args));
	json_array_foreach (reading->programs, i, program) {
		const char *file = json_string_value(
			json_object_get(program, "file"));
		json_t *spec = json_pack(
			"{s:O?, s:O?, s:O, s:O}", "program",
			json_object_get(program, "program"), "file",
			json_object_get(program, "file"), "args", words,
			"options", reading->options);

		if (reading->pid)
			json_object_set_new(spec, "pid",
					    json_integer(atoi(reading->pid)));
		if (reading->command)
			json_object_set_new(spec, "command",
					    json_pack("s", reading->command));
		/* what the page shows; a file is read again by the worker */
		char *text = file ? read_file(file) : NULL;
		const char *d = file ? text
				     : json_string_value(json_object_get(
					       program, "program"));

		json_array_append_new(settings->begin,
				      json_pack("{s:o, s:i, s:o, s:s?, s:O*}",
						"spec", spec, "begin", (int)i,
						"program", shown(d ? d : ""),
						"title", file, "hosts", hosts));
		/* other hosts do not have it */
		if (settings->nats && file && text) {
			json_object_del(spec, "file");
			json_object_set_new(spec, "program", json_string(text));
		}
		free(text);
	}
	json_decref(hosts);
	json_decref(words);
}

static bool make_token(struct settings *settings)
{
	static const char digits[] = "0123456789abcdef";
	uint8_t bytes[TOKEN_BYTES];

	if (getrandom(bytes, sizeof(bytes), 0) != sizeof(bytes))
		return complain("%s", "no random numbers for a token");
	settings->token = must_alloc(2 * TOKEN_BYTES + 1);
	for (unsigned i = 0; i < TOKEN_BYTES; i++) {
		settings->token[2 * i] = digits[bytes[i] >> 4];
		settings->token[2 * i + 1] = digits[bytes[i] & 15];
	}
	return true;
}

/* A token that stays the same: of a service, say. */
static bool use_token_file(struct settings *settings)
{
	const char *path = settings->token_file;
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	if (fd < 0 && errno == EEXIST) {
		char *text = read_file(path);

		if (!text)
			return false;
		text[strcspn(text, "\r\n")] = '\0';
		if (strlen(text) < 16 ||
		    strspn(text, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				 "abcdefghijklmnopqrstuvwxyz-_") !=
			    strlen(text))
			return complain("--token-file: %s must have at least 16 letters, digits, - or _", path);
		settings->token = text;
		return true;
	}
	if (fd < 0 || !make_token(settings)) {
		fprintf(stderr, "dtlive: cannot write %s: %s\n", path,
			strerror(errno));
		return false;
	}
	bool is_written = dprintf(fd, "%s\n", settings->token) > 0;

	return !close(fd) && is_written;
}

static void take_nats(struct reading *reading)
{
	char *password = getenv("DTLIVE_PASSWORD");

	if (!json_object_get(reading->nats, "url"))
		return;
	if (password && !json_object_get(reading->nats, "creds")) {
		json_object_set_new(reading->nats, "password",
				    json_string(password));
		explicit_bzero(password, strlen(password));
	}
	reading->settings->nats = json_incref(reading->nats);
}

void settings_forget(struct settings *settings)
{
	json_t *value;
	const char *name;

	json_object_foreach (settings->nats, name, value)
		if (json_is_string(value))
			explicit_bzero((char *)json_string_value(value),
				       json_string_length(value));
}

/* What does not go together. */
static bool check(struct settings *settings, const struct reading *reading)
{
	bool has_programs = json_array_size(reading->programs);

	if (settings->replay && has_programs)
		return complain("%s", "--replay shows a recording: it takes no -n or -s");
	if (settings->record && !has_programs)
		return complain("%s", "--record needs a program: -n or -s");
	if ((reading->pid || reading->command) && !has_programs)
		return complain("%s", "-p and -c need a program: -n or -s");
	if (!settings->tls_cert != !settings->tls_key)
		return complain("%s", "--tls-cert and --tls-key belong together");
	if (settings->client_ca && !settings->tls_cert)
		return complain("%s", "--client-ca needs --tls-cert and --tls-key");
	if (!json_object_get(reading->nats, "url") &&
	    (json_object_size(reading->nats) || settings->hosts))
		return complain("%s", "which NATS server? (--nats nats://HOST:4222)");
	if (settings->nats && settings->replay)
		return complain("%s", "--replay shows a recording, and --nats a fleet: choose one");
	if (settings->nats && (reading->pid || reading->command))
		return complain("%s", "-p and -c are for this host: they do not go with --nats");
	if (settings->port && settings->listen)
		return complain("%s", "--port is for 127.0.0.1: give it in --listen ADDR:PORT");
	return true;
}

int settings_read(struct settings *settings, int argc, char **argv,
		  bool *is_done)
{
	struct option longs[NOPTIONS + 1] = { 0 };
	char shorts[2 * NOPTIONS + 2] = "+";
	struct reading reading = {
		.settings = settings,
		.programs = json_array(),
		.options = json_object(),
		.nats = json_object(),
	};
	unsigned nlongs = 0;
	int c, at;

	*settings = (struct settings){
		.begin = json_array(), .interval = 1000, .retention = 6000,
		.idle_max = 600000, .max_memory = (size_t)256 << 20,
		.client_timeout = 30000, .most = 64, .listener = -1,
		.record_fd = -1, .replay_fd = -1,
	};
	*is_done = true;
	argv[0] = "dtlive"; /* which getopt's messages begin with */
	for (unsigned i = 0; i < NOPTIONS; i++) {
		const char *name = options[i].name;

		if (name[1])
			longs[nlongs++] = (struct option){
				name, options[i].value ? 1 : 0, NULL,
				256 + (int)i };
		else
			sprintf(strchr(shorts, '\0'), "%s%s", name,
				options[i].value ? ":" : "");
	}
	while ((c = getopt_long(argc, argv, shorts, longs, &at)) != -1) {
		for (unsigned i = 0; c < 256 && i < NOPTIONS; i++)
			if (!options[i].name[1] && options[i].name[0] == c)
				c = 256 + (int)i;
		if (c < 256) {
			fputs("Try `dtlive --help'.\n", stderr);
			return EXIT_USAGE;
		}
		if (!strcmp(options[c - 256].name, "help"))
			return help(stdout), 0;
		if (!strcmp(options[c - 256].name, "version"))
			return printf("dtlive %s\n",
				      dtrace_package_version_ext), 0;
		if (!options[c - 256].set(&reading, optarg))
			return EXIT_USAGE;
	}
	settings->retention =
		(uint32_t)(settings->retention * 100 / settings->interval);
	if (settings->retention < 10)
		settings->retention = 10;
	take_nats(&reading);
	if (!check(settings, &reading))
		return EXIT_USAGE;
	if (argv[optind] && !json_array_size(reading.programs)) {
		complain("there is no command %s, and no program that it could be an argument of: see dtlive --help", argv[optind]);
		return EXIT_USAGE;
	}
	make_begin(&reading, argv + optind);
	json_decref(reading.programs);
	json_decref(reading.options);
	json_decref(reading.nats);
	if (!(settings->token_file ? use_token_file(settings)
				   : make_token(settings)))
		return EXIT_FAILURE;
	*is_done = false;
	return 0;
}
