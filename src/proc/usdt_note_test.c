/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Notes of small object files that are built here: what is read, how a moved
 * file is corrected, and what is left out.
 */
#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "arch/arch.h"
#include "proc/usdt_note.h"

enum { CODE, DATA, SEGMENTS };
enum { NONE, NAMES, NOTES, BASE, SECTIONS };

static const char names[] = "\0.names\0.note.stapsdt\0.stapsdt.base";

struct file {
	Elf64_Ehdr header;
	Elf64_Phdr segments[SEGMENTS];
	Elf64_Shdr sections[SECTIONS];
	char names[64];
	uint8_t notes[1024];
};

static void start(struct file *file)
{
	memset(file, 0, sizeof(*file));
	memcpy(file->header.e_ident, ELFMAG, SELFMAG);
	file->header.e_ident[EI_CLASS] = ELFCLASS64;
	file->header.e_ident[EI_DATA] = ELFDATA2LSB;
	file->header.e_machine = ARCH_ELF_MACHINE;
	file->header.e_phoff = offsetof(struct file, segments);
	file->header.e_phentsize = sizeof(Elf64_Phdr);
	file->header.e_phnum = SEGMENTS;
	file->header.e_shoff = offsetof(struct file, sections);
	file->header.e_shentsize = sizeof(Elf64_Shdr);
	file->header.e_shnum = SECTIONS;
	file->header.e_shstrndx = NAMES;
	file->segments[CODE] = (Elf64_Phdr){
		.p_type = PT_LOAD,
		.p_flags = PF_R | PF_X,
		.p_offset = 0x100,
		.p_vaddr = 0x401100,
		.p_filesz = 0x1000,
		.p_memsz = 0x1000,
	};
	file->segments[DATA] = (Elf64_Phdr){
		.p_type = PT_LOAD,
		.p_flags = PF_R | PF_W,
		.p_offset = 0x1100,
		.p_vaddr = 0x403100,
		.p_filesz = 0x100,
		.p_memsz = 0x200,
	};
	memcpy(file->names, names, sizeof(names));
	file->sections[NAMES] = (Elf64_Shdr){
		.sh_name = 1,
		.sh_type = SHT_STRTAB,
		.sh_offset = offsetof(struct file, names),
		.sh_size = sizeof(names),
	};
	file->sections[NOTES] = (Elf64_Shdr){
		.sh_name = 8,
		.sh_type = SHT_NOTE,
		.sh_offset = offsetof(struct file, notes),
	};
	file->sections[BASE] = (Elf64_Shdr){
		.sh_name = 22,
		.sh_type = SHT_PROGBITS,
		.sh_addr = 0x402000,
	};
}

/* `text` has three strings, or what a bad note has. */
static void add(struct file *file, uint64_t pc, uint64_t base,
		uint64_t semaphore, const char *text, size_t size)
{
	uint64_t addresses[3] = { pc, base, semaphore };
	Elf64_Nhdr note = { 8, (uint32_t)(sizeof(addresses) + size), 3 };
	uint8_t *at = file->notes + file->sections[NOTES].sh_size;

	memcpy(at, &note, sizeof(note));
	memcpy(at + 12, "stapsdt", 8);
	memcpy(at + 20, addresses, sizeof(addresses));
	memcpy(at + 44, text, size);
	file->sections[NOTES].sh_size += (44 + size + 3) & ~(size_t)3;
}

static struct usdt_notes *read_back(const struct file *file)
{
	int fd = memfd_create("notes", MFD_CLOEXEC);

	assert_int_equal(write(fd, file, sizeof(*file)), sizeof(*file));
	struct usdt_notes *notes = usdt_notes_read(fd, NULL);

	close(fd);
	return notes;
}

#define TEXT(literal) literal, sizeof(literal)

static void reads_notes(void **state)
{
	struct file file;

	(void)state;
	start(&file);
	add(&file, 0x401234, 0x402000, 0, TEXT("app\0start\08@here 4@$1"));
	add(&file, 0x401235, 0x402000, 0x403104, TEXT("app\0stop\0"));
	add(&file, 0x401236, 0x402000, 0, "app\0bare", 9);
	struct usdt_notes *notes = read_back(&file);

	assert_int_equal(notes->count, 3);
	assert_string_equal(notes->notes[0].provider, "app");
	assert_string_equal(notes->notes[0].name, "start");
	assert_string_equal(notes->notes[0].arguments, "8@here 4@$1");
	assert_int_equal(notes->notes[0].address, 0x401234);
	assert_int_equal(notes->notes[0].offset, 0x234);
	assert_int_equal(notes->notes[0].semaphore_offset, 0);
	assert_string_equal(notes->notes[1].arguments, "");
	assert_int_equal(notes->notes[1].semaphore_offset, 0x1104);
	assert_string_equal(notes->notes[2].name, "bare");
	assert_string_equal(notes->notes[2].arguments, "");
	usdt_notes_free(notes);
}

/* The file was moved by 0x1000 after its notes were written. */
static void corrects_a_moved_file(void **state)
{
	struct file file;

	(void)state;
	start(&file);
	add(&file, 0x400234, 0x401000, 0x402104, TEXT("app\0start\0"));
	struct usdt_notes *notes = read_back(&file);

	assert_int_equal(notes->count, 1);
	assert_int_equal(notes->notes[0].address, 0x401234);
	assert_int_equal(notes->notes[0].offset, 0x234);
	assert_int_equal(notes->notes[0].semaphore_offset, 0x1104);
	usdt_notes_free(notes);
}

static void leaves_out_nonsense(void **state)
{
	struct file file;

	(void)state;
	start(&file);
	add(&file, 0x999999, 0x402000, 0, TEXT("app\0nowhere\0"));
	add(&file, 0x403104, 0x402000, 0, TEXT("app\0no_code\0"));
	add(&file, 0x401234, 0x402000, 0x401234, TEXT("app\0read_only\0"));
	add(&file, 0x401234, 0x402000, 0, TEXT("\0empty\0"));
	add(&file, 0x401234, 0x402000, 0, "app", 3);
	add(&file, 0x401234, 0x402000, 0, "app\0end", 7);
	assert_null(read_back(&file));
	/* one good note after them */
	add(&file, 0x401234, 0x402000, 0, TEXT("app\0good\0"));
	struct usdt_notes *notes = read_back(&file);

	assert_int_equal(notes->count, 1);
	assert_string_equal(notes->notes[0].name, "good");
	usdt_notes_free(notes);
}

static void survives_bad_sizes(void **state)
{
	struct file file;

	(void)state;
	for (size_t at = 0; at < offsetof(struct file, names); at++) {
		for (unsigned byte = 0; byte < 256; byte += 51) {
			start(&file);
			add(&file, 0x401234, 0x402000, 0,
			    TEXT("app\0start\08@here"));
			((uint8_t *)&file)[at] = (uint8_t)byte;
			usdt_notes_free(read_back(&file));
		}
	}
	start(&file);
	add(&file, 0x401234, 0x402000, 0, TEXT("app\0start\0"));
	memset(file.notes, 0xff, 12);
	assert_null(read_back(&file));
	file.sections[NOTES].sh_size = UINT64_MAX;
	assert_null(read_back(&file));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_notes),
		cmocka_unit_test(corrects_a_moved_file),
		cmocka_unit_test(leaves_out_nonsense),
		cmocka_unit_test(survives_bad_sizes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
