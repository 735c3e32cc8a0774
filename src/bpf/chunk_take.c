/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Taking what is in chunks (chunk.c), for user space.
 *
 * Elements of a hash table cannot be mapped, and calls that read or change them
 * suppress perf-attached probes on that CPU.  So we ask the kernel to run a
 * program that copies a chunk into a mapping, the stage, and exchanges its
 * values with what the stage holds: an update lands in this copy or in the next
 * one, as with tables.  The list of chunks comes from a call that suppresses
 * nothing.  The same program retires and removes chunks.
 *
 * The kernel frees the memory of removed elements in batches, of which one can
 * be under way on a CPU; others wait until another element is freed that came
 * from there.  So some are made and freed on every CPU, in the end.
 *
 * Few sessions need this: program and stage are created when the first chunk
 * exists.
 */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "bpf/gen.h"
#include "bpf/link.h"
#include "bpf/sys.h"

struct bpf_taker {
	struct arena *arena;
	struct bpf_loaded *program;
	int stage_fd;
	uint8_t *stage;
	size_t size;
};

/* Words of the program's context. */
enum { WANTED_TASK, WANTED_CHUNK, WANTED_SHAPE, WANTED_COUNT, WANTED_WORDS };
enum { TASK_TAKE, TASK_RETIRE, TASK_REMOVE, TASK_MAKE };
enum { KEY = -8 };

/* R1, R2: the map and the key in it */
static void point_at_chunk(struct gen *g)
{
	emit_map(&g->e, R1, MAP_CHUNKS, 0);
	out(g, insn_mov(R2, R10));
	emit_add(&g->e, R2, KEY);
}

static void set_sizes(struct gen *g, uint32_t chunk_size)
{
	emit_const(&g->e, R3,
		   (int64_t)((uint64_t)chunk_size << 32 | chunk_size));
	out(g, insn_load(8, R4, R6, 8 * WANTED_SHAPE));
	out(g, insn_load(8, R5, R6, 8 * WANTED_COUNT));
}

/* R6 is the context, R7 the task. */
static void gen_tasks(struct gen *g, uint32_t chunk_size)
{
	label none = label_new(&g->e), end = label_new(&g->e);
	label retire = label_new(&g->e), remove = label_new(&g->e);
	label make = label_new(&g->e);

	out(g, insn_mov(R6, R1));
	out(g, insn_load(8, R7, R6, 8 * WANTED_TASK));
	out(g, insn_load(8, R1, R6, 8 * WANTED_CHUNK));
	out(g, insn_store(8, R10, KEY, R1));
	point_at_chunk(g);
	emit_jump(&g->e, insn_jump_imm(BPF_JEQ, R7, TASK_REMOVE, 0), remove);
	emit_jump(&g->e, insn_jump_imm(BPF_JEQ, R7, TASK_MAKE, 0), make);
	out(g, insn_call(BPF_FUNC_map_lookup_elem));
	emit_jump(&g->e, insn_jump_imm(BPF_JEQ, R0, 0, 0), none);
	out(g, insn_mov(R2, R0));
	emit_jump(&g->e, insn_jump_imm(BPF_JEQ, R7, TASK_RETIRE, 0), retire);
	emit_map_value(&g->e, R1, MAP_STAGE, 0);
	set_sizes(g, chunk_size);
	link_call(g, FUNCTION_take);
	label_bind(&g->e, none);
	out(g, insn_mov_imm(R0, 0));
	emit_goto(&g->e, end);
	label_bind(&g->e, retire);
	out(g, insn_mov(R1, R2));
	set_sizes(g, chunk_size);
	link_call(g, FUNCTION_retire);
	emit_goto(&g->e, end);
	label_bind(&g->e, make);
	emit_map_value(&g->e, R3, MAP_BLANK, 0);
	out(g, insn_mov_imm(R4, BPF_ANY));
	out(g, insn_call(BPF_FUNC_map_update_elem));
	emit_goto(&g->e, end);
	label_bind(&g->e, remove);
	out(g, insn_call(BPF_FUNC_map_delete_elem));
	label_bind(&g->e, end);
	out(g, insn_exit());
}

static struct bpf_code *generate(struct arena *arena, uint32_t chunk_size)
{
	struct gen *g = arena_new_of(arena, struct gen);
	struct bpf_code *code = arena_new_of(arena, struct bpf_code);

	g->arena = g->e.arena = arena;
	gen_tasks(g, chunk_size);
	emit_finish(&g->e);
	link_functions(g);
	*code = (struct bpf_code){
		.insns = g->e.insns,
		.count = g->e.count,
		.places = g->e.places,
		.relocs = g->e.relocs,
		.nrelocs = g->e.nrelocs,
		.functions = g->functions,
		.nfunctions = g->nfunctions,
		.parts_fd = -1,
	};
	return g->e.problem.text ? NULL : code;
}

static int make_stage(struct bpf_taker *taker)
{
	taker->stage_fd = sys_map_create(&(struct sys_map){
		.type = BPF_MAP_TYPE_ARRAY,
		.key_size = sizeof(uint32_t),
		.value_size = (uint32_t)taker->size,
		.max_entries = 1,
		.flags = BPF_F_MMAPABLE,
		.name = "dtrace_stage",
	});
	if (taker->stage_fd < 0)
		return taker->stage_fd;
	void *mapped = mmap(NULL, taker->size, PROT_READ | PROT_WRITE,
			    MAP_SHARED, taker->stage_fd, 0);

	if (mapped == MAP_FAILED)
		return -errno;
	taker->stage = mapped;
	return 0;
}

struct bpf_taker *bpf_taker_open(const struct bpf_maps *maps, char **problem)
{
	struct arena *arena = arena_new();
	struct bpf_taker *taker = arena_new_of(arena, struct bpf_taker);
	struct bpf_code *code = generate(arena, maps->chunk_size);
	struct bpf_maps with_stage = *maps;

	taker->arena = arena;
	taker->size = maps->chunk_size;
	int err = make_stage(taker);

	with_stage.stage_fd = taker->stage_fd;
	struct bpf_problem why = { .text = strerror(-err) };

	if (!err && code)
		taker->program = bpf_load(arena, code, &with_stage,
					  &raw_tracepoint_kind, "dtrace_take",
					  0, &why);
	if (taker->program)
		return taker;
	*problem = strdup(why.text);
	bpf_taker_close(taker);
	return NULL;
}

void bpf_taker_close(struct bpf_taker *taker)
{
	if (!taker)
		return;
	bpf_unload(taker->program);
	if (taker->stage)
		munmap(taker->stage, taker->size);
	sys_close(taker->stage_fd);
	arena_free(taker->arena);
}

uint8_t *bpf_taker_stage(struct bpf_taker *taker)
{
	return taker->stage;
}

/* What the program returns, or that it could not be run. */
static int run(struct bpf_taker *taker, const uint64_t *wanted)
{
	uint32_t result;
	int err = bpf_run_with(taker->program, wanted, WANTED_WORDS, &result);

	return err ? err : (int)result;
}

int bpf_taker_run(struct bpf_taker *taker, uint64_t chunk,
		  const struct bpf_chunk_shape *shape, bool is_all)
{
	uint64_t wanted[WANTED_WORDS] = {
		[WANTED_TASK] = TASK_TAKE,
		[WANTED_CHUNK] = chunk,
		[WANTED_SHAPE] = (uint64_t)shape->values << 32 |
				 shape->entry_size,
		[WANTED_COUNT] = (uint64_t)is_all << 32 | shape->entries,
	};

	return run(taker, wanted);
}

int bpf_taker_retire(struct bpf_taker *taker, uint64_t chunk,
		     const struct bpf_chunk_shape *shape)
{
	uint64_t wanted[WANTED_WORDS] = {
		[WANTED_TASK] = TASK_RETIRE,
		[WANTED_CHUNK] = chunk,
		[WANTED_SHAPE] = shape->entry_size,
		[WANTED_COUNT] = shape->entries,
	};

	return run(taker, wanted);
}

int bpf_taker_remove(struct bpf_taker *taker, uint64_t chunk)
{
	uint64_t wanted[WANTED_WORDS] = {
		[WANTED_TASK] = TASK_REMOVE,
		[WANTED_CHUNK] = chunk,
	};

	return run(taker, wanted);
}

/*
 * A CPU has few elements in stock and gets others when the program has ended,
 * so each is made by a run of its own.  STOCK are more than it keeps.
 */
void bpf_taker_settle(struct bpf_taker *taker, uint32_t ncpus)
{
	enum { STOCK = 6 };
	uint64_t wanted[WANTED_WORDS] = { 0 };

	for (uint32_t cpu = 0; cpu < ncpus; cpu++) {
		for (uint32_t i = 0; i < 2 * STOCK; i++) {
			wanted[WANTED_TASK] = i < STOCK ? TASK_MAKE
							: TASK_REMOVE;
			/* no aggregation has that number */
			wanted[WANTED_CHUNK] = UINT64_MAX - i % STOCK;
			bpf_run_on(taker->program, wanted, WANTED_WORDS, cpu);
		}
	}
}

bool bpf_chunk_next(const struct bpf_maps *maps, const uint64_t *before,
		    uint64_t *next)
{
	return sys_map_next(maps->chunks_fd, before, next) == 0;
}
