/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs on functions of the kernel.
 *
 * There are three methods to trace a function, and none is best for all cases:
 *
 *   typed   (fentry, fexit) costs a third of the others when it fires, but
 *           each function needs its own program: for a few.
 *   multi   places one program on thousands of functions with one link, and
 *           removes it at once.  Not in every kernel.
 *   kprobe  a perf event each.  Works at any instruction, and takes the
 *           kernel up to a tenth of a second per event to remove.
 *
 * 1. The method for a point is chosen when probes are grouped, by trying: a
 *    typed program that the kernel rejects is not used.  One that loads but
 *    cannot be attached is built again for the next method.
 * 2. Several kprobes are handed to a child at the end, which closes them, so
 *    that the user does not have to wait.  Programs are silent by then.
 * 3. At entry the registers are those of the call; the frame of the function
 *    itself is left out of stacks: the first is its caller.
 * 4. A function that the kernel refuses among many is left out and counted;
 *    if it is the only one, that is an error.
 * 5. If the user interrupts while thousands are being armed, the run ends with
 *    those that are armed by then.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "btf/type.h"
#include "provider/kernel_function.h"
#include "provider/provider.h"

enum {
	SHAPE_OF_TYPED = 16,		/* shapes from here on: one function */
	FEW_EVENTS = 4,			/* closed while the user waits */
	TYPED_HIDDEN = 2,		/* program, trampoline */
	KPROBE_HIDDEN = 1,		/* the function, at its entry */
};

#define NANOSECONDS 1000000000ull
#define PATIENCE (2 * NANOSECONDS) /* arming in silence */

struct function_group {
	enum function_way way;
	enum function_where where;
	struct function_point *const *points;
	uint32_t npoints, nparams;
};

/* --------------------------------------------------------------- points */

struct function_point *function_point_new(struct probe_registry *registry,
					  struct kernel_function *function,
					  enum function_where where)
{
	struct arena *arena = registry_arena(registry);
	struct function_point *point = arena_new_of(arena,
						    struct function_point);

	point->functions = kernel_functions_of(registry);
	point->function = function;
	point->where = where;
	return point;
}

/* Every parameter in one register: then argument n is parameter n. */
static bool has_simple_parameters(struct types *types, struct type *type)
{
	for (uint32_t i = 0; i < type->nparams; i++) {
		struct type *param = type_strip(types, type->params[i]);

		if (param->kind == TYPE_STRUCT || param->kind == TYPE_UNION ||
		    type_size(types, param) > 8)
			return false;
	}
	return !type->is_variadic && type->nparams <= ARCH_ARGUMENT_REGISTERS;
}

void function_point_prefer_typed(struct probe_registry *registry,
				 struct function_point *point)
{
	struct type *type = point->type ? NULL
					: kernel_function_type(registry,
							       point->function);

	if (type && has_simple_parameters(registry_types(registry), type))
		point->type = type;
}

static struct bpf_kind typed_kind(const struct function_point *point)
{
	return (struct bpf_kind){
		.type = BPF_PROG_TYPE_TRACING,
		.attach_type = point->where == FUNCTION_RETURN
				       ? BPF_TRACE_FEXIT
				       : BPF_TRACE_FENTRY,
		.target_btf_id = point->type->btf_id,
	};
}

/* Modules' functions would need a descriptor of the module's BTF. */
static bool can_be_typed(const struct function_point *point)
{
	struct bpf_kind kind;

	if (!point->type || point->where == FUNCTION_OFFSET ||
	    strcmp(point->function->module, "vmlinux") ||
	    !kernel_functions_can(point->functions, FUNCTION_TYPED))
		return false;
	kind = typed_kind(point);
	return !bpf_try_kind(&kind);
}

static enum function_way way_of(struct function_point *point)
{
	if (point->is_decided)
		return point->way;
	point->is_decided = true;
	if (can_be_typed(point))
		point->way = FUNCTION_TYPED;
	else if (point->where != FUNCTION_OFFSET &&
		 kernel_functions_can(point->functions, FUNCTION_MULTI))
		point->way = FUNCTION_MULTI;
	else
		point->way = FUNCTION_KPROBE;
	return point->way;
}

uint32_t function_point_shape(struct function_point *point)
{
	enum function_way way = way_of(point);

	if (way == FUNCTION_TYPED)
		return SHAPE_OF_TYPED + point->function->index * 2 +
		       (point->where == FUNCTION_RETURN);
	return (uint32_t)way * 3 + (uint32_t)point->where;
}

/* -------------------------------------------------------------- programs */

/*
 * A cookie is the probe's index + 1: the kernel returns 0 for a function whose
 * address it does not recognize, and that must not count as the first probe.
 */
static ir_reg select_by_cookie(struct lower *lower)
{
	struct ir_builder *b = &lower->b;
	struct ir_block *lost = ir_block_new(b, "no cookie");
	struct ir_block *found = ir_block_new(b, "function");
	ir_reg cookie = ir_intrinsic(b, IR_ATTACH_COOKIE, 0, 0);

	ir_branch(b, cookie, found, lost);
	ir_enter(b, lost);
	ir_return(b);
	ir_enter(b, found);
	return ir_binary_imm(b, IR_SUB, cookie, 1);
}

/* Arguments that do not fit the registers are above the return address. */
static ir_reg stack_argument(struct lower *lower, uint32_t n)
{
	struct ir_builder *b = &lower->b;
	ir_reg at = ir_binary_imm(
		b, IR_ADD, context_word(lower, ARCH_SP),
		ARCH_CALL_PUSHES + 8 * (int64_t)(n - ARCH_ARGUMENT_REGISTERS));

	return ir_read_scalar(b, IR_KERNEL, at, 8, false);
}

ir_reg function_argument(struct lower *lower,
			 const struct function_group *functions, uint32_t n)
{
	struct ir_builder *b = &lower->b;

	if (functions->way == FUNCTION_TYPED)
		return n < functions->nparams
			       ? ir_intrinsic(b, IR_FUNCTION_ARGUMENT,
					      ir_const(b, n), 0)
			       : ir_const(b, 0);
	if (functions->where == FUNCTION_RETURN)
		return ir_const(b, 0);
	if (n < ARCH_ARGUMENT_REGISTERS)
		return context_word(lower, arch_argument_register(n));
	return functions->where == FUNCTION_ENTRY ? stack_argument(lower, n)
						  : ir_const(b, 0);
}

ir_reg function_result(struct lower *lower,
		       const struct function_group *functions)
{
	if (functions->way == FUNCTION_TYPED)
		return ir_intrinsic(&lower->b, IR_FUNCTION_RESULT, 0, 0);
	return context_word(lower, ARCH_RESULT);
}

struct function_group *function_group_new(struct arena *arena,
					  struct probe_group *group,
					  struct function_point *const *points)
{
	struct function_group *functions = arena_new_of(arena,
							struct function_group);
	enum function_way way = way_of(points[0]);

	*functions = (struct function_group){
		.way = way,
		.where = points[0]->where,
		.points = points,
		.npoints = group->nprobes,
	};
	group->lower.phase = PHASE_ACTIVE;
	group->lower.starts_at_caller = functions->where != FUNCTION_OFFSET;
	if (way == FUNCTION_TYPED) {
		functions->nparams = points[0]->type->nparams;
		group->kind = typed_kind(points[0]);
		group->lower.skip_frames = TYPED_HIDDEN;
		group->lower.marks_function = true;
		return functions;
	}
	group->kind.type = BPF_PROG_TYPE_KPROBE;
	if (way == FUNCTION_MULTI)
		group->kind.attach_type = BPF_TRACE_KPROBE_MULTI;
	group->lower.skip_frames = functions->where == FUNCTION_ENTRY
					   ? KPROBE_HIDDEN
					   : 0;
	if (group->nprobes > 1)
		group->lower.select = select_by_cookie;
	return functions;
}

/* ----------------------------------------------------------------- multi */

struct sites {
	uint64_t *addresses, *cookies;
	uint32_t count, refused;
	int error; /* of the first that was refused */
};

static void collect_sites(const struct function_group *functions,
			  struct sites *sites)
{
	uint32_t most = 0;

	for (int pass = 0; pass < 2; pass++) {
		for (uint32_t i = 0; i < functions->npoints; i++) {
			struct kernel_function *function =
				functions->points[i]->function;

			for (; function;
			     function = kernel_function_same(function)) {
				if (!pass) {
					most++;
					continue;
				}
				sites->addresses[sites->count] =
					function->address;
				sites->cookies[sites->count++] = i + 1;
			}
		}
		if (!pass) {
			sites->addresses = must_alloc(checked_mul(most, 8));
			sites->cookies = must_alloc(checked_mul(most, 8));
		}
	}
}

static int link_multi(int program_fd, bool is_return, const uint64_t *addresses,
		      const uint64_t *cookies, uint32_t count)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.link_create.prog_fd = (uint32_t)program_fd;
	attr.link_create.attach_type = BPF_TRACE_KPROBE_MULTI;
	attr.link_create.kprobe_multi.flags =
		is_return ? BPF_F_KPROBE_MULTI_RETURN : 0;
	attr.link_create.kprobe_multi.cnt = count;
	attr.link_create.kprobe_multi.addrs = (uintptr_t)addresses;
	attr.link_create.kprobe_multi.cookies = (uintptr_t)cookies;
	int fd = (int)syscall(SYS_bpf, BPF_LINK_CREATE, &attr, sizeof(attr));

	return fd < 0 ? -errno : fd;
}

/*
 * One function that the kernel refuses fails the whole link: then in halves,
 * until those are found.
 */
static void attach_multi_range(struct attach_context *context,
			       struct attachment *attachment, bool is_return,
			       struct sites *sites, uint32_t from, uint32_t to)
{
	int fd = link_multi(context->program_fd, is_return,
			    sites->addresses + from, sites->cookies + from,
			    to - from);

	if (fd >= 0) {
		attachment_add(attachment, fd);
		return;
	}
	if (!sites->error)
		sites->error = fd;
	if (to - from == 1) {
		sites->refused++;
		return;
	}
	uint32_t middle = from + (to - from) / 2;

	attach_multi_range(context, attachment, is_return, sites, from, middle);
	attach_multi_range(context, attachment, is_return, sites, middle, to);
}

/* --------------------------------------------------------------- kprobes */

/* Printed once, if it takes more than a moment. */
static void say_how_long(struct attach_context *context, uint32_t done,
			 uint32_t count, uint64_t spent)
{
	if (context->say)
		context->say(
			context->say_data,
			arena_printf(
				context->arena,
				"arming %u functions one by one, which takes this kernel about %llu s (CONFIG_FPROBE=y: a moment); Ctrl-C ends it",
				count,
				(unsigned long long)(spent * count /
						     (done ? done : 1) /
						     NANOSECONDS)));
}

static void attach_kprobes(struct attach_context *context,
			   struct attachment *attachment,
			   const struct function_group *functions,
			   struct sites *sites)
{
	bool is_return = functions->where == FUNCTION_RETURN;
	bool is_said = false;
	uint64_t start = clock_monotonic();

	attachment_expect(sites->count);
	for (uint32_t i = 0; i < sites->count; i++) {
		const struct function_point *point =
			functions->points[sites->cookies[i] - 1];

		if (context->interrupts && *context->interrupts)
			return;
		if (!is_said && clock_monotonic() - start > PATIENCE) {
			say_how_long(context, i, sites->count,
				     clock_monotonic() - start);
			is_said = true;
		}
		int err = kprobe_attach(attachment, context->program_fd,
					sites->addresses[i] + point->offset,
					is_return, sites->cookies[i]);

		if (err && !sites->error)
			sites->error = err;
		sites->refused += err != 0;
	}
}

/* ---------------------------------------------------------------- attach */

static const char *explain(struct arena *arena,
			   const struct function_group *functions, int err)
{
	const struct function_point *point = functions->points[0];
	const char *name = point->function->name;

	if (err == -EACCES || err == -EPERM)
		return arena_printf(
			arena,
			"not permitted to trace the function %s: dtrace needs root, or CAP_PERFMON and CAP_BPF, and a kernel that is not locked down",
			name);
	if (functions->where == FUNCTION_OFFSET)
		return arena_printf(
			arena,
			"there is no instruction that can be traced at %s+0x%llx: %s",
			name, (unsigned long long)point->offset,
			err == -EILSEQ	 ? "none begins there"
			: err == -ERANGE ? "the function ends before"
					 : strerror(-err));
	return arena_printf(arena,
			    "the kernel refuses to trace the function %s: %s%s",
			    name, strerror(-err),
			    functions->way == FUNCTION_TYPED ? " (try rawfbt)"
							     : "");
}

/*
 * A program that loads may still fail to attach: there are too many, or one of
 * another kind.
 */
static bool choose_other_way(struct function_point *point)
{
	enum function_way way = FUNCTION_MULTI;

	while (way < FUNCTION_WAYS &&
	       !kernel_functions_can(point->functions, way))
		way++;
	if (way == FUNCTION_WAYS)
		return false;
	point->way = way;
	return true;
}

static int attach_typed(struct attach_context *context,
			struct probe_group *group)
{
	int fd = link_raw_tracepoint(context->program_fd, NULL);

	if (fd < 0)
		return fd;
	attachment_add(attachment_of(group), fd);
	return 0;
}

/*
 * Another function begins after its end; the kernel would accept that offset.
 */
static bool is_within(const struct function_point *point)
{
	uint64_t size = kernel_function_size(point->functions, point->function);

	return !size || point->offset < size;
}

static int attach_sites(struct attach_context *context,
			struct probe_group *group,
			const struct function_group *functions)
{
	struct attachment *attachment = attachment_of(group);
	struct sites sites = { 0 };

	if (functions->where == FUNCTION_OFFSET &&
	    !is_within(functions->points[0]))
		return -ERANGE;
	kernel_functions_locate(functions->points[0]->functions);
	collect_sites(functions, &sites);
	if (functions->way == FUNCTION_MULTI)
		attach_multi_range(context, attachment,
				   functions->where == FUNCTION_RETURN, &sites,
				   0, sites.count);
	else
		attach_kprobes(context, attachment, functions, &sites);
	free(sites.addresses);
	free(sites.cookies);
	if (!sites.refused)
		return 0;
	if (sites.refused == sites.count)
		return sites.error;
	context->warning = arena_printf(
		context->arena,
		"%u of %u functions cannot be traced and were left out (%s)",
		sites.refused, sites.count, strerror(-sites.error));
	return 0;
}

int function_group_attach(struct attach_context *context,
			  struct probe_group *group,
			  const struct function_group *functions)
{
	int err = functions->way == FUNCTION_TYPED
			  ? attach_typed(context, group)
			  : attach_sites(context, group, functions);

	if (err && functions->way == FUNCTION_TYPED)
		context->has_other_way = choose_other_way(functions->points[0]);
	if (err)
		context->error = explain(context->arena, functions, err);
	return err;
}

/* ---------------------------------------------------------------- detach */

/*
 * A grandchild, so that no process has to wait for it, closes what it inherited
 * once we have closed ours: we hold the other end of a pipe that it reads from.
 * It must not hold our output open meanwhile.  Returns that end, or -1.
 */
static int leave_to_child(const struct attachment *attachment)
{
	int ends[2];
	char byte;

	if (pipe2(ends, O_CLOEXEC))
		return -1;
	pid_t child = fork();

	if (child) {
		while (child > 0 && waitpid(child, NULL, 0) < 0 &&
		       errno == EINTR)
			continue;
		close(ends[0]);
		return ends[1];
	}
	if (fork())
		_exit(0);
	setsid();
	close(ends[1]);
	for (int fd = 0; fd < 3; fd++)
		close(fd);
	while (read(ends[0], &byte, 1) < 0 && errno == EINTR)
		continue;
	for (unsigned i = attachment->count; i > 0; i--)
		close(attachment->fds[i - 1]);
	_exit(0);
}

static bool is_slow_to_close(const struct probe_group *group)
{
	const struct attachment *attachment = group->attachment;

	return group->kind.type == BPF_PROG_TYPE_KPROBE &&
	       group->kind.attach_type != BPF_TRACE_KPROBE_MULTI &&
	       attachment && attachment->count > 2 * FEW_EVENTS;
}

void function_group_detach(struct probe_group *group)
{
	int end = is_slow_to_close(group) ? leave_to_child(group->attachment)
					  : -1;

	attachment_close(group);
	if (end >= 0)
		close(end);
}
