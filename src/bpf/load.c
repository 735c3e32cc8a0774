/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loading: fill in the maps, let the kernel verify, and keep the file
 * descriptor.
 *
 * The first try is without a log, because writing one costs fifty times the
 * verification.  After a rejection the same program is loaded again with a
 * log; its last lines name an instruction, and the instruction knows the D
 * expression it was made for.
 */
#include "bpf/bpf.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bpf/func_info.h"
#include "bpf/sys.h"

enum {
	LOG_SIZE = 4 << 20,	/* of a program that is refused */
	LOG_LEAST = 128, LOG_MOST = (16 << 20) - 1,	/* in every kernel */
	LOG_LINES = 6,		/* of the log's end, in messages */
	RODATA_MARGIN = 256,	/* a bound index may step over the end */
};

const struct bpf_kind raw_tracepoint_kind = {
	.type = BPF_PROG_TYPE_RAW_TRACEPOINT,
};

static int make_rodata(const struct bpf_code *code)
{
	uint32_t zero = 0, size = (code->rodata_size + 7 + RODATA_MARGIN) & ~7u;
	int fd = sys_map_create(&(struct sys_map){
		.type = BPF_MAP_TYPE_ARRAY,
		.key_size = 4,
		.value_size = size,
		.max_entries = 1,
		.flags = BPF_F_RDONLY_PROG,
		.name = "dtrace_rodata",
	});

	if (fd < 0)
		return fd;
	uint8_t *bytes = must_alloc(size);

	if (code->rodata_size)
		memcpy(bytes, code->rodata, code->rodata_size);
	int err = sys_map_update(fd, &zero, bytes);

	free(bytes);
	if (!err)
		err = sys_map_freeze(fd);
	if (!err)
		return fd;
	close(fd);
	return err;
}

static bool uses_rodata(const struct bpf_code *code)
{
	for (uint32_t i = 0; i < code->nrelocs; i++)
		if (code->relocs[i].role == MAP_RODATA)
			return true;
	return false;
}

static int map_fd(const struct bpf_code *code, const struct bpf_reloc *reloc,
		  const struct bpf_maps *maps, int rodata_fd)
{
	switch (reloc->role) {
	case MAP_PARTS:
		return code->parts_fd;
	case MAP_STATE:
		return maps->state_fd;
	case MAP_RINGS:
		return maps->ring_fd;
	case MAP_CONTROL:
		return maps->control_fd;
	case MAP_GLOBALS:
		return maps->globals_fd;
	case MAP_SELF:
		return maps->self_fd;
	case MAP_SCRATCH:
		return maps->scratch_fd;
	case MAP_RODATA:
		return rodata_fd;
	case MAP_SPECS:
		return maps->specs_fd;
	case MAP_UNWIND:
		return maps->unwind_fd;
	case MAP_SPEC_RINGS:
		return maps->spec_ring_fd;
	case MAP_AGGREGATION: /* all in one, see agg_layout.c */
		return maps->agg_fd;
	case MAP_CHUNKS:
		return maps->chunks_fd;
	case MAP_BLANK:
		return maps->blank_fd;
	case MAP_STAGE:
		return maps->stage_fd;
	case MAP_ARRAY:
		return reloc->index < maps->narrays
			       ? maps->array_fds[reloc->index]
			       : -1;
	}
	return -1;
}

/* The instructions with this session's descriptors; NULL: a map is missing. */
static struct bpf_insn *linked(struct arena *arena, const struct bpf_code *code,
			       const struct bpf_maps *maps, int rodata_fd)
{
	struct bpf_insn *insns = arena_copy(arena, code->insns,
					    code->count * sizeof(*insns));

	for (uint32_t i = 0; i < code->nrelocs; i++) {
		int fd = map_fd(code, &code->relocs[i], maps, rodata_fd);

		if (fd < 0)
			return NULL;
		insns[code->relocs[i].insn].imm = fd;
	}
	if (code->scratch_stride_insn) {
		if (maps->scratch_slot_size < code->scratch_size)
			return NULL;
		insns[code->scratch_stride_insn].imm =
			(int32_t)maps->scratch_slot_size;
	}
	return insns;
}

/* ----------------------------------------------------------------- messages */

/* The last lines of the log without the statistics. */
static const char *log_end(char *log)
{
	size_t n = strlen(log);
	unsigned lines = 0;

	while (n && log[n - 1] == '\n')
		log[--n] = '\0';
	char *statistics = strstr(log, "\nprocessed ");

	if (statistics)
		*statistics = '\0';
	for (n = strlen(log); n; n--)
		if (log[n - 1] == '\n' && ++lines == LOG_LINES)
			break;
	return log + n;
}

/* The number of the last instruction that the log talks about: "12: (85)". */
static bool last_insn(const char *log, uint32_t *insn)
{
	bool found = false;

	for (const char *line = log; line; line = strchr(line, '\n')) {
		if (*line == '\n')
			line++;
		char *end;
		unsigned long number = strtoul(line, &end, 10);

		if (end != line && !strncmp(end, ": (", 3)) {
			*insn = (uint32_t)number;
			found = true;
		}
	}
	return found;
}

static const char *place_text(struct arena *arena, const struct bpf_code *code,
			      uint32_t insn)
{
	if (insn >= code->count || !code->places[insn].line)
		return "";
	const struct place *place = &code->places[insn];

	if (!place->source || !place->length ||
	    place->offset + place->length > place->source->length)
		return arena_printf(arena, " at line %u", place->line);
	return arena_printf(arena, " at line %u (\"%.*s\")", place->line,
			    (int)place->length,
			    place->source->text + place->offset);
}

static struct bpf_problem explain(struct arena *arena,
				  const struct bpf_code *code, int err,
				  char *log)
{
	struct bpf_problem problem = { 0 };
	uint32_t insn = UINT32_MAX;
	const char *where = "";

	if (last_insn(log, &insn))
		where = place_text(arena, code, insn);
	if (strstr(log, "probe_write_user")) {
		problem.text = arena_printf(
			arena,
			"not permitted to write to user memory%s: needs CAP_SYS_ADMIN, and a kernel that is not locked down (lockdown=integrity forbids it)",
			where);
	} else if (strstr(log, "cannot use helper") ||
		   strstr(log, "unknown func")) {
		problem.text = arena_printf(
			arena,
			"the kernel does not let this kind of probe do that%s (lockdown, or too old):\n%s",
			where, log_end(log));
	} else if (err == -EMFILE || err == -ENFILE || err == -ENOMEM) {
		problem.text = arena_printf(arena, "cannot load a program: %s",
					    strerror(-err));
	} else if (err == -E2BIG || strstr(log, "too large") ||
		   strstr(log, "too complex")) {
		/* the kernel has an errno of its own for some of these only */
		problem.is_too_large = true;
		problem.text = arena_printf(
			arena,
			"the program is too large for the kernel's verifier%s",
			where);
	} else {
		problem.text = arena_printf(
			arena,
			"the kernel's verifier refused the program%s: %s\n%s",
			where, strerror(-err), log_end(log));
	}
	return problem;
}

/* -------------------------------------------------------------------- parts */

int bpf_parts_create(uint32_t count)
{
	return sys_map_create(&(struct sys_map){
		.type = BPF_MAP_TYPE_PROG_ARRAY,
		.key_size = sizeof(uint32_t),
		.value_size = sizeof(uint32_t),
		.max_entries = count,
		.name = "dtrace_parts",
	});
}

int bpf_parts_set(int parts_fd, uint32_t part, const struct bpf_loaded *loaded)
{
	return sys_map_update(parts_fd, &part, &loaded->fd);
}

/* --------------------------------------------------------------------- load */

static struct bpf_loaded *load_program(struct arena *arena,
				       const struct bpf_code *code,
				       struct sys_prog *prog,
				       struct bpf_loaded *loaded,
				       uint32_t log_size,
				       struct bpf_problem *problem)
{
	int err = -EINVAL;

	if (!prog->insns) {
		problem->text =
			"a program uses a map that the session did not create";
		bpf_unload(loaded);
		return NULL;
	}
	if (!log_size)
		err = loaded->fd = sys_prog_load(prog);
	if (err >= 0)
		return loaded;
	prog->log_size = !log_size		? LOG_SIZE
			 : log_size < LOG_LEAST ? LOG_LEAST
			 : log_size > LOG_MOST	? LOG_MOST
						: log_size;
	prog->log = must_alloc(prog->log_size);
	/* 1: the rejected path; 2: all paths, with the state at each step */
	prog->log_level = log_size ? 2 : 1;
	loaded->fd = sys_prog_load(prog);
	if (loaded->fd == -ENOSPC) {
		/* The log did not fit, which says nothing about the program. */
		struct sys_prog quiet = *prog;

		quiet.log = NULL;
		loaded->fd = sys_prog_load(&quiet);
	}
	if (loaded->fd >= 0) {
		if (log_size)
			problem->text = arena_strdup(arena, prog->log);
		free(prog->log);
		return loaded;
	}
	const char *privilege = loaded->fd == -EPERM && !*prog->log
					? bpf_privilege_problem()
					: NULL;

	*problem = privilege ? (struct bpf_problem){ .text = privilege }
			     : explain(arena, code, loaded->fd, prog->log);
	free(prog->log);
	bpf_unload(loaded);
	return NULL;
}

struct bpf_loaded *bpf_load(struct arena *arena, const struct bpf_code *code,
			    const struct bpf_maps *maps,
			    const struct bpf_kind *kind, const char *name,
			    uint32_t log_size, struct bpf_problem *problem)
{
	struct bpf_loaded *loaded = arena_new_of(arena, struct bpf_loaded);

	*loaded = (struct bpf_loaded){
		.fd = -1,
		.rodata_fd = -1,
		.btf_fd = -1,
		.kind = *kind,
	};
	if (uses_rodata(code)) {
		loaded->rodata_fd = make_rodata(code);
		if (loaded->rodata_fd < 0) {
			problem->text = arena_printf(
				arena,
				"cannot create the constants of a program: %s",
				strerror(-loaded->rodata_fd));
			return NULL;
		}
	}
	struct sys_prog prog = {
		.type = kind->type,
		.attach_type = kind->attach_type,
		.target_btf_id = kind->target_btf_id,
		.target_btf_fd = kind->target_btf_fd,
		.is_sleepable = kind->is_sleepable,
		.insns = linked(arena, code, maps, loaded->rodata_fd),
		.count = code->count,
		.name = name,
	};

	if (code->nfunctions) {
		struct bpf_func_info *info =
			arena_array_of(arena, struct bpf_func_info,
				       code->nfunctions);

		loaded->btf_fd = prog.btf_fd = func_info_load(code, info);
		prog.functions = info;
		prog.nfunctions = code->nfunctions;
	}
	if (code->nfunctions && prog.btf_fd < 0) {
		problem->text = arena_printf(
			arena, "cannot describe the functions of a program: %s",
			strerror(-prog.btf_fd));
		bpf_unload(loaded);
		return NULL;
	}
	return load_program(arena, code, &prog, loaded, log_size, problem);
}

void bpf_unload(struct bpf_loaded *loaded)
{
	if (!loaded)
		return;
	sys_close(loaded->fd);
	sys_close(loaded->rodata_fd);
	sys_close(loaded->btf_fd);
	loaded->fd = loaded->rodata_fd = loaded->btf_fd = -1;
}
