/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the running kernel can do, detected by trying.
 *
 * Versions lie (backports, configurations, lockdown), so each feature has a
 * small trial: load a program or create a map, and see.  A trial costs 20-50 us
 * and runs at the first question.  The answers are the same for the whole
 * process and are kept here, which makes this the one place with state of its
 * own.
 */
#include "bpf/bpf.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "bpf/encode.h"
#include "bpf/sys.h"
#include "bpf/uprobe_multi.h"

static int try_insns(uint32_t type, const struct bpf_insn *insns,
		     uint32_t count)
{
	int fd = sys_prog_load(&(struct sys_prog){
		.type = type,
		.insns = insns,
		.count = count,
		.name = "dtrace_try",
	});

	if (fd >= 0)
		close(fd);
	return fd < 0 ? fd : 0;
}

/* A raw_tp program that calls one helper with the context. */
static int try_helper(int helper)
{
	const struct bpf_insn insns[] = {
		insn_call(helper),
		insn_mov_imm(R0, 0),
		insn_exit(),
	};

	return try_insns(BPF_PROG_TYPE_RAW_TRACEPOINT, insns, 3);
}

static int try_map(void)
{
	int fd = sys_map_create(&(struct sys_map){
		.type = BPF_MAP_TYPE_ARRAY,
		.key_size = 4,
		.value_size = 8,
		.max_entries = 1,
		.name = "dtrace_try",
	});

	if (fd >= 0)
		close(fd);
	return fd < 0 ? fd : 0;
}

static int try_bpf(void)
{
	int err = try_map();

	return err ? err : try_helper(BPF_FUNC_ktime_get_ns);
}

static int try_cookie(void)
{
	return try_helper(BPF_FUNC_get_attach_cookie);
}

/* The helper's prototype needs the kernel's own BTF. */
static int try_task_storage(void)
{
	return try_helper(BPF_FUNC_get_current_task_btf);
}

static int try_tai_clock(void)
{
	return try_helper(BPF_FUNC_ktime_get_tai_ns);
}

/*
 * The kernel checks the path of a link for many user probes before most other
 * things, and a directory is EBADF; a kernel without such links returns EINVAL.
 */
static int try_uprobe_multi(void)
{
	const struct bpf_insn insns[] = { insn_mov_imm(R0, 0), insn_exit() };
	uint64_t offset = 0;
	int fd = sys_prog_load(&(struct sys_prog){
		.type = BPF_PROG_TYPE_KPROBE,
		.attach_type = ATTACH_UPROBE_MULTI,
		.insns = insns,
		.count = 2,
		.name = "dtrace_try",
	});

	if (fd < 0)
		return fd;
	struct uprobe_multi_attr attr = {
		.prog_fd = (uint32_t)fd,
		.attach_type = ATTACH_UPROBE_MULTI,
		.path = (uintptr_t)"/",
		.offsets = (uintptr_t)&offset,
		.count = 1,
	};
	int link = sys_bpf(BPF_LINK_CREATE, (union bpf_attr *)&attr,
			   sizeof(attr));

	close(fd);
	if (link >= 0)
		close(link);
	return link == -EBADF ? 0 : link < 0 ? link : -EINVAL;
}

static int try_sleepable_uprobe(void)
{
	const struct bpf_insn insns[] = { insn_mov_imm(R0, 0), insn_exit() };
	int fd = sys_prog_load(&(struct sys_prog){
		.type = BPF_PROG_TYPE_KPROBE,
		.is_sleepable = true,
		.insns = insns,
		.count = 2,
		.name = "dtrace_try",
	});

	if (fd >= 0)
		close(fd);
	return fd < 0 ? fd : 0;
}

int bpf_try_kind(const struct bpf_kind *kind)
{
	const struct bpf_insn insns[] = { insn_mov_imm(R0, 0), insn_exit() };
	int fd = sys_prog_load(&(struct sys_prog){
		.type = kind->type,
		.attach_type = kind->attach_type,
		.target_btf_id = kind->target_btf_id,
		.target_btf_fd = kind->target_btf_fd,
		.is_sleepable = kind->is_sleepable,
		.insns = insns,
		.count = 2,
		.name = "dtrace_try",
	});

	if (fd >= 0)
		close(fd);
	return fd < 0 ? fd : 0;
}

/*
 * A link to no function at all is wrong (EINVAL) where links to functions
 * exist, and not supported elsewhere.
 */
static int try_kprobe_multi(void)
{
	const struct bpf_insn insns[] = { insn_mov_imm(R0, 0), insn_exit() };
	int fd = sys_prog_load(&(struct sys_prog){
		.type = BPF_PROG_TYPE_KPROBE,
		.attach_type = BPF_TRACE_KPROBE_MULTI,
		.insns = insns,
		.count = 2,
		.name = "dtrace_try",
	});

	if (fd < 0)
		return fd;
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.link_create.prog_fd = (uint32_t)fd;
	attr.link_create.attach_type = BPF_TRACE_KPROBE_MULTI;
	int link = sys_bpf(BPF_LINK_CREATE, &attr, sizeof(attr));

	close(fd);
	if (link >= 0)
		close(link);
	return link >= 0 || link == -EINVAL ? 0 : link;
}

static int try_sleepable_raw_tp(void)
{
	return bpf_try_kind(&(struct bpf_kind){
		.type = BPF_PROG_TYPE_RAW_TRACEPOINT,
		.is_sleepable = true,
	});
}

static int (*const trials[FEATURE_COUNT])(void) = {
	[FEATURE_BPF] = try_bpf,
	[FEATURE_RAW_TP_COOKIE] = try_cookie,
	[FEATURE_TASK_STORAGE] = try_task_storage,
	[FEATURE_TAI_CLOCK] = try_tai_clock,
	[FEATURE_UPROBE_MULTI] = try_uprobe_multi,
	[FEATURE_SLEEPABLE_UPROBE] = try_sleepable_uprobe,
	[FEATURE_KPROBE_MULTI] = try_kprobe_multi,
	[FEATURE_SLEEPABLE_RAW_TP] = try_sleepable_raw_tp,
};

/* 0: not tried; else 1 - errno of the trial */
static int answers[FEATURE_COUNT];

static int answer(enum bpf_feature feature)
{
	if (!answers[feature])
		answers[feature] = 1 - trials[feature]();
	return 1 - answers[feature];
}

/*
 * Without privileges nothing can be detected; then assume what kernels have
 * since 6.1, so that -S shows the usual code.
 */
bool bpf_has(enum bpf_feature feature)
{
	int err = answer(feature);

	if ((err == -EPERM || err == -EACCES) &&
	    (feature == FEATURE_TAI_CLOCK || feature == FEATURE_TASK_STORAGE ||
	     feature == FEATURE_SLEEPABLE_UPROBE))
		return true;
	return !err;
}

bool bpf_is_locked_down(void)
{
	char text[128] = "";
	int fd = open("/sys/kernel/security/lockdown", O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return false;
	ssize_t n = read(fd, text, sizeof(text) - 1);

	close(fd);
	for (ssize_t i = 0; i + 1 < n; i++)
		if (text[i] == '[' && text[i + 1] == 'c')
			return true; /* [confidentiality] */
	return false;
}

const char *bpf_privilege_problem(void)
{
	int err = answer(FEATURE_BPF);

	if (!err)
		return NULL;
	if (err == -ENOSYS)
		return "this kernel has no bpf(2): dtrace needs Linux 6.1 or later with CONFIG_BPF_SYSCALL=y";
	if (try_map() < 0)
		return "not permitted to use BPF: dtrace needs root, or CAP_BPF and CAP_PERFMON (try sudo)";
	if (bpf_is_locked_down())
		return "the kernel is locked down (confidentiality): BPF programs may not read kernel memory; boot without lockdown=confidentiality";
	if (err == -EPERM || err == -EACCES)
		return "not permitted to load tracing programs: dtrace needs CAP_PERFMON in addition to CAP_BPF (try sudo)";
	return "this kernel refuses the simplest BPF program: dtrace needs Linux 6.1 or later with CONFIG_BPF_EVENTS=y";
}
