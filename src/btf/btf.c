/* SPDX-License-Identifier: Apache-2.0 */
/*
 * BTF: reading the kernel's own description of its types.
 *
 * A BTF file is a header, a run of records of different lengths (numbered
 * from 1 in order) and a heap of strings.  The kernel's has 126,000 records;
 * a D program mentions three of them.  So nothing is parsed ahead:
 *
 * 1. The file is mapped (read where the kernel cannot map it).  Names are
 *    handed out as pointers into it.
 * 2. Records are found by walking.  The walk goes only as far as it must, and
 *    leaves a mark at each 32nd record; a record before the furthest point is
 *    reached from the mark before it.
 * 3. A name is first looked for among the strings (memmem, 0.1 ms), which
 *    answers most wrong names, and then by its string offset among the records.
 *    After SEARCHES_BEFORE_INDEX searches (a listing of all functions with
 *    their arguments) a hash table of all names is built: it costs about as
 *    much as five searches.
 * 4. Nothing in the file is trusted.  A record that does not fit ends the walk:
 *    what follows it does not exist.  Ids and string offsets are checked at
 *    use.  kernel.c handles loops among records.
 *
 * A module's file continues the kernel's: its ids and string offsets start
 * where the base ends.
 */
#include "btf/btf.h"
#include "btf/type.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"

enum {
	BTF_MAGIC = 0xeb9f,
	HEAD = 12,			/* bytes of a record's head */
	MARK_EVERY = 32,
	SEARCHES_BEFORE_INDEX = 6,
	LONGEST_NAME = 512,
	LAST_NAME = 64,
	KINDS = 128,
	LARGEST_FILE = 1 << 30,
};

struct btf_header {
	uint16_t magic;
	uint8_t version, flags;
	uint32_t header_length;
	uint32_t types_offset, types_length;
	uint32_t strings_offset, strings_length;
	/* from 7.1 on; present when header_length says so */
	uint32_t layout_offset, layout_length;
};

enum { OLD_HEADER = offsetof(struct btf_header, layout_offset) };

/* Bytes after the head: once, and for each of vlen. */
struct extent {
	uint8_t once, each;
	bool is_known;
};

static const struct extent known_extents[BTF_KNOWN_KINDS] = {
	[BTF_INT]        = { 4, 0, true },
	[BTF_PTR]        = { 0, 0, true },
	[BTF_ARRAY]      = { 12, 0, true },
	[BTF_STRUCT]     = { 0, 12, true },
	[BTF_UNION]      = { 0, 12, true },
	[BTF_ENUM]       = { 0, 8, true },
	[BTF_FWD]        = { 0, 0, true },
	[BTF_TYPEDEF]    = { 0, 0, true },
	[BTF_VOLATILE]   = { 0, 0, true },
	[BTF_CONST]      = { 0, 0, true },
	[BTF_RESTRICT]   = { 0, 0, true },
	[BTF_FUNC]       = { 0, 0, true },
	[BTF_FUNC_PROTO] = { 0, 8, true },
	[BTF_VAR]        = { 4, 0, true },
	[BTF_DATASEC]    = { 0, 12, true },
	[BTF_FLOAT]      = { 0, 0, true },
	[BTF_DECL_TAG]   = { 4, 0, true },
	[BTF_TYPE_TAG]   = { 0, 0, true },
	[BTF_ENUM64]     = { 0, 12, true },
};

#define HEAD_ONLY \
	(BTF_MASK(BTF_PTR) | BTF_MASK(BTF_FWD) | BTF_MASK(BTF_TYPEDEF) | \
	 BTF_MASK(BTF_VOLATILE) | BTF_MASK(BTF_CONST) | \
	 BTF_MASK(BTF_RESTRICT) | BTF_MASK(BTF_FUNC) | \
	 BTF_MASK(BTF_FLOAT) | BTF_MASK(BTF_TYPE_TAG))

/* A place in the run of records. */
struct cursor {
	uint32_t id, offset;
};

struct made_slot {
	uint32_t id;
	void *made;
};

struct btf_file {
	struct btf_file *base;
	const char *module;
	const unsigned char *bytes;
	size_t length;
	bool is_mapped, is_owned, is_user;

	const unsigned char *types;
	uint32_t types_length;
	const char *strings;
	uint32_t strings_length;
	uint32_t first_id, first_string;
	struct extent extents[KINDS];

	/* marks[i] is the offset of id first_id + i * MARK_EVERY */
	uint32_t *marks;
	uint32_t nmarks, marks_capacity;
	struct cursor furthest;
	bool is_walked; /* furthest is the end */

	unsigned nsearches;
	/* index: bucket -> id -> next id of that bucket; relative ids + 1 */
	uint32_t *buckets, *chain;
	uint32_t nbuckets;

	/* the name searched last: a second kind is often asked for next */
	char last_name[LAST_NAME];
	uint32_t last_offsets[2];
	unsigned last_count;

	struct made_slot *slots;
	uint32_t nslots, nmade;
};

/* -------------------------------------------------------------- opening */

static bool fits(uint64_t offset, uint64_t length, uint64_t whole)
{
	return offset <= whole && length <= whole - offset;
}

/* A newer kernel gives the length of kinds that this program does not know. */
static void read_layout(struct btf_file *file, const struct btf_header *header)
{
	uint64_t at = (uint64_t)header->header_length + header->layout_offset;

	if (header->header_length < sizeof(*header) ||
	    !fits(at, header->layout_length, file->length))
		return;
	for (uint32_t kind = 0; kind < header->layout_length / 4; kind++) {
		const unsigned char *entry = file->bytes + at + kind * 4;

		if (kind >= KINDS)
			break;
		if (kind >= BTF_KNOWN_KINDS)
			file->extents[kind] = (struct extent){ entry[0],
							       entry[1], true };
	}
}

static int read_header(struct btf_file *file)
{
	struct btf_header header = { 0 };

	if (file->length < OLD_HEADER || file->length > LARGEST_FILE)
		return -EINVAL;
	memcpy(&header, file->bytes, OLD_HEADER);
	if (header.magic != BTF_MAGIC || header.version != 1 ||
	    header.header_length < OLD_HEADER ||
	    header.header_length > file->length)
		return -EINVAL;
	if (header.header_length >= sizeof(header))
		memcpy(&header, file->bytes, sizeof(header));

	uint64_t types = (uint64_t)header.header_length + header.types_offset;
	uint64_t strings = (uint64_t)header.header_length +
			   header.strings_offset;

	if (!fits(types, header.types_length, file->length) ||
	    !fits(strings, header.strings_length, file->length))
		return -EINVAL;
	file->types = file->bytes + types;
	file->types_length = header.types_length;
	file->strings = (const char *)file->bytes + strings;
	file->strings_length = header.strings_length;
	if (file->strings_length &&
	    file->strings[file->strings_length - 1] != '\0')
		return -EINVAL;
	if (!file->base && (!file->strings_length || file->strings[0]))
		return -EINVAL;

	memcpy(file->extents, known_extents, sizeof(known_extents));
	read_layout(file, &header);
	return 0;
}

int btf_open_memory(struct btf_file **result, const void *bytes, size_t length,
		    struct btf_file *base, const char *module)
{
	struct btf_file *file = must_alloc(sizeof(*file));

	*file = (struct btf_file){
		.base = base,
		.module = module,
		.bytes = bytes,
		.length = length,
		.first_id = 1,
	};
	if (base) {
		file->first_id = btf_count(base);
		file->first_string = base->first_string + base->strings_length;
	}
	int err = read_header(file);

	if (err) {
		free(file);
		return err;
	}
	file->furthest.id = file->first_id;
	*result = file;
	return 0;
}

/* sysfs has the true size, but a read may still come in pieces. */
static void *read_all(int fd, size_t length)
{
	char *bytes = must_alloc(length);
	size_t have = 0;

	while (have < length) {
		ssize_t n = read(fd, bytes + have, length - have);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		have += (size_t)n;
	}
	if (have == length)
		return bytes;
	free(bytes);
	return NULL;
}

static int open_fd(struct btf_file **file, int fd, struct btf_file *base,
		   const char *module)
{
	struct stat status;

	if (fstat(fd, &status))
		return -errno;
	if (status.st_size <= 0 || status.st_size > LARGEST_FILE)
		return -EINVAL;

	size_t length = (size_t)status.st_size;
	void *bytes = mmap(NULL, length, PROT_READ, MAP_PRIVATE, fd, 0);
	bool is_mapped = bytes != MAP_FAILED;

	if (!is_mapped && !(bytes = read_all(fd, length)))
		return -EIO;
	int err = btf_open_memory(file, bytes, length, base, module);

	if (!err) {
		(*file)->is_mapped = is_mapped;
		(*file)->is_owned = true;
		return 0;
	}
	if (is_mapped)
		munmap(bytes, length);
	else
		free(bytes);
	return err;
}

int btf_open(struct btf_file **file, const char *path, struct btf_file *base,
	     const char *module)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	int err = open_fd(file, fd, base, module);

	close(fd);
	return err;
}

void btf_close(struct btf_file *file)
{
	if (!file)
		return;
	if (file->is_mapped)
		munmap((void *)file->bytes, file->length);
	else if (file->is_owned)
		free((void *)file->bytes);
	free(file->marks);
	free(file->buckets);
	free(file->chain);
	free(file->slots);
	free(file);
}

/* -------------------------------------------------------------- walking */

static inline uint32_t word_at(const unsigned char *at)
{
	uint32_t word;

	memcpy(&word, at, sizeof(word));
	return word;
}

/*
 * Bits 16-23 and 29-30 of the info word were always zero; newer kernels give
 * them to vlen and kind.
 */
static inline uint32_t info_kind(uint32_t info)
{
	return (info >> 24) & 0x7f;
}

static inline uint32_t info_vlen(uint32_t info)
{
	return info & 0xffffff;
}

/* Length of the record at `offset`; 0 when it does not fit. */
static inline uint32_t record_length(const struct btf_file *file,
				     uint32_t offset)
{
	if (file->types_length - offset < HEAD)
		return 0;
	uint32_t info = word_at(file->types + offset + 4);
	uint32_t kind = info_kind(info);

	/* Most records; well predicted by the processor. */
	if (kind < 32 && (HEAD_ONLY & BTF_MASK(kind)))
		return HEAD;
	const struct extent *extent = &file->extents[kind];
	uint64_t length = HEAD + extent->once +
			  (uint64_t)info_vlen(info) * extent->each;

	if (!extent->is_known)
		return 0;
	return length <= file->types_length - offset ? (uint32_t)length : 0;
}

static void add_mark(struct btf_file *file, uint32_t offset)
{
	if (file->nmarks == file->marks_capacity) {
		file->marks_capacity = file->marks_capacity
					       ? file->marks_capacity * 2
					       : 256;
		file->marks = must_realloc(file->marks,
					   checked_mul(file->marks_capacity,
						       sizeof(*file->marks)));
	}
	file->marks[file->nmarks++] = offset;
}

/*
 * From the record at the cursor to the next.  False at the end (the cursor is
 * then after the last good record).
 */
static inline bool step(struct btf_file *file, struct cursor *cursor)
{
	uint32_t length = record_length(file, cursor->offset);
	bool is_new = cursor->id == file->furthest.id;

	if (!length) {
		if (is_new)
			file->is_walked = true;
		return false;
	}
	if (is_new && (cursor->id - file->first_id) % MARK_EVERY == 0)
		add_mark(file, cursor->offset);
	cursor->id++;
	cursor->offset += length;
	if (is_new)
		file->furthest = *cursor;
	return true;
}

const char *btf_module(const struct btf_file *file)
{
	return file->module;
}

void btf_set_user(struct btf_file *file)
{
	file->is_user = true;
}

bool btf_is_user(const struct btf_file *file)
{
	return file->is_user;
}

uint32_t btf_count(struct btf_file *file)
{
	struct cursor cursor = file->furthest;

	while (!file->is_walked)
		step(file, &cursor);
	return file->furthest.id;
}

struct btf_file *btf_owner(struct btf_file *file, uint32_t id)
{
	while (file->base && id < file->first_id)
		file = file->base;
	return file;
}

static struct cursor nearest_before(const struct btf_file *file, uint32_t id)
{
	uint32_t mark = (id - file->first_id) / MARK_EVERY;

	if (id >= file->furthest.id || !file->nmarks)
		return file->furthest;
	if (mark >= file->nmarks)
		mark = file->nmarks - 1;
	return (struct cursor){ file->first_id + mark * MARK_EVERY,
				file->marks[mark] };
}

static void fill(const struct btf_file *file, struct cursor cursor,
		 struct btf_record *record)
{
	const unsigned char *at = file->types + cursor.offset;
	uint32_t info = word_at(at + 4);

	*record = (struct btf_record){
		.id = cursor.id,
		.kind = (enum btf_kind)info_kind(info),
		.vlen = info_vlen(info),
		.flag = info >> 31,
		.name = word_at(at),
		.size_or_type = word_at(at + 8),
		.data = at + HEAD,
	};
}

bool btf_read(struct btf_file *file, uint32_t id, struct btf_record *record)
{
	file = btf_owner(file, id);
	if (id < file->first_id)
		return false;
	struct cursor cursor = nearest_before(file, id);

	while (cursor.id < id)
		if (!step(file, &cursor))
			return false;
	struct cursor end = cursor;

	if (!step(file, &end))
		return false;
	fill(file, cursor, record);
	return true;
}

/* -------------------------------------------------------------- strings */

const char *btf_string(const struct btf_file *file, uint32_t offset)
{
	while (file->base && offset < file->first_string)
		file = file->base;
	offset -= file->first_string;
	return offset < file->strings_length ? file->strings + offset : "";
}

/* Offset of the string in this file's own heap; 0 = not there. */
static uint32_t own_string(const struct btf_file *file, struct str name)
{
	char needle[LONGEST_NAME + 2];

	if (!name.n || name.n > LONGEST_NAME || memchr(name.p, 0, name.n))
		return 0;
	needle[0] = '\0';
	memcpy(needle + 1, name.p, name.n);
	needle[name.n + 1] = '\0';

	/* A split file's heap may begin with a name right away. */
	if (file->base && file->strings_length > name.n &&
	    !memcmp(file->strings, needle + 1, name.n + 1))
		return file->first_string;
	const char *found = memmem(file->strings, file->strings_length, needle,
				   name.n + 2);

	return found ? file->first_string +
			       (uint32_t)(found + 1 - file->strings)
		     : 0;
}

/* The offsets under which records of `file` may know the name. */
static unsigned string_offsets(struct btf_file *file, struct str name,
			       uint32_t offsets[2])
{
	unsigned count = 0;

	offsets[0] = offsets[1] = 0;
	if (*file->last_name && str_is(name, file->last_name)) {
		memcpy(offsets, file->last_offsets, sizeof(uint32_t[2]));
		return file->last_count;
	}
	for (const struct btf_file *at = file; at && count < 2; at = at->base)
		if ((offsets[count] = own_string(at, name)))
			count++;
	if (name.n < LAST_NAME) {
		memcpy(file->last_name, name.p, name.n);
		file->last_name[name.n] = '\0';
		memcpy(file->last_offsets, offsets, sizeof(uint32_t[2]));
		file->last_count = count;
	}
	return count;
}

/* ------------------------------------------------------------ searching */

static uint32_t hash_string(const char *p)
{
	uint32_t hash = 5381;

	for (; *p; p++)
		hash = hash * 33 ^ (unsigned char)*p;
	return hash ^ hash >> 15;
}

void btf_build_index(struct btf_file *file)
{
	if (file->buckets)
		return;
	uint32_t count = btf_count(file) - file->first_id;

	file->nbuckets = 64;
	while (file->nbuckets < count)
		file->nbuckets *= 2;
	file->buckets = must_alloc(checked_mul(file->nbuckets,
					       sizeof(uint32_t)));
	file->chain = must_alloc(checked_mul((size_t)count + 1,
					     sizeof(uint32_t)));

	struct cursor cursor = { file->first_id, 0 };

	for (struct cursor at = cursor; step(file, &cursor); at = cursor) {
		uint32_t name = word_at(file->types + at.offset);

		if (!name)
			continue;
		uint32_t entry = at.id - file->first_id + 1;
		uint32_t *bucket =
			&file->buckets[hash_string(btf_string(file, name)) &
				       (file->nbuckets - 1)];

		file->chain[entry] = *bucket;
		*bucket = entry;
	}
}

/* Chains are in falling order of ids: the last match is the first record. */
static uint32_t find_in_index(struct btf_file *file, uint32_t kinds,
			      const char *name)
{
	uint32_t found = 0;
	uint32_t entry =
		file->buckets[hash_string(name) & (file->nbuckets - 1)];

	for (; entry; entry = file->chain[entry]) {
		uint32_t id = file->first_id + entry - 1;
		struct btf_record record;

		if (btf_read(file, id, &record) &&
		    record.kind < BTF_KNOWN_KINDS &&
		    (kinds & BTF_MASK(record.kind)) &&
		    !strcmp(btf_string(file, record.name), name))
			found = id;
	}
	return found;
}

static uint32_t find_by_offset(struct btf_file *file, uint32_t kinds,
			       const uint32_t offsets[2], unsigned count)
{
	uint32_t first = offsets[0], second = offsets[count - 1];
	struct cursor cursor = { file->first_id, 0 };

	for (struct cursor at = cursor; step(file, &cursor); at = cursor) {
		const unsigned char *head = file->types + at.offset;
		uint32_t name = word_at(head);

		if (name != first && name != second)
			continue;
		uint32_t kind = info_kind(word_at(head + 4));

		if (kind < BTF_KNOWN_KINDS && (kinds & BTF_MASK(kind)))
			return at.id;
	}
	return 0;
}

uint32_t btf_find(struct btf_file *file, uint32_t kinds, struct str name)
{
	uint32_t offsets[2];

	if (!name.n || name.n > LONGEST_NAME)
		return 0;
	if (!file->buckets && file->nsearches++ >= SEARCHES_BEFORE_INDEX)
		btf_build_index(file);
	if (file->buckets) {
		char text[LONGEST_NAME + 1];

		memcpy(text, name.p, name.n);
		text[name.n] = '\0';
		return find_in_index(file, kinds, text);
	}
	unsigned count = string_offsets(file, name, offsets);

	return count ? find_by_offset(file, kinds, offsets, count) : 0;
}

int64_t btf_enumerator(const struct btf_record *record, uint32_t index,
		       uint32_t *name)
{
	bool is_wide = record->kind == BTF_ENUM64;
	size_t at = (size_t)index * (is_wide ? 3 : 2);
	uint32_t low = btf_word(record, at + 1);

	*name = btf_word(record, at);
	if (is_wide)
		return (int64_t)((uint64_t)btf_word(record, at + 2) << 32 |
				 low);
	return record->flag ? (int32_t)low : (int64_t)low;
}

bool btf_find_enumerator(struct btf_file *file, struct str name, int64_t *value)
{
	uint32_t offsets[2];
	unsigned count = string_offsets(file, name, offsets);
	struct cursor cursor = { file->first_id, 0 };

	if (!count)
		return false;
	for (struct cursor at = cursor; step(file, &cursor); at = cursor) {
		uint32_t kind = info_kind(word_at(file->types + at.offset + 4));
		struct btf_record record;

		if (kind != BTF_ENUM && kind != BTF_ENUM64)
			continue;
		fill(file, at, &record);
		for (uint32_t i = 0; i < record.vlen; i++) {
			uint32_t known;
			int64_t found = btf_enumerator(&record, i, &known);

			if (known != offsets[0] && known != offsets[count - 1])
				continue;
			*value = found;
			return true;
		}
	}
	return false;
}

/* ------------------------------------------------------- what was made */

static struct made_slot *slot_of(const struct btf_file *file, uint32_t id)
{
	uint32_t at = (id * 2654435761u) & (file->nslots - 1);

	while (file->slots[at].id && file->slots[at].id != id)
		at = (at + 1) & (file->nslots - 1);
	return &file->slots[at];
}

void *btf_made(const struct btf_file *file, uint32_t id)
{
	return file->nslots ? slot_of(file, id)->made : NULL;
}

void btf_set_made(struct btf_file *file, uint32_t id, void *made)
{
	if (file->nmade * 2 >= file->nslots) {
		struct made_slot *old = file->slots;
		uint32_t nold = file->nslots;

		file->nslots = nold ? nold * 2 : 64;
		file->slots = must_alloc(checked_mul(file->nslots,
						     sizeof(*file->slots)));
		for (uint32_t i = 0; i < nold; i++)
			if (old[i].id)
				*slot_of(file, old[i].id) = old[i];
		free(old);
	}
	struct made_slot *slot = slot_of(file, id);

	if (!slot->id)
		file->nmade++;
	*slot = (struct made_slot){ id, made };
}
