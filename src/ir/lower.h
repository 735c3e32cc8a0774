/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Lowering: the checked tree of a group's clauses becomes IR.
 *
 * lower_group() lays out one program: prologue (the provider says which probe
 * fired), then each clause: predicate, record claim, statements, publish.
 * Expressions are lower*.c; functions and built-in variables lower
 * themselves (struct function, struct builtin_variable).
 *
 * A `struct value` is the result of an expression.  Scalars are in a register.
 * Strings, structs and arrays are in memory, with the most bytes they can have,
 * so that keys and records stay small; a kernel or user address is read only
 * when the bytes are needed.
 */

#include "facts/fact.h"
#include "ir/ir.h"
#include "lang/lang.h"

enum value_kind {
	VALUE_NONE,
	VALUE_SCALAR,		/* in reg */
	/*
	 * Bytes at mem: string, struct, array.  With a pointer type: a pointer
	 * to these bytes (copyin, alloca).  A space with addresses (KERNEL,
	 * USER, TYPED) has not been read yet.
	 */
	VALUE_MEMORY,
	VALUE_PROBE_NAME,	/* probeprov ... until its bytes are needed */
};

struct value {
	enum value_kind kind;
	struct type *type;
	ir_reg reg;
	struct ir_mem mem;
	/* Strings: most bytes with NUL.  Others: size of the object. */
	uint32_t capacity;
	/* Strings: register that is not 0 if it is NULL; 0: it never is. */
	ir_reg null;
	/* Strings: NULL is recorded like "" instead of being a fault. */
	bool null_is_recorded;
	enum probe_name which;
	const char *literal; /* string constants: the text, else NULL */
};

/* A probe as programs see it; probe/probe.h fills it. */

/* dtrace:::ERROR, whose clauses are part of every program that can fault. */
extern const struct fact_probe lower_error_probe;

/*
 * The probes that one program serves, and how the provider reads what the
 * kernel passes.
 */
struct lower_group {
	const struct fact_probe *probes;
	uint32_t nprobes;
	const struct clause *const *clauses;
	uint32_t nclauses;
	/* clauses of dtrace:::ERROR, run when one of the above faults */
	const struct clause *const *error_clauses;
	uint32_t nerror_clauses;
	uint32_t phase;			 /* enum abi_phase in which it runs */
	uint32_t next_part;		 /* program to continue with; 0: none */
	bool is_continued;		 /* others continue in this one */
	const struct lower_carry *carry; /* what is carried to it; or NULL */
	bool is_periodic;		 /* checks the consumer: lower.c */
	/*
	 * Provider's hooks.  `select` yields the index of the probe that fired
	 * in `probes` (it may ir_return() for firings that are not wanted);
	 * NULL: the only one.  `argument` yields raw argument n.
	 */
	const void *provider_data;
	const void *select_data; /* for a select() that others share */
	ir_reg (*select)(struct lower *lower);
	ir_reg (*argument)(struct lower *lower, uint32_t n);
	bool has_sure_arguments; /* reading them never faults */
	/* The argument that is the object whose method fired; 0: none. */
	uint32_t instance;
	/*
	 * An object that is larger than a word continues in argument n + 1 ...
	 */
	bool has_objects;
	/*
	 * Frames of the kernel's stack in front of the probe's own, and the
	 * tracepoint that the program is on, or NULL; see builtin/caller.c.
	 */
	uint32_t hidden_frames;
	const char *tracepoint;
	/*
	 * Or: how many frames the kernel leaves out because they are always
	 * there, whether the next may be the function that the program is on,
	 * which is then marked (ABI_OWN_FRAME), and whether the first that
	 * remains is the caller already.
	 */
	uint32_t skip_frames;
	bool marks_function;
	bool starts_at_caller;
	/* Where the probed function was called from; NULL: ask the stack. */
	ir_reg (*user_caller)(struct lower *lower);
	/* 1: an interrupt came while the kernel ran; NULL: not an interrupt. */
	ir_reg (*in_kernel)(struct lower *lower);
	/* Register of errno for syscall returns; NULL: 0. */
	ir_reg (*error_number)(struct lower *lower);
};

/*
 * The tracer's PID namespace, where it is not the initial one: lower_process.c.
 * Offsets are in struct task_struct, struct pid, struct upid (a row of
 * numbers[]) and struct pid_namespace.
 */
struct lower_pids {
	uint32_t level; /* of nesting; 0: the initial one */
	uint32_t inode; /* by which it is known */
	uint32_t leader_at, pid_at;
	uint32_t level_at, numbers_at, row_size;
	uint32_t number_at, namespace_at;
	uint32_t inode_at;
};

/* What a session gives to every lowering, and what it collects. */
struct lower_session {
	struct arena *arena;
	struct language *language;
	uint32_t globals_size; /* grows as globals get storage */
	uint32_t self_size;
	/* what the consumer will know; aggregations by their ident's id */
	struct schema schema;
	uint32_t clauses_capacity, schema_aggregations_capacity;
	struct type **object_types; /* of schema.objects */
	uint32_t objects_capacity;
	/* the kernel's tables, by the same id */
	struct ir_aggregation *aggregations;
	uint32_t naggregations, aggregations_capacity;
	/* associative arrays, by the storage of their ident */
	struct ir_array *arrays;
	uint32_t narrays, arrays_capacity;
	bool has_self_arrays;
	uint32_t self_live; /* in the self record: its elements */
	/* vtimestamp: where its words are; builtin/oncpu.c */
	struct {
		bool is_used;
		uint32_t since, ncpus; /* in globals: a word per CPU */
		uint32_t sum;	       /* in self: sum, wanted */
	} oncpu;
	/* load averages: three words; builtin/system.c */
	struct {
		bool is_used;
		uint32_t at; /* in globals */
	} loads;
	/* goid: the table of Go programs; builtin/goroutine.c */
	struct {
		bool is_used;
		uint32_t at; /* in globals */
	} goroutines;
	/* in globals: a word that knows its own address, once one is taken */
	uint32_t address_word;
	bool has_address_word;
	uint32_t nepids;   /* enabled probe ids given so far */
	const char *error; /* why lowering failed, or NULL */
	struct place error_place;
	bool uses_speculation;
	/* some probe's has_process_name: then no provider's is symbolic */
	bool has_process_names;
	/* the longest names that a clause can meet, by enum probe_name */
	uint32_t longest_name[PROBE_NAME + 1];
	bool has_later_names;	  /* longer ones may come */
	bool uses_user_addresses; /* which will want names */
	struct lower_pids pids;
	/* numbers of records of clauses that have several: lower_record.c */
	struct record_number {
		uint32_t clause, n, id;
	} * record_numbers;
	uint32_t nrecord_numbers;
	bool has_cpu; /* only firings on `cpu` count */
	uint32_t cpu;
	uint32_t looplimit;  /* turns in one firing; 0: the default */
	bool without_passes; /* tests: as it was lowered */
};

/* A record of the current clause: the only one, unless it has loops. */
struct record {
	uint32_t id; /* of the clause, or one of its own: names its layout */
	struct schema_clause *layout;
	uint32_t at; /* next free byte */
	struct claim_list {
		struct ir_insn *insn;
		struct claim_list *next;
	} * claims;		/* begin, end, drop: to be patched */
	bool is_wanted;		/* even if it is empty */
	bool is_claimed;	/* somewhere */
	struct ir_block *fault; /* where faults go while it is open */
	struct record *next;
};

/* How the current clause claims its records; lower_claim.c. */
struct claims {
	struct record *first, *last;
	struct record *open; /* where the current block has one, or NULL */
	bool is_late;	     /* speculate() or the first action claims */
	bool is_split;	     /* a loop has actions: one record is not enough */
	/* the speculation that records go to: in split clauses that are late */
	enum { INTO_PRINCIPAL, INTO_EITHER, INTO_SPECULATION } into;
	ir_reg speculation;
	bool has_speculated;	       /* somewhere above */
	struct ir_block *next, *fault; /* no room; a fault without a record */
};

/* Words that args[] may name; arg0 .. arg9 are the first ten. */
enum { LOWER_ARGUMENTS = 32 };

struct lower {
	struct lower_session *session;
	const struct lower_group *group;
	struct ir_builder b;
	struct types *types;
	const struct clause *clause;
	struct claims claims;
	struct loop *loop; /* innermost one, or NULL; lower_loop.c */
	ir_reg probe_index, probe_id;
	ir_reg mode;		      /* select()'s note for argument(), or 0 */
	uint32_t first_epid;	      /* of the group's first probe, clause */
	uint32_t place;		      /* of the current clause in the group */
	ir_reg timestamp, walltime;   /* one reading per clause, or 0 */
	ir_reg is_live, began;	      /* of a clause that continues; 0: none */
	const struct node *statement; /* current: its value is unused */
	/*
	 * Where copyinstr() goes when it finds no string, instead of a fault,
	 * and what it wanted: address, and most bytes before the NUL.
	 */
	struct ir_block *later;
	ir_reg later_from, later_most;
	/* alloca's memory, bytes of it that this clause has taken, and the
	   most that any clause of the firing has */
	struct ir_mem scratch;
	ir_reg scratch_taken, scratch_valid;
	bool scratch_is_reused;
	uint32_t scratch_reserved; /* for arrays, in front */
	bool in_error_clause;
	/* this-> variables; an ident's `storage` is its place here */
	struct this_storage *this_storage;
	uint32_t nthis_storage;
	struct binding *bindings;	   /* NODE_LET; lower.c */
	struct routine *routines;	   /* lower_routine.c */
	struct expansion *expansion;	   /* lower_function.c; or NULL */
	ir_reg arguments[LOWER_ARGUMENTS]; /* read once per clause, or 0 */
	uint32_t guard;			   /* under if: see lower_record.c */
	bool has_exit;			   /* some clause so far calls exit() */
	bool untyped;			   /* pointers are wanted as numbers */
	ir_reg strtok_next; /* see builtin/strings.c; 0: unused */
	struct ir_mem strtok_string;
};

/*
 * The program of one group, optimized; NULL: session->error says why, with
 * error_place.
 */
struct ir_program *lower_group(struct lower_session *session,
			       const struct lower_group *group);

/*
 * A program that runs where a thread ends and removes its elements of self->
 * arrays: of some, from array *first on, which becomes the first of the next
 * program.  NULL: there are no more.  Made after all groups.
 */
struct ir_program *lower_thread_exit(struct lower_session *session,
				     uint32_t *first);

/*
 * How many clauses the first of two programs should have, about `wanted`, when
 * the group is too large for one; 0: it cannot be split.  Clauses stay whole
 * unless they may be cut.
 */
uint32_t lower_split(struct lower_session *session,
		     const struct lower_group *group, uint32_t wanted,
		     bool may_cut);
/*
 * Let the group also be split between statements of clauses that are too large
 * for one program; `size`: of the whole group in instructions.
 */
void lower_cut_clauses(struct lower_session *session, struct lower_group *group,
		       uint32_t size);
/*
 * Room for what clauses of the group share, on each of ncpus, so that it can
 * be split anywhere.  `overlaps`: more than one firing may run on a CPU, but
 * only one in a thread.
 */
void lower_carry(struct lower_session *session, struct lower_group *group,
		 uint32_t ncpus, bool overlaps);

/* ------------------------------- services for functions and variables */

bool lower_expression(struct lower *lower, const struct node *node,
		      struct value *value);
/* The value as a register (scalars); false with error if it is not one. */
bool lower_scalar(struct lower *lower, const struct node *node, ir_reg *reg);
/*
 * The value's bytes in readable memory (FRAME, GLOBAL, RODATA), as a string
 * with a capacity: char * is read from the kernel, probe names get their
 * bytes.
 */
bool lower_string(struct lower *lower, const struct node *node,
		  struct value *value);
/* The D type's size as lowering sees it; strings: strsize + 1. */
uint32_t lower_size(struct lower *lower, struct type *type);
/*
 * The current process's and thread's number in the tracer's PID namespace
 * (lower_process.c); 0: it has none there.
 */
ir_reg lower_process_id(struct lower *lower);
ir_reg lower_thread_id(struct lower *lower);
/*
 * The same for a task that typed loads may follow, and for a kernel address of
 * a struct pid; only where session->pids.level is not 0.
 */
ir_reg lower_task_number(struct lower *lower, ir_reg task, bool is_process);
ir_reg lower_pid_number(struct lower *lower, ir_reg pid);
/* Most bytes of any string, with NUL. */
uint32_t lower_string_capacity(struct lower *lower);
/* Raw argument n of the probe (of ERROR in ERROR clauses), read once. */
ir_reg lower_argument(struct lower *lower, uint32_t n);
/* A register's 64 bits as a value of `type`: truncated and extended. */
ir_reg lower_convert(struct lower *lower, ir_reg reg, struct type *from,
		     struct type *to);
/* KERNEL or USER: where the pointer that `node` yields points to. */
enum ir_space lower_pointer_space(struct lower *lower, const struct node *node);

/* Any string-like value into memory, truncated and padded to capacity. */
bool lower_string_store(struct lower *lower, const struct node *node,
			struct value *value, struct ir_mem to,
			uint32_t capacity);

/*
 * The run-time library (lower_call.c).  Argument n of a call as a string that
 * its functions may read (NULL faults); as a number of type `base`
 * (`otherwise` when it is not given); the bytes that a pointer points to.
 */
bool lower_library_string(struct lower *lower, const struct node *call,
			  uint32_t n, struct value *value);
bool lower_library_number(struct lower *lower, const struct node *call,
			  uint32_t n, enum base_type base, int64_t otherwise,
			  ir_reg *reg);
bool lower_library_bytes(struct lower *lower, const struct node *node,
			 uint32_t size, struct value *bytes);
/* The same for a value that exists already. */
bool lower_library_value(struct lower *lower, const struct node *node,
			 struct value *value, bool must_copy);
/* Zeroed memory for a result, limited to the size of strings. */
struct value lower_library_result(struct lower *lower, uint32_t capacity);
/* A function that fills `result`; one that yields a number. */
void lower_library_write(struct lower *lower, enum ir_function function,
			 const struct value *result, const struct value *source,
			 ir_reg x, ir_reg y);
ir_reg lower_library_read(struct lower *lower, enum ir_function function,
			  const struct value *mem, const struct value *source,
			  ir_reg x);

/*
 * Scratch memory (lower_scratch.c).  Take `size` bytes: address of them, or the
 * fault NOSCRATCH.  They are 0, or followed by just one byte that is 0, if
 * there is room for it.  `fixed`: the size if it is a constant, else 0.
 */
ir_reg lower_scratch_take(struct lower *lower, ir_reg size, uint32_t fixed);
ir_reg lower_scratch_take_raw(struct lower *lower, ir_reg size);
/* An address in it with no bytes: alloca(0). */
ir_reg lower_scratch_end(struct lower *lower);
/* Most bytes that can be taken. */
uint32_t lower_scratch_limit(struct lower *lower);
/* Place of `size` bytes at an address that was taken, or the fault BADADDR. */
struct ir_mem lower_scratch_place(struct lower *lower, ir_reg address,
				  uint32_t size);
/* The same for a size in a register, which is at most the limit. */
struct ir_mem lower_scratch_range(struct lower *lower, ir_reg address,
				  ir_reg size);

/* Memory for strtok(), until the firing ends. */
void lower_remember_words(struct lower *lower);

/* Results. */
struct value value_of_reg(struct type *type, ir_reg reg);
struct value value_of_string(struct lower *lower, struct ir_mem mem,
			     uint32_t capacity);
struct value value_of_literal(struct lower *lower, const char *bytes,
			      size_t length);

/* probeprov ...: symbolic, unless only the firing knows it. */
struct value lower_probe_name(struct lower *lower, enum probe_name which);

/* Are its bytes in kernel or user memory, not read yet? */
bool value_has_address(const struct value *value);
/* The value as a register; arrays of the kernel stand for their address. */
bool value_scalar(struct lower *lower, const struct node *node,
		  const struct value *value, ir_reg *reg);
/* Make sure a value's bytes are in readable memory. */
bool value_materialize(struct lower *lower, struct value *value);
/*
 * From here on the clause records in speculation `id`; when that is 0 or not
 * active the rest of the clause is skipped.
 */
void lower_speculate(struct lower *lower, ir_reg id);
/* Report that this cannot run; always false. */
bool lower_fail(struct lower *lower, const struct node *node,
		const char *format, ...) __attribute__((format(printf, 3, 4)));

/* lower_schema.c: what a field of that type is for the consumer. */
void schema_describe(struct lower *lower, struct schema_field *field,
		     struct type *type);
const struct schema_object *schema_object_of(struct lower *lower,
					     struct type *type);
/* The entry of an aggregation, empty if it is new. */
struct schema_aggregation *schema_aggregation_of(struct lower_session *session,
						 uint32_t id);

/* Begin a new action in the clause's layout. */
struct schema_action *layout_action(struct lower *lower,
				    const struct node *call, uint32_t nfields);
/*
 * Put a value into the record as field n of the action: scalars with their
 * type's size, strings with the capacity they need, probe names not at all.
 */
bool layout_store(struct lower *lower, struct schema_action *action, uint32_t n,
		  const struct node *node);
/* The same, but what is like a string (char *, char[]) is stored as one. */
bool layout_store_string(struct lower *lower, struct schema_action *action,
			 uint32_t n, const struct node *node);
/* The same for a value at hand. */
bool layout_store_value(struct lower *lower, struct schema_action *action,
			uint32_t n, struct value *value,
			const struct node *node);
/* `size` bytes of the record for field n, at that alignment. */
struct ir_mem layout_reserve(struct lower *lower, struct schema_action *action,
			     uint32_t n, struct type *type, uint32_t size,
			     uint32_t align);

/* Round up; record fields are aligned to their size, at most 8. */
static inline uint32_t round_up(uint32_t n, uint32_t to)
{
	return (n + to - 1) / to * to;
}
