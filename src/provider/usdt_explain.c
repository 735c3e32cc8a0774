/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Why a USDT description finds nothing.
 *
 * providerPID fails for five reasons that look alike: there is no such process,
 * it has no program, none of its objects has USDT notes, they have notes but
 * not of this provider, or the provider exists but has no such probe.  What was
 * examined shows which it is; only the first two query the process again.
 */
#include <ctype.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "proc/served.h"
#include "provider/usdt.h"

enum { NAME_LIMIT = 128, PROVIDERS_SHOWN = 8, FAR = 3 };

struct finding {
	const struct probe_desc *desc;
	pid_t pid;	       /* 0: any */
	struct text providers; /* of the existing ones, "a, b" */
	unsigned nproviders;
	bool has_provider;	  /* the requested one */
	char nearest[NAME_LIMIT]; /* name of a probe of it */
	unsigned distance;
};

static bool is_user(const struct usdt_file *file, pid_t pid)
{
	for (size_t i = 0; i < file->nusers; i++)
		if (file->users[i].pid == pid)
			return true;
	return !pid;
}

/* Without the number of the process, which a description has. */
static bool is_provider(const struct finding *finding, const char *name)
{
	const char *asked = finding->desc->provider;
	size_t length = strlen(name);

	if (!finding->pid)
		return glob_match(asked, name);
	return !strncmp(asked, name, length) &&
	       asked[length + strspn(asked + length, "0123456789")] == '\0';
}

static void add_provider(struct finding *finding, const char *name)
{
	struct text *text = &finding->providers;
	size_t length = strlen(name);

	/* they are adjacent in a file */
	if (text->n >= length &&
	    !memcmp(text->p + text->n - length, name, length) &&
	    (text->n == length || text->p[text->n - length - 1] == ' '))
		return;
	if (finding->nproviders++ >= PROVIDERS_SHOWN)
		return;
	text_printf(text, "%s%s", text->n ? ", " : "", name);
}

static void look_at_note(struct finding *finding, const char *provider,
			 const char *name)
{
	char dashed[NAME_LIMIT];

	add_provider(finding, provider);
	if (!is_provider(finding, provider))
		return;
	finding->has_provider = true;
	usdt_dash(name, dashed, sizeof(dashed));
	unsigned distance = str_distance(finding->desc->name, dashed, FAR);

	/* 0: another field is wrong */
	if (distance < finding->distance) {
		finding->distance = distance;
		snprintf(finding->nearest, sizeof(finding->nearest), "%s",
			 dashed);
	}
}

/* The class of its program (ELFCLASS64 ...), or -errno; 0: it has none. */
static int class_of(struct served *served, pid_t pid)
{
	char path[32];
	uint8_t head[EI_CLASS + 1] = { 0 };
	uint64_t device, inode;

	snprintf(path, sizeof(path), "/proc/%d/exe", (int)pid);
	if (!served_program(pid, &device, &inode))
		return 0;
	/* already reported that it is not read; say what else is wrong */
	if (!served_may_open(served, pid, device, path, path))
		return ELFCLASS64;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return errno == EACCES || errno == EPERM ? -errno : 0;
	ssize_t n = read(fd, head, sizeof(head));

	close(fd);
	return n == sizeof(head) ? head[EI_CLASS] : 0;
}

static const char *explain_process(struct probe_registry *registry,
				   const struct finding *finding)
{
	struct arena *arena = registry_arena(registry);
	int pid = (int)finding->pid;

	if (kill(finding->pid, 0) && errno == ESRCH)
		return arena_printf(
			arena,
			"there is no provider %s: there is no process %d",
			finding->desc->provider, pid);
	int class = class_of(processes_served(registry_processes(registry)),
			     finding->pid);

	if (class < 0)
		return arena_printf(
			arena,
			"there is no provider %s that may be seen: process %d is another user's (needs CAP_SYS_PTRACE, or to be its owner)",
			finding->desc->provider, pid);
	if (!class)
		return arena_printf(
			arena,
			"there is no provider %s: process %d has no program (a kernel thread, or it has ended)",
			finding->desc->provider, pid);
	if (class == ELFCLASS32)
		return arena_printf(
			arena,
			"there is no provider %s: process %d executes a 32-bit program, of which only system calls can be traced",
			finding->desc->provider, pid);
	if (!finding->nproviders)
		return arena_printf(
			arena,
			"there is no provider %s: nothing that process %d has mapped brings USDT probes along (.note.stapsdt)",
			finding->desc->provider, pid);
	return arena_printf(
		arena,
		"there is no provider %s: process %d has USDT probes of %.*s%s only",
		finding->desc->provider, pid, (int)finding->providers.n,
		finding->providers.p,
		finding->nproviders > PROVIDERS_SHOWN ? " ..." : "");
}

static const char *explain_glob(struct arena *arena,
				const struct finding *finding, size_t ndenied)
{
	const char *provider = finding->desc->provider;

	if (ndenied)
		return arena_printf(
			arena,
			"no process that may be looked at has USDT probes of a provider %s; %zu may not (CAP_SYS_PTRACE, or be their owner)",
			provider, ndenied);
	return arena_printf(
		arena,
		"no process has USDT probes of a provider %s; with -Z one may come later",
		provider);
}

/* The provider exists. */
static const char *explain_name(struct arena *arena,
				const struct finding *finding)
{
	const struct probe_desc *desc = finding->desc;

	if (finding->distance && *finding->nearest &&
	    glob_is_plain(desc->name) && *desc->name)
		return arena_printf(arena, "did you mean %s:%s:%s:%s?",
				    desc->provider, desc->module,
				    desc->function, finding->nearest);
	return arena_printf(arena, "%s has other probes: dtrace -ln '%s:::'",
			    desc->provider, desc->provider);
}

const char *usdt_explain_files(struct probe_registry *registry,
			       const struct usdt_files *files,
			       const struct probe_desc *desc)
{
	struct finding finding = {
		.desc = desc, .distance = FAR,
		.pid = usdt_process_of(desc->provider),
	};
	struct arena *arena = registry_arena(registry);
	const char *text;

	if (!finding.pid && glob_is_plain(desc->provider))
		return NULL;
	for (const struct usdt_file *file = usdt_files_first(files); file;
	     file = file->next)
		for (size_t i = 0;
		     is_user(file, finding.pid) && i < file->notes->count; i++)
			look_at_note(&finding, file->notes->notes[i].provider,
				     file->notes->notes[i].name);
	if (finding.has_provider)
		text = explain_name(arena, &finding);
	else if (finding.pid)
		text = explain_process(registry, &finding);
	else
		text = explain_glob(arena, &finding, usdt_files_denied(files));
	text_free(&finding.providers);
	return text;
}

/* Providers of programs with probes that there is a better way for. */
static const struct {
	const char *provider, *names, *text;
} costly[] = {
	{ "hotspot", "method-[er]*",
	  "hotspot:::method-entry and method-return fire for every call of every method, and only with java -XX:+ExtendedDTraceProbes, which makes each call about ten times as long; java$target:CLASS:METHOD:entry traces the methods that are wanted, without it (dtrace_java(4))" },
};

const char *usdt_doubt(struct probe_registry *registry,
		       const struct probe_desc *desc, const char **instead)
{
	(void)registry, (void)instead;
	for (unsigned i = 0; i < sizeof(costly) / sizeof(*costly); i++) {
		size_t n = strlen(costly[i].provider);

		if (!strncmp(desc->provider, costly[i].provider, n) &&
		    isdigit((unsigned char)desc->provider[n]) &&
		    glob_match(costly[i].names, desc->name))
			return costly[i].text;
	}
	return NULL;
}
