/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sdt: every tracepoint of the kernel, with the fields of its trace record.
 *
 * The kernel writes a record for its own tracing; its fields are handier than
 * pointers to kernel structures, and change less often.  The record only exists
 * for programs that are attached to a perf event, which is slow to close: some
 * tens of milliseconds for each.  Use rawtp to trace all tracepoints of a
 * group.
 *
 * 1. Fields and their types are in the file `format` of the event; those that
 *    all records have (common_...) are left out.
 * 2. An array field is its address in the record; an array of chars is a
 *    string.  Data of variable length is at an offset that the field contains:
 *    from the start of the record (__data_loc) or from the field's own end
 *    (__rel_loc).
 * 3. One event is enough for all CPUs: the program is attached to the
 *    tracepoint, not to what the event counts.
 */
#include <ctype.h>
#include <errno.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "ir/abi.h"
#include "provider/tracepoint.h"

enum field_place { PLACE_VALUE, PLACE_ARRAY, PLACE_DATA_LOC, PLACE_REL_LOC };

struct trace_field {
	const char *native, *translated;
	enum field_place place;
	uint32_t offset, size;
	bool is_signed;
};

/* ----------------------------------------------------------------- format */

static const char *skip_prefix(const char *text, const char *prefix)
{
	size_t length = strlen(prefix);

	return strncmp(text, prefix, length) ? NULL : text + length;
}

/* "char comm[16]", "__data_loc char[] name": where it is, and as what. */
static void read_declaration(struct arena *arena, struct trace_field *field,
			     char *text)
{
	const char *rest;
	char *end, *array;

	if ((rest = skip_prefix(text, "__data_loc ")))
		field->place = PLACE_DATA_LOC;
	else if ((rest = skip_prefix(text, "__rel_loc ")))
		field->place = PLACE_REL_LOC;
	else
		rest = text;
	char *type = arena_strdup(arena, rest);

	array = strchr(type, '[');
	if (array && field->place == PLACE_VALUE)
		field->place = PLACE_ARRAY;
	end = array && field->place == PLACE_ARRAY ? array
						   : type + strlen(type);
	/* the name is the last word */
	while (end > type &&
	       (isalnum((unsigned char)end[-1]) || end[-1] == '_'))
		end--;
	if (array && array < end)
		end = array;
	while (end > type && end[-1] == ' ')
		end--;
	*end = '\0';
	if (field->place == PLACE_VALUE && field->size != 1 &&
	    field->size != 2 && field->size != 4 && field->size != 8)
		field->place = PLACE_ARRAY;
	field->native = field->place == PLACE_VALUE
				? type
				: arena_printf(arena, "%s *", type);
	field->translated = field->place != PLACE_VALUE && !strcmp(type, "char")
				    ? "string"
				    : field->native;
}

/* A line "\tfield:int prev_prio;\toffset:28;\tsize:4;\tsigned:1;" */
static bool read_field(struct arena *arena, char *line,
		       struct trace_field *field)
{
	char *text = strstr(line, "field:"),
	     *end = text ? strchr(text, ';') : NULL;
	unsigned offset, size, is_signed;

	*field = (struct trace_field){ 0 };
	if (!end || sscanf(end, "; offset:%u; size:%u; signed:%u", &offset,
			   &size, &is_signed) != 3)
		return false;
	*end = '\0';
	if (strstr(text, " common_"))
		return false;
	field->offset = offset;
	field->size = size;
	field->is_signed = is_signed;
	read_declaration(arena, field, text + strlen("field:"));
	return true;
}

static const struct tracepoint *tracepoint_of(const struct probe *probe)
{
	struct tracepoint *tracepoint = probe->data;

	if (!tracepoint || tracepoint->is_read)
		return tracepoint;
	struct arena *arena = registry_arena(tracepoint->registry);
	char *text = tracepoint_read(tracepoint->registry, probe->module,
				     probe->name, "format");
	char *line = text;
	uint32_t room = 0;

	tracepoint->is_read = true;
	for (char *p = text; p && *p; p++)
		room += *p == '\n';
	tracepoint->fields = arena_array_of(arena, struct trace_field,
					    room + 1);
	while (line) {
		char *next = strchr(line, '\n');

		if (next)
			*next++ = '\0';
		if (read_field(arena, line,
			       &tracepoint->fields[tracepoint->nfields]))
			tracepoint->nfields++;
		line = next;
	}
	free(text);
	return tracepoint;
}

/* ----------------------------------------------------------------- probes */

static int sdt_list(struct probe_registry *registry,
		    const struct probe_desc *desc, struct probe_error *error)
{
	(void)error;
	tracepoint_list(registry, &sdt_provider, desc);
	return 0;
}

static int sdt_argument(struct probe_registry *registry,
			const struct probe *probe, uint32_t n,
			const char **native, const char **translated)
{
	const struct tracepoint *tracepoint = tracepoint_of(probe);

	(void)registry;
	if (n >= tracepoint->nfields)
		return 0;
	*native = tracepoint->fields[n].native;
	*translated = tracepoint->fields[n].translated;
	return 1;
}

static uint32_t sdt_shape(const struct probe *probe)
{
	return probe->id;
}

static ir_reg field_address(struct lower *lower,
			    const struct trace_field *field)
{
	struct ir_builder *b = &lower->b;
	struct ir_mem mem = { .space = IR_CONTEXT, .offset = field->offset };

	if (field->place == PLACE_ARRAY)
		return ir_address(b, mem);
	ir_reg into = ir_binary_imm(b, IR_AND, ir_load(b, mem, 4, false),
				    0xffff);

	mem.offset = field->place == PLACE_REL_LOC ? field->offset + field->size
						   : 0;
	return ir_binary(b, IR_ADD, ir_address(b, mem), into);
}

static ir_reg sdt_read(struct lower *lower, uint32_t n)
{
	const struct tracepoint *tracepoint = lower->group->provider_data;

	if (n >= tracepoint->nfields)
		return ir_const(&lower->b, 0);
	const struct trace_field *field = &tracepoint->fields[n];

	if (field->place != PLACE_VALUE)
		return field_address(lower, field);
	struct ir_mem mem = { .space = IR_CONTEXT, .offset = field->offset };

	return ir_load(&lower->b, mem, field->size, field->is_signed);
}

static int sdt_context(struct arena *arena, struct probe_group *group)
{
	(void)arena;
	/* frames begin in the caller, or with __traceiter_NAME */
	group->lower.tracepoint = group->probes[0]->name;
	group->lower.provider_data = tracepoint_of(group->probes[0]);
	group->lower.argument = sdt_read;
	return 0;
}

/* ------------------------------------------------------------- attachment */

static int open_event(const struct probe *probe)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_TRACEPOINT,
		.config = probe->number,
		.sample_period = 1,
	};
	int fd = (int)syscall(SYS_perf_event_open, &attr, -1, 0, -1,
			      PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

static int sdt_attach(struct attach_context *context, struct probe_group *group)
{
	struct attachment *attachment = attachment_of(group);
	const struct probe *probe = group->probes[0];
	int event = open_event(probe), link = event;

	if (event >= 0) {
		attachment_add(attachment, event);
		link = link_perf_event(context->program_fd, event, 0);
	}
	if (link >= 0) {
		attachment_add(attachment, link);
		return 0;
	}
	context->error =
		arena_printf(context->arena,
			     "cannot attach to the tracepoint %s:%s: %s",
			     probe->module, probe->name, strerror(-link));
	attachment_close(group);
	return link;
}

static enum provider_status sdt_check(struct probe_registry *registry,
				      const struct provider *provider,
				      const char **reason)
{
	*reason = registry_tracefs_problem(registry);
	if (!*reason && registry_count(registry, provider))
		return PROVIDER_WORKS;
	if (!*reason)
		*reason = "this kernel has no tracepoints (CONFIG_TRACEPOINTS)";
	return PROVIDER_ABSENT;
}

const struct provider sdt_provider = {
	.name = "sdt",
	.about = "tracepoints of the kernel, with the fields of their trace records",
	.attrs = PROVIDER_ATTRS(STABILITY(EVOLVING, CLASS_COMMON),
				STABILITY(PRIVATE, CLASS_ISA),
				STABILITY(PRIVATE, CLASS_ISA)),
	.program_type = BPF_PROG_TYPE_TRACEPOINT,
	.list = sdt_list,
	.explain = tracepoint_explain,
	.check = sdt_check,
	.argument = sdt_argument,
	.shape = sdt_shape,
	.context = sdt_context,
	.attach = sdt_attach,
	.detach = attachment_close,
	.nids = TRACEPOINT_LIMIT,
	.fixed_id = tracepoint_id,
};
