/* SPDX-License-Identifier: Apache-2.0 */
/*
 * javaPID:class:method:entry|return: methods of Java programs, by their names.
 *
 * An agent in the virtual machine (java/, proc/java_agent.h) finds methods, and puts
 * into those that have probes a call that leads to a site: a place in the agent's
 * file where the program of the probe's group is attached.  It is passed which of
 * the group's methods fired, and its arguments as words.
 *
 * 1. There are no probes before a process (java1234:::) or a glob (java*:::) is
 *    requested, because finding them means loading the agent.
 * 2. All methods of one name in a class are one probe, also in classes of that name
 *    that several loaders have.
 * 3. A class that comes later is held until its methods have their probes, so
 *    nothing of it is missed.  That begins with tracing: -l delays nobody.
 * 4. Arguments that no clause reads are not passed; strings that nobody reads are
 *    not copied.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <linux/bpf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arch/arch.h"
#include "base/table.h"
#include "base/vec.h"
#include "java/message.h"
#include "proc/java_agent.h"
#include "proc/java_attach.h"
#include "proc/symbols.h"
#include "proc/target.h"
#include "provider/uprobe.h"

enum {
	NUMBER_BITS = 20, /* of a method's number: which of its group */
	MOST_GROUPS = 1 << 12, NAME_LIMIT = 32,
	THROWN_OBJECT = 3, /* args[] of a return: the exception */
};

static const char prefix[] = "java";

/* A process that is, or may become, a virtual machine. */
struct machine {
	pid_t pid;
	char name[NAME_LIMIT]; /* java1234 */
	struct java_agent *agent;
	char *problem; /* why it has none */
	size_t seen;   /* methods that were announced */
	bool is_watched;
	bool is_tried; /* was held, and let start */
};

struct search {
	pid_t pid; /* 0: any */
	const char *class, *method;
};

struct java_state {
	struct vec machines, searches;
	uint32_t ngroups;
	uint32_t looks; /* that found something */
	bool has_all;
};

struct java_place {
	struct machine *machine;
	const struct java_method *method;
};

struct java_probe {
	struct java_state *state;
	bool leaves;
	const struct probe_desc *asked; /* a placeholder: what is requested */
	struct java_place *places;
	uint32_t nplaces, first_new, look;
};

struct java_group {
	uint32_t site, base; /* the first of its numbers */
	uint32_t wants;	     /* arguments that programs read */
	struct probe_group *group;
};

static struct java_state *state_of(struct probe_registry *registry)
{
	void **state = registry_state(registry, &java_provider);

	if (!*state) {
		*state = must_alloc(sizeof(struct java_state));
		*(struct java_state *)*state = (struct java_state){ 0 };
	}
	return *state;
}

static void forget(void *memory)
{
	struct java_state *state = memory;

	for (size_t i = 0; i < state->machines.count; i++) {
		struct machine *machine = vec_at(&state->machines, i,
						 struct machine);

		if (machine->agent)
			java_agent_stop(machine->agent);
	}
	for (size_t i = 0; i < state->machines.count; i++) {
		struct machine *machine = vec_at(&state->machines, i,
						 struct machine);

		if (machine->agent)
			java_agent_free(machine->agent);
		free(machine->problem);
		free(machine);
	}
	vec_free(&state->machines);
	vec_free(&state->searches);
	free(state);
}

/* ---------------------------------------------------------------- machines */

/* The 123 of java123, or 0. */
static pid_t process_of(const struct probe_desc *desc)
{
	const char *digits = desc->provider + sizeof(prefix) - 1;

	if (strncmp(desc->provider, prefix, sizeof(prefix) - 1) ||
	    !isdigit((unsigned char)*digits) || *digits == '0' ||
	    strspn(digits, "0123456789") != strlen(digits) ||
	    strlen(digits) > 9)
		return 0;
	return atoi(digits);
}

/* java*, java12?: names of processes, not of other providers. */
static bool is_glob(const struct probe_desc *desc)
{
	return !strncmp(desc->provider, prefix, sizeof(prefix) - 1) &&
	       !glob_is_plain(desc->provider) &&
	       strcspn(desc->provider, "*?[\\") >= sizeof(prefix) - 1;
}

static bool java_follows(const struct probe_desc *desc)
{
	return process_of(desc) || is_glob(desc);
}

static struct machine *machine_of(struct java_state *state, pid_t pid)
{
	for (size_t i = 0; i < state->machines.count; i++) {
		struct machine *machine = vec_at(&state->machines, i,
						 struct machine);

		if (machine->pid == pid)
			return machine;
	}
	struct machine *fresh = must_alloc(sizeof(*fresh));

	*fresh = (struct machine){ .pid = pid };
	snprintf(fresh->name, sizeof(fresh->name), "%s%d", prefix, (int)pid);
	vec_push(&state->machines, fresh);
	return fresh;
}

/* A command that is held: until it is a machine, and no class of it has run. */
static void start_machine(struct probe_registry *registry,
			  struct machine *machine)
{
	struct processes *processes = registry_processes(registry);
	struct target *target = processes_target(processes, machine->pid);

	if (machine->is_tried || !target || !target_is_held(target) ||
	    target_waits(target))
		return;
	machine->is_tried = true;
	machine->is_watched = !target_settle_java(target, processes);
}

/* Once: a machine that refuses does so again.  One that starts is asked later. */
static bool attach_machine(struct probe_registry *registry,
			   struct machine *machine)
{
	if (machine->agent)
		return !java_agent_is_gone(machine->agent);
	if (machine->problem)
		return false;
	start_machine(registry, machine);
	if (!java_is_ready(machine->pid))
		return false;
	machine->agent = java_agent_new(machine->pid, registry_budget(registry),
					&machine->problem);
	return machine->agent;
}

static void find_machines(struct java_state *state)
{
	DIR *directory = opendir("/proc");

	if (!directory)
		return;
	for (const struct dirent *entry; (entry = readdir(directory));) {
		pid_t pid = atoi(entry->d_name);

		if (pid > 0 && pid != getpid() && java_is_ready(pid))
			machine_of(state, pid);
	}
	closedir(directory);
}

/* -------------------------------------------------------------- announcing */

static const char *const names[] = { "entry", "return" };

static bool java_matches(const struct probe *probe,
			 const struct probe_desc *desc)
{
	const struct java_probe *java = probe->data;

	if (java->asked)
		return !strcmp(desc->provider, java->asked->provider) &&
		       !strcmp(desc->module, java->asked->module) &&
		       !strcmp(desc->function, java->asked->function) &&
		       !strcmp(desc->name, java->asked->name);
	return probe_desc_matches(desc, probe->provider_name, probe->module,
				  probe->function, probe->name);
}

static struct java_probe *data_of(struct probe_registry *registry,
				  struct probe *probe, bool leaves)
{
	if (!probe->data) {
		struct java_probe *java = arena_new_of(registry_arena(registry),
						       struct java_probe);

		*java = (struct java_probe){ .state = state_of(registry),
					     .leaves = leaves };
		probe->data = java;
	}
	return probe->data;
}

static bool add_place(struct probe_registry *registry, struct java_probe *java,
		      const struct java_place *place)
{
	struct arena *arena = registry_arena(registry);
	uint32_t n = java->nplaces;

	for (uint32_t i = 0; i < n; i++)
		if (java->places[i].method == place->method)
			return false;
	/* powers of two are when it is full */
	if (!(n & (n - 1))) {
		struct java_place *places =
			arena_array_of(arena, struct java_place,
				       n ? 2 * (size_t)n : 1);

		if (n)
			memcpy(places, java->places, n * sizeof(*places));
		java->places = places;
	}
	if (java->look != java->state->looks) {
		java->look = java->state->looks;
		java->first_new = n;
	}
	java->places[java->nplaces++] = *place;
	return true;
}

static void announce(struct probe_registry *registry, const char *name,
		     bool leaves, const struct java_place *place)
{
	const struct java_method *method = place->method;

	if (!registry_afford(registry))
		return;
	struct probe *probe = registry_add(registry, &java_provider,
					   place->machine->name,
					   method->class_name, method->name,
					   name, 0);

	if (!probe || probe->provider != &java_provider) {
		registry_refund(registry);
		return;
	}
	probe->pid = place->machine->pid;
	if (add_place(registry, data_of(registry, probe, leaves), place))
		probe->growth++;
	else
		registry_refund(registry);
}

/* Probes of the methods that have been found. */
static bool announce_methods(struct probe_registry *registry,
			     const struct probe_desc *desc,
			     struct machine *machine)
{
	bool is_found = false;

	for (size_t i = 0; i < java_agent_count(machine->agent); i++) {
		struct java_place place = {
			machine, java_agent_method(machine->agent, i)
		};
		const struct java_method *method = place.method;

		if (method->problem ||
		    !glob_match(desc->module, method->class_name) ||
		    !glob_match(desc->function, method->name))
			continue;
		for (unsigned n = 0; n < 2; n++)
			if (glob_match(desc->name, names[n])) {
				announce(registry, names[n], n, &place);
				is_found = true;
			}
	}
	return is_found;
}

/* Holds the clauses until there is a class, so that they are compiled. */
static void announce_placeholder(struct probe_registry *registry,
				 const struct probe_desc *desc)
{
	struct arena *arena = registry_arena(registry);
	struct probe_desc *asked = arena_new_of(arena, struct probe_desc);
	struct probe *probe;

	*asked = (struct probe_desc){
		.provider = arena_strdup(arena, desc->provider),
		.module = arena_strdup(arena, desc->module),
		.function = arena_strdup(arena, desc->function),
		.name = arena_strdup(arena, desc->name),
	};
	probe = registry_add(registry, &java_provider, desc->provider,
			     desc->module,
			     arena_printf(arena, "%s?", desc->function),
			     desc->name, 0);
	if (!probe || probe->data)
		return;
	data_of(registry, probe, !glob_match(desc->name, names[0]))->asked =
		asked;
	probe->is_silent = true;
}

static const char *or_any(const char *pattern)
{
	return *pattern ? pattern : "*";
}

static void remember_search(struct probe_registry *registry,
			    const struct probe_desc *desc, pid_t pid)
{
	struct java_state *state = state_of(registry);
	struct arena *arena = registry_arena(registry);
	struct search *search = arena_new_of(arena, struct search);

	*search =
		(struct search){ pid, arena_strdup(arena, or_any(desc->module)),
				 arena_strdup(arena, or_any(desc->function)) };
	for (size_t i = 0; i < state->searches.count; i++) {
		const struct search *old = vec_at(&state->searches, i,
						  const struct search);

		if (old->pid == pid && !strcmp(old->class, search->class) &&
		    !strcmp(old->method, search->method))
			return;
	}
	vec_push(&state->searches, search);
}

/*
 * A program that has not begun has no classes: the one that is named is loaded, so
 * that its methods and their types are known.  Nothing of it runs.
 */
static bool load_class(struct machine *machine, const struct probe_desc *desc)
{
	if (machine->is_tried && machine->is_watched &&
	    glob_is_plain(desc->module))
		java_agent_load(machine->agent, desc->module);
	return true;
}

static int java_list(struct probe_registry *registry,
		     const struct probe_desc *desc, struct probe_error *error)
{
	pid_t only = desc ? process_of(desc) : 0;
	bool is_found = false;

	(void)error;
	if (!desc || !java_follows(desc) ||
	    (!glob_match(desc->name, names[0]) &&
	     !glob_match(desc->name, names[1])))
		return 0;
	struct java_state *state = state_of(registry);

	if (only)
		machine_of(state, only);
	else if (!state->has_all)
		find_machines(state);
	state->has_all |= !only;
	remember_search(registry, desc, only);
	for (size_t i = 0; i < state->machines.count; i++) {
		struct machine *machine = vec_at(&state->machines, i,
						 struct machine);

		if (glob_match(desc->provider, machine->name) &&
		    attach_machine(registry, machine) &&
		    load_class(machine, desc) &&
		    java_agent_search(machine->agent, or_any(desc->module),
				      or_any(desc->function),
				      machine->is_watched))
			is_found |= announce_methods(registry, desc, machine);
	}
	if (!is_found)
		announce_placeholder(registry, desc);
	return 0;
}

/* Why a method that matches has no probes; NULL: none matches. */
static const char *explain_methods(struct probe_registry *registry,
				   const struct probe_desc *desc,
				   struct machine *machine)
{
	for (size_t i = 0; i < java_agent_count(machine->agent); i++) {
		const struct java_method *method =
			java_agent_method(machine->agent, i);

		if (method->problem &&
		    glob_match(desc->module, method->class_name) &&
		    glob_match(desc->function, method->name))
			return arena_printf(registry_arena(registry),
					    "%s.%s cannot be traced: %s",
					    method->class_name, method->name,
					    method->problem);
	}
	return NULL;
}

static const char *java_explain(struct probe_registry *registry,
				const struct provider *provider,
				const struct probe_desc *desc)
{
	struct java_state *state = *registry_state(registry, provider);
	struct arena *arena = registry_arena(registry);
	pid_t pid = process_of(desc);

	if (!java_follows(desc))
		return NULL;
	if (!glob_match(desc->name, names[0]) &&
	    !glob_match(desc->name, names[1]))
		return "probes of Java methods are called entry and return";
	for (size_t i = 0; i < state->machines.count; i++) {
		struct machine *machine = vec_at(&state->machines, i,
						 struct machine);
		const char *why = NULL;

		if (!glob_match(desc->provider, machine->name))
			continue;
		if (machine->problem)
			return arena_printf(
				arena,
				"cannot trace the Java methods of process %d: %s",
				(int)machine->pid, machine->problem);
		if (machine->agent)
			why = explain_methods(registry, desc, machine);
		if (why)
			return why;
		if (!machine->agent && pid)
			return arena_printf(
				arena,
				"process %d is not a Java virtual machine that has started (libjvm.so is mapped and SIGQUIT is caught); -Z waits for one",
				(int)pid);
	}
	return "no class that has been loaded has such a method; -Z waits for one (names are as in java.util.Map$Entry, where a glob needs ? for the $)";
}

/* ---------------------------------------------------------- while tracing */

/* Classes that come from now on are told, too. */
static void watch(struct java_state *state, struct machine *machine)
{
	for (size_t i = 0; i < state->searches.count; i++) {
		const struct search *search = vec_at(&state->searches, i,
						     const struct search);

		if (!search->pid || search->pid == machine->pid)
			java_agent_search(machine->agent, search->class,
					  search->method, true);
	}
	machine->is_watched = true;
}

static bool look_at(struct probe_registry *registry, struct java_state *state,
		    struct machine *machine)
{
	if (!machine->agent && !attach_machine(registry, machine))
		return false;
	if (!machine->is_watched)
		watch(state, machine);
	java_agent_poll(machine->agent);
	if (java_agent_count(machine->agent) != machine->seen) {
		machine->seen = java_agent_count(machine->agent);
		return true;
	}
	java_agent_go(machine->agent);
	return false;
}

static bool java_look(struct probe_registry *registry)
{
	struct java_state *state = *registry_state(registry, &java_provider);
	bool is_new = false;

	if (!state)
		return false;
	for (size_t i = 0; i < state->machines.count; i++)
		is_new |= look_at(registry, state,
				  vec_at(&state->machines, i, struct machine));
	state->looks += is_new;
	return is_new;
}

/* --------------------------------------------------------------- arguments */

/* dlib/java.d */
static const char object[] = "java_object_t *";

/* The types of a descriptor, as D has them; NULL: it is none. */
static const char *one_type(const char *at, const char **type)
{
	static const char *const types[128] = {
		['Z'] = "int",	    ['B'] = "int8_t",  ['S'] = "int16_t",
		['C'] = "uint16_t", ['I'] = "int",     ['J'] = "int64_t",
		['F'] = "uint32_t", ['D'] = "uint64_t", ['L'] = object,
		['V'] = "int",
	};
	static const char string[] = "Ljava/lang/String;";
	bool is_array = *at == '[';

	at += strspn(at, "[");
	if (*at < 0 || !*at || !types[(unsigned char)*at])
		return NULL;
	*type = is_array ? object : types[(unsigned char)*at];
	if (*at != 'L')
		return at + 1;
	if (!is_array && !strncmp(at, string, sizeof(string) - 1))
		*type = "char *";
	at = strchr(at, ';');
	return at ? at + 1 : NULL;
}

/* Of argument n, or of the result; NULL: there is none. */
static const char *type_in(const char *descriptor, bool is_result, uint32_t n)
{
	const char *type = NULL, *at = descriptor;

	if (*at++ != '(')
		return NULL;
	for (uint32_t i = 0; at && *at && *at != ')'; i++) {
		at = one_type(at, &type);
		if (at && !is_result && i == n)
			return type;
	}
	if (!at || !*at || !is_result)
		return NULL;
	return one_type(at + 1, &type) ? type : NULL;
}

static int java_argument(struct probe_registry *registry,
			 const struct probe *probe, uint32_t n,
			 const char **native, const char **translated)
{
	const struct java_probe *java = probe->data;
	const char *type = NULL;

	(void)registry;
	if (java->leaves && n == JAVA_THROWN)
		type = "int";
	if (java->leaves && n == JAVA_EXCEPTION)
		type = "char *";
	if (java->leaves && n == THROWN_OBJECT)
		type = object;
	for (uint32_t i = 0; !type && i < java->nplaces; i++)
		if (!java->leaves || n == JAVA_RESULT)
			type = type_in(java->places[i].method->descriptor,
				       java->leaves, n);
	if (!type)
		return java->asked ? -1 : 0;
	/* methods of one name may differ */
	for (uint32_t i = 0; i < java->nplaces; i++) {
		const char *other = type_in(java->places[i].method->descriptor,
					    java->leaves, n);

		if (other && strcmp(other, type) &&
		    (!java->leaves || n == JAVA_RESULT))
			return -1;
	}
	*native = type;
	*translated = strcmp(type, "char *") ? type : "string";
	return 1;
}

/* Most of a return is the same for all methods. */
static bool declares_arguments(const struct probe *probe)
{
	const struct java_probe *java = probe->data;

	return java->leaves;
}

/* Of objects args[n] is what there is to see of them. */
static uint32_t java_word(struct probe_registry *registry,
			  const struct probe *probe, uint32_t n)
{
	const struct java_probe *java = probe->data;
	const char *native = NULL, *translated;

	if (java_argument(registry, probe, n, &native, &translated) != 1 ||
	    native != object)
		return n;
	if (java->leaves && n == THROWN_OBJECT)
		n = JAVA_EXCEPTION;
	return JAVA_OBJECTS + n;
}

/* ----------------------------------------------------------------- program */

static ir_reg select_method(struct lower *lower)
{
	struct ir_builder *b = &lower->b;
	const struct java_group *java = lower->group->provider_data;
	ir_reg index = ir_binary_imm(b, IR_SUB,
				     context_word(lower,
						  arch_argument_register(0)),
				     java->base);
	struct ir_block *other = ir_block_new(b, "of another group");
	struct ir_block *ours = ir_block_new(b, "of this group");

	/* unsigned: numbers below the base are large */
	ir_branch(b, ir_binary_imm(b, IR_UGE, index, lower->group->nprobes),
		  other, ours);
	ir_enter(b, other);
	ir_return(b);
	ir_enter(b, ours);
	return index;
}

static ir_reg read_argument(struct lower *lower, uint32_t n)
{
	struct ir_builder *b = &lower->b;
	struct java_group *java =
		(struct java_group *)(uintptr_t)lower->group->provider_data;

	if (n >= JAVA_WORDS)
		return ir_const(b, 0);
	java->wants |= 1u << n;
	return ir_read_scalar(
		b, IR_USER,
		ir_binary_imm(b, IR_ADD,
			      context_word(lower, arch_argument_register(1)),
			      (int64_t)n * 8),
		8, false);
}

static int java_context(struct arena *arena, struct probe_group *group)
{
	const struct java_probe *first = group->probes[0]->data;
	struct java_group *java = arena_new_of(arena, struct java_group);
	uint32_t number = first->state->ngroups++;

	java->site = number % JAVA_SITES;
	java->base = number % MOST_GROUPS << NUMBER_BITS;
	uprobe_context(arena, group);
	group->provider_data = java;
	group->lower.provider_data = java;
	group->lower.select = select_method;
	group->lower.argument = read_argument;
	group->lower.instance = JAVA_OBJECTS + JAVA_THIS;
	return 0;
}

/* ----------------------------------------------------------------- attach */

/* Machines whose methods the group has. */
static void machines_of(const struct probe_group *group, struct vec *machines)
{
	for (uint32_t i = 0; i < group->nprobes; i++) {
		const struct java_probe *java = group->probes[i]->data;

		for (uint32_t n = java->first_new; n < java->nplaces; n++) {
			struct machine *machine = java->places[n].machine;
			size_t at = 0;

			while (at < machines->count &&
			       machines->items[at] != machine)
				at++;
			if (at == machines->count)
				vec_push(machines, machine);
		}
	}
}

static void ask_for_probes(const struct probe_group *group)
{
	const struct java_group *own = group->provider_data;

	for (uint32_t i = 0; i < group->nprobes; i++) {
		const struct java_probe *java = group->probes[i]->data;

		for (uint32_t n = java->first_new; n < java->nplaces; n++)
			java_agent_probe(java->places[n].machine->agent,
					 java->places[n].method, java->leaves,
					 own->site, own->base + i, own->wants);
	}
}

/* What is left out, with the reason of one. */
static const char *tell_refused(struct arena *arena,
				const struct probe_group *group, int count)
{
	for (uint32_t i = 0; i < group->nprobes; i++) {
		const struct java_probe *java = group->probes[i]->data;

		for (uint32_t n = 0; n < java->nplaces; n++) {
			const struct java_method *method =
				java->places[n].method;

			if (method->problem)
				return arena_printf(
					arena,
					"%d Java method%s not traced: %s.%s: %s",
					count, count == 1 ? " is" : "s are",
					method->class_name, method->name,
					method->problem);
		}
	}
	return NULL;
}

static int apply(struct attach_context *context, struct probe_group *group,
		 const struct vec *machines)
{
	int64_t bytes = option_number(context->options, OPTION_STRSIZE);
	int refused = 0;

	ask_for_probes(group);
	for (size_t i = 0; i < machines->count; i++) {
		const struct machine *machine = vec_at(machines, i,
						       const struct machine);
		int count = java_agent_apply(machine->agent,
					     bytes > 4096 ? 4096
							  : (uint32_t)bytes);

		if (count < 0) {
			context->error = arena_printf(
				context->arena,
				"process %d has ended, or its agent does not answer",
				(int)machine->pid);
			return -ESRCH;
		}
		refused += count;
	}
	if (refused)
		context->warning = tell_refused(context->arena, group, refused);
	return 0;
}

static int java_attach_group(struct attach_context *context,
			     struct probe_group *group)
{
	const struct java_group *own = group->provider_data;
	struct vec machines = { 0 };
	int error = 0;

	machines_of(group, &machines);
	if (group->nprobes >= 1u << NUMBER_BITS) {
		context->error = "too many Java methods for one clause";
		error = -E2BIG;
	} else if (machines.count) {
		struct uprobe_sites sites = {
			.items = arena_array_of(context->arena,
						struct uprobe_site,
						machines.count),
			.count = (uint32_t)machines.count,
		};

		for (size_t i = 0; i < machines.count; i++)
			sites.items[i] = (struct uprobe_site){
				.path = java_agent_path(vec_at(&machines, i,
							       struct machine)
								->agent),
				.offset = java_agent_site(own->site),
			};
		error = uprobe_attach(context, group, &sites, NULL);
		if (!error)
			error = apply(context, group, &machines);
	}
	vec_free(&machines);
	return error;
}

/* The agent takes its calls back while other groups are detached. */
static void java_detach(struct probe_group *group)
{
	struct vec machines = { 0 };

	machines_of(group, &machines);
	for (size_t i = 0; i < machines.count; i++)
		java_agent_stop(vec_at(&machines, i, struct machine)->agent);
	vec_free(&machines);
	uprobe_detach(group);
}

const struct provider java_provider = {
	.check = uprobe_check,
	.name = "java",
	.typed = "java$target",
	.about = "methods of Java programs",
	.attrs = PROVIDER_ATTRS(STABILITY(EVOLVING, CLASS_COMMON),
				STABILITY(EVOLVING, CLASS_COMMON),
				STABILITY(PRIVATE, CLASS_UNKNOWN)),
	.program_type = BPF_PROG_TYPE_KPROBE,
	.list = java_list,
	.matches = java_matches,
	.argument = java_argument,
	.word = java_word,
	.declares_arguments = declares_arguments,
	.has_user_pointers = true,
	.has_entries = true,
	.context = java_context,
	.attach = java_attach_group,
	.detach = java_detach,
	.process_of = process_of,
	.follows = java_follows,
	.look = java_look,
	.explain = java_explain,
	.forget = forget,
};
