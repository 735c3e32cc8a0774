/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The offsets that lead to a goroutine's number come from the program's own code,
 * because its structures change with each version and stripped programs have no
 * other description of them.
 *
 * Some functions of the runtime print or compare the number, and they are in
 * every program.  What all of them load is an offset of that; anything else is
 * loaded by fewer.  The pointer to the structure is in the thread's own data,
 * where code that switches goroutines stores it; position-independent code has
 * its place in memory, but then mostly there are no other such data.  The other
 * pointers are in the code of runtime.systemstack.
 */
#include "runtime/goroutine.h"

#include <string.h>

#include "arch/arch.h"
#include "proc/go_code.h"
#include "proc/go_table.h"
#include "proc/image.h"
#include "proc/process.h"
#include "runtime/runtime.h"

enum { CODE_MOST = 4096, ACCESSES_MOST = 256, OFFSETS_MOST = 64 };

static const char *const readers[] = {
	"runtime.casfrom_Gscanstatus", "runtime.dumpgstatus",
	"runtime.goroutineheader",     "runtime.goschedImpl",
	"runtime.preemptPark",	       "runtime.ready",
	"runtime.resumeG",	       "runtime.stoplockedm",
	"runtime.suspendG",	       "runtime.traceCPUSample",
};
enum { NREADERS = sizeof(readers) / sizeof(*readers), LEAST = 3 };

static const char *const switchers[] = {
	"runtime.mcall", "runtime.systemstack", "gogo", "runtime.gogo",
};
enum { NSWITCHERS = sizeof(switchers) / sizeof(*switchers) };

struct votes {
	struct vote {
		int64_t offset;
		unsigned count, last; /* the reader that voted last, from 1 */
	} items[OFFSETS_MOST];
	unsigned count;
};

static void vote(struct votes *votes, int64_t offset, unsigned reader)
{
	enum { FAR = 1024 };
	unsigned i = 0;

	if (offset <= 0 || offset >= FAR || offset % 8)
		return;
	while (i < votes->count && votes->items[i].offset != offset)
		i++;
	if (i == OFFSETS_MOST)
		return;
	if (i == votes->count)
		votes->items[votes->count++] = (struct vote){ offset, 0, 0 };
	if (votes->items[i].last == reader)
		return;
	votes->items[i].last = reader;
	votes->items[i].count++;
}

static bool find_number(struct go_code *code, struct goroutine_place *place)
{
	struct go_code_name names[NREADERS];
	struct arch_access accesses[ACCESSES_MOST];
	struct votes votes = { 0 };
	uint8_t bytes[CODE_MOST];
	const struct vote *best = NULL;
	unsigned next = 0;

	for (unsigned i = 0; i < NREADERS; i++)
		names[i] = (struct go_code_name){ .name = readers[i] };
	go_code_find(code, names, NREADERS);
	for (unsigned i = 0; i < NREADERS; i++) {
		size_t size = go_code_bytes(code, &names[i], bytes, CODE_MOST);
		size_t count = arch_accesses(bytes, size, accesses,
					     ACCESSES_MOST);

		for (size_t n = 0; n < count; n++)
			if (accesses[n].size == 8 && !accesses[n].is_relative)
				vote(&votes, accesses[n].value, i + 1);
	}
	for (unsigned i = 0; i < votes.count; i++)
		if (!best || votes.items[i].count > best->count)
			best = &votes.items[i];
	for (unsigned i = 0; i < votes.count; i++)
		if (&votes.items[i] != best && votes.items[i].count > next)
			next = votes.items[i].count;
	if (!best || best->count < LEAST || best->count == next)
		return false;
	place->number = (uint32_t)best->offset;
	return true;
}

static bool find_slot(struct go_code *code, int32_t *slot)
{
	struct go_code_name names[NSWITCHERS];
	uint8_t bytes[CODE_MOST];
	const Elf64_Phdr *own = go_code_segment(code, PT_TLS);

	for (unsigned i = 0; i < NSWITCHERS; i++)
		names[i] = (struct go_code_name){ .name = switchers[i] };
	go_code_find(code, names, NSWITCHERS);
	for (unsigned i = 0; i < NSWITCHERS; i++)
		if (arch_thread_slot(bytes,
				     go_code_bytes(code, &names[i], bytes,
						   CODE_MOST),
				     slot))
			return true;
	if (!own || own->p_memsz != sizeof(uint64_t))
		return false;
	*slot = -(int32_t)sizeof(uint64_t);
	return true;
}

/*
 * systemstack loads the thread's structure, the stack pointer of the stack that it
 * goes to; then the same again, and the goroutine in between, to go back.
 */
static bool find_pointers(struct go_code *code, struct goroutine_place *place)
{
	enum { LOADS = 5, FAR = 4096 };
	struct go_code_name name = { .name = "runtime.systemstack" };
	struct arch_access accesses[ACCESSES_MOST];
	uint8_t bytes[CODE_MOST];
	uint32_t loads[LOADS] = { 0 };
	size_t n = 0;

	go_code_find(code, &name, 1);
	size_t count = arch_accesses(bytes,
				     go_code_bytes(code, &name, bytes,
						   CODE_MOST),
				     accesses, ACCESSES_MOST);

	for (size_t i = 0; i < count && n < LOADS; i++)
		if (accesses[i].size == 8 && !accesses[i].is_relative) {
			if (accesses[i].value < 0 || accesses[i].value >= FAR ||
			    accesses[i].value % 8)
				return false;
			loads[n++] = (uint32_t)accesses[i].value;
		}
	place->machine = loads[0];
	place->sp = loads[1];
	place->goroutine = loads[3];
	return n == LOADS && loads[2] == loads[0] && loads[4] == loads[1];
}

bool goroutine_place(struct go_code *code, struct goroutine_place *place)
{
	*place = (struct goroutine_place){ 0 };
	return find_slot(code, &place->slot) && find_pointers(code, place);
}

bool goroutine_find(struct processes *processes, struct process *process,
		    struct goroutine_place *place)
{
	const struct space *space = process->space;

	for (size_t i = 0; space && i < space->count; i++) {
		const struct mapping *mapping = &space->mappings[i];
		struct go_code *code;

		if (!runtime_image_is_go(processes, process, mapping))
			continue;
		code = image_go(mapping->image);
		return code && goroutine_place(code, place) &&
		       find_number(code, place);
	}
	return false;
}
