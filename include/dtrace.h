/* SPDX-License-Identifier: Apache-2.0 */
#ifndef _DTRACE_H
#define _DTRACE_H

/*
 * libdtrace: compile D, trace, consume.
 *
 * The names are the classic ones, so that consumers written for other systems
 * are easy to port.  The order of a run:
 *
 *	dtrace_open, dtrace_setopt ...
 *	dtrace_proc_create / dtrace_proc_grab_pid, for $target
 *	dtrace_program_strcompile / dtrace_program_fcompile, once per program
 *	dtrace_program_exec, once per program
 *	dtrace_go
 *	dtrace_proc_continue, once per process
 *	dtrace_work until it returns DTRACE_WORKSTATUS_DONE
 *	dtrace_stop, dtrace_close
 *
 * Functions that return int return 0, or -1 on error; dtrace_errno() then has
 * the error and dtrace_errmsg() its text.  A function called out of order fails
 * with EDT_ORDER or EDT_ACTIVE and changes nothing.  A handle can trace only
 * once.  It belongs to one thread; only dtrace_interrupt() may be called from a
 * signal handler.
 *
 * Names with _ext have no classic counterpart.
 */

#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The library exports only what is declared here. */
#pragma GCC visibility push(default)

#define DTRACE_VERSION 3 /* of this interface; for dtrace_open() */

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
	dtrace_id_t dtpd_id; /* if not DTRACE_IDNONE: this probe */
	char dtpd_provider[DTRACE_PROVNAMELEN];
	char dtpd_mod[DTRACE_MODNAMELEN];
	char dtpd_func[DTRACE_FUNCNAMELEN];
	char dtpd_name[DTRACE_NAMELEN];
} dtrace_probedesc_t;

/* Stability of the name and of the data, and the dependency class. */
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
	EDT_VERSION = EDT_BASE,	/* client asked for another version */
	EDT_COMPILER,		/* the D program is wrong: dtrace_errmsg() */
	EDT_NOPROBE,		/* no probe matches description */
	EDT_BADID,		/* no such probe identifier */
	EDT_BADPSPEC,		/* more than four parts */
	EDT_BADOPTNAME,
	EDT_BADOPTVAL,
	EDT_BADOPTCTX,		/* not from within a D program */
	EDT_ACTIVE,		/* not allowed while tracing */
	EDT_BADVERSION,
	EDT_NOTSUP,		/* known, but not supported here */
	EDT_ENABLE,		/* dtrace_errmsg() has the reason */
	EDT_RUN,		/* likewise, while tracing */
	EDT_FILE,		/* a script could not be read */
	EDT_PIPE,		/* the reader of the output is gone */
	EDT_ABORTED,		/* a function of the consumer ended the run */
	EDT_BUILD,		/* dtrace_errmsg() has the reason (-h, -G) */
	EDT_NOSITES,		/* no probe sites for a declared provider */
	EDT_ORDER,		/* before dtrace_go(), or too late */
	EDT_PARAM,		/* --NAME is unknown, malformed or missing */
};

int dtrace_errno(dtrace_hdl_t *dtp);
const char *dtrace_errmsg(dtrace_hdl_t *dtp, int error);
/*
 * After EDT_COMPILER and EDT_PARAM: the source line, a caret and a hint, as whole lines to
 * print below the message; "" if there is nothing to show.
 */
const char *dtrace_errexcerpt_ext(dtrace_hdl_t *dtp);

/* Why this process may not trace, in a sentence; NULL if it may. */
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

/* Calls `func` for each provider until it returns nonzero. */
typedef int dtrace_provider_f(dtrace_hdl_t *dtp,
			      const dtrace_providerstate_ext_t *provider,
			      void *arg);
int dtrace_provider_iter_ext(dtrace_hdl_t *dtp, dtrace_provider_f *func,
			     void *arg);

/* The names alone, from 0, without a look at the machine; NULL after the last. */
const char *dtrace_provider_name_ext(unsigned n);

/* "Oracle D 2.0", and the version of this implementation. */
extern const char _dtrace_version[];
extern const char dtrace_package_version_ext[];
/* The commit this was built from, or "unknown". */
extern const char dtrace_revision_ext[];

/* ------------------------------------------------------------- options */

typedef int64_t dtrace_optval_t;
#define DTRACEOPT_UNSET ((dtrace_optval_t)-2)

/* `value` NULL: like -x NAME without a value. */
int dtrace_setopt(dtrace_hdl_t *dtp, const char *name, const char *value);
/* Sizes in bytes, rates in nanoseconds; booleans 1 or DTRACEOPT_UNSET. */
int dtrace_getopt(dtrace_hdl_t *dtp, const char *name, dtrace_optval_t *value);
/* The names of all options, from 0; NULL after the last. */
const char *dtrace_optname_ext(unsigned n);
/* The option with the most similar name, or NULL. */
const char *dtrace_optnearest_ext(const char *name);
/* What its value must be ("a number from 0 to 1000"), or NULL; free() it. */
char *dtrace_optexpects_ext(const char *name);
/* Prints a line for each option: its meaning and what its value must be. */
void dtrace_opthelp_ext(FILE *fp);
/* Prints a line for each option that was set and has no effect yet. */
void dtrace_optreport_ext(dtrace_hdl_t *dtp, FILE *fp);

/* ------------------------------------------------------------ programs */

/* What the last part of a description names. */
typedef enum dtrace_probespec {
	DTRACE_PROBESPEC_NONE = -1,
	DTRACE_PROBESPEC_PROVIDER = 0,
	DTRACE_PROBESPEC_MOD,
	DTRACE_PROBESPEC_FUNC,
	DTRACE_PROBESPEC_NAME,
	DTRACE_PROBESPEC_ID,
} dtrace_probespec_t;

/* Compilation flags; each is also an option. */
#define DTRACE_C_DIFV 0x0001   /* verbose */
#define DTRACE_C_EMPTY 0x0002  /* empty */
#define DTRACE_C_ZDEFS 0x0004  /* zdefs */
#define DTRACE_C_PSPEC 0x0008  /* pspec */
#define DTRACE_C_CPP 0x0010    /* cpp */
#define DTRACE_C_NOLIBS 0x0020 /* nolibs */
#define DTRACE_C_ARGREF 0x0040 /* argref */
#define DTRACE_C_DEFARG 0x0080 /* defaultargs */
#define DTRACE_C_ETAGS 0x0100  /* errtags */
/* Not an option: provider declarations for dtrace_program_header(), _link(). */
#define DTRACE_C_BUILD_EXT 0x10000

typedef struct dtrace_proginfo {
	dtrace_attribute_t dpi_descattr; /* least over descriptions */
	dtrace_attribute_t dpi_stmtattr; /* least over statements */
	uint32_t dpi_matches;		 /* probes, each time it matches */
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
					      const char *path, unsigned cflags,
					      int argc, char *const argv[]);
/*
 * Compiling does not resume a held process (dtrace_proc_create), which has
 * mapped only its program and the dynamic linker.  If a program needs more of
 * the process, as pid$target:libc::entry does, it is compiled as far as
 * possible, without a message about the rest.
 *
 * This function lets held processes run to the point that the option evaltime
 * names, where they are held again, and compiles the rest of the program.
 * Returns 0, or -1 as if compilation had failed.  dtrace_program_exec() calls
 * it if needed.  Only these two and dtrace_go() resume a held process.
 */
int dtrace_program_complete_ext(dtrace_hdl_t *dtp, dtrace_prog_t *pgp);
/* After the last program: was every operand used?  (-x argref) */
int dtrace_program_finish_ext(dtrace_hdl_t *dtp);

int dtrace_program_exec(dtrace_hdl_t *dtp, dtrace_prog_t *pgp,
			dtrace_proginfo_t *pip);
void dtrace_program_info(dtrace_hdl_t *dtp, dtrace_prog_t *pgp,
			 dtrace_proginfo_t *pip);

/*
 * Parameters: #pragma D parameter NAME [-L] TYPE [= DEFAULT] "help", and #pragma D
 * operand NAME TYPE [= DEFAULT] "help".  Each has its default unless it is set
 * before the program is compiled; one without a default must be.  First the declarations of all programs are read, from their text or
 * file ("-" is standard input), then the words of a command line:
 *
 *	dtrace_param_file_ext(dtp, argv[0]);
 *	dtrace_param_parse_ext(dtp, &argc, argv);
 *	dtrace_program_pathcompile_ext(dtp, argv[0], 0, argc, argv);
 *
 * Words that begin with -- are parameters; they are taken out of argv, with their
 * values, up to and with the word --.  What is left goes to the operands that are
 * declared, or else is $0, $1 ...
 */
int dtrace_param_text_ext(dtrace_hdl_t *dtp, const char *text);
int dtrace_param_file_ext(dtrace_hdl_t *dtp, const char *path);
/*
 * 1 if the file declares operands, or parameters with letters, 0 if not, -1 if it
 * cannot be read.  dtrace_param_parse_ext() knows nothing of letters: a command that takes
 * them makes --NAME=VALUE of each (dtpa_letter).
 */
int dtrace_param_letters_ext(dtrace_hdl_t *dtp, const char *path);
/* 0; 1: there is --help; -1: a word is wrong or missing (EDT_PARAM). */
int dtrace_param_parse_ext(dtrace_hdl_t *dtp, int *argc, char *argv[]);

typedef struct dtrace_param_ext {
	const char *dtpa_name;
	/* "int" "count" "string" "pid" "size" "time" "bool" */
	const char *dtpa_type;
	const char *dtpa_default; /* as it is written; NULL: required */
	const char *dtpa_help;
	const char *dtpa_value; /* as it was given; NULL: none yet */
	char dtpa_letter;	/* 0: none */
	char dtpa_is_operand;	/* needs no --NAME in front of its value */
} dtrace_param_ext_t;

/* Calls `func` for each parameter until it returns nonzero: the result. */
typedef int dtrace_param_f(dtrace_hdl_t *dtp, const dtrace_param_ext_t *param,
			   void *arg);
int dtrace_param_iter_ext(dtrace_hdl_t *dtp, dtrace_param_f *func, void *arg);
/* Prints what --help is to print; `name` is that of the command. */
void dtrace_param_help_ext(dtrace_hdl_t *dtp, const char *name, FILE *fp);
/* A copy of the text with values for $NAME; free() it. */
char *dtrace_param_expand_ext(dtrace_hdl_t *dtp, const char *text);

/* ------------------------------------------------------------- editors */

/* In a text: lines from 1, 0: nowhere; columns and lengths in bytes, from 0. */
typedef struct dtrace_place_ext {
	const char *
		dtpl_file; /* the program's name, or that of an included file */
	uint32_t dtpl_line, dtpl_column, dtpl_length;
} dtrace_place_ext_t;

/* What is wrong with a program, in parts. */
typedef struct dtrace_complaint_ext {
	const char *dtcm_tag; /* "D_SYNTAX" */
	const char *
		dtcm_message; /* without tag and place; lines after the first are indented */
	const char *dtcm_hint; /* "did you mean ...", or NULL */
	dtrace_place_ext_t dtcm_place;
	int dtcm_is_doubt; /* it may be right elsewhere, or later: no probe matches */
} dtrace_complaint_ext_t;

/* After EDT_COMPILER: that error.  Returns 0, or -1 if there is none. */
int dtrace_errplace_ext(dtrace_hdl_t *dtp, dtrace_complaint_ext_t *complaint);

/* What a word of a program means. */
typedef enum {
	DTRACE_NAME_CLAUSE,	 /* all descriptions of one */
	DTRACE_NAME_PROBE,	 /* one description */
	DTRACE_NAME_VARIABLE,
	DTRACE_NAME_AGGREGATION,
	DTRACE_NAME_BUILTIN,	 /* pid, args[0] ... */
	DTRACE_NAME_FUNCTION,	 /* one that is built in */
	DTRACE_NAME_DEFINED,	 /* one that is written in D */
	DTRACE_NAME_INLINE,
	DTRACE_NAME_CONSTANT,
	DTRACE_NAME_MEMBER,
	DTRACE_NAME_SYMBOL,	 /* of the kernel */
} dtrace_namekind_ext_t;

typedef struct dtrace_name_ext {
	dtrace_namekind_ext_t dtnm_kind;
	const char *dtnm_name; /* "t", "syscall::open*:entry" */
	const char
		*dtnm_declaration; /* "self int64_t t": as D would declare it */
	const char *dtnm_of;	   /* what a member belongs to, or NULL */
	dtrace_place_ext_t dtnm_place;	 /* of the word that was asked about */
	dtrace_place_ext_t dtnm_defined; /* line 0: not in the program */
	uint32_t dtnm_last_line;	 /* of a clause */
} dtrace_name_ext_t;

typedef void dtrace_complaint_f(void *arg,
				const dtrace_complaint_ext_t *complaint);
typedef void dtrace_name_f(void *arg, const dtrace_name_ext_t *name);

/*
 * Compiles a program as far as possible, for an editor: every element that is
 * wrong is told to `complain` and left out.  A description that matches no probe
 * is a doubt.  `define` is called for each clause and each name that the program
 * defines; `find` for what is at line and column (line 0: nowhere), if anything is.
 * Each may be NULL; what they are given is valid until they return.  Nothing is
 * enabled, no privileges are needed.  `name` is the program's path; $1 and the like
 * are defined if the option defaultargs is set, parameters have their defaults.
 * Takes a handle of its own: 0, or -1 with EDT_ORDER if it has been used.
 */
typedef struct dtrace_inspect_ext {
	const char *dtin_name, *dtin_text;
	uint32_t dtin_line, dtin_column;
	dtrace_complaint_f *dtin_complain;
	dtrace_name_f *dtin_define, *dtin_find;
	void *dtin_arg;
} dtrace_inspect_ext_t;
int dtrace_inspect_ext(dtrace_hdl_t *dtp, const dtrace_inspect_ext_t *what);

/* A walk ends when the function returns nonzero; that is the result. */
typedef int dtrace_probe_f(dtrace_hdl_t *dtp, const dtrace_probedesc_t *pdp,
			   void *arg);
/* Each description of each clause, in order. */
int dtrace_program_desc_iter_ext(dtrace_hdl_t *dtp, dtrace_prog_t *pgp,
				 dtrace_probe_f *func, void *arg);
/* Typed tree, IR and BPF code of what was enabled (-S). */
int dtrace_disassemble_ext(dtrace_hdl_t *dtp, FILE *fp);

/*
 * Probes for C and C++ programs, from the providers that the D programs declare
 * (DTRACE_C_BUILD_EXT).  Needs no privileges.
 */
/* Writes a header; its include guard is named after `fname`. */
int dtrace_program_header(dtrace_hdl_t *dtp, FILE *fp, const char *fname);
/*
 * Writes an object file to link with the objects that contain the probes.  pgp
 * NULL: for all programs.  Objects that call probes as functions are rewritten.
 * DTRACE_D_LAZYLOAD_EXT: they need not contain any.
 */
#define DTRACE_D_LAZYLOAD_EXT 0x1
#define DTRACE_D_32_EXT 0x2 /* objects are 32-bit, or will be */
#define DTRACE_D_64_EXT 0x4 /* objects are 64-bit */
int dtrace_program_link(dtrace_hdl_t *dtp, dtrace_prog_t *pgp, unsigned dflags,
			const char *file, int objc, char *const objv[]);

/* -------------------------------------------------------------- probes */

typedef struct dtrace_typeinfo {
	const char *dtt_object; /* where the type comes from: "vmlinux" */
	const char *dtt_name;	/* "struct task_struct *" */
	const char *dtt_native; /* what it is translated from, or NULL */
} dtrace_typeinfo_t;

typedef struct dtrace_probeinfo {
	dtrace_attribute_t dtp_attr;	   /* of the description */
	dtrace_attribute_t dtp_arga;	   /* of the arguments */
	const dtrace_typeinfo_t *dtp_argv; /* until the next call */
	int dtp_argc;
	const char *dtp_remark_ext; /* a sentence, or NULL */
} dtrace_probeinfo_t;

/* Probes that match (NULL: all), in order of id; none: EDT_NOPROBE. */
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
 * Starts a program, found in PATH unless `file` has a slash, in the environment
 * that the options setenv and unsetenv define.  It is held before its first
 * instruction.  If the handle is closed before dtrace_proc_continue(), or the
 * tracer dies, it never runs; afterwards it is independent of the tracer.
 * `flags` is 0.
 */
dtrace_proc_t *dtrace_proc_create(dtrace_hdl_t *dtp, const char *file,
				  char *const *argv, int flags);
/* Attaches to a running process, which continues undisturbed. */
dtrace_proc_t *dtrace_proc_grab_pid(dtrace_hdl_t *dtp, pid_t pid, int flags);
void dtrace_proc_continue(dtrace_hdl_t *dtp, dtrace_proc_t *proc);
/*
 * Stop waiting for the process to end; if it is still held, it is killed.  Does
 * nothing if `proc` was already released or is NULL; its pid is then -1.
 */
void dtrace_proc_release(dtrace_hdl_t *dtp, dtrace_proc_t *proc);
pid_t dtrace_proc_getpid(dtrace_hdl_t *dtp, dtrace_proc_t *proc);

/*
 * The name of an address in a process, as printa() prints uaddr():
 * "libc.so.6`malloc+0x4".  Returns 0, or -1 with the address in hexadecimal as
 * text.  If the process was a target of the run, names are known even after it
 * has exited.
 */
int dtrace_uaddr2str_ext(dtrace_hdl_t *dtp, pid_t pid, uint64_t address,
			 char *text, size_t size);

/*
 * A kernel symbol: the one that contains an address (once tracing has begun),
 * or the one with that name.  Returns 0, or -1 with ENOENT.  Strings are valid
 * while the handle is open.
 */
typedef struct dtrace_symbol_ext {
	const char *dts_object; /* "vmlinux", a module; "" by name */
	const char *dts_name;
	uint64_t dts_address; /* where it begins */
	uint64_t dts_size;    /* by name only; 0: unknown */
} dtrace_symbol_ext_t;

int dtrace_kaddr2sym_ext(dtrace_hdl_t *dtp, uint64_t address,
			 dtrace_symbol_ext_t *symbol);
int dtrace_kname2sym_ext(dtrace_hdl_t *dtp, const char *name,
			 dtrace_symbol_ext_t *symbol);

/*
 * A copy of text from the traced system that is safe for a terminal: control
 * characters become \ooo.  With DTRACE_VISIBLE_LINES, newlines and tabs stay.
 * free() it.  What the library itself prints to a terminal is already safe.
 */
typedef enum { DTRACE_VISIBLE_NAME, DTRACE_VISIBLE_LINES } dtrace_visible_t;

char *dtrace_visible_ext(const char *text, dtrace_visible_t how);

/*
 * The first process is $target in programs compiled afterwards.  Tracing is
 * done when all processes have exited.  This function is called for each exit,
 * with a message such as "pid 12 exited with status 3".
 */
typedef void dtrace_handle_proc_f(dtrace_proc_t *proc, const char *message,
				  void *arg);
int dtrace_handle_proc(dtrace_hdl_t *dtp, dtrace_handle_proc_f *func,
		       void *arg);

/* ----------------------------------------------------------- completion */

typedef enum {
	DTRACE_COMPLETE_PROVIDER,	/* parts of a description */
	DTRACE_COMPLETE_MODULE,
	DTRACE_COMPLETE_FUNCTION,
	DTRACE_COMPLETE_NAME,
	DTRACE_COMPLETE_KEYWORD,
	DTRACE_COMPLETE_TYPE,
	DTRACE_COMPLETE_BUILTIN,	/* variable: pid, execname ... */
	DTRACE_COMPLETE_SUBROUTINE,	/* strlen() ..., and functions in D */
	DTRACE_COMPLETE_ACTION,		/* printf(), stack() ... */
	DTRACE_COMPLETE_AGGREGATE,	/* count(), quantize() ... */
	DTRACE_COMPLETE_VARIABLE,	/* of the program */
	DTRACE_COMPLETE_AGGREGATION,
	DTRACE_COMPLETE_CONSTANT,	/* inlines of D libraries */
	DTRACE_COMPLETE_MEMBER,
	DTRACE_COMPLETE_MACRO,		/* $target, parameters */
	DTRACE_COMPLETE_OPTION,		/* of #pragma D option */
} dtrace_completekind_ext_t;

/* A candidate; its strings are valid until the function returns. */
typedef struct dtrace_completion_ext {
	const char *dtco_text; /* instead of the word, up to the cursor */
	size_t dtco_start;     /* where that word starts */
	dtrace_completekind_ext_t dtco_kind;
	const char *dtco_detail; /* "struct task_struct *", "int f(int)", "" */
	const char *dtco_after;	 /* what would follow: ":", "(", "->", or "" */
} dtrace_completion_ext_t;

typedef int dtrace_complete_f(dtrace_hdl_t *dtp,
			      const dtrace_completion_ext_t *completion,
			      void *arg);
/*
 * How D text could go on at the cursor, an offset in it.  `spec` is as for
 * dtrace_program_strcompile().  The text may be incomplete, and wrong elsewhere.
 * $target is the handle's first process.  Calls `func` for each candidate, in no
 * order, until it returns nonzero: the result.  Leaves nothing in the handle.
 */
int dtrace_complete_ext(dtrace_hdl_t *dtp, const char *text, size_t size,
			size_t cursor, dtrace_probespec_t spec,
			dtrace_complete_f *func, void *arg);

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
	DTRACE_VALUE_INTEGER,	/* integer: dtv_integer, sign-extended */
	DTRACE_VALUE_UNSIGNED,	/* the same, to be read as uint64_t */
	DTRACE_VALUE_STRING,	/* dtv_bytes; dtv_size without a NUL */
	DTRACE_VALUE_BYTES,	/* anything else: structs, arrays */
	DTRACE_VALUE_SYMBOL,	/* sym(), uaddr() ...: one frame */
	DTRACE_VALUE_STACK,	/* stack(), ustack(), jstack(): frames */
} dtrace_valuekind_ext_t;

typedef struct dtrace_value_ext {
	dtrace_valuekind_ext_t dtv_kind;
	int64_t dtv_integer;
	const void *dtv_bytes; /* as stored; valid in the callback */
	size_t dtv_size;
	const char *dtv_type;	 /* D type: "unsigned int" */
	const char *dtv_name;	 /* of a key, as written; or NULL */
	const void *dtv_private; /* for the function below */
} dtrace_value_ext_t;

/* An address, and what is known about it. */
typedef enum {
	DTRACE_FRAME_KERNEL,
	DTRACE_FRAME_USER,
	/*
	 * of a language: the object is the file, the offset the line; "[jit]"
	 * where nothing but the function's name is known
	 */
	DTRACE_FRAME_SCRIPT,
} dtrace_framekind_ext_t;

typedef struct dtrace_frame_ext {
	dtrace_framekind_ext_t dtf_kind;
	uint64_t dtf_address;
	const char *dtf_object;	  /* "libc.so.6", "vmlinux"; or NULL */
	const char *dtf_function; /* or NULL: unknown */
	uint64_t dtf_offset;	  /* in the function */
} dtrace_frame_ext_t;

typedef struct dtrace_stack_ext {
	uint32_t dts_nframes;
	const dtrace_frame_ext_t *dts_frames; /* innermost first */
	const char *dts_cut; /* why it is incomplete, or NULL */
} dtrace_stack_ext_t;

/*
 * The frames of a stack or symbol passed to a function of the consumer.
 * Returns 0, or -1 (EINVAL: it is neither).  Valid until the next call, or
 * until the function returns.
 */
int dtrace_value_stack_ext(dtrace_hdl_t *dtp, const dtrace_value_ext_t *value,
			   dtrace_stack_ext_t *stack);

/* One firing of a clause that left a record. */
typedef struct dtrace_probedata {
	dtrace_hdl_t *dtpda_handle;
	const dtrace_probedesc_t *dtpda_pdesc;
	uint32_t dtpda_epid; /* number of the clause, from 0 */
	uint32_t dtpda_cpu;
	uint64_t dtpda_timestamp; /* as D's timestamp */
	const void *dtpda_data;	  /* the whole record */
} dtrace_probedata_t;

/* What one action of the clause left in the record. */
typedef struct dtrace_recdesc {
	const char *dtrd_action; /* "trace", "printf" ... */
	uint32_t dtrd_nvalues;
	const dtrace_value_ext_t *dtrd_values;
} dtrace_recdesc_t;

/*
 * Functions that see records: one is called before each record, one before each
 * of its actions and once more, with rec NULL, at the end of the record.  THIS
 * lets the library print it, NEXT does not; ABORT and ERROR end the run.
 * Actions that control the run (exit, clear, system ...) are always carried
 * out.
 */
#define DTRACE_CONSUME_ERROR (-1)
#define DTRACE_CONSUME_THIS 0
#define DTRACE_CONSUME_NEXT 1
#define DTRACE_CONSUME_ABORT 2
typedef int dtrace_consume_probe_f(const dtrace_probedata_t *data, void *arg);
typedef int dtrace_consume_rec_f(const dtrace_probedata_t *data,
				 const dtrace_recdesc_t *rec, void *arg);

/* May not be called again after dtrace_stop(), nor after it has failed. */
int dtrace_go(dtrace_hdl_t *dtp);
/*
 * The same with the arguments of dtrace_work(), for what BEGIN prints if that is
 * consumed before all probes are enabled (options beginfirst and bufpolicy).
 */
int dtrace_go_ext(dtrace_hdl_t *dtp, FILE *fp, dtrace_consume_probe_f *probe,
		  dtrace_consume_rec_f *rec, void *arg);
/* Returns when there may be work to do: dtrace_work() itself waits. */
void dtrace_sleep(dtrace_hdl_t *dtp);
/*
 * Sleeps, consumes, prints to `fp`.  If fp is NULL, output goes to the function
 * set with dtrace_handle_buffered().  dtrace_stop() uses the functions of the
 * last call, too; after that the result is DTRACE_WORKSTATUS_DONE.
 */
dtrace_workstatus_t dtrace_work(dtrace_hdl_t *dtp, FILE *fp,
				dtrace_consume_probe_f *probe,
				dtrace_consume_rec_f *rec, void *arg);
/*
 * For a consumer with its own event loop: a descriptor that polls as readable
 * when there is work to do, and dtrace_work() without sleeping.  The descriptor
 * belongs to the handle; it is -1 before dtrace_go().
 */
int dtrace_fd_ext(dtrace_hdl_t *dtp);
dtrace_workstatus_t dtrace_poll_ext(dtrace_hdl_t *dtp, FILE *fp,
				    dtrace_consume_probe_f *probe,
				    dtrace_consume_rec_f *rec, void *arg);
/*
 * Detaches, runs END and consumes what is left.  Then prints to fp the
 * aggregations that were not printed yet.  If dtrace_work() was given
 * functions, or fp NULL, that is left to the consumer, which walks them or
 * calls dtrace_aggregate_print(); but structured output (-x oformat) is always
 * complete, including its end, after dtrace_stop().  Calling it twice is
 * harmless.
 */
int dtrace_stop(dtrace_hdl_t *dtp);
dtrace_status_t dtrace_status(dtrace_hdl_t *dtp);
/* If exit(n) was called: returns 1 and sets *status to n; otherwise 0. */
int dtrace_exit_status_ext(dtrace_hdl_t *dtp, int *status);
/* Ends the run cleanly; the second time, at once.  Async-signal-safe. */
void dtrace_interrupt(dtrace_hdl_t *dtp);

/*
 * How far a run is.  Events are records, and updates of aggregations if snapshots
 * are kept (-x interval, pictures); of sum(), min() and max() only some are known.
 */
typedef struct dtrace_progress_ext {
	uint64_t dtpr_time; /* ns since probes fire; 0: not yet */
	uint64_t dtpr_events;
	uint64_t dtpr_drops;
	uint64_t dtpr_pictures; /* that will be drawn: -x flame and the like */
} dtrace_progress_ext_t;
int dtrace_progress_ext(dtrace_hdl_t *dtp, dtrace_progress_ext_t *progress);

/*
 * What tracing costs this host.  The first call makes the kernel measure, which
 * adds some tens of nanoseconds to each firing until dtrace_close(); call it before
 * dtrace_go() to know everything.  Totals since then, of all handles of the process.
 */
typedef struct dtrace_cost_ext {
	uint64_t dtct_time;  /* ns in programs, on all CPUs */
	uint64_t dtct_runs;  /* how often they ran */
	uint64_t dtct_bytes; /* memory of programs and maps, in the kernel */
} dtrace_cost_ext_t;
int dtrace_cost_ext(dtrace_hdl_t *dtp, dtrace_cost_ext_t *cost);

/*
 * Replays a recording (-x record) into the sink that -x oformat names, by way
 * of these functions; "-" is standard input.  Prints what the run printed, with
 * the options of the run unless others are set.  Needs no privileges and a
 * handle of its own.  A truncated recording is replayed as far as it goes, with
 * a message.  dtrace_exit_status_ext() has the status of the run.
 */
int dtrace_replay_ext(dtrace_hdl_t *dtp, const char *file, FILE *fp,
		      dtrace_consume_probe_f *probe, dtrace_consume_rec_f *rec,
		      void *arg);

/* ------------------------------------------------------------- handlers */

/* Return values of handlers; ABORT ends the run. */
#define DTRACE_HANDLE_ABORT (-1)
#define DTRACE_HANDLE_OK 0

typedef enum {
	DTRACEDROP_PRINCIPAL,		/* no room for records */
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
	int dtdda_cpu; /* -1: not from a single CPU */
	dtrace_dropkind_t dtdda_kind;
	uint64_t dtdda_drops;  /* since the last report */
	const char *dtdda_msg; /* "12 drops on CPU 0" */
} dtrace_dropdata_t;

typedef struct dtrace_errdata {
	dtrace_hdl_t *dteda_handle;
	const dtrace_probedesc_t *dteda_pdesc;
	uint32_t dteda_epid;   /* number of the clause */
	uint32_t dteda_action; /* statement; 0 is the predicate */
	int dteda_fault;       /* as ERROR's arg4 */
	uint64_t dteda_addr;   /* the bad address, if there is one */
	const char *dteda_msg;
} dtrace_errdata_t;

typedef struct dtrace_bufdata {
	dtrace_hdl_t *dtbda_handle;
	const char *dtbda_buffered;	       /* text; ends in NUL */
	const dtrace_probedata_t *dtbda_probe; /* or NULL: not from a record */
} dtrace_bufdata_t;

typedef int dtrace_handle_drop_f(const dtrace_dropdata_t *data, void *arg);
typedef int dtrace_handle_err_f(const dtrace_errdata_t *data, void *arg);
typedef int dtrace_handle_buffered_f(const dtrace_bufdata_t *data, void *arg);

/* Call before dtrace_go(); func NULL restores the default.  Returns 0. */
int dtrace_handle_drop(dtrace_hdl_t *dtp, dtrace_handle_drop_f *func,
		       void *arg);
int dtrace_handle_err(dtrace_hdl_t *dtp, dtrace_handle_err_f *func, void *arg);
int dtrace_handle_buffered(dtrace_hdl_t *dtp, dtrace_handle_buffered_f *func,
			   void *arg);

/*
 * Receives drops and errors that have no handler, and other messages, without
 * "dtrace: " and newline.  The library writes only to streams it was given:
 * without this function, messages are discarded.
 */
typedef void dtrace_message_f(void *arg, const char *message);
void dtrace_handle_message_ext(dtrace_hdl_t *dtp, dtrace_message_f *func,
			       void *arg);

/* --------------------------------------------------------- aggregations */

typedef struct dtrace_aggdata {
	dtrace_hdl_t *dtada_handle;
	const char *dtada_name;	    /* without @; "_" if it has no name */
	const char *dtada_function; /* "count", "quantize" ... */
	uint32_t dtada_nkeys;
	const dtrace_value_ext_t *dtada_keys;
	/*
	 * One number for count, sum, min, max, avg and stddev, normalized;
	 * histograms have none.
	 */
	int dtada_has_number;
	int64_t dtada_number;
	/* The stored words: buckets, or count and sum. */
	uint32_t dtada_nvalues;
	const int64_t *dtada_values;
	uint64_t dtada_normal;
	const void *dtada_private; /* for the function below */
} dtrace_aggdata_t;

/* A bucket of quantize(), lquantize() or llquantize(). */
typedef struct dtrace_bucket_ext {
	int64_t dtb_low, dtb_high; /* range of values, inclusive */
	int dtb_is_open_below, dtb_is_open_above; /* unbounded */
	int64_t dtb_count;			  /* normalized */
} dtrace_bucket_ext_t;

/* Bucket n of dtada_nvalues.  -1: not a histogram, or no such bucket. */
int dtrace_aggregate_bucket_ext(const dtrace_aggdata_t *data, uint32_t n,
				dtrace_bucket_ext_t *bucket);

#define DTRACE_AGGWALK_ERROR (-1)
#define DTRACE_AGGWALK_NEXT 0
#define DTRACE_AGGWALK_ABORT 1
#define DTRACE_AGGWALK_CLEAR 2 /* set to zero */
#define DTRACE_AGGWALK_REMOVE 5
typedef int dtrace_aggregate_f(const dtrace_aggdata_t *data, void *arg);

/* Collects what was counted so far from the kernel's tables. */
int dtrace_aggregate_snap(dtrace_hdl_t *dtp);

/*
 * Interval snapshots: what was counted since the last one, row by row.  They
 * are taken at every dtrace_aggregate_snap(), with -x interval whenever the
 * wall clock reaches a multiple of the interval, and by dtrace_stop().  Merged
 * with their aggregating functions, they add up to exactly what was counted,
 * whatever clear() and trunc() did.
 */
typedef struct dtrace_snapdata_ext {
	uint64_t dtsn_second;	     /* of the wall clock, at the start */
	uint64_t dtsn_from, dtsn_to; /* ns of the wall clock */
	const dtrace_aggdata_t *dtsn_row;
} dtrace_snapdata_ext_t;

typedef int dtrace_snapshot_f(const dtrace_snapdata_ext_t *data, void *arg);
/* Call before dtrace_go(); func returns DTRACE_HANDLE_OK or _ABORT.  0. */
int dtrace_handle_snapshot_ext(dtrace_hdl_t *dtp, dtrace_snapshot_f *func,
			       void *arg);

/* What snapshots collected, by aggregation; sorted by value, then key. */
int dtrace_aggregate_walk(dtrace_hdl_t *dtp, dtrace_aggregate_f *func,
			  void *arg);
int dtrace_aggregate_walk_sorted(dtrace_hdl_t *dtp, dtrace_aggregate_f *func,
				 void *arg);
/*
 * Prints aggregations that were not printed yet, as at the end of a run.
 * `walk` is NULL.  EDT_ORDER if structured output has ended: it includes them.
 */
int dtrace_aggregate_print(dtrace_hdl_t *dtp, FILE *fp, void *walk);
/* Sets all values to zero; keys stay. */
void dtrace_aggregate_clear(dtrace_hdl_t *dtp);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
