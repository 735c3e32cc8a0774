/* SPDX-License-Identifier: Apache-2.0 */
#include "bpf/sys.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { EAGAIN_TRIES = 5 }; /* the verifier gives up when a signal comes */

static uint64_t pointer(const void *p)
{
	return (uint64_t)(uintptr_t)p;
}

int sys_bpf(enum bpf_cmd command, union bpf_attr *attr, unsigned size)
{
	long result = syscall(SYS_bpf, command, attr, size);

	return result < 0 ? -errno : (int)result;
}

/* Names: 15 letters, digits, '_' and '.'; the kernel refuses others. */
static void copy_name(char to[BPF_OBJ_NAME_LEN], const char *from)
{
	for (unsigned i = 0; from && from[i] && i < BPF_OBJ_NAME_LEN - 1; i++) {
		char c = from[i];
		bool is_good = (c >= 'a' && c <= 'z') ||
			       (c >= 'A' && c <= 'Z') ||
			       (c >= '0' && c <= '9') || c == '.';

		to[i] = is_good ? c : '_';
	}
}

int sys_map_create(const struct sys_map *map)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.map_type = map->type;
	attr.key_size = map->key_size;
	attr.value_size = map->value_size;
	attr.max_entries = map->max_entries;
	attr.map_flags = map->flags;
	attr.btf_fd = (uint32_t)map->btf_fd;
	attr.btf_key_type_id = map->btf_key;
	attr.btf_value_type_id = map->btf_value;
	copy_name(attr.map_name, map->name);
	return sys_bpf(BPF_MAP_CREATE, &attr, sizeof(attr));
}

int sys_map_update(int fd, const void *key, const void *value)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.map_fd = (uint32_t)fd;
	attr.key = pointer(key);
	attr.value = pointer(value);
	return sys_bpf(BPF_MAP_UPDATE_ELEM, &attr, sizeof(attr));
}

int sys_map_next(int fd, const void *key, void *next)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.map_fd = (uint32_t)fd;
	attr.key = pointer(key);
	attr.next_key = pointer(next);
	return sys_bpf(BPF_MAP_GET_NEXT_KEY, &attr, sizeof(attr));
}

int sys_map_freeze(int fd)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.map_fd = (uint32_t)fd;
	return sys_bpf(BPF_MAP_FREEZE, &attr, sizeof(attr));
}

int sys_btf_load(const void *bytes, uint32_t size)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.btf = pointer(bytes);
	attr.btf_size = size;
	return sys_bpf(BPF_BTF_LOAD, &attr, sizeof(attr));
}

int sys_prog_load(const struct sys_prog *prog)
{
	union bpf_attr attr;
	int fd = -EAGAIN;

	memset(&attr, 0, sizeof(attr));
	attr.prog_type = prog->type;
	attr.expected_attach_type = prog->attach_type;
	attr.attach_btf_id = prog->target_btf_id;
	attr.attach_btf_obj_fd = (uint32_t)prog->target_btf_fd;
	attr.prog_flags = prog->is_sleepable ? BPF_F_SLEEPABLE : 0;
	attr.insns = pointer(prog->insns);
	attr.insn_cnt = prog->count;
	attr.license = pointer("GPL");
	copy_name(attr.prog_name, prog->name);
	if (prog->nfunctions) {
		attr.prog_btf_fd = (uint32_t)prog->btf_fd;
		attr.func_info = pointer(prog->functions);
		attr.func_info_cnt = prog->nfunctions;
		attr.func_info_rec_size = sizeof(*prog->functions);
	}
	if (prog->log) {
		attr.log_buf = pointer(prog->log);
		attr.log_size = prog->log_size;
		attr.log_level = prog->log_level;
	}
	for (int i = 0; i < EAGAIN_TRIES && fd == -EAGAIN; i++)
		fd = sys_bpf(BPF_PROG_LOAD, &attr, sizeof(attr));
	return fd;
}

void sys_close(int fd)
{
	if (fd >= 0)
		close(fd);
}
