/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Puts as many fentry programs on a kernel function as it takes, says so, and
 * holds them until it is killed: hold FUNCTION.
 */
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	enum { MOST = 1000 };
	struct btf *btf = btf__load_vmlinux_btf();
	int id = argc > 1 && btf ?
		btf__find_by_name_kind(btf, argv[1], BTF_KIND_FUNC) : -1;
	struct bpf_insn insns[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	int held = 0;

	if (id < 0)
		return 1;
	LIBBPF_OPTS(bpf_prog_load_opts, opts,
		    .expected_attach_type = BPF_TRACE_FENTRY,
		    .attach_btf_id = (__u32)id);
	for (; held < MOST; held++) {
		int fd = bpf_prog_load(BPF_PROG_TYPE_TRACING, "hold", "GPL",
				       insns, 2, &opts);

		if (fd < 0 || bpf_raw_tracepoint_open(NULL, fd) < 0)
			break;
	}
	printf("held by %d\n", held);
	fflush(stdout);
	pause();
	return 0;
}
