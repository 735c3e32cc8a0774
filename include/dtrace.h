/* SPDX-License-Identifier: Apache-2.0 */
#ifndef _DTRACE_H
#define _DTRACE_H

/*
 * libdtrace: compile D, trace, consume.
 *
 * The names are the classic ones, so that a consumer written elsewhere finds
 * its way.  The order of a run:
 *
 *	dtrace_open, dtrace_setopt ...
 *	dtrace_proc_create / dtrace_proc_grab_pid, for $target
 *	dtrace_program_strcompile / dtrace_program_fcompile, once per program
 *	dtrace_program_exec, once per program
 *	dtrace_go
 *	dtrace_proc_continue, once per process
 *	dtrace_work until it says DTRACE_WORKSTATUS_DONE
 *	dtrace_stop, dtrace_close
 *
 * Functions that return int give 0 or -1; then dtrace_errno() says why and
 * dtrace_errmsg() puts it into words.  What is called in another order than
 * this fails with EDT_ORDER or EDT_ACTIVE and changes nothing; a handle traces
 * once.  A handle belongs to one thread; only
 * dtrace_interrupt() may be called from a signal handler.
 *
 * What is called _ext below has no classic counterpart.
 */

#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DTRACE_VERSION 3	/* of this interface; for dtrace_open() */

typedef struct dtrace_hdl dtrace_hdl_t;
typedef struct dtrace_prog dtrace_prog_t;
typedef struct dtrace_proc dtrace_proc_t;
typedef uint32_t dtrace_id_t;

#define DTRACE_IDNONE 0
#define DTRACE_PROVNAMELEN 64
#define DTRACE_MODNAMELEN 64
#define DTRACE_FUNCNAMELEN 128
#define DTRACE_NAMELEN 64
#define DTRACE_FULLNAMELEN \
	(DTRACE_PROVNAMELEN + DTRACE_MODNAMELEN + DTRACE_FUNCNAMELEN + \
	 DTRACE_NAMELEN + 4)
#define DTRACE_ATTR2STR_MAX 64

typedef struct dtrace_probedesc {
	dtrace_id_t dtpd_id;	/* not DTRACE_IDNONE: this probe */
	char dtpd_provider[DTRACE_PROVNAMELEN];
	char dtpd_mod[DTRACE_MODNAMELEN];
	char dtpd_func[DTRACE_FUNCNAMELEN];
	char dtpd_name[DTRACE_NAMELEN];
} dtrace_probedesc_t;

/* Stability of names, of data, and how general it is. */
typedef struct dtrace_attribute {
	uint8_t dtat_name;
	uint8_t dtat_data;
	uint8_t dtat_class;
} dtrace_attribute_t;

const char *dtrace_stability_name(uint8_t stability);
const char *dtrace_class_name(uint8_t dependency_class);
char *dtrace_attr2str(dtrace_attribute_t attribute, char *buffer, size_t size);
int dtrace_str2attr(const char *text, dtrace_attribute_t *attribute);

/* ------------------------------------------------------------- handles */

dtrace_hdl_t *dtrace_open(int version, int flags, int *errp);
void dtrace_close(dtrace_hdl_t *dtp);

/* Errors below EDT_BASE are the system's errno. */
enum {
	EDT_BASE = 1000,
	EDT_VERSION = EDT_BASE,	/* client asked for another interface */
	EDT_COMPILER,		/* the D program is wrong: dtrace_errmsg() */
	EDT_NOPROBE,		/* no probe matches description */
	EDT_BADID,		/* no such probe identifier */
	EDT_BADPSPEC,		/* more than four parts */
	EDT_BADOPTNAME,
	EDT_BADOPTVAL,
	EDT_BADOPTCTX,		/* not from within a D program */
	EDT_ACTIVE,		/* not while tracing */
	EDT_BADVERSION,
	EDT_NOTSUP,		/* known, but not supported here */
	EDT_ENABLE,		/* dtrace_errmsg() has the reason */
	EDT_RUN,		/* likewise, while tracing */
	EDT_FILE,		/* a script could not be read */
	EDT_PIPE,		/* nobody reads the output any more */
	EDT_ABORTED,		/* one of the consumer's functions said so */
	EDT_BUILD,		/* dtrace_errmsg() says what -h or -G cannot do */
	EDT_NOSITES,		/* no probe sites for a declared provider */
	EDT_ORDER,		/* before dtrace_go(), or too late */
};

int dtrace_errno(dtrace_hdl_t *dtp);
const char *dtrace_errmsg(dtrace_hdl_t *dtp, int error);
/*
 * After EDT_COMPILER: the source line, a caret and a hint, as whole lines to
 * print below the message; "" when there is nothing to show.
 */
const char *dtrace_errexcerpt_ext(dtrace_hdl_t *dtp);

/* Why this process may not trace, in a sentence; NULL: it may. */
const char *dtrace_privilege_ext(dtrace_hdl_t *dtp);

/* Whether a provider works on this machine; if not, why and what to do. */
typedef enum {
	DTRACE_PROVIDER_WORKS,
	DTRACE_PROVIDER_PARTLY,
	DTRACE_PROVIDER_ABSENT,
} dtrace_providerstatus_ext_t;

typedef struct dtrace_providerstate_ext {
	const char *dtps_name, *dtps_about;
	dtrace_providerstatus_ext_t dtps_status;
	const char *dtps_reason;
} dtrace_providerstate_ext_t;

/* All providers, until `func` returns something else than 0. */
typedef int dtrace_provider_f(dtrace_hdl_t *dtp,
			      const dtrace_providerstate_ext_t *provider,
			      void *arg);
int dtrace_provider_iter_ext(dtrace_hdl_t *dtp, dtrace_provider_f *func,
			     void *arg);

/* "Oracle D 2.0", and the version of this implementation. */
extern const char _dtrace_version[];
extern const char dtrace_package_version_ext[];
/* The commit that this was built from, or "unknown". */
extern const char dtrace_revision_ext[];

/* ------------------------------------------------------------- options */

typedef int64_t dtrace_optval_t;
#define DTRACEOPT_UNSET ((dtrace_optval_t)-2)

/* `value` NULL: as -x NAME without a value. */
int dtrace_setopt(dtrace_hdl_t *dtp, const char *name, const char *value);
/* Sizes in bytes, rates in nanoseconds; booleans 1 or DTRACEOPT_UNSET. */
int dtrace_getopt(dtrace_hdl_t *dtp, const char *name, dtrace_optval_t *value);
/* The option with the most similar name, or NULL. */
const char *dtrace_optnearest_ext(const char *name);
/* What its value must be ("a number from 0 to 1000"), or NULL; to free. */
char *dtrace_optexpects_ext(const char *name);
/* Every option: a line each, with its meaning and what its value must be. */
void dtrace_opthelp_ext(FILE *fp);
/* Options that were set and have no effect yet: a line each. */
void dtrace_optreport_ext(dtrace_hdl_t *dtp, FILE *fp);

/* ------------------------------------------------------------ programs */

/* What a description that stands alone names. */
typedef enum dtrace_probespec {
	DTRACE_PROBESPEC_NONE = -1,
	DTRACE_PROBESPEC_PROVIDER = 0,
	DTRACE_PROBESPEC_MOD,
	DTRACE_PROBESPEC_FUNC,
	DTRACE_PROBESPEC_NAME,
	DTRACE_PROBESPEC_ID,
} dtrace_probespec_t;

/* Flags of compilation; each is an option, too. */
#define DTRACE_C_DIFV 0x0001	/* verbose */
#define DTRACE_C_EMPTY 0x0002	/* empty */
#define DTRACE_C_ZDEFS 0x0004	/* zdefs */
#define DTRACE_C_PSPEC 0x0008	/* pspec */
#define DTRACE_C_CPP 0x0010	/* cpp */
#define DTRACE_C_NOLIBS 0x0020	/* nolibs */
#define DTRACE_C_ARGREF 0x0040	/* argref */
#define DTRACE_C_DEFARG 0x0080	/* defaultargs */
#define DTRACE_C_ETAGS 0x0100	/* errtags */
/* No option: provider declarations for dtrace_program_header() and _link(). */
#define DTRACE_C_BUILD_EXT 0x10000

typedef struct dtrace_proginfo {
	dtrace_attribute_t dpi_descattr;	/* least over descriptions */
	dtrace_attribute_t dpi_stmtattr;	/* least over statements */
	uint32_t dpi_matches;			/* probes, each time it matches */
} dtrace_proginfo_t;

/* Programs live until dtrace_close().  argv[0] is $0, argv[1] is $1 ... */
dtrace_prog_t *dtrace_program_strcompile(dtrace_hdl_t *dtp, const char *text,
					 dtrace_probespec_t spec,
					 unsigned cflags, int argc,
					 char *const argv[]);
dtrace_prog_t *dtrace_program_fcompile(dtrace_hdl_t *dtp, FILE *fp,
				       unsigned cflags, int argc,
				       char *const argv[]);
/* The same for a path; "-" is standard input. */
dtrace_prog_t *dtrace_program_pathcompile_ext(dtrace_hdl_t *dtp,
					      const char *path,
					      unsigned cflags, int argc,
					      char *const argv[]);
/* After the last program: was every operand used?  (-x argref) */
int dtrace_program_finish_ext(dtrace_hdl_t *dtp);

int dtrace_program_exec(dtrace_hdl_t *dtp, dtrace_prog_t *pgp,
			dtrace_proginfo_t *pip);
void dtrace_program_info(dtrace_hdl_t *dtp, dtrace_prog_t *pgp,
			 dtrace_proginfo_t *pip);

/* Walks end when the function returns other than 0; that is the result. */
typedef int dtrace_probe_f(dtrace_hdl_t *dtp, const dtrace_probedesc_t *pdp,
			   void *arg);
/* Each description of each clause, in order. */
int dtrace_program_desc_iter_ext(dtrace_hdl_t *dtp, dtrace_prog_t *pgp,
				 dtrace_probe_f *func, void *arg);
/* Typed tree, IR and BPF of what was enabled (-S). */
int dtrace_disassemble_ext(dtrace_hdl_t *dtp, FILE *fp);

/*
 * Probes for C and C++ programs, of the providers that the programs declare
 * (DTRACE_C_BUILD_EXT).  Needs no privileges.
 */
/* A header; its include guard is called after `fname`. */
int dtrace_program_header(dtrace_hdl_t *dtp, FILE *fp, const char *fname);
/*
 * An object file to link with the objects that have the probes; pgp NULL: for
 * all programs.  Objects that call probes as functions are rewritten.
 * DTRACE_D_LAZYLOAD_EXT: they need not have any.
 */
#define DTRACE_D_LAZYLOAD_EXT 0x1
#define DTRACE_D_32_EXT 0x2	/* objects are of 32 bits, or will be */
#define DTRACE_D_64_EXT 0x4	/* objects are of 64 bits */
int dtrace_program_link(dtrace_hdl_t *dtp, dtrace_prog_t *pgp, unsigned dflags,
			const char *file, int objc, char *const objv[]);

/* -------------------------------------------------------------- probes */

typedef struct dtrace_typeinfo {
	const char *dtt_object;	/* where the type is from: "vmlinux" */
	const char *dtt_name;	/* "struct task_struct *" */
	const char *dtt_native;	/* what it is translated from, or NULL */
} dtrace_typeinfo_t;

typedef struct dtrace_probeinfo {
	dtrace_attribute_t dtp_attr;		/* of the description */
	dtrace_attribute_t dtp_arga;		/* of the arguments */
	const dtrace_typeinfo_t *dtp_argv;	/* until the next call */
	int dtp_argc;
	const char *dtp_remark_ext;		/* a sentence, or NULL */
} dtrace_probeinfo_t;

/* Probes by description (NULL: all), by id ascending; none: EDT_NOPROBE. */
int dtrace_probe_iter(dtrace_hdl_t *dtp, const dtrace_probedesc_t *pdp,
		      dtrace_probe_f *func, void *arg);
int dtrace_probe_info(dtrace_hdl_t *dtp, const dtrace_probedesc_t *pdp,
		      dtrace_probeinfo_t *pip);
int dtrace_id2desc(dtrace_hdl_t *dtp, dtrace_id_t id, dtrace_probedesc_t *pdp);
int dtrace_str2desc(dtrace_hdl_t *dtp, dtrace_probespec_t spec,
		    const char *text, dtrace_probedesc_t *pdp);
char *dtrace_desc2str(const dtrace_probedesc_t *pdp, char *buffer, size_t size);

/* ------------------------------------------------------------ processes */

/*
 * Start a program, found in PATH unless `file` has a slash, with what the
 * options setenv and unsetenv say; it is held before its first instruction.
 * If the handle is closed before dtrace_proc_continue(), or the tracer dies,
 * it never runs; afterwards it lives its own life.  `flags` is 0.
 */
dtrace_proc_t *dtrace_proc_create(dtrace_hdl_t *dtp, const char *file,
				  char *const *argv, int flags);
/* A process that runs already; it goes on undisturbed. */
dtrace_proc_t *dtrace_proc_grab_pid(dtrace_hdl_t *dtp, pid_t pid, int flags);
void dtrace_proc_continue(dtrace_hdl_t *dtp, dtrace_proc_t *proc);
/*
 * No longer wait for its end; a process still held is killed.  Of one that was
 * released, and of NULL, nothing is done, and its pid is -1.
 */
void dtrace_proc_release(dtrace_hdl_t *dtp, dtrace_proc_t *proc);
pid_t dtrace_proc_getpid(dtrace_hdl_t *dtp, dtrace_proc_t *proc);

/*
 * The name of an address of a process, as printa() has it for uaddr():
 * "libc.so.6`malloc+0x4"; 0 or -1, with the address in hexadecimal as text.
 * Known when the process is gone if it was a target of the run.
 */
int dtrace_uaddr2str_ext(dtrace_hdl_t *dtp, pid_t pid, uint64_t address,
			 char *text, size_t size);

/*
 * A symbol of the kernel: the one that an address is in (once tracing has
 * begun), or the one of that name.  0, or -1: ENOENT.  Texts are good while
 * the handle is open.
 */
typedef struct dtrace_symbol_ext {
	const char *dts_object;		/* "vmlinux", a module; "" by name */
	const char *dts_name;
	uint64_t dts_address;		/* where it begins */
	uint64_t dts_size;		/* by name only; 0: nobody knows */
} dtrace_symbol_ext_t;

int dtrace_kaddr2sym_ext(dtrace_hdl_t *dtp, uint64_t address,
			 dtrace_symbol_ext_t *symbol);
int dtrace_kname2sym_ext(dtrace_hdl_t *dtp, const char *name,
			 dtrace_symbol_ext_t *symbol);

/*
 * A copy of text from the traced system that is fit for a terminal, which would
 * obey control characters: they become \ooo.  Of lines, newlines and tabs stay.
 * free() it.  What the library itself prints to a terminal is so already.
 */
typedef enum { DTRACE_VISIBLE_NAME, DTRACE_VISIBLE_LINES } dtrace_visible_t;

char *dtrace_visible_ext(const char *text, dtrace_visible_t how);

/*
 * The first process is $target of programs compiled afterwards.  Tracing is
 * done when all processes are gone; each end is told to this function, with
 * words such as "pid 12 exited with status 3".
 */
typedef void dtrace_handle_proc_f(dtrace_proc_t *proc, const char *message,
				  void *arg);
int dtrace_handle_proc(dtrace_hdl_t *dtp, dtrace_handle_proc_f *func,
		       void *arg);

/* -------------------------------------------------------------- tracing */

typedef enum {
	DTRACE_WORKSTATUS_ERROR = -1,
	DTRACE_WORKSTATUS_OKAY = 0,
	DTRACE_WORKSTATUS_DONE = 1,
} dtrace_workstatus_t;

typedef enum {
	DTRACE_STATUS_NONE,	/* tracing has not begun */
	DTRACE_STATUS_OKAY,
	DTRACE_STATUS_EXITED,	/* exit() was called */
	DTRACE_STATUS_STOPPED,
} dtrace_status_t;

/* A value of a record, or a key of an aggregation. */
typedef enum {
	DTRACE_VALUE_INTEGER,	/* integer: dtv_integer, extended by its sign */
	DTRACE_VALUE_UNSIGNED,	/* the same, to be read as uint64_t */
	DTRACE_VALUE_STRING,	/* dtv_bytes, dtv_size without a NUL */
	DTRACE_VALUE_BYTES,	/* anything else: structs, stacks */
} dtrace_valuekind_ext_t;

typedef struct dtrace_value_ext {
	dtrace_valuekind_ext_t dtv_kind;
	int64_t dtv_integer;
	const void *dtv_bytes;		/* as stored; valid in the callback */
	size_t dtv_size;
	const char *dtv_type;		/* of D: "unsigned int" */
} dtrace_value_ext_t;

/* A firing of a clause that left a record. */
typedef struct dtrace_probedata {
	dtrace_hdl_t *dtpda_handle;
	const dtrace_probedesc_t *dtpda_pdesc;
	uint32_t dtpda_epid;		/* number of the clause, from 0 */
	uint32_t dtpda_cpu;
	uint64_t dtpda_timestamp;	/* as D's timestamp */
	const void *dtpda_data;		/* the whole record */
} dtrace_probedata_t;

/* What one action of the clause left in it. */
typedef struct dtrace_recdesc {
	const char *dtrd_action;	/* "trace", "printf" ... */
	uint32_t dtrd_nvalues;
	const dtrace_value_ext_t *dtrd_values;
} dtrace_recdesc_t;

/*
 * Functions that see records: one before each record, one before each of its
 * actions and once more, with rec NULL, when the record is done.  THIS lets
 * the library print it, NEXT does not; ABORT and ERROR end the run.  What
 * controls the run (exit, clear, system ...) is carried out in any case.
 */
#define DTRACE_CONSUME_ERROR (-1)
#define DTRACE_CONSUME_THIS 0
#define DTRACE_CONSUME_NEXT 1
#define DTRACE_CONSUME_ABORT 2
typedef int dtrace_consume_probe_f(const dtrace_probedata_t *data, void *arg);
typedef int dtrace_consume_rec_f(const dtrace_probedata_t *data,
				 const dtrace_recdesc_t *rec, void *arg);

/* Not again after dtrace_stop(), nor after it has failed. */
int dtrace_go(dtrace_hdl_t *dtp);
/* Returns when there may be something to do: dtrace_work() itself waits. */
void dtrace_sleep(dtrace_hdl_t *dtp);
/*
 * Sleeps, consumes, prints to `fp`.  With fp NULL what is printed goes to the
 * function of dtrace_handle_buffered().  The functions of the last call serve
 * dtrace_stop(), too; after that it is DTRACE_WORKSTATUS_DONE.
 */
dtrace_workstatus_t dtrace_work(dtrace_hdl_t *dtp, FILE *fp,
				dtrace_consume_probe_f *probe,
				dtrace_consume_rec_f *rec, void *arg);
/*
 * Detach, run END, consume what is left.  Then aggregations that nobody has
 * printed are printed to fp, unless functions or fp NULL were given to
 * dtrace_work(): such a consumer walks them, or calls dtrace_aggregate_print().
 * Calling it twice does no harm.
 */
int dtrace_stop(dtrace_hdl_t *dtp);
dtrace_status_t dtrace_status(dtrace_hdl_t *dtp);
/* exit(n) was called: 1 and *status = n; else 0. */
int dtrace_exit_status_ext(dtrace_hdl_t *dtp, int *status);
/* End politely; the second time: at once.  Async-signal-safe. */
void dtrace_interrupt(dtrace_hdl_t *dtp);

/* ------------------------------------------------------------- handlers */

/* What a handler returns; ABORT ends the run. */
#define DTRACE_HANDLE_ABORT (-1)
#define DTRACE_HANDLE_OK 0

typedef enum {
	DTRACEDROP_PRINCIPAL,		/* records that found no room */
	DTRACEDROP_AGGREGATION,
	DTRACEDROP_DYNAMIC,		/* failed stores to variables */
	DTRACEDROP_DYNRINSE,
	DTRACEDROP_DYNDIRTY,
	DTRACEDROP_SPEC,
	DTRACEDROP_SPECBUSY,
	DTRACEDROP_SPECUNAVAIL,
	DTRACEDROP_STKSTROVERFLOW,
	DTRACEDROP_DBLERROR,		/* faults in ERROR clauses */
} dtrace_dropkind_t;

typedef struct dtrace_dropdata {
	dtrace_hdl_t *dtdda_handle;
	int dtdda_cpu;			/* -1: not of one CPU */
	dtrace_dropkind_t dtdda_kind;
	uint64_t dtdda_drops;		/* since the last report */
	const char *dtdda_msg;		/* "12 drops on CPU 0" */
} dtrace_dropdata_t;

typedef struct dtrace_errdata {
	dtrace_hdl_t *dteda_handle;
	const dtrace_probedesc_t *dteda_pdesc;
	uint32_t dteda_epid;		/* number of the clause */
	uint32_t dteda_action;		/* statement; 0 is the predicate */
	int dteda_fault;		/* as ERROR's arg4 */
	uint64_t dteda_addr;		/* the bad address, if it is one */
	const char *dteda_msg;
} dtrace_errdata_t;

typedef struct dtrace_bufdata {
	dtrace_hdl_t *dtbda_handle;
	const char *dtbda_buffered;	/* text; ends in NUL */
	const dtrace_probedata_t *dtbda_probe;	/* or NULL: not of a record */
} dtrace_bufdata_t;

typedef int dtrace_handle_drop_f(const dtrace_dropdata_t *data, void *arg);
typedef int dtrace_handle_err_f(const dtrace_errdata_t *data, void *arg);
typedef int dtrace_handle_buffered_f(const dtrace_bufdata_t *data, void *arg);

/* Before dtrace_go(); func NULL: as before.  0. */
int dtrace_handle_drop(dtrace_hdl_t *dtp, dtrace_handle_drop_f *func,
		       void *arg);
int dtrace_handle_err(dtrace_hdl_t *dtp, dtrace_handle_err_f *func, void *arg);
int dtrace_handle_buffered(dtrace_hdl_t *dtp, dtrace_handle_buffered_f *func,
			   void *arg);

/*
 * Drops and errors without handler, and other messages, without "dtrace: "
 * and newline.
 */
typedef void dtrace_message_f(void *arg, const char *message);
void dtrace_handle_message_ext(dtrace_hdl_t *dtp, dtrace_message_f *func,
			       void *arg);

/* --------------------------------------------------------- aggregations */

typedef struct dtrace_aggdata {
	dtrace_hdl_t *dtada_handle;
	const char *dtada_name;		/* without @; "_" has none */
	const char *dtada_function;	/* "count", "quantize" ... */
	uint32_t dtada_nkeys;
	const dtrace_value_ext_t *dtada_keys;
	/*
	 * One number for count, sum, min, max, avg, stddev, normalized;
	 * histograms have none.
	 */
	int dtada_has_number;
	int64_t dtada_number;
	/* The words that are kept: buckets, or count and sum. */
	uint32_t dtada_nvalues;
	const int64_t *dtada_values;
	uint64_t dtada_normal;
} dtrace_aggdata_t;

#define DTRACE_AGGWALK_ERROR (-1)
#define DTRACE_AGGWALK_NEXT 0
#define DTRACE_AGGWALK_ABORT 1
#define DTRACE_AGGWALK_CLEAR 2		/* set to zero */
#define DTRACE_AGGWALK_REMOVE 5
typedef int dtrace_aggregate_f(const dtrace_aggdata_t *data, void *arg);

/* Take what was counted so far out of the kernel's tables. */
int dtrace_aggregate_snap(dtrace_hdl_t *dtp);
/* What snapshots took, by aggregation; sorted by value, then key. */
int dtrace_aggregate_walk(dtrace_hdl_t *dtp, dtrace_aggregate_f *func,
			  void *arg);
int dtrace_aggregate_walk_sorted(dtrace_hdl_t *dtp, dtrace_aggregate_f *func,
				 void *arg);
/* As at the end of a run: those that nobody has printed.  `walk` is NULL. */
int dtrace_aggregate_print(dtrace_hdl_t *dtp, FILE *fp, void *walk);
/* All values to zero; keys stay. */
void dtrace_aggregate_clear(dtrace_hdl_t *dtp);

#ifdef __cplusplus
}
#endif

#endif
