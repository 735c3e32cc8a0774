/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * bpf(2), thinly: each call fills in its part of union bpf_attr and nothing
 * else.  File descriptors or negative errnos.  libbpf's wrappers would probe
 * features first, which costs more than a whole session of ours.
 */

#include <linux/bpf.h>
#include <stdbool.h>
#include <stdint.h>

int sys_bpf(enum bpf_cmd command, union bpf_attr *attr, unsigned size);

struct sys_map {
	uint32_t type, key_size, value_size, max_entries, flags;
	int btf_fd;
	uint32_t btf_key, btf_value;
	const char *name;
};
int sys_map_create(const struct sys_map *map);
int sys_map_update(int fd, const void *key, const void *value);
/* The key behind `key` (NULL: the first); -ENOENT: there is none. */
int sys_map_next(int fd, const void *key, void *next);
int sys_map_freeze(int fd);
int sys_btf_load(const void *bytes, uint32_t size);

struct sys_prog {
	uint32_t type, attach_type;
	uint32_t target_btf_id;
	int target_btf_fd;
	bool is_sleepable;
	const struct bpf_insn *insns;
	uint32_t count;
	const char *name;
	/* for programs with functions of their own */
	int btf_fd;
	const struct bpf_func_info *functions;
	uint32_t nfunctions;
	char *log; /* or NULL */
	uint32_t log_size, log_level;
};
int sys_prog_load(const struct sys_prog *prog);
/* close() that survives a signal and a descriptor of -1 */
void sys_close(int fd);
