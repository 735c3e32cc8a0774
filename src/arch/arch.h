/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * The machine that programs are traced on: everything that differs between
 * processors, in terms that fit all of them.
 *
 * The declarations here are a contract.  A machine implements it with a set of
 * files in its own folder (x86_64/); the build compiles one set, that of the
 * compiler's target.
 *
 *	machine.h	constants, for C and for the walk in BPF
 *	walk.h		its part of the walk over users' stacks
 *	*.c		everything else
 *	regs.d		the names of uregs[]
 *	dlib.sed	what D libraries (dlib/) leave to the machine, when they are
 *			embedded
 *
 * 1. No other code tests for the machine (tools/machine.py checks).
 * 2. Nothing here knows about D, the IR or types.  For generated programs the
 *    machine provides numbers and tables; other code builds programs from them.
 * 3. Machines have 64 bits, little endian, and words of 8 bytes on the stack.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/str.h"
#include "machine.h" /* the machine's constants, explained below */

struct arena;

/* ---------------------------------------------------------------- registers */

/*
 * A register is known by its place: the offset in the struct pt_regs in which
 * the kernel saves a thread's registers, and which programs at probes have for
 * their context.
 *
 *	ARCH_PC, ARCH_SP, ARCH_FP	where it is, the stack, the frame
 *	ARCH_FLAGS			what conditions are about
 *	ARCH_RESULT, ARCH_RESULT_HIGH	words that a function returns
 *	ARCH_SYSCALL_NUMBER		at the return of a system call, too
 *	ARCH_MODE			says whether this is user's code: its
 *					ARCH_MODE_BITS are all 0 if
 *					ARCH_USER_MODE_IS_0, or some are set
 *
 * Instructions know registers by numbers; those that jumps may use, by number,
 * are ARCH_NREGISTERS, the program counter among them.
 */
extern const uint32_t arch_registers[ARCH_NREGISTERS];

/*
 * uregs[]: the first ARCH_UREGS_SAVED are the words of pt_regs, ARCH_UREGS_SP
 * (a text) is the stack pointer; the others, up to ARCH_UREGS, are members of
 * the kernel's struct thread_struct.  The machine's regs.d has their names.
 */
extern const char *const arch_thread_registers[ARCH_UREGS - ARCH_UREGS_SAVED];

/* ------------------------------------------------------- calls of functions */

/*
 * Slots are where a function that is entered finds words: the first
 * ARCH_ARGUMENT_REGISTERS are registers, the others are on the stack in order,
 * after ARCH_CALL_PUSHES bytes that the call has pushed: the return address.
 */
uint32_t arch_argument_register(uint32_t n);

/* A parameter or result, as far as conventions care for its type. */
struct arch_value {
	uint64_t size, align;
	bool is_object; /* a struct, a union, an array */
	bool is_float;
	bool is_by_reference; /* C++ says that its address is passed */
	bool is_odd;	      /* its members are not known */
	/* which of its words of 8 bytes have such members: a bit for each */
	uint32_t integers, floats;
	uint64_t narrowest_float, widest_float; /* sizes; 0: it has none */
};
enum { ARCH_VALUE_MOST = 64 }; /* larger ones are not taken apart */

enum arch_passing {
	PASS_WORD,	/* an integer or a pointer */
	PASS_ADDRESS,	/* of an object elsewhere: the word is where */
	PASS_WORDS,	/* an object in slots that follow each other */
	PASS_FLOAT,
	PASS_OBJECT,	/* an object with words elsewhere */
	PASS_NOTHING,	/* void; an object without members */
};

struct arch_passed {
	enum arch_passing how;
	uint32_t slot; /* of the first word */
};

/* What parameters before it have taken. */
struct arch_taken {
	uint32_t integers, floats; /* registers */
	uint32_t stack;		   /* words */
};

/* Parameters in order, after the result, which may need a register. */
struct arch_passed arch_pass_result(const struct arch_value *value,
				    struct arch_taken *taken);
struct arch_passed arch_pass(const struct arch_value *value,
			     struct arch_taken *taken);

/* ------------------------------------------------------------- system calls */

/*
 * Their numbers in native and in 32-bit programs; -1: they do not have it.
 * Sorted by number, without a name at the end.  The second list has what the
 * headers of the machine that builds did not know yet.
 */
struct arch_syscall {
	int16_t number, compat;
	const char *name;
};
extern const struct arch_syscall arch_syscalls[], arch_syscalls_later[];

/* Where an argument is in a native program, and in a 32-bit one. */
struct arch_syscall_argument {
	uint32_t native, compat;
};
extern const struct arch_syscall_argument
	arch_syscall_arguments[ARCH_SYSCALL_ARGUMENTS];

/*
 * A kernel that has `file` runs 32-bit programs as well.  During a system call
 * of one, and only then, `flag` is set in that member of the thread's struct
 * thread_info.
 */
struct arch_compat {
	const char *file, *member;
	uint32_t flag; /* a power of two, at most 16 */
};
extern const struct arch_compat arch_compat;

/* ------------------------------------------------------------- instructions */

/*
 * Bytes of code come from a file and are not trusted: there are `size` of them,
 * and what cannot be decoded is not an instruction.
 */

/* Length of the instruction at `code`, or 0 if there is none. */
unsigned arch_instruction_length(const uint8_t *code, size_t size);
/* Goes back to the caller. */
bool arch_is_return(const uint8_t *code, size_t size);
/* Enters the kernel. */
bool arch_is_syscall(const uint8_t *code, size_t size);

/*
 * Bytes of the landing pad that allows indirect calls here, if a function
 * starts with one; what follows can be probed much more cheaply.  0: none.
 */
unsigned arch_landing_pad(const uint8_t *code, size_t size);
/*
 * Not a place for a probe: an instruction that the kernel refuses; one that it
 * replaces by something that destroys data; a system call.  The kernel refuses
 * all sites of a request together, and finding the bad one takes a tenth of a
 * second for each.  And it executes a probed instruction at another address,
 * where the child of a system call would start.
 */
bool arch_is_unsafe(const uint8_t *code, size_t size);
/*
 * Of those: it changes neither registers with arguments nor the stack, so a
 * probe after it sees the same as one before it.
 */
bool arch_is_harmless(const uint8_t *code, size_t size);

/* Where it goes from an instruction. */
enum arch_flow {
	GOES_ON,	/* to the next, calls included */
	GOES_BRANCH,	/* to the target or to the next */
	GOES_JUMP,	/* to the target */
	GOES_INDIRECT,	/* to where a register or memory says */
	GOES_RETURN,
	GOES_STOP,	/* nowhere */
};
/* `target` is counted from the start of the instruction. */
enum arch_flow arch_flow(const uint8_t *code, size_t size, int64_t *target);
/*
 * The condition of a branch, as the processor numbers them; an odd one is the
 * opposite of the one before it.  False: it tests a register.
 */
bool arch_condition(const uint8_t *code, size_t size, unsigned *condition);
/*
 * When conditions hold: steps that each compute a bit, from a bit of ARCH_FLAGS
 * or from steps before; and for each pair of opposites the step that says
 * whether the even one of them holds.
 */
enum arch_step_kind {
	STEP_BIT,	/* bit a of the flags */
	STEP_OR,	/* of steps a and b */
	STEP_XOR,
};
struct arch_step {
	enum arch_step_kind kind;
	uint8_t a, b;
};
extern const struct arch_step arch_condition_steps[ARCH_CONDITION_STEPS];
extern const uint8_t arch_conditions[ARCH_CONDITION_PAIRS];

/*
 * Where an indirect jump finds its target: in a register, or in memory at
 * base + (index << shift) + displacement.
 */
struct arch_target {
	bool is_memory;
	uint8_t base, index; /* numbers; ARCH_NREGISTERS: none */
	uint8_t shift;
	int32_t displacement; /* from the start of this instruction, if the
				   base is the program counter */
};
/* False: not a plain address. */
bool arch_indirect(const uint8_t *code, size_t size,
		   struct arch_target *target);
/* Marked as the jump of a switch. */
bool arch_is_switch(const uint8_t *code, size_t size);
/* Number of the register that it adds another register to, or -1. */
int arch_added_to(const uint8_t *code, size_t size);

/*
 * A function that does nothing but return something that its first argument
 * leads to, as accessors do: from the argument, each step adds an offset and
 * reads what is there, except that the last may read nothing and be the address
 * itself.  Such a function tells where programs without debug information have
 * their data.  False: it does something else.
 */
enum { ARCH_GETTER_STEPS = 4 };
struct arch_getter {
	struct arch_getter_step {
		int32_t offset;
		uint8_t size; /* of what is read, without a sign; 0: nothing */
	} steps[ARCH_GETTER_STEPS];
	unsigned count;
};
bool arch_getter(const uint8_t *code, size_t size, struct arch_getter *getter);

/*
 * Data that the code of a small function loads or takes the address of, in the
 * order of its bytes, through a register or relative to itself: enough to learn
 * offsets of members from functions that are more than accessors.
 */
struct arch_access {
	unsigned size;	  /* bytes loaded; 0: the address itself */
	bool is_relative; /* value: from the function's start; else the offset */
	int64_t value;
};
size_t arch_accesses(const uint8_t *code, size_t size,
		     struct arch_access *accesses, size_t most);
/*
 * Data of the thread's own that code loads or stores first: where they are from
 * the thread pointer; false: there are none with a constant place.
 */
bool arch_thread_slot(const uint8_t *code, size_t size, int32_t *slot);

/* ----------------------------------------------- arguments of static probes */

/*
 * Notes say where the arguments of a site are in the words of the machine's
 * assembler.  An operand becomes a sum: base + index * scale + value, of
 * registers by their places.
 */
enum arch_operand_kind {
	OPERAND_UNREADABLE,	/* `problem` says why */
	OPERAND_CONSTANT,	/* the sum itself */
	OPERAND_REGISTER,	/* bits of the base, from `shift` on */
	OPERAND_MEMORY,		/* what is there */
};
enum { ARCH_NO_REGISTER = -1 };

struct arch_operand {
	enum arch_operand_kind kind;
	uint8_t shift, scale;
	int16_t base, index; /* or ARCH_NO_REGISTER */
	/*
	 * Data of the thread's own: a member of the kernel's struct
	 * thread_struct is added; NULL: none.
	 */
	const char *thread_member;
	int64_t value;
	bool is_relative; /* relative to the site's address */
	const char *problem;
};

/* Where the file has a symbol, as linked. */
typedef bool arch_symbol(void *data, struct str name, uint64_t *address);

/* The end of the argument that starts here: a size, '@', an operand. */
const char *arch_operand_end(const char *text);
/* An operand of a site at `address`. */
void arch_operand_parse(struct arena *arena, struct str text, uint64_t address,
			arch_symbol *symbol, void *data,
			struct arch_operand *operand);

/* ----------------------------------------------- sites in object files (-G) */

/*
 * A call of a probe's function becomes a site: only what is left of the call is
 * executed there, which may be a return.
 */
struct arch_site {
	uint64_t offset; /* of the site in the code */
	uint32_t below;	 /* bytes on the stack below words for it */
};
/*
 * Overwrites the call whose operand, which the linker would have filled in, is
 * at `operand`.  False: it is not a call.
 */
bool arch_call_to_site(uint8_t *code, uint64_t size, uint64_t operand,
		       struct arch_site *site);
/*
 * Where the next argument is, of 1, 2, 4 or 8 bytes, by the convention of calls
 * and in the words that arch_operand_parse() reads.
 */
struct text;
void arch_put_operand(struct text *out, unsigned size, bool is_float,
		      const struct arch_site *site, struct arch_taken *taken);

/* A function that returns the 2 bytes that its relocation is about. */
struct arch_function {
	uint8_t code[32];
	uint32_t size, operand, relocation;
	int64_t addend;
};
extern const struct arch_function arch_is_enabled;
/* Words of the note that says what such code supports; size 0: none. */
extern const uint32_t arch_property[];
extern const size_t arch_property_size;

/* ---------------------------------------------------------------- ELF files */

/*
 * Words of <elf.h>, from machine.h:
 *
 *	ARCH_ELF_MACHINE	e_machine of this machine's files
 *	ARCH_ELF_MACHINE_32	of its 32-bit programs' files
 *	ARCH_ELF_ADDRESS	the relocation of an 8-byte address
 *	ARCH_ELF_RELATIVE	the same, where only the file's place is not known
 *	ARCH_ELF_NONE		no relocation
 *
 * site.h, the text of a site for those who compile programs, is for all
 * machines.
 */

/* "x86-64" for EM_X86_64; NULL if it has no name here. */
const char *arch_machine_name(uint16_t elf_machine);

/* ------------------------------------------------------------ users' stacks */

/*
 * Tables of .eh_frame speak of registers by DWARF's numbers: ARCH_DWARF_FP,
 * ARCH_DWARF_SP.  Of others the walk knows nothing.  The caller's address is at
 * the CFA + ARCH_RETURN_AT.  Below the stack pointer ARCH_RED_ZONE bytes are in
 * use.  ARCH_THREAD_POINTER is the member of the kernel's struct task_struct that
 * has a thread's pointer to its own data.
 *
 * The expression that tables have for the CFA in procedure linkage tables; size
 * 0: they have none.
 */
extern const uint8_t arch_linkage_cfa[];
extern const size_t arch_linkage_cfa_size;

/*
 * The walk itself is in bpf/.  Its machine-dependent part must compile for BPF,
 * so it is a header, walk.h, which is based on bpf/unwind_state.h:
 *
 *	WALK_SIGNAL_PC, WALK_SIGNAL_SP, WALK_SIGNAL_FP
 *		where registers are in what a handler of a signal returns to,
 *		from the stack pointer
 *	walk_is_behind_call(s, address, callee)
 *		does a call end at that address?  If it says what it calls, that
 *		must be less than WALK_FUNCTION_MOST before `callee` (0: anything)
 *	walk_has_nothing_pushed(code), walk_has_pointer_pushed(code)
 *		where these 8 bytes of code come next, is the caller's address
 *		on top of the stack; is it the second word, after the caller's
 *		frame pointer?
 *	walk_linkage_cfa(pc, sp)
 *		what arch_linkage_cfa says
 *
 * and, for BPF alone:
 *
 *	walk_is_narrow(mode)
 *		does ARCH_MODE say that this is a 32-bit program?
 *	walk_is_breakpoint(code), WALK_BREAKPOINT
 *		do these 8 bytes end in a breakpoint, by whose size the program
 *		counter is too high?
 *	walk_pushed_at_return(offset)
 *		bytes pushed in the kernel's trampoline of returns
 *	walk_is_nop_code(code)
 *		does the kernel's trampoline of probed nops begin with these
 *		8 bytes?
 *	walk_leave_nop(w, offset)
 *		from the kernel's trampoline of probed nops back to the nop;
 *		0: it did not come from there
 */

/* -------------------------------------------- code of a Java virtual machine */

/*
 * What HotSpot's code has done to the stack where a thread was interrupted
 * (src/runtime/hotspot_walk.c): the first of the patterns that fits says it, else
 * it is ARCH_JAVA_NOTHING where a method begins.  Registers are words of
 * ARCH_RUNTIME_0 ...:
 *
 *	ARCH_JAVA_METHOD	the method that the interpreter enters; the
 *				caller's stack pointer when it leaves one
 *	ARCH_JAVA_BYTECODE	the interpreter's place in the bytecode; the
 *				caller's stack pointer while a method is entered,
 *				and the return address when it is left
 *	ARCH_JAVA_RETURN	the return address while one is entered
 */
enum arch_java_frame {
	ARCH_JAVA_WHOLE,	/* the whole frame */
	ARCH_JAVA_UNSAVED,	/* but the frame pointer is still in its register */
	ARCH_JAVA_NOTHING,	/* the return address */
	ARCH_JAVA_POINTER,	/* that and the frame pointer */
	/* the interpreter, which has almost left a method */
	ARCH_JAVA_POPS,		/* the return address is on the stack */
	ARCH_JAVA_MOVES,	/* it is in its register, the stack pointer is, too */
	ARCH_JAVA_JUMPS,	/* only the jump is left */
	ARCH_JAVA_FRAMES
};
enum arch_java_where {
	ARCH_JAVA_ANYWHERE,
	ARCH_JAVA_BEGINNING,	/* of a method, before its frame is complete */
	ARCH_JAVA_INTERPRETER,
};
struct arch_java_pattern {
	enum arch_java_where where;
	enum arch_java_frame frame;
	uint8_t count; /* of bytes from the place on: the lowest of `bytes` */
	uint32_t bytes;
	uint8_t count_before; /* the same, that many (`before`) bytes before it */
	uint8_t before;
	uint32_t bytes_before;
	uint8_t left; /* bytes of code until the frame is complete; 0: any */
};
extern const struct arch_java_pattern arch_java_patterns[];
extern const size_t arch_java_npatterns;

/* ---------------------------------------------------- threads that are held */

/* By ptrace(2), whose tracer we are.  An int is 0 or a negative errno. */
struct arch_thread {
	uint64_t pc, sp;
	uint64_t argument; /* the first, if it has just been called */
};
int arch_thread_read(pid_t pid, struct arch_thread *thread);
int arch_thread_go_to(pid_t pid, uint64_t pc);
/* Was the instruction at `before` a call? */
bool arch_thread_has_called(pid_t pid, const struct arch_thread *before,
			    const struct arch_thread *after);

/*
 * A breakpoint of the processor; an error if it has none left.  The thread
 * stops in front of the instruction.
 */
int arch_breakpoint_set(pid_t pid, uint64_t address);
int arch_breakpoint_clear(pid_t pid);
/*
 * The next best: 8 bytes of code that start with an instruction that stops the
 * thread.  Then the program counter is ARCH_BREAKPOINT_SIZE bytes after it.
 */
uint64_t arch_breakpoint_instruction(uint64_t code);

/* -------------------------------------------------------- the kernel, and D */

/*
 *	ARCH_VDSO_SIZE		minimum size of the vDSO in bytes
 *	ARCH_STORES_IN_ORDER	another CPU sees stores in the order of the program
 *	ARCH_CPP_OPTIONS	what cpp(1) is told of the machine for -C: a list
 *	ARCH_FPU_EVENT		beginning of the events about floating-point
 *				registers, as a description; names without any
 *				event are not probes
 *	ARCH_FAULT_PROTECTS, ARCH_FAULT_COPIES
 *				D for the error code of a page fault:
 *				access is not allowed; it is a write
 */

/*
 * Start of the function that the function tracer patches at an address; 0 if
 * that is not known: then use symbols.
 */
uint64_t arch_function_start(uint64_t patched);
