/* SPDX-License-Identifier: Apache-2.0 */
/*
 * HotSpot, the virtual machine of OpenJDK: Java's methods, files and lines.
 *
 * The tables that libjvm exports say where things are (hotspot_vm.h); the walk
 * needs the code cache and the form of frames (hotspot_walk.c).  What interpreted
 * frames look like is the machine's own secret but for two of their slots, from
 * which its serviceability agent counts the others; so does this.
 *
 * A machine that has just been loaded has no code cache yet.  Until it has, the
 * walk takes all code for its own and asks for another look.
 *
 * What a method is called is read once.
 */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/table.h"
#include "runtime/hotspot_method.h"
#include "runtime/hotspot_walk.h"
#include "runtime/memory.h"
#include "runtime/runtime.h"

struct method {
	uint64_t address;
	const char *function, *file;
	uint8_t *lines;
	size_t nlines;
};

struct hotspot {
	struct hotspot_vm vm;
	struct hotspot_code code;
	struct hotspot_layout layout;
	struct table methods; /* by address */
	const char *why;      /* the cache cannot be read; NULL: it was */
};

static bool is_in(const char *file)
{
	return !strcmp(file, "libjvm.so");
}

static bool read_memory(void *source, void *to, size_t size, uint64_t from)
{
	return runtime_read(source, from, to, size);
}

static uint64_t exported(void *image, const char *name)
{
	struct runtime_symbol symbol = { .name = name };

	runtime_symbols(image, &symbol, 1);
	return symbol.address;
}

/* ------------------------------------------------------------ for the walk */

static void renew(struct runtime_process *process)
{
	struct hotspot *hotspot = process->own;

	if (!hotspot->why)
		return;
	if (hotspot_code_read(&hotspot->vm, &hotspot->code, &hotspot->why) &&
	    !hotspot_walk_write(&hotspot->layout, &hotspot->code,
				process->block))
		hotspot->why = "its code cache is not as expected";
	if (hotspot->why)
		hotspot_walk_wait(process->block);
}

static bool prepare(struct runtime_process *process,
		    const struct runtime_image *image, const char **why)
{
	struct hotspot_memory memory = { read_memory, process };
	struct hotspot *hotspot = must_alloc(sizeof(*hotspot));
	struct runtime_image mapped = *image;

	memset(hotspot, 0, sizeof(*hotspot));
	process->own = hotspot;
	if (!hotspot_vm_read(&hotspot->vm, memory, exported, &mapped, why))
		return false;
	*why = "its frames are not as expected";
	if (!hotspot_layout_read(&hotspot->vm, &hotspot->layout))
		return false;
	hotspot->why = "not tried yet";
	renew(process);
	return true;
}

/* ------------------------------------------------------------------- names */

static const struct method *method_at(struct runtime_process *process,
				      uint64_t address)
{
	struct hotspot *hotspot = process->own;
	struct str key = { (const char *)&address, sizeof(address) };
	struct method *method = table_get(&hotspot->methods, key);
	struct hotspot_name name;

	if (method)
		return method;
	if (!hotspot_method_name(&hotspot->vm, &hotspot->code, address, &name))
		return NULL;
	method = runtime_memory_alloc(process->memory,
				      sizeof(*method) + name.nlines);
	if (!method)
		return NULL;
	*method = (struct method){
		.address = address,
		.function = runtime_text(process, name.function),
		.file = runtime_text(process, name.file),
		.lines = (uint8_t *)(method + 1),
		.nlines = name.nlines,
	};
	memcpy(method->lines, name.lines, name.nlines);
	key.p = (const char *)&method->address;
	table_put(&hotspot->methods, key, method);
	return method;
}

/* bci below 0: it is not known. */
static bool name_method(struct runtime_process *process, uint64_t address,
			int64_t bci, struct runtime_frame *frame,
			const char **why)
{
	const struct hotspot *hotspot = process->own;
	const struct method *method = method_at(process, address);

	*why = "a method is not as expected";
	if (!method)
		return false;
	frame->function = method->function;
	frame->file = method->file;
	frame->line = bci < 0 ? 0
			      : hotspot_line(method->lines, method->nlines,
					     hotspot->code.excess,
					     (uint32_t)bci);
	return true;
}

static unsigned name_frame(struct runtime_process *process, uint64_t pointer,
			   uint32_t detail, struct runtime_frame *frames,
			   const char **why)
{
	int64_t bci = detail < 65536 ? (int64_t)detail : -1;

	return name_method(process, pointer, bci, frames, why);
}

/* A stub is called what the machine calls it. */
static unsigned name_stub(struct runtime_process *process,
			  const struct hotspot_blob *blob,
			  struct runtime_frame *frames)
{
	if (!blob->name[0])
		return 0;
	for (const char *c = blob->name; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 127)
			return 0;
	frames->function = runtime_text(process, blob->name);
	frames->file = "";
	return 1;
}

static unsigned name_code(struct runtime_process *process, uint64_t pc,
			  struct runtime_frame *frames, const char **why)
{
	struct hotspot *hotspot = process->own;
	struct hotspot_scope scopes[HOTSPOT_INLINED];
	struct hotspot_blob blob;
	unsigned count, named = 0;

	*why = "the code is not there any more";
	if (hotspot->why ||
	    pc - hotspot->code.low >= hotspot->code.high - hotspot->code.low ||
	    !hotspot_blob_find(&hotspot->vm, &hotspot->code, pc, &blob))
		return 0;
	if (!blob.is_method)
		return name_stub(process, &blob, frames);
	count = hotspot_scopes(&hotspot->vm, &hotspot->code, &blob, pc, scopes);
	for (unsigned i = 0; i < count && named < RUNTIME_INLINED; i++)
		named += name_method(process, scopes[i].method, scopes[i].bci,
				     &frames[named], why);
	return named;
}

static void free_own(struct runtime_process *process)
{
	struct hotspot *hotspot = process->own;

	if (!hotspot)
		return;
	table_free(&hotspot->methods);
	free(hotspot);
}

const struct runtime runtime_hotspot = {
	.name = "hotspot",
	.is_in = is_in,
	.prepare = prepare,
	.renew = renew,
	.name_frame = name_frame,
	.name_code = name_code,
	.free = free_own,
};
