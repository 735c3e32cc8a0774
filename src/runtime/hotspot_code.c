/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/hotspot_code.h"

#include <string.h>

enum { FREE = 255, HOPS = 4096, BLOB_MOST = 64 << 20, PCS_MOST = 1 << 24 };

/* ---------------------------------------------------------------- the cache */

static bool read_heap(const struct hotspot_vm *vm, uint64_t address,
		      struct hotspot_code *code)
{
	struct hotspot_heap *heap = &code->heaps[code->nheaps];
	uint64_t memory = hotspot_inner(vm, HOTSPOT_heap_memory, address);
	uint64_t segments = hotspot_inner(vm, HOTSPOT_heap_segments, address);
	uint64_t shift;

	if (!hotspot_get(vm, HOTSPOT_space_low_bound, memory, &heap->low) ||
	    !hotspot_get(vm, HOTSPOT_space_high_bound, memory, &heap->high) ||
	    !hotspot_get(vm, HOTSPOT_space_low, segments, &heap->segments) ||
	    !hotspot_get(vm, HOTSPOT_heap_shift, address, &shift) ||
	    heap->low >= heap->high || shift < 3 || shift > 16 ||
	    (code->nheaps && code->shift != shift))
		return false;
	code->shift = (unsigned)shift;
	code->nheaps++;
	return true;
}

bool hotspot_code_read(const struct hotspot_vm *vm, struct hotspot_code *code,
		       const char **why_not)
{
	uint64_t list = hotspot_value(vm, HOTSPOT_code_heaps, 0);
	uint64_t count = hotspot_value(vm, HOTSPOT_list_count, list);
	uint64_t items = hotspot_value(vm, HOTSPOT_list_items, list);
	uint64_t stubs = hotspot_value(vm, HOTSPOT_interpreter, 0);

	memset(code, 0, sizeof(*code));
	*why_not = "the Java virtual machine is still starting";
	code->low = hotspot_value(vm, HOTSPOT_code_low, 0);
	code->high = hotspot_value(vm, HOTSPOT_code_high, 0);
	if (!code->low || !list || !stubs)
		return false;
	code->interpreter = hotspot_value(vm, HOTSPOT_stubs_start, stubs);
	code->interpreter_end = code->interpreter +
				hotspot_value(vm, HOTSPOT_stubs_limit, stubs);
	*why_not = "its code cache is not as expected";
	if (code->high <= code->low || !count || count > HOTSPOT_HEAPS ||
	    code->interpreter < code->low ||
	    code->interpreter_end > code->high ||
	    code->interpreter_end <= code->interpreter)
		return false;
	for (unsigned i = 0; i < count; i++) {
		uint64_t heap;

		if (!hotspot_bytes(vm, &heap, sizeof(heap),
				   items + i * sizeof(heap)) ||
		    !read_heap(vm, heap, code))
			return false;
	}
	*why_not = NULL;
	return true;
}

/* Where the piece begins that has a segment; 0: it is free. */
static uint64_t find_block(const struct hotspot_vm *vm,
			   const struct hotspot_code *code,
			   const struct hotspot_heap *heap, uint64_t address)
{
	uint64_t segment = (address - heap->low) >> code->shift;
	uint8_t back;

	for (unsigned i = 0; i < HOPS; i++) {
		if (!hotspot_bytes(vm, &back, 1, heap->segments + segment) ||
		    back == FREE || back > segment)
			return 0;
		if (!back)
			return heap->low + (segment << code->shift);
		segment -= back;
	}
	return 0;
}

static bool read_blob(const struct hotspot_vm *vm, uint64_t at,
		      struct hotspot_blob *blob)
{
	uint64_t offset, name = hotspot_value(vm, HOTSPOT_blob_name, at);

	*blob = (struct hotspot_blob){
		.address = at,
		.size = (uint32_t)hotspot_value(vm, HOTSPOT_blob_size, at),
		.frame = (uint32_t)hotspot_value(vm, HOTSPOT_blob_frame, at),
		.complete = (uint32_t)hotspot_value(vm, HOTSPOT_blob_complete,
						    at),
	};
	if (hotspot_get(vm, HOTSPOT_blob_code_offset, at, &offset))
		blob->code = at + offset;
	else
		blob->code = hotspot_value(vm, HOTSPOT_blob_code, at);
	if (!name || !hotspot_text(vm, name, blob->name, sizeof(blob->name)))
		blob->name[0] = '\0';
	blob->is_method = !strcmp(blob->name, "nmethod") ||
			  !strcmp(blob->name, "native nmethod");
	return blob->size && blob->size <= BLOB_MOST &&
	       blob->code - at < blob->size;
}

bool hotspot_blob_find(const struct hotspot_vm *vm,
		       const struct hotspot_code *code, uint64_t address,
		       struct hotspot_blob *blob)
{
	for (unsigned i = 0; i < code->nheaps; i++) {
		const struct hotspot_heap *heap = &code->heaps[i];

		if (address - heap->low >= heap->high - heap->low)
			continue;
		uint64_t block = find_block(vm, code, heap, address);

		return block &&
		       read_blob(vm, block + vm->sizes[HOTSPOT_SIZE_block],
				 blob) &&
		       address - blob->address < blob->size;
	}
	return false;
}

/* ------------------------------------------------------- compressed numbers */

/*
 * Six bits in each byte but the last, which is the first one below 192; the
 * fifth is the last in any case.  Newer machines never write a byte 0 and add 1
 * to each: their excess is 1.
 */
bool hotspot_number(const uint8_t *bytes, size_t size, size_t *at,
		    uint8_t excess, uint32_t *number)
{
	enum { LAST = 4, MORE = 192, BITS = 6 };
	uint32_t sum = 0;

	for (unsigned i = 0; *at < size; i++) {
		uint8_t byte = bytes[(*at)++];

		if (byte < excess)
			return false;
		sum += (uint32_t)(byte - excess) << (i * BITS);
		if (byte < MORE || i == LAST) {
			*number = sum;
			return true;
		}
	}
	return false;
}

/* ------------------------------------------------------------------- scopes */

/* Where a compiled method keeps its descriptions. */
struct parts {
	uint64_t pcs, npcs;
	uint64_t scopes, scopes_size;
	uint64_t metadata, nmetadata;
};

static bool find_parts(const struct hotspot_vm *vm,
		       const struct hotspot_blob *blob, struct parts *parts)
{
	uint64_t at = blob->address, base = at, end = at + blob->size;
	uint64_t pcs = hotspot_value(vm, HOTSPOT_nmethod_pcs, at), pcs_end;
	uint64_t metadata, metadata_end;

	if (hotspot_has(vm, HOTSPOT_nmethod_immutable)) {
		base = hotspot_value(vm, HOTSPOT_nmethod_immutable, at);
		end = base +
		      hotspot_value(vm, HOTSPOT_nmethod_immutable_size, at);
	}
	if (hotspot_has(vm, HOTSPOT_nmethod_scopes)) {
		parts->scopes = base +
				hotspot_value(vm, HOTSPOT_nmethod_scopes, at);
		pcs_end = parts->scopes - base;
		parts->scopes_size = end - parts->scopes;
	} else {
		parts->scopes = hotspot_value(vm, HOTSPOT_nmethod_scopes_begin,
					      at);
		pcs_end = hotspot_value(vm, HOTSPOT_nmethod_pcs_end, at);
		parts->scopes_size = base + pcs - parts->scopes;
	}
	if (hotspot_has(vm, HOTSPOT_nmethod_metadata)) {
		metadata = at + hotspot_value(vm, HOTSPOT_nmethod_metadata, at);
		metadata_end = base == at ? parts->scopes : at + blob->size;
	} else {
		metadata = hotspot_value(vm, HOTSPOT_blob_mutable, at);
		metadata_end = metadata +
			       hotspot_value(vm, HOTSPOT_blob_mutable_size, at);
		metadata += hotspot_value(vm, HOTSPOT_blob_relocation_size, at);
	}
	parts->pcs = base + pcs;
	parts->npcs = (pcs_end - pcs) / vm->sizes[HOTSPOT_SIZE_pc];
	parts->metadata = metadata;
	parts->nmetadata = (metadata_end - metadata) / 8;
	return pcs < pcs_end && pcs_end - pcs <= PCS_MOST &&
	       parts->scopes_size <= BLOB_MOST && metadata <= metadata_end &&
	       metadata_end - metadata <= BLOB_MOST;
}

/* The description of the first place at or after an address. */
static bool find_pc(const struct hotspot_vm *vm, const struct parts *parts,
		    uint64_t offset, uint32_t *scope)
{
	uint64_t low = 0, high = parts->npcs, value;

	while (low < high) {
		uint64_t middle = low + (high - low) / 2;
		uint64_t at = parts->pcs + middle * vm->sizes[HOTSPOT_SIZE_pc];

		if (!hotspot_get(vm, HOTSPOT_pc_offset, at, &value))
			return false;
		if ((int64_t)value < (int64_t)offset)
			low = middle + 1;
		else
			high = middle;
	}
	/* The last one is a guard. */
	if (low + 1 >= parts->npcs ||
	    !hotspot_get(vm, HOTSPOT_pc_scope,
			 parts->pcs + low * vm->sizes[HOTSPOT_SIZE_pc], &value))
		return false;
	*scope = (uint32_t)value;
	return true;
}

/*
 * The description at an offset: {its caller's, number of the method in the
 * table of metadata, index of bytecode + 1}.
 */
static bool read_scope(const struct hotspot_vm *vm, const struct parts *parts,
		       uint8_t excess, uint32_t *offset,
		       struct hotspot_scope *scope)
{
	uint8_t bytes[15];
	uint32_t caller, method, bci;
	size_t at = 0, size = sizeof(bytes);
	int64_t first = vm->has_constant[HOTSPOT_CONSTANT_first_bci]
				? vm->constants[HOTSPOT_CONSTANT_first_bci]
				: -1;

	if (*offset >= parts->scopes_size)
		return false;
	if (size > parts->scopes_size - *offset)
		size = (size_t)(parts->scopes_size - *offset);
	if (!hotspot_bytes(vm, bytes, size, parts->scopes + *offset) ||
	    !hotspot_number(bytes, size, &at, excess, &caller) ||
	    !hotspot_number(bytes, size, &at, excess, &method) ||
	    !hotspot_number(bytes, size, &at, excess, &bci) || !method ||
	    method > parts->nmetadata || bci > 65536 ||
	    !hotspot_bytes(vm, &scope->method, sizeof(scope->method),
			   parts->metadata + (method - 1) * 8ull) ||
	    !hotspot_is_pointer(scope->method))
		return false;
	scope->bci = (int32_t)(bci + first);
	*offset = caller;
	return true;
}

/* All of a place; 0: this is not how numbers are written here. */
static unsigned read_scopes(const struct hotspot_vm *vm,
			    const struct parts *parts, uint8_t excess,
			    uint32_t offset, uint64_t method,
			    struct hotspot_scope scopes[HOTSPOT_INLINED])
{
	unsigned count = 0;

	while (offset && count < HOTSPOT_INLINED)
		if (!read_scope(vm, parts, excess, &offset, &scopes[count++]))
			return 0;
	/* The outermost one is what was compiled. */
	return count && scopes[count - 1].method == method ? count : 0;
}

unsigned hotspot_scopes(const struct hotspot_vm *vm, struct hotspot_code *code,
			const struct hotspot_blob *blob, uint64_t address,
			struct hotspot_scope scopes[HOTSPOT_INLINED])
{
	struct parts parts;
	uint32_t offset;
	unsigned count = 0;
	uint64_t method = hotspot_value(vm, HOTSPOT_nmethod_method,
					blob->address);

	if (!blob->is_method || !hotspot_is_pointer(method))
		return 0;
	if (find_parts(vm, blob, &parts) &&
	    find_pc(vm, &parts, address - blob->code, &offset)) {
		for (uint8_t i = 0; i < 2 && !count; i++) {
			uint8_t excess = i ^ 1;

			if (code->is_excess_known && excess != code->excess)
				continue;
			count = read_scopes(vm, &parts, excess, offset, method,
					    scopes);
			if (count && !code->is_excess_known) {
				code->excess = excess;
				code->is_excess_known = true;
			}
		}
	}
	if (!count) {
		scopes[0] = (struct hotspot_scope){ method, -1 };
		count = 1;
	}
	return count;
}

/* -------------------------------------------------------------- interpreter */

bool hotspot_codelet(const struct hotspot_vm *vm,
		     const struct hotspot_code *code, uint64_t address,
		     char *text, size_t size)
{
	enum { CODELETS = 4096 };
	uint64_t at = code->interpreter;

	if (!hotspot_has(vm, HOTSPOT_codelet_text) ||
	    !hotspot_has(vm, HOTSPOT_codelet_size))
		return false;
	for (unsigned i = 0; i < CODELETS && at < code->interpreter_end; i++) {
		uint64_t length = hotspot_value(vm, HOTSPOT_codelet_size, at);

		if (!length || (length & 7))
			return false;
		if (address - at < length)
			return hotspot_text(
				vm, hotspot_value(vm, HOTSPOT_codelet_text, at),
				text, size);
		at += length;
	}
	return false;
}
