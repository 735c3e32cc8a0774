/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Names of addresses, in the kernel and in processes.
 *
 * Nothing is read before the first name is requested.  The kernel's table is
 * read once; a process's mappings are read when the process is first seen and
 * again if they do not contain an address; the symbols of an object file are
 * shared by all processes that map it.  What is known about a process is kept
 * after its end, until symbols_forget().
 */

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/str.h"

struct budget; /* base/budget.h */
struct processes;
struct served_hooks; /* proc/served.h */
struct symbols;

/*
 * Everything that is known of processes and of files they map (process.h); a
 * session has one.  `budget`: for what is read from files; NULL: no limit.
 */
struct processes *processes_new(struct budget *budget,
				const struct served_hooks *hooks);
void processes_free(struct processes *processes);
struct budget *processes_budget(const struct processes *processes);
struct served *processes_served(const struct processes *processes);
/* The process is a target of the session's; NULL: not any more. */
struct target;
void processes_set_target(struct processes *processes, pid_t pid,
			  struct target *target);
/* Is it one that target_settle() will resume? */
/* Its target, if it is one of the session's; or NULL. */
struct target *processes_target(const struct processes *processes, pid_t pid);
bool processes_waits(const struct processes *processes, pid_t pid);

struct symbol {
	const char *module; /* kernel module, or the object's file name */
	const char *name;   /* NULL: only the module is known */
	uint64_t start;	    /* where it starts; without name: the module */
	uint64_t offset;    /* of the address in it */
	uint64_t code;	    /* without name: elf_symbols_code_start(), or 0 */
	uint64_t module_start; /* the same for all addresses of the module */
	bool is_script;	       /* the name is all there is to say */
};

/* `processes` are borrowed and are not freed. */
struct symbols *symbols_new(struct processes *processes);
void symbols_free(struct symbols *symbols);

/* False: nothing is known about the address. */
bool symbols_kernel(struct symbols *symbols, uint64_t address,
		    struct symbol *symbol);
/* It was already requested, and the kernel shows us no addresses. */
bool symbols_kernel_hidden(const struct symbols *symbols);
bool symbols_user(struct symbols *symbols, uint32_t pid, uint64_t address,
		  struct symbol *symbol);
/* From now on receive events for mappings, so that no process must be read. */
void symbols_watch(struct symbols *symbols);
/* Process received events before there are too many; cheap. */
void symbols_poll(struct symbols *symbols);
/* Is there code that the process itself generated? */
bool symbols_is_made(struct symbols *symbols, uint32_t pid, uint64_t address);
/* Read a process while it exists; cheap if that was done recently. */
void symbols_note_process(struct symbols *symbols, uint32_t pid);
/*
 * Long runs meet any number of processes.  When there are many, use
 * symbols_keep() for those whose addresses will be named again; others that
 * ended more than `age` ns ago are then forgotten.
 */
bool symbols_are_many(const struct symbols *symbols);
void symbols_keep(struct symbols *symbols, uint32_t pid);
void symbols_forget(struct symbols *symbols, uint64_t age);
/*
 * Is the address in what brought the kernel to a BPF program: the program
 * itself and what calls it?
 */
bool symbols_is_machinery(struct symbols *symbols, uint64_t address);
/* The most frames that the kernel returns of its own stack. */
uint32_t symbols_kernel_depth(struct symbols *symbols);

/* ---------------------------------------------------------- inside proc/ */

/* kallsyms.c */
struct kernel_symbols;
struct kernel_symbols *kernel_symbols_read(const char *path);
void kernel_symbols_free(struct kernel_symbols *table);
/* All addresses read as 0. */
bool kernel_symbols_hidden(const struct kernel_symbols *table);
bool kernel_symbols_find(const struct kernel_symbols *table, uint64_t address,
			 struct symbol *symbol);

/* elf.c: symbols of one object file, by address in the file's own terms. */
struct elf_symbols;
/* `root` and `path`: elf_file_open_debug(). */
struct elf_symbols *elf_symbols_read(int fd, const char *root, const char *path,
				     struct budget *budget);
/* The vDSO of this process; every process of the kernel has the same. */
struct elf_symbols *elf_symbols_vdso(void);
void elf_symbols_free(struct elf_symbols *elf);
/* Address, as linked, of a byte of the file. */
bool elf_symbols_address(const struct elf_symbols *elf, uint64_t offset,
			 uint64_t *address);
bool elf_symbols_find(const struct elf_symbols *elf, uint64_t address,
		      const char **name, uint64_t *start);
/*
 * Where the function without a name starts that has this address, as far as the
 * file says; else the address itself.
 */
uint64_t elf_symbols_code_start(const struct elf_symbols *elf,
				uint64_t address);

/* Address, as linked, of a symbol. */
bool elf_symbols_lookup(const struct elf_symbols *elf, struct str name,
			uint64_t *address);

/* process.c */
struct processes *symbols_processes(struct symbols *symbols);
/* Names of C++ and Rust as the linker has them, or as they were written. */
void processes_set_mangled(struct processes *processes, bool is_mangled);
void processes_watch(struct processes *processes);
void processes_poll(struct processes *processes);
bool processes_is_made(struct processes *processes, uint32_t pid,
		       uint64_t address);
void processes_note(struct processes *processes, uint32_t pid);
/* forget.c */
bool processes_are_many(const struct processes *processes);
void processes_keep(struct processes *processes, uint32_t pid);
void processes_forget(struct processes *processes, uint64_t age);
bool processes_find(struct processes *processes, uint32_t pid, uint64_t address,
		    struct symbol *symbol);
