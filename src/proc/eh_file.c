/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where an object file has its .eh_frame: by name, or, where names of sections
 * were stripped, by the pointer in the segment that exceptions use.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

#include "arch/arch.h"
#include "proc/eh_frame.h"
#include "proc/elf_file.h"

static void note_code(struct eh_rows *rows, const struct elf_file *file)
{
	rows->base = UINT64_MAX;
	for (size_t i = 0; i < file->nsegments; i++) {
		const Elf64_Phdr *segment = &file->segments[i];

		if (segment->p_type != PT_LOAD)
			continue;
		if (segment->p_vaddr < rows->base)
			rows->base = segment->p_vaddr;
		if ((segment->p_flags & PF_X) && rows->ncode < EH_CODE_MOST)
			rows->code[rows->ncode++] = (struct eh_code){
				segment->p_offset,
				segment->p_vaddr,
				segment->p_filesz,
			};
	}
	if (rows->base == UINT64_MAX)
		rows->base = 0;
}

/* Descriptions end where a hole begins. */
static bool read_part(struct eh_rows *rows, struct elf_file *file,
		      uint64_t offset, uint64_t size, uint64_t address)
{
	uint64_t dense = elf_file_dense(file, offset, size);
	uint8_t *bytes = elf_file_read(file, offset, dense);

	if (!bytes)
		return false;
	eh_frame_read(rows, bytes, dense, address, rows->base);
	free(bytes);
	return true;
}

static bool read_by_name(struct eh_rows *rows, struct elf_file *file)
{
	const Elf64_Shdr *section = elf_file_section(file, ".eh_frame");

	return section && section->sh_type != SHT_NOBITS &&
	       read_part(rows, file, section->sh_offset, section->sh_size,
			 section->sh_addr);
}

/* From an address to the end of the segment that it is in. */
static void read_segment(struct eh_rows *rows, struct elf_file *file,
			 uint64_t address)
{
	for (size_t i = 0; i < file->nsegments; i++) {
		const Elf64_Phdr *segment = &file->segments[i];
		uint64_t into = address - segment->p_vaddr;

		if (segment->p_type != PT_LOAD || into >= segment->p_filesz)
			continue;
		read_part(rows, file, segment->p_offset + into,
			  segment->p_filesz - into, address);
		return;
	}
}

static void read_by_pointer(struct eh_rows *rows, struct elf_file *file)
{
	for (size_t i = 0; i < file->nsegments; i++) {
		const Elf64_Phdr *segment = &file->segments[i];
		uint64_t address;

		if (segment->p_type != PT_GNU_EH_FRAME)
			continue;
		uint8_t *bytes = elf_file_read(file, segment->p_offset,
					       segment->p_filesz);

		if (bytes && eh_frame_pointer(bytes, segment->p_filesz,
					      segment->p_vaddr, &address))
			read_segment(rows, file, address);
		free(bytes);
		return;
	}
}

void eh_frame_read_file(struct eh_rows *rows, int fd, struct budget *budget)
{
	struct elf_file file;

	*rows = (struct eh_rows){ 0 };
	if (elf_file_open(&file, fd, budget) != ELF_GOOD)
		return;
	note_code(rows, &file);
	if (!read_by_name(rows, &file))
		read_by_pointer(rows, &file);
	go_rows_add(rows, &file);
	elf_file_close(&file);
}

void eh_frame_read_vdso(struct eh_rows *rows)
{
	const void *memory = (const void *)getauxval(AT_SYSINFO_EHDR);
	int fd = memory ? memfd_create("vdso", MFD_CLOEXEC) : -1;

	*rows = (struct eh_rows){ 0 };
	if (fd < 0)
		return;
	if (write(fd, memory, ARCH_VDSO_SIZE) == ARCH_VDSO_SIZE)
		eh_frame_read_file(rows, fd, NULL);
	close(fd);
}
