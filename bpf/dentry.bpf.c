/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The path of a directory entry: its name, its parent's name, and so on up to
 * the root, over mount points.
 *
 * Names are found last first, so the text grows from PATH_END to the front of
 * mem.  Where members are in the kernel's structures is known when a program is
 * compiled; source holds that, as words (enum path_word), and the root that the
 * process sees.  Everything here may change while it is read: every access is
 * checked by the kernel, and the number of steps is bounded.  What cannot be
 * read is 0 and ends the walk.
 *
 * Sockets, pipes and the like have no path; they have the names that
 * /proc/PID/fd shows.
 */
#include "library.h"
#include "path.h"

#ifdef __bpf__
static long (*const bpf_probe_read_kernel)(void *to, uint32_t size,
					   const void *from) = (void *)113;
#else
static long bpf_probe_read_kernel(void *to, uint32_t size, const void *from)
{
	(void)from;
	memset(to, 0, size);
	return -1;
}
#endif

enum { STEPS = 64, NAME_MASK = 255, PLACE_MASK = PATH_END - 1 };

struct walk {
	char *mem;
	const char *source;
	uint64_t caps;
	uint64_t dentry, mount; /* mount: struct vfsmount */
	uint64_t at;
};

INLINE uint64_t kernel_word(uint64_t address)
{
	uint64_t word = 0;

	bpf_probe_read_kernel(&word, sizeof(word), (const void *)address);
	return word;
}

INLINE uint64_t table(const struct walk *w, enum path_word n)
{
	return word_at(w->source, 8 * n, CAP_SOURCE(w->caps));
}

/* A name of `length` bytes at `name` goes before what is there. */
static void prepend(struct walk *w, uint64_t name, uint64_t length)
{
	uint64_t at = w->at - length;
	char *to = w->mem;

	/* The verifier wants to see both bounds right before their use. */
#ifdef __bpf__
	asm volatile("%[at] &= %[place]\n"
		     "%[to] += %[at]\n"
		     "%[length] &= %[name]\n"
		     : [at] "+r"(at), [to] "+r"(to), [length] "+r"(length)
		     : [place] "i"(PLACE_MASK), [name] "i"(NAME_MASK));
#else
	to += at & PLACE_MASK;
	length &= NAME_MASK;
#endif
	bpf_probe_read_kernel(to, (uint32_t)length, (const void *)name);
}

static long step(UNUSED uint32_t turn, void *context)
{
	struct walk *w = context;
	uint64_t dentry = w->dentry, mount = w->mount;

	if (dentry == table(w, PATH_ROOT_DENTRY) &&
	    mount == table(w, PATH_ROOT_MOUNT))
		return 1;
	uint64_t top = kernel_word(mount + table(w, PATH_MNT_ROOT));
	uint64_t parent = kernel_word(dentry + table(w, PATH_PARENT));

	if (dentry == top || dentry == parent) {
		uint64_t whole = mount - table(w, PATH_MNT);
		uint64_t up = kernel_word(whole + table(w, PATH_MNT_PARENT));

		if (dentry != top || up == whole || !up)
			return 1;
		w->dentry = kernel_word(whole + table(w, PATH_MOUNTPOINT));
		w->mount = up + table(w, PATH_MNT);
		return 0;
	}
	uint64_t length = kernel_word(dentry + table(w, PATH_NAME_LENGTH)) &
			  0xffffffff;
	uint64_t name = kernel_word(dentry + table(w, PATH_NAME));

	if (!length || length > NAME_MASK || length + 1 > w->at)
		return 1;
	prepend(w, name, length);
	w->at -= length + 1;
	put_byte(w->mem, w->at, CAP_MEM(w->caps), '/');
	w->dentry = parent;
	return 0;
}

/* ------------------------------------------------------------- no path */

enum { SOCKETS = 0x534f434b, PIPES = 0x50495045, OTHERS = 0x09041934 };
enum { NUMBER_END = 64, DIGITS = 20 };

/* Eight characters as a word, in the order of memory. */
#define TEXT8(a, b, c, d, e, f, g, h) \
	((uint64_t)(a) | (uint64_t)(b) << 8 | (uint64_t)(c) << 16 | \
	 (uint64_t)(d) << 24 | (uint64_t)(e) << 32 | (uint64_t)(f) << 40 | \
	 (uint64_t)(g) << 48 | (uint64_t)(h) << 56)

struct number {
	char *mem;
	uint64_t cap, value, at;
};

static long digit(UNUSED uint32_t turn, void *context)
{
	struct number *n = context;

	n->at--;
	put_byte(n->mem, n->at, n->cap, '0' + n->value % 10);
	n->value /= 10;
	return n->value == 0;
}

/* "[number]" that ends at NUMBER_END; returns where it begins. */
static uint64_t put_number(char *mem, uint64_t cap, uint64_t value)
{
	struct number n = {
		.mem = mem, .cap = cap, .value = unknown(value),
		.at = unknown(NUMBER_END - 1),
	};

	put_byte(mem, NUMBER_END - 1, cap, ']');
	repeat(DIGITS, digit, &n);
	put_byte(mem, n.at - 1, cap, '[');
	return n.at - 1;
}

/* The name of an object of a file system without paths, or 0. */
static int64_t name_without_path(struct walk *w)
{
	uint64_t cap = CAP_MEM(w->caps);
	uint64_t sb = kernel_word(w->dentry + table(w, PATH_SB));
	uint64_t inode = kernel_word(w->dentry + table(w, PATH_INODE));
	uint64_t magic = kernel_word(sb + table(w, PATH_MAGIC));

	if (magic == OTHERS) {
		put_word(w->mem, 0, cap,
			 TEXT8('a', 'n', 'o', 'n', '_', 'i', 'n', 'o'));
		put_word(w->mem, 8, cap, TEXT8('d', 'e', ':', 0, 0, 0, 0, 0));
		uint64_t length = kernel_word(w->dentry +
					      table(w, PATH_NAME_LENGTH)) &
				  NAME_MASK;

		w->at = unknown(11) + length;
		prepend(w, kernel_word(w->dentry + table(w, PATH_NAME)),
			length);
		return SPAN(0, 11 + length);
	}
	if (magic != SOCKETS && magic != PIPES)
		return 0;
	uint64_t at = put_number(w->mem, cap,
				 kernel_word(inode + table(w, PATH_INO)));

	put_byte(w->mem, at - 1, cap, ':');
	put_byte(w->mem, at - 2, cap, magic == PIPES ? 'e' : 't');
	put_byte(w->mem, at - 3, cap, magic == PIPES ? 'p' : 'e');
	put_byte(w->mem, at - 4, cap, magic == PIPES ? 'i' : 'k');
	put_byte(w->mem, at - 5, cap, magic == PIPES ? 'p' : 'c');
	at -= 5;
	if (magic == SOCKETS) {
		put_byte(w->mem, at - 1, cap, 'o');
		put_byte(w->mem, at - 2, cap, 's');
		at -= 2;
	}
	return SPAN(at, NUMBER_END - at);
}

/*
 * mem (at least PATH_ROOM bytes) holds the path of dentry a under vfsmount b;
 * returns where, as a span.
 */
LIBRARY(dentry)
{
	struct walk w = {
		.mem = mem, .source = source, .caps = caps,
		.dentry = unknown((uint64_t)a), .mount = unknown((uint64_t)b),
		.at = unknown(PATH_END),
	};
	int64_t name = name_without_path(&w);

	if (name)
		return name;
	w.at = unknown(PATH_END);
	repeat(STEPS, step, &w);
	if (w.at < PATH_END)
		return SPAN(w.at, PATH_END - w.at);
	put_byte(mem, 0, CAP_MEM(caps), '/');
	return SPAN(0, 1);
}
