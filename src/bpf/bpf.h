/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * The back end: IR in, running BPF programs out.
 *
 * bpf_generate() selects instructions and allocates registers; it needs no
 * privilege and no kernel.  bpf_maps_create() creates what the programs of a
 * session share; bpf_load() puts a program into the kernel.  All kernel objects
 * belong to file descriptors of this process: nothing is pinned.
 *
 * Only this folder knows registers, stack slots, helpers and the verifier.
 */

#include <linux/bpf.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"
#include "ir/abi.h"
#include "ir/ir.h"

/* ------------------------------------------------------------- features */

struct bpf_kind;

/* What the running kernel can do, detected by trying, once, lazily. */
enum bpf_feature {
	FEATURE_BPF,		/* any bpf(2) at all: privilege, config */
	FEATURE_RAW_TP_COOKIE,	/* bpf_get_attach_cookie in raw_tp (6.10+) */
	FEATURE_TASK_STORAGE,
	FEATURE_TAI_CLOCK,
	FEATURE_UPROBE_MULTI,	/* one link for many user probes (6.6+) */
	FEATURE_SLEEPABLE_UPROBE, /* programs there may fault pages in */
	FEATURE_KPROBE_MULTI,	/* many functions by one link (CONFIG_FPROBE) */
	FEATURE_SLEEPABLE_RAW_TP, /* so they can be preempted: hold.c */
	FEATURE_COUNT
};
bool bpf_has(enum bpf_feature feature);
/* Would the kernel accept the simplest program of that kind? 0 or -errno. */
int bpf_try_kind(const struct bpf_kind *kind);
/* Lockdown forbids to trace functions of the kernel. */
bool bpf_is_locked_down(void);
/*
 * Why bpf(2) refuses us: "dtrace needs CAP_BPF and CAP_PERFMON ..." and what
 * to do; NULL when it does not refuse.
 */
const char *bpf_privilege_problem(void);

/* ----------------------------------------------------------------- maps */

struct bpf_maps_config {
	uint64_t ring_size;  /* data bytes per CPU; power of two */
	uint32_t max_record; /* slack */
	uint32_t nspec;	     /* 0: no program speculates */
	uint64_t spec_size;  /* per speculation and CPU; power of two */
	uint32_t globals_size, self_size;
	uint32_t scratch_slot_size; /* 0: no program needs scratch */
	const struct ir_aggregation *aggregations;
	uint32_t naggregations;
	uint64_t agg_size;	      /* bytes per CPU for all aggregations */
	uint32_t chunk_size, nchunks; /* 0: tables are all the room */
	const struct ir_array *arrays;
	uint32_t narrays;
	uint64_t array_size; /* bytes that each array may take */
	bool has_unwind;     /* some program walks user stacks */
	uint64_t unwind_size;
};

/* The table of an aggregation, in what a CPU has for all of them. */
struct bpf_agg_table {
	uint32_t offset;
	uint32_t entries; /* power of two; 0: never updated */
	uint32_t entry_size;
};

struct bpf_agg_map {
	uint8_t *memory;       /* the first CPU's table; NULL: none */
	uint64_t element_size; /* from there to the next CPU's */
	uint32_t entries;      /* per CPU; power of two */
	uint32_t entry_size;
};

struct bpf_maps {
	uint32_t ncpus;
	int state_fd, ring_fd, control_fd, globals_fd, self_fd, scratch_fd;
	struct abi_state *state;
	uint8_t *rings; /* ncpus times ring_element bytes */
	uint64_t ring_element, ring_size;
	uint32_t max_record;
	int specs_fd, spec_ring_fd;
	struct abi_specs *specs;
	uint8_t *spec_rings; /* [cpu][id - 1] */
	uint64_t spec_element, spec_size;
	uint32_t nspec;
	uint8_t *globals;
	uint32_t globals_size, self_size, scratch_slot_size;
	int agg_fd;
	uint8_t *agg_memory; /* ncpus times agg_element bytes */
	uint64_t agg_element;
	struct bpf_agg_map *aggs;
	uint32_t naggs;
	int chunks_fd, blank_fd; /* or -1: no chunks */
	int stage_fd;		 /* of chunk_take.c */
	uint32_t chunk_size;
	int unwind_fd;
	uint8_t *unwind; /* bpf/unwind.h at the top; or NULL */
	uint64_t unwind_size;
	int *array_fds; /* hash tables; not used by user space */
	uint32_t narrays;
	/* control ring buffer (BPF_MAP_TYPE_RINGBUF), mapped */
	uint8_t *control_consumer, *control_data;
	uint32_t control_size;
};

static inline struct abi_ring *bpf_ring(const struct bpf_maps *maps,
					uint32_t cpu)
{
	return (struct abi_ring *)(maps->rings + cpu * maps->ring_element);
}

static inline struct abi_ring *bpf_spec_ring(const struct bpf_maps *maps,
					     uint32_t id, uint32_t cpu)
{
	return (struct abi_ring *)(maps->spec_rings +
				   (cpu * (uint64_t)maps->nspec + id - 1) *
					   maps->spec_element);
}

static inline struct abi_spec *bpf_spec(const struct bpf_maps *maps,
					uint32_t id)
{
	return (struct abi_spec *)(maps->specs + 1) + (id - 1);
}

uint32_t bpf_possible_cpus(void);
/* Bytes of a CPU's scratch memory whose slots are that large; 0: none. */
uint64_t bpf_scratch_size(uint32_t slot_size);
/*
 * Larger slots for programs that are loaded from now on; existing ones keep
 * theirs, and nothing is shared between the two.
 */
int bpf_scratch_grow(struct bpf_maps *maps, uint32_t slot_size);
/* 0 or negative errno; *error says what and what to do. */
int bpf_maps_create(struct bpf_maps *maps, const struct bpf_maps_config *config,
		    const char **error);
void bpf_maps_close(struct bpf_maps *maps);
/*
 * What must be added to the clock that programs read (TAI, or the boot clock
 * on kernels without it) to get ns since 1970 UTC; bpf_maps_create() stores
 * it in state->wall_offset, and it may be stored again when clocks are set.
 */
uint64_t bpf_wall_offset(void);
/* Next control message, or false.  For the consumer; no syscall. */
bool bpf_control_read(struct bpf_maps *maps, struct abi_message *message);

/*
 * Chunks of aggregations, for user space (chunk_take.c).  A run takes the
 * entries of a chunk that were updated, or all of them, into the stage: like
 * a table without its header, where the tag of what was not taken is EMPTY.
 * The stage must have the identities of values everywhere before, and a
 * chunk's values have them afterwards.
 */
struct bpf_taker;
struct bpf_chunk_shape {
	uint32_t entries, entry_size;
	uint32_t values; /* where they begin in an entry */
};
/* NULL: *problem, which the caller frees. */
struct bpf_taker *bpf_taker_open(const struct bpf_maps *maps, char **problem);
void bpf_taker_close(struct bpf_taker *taker);
uint8_t *bpf_taker_stage(struct bpf_taker *taker);
int bpf_taker_run(struct bpf_taker *taker, uint64_t chunk,
		  const struct bpf_chunk_shape *shape, bool is_all);
/* From now on programs do not find its entries.  How many they could, or <0. */
int bpf_taker_retire(struct bpf_taker *taker, uint64_t chunk,
		     const struct bpf_chunk_shape *shape);
/* Frees it: no program may be using it, and what it had is lost. */
int bpf_taker_remove(struct bpf_taker *taker, uint64_t chunk);
/* Later: has the kernel free what it keeps of chunks that were removed. */
void bpf_taker_settle(struct bpf_taker *taker, uint32_t ncpus);
/* The chunk behind one (NULL: the first); false: there is none. */
bool bpf_chunk_next(const struct bpf_maps *maps, const uint64_t *before,
		    uint64_t *next);

/* ----------------------------------------------------------------- code */

/* What a program is for, as the kernel needs to know to verify it. */
struct bpf_kind {
	uint32_t type;	      /* enum bpf_prog_type */
	uint32_t attach_type; /* enum bpf_attach_type; 0: none */
	/* typed programs: function or tracepoint in the kernel's BTF */
	uint32_t target_btf_id;
	int target_btf_fd; /* of a module's BTF; 0: vmlinux */
	bool is_sleepable;
	/*
	 * A run may be preempted or sleep, and other tasks run the program on
	 * that CPU meanwhile: its stack must be the task's.
	 */
	bool overlaps;
};
extern const struct bpf_kind raw_tracepoint_kind; /* load.c */

struct bpf_code {
	struct bpf_insn *insns;
	uint32_t count;
	/* for each instruction its D place (may be empty), for messages */
	struct place *places;
	/* map references to be patched at load */
	struct bpf_reloc {
		uint32_t insn;
		enum bpf_map_role {
			MAP_STATE,
			MAP_RINGS,
			MAP_CONTROL,
			MAP_GLOBALS,
			MAP_SELF,
			MAP_SCRATCH,
			MAP_RODATA,
			MAP_AGGREGATION,
			MAP_SPECS,
			MAP_SPEC_RINGS,
			MAP_ARRAY,
			MAP_PARTS,
			MAP_UNWIND,
			MAP_CHUNKS,
			MAP_BLANK,
			MAP_STAGE,
		} role;
		uint32_t index; /* MAP_AGGREGATION, MAP_ARRAY: which */
	} * relocs;
	uint32_t nrelocs;
	uint32_t scratch_size; /* bytes of a scratch slot it needs */
	/* instruction that multiplies by the slot size, patched at load */
	uint32_t scratch_stride_insn; /* 0: none */
	/* itself and its subprograms; none: there are no subprograms */
	struct bpf_function {
		const char *name;
		uint32_t insn;	    /* where it starts */
		bool is_global;	    /* takes five numbers; else static */
		uint32_t slot_size; /* takes a slot of this size; or 0 */
	} * functions;
	uint32_t nfunctions;
	const uint8_t *rodata;
	uint32_t rodata_size;
	bool looks_at_mappings;	     /* needs abi_state.mapping */
	int parts_fd;		     /* bpf_parts_create(), for IR_CONTINUE */
	uint32_t stack_used, spills; /* for tests and -S */
};

/* Functions of the kernel by which programs keep their CPU; see hold.c. */
enum bpf_hold_function {
	HOLD_DISABLE, HOLD_ENABLE, HOLD_SAVE, HOLD_RESTORE,
	HOLD_FUNCTIONS
};
const char *bpf_hold_name(enum bpf_hold_function which);
/* Does the kernel accept these numbers? */
bool bpf_hold_works(const uint32_t hold[HOLD_FUNCTIONS]);

struct bpf_generate_config {
	struct bpf_kind kind;
	uint32_t hold[HOLD_FUNCTIONS]; /* numbers in BTF; 0: do without */
	uint32_t program_index;	       /* goes into fault records */
	uint64_t ring_size;	       /* known before code is generated */
	uint32_t max_record;
	enum abi_policy policy;
	bool counts_lost; /* fill, ring: abi.h */
	uint32_t nspec;
	uint64_t spec_size, spec_limit; /* limit: bytes that may be used */
	uint64_t unwind_size;
	bool waits_for_all; /* also for pages that may never come */
	const struct bpf_agg_table *agg_tables; /* by aggregation */
	uint32_t chunk_size;			/* 0: tables are all the room */
	bool chunks_per_cpu;
};
enum { BPF_AGG_MOST = 1 << 29 }; /* bytes per CPU: verifier */
/*
 * Lay out the tables of `count` aggregations in about agg_size bytes, and say
 * how many they take.  More than BPF_AGG_MOST: no program can use them.
 */
uint64_t bpf_agg_layout(const struct ir_aggregation *aggregations,
			uint32_t count, uint64_t agg_size,
			struct bpf_agg_table *tables);
uint32_t bpf_agg_entry_size(const struct ir_aggregation *aggregation);
/*
 * Keys beyond the tables go into chunks (chunk.c): how large one is, 0 when
 * no aggregation can use them; how many there may be in so many bytes.
 */
uint32_t bpf_chunk_size(const struct ir_aggregation *aggregations,
			uint32_t count);
uint32_t bpf_chunk_count(uint32_t chunk_size, uint64_t budget);
/* Elements that an array may have within `size` bytes, at least one. */
uint32_t bpf_array_entries(const struct ir_array *array, uint64_t size);

/*
 * Why there is no program: a message for the user, and what the caller can act
 * on.  Where a program was too large, a smaller one may work.
 */
struct bpf_problem {
	const char *text;
	bool is_too_large;
};

/* NULL: *problem.  Everything is allocated from `arena`. */
struct bpf_code *bpf_generate(struct arena *arena,
			      const struct ir_program *program,
			      const struct bpf_generate_config *config,
			      struct bpf_problem *problem);
/* -S: one line per instruction. */
void bpf_disassemble(const struct bpf_code *code, struct text *out);

/* ----------------------------------------------------------------- load */

struct bpf_loaded {
	int fd;
	int rodata_fd, btf_fd;
	struct bpf_kind kind;
};

/*
 * Programs that continue in one another (IR_CONTINUE) find each other in a
 * table of `count` entries, which lives as long as its descriptor.
 */
int bpf_parts_create(uint32_t count);
int bpf_parts_set(int parts_fd, uint32_t part, const struct bpf_loaded *loaded);
/*
 * A raw tracepoint program that continues in the program at some index of such
 * a table: word `word` of what the tracepoint passes, or with an offset, the 8
 * bytes at that offset from the kernel address in it (-1: none).  A table may
 * have another half, for threads that have a flag in their task_struct.
 * Descriptor or negative errno.
 */
struct bpf_half {
	uint32_t offset, flag; /* in the struct; offset 0: no half */
	uint32_t first;	       /* number in the table, flag * 2^n */
};
int bpf_dispatcher_load(int table_fd, uint32_t word, int32_t offset,
			const struct bpf_half *half);
/*
 * Quiet first; after a rejection once more with the verifier's log, of which
 * the end and the D expression it is about go into *problem.  With a size, that
 * much of the log is requested at once, and is available even after success.
 */
struct bpf_loaded *bpf_load(struct arena *arena, const struct bpf_code *code,
			    const struct bpf_maps *maps,
			    const struct bpf_kind *kind, const char *name,
			    uint32_t log_size, struct bpf_problem *problem);
void bpf_unload(struct bpf_loaded *loaded);
/* Run a raw_tp program once, here and now (BEGIN, END). */
int bpf_run_once(const struct bpf_loaded *loaded);
/* The same, with words in its context; what it returned. */
int bpf_run_with(const struct bpf_loaded *loaded, const uint64_t *words,
		 uint32_t count, uint32_t *result);
/* The same, on that CPU, in an interrupt. */
int bpf_run_on(const struct bpf_loaded *loaded, const uint64_t *words,
	       uint32_t count, uint32_t cpu);
/*
 * What the kernel's struct of the calling thread says: the 32-bit number at the
 * last offset, the others being those of pointers on the path, or -errno.
 */
int bpf_ask_task(const uint32_t *offsets, uint32_t count);
/* Times the kernel skipped a program because it nested in itself. */
uint64_t bpf_missed(const struct bpf_loaded *loaded);
