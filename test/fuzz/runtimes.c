/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libFuzzer target: a process that has a runtime and any memory.
 *
 * An input is a head (struct head) and the process's memory, which begins at
 * MEMORY_AT.  Other addresses cannot be read, or lead somewhere into it.  What
 * the process is asked for:
 *
 * 1. Names of frames and of code.  The runtime reads with pread() as ever, which
 *    is another one here (the linker's --wrap).  Names are texts in memory of
 *    the process's own, of which there is not more than a name needs.
 * 2. A walk over its stack with the program of the runtime.  It ends after as
 *    many steps as it may take, and neither reads nor writes outside of its
 *    tables.  Little of what is random leads far, so most words can be words
 *    that lead on (IS_NOISE).
 *
 * RUNTIME_SEEDS=directory: writes whole worlds there, as the unit tests make
 * them, with pointers as they are in such a process.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "bpf/library.h"
#include "bpf/unwind.h"
#include "bpf/unwind_native.h"
#include "runtime/memory.h"
#include "test/fuzz/runtimes.h"

#define MEMORY_AT 0x10000000ull
enum { WORD = 8, FRAMES = 127, NUMBERS = 8, REGISTERS = 12 };

static const struct fuzz_runtime *const all[] = {
	&fuzz_cpython, &fuzz_go,  &fuzz_hotspot, &fuzz_lua,
	&fuzz_perl,    &fuzz_php, &fuzz_ruby,	 &fuzz_v8,
};
enum { RUNTIMES = sizeof(all) / sizeof(*all) };

enum flag {
	IS_EVERYWHERE = 1, /* all addresses can be read */
	IS_MOVED = 2,	   /* the stack is not what it was when it was copied */
	HAS_MAPPING = 4,
	HAS_CHANGES = 8,
	HAS_LANGUAGE = 16, /* frames came with the copy */
	IS_NOISE = 32,	   /* the walk: see noise() */
};

struct head {
	uint8_t runtime, choice, flags, nothing;
	uint32_t detail;
	uint16_t object, code, stack, language; /* places in the memory */
	uint16_t numbers[NUMBERS];
	uint64_t registers[REGISTERS]; /* PC, SP, FP, thread, others */
};

static struct input {
	const uint8_t *bytes;
	size_t size;
	unsigned flags;
	uint64_t nreads, nbytes;
	int fd; /* of the process's memory */
} input;

static void check(bool claim, const char *what)
{
	if (claim)
		return;
	fprintf(stderr, "%s\n", what);
	abort();
}

uint64_t fuzz_address(unsigned n)
{
	return MEMORY_AT + n;
}

/* ----------------------------------------------------------- the process */

static bool read_memory(void *to, size_t size, uint64_t from)
{
	uint64_t at = from - MEMORY_AT;

	input.nreads++;
	input.nbytes += size;
	if (at < input.size && size <= input.size - at) {
		memcpy(to, input.bytes + at, size);
		return true;
	}
	if (!(input.flags & IS_EVERYWHERE) || !input.size)
		return false;
	for (size_t done = 0; done < size;) {
		size_t place = (at + done) % input.size;
		size_t part = input.size - place;

		if (part > size - done)
			part = size - done;
		memcpy((char *)to + done, input.bytes + place, part);
		done += part;
	}
	return true;
}

ssize_t __real_pread(int fd, void *to, size_t size, off_t from);
ssize_t __wrap_pread(int fd, void *to, size_t size, off_t from);

ssize_t __wrap_pread(int fd, void *to, size_t size, off_t from)
{
	if (fd != input.fd)
		return __real_pread(fd, to, size, from);
	return read_memory(to, size, (uint64_t)from) ? (ssize_t)size : -1;
}

enum { NOISE_SIZE = 1 << 16 };

/* The word there: code or a pointer, mostly, which may have a tag. */
static uint64_t noise(uint64_t at)
{
	enum { CODE_SIZE = 8192, POINTERS = 10, CODE = 14, NUMBERS = 15 };
	uint64_t mix = (at ^ (uint64_t)input.size << 32 ^ input.bytes[0]) *
		       0x9e3779b97f4a7c15;
	uint64_t what = mix >> 60, more = mix >> 24 & 0xffffff;

	if (what < POINTERS)
		return MEMORY_AT + more % NOISE_SIZE / WORD * WORD +
		       (input.flags >> 6 & mix >> 59 & 1);
	if (what < CODE)
		return MEMORY_AT + 4096 + more % CODE_SIZE;
	return what < NUMBERS ? more % 256 : mix << 7;
}

static bool read_noise(void *to, size_t size, uint64_t from)
{
	uint8_t *bytes = to;

	input.nreads++;
	if (from - MEMORY_AT >= NOISE_SIZE)
		return false;
	for (size_t i = 0; i < size; i++) {
		uint64_t at = from + i;

		bytes[i] = (uint8_t)(noise(at / WORD) >> at % WORD * 8);
	}
	return true;
}

static bool read_stack(void *to, uint32_t size, uint64_t from)
{
	unsigned flags = input.flags;

	if (flags & IS_NOISE)
		return read_noise(to, size, from);
	input.flags &= ~(unsigned)IS_EVERYWHERE;
	bool is_read = read_memory(to, size, from);

	input.flags = flags;
	return is_read;
}

static bool read_now(void *to, uint32_t size, uint64_t from)
{
	bool is_read = input.flags & IS_NOISE ? read_noise(to, size, from)
					      : read_memory(to, size, from);

	if (is_read && size && input.flags & IS_MOVED && from & 64)
		*(uint8_t *)to ^= 1;
	return is_read;
}

/* ------------------------------------------------------------------ names */

static void check_frames(const struct runtime_frame *frames, unsigned count,
			 const char *why)
{
	enum { LONGEST = 4096 };

	check(count <= RUNTIME_INLINED, "more frames than there is room for");
	check(count || why, "nothing says why there is no name");
	for (unsigned i = 0; i < count; i++)
		check(frames[i].function && frames[i].file &&
			      strlen(frames[i].function) < LONGEST &&
			      strlen(frames[i].file) < LONGEST,
		      "a frame has no texts");
}

static void name(struct runtime_process *process, const struct head *head)
{
	const struct runtime *runtime = process->runtime;
	uint64_t object = (MEMORY_AT + head->object) & ~7ull;
	const uint32_t details[] = { head->detail & RUNTIME_DETAIL_MOST, 3,
				     RUNTIME_DETAIL_MOST };

	for (unsigned i = 0; i < sizeof(details) / sizeof(*details); i++) {
		struct runtime_frame frames[RUNTIME_INLINED];
		const char *why = "the process does not tell";

		memset(frames, 0, sizeof(frames));
		unsigned count = runtime->name_frame(process, object,
						     details[i], frames, &why);

		check_frames(frames, count, why);
		if (!runtime->name_code || !process->own)
			continue;
		memset(frames, 0, sizeof(frames));
		count = runtime->name_code(process, MEMORY_AT + head->code + i,
					   frames, &why);
		check_frames(frames, count, why);
	}
}

/* ------------------------------------------------------------------- walk */

static void fill_list(uint64_t *list, const struct head *head,
		      const uint64_t *block)
{
	memset(list, 0, 16 * WORD);
	list[LIST_COUNT] = head->flags & HAS_MAPPING ? 1 : 0;
	list[LIST_FLAGS] = head->flags & HAS_CHANGES ? LIST_CHANGES : 0;
	list[LIST_RUNTIME] = UNWIND_POOL_AT + 16 * WORD;
	list[LIST_HEAD] = MEMORY_AT + 4096;
	list[LIST_HEAD + 1] = MEMORY_AT + 8192;
	memcpy(list + 16, block, RUNTIME_WORDS * WORD);
}

static void fill_language(uint64_t *language, const struct head *head)
{
	enum { WORDS = UNWIND_LANGUAGE / WORD - 1 };
	const uint8_t *from = input.bytes + head->language % (input.size + 1);
	size_t size = input.size - (size_t)(from - input.bytes);

	memcpy(language, from, size < WORDS * WORD ? size : WORDS * WORD);
}

static void walk(const struct head *head, const uint64_t *block)
{
	enum { SIZE = UNWIND_LEAST, CAP = (1 + FRAMES) * WORD };
	/* steps, what each may read; the stack, twice */
	const uint64_t most = (CAP * 8 + 1024 + FRAMES) * 2;
	static char *memory;
	uint64_t slot[UNWIND_SLOT_HEAD / WORD] = {
		[SLOT_PC] = head->registers[0],
		[SLOT_SP] = head->registers[1],
		[SLOT_FP] = head->registers[2],
		[SLOT_THREAD] = head->registers[3],
	};
	char *words = malloc(CAP);

	if (!memory)
		memory = calloc(1, SIZE);
	check(words && memory, "no memory");
	memset(memory + UNWIND_RULES_AT, 0, UNWIND_RULES * WORD);
	memset(words, 0, CAP);
	memcpy(slot + SLOT_REGISTERS, head->registers + 4, 6 * WORD);
	if (head->flags & HAS_LANGUAGE)
		fill_language(slot + SLOT_LANGUAGE, head);
	for (unsigned i = SLOT_PC; i <= SLOT_FP; i++)
		if (head->flags & IS_NOISE)
			slot[i] = MEMORY_AT +
				  (i == SLOT_PC ? 4096 + slot[i] % 8192
						: slot[i] % NOISE_SIZE & ~7ull);
	if (head->flags & IS_NOISE)
		slot[SLOT_THREAD] = MEMORY_AT;
	fill_list((uint64_t *)(memory + UNWIND_POOL_AT), head, block);
	input.nreads = 0;

	uint64_t result = (uint64_t)unwind_native(words, memory,
						  CAPS(CAP, SIZE),
						  UNWIND_POOL_AT, slot,
						  read_stack, read_now);

	check((uint32_t)result <= FRAMES, "more frames than there is room for");
	check(input.nreads <=
		      most + 3 * ((input.size + NOISE_SIZE) / WORD),
	      "the walk has read too much");
	free(words);
}

/* -------------------------------------------------------------------- all */

static void set_registers(struct head *head, uint64_t code, uint64_t stack)
{
	const uint64_t at = MEMORY_AT;
	const uint64_t registers[REGISTERS] = {
		code, at + stack, at + stack + 64, at, at, at + 64,
		at + 128, at, at + 256, at,
	};

	memcpy(head->registers, registers, sizeof(registers));
}

/* Pointers into the world become addresses of the process. */
static void relocate(const struct fuzz_world *world, uint8_t *to)
{
	for (size_t at = 0; at < world->size; at += WORD) {
		uint64_t word = 0;
		size_t size = world->size - at < WORD ? world->size - at : WORD;

		memcpy(&word, (uint8_t *)world->bytes + at, size);
		if (word - (uint64_t)world->bytes <= world->size)
			word += MEMORY_AT - (uint64_t)world->bytes;
		memcpy(to + at, &word, size);
	}
}

static void write_seed(const char *directory, unsigned runtime,
		       unsigned choice, unsigned n)
{
	struct fuzz_world world = all[runtime]->make(choice);
	struct head head = {
		.runtime = (uint8_t)runtime,
		.choice = (uint8_t)choice,
		.flags = (uint8_t)((choice & 15) | (n ? IS_NOISE : 0)),
		.detail = world.detail,
	};
	uint8_t *bytes = malloc(world.size);
	char path[4096];

	if (n && !world.objects[n])
		n = 0;
	if (world.objects[n])
		head.object = head.code = head.stack =
			(uint16_t)((char *)world.objects[n] -
				   (char *)world.bytes);
	set_registers(&head, MEMORY_AT + head.code, head.stack);
	snprintf(path, sizeof(path), "%s/%s.%u.%u", directory,
		 all[runtime]->runtime->name, choice, n);
	FILE *file = fopen(path, "we");

	check(bytes && file, "cannot write a seed");
	relocate(&world, bytes);
	check(fwrite(&head, sizeof(head), 1, file) == 1 &&
		      fwrite(bytes, world.size, 1, file) == 1 && !fclose(file),
	      "cannot write a seed");
	free(bytes);
}

int LLVMFuzzerInitialize(int *argc, char ***argv);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	const char *directory = getenv("RUNTIME_SEEDS");

	(void)argc;
	(void)argv;
	for (unsigned i = 0; directory && i < RUNTIMES; i++)
		for (unsigned choice = 0; choice < 128;
		     choice += choice % 16 == 15 ? 49 : 1)
			for (unsigned n = 0; n < 2; n++)
				write_seed(directory, i, choice, n);
	input.fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	enum { HELD_MOST = 1 << 20 }; /* for a few names */
	struct head head;

	if (size <= sizeof(head))
		return 0;
	memcpy(&head, bytes, sizeof(head));
	input.bytes = bytes + sizeof(head);
	input.size = size - sizeof(head);
	input.flags = head.flags;

	const struct fuzz_runtime *fuzzed = all[head.runtime % RUNTIMES];
	struct runtime_process process = {
		.runtime = fuzzed->runtime,
		.pid = (uint32_t)getpid(),
		.memory = runtime_memory_new((uint32_t)getpid(), NULL),
	};

	close(process.memory->fd);
	process.memory->fd = dup(input.fd);
	int fd = input.fd;

	input.fd = process.memory->fd;
	process.own = fuzzed->own(&process, head.choice);
	name(&process, &head);
	check(process.memory->held < HELD_MOST, "names take too much memory");
	process.block[RUNTIME_IS_THERE] = 1;
	process.block[RUNTIME_RANGES + 1] = 1ull << 47;
	if (fuzzed->write(&process, head.choice, head.numbers))
		walk(&head, process.block);
	if (fuzzed->release)
		fuzzed->release(process.own);
	runtime_memory_free(process.memory);
	input.fd = fd;
	return 0;
}
