/* SPDX-License-Identifier: Apache-2.0 */
/*
 * USDT: probes that programs bring along, providerPID:object:function:name.
 *
 * A program or library says in .note.stapsdt where its sites are.  There are no
 * probes before a process (python1234:::) or a glob (postgresql*:::) is
 * requested, because finding them means examining processes.
 *
 * 1. A probe belongs to a process.  All sites with the same names in the same
 *    function are one probe.
 * 2. Two underscores in a name are a dash.  A description may spell it either
 *    way, and may use a.out for the process's executable.
 * 3. A glob that matches the provider's name without a number also covers
 *    processes that do not exist yet: for each file there is a silent probe,
 *    neither listed nor counted, that fires in them from the beginning.  A file
 *    that no process had mapped when tracing began is found within some
 *    milliseconds; firings of its sites before that are not seen.
 * 4. Sites of one file are attached once for all processes, or only in one
 *    process if just that one is traced.  The kernel counts semaphores.
 */
#include <ctype.h>
#include <errno.h>
#include <linux/bpf.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arch/arch.h"
#include "base/budget.h"
#include "proc/map_watch.h"
#include "provider/uprobe.h"
#include "provider/usdt.h"

enum { NAME_LIMIT = 128, CODE_BYTES = 5 };

struct usdt_state {
	struct usdt_files *files;
	struct processes *processes;
	bool has_all; /* all processes have been examined */
	/* processes that were requested by number */
	pid_t *pids;
	size_t npids;
	/* while tracing: what processes map, and which to examine */
	bool is_following;
	uint32_t looks; /* that found something */
	bool is_told;
	struct map_listener listener;
	struct map_event *heard; /* files that were not known */
	size_t nheard;
	pid_t *waiting;
	size_t nwaiting;
	pid_t executes;	    /* has begun a program and mapped nothing */
	struct table sites; /* "file:note" -> struct usdt_site */
};

static struct usdt_state *state_of(struct probe_registry *registry)
{
	void **state = registry_state(registry, &usdt_provider);

	if (!*state) {
		struct usdt_state *fresh = must_alloc(sizeof(*fresh));

		*fresh = (struct usdt_state){
			.files = usdt_files_new(registry_processes(registry)),
			.processes = registry_processes(registry),
		};
		*state = fresh;
	}
	return *state;
}

static void forget(void *memory)
{
	struct usdt_state *state = memory;

	usdt_files_free(state->files);
	processes_unlisten(state->processes, &state->listener);
	for (size_t i = 0; i < state->nheard; i++)
		free((char *)(uintptr_t)state->heard[i].path);
	free(state->heard);
	free(state->pids);
	free(state->waiting);
	table_free(&state->sites);
	free(state);
}

/* ------------------------------------------------------------------ names */

/* "function__entry" -> "function-entry" */
void usdt_dash(const char *name, char *to, size_t size)
{
	size_t n = 0;

	for (const char *at = name; *at && n + 1 < size; at++) {
		if (at[0] == '_' && at[1] == '_') {
			to[n++] = '-';
			at++;
		} else {
			to[n++] = *at;
		}
	}
	to[n] = '\0';
}

static bool name_matches(const struct probe_desc *desc, const char *name,
			 const char *dashed)
{
	return glob_match(desc->name, dashed) || glob_match(desc->name, name);
}

static bool module_matches(const struct probe_desc *desc, const char *name,
			   bool is_program)
{
	return glob_match(desc->module, name) ||
	       (is_program && !strcmp(desc->module, "a.out"));
}

static bool usdt_matches(const struct probe *probe,
			 const struct probe_desc *desc)
{
	const struct usdt_probe *usdt = probe->data;

	if (usdt->asked)
		return !strcmp(desc->provider, usdt->asked->provider) &&
		       !strcmp(desc->module, usdt->asked->module) &&
		       !strcmp(desc->function, usdt->asked->function) &&
		       !strcmp(desc->name, usdt->asked->name);
	return glob_match(desc->provider, probe->provider_name) &&
	       module_matches(desc, probe->module, usdt->is_program) &&
	       glob_match(desc->function, probe->function) &&
	       name_matches(desc, usdt->sites[0]->note->name, probe->name);
}

/* The process that a provider's name ends in, or 0. */
pid_t usdt_process_of(const char *name)
{
	const char *end = name + strlen(name);

	while (end > name && isdigit((unsigned char)end[-1]))
		end--;
	if (end == name || end[0] == '0' || strlen(end) > 9)
		return 0;
	return atoi(end);
}

static bool is_other_provider(const char *name)
{
	for (uint32_t i = 0; providers[i]; i++)
		if (!strcmp(providers[i]->name, name))
			return true;
	return !strncmp(name, "pid", 3) && usdt_process_of(name) &&
	       isdigit((unsigned char)name[3]);
}

/* ------------------------------------------------------------------ sites */

static bool find_symbol(void *data, struct str name, uint64_t *address)
{
	return elf_symbols_lookup(data, name, address);
}

static struct usdt_site *site_of(struct probe_registry *registry,
				 struct usdt_file *file,
				 const struct usdt_note *note)
{
	struct usdt_state *state = state_of(registry);
	const void *parts[] = { file, note };
	struct str key = { (const char *)parts, sizeof(parts) };
	struct usdt_site *site = table_get(&state->sites, key);

	if (site)
		return site;
	struct arena *arena = registry_arena(registry);

	site = arena_new_of(arena, struct usdt_site);
	site->file = file;
	site->note = note;
	site->narguments =
		usdt_arguments_parse(arena, note->arguments, note->address,
				     find_symbol,
				     (void *)(uintptr_t)usdt_file_symbols(file),
				     site->arguments, USDT_ARGUMENTS);
	key.p = arena_copy(arena, parts, sizeof(parts));
	table_put(&state->sites, key, site);
	return site;
}

/* False: it has the site already, or too many. */
static bool add_site(struct probe_registry *registry, struct usdt_probe *probe,
		     struct usdt_site *site)
{
	enum { COST = 8 }; /* of a step */
	struct arena *arena = registry_arena(registry);

	for (uint32_t i = 0; i < probe->nsites; i++)
		if (probe->sites[i] == site)
			return false;
	/* without its first site there is no probe */
	if (probe->nsites && !budget_work(registry_budget(registry),
					  (uint64_t)probe->nsites * COST)) {
		budget_refuse(registry_budget(registry), -1);
		return false;
	}
	/* powers of two are when it is full */
	if (!(probe->nsites & (probe->nsites - 1))) {
		struct usdt_site **sites =
			arena_array_of(arena, struct usdt_site *,
				       probe->nsites ? 2 * (size_t)probe->nsites
						     : 1);

		if (probe->nsites)
			memcpy(sites, probe->sites,
			       probe->nsites * sizeof(*sites));
		probe->sites = sites;
	}
	if (probe->look != state_of(registry)->looks) {
		probe->look = state_of(registry)->looks;
		probe->first_new = probe->nsites;
	}
	probe->sites[probe->nsites++] = site;
	return true;
}

/* -------------------------------------------------------------- announcing */

/*
 * The name of a file or function, for a terminal: anybody can call a file what
 * they like.  Characters that control one, also those of 8 bits (C1), are a "?".
 */
static size_t control_at(const char *name)
{
	unsigned char c = (unsigned char)name[0];
	unsigned char next = c ? (unsigned char)name[1] : 0;

	if (c == 0xc2 && next >= 0x80 && next < 0xa0)
		return 2;
	return c < ' ' || c == 0x7f;
}

static const char *shown(struct probe_registry *registry, const char *name)
{
	char *copy = NULL;

	for (size_t i = 0; name[i]; i++)
		for (size_t n = control_at(name + i); n; n--, i += n > 0) {
			if (!copy)
				copy = arena_strdup(registry_arena(registry),
						    name);
			copy[i] = '?';
		}
	return copy ? copy : name;
}

static void announce(struct probe_registry *registry, const char *provider,
		     const char *function, const char *name,
		     const struct usdt_user *user, struct usdt_site *site)
{
	if (!registry_afford(registry))
		return;
	struct probe *probe = registry_add(registry, &usdt_provider, provider,
					   shown(registry,
						 site->file->image->name),
					   shown(registry, function), name, 0);

	if (!probe || probe->provider != &usdt_provider) {
		registry_refund(registry);
		return;
	}
	if (!probe->data) {
		struct usdt_probe *data = arena_new_of(registry_arena(registry),
						       struct usdt_probe);

		data->pid = user->pid;
		data->is_program = user->is_program;
		probe->data = data;
		probe->pid = user->pid;
		probe->is_silent = !user->pid;
	}
	if (add_site(registry, probe->data, site))
		probe->growth++;
	else
		registry_refund(registry);
}

static const char *function_of(struct usdt_file *file,
			       const struct usdt_note *note)
{
	const char *name;
	uint64_t start;

	return elf_symbols_find(usdt_file_symbols(file), note->address, &name,
				&start)
		       ? name
		       : "";
}

/* `node*`, and `node1234`: one of a process that has none yet. */
static bool is_wanted(void *data, const char *provider)
{
	const struct probe_desc *desc = data;
	size_t length = strlen(provider);

	return glob_match(desc->provider, provider) ||
	       (!strncmp(desc->provider, provider, length) &&
		desc->provider[length] &&
		!desc->provider[length +
				strspn(desc->provider + length, "0123456789")]);
}

/* The provider whose declaration says what the arguments are, or NULL. */
static const char *declaring(struct probe_registry *registry,
			     struct probe_desc *desc)
{
	struct language *language = registry_language(registry);

	return language && *desc->name && glob_is_plain(desc->name)
		       ? language_declares(language, is_wanted, desc,
					   desc->name)
		       : NULL;
}

/*
 * Nothing exists yet: with -Z a silent probe without sites holds the clauses,
 * so that they are compiled.  No later probe may have its names.  If a library
 * declares the probe, args[] are known already.
 */
static void announce_placeholder(struct probe_registry *registry,
				 const struct probe_desc *desc)
{
	struct arena *arena = registry_arena(registry);
	struct usdt_probe *usdt;
	struct probe *probe;

	for (uint32_t i = 0; providers[i]; i++)
		if (glob_match(desc->provider, providers[i]->name))
			return;
	struct probe_desc asked = {
		.provider = arena_strdup(arena, desc->provider),
		.module = arena_strdup(arena, desc->module),
		.function = arena_strdup(arena, desc->function),
		.name = arena_strdup(arena, desc->name),
	};
	const char *declared = declaring(registry, &asked);

	probe = registry_add(registry, &usdt_provider,
			     declared ? declared : desc->provider, desc->module,
			     arena_printf(arena, "%s?", desc->function),
			     desc->name, 0);
	if (!probe || probe->data)
		return;
	usdt = arena_new_of(arena, struct usdt_probe);
	usdt->asked = arena_copy(arena, &asked, sizeof(asked));
	usdt->is_declared = declared;
	probe->data = usdt;
	probe->is_silent = true;
}

/*
 * Can the note be requested, whichever process has it?  It cannot where a name
 * does not fit, or where the provider is given as a prefix that is not its.
 */
static bool may_match(const struct probe_desc *desc,
		      const struct usdt_file *file,
		      const struct usdt_note *note, const char *dashed)
{
	size_t length = strcspn(desc->provider, "*?[\\");
	bool is_beginning = !strcmp(desc->provider + length, "*");

	return name_matches(desc, note->name, dashed) &&
	       module_matches(desc, file->image->name, true) &&
	       (!is_beginning ||
		!strncmp(desc->provider, note->provider, length) ||
		!strncmp(desc->provider, note->provider,
			 strlen(note->provider)));
}

/* Is the note one of those requested? */
static bool announce_note(struct probe_registry *registry,
			  const struct probe_desc *desc, pid_t only,
			  struct usdt_file *file, const struct usdt_note *note)
{
	char provider[NAME_LIMIT], dashed[NAME_LIMIT];
	const char *function = NULL;
	bool is_program = false;

	usdt_dash(note->name, dashed, sizeof(dashed));
	file->is_wanted |= may_match(desc, file, note, dashed);
	if (!name_matches(desc, note->name, dashed) ||
	    strlen(note->provider) + 16 > sizeof(provider))
		return false;
	for (size_t i = 0; i < file->nusers; i++) {
		const struct usdt_user *user = &file->users[i];

		if (only && user->pid != only)
			continue;
		snprintf(provider, sizeof(provider), "%s%d", note->provider,
			 (int)user->pid);
		if (!module_matches(desc, file->image->name,
				    user->is_program) ||
		    !glob_match(desc->provider, provider))
			continue;
		if (!function)
			function = function_of(file, note);
		if (!glob_match(desc->function, function))
			return false;
		is_program = user->is_program;
		announce(registry, provider, function, dashed, user,
			 site_of(registry, file, note));
	}
	if (!only && function && glob_match(desc->provider, note->provider))
		announce(registry, note->provider, function, dashed,
			 &(struct usdt_user){ .is_program = is_program },
			 site_of(registry, file, note));
	return function;
}

static void add_pid(pid_t **pids, size_t *npids, pid_t pid)
{
	for (size_t i = 0; i < *npids; i++)
		if ((*pids)[i] == pid)
			return;
	*pids = must_realloc(*pids, (*npids + 1) * sizeof(**pids));
	(*pids)[(*npids)++] = pid;
}

/* Examine what the description means.  False: it cannot mean USDT probes. */
static bool look(struct probe_registry *registry, const struct probe_desc *desc,
		 pid_t *only, struct probe_error *error)
{
	struct usdt_state *state;

	*only = 0;
	if (!desc || !*desc->provider || is_other_provider(desc->provider))
		return false;
	if (!glob_is_plain(desc->provider)) {
		state = state_of(registry);
		if (!state->has_all)
			usdt_files_look_at_all(state->files, false);
		state->has_all = true;
		return true;
	}
	*only = usdt_process_of(desc->provider);
	if (!*only)
		return false;
	state = state_of(registry);
	add_pid(&state->pids, &state->npids, *only);
	int problem = usdt_files_look_at(state->files, *only, false);

	if (problem == -EACCES || problem == -EPERM)
		*error = (struct probe_error){
			D_PROC_USDT,
			arena_printf(
				registry_arena(registry),
				"failed to instantiate probes for pid %d: permission denied (needs CAP_SYS_PTRACE, or to be its owner)",
				(int)*only),
		};
	return true;
}

static int usdt_list(struct probe_registry *registry,
		     const struct probe_desc *desc, struct probe_error *error)
{
	pid_t only;

	if (!look(registry, desc, &only, error))
		return 0;
	if (error->text)
		return -EACCES;
	bool is_found = false;

	for (struct usdt_file *file =
		     usdt_files_first(state_of(registry)->files);
	     file; file = file->next)
		for (size_t i = 0; i < file->notes->count; i++)
			is_found |= announce_note(registry, desc, only, file,
						  &file->notes->notes[i]);
	if (!is_found)
		announce_placeholder(registry, desc);
	return 0;
}

static bool declares_arguments(const struct probe *probe)
{
	const struct usdt_probe *usdt = probe->data;

	return usdt->is_declared;
}

static const char *usdt_explain(struct probe_registry *registry,
				const struct provider *provider,
				const struct probe_desc *desc)
{
	const struct usdt_state *state = *registry_state(registry, provider);

	if (!state || is_other_provider(desc->provider))
		return NULL;
	for (uint32_t i = 0; providers[i]; i++)
		if (glob_match(desc->provider, providers[i]->name))
			return NULL;
	return usdt_explain_files(registry, state->files, desc);
}

/* ---------------------------------------------------------- while tracing */

static pid_t process_of(const struct probe_desc *desc)
{
	return is_other_provider(desc->provider) ||
			       !glob_is_plain(desc->provider)
		       ? 0
		       : usdt_process_of(desc->provider);
}

static bool usdt_follows(const struct probe_desc *desc)
{
	return *desc->provider && !is_other_provider(desc->provider) &&
	       (!glob_is_plain(desc->provider) ||
		usdt_process_of(desc->provider));
}

static bool is_asked_for(const struct usdt_state *state, pid_t pid)
{
	for (size_t i = 0; i < state->npids; i++)
		if (state->pids[i] == pid)
			return true;
	return false;
}

static void keep(struct usdt_state *state, const struct map_event *event)
{
	/* powers of two are when it is full */
	if (!(state->nheard & (state->nheard - 1)))
		state->heard = must_realloc(
			state->heard,
			checked_mul(state->nheard ? 2 * state->nheard : 1,
				    sizeof(*event)));
	state->heard[state->nheard] = *event;
	state->heard[state->nheard++].path = must_strdup(event->path);
}

static void hear(void *context, const struct map_event *event)
{
	struct usdt_state *state = context;
	pid_t pid = (pid_t)event->pid;

	if (event->kind == MAP_EVENT_EXEC)
		state->executes = pid;
	if (event->kind != MAP_EVENT_MAP || !event->inode)
		return;
	struct map_event map = *event;

	/* the first file it maps is its executable */
	map.kind = state->executes == pid ? MAP_EVENT_EXEC : MAP_EVENT_MAP;
	if (state->executes == pid)
		state->executes = 0;
	if (is_asked_for(state, pid))
		add_pid(&state->waiting, &state->nwaiting, pid);
	if (state->has_all &&
	    !usdt_files_knows(state->files, event->device, event->inode))
		keep(state, &map);
}

/*
 * A new file is opened through the process.  If that has ended meanwhile, its
 * path is used instead: the program will be found when it runs again.
 */
static void look_for(struct usdt_state *state, const struct map_event *event)
{
	pid_t pid = (pid_t)event->pid;

	if (usdt_files_knows(state->files, event->device, event->inode))
		return;
	usdt_files_look_at(state->files, pid, !is_asked_for(state, pid));
	if (!usdt_files_knows(state->files, event->device, event->inode))
		usdt_files_remember(state->files, pid, event->device,
				    event->inode, event->path,
				    event->kind == MAP_EVENT_EXEC);
}

static void look_for_heard(struct usdt_state *state)
{
	processes_poll(state->processes);
	for (size_t i = 0; i < state->nheard; i++) {
		look_for(state, &state->heard[i]);
		free((char *)(uintptr_t)state->heard[i].path);
	}
	state->nheard = 0;
}

static void start_listening(struct usdt_state *state)
{
	state->listener.hear = hear;
	state->listener.context = state;
	state->is_told = processes_listen(state->processes, &state->listener);
}

/*
 * Everything is checked the first time: something may have been loaded already.
 */
static bool usdt_look(struct probe_registry *registry)
{
	struct usdt_state *state = *registry_state(registry, &usdt_provider);

	if (!state || (!state->has_all && !state->npids))
		return false;
	uint64_t before = usdt_files_changes(state->files);

	/* All descriptions have been matched with what the last look found. */
	if (state->is_following)
		usdt_files_release(state->files);
	if (!state->is_following) {
		start_listening(state);
		if (state->has_all)
			usdt_files_look_at_all(state->files, true);
	}
	if (!state->is_following || !state->is_told)
		for (size_t i = 0; i < state->npids; i++)
			usdt_files_look_at(state->files, state->pids[i], false);
	state->is_following = true;
	look_for_heard(state);
	for (size_t i = 0; i < state->nwaiting; i++)
		usdt_files_look_at(state->files, state->waiting[i], false);
	state->nwaiting = 0;
	bool is_new = usdt_files_changes(state->files) != before;

	state->looks += is_new;
	return is_new;
}

/* Where sites differ, the widest of them, and signed if one is. */
static int usdt_argument_of(struct probe_registry *registry,
			    const struct probe *probe, uint32_t n,
			    const char **native, const char **translated)
{
	const struct usdt_probe *usdt = probe->data;
	struct usdt_argument widest = { 0 };

	(void)registry;
	for (uint32_t i = 0; i < usdt->nsites; i++) {
		const struct usdt_site *site = usdt->sites[i];

		if (n >= site->narguments)
			continue;
		/* D knows no more; the type of the others does not matter */
		const struct usdt_argument *argument =
			&site->arguments[n < USDT_ARGUMENTS ? n : 0];

		if (argument->size > widest.size)
			widest.size = argument->size;
		widest.is_signed |= argument->is_signed;
	}
	if (!widest.size)
		return 0;
	*native = usdt_argument_type(&widest);
	*translated = *native;
	return 1;
}

/* ----------------------------------------------------------------- attach */

static bool is_safe(const struct usdt_site *site)
{
	uint8_t code[CODE_BYTES];
	ssize_t n = pread(site->file->image->fd, code, sizeof(code),
			  (off_t)site->note->offset);

	return n <= 0 || !arch_is_unsafe(code, (size_t)n);
}

static int usdt_attach(struct attach_context *context,
		       struct probe_group *group)
{
	const struct usdt_group *usdt = group->provider_data;
	struct uprobe_sites sites = {
		.items = arena_array_of(context->arena, struct uprobe_site,
					usdt->nsites),
		.pid = usdt->only,
	};

	for (uint32_t i = 0; i < usdt->nsites; i++) {
		const struct usdt_site *site = usdt->sites[i];

		if (!is_safe(site))
			continue;
		sites.items[sites.count++] = (struct uprobe_site){
			.path = site->file->image->attach_path,
			.offset = site->note->offset,
			.semaphore = site->note->semaphore_offset,
			.probe = i,
		};
	}
	if (sites.count)
		return uprobe_attach(context, group, &sites, NULL);
	if (!usdt->nsites)
		return 0;
	context->error =
		"its sites are 5-byte nops, where this kernel's probes are not safe";
	return -EOPNOTSUPP;
}

const struct provider usdt_provider = {
	.check = uprobe_check,
	.name = "usdt",
	.typed = "",
	.about = "probes that programs bring along: providerPID:::name",
	.attrs = PROVIDER_ATTRS(STABILITY(UNSTABLE, CLASS_COMMON),
				STABILITY(UNSTABLE, CLASS_COMMON),
				STABILITY(UNSTABLE, CLASS_COMMON)),
	.program_type = BPF_PROG_TYPE_KPROBE,
	.list = usdt_list,
	.matches = usdt_matches,
	.argument = usdt_argument_of,
	.has_user_pointers = true,
	.declares_arguments = declares_arguments,
	.context = usdt_context,
	.attach = usdt_attach,
	.detach = uprobe_detach,
	.process_of = process_of,
	.follows = usdt_follows,
	.look = usdt_look,
	.explain = usdt_explain,
	.doubt = usdt_doubt,
	.forget = forget,
};
