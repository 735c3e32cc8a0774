/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The yardstick for many user probes: read a file's symbols, attach one program
 * to all functions with a prefix, with one link, and exit.
 *
 *	many OBJECT PID FILE PREFIX
 *
 * The link is made by bpf(2) itself: libbpf has a call for it only since 1.3.
 */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <elf.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { UPROBE_MULTI = 48, LINK_CREATE = 28, MOST = 16384 };

struct link_attr {
	uint32_t prog_fd, target_fd, attach_type, flags;
	uint64_t path, offsets, ref_ctr_offsets, cookies;
	uint32_t count, multi_flags, pid, unused[16];
};

static uint64_t file_offset(const char *image, uint64_t address)
{
	const Elf64_Ehdr *head = (const void *)image;
	const Elf64_Phdr *part = (const void *)(image + head->e_phoff);

	for (int i = 0; i < head->e_phnum; i++, part++)
		if (part->p_type == PT_LOAD &&
		    address - part->p_vaddr < part->p_filesz)
			return address - part->p_vaddr + part->p_offset;
	return 0;
}

static uint32_t find(const char *image, const char *prefix, uint64_t *offsets)
{
	const Elf64_Ehdr *head = (const void *)image;
	const Elf64_Shdr *sections = (const void *)(image + head->e_shoff);
	uint32_t found = 0;

	for (int i = 0; i < head->e_shnum; i++) {
		const Elf64_Shdr *section = &sections[i];
		const Elf64_Sym *symbol = (const void *)(image +
							 section->sh_offset);
		const char *names = image +
				    sections[section->sh_link].sh_offset;

		if (section->sh_type != SHT_SYMTAB)
			continue;
		for (uint64_t n = section->sh_size / sizeof(*symbol); n;
		     n--, symbol++)
			if (found < MOST &&
			    !strncmp(names + symbol->st_name, prefix,
				     strlen(prefix)))
				offsets[found++] = file_offset(
					image, symbol->st_value);
	}
	return found;
}

int main(int argc, char **argv)
{
	static uint64_t offsets[MOST], cookies[MOST];

	if (argc < 5)
		return 2;
	int file = open(argv[3], O_RDONLY);
	struct stat status;

	if (file < 0 || fstat(file, &status))
		return 1;
	char *image = mmap(NULL, (size_t)status.st_size, PROT_READ,
			   MAP_PRIVATE, file, 0);
	struct bpf_object *object = bpf_object__open(argv[1]);

	if (image == MAP_FAILED || !object)
		return 1;
	struct bpf_program *program = bpf_object__next_program(object, NULL);

	bpf_program__set_expected_attach_type(
		program, (enum bpf_attach_type)UPROBE_MULTI);
	if (bpf_object__load(object))
		return 1;
	struct link_attr attr = {
		.prog_fd = (uint32_t)bpf_program__fd(program),
		.attach_type = UPROBE_MULTI,
		.path = (uintptr_t)argv[3],
		.offsets = (uintptr_t)offsets,
		.cookies = (uintptr_t)cookies,
		.count = find(image, argv[4], offsets),
		.pid = (uint32_t)atoi(argv[2]),
	};

	for (uint32_t i = 0; i < attr.count; i++)
		cookies[i] = i;
	int link = (int)syscall(SYS_bpf, LINK_CREATE, &attr, sizeof(attr));

	printf("%u\n", attr.count);
	if (link < 0) {
		perror("link");
		return 1;
	}
	close(link);
	bpf_object__close(object);
	return 0;
}
