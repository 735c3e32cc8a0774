/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Frames, names and buckets: what a consumer is shown as data is what the text
 * says.
 *
 *	frames stacks|buckets PROGRAM
 *
 * The program traces this process, which comes to getppid() by outer(), middle()
 * and inner().
 */
#include <dtrace.h>

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static dtrace_hdl_t *dtp;
static int failures;
/* frames of all values, one to a line, as the text has them */
static char *lines;
static size_t nlines;
static FILE *shown;

static void check(bool is_good, const char *what)
{
	if (is_good)
		return;
	printf("%s: %s\n", what, dtrace_errmsg(dtp, dtrace_errno(dtp)));
	exit(1);
}

/* ----------------------------------------------------------------- stacks */

__attribute__((noinline)) static long inner(void)
{
	return syscall(SYS_getppid) + 1;
}

__attribute__((noinline)) static long middle(void)
{
	return inner() + 1;
}

__attribute__((noinline)) static long outer(void)
{
	return middle() + 1;
}

static const char *kind_of(const dtrace_value_ext_t *value)
{
	static const char *const kinds[] = {
		[DTRACE_VALUE_INTEGER] = "integer",
		[DTRACE_VALUE_UNSIGNED] = "unsigned",
		[DTRACE_VALUE_STRING] = "string",
		[DTRACE_VALUE_BYTES] = "bytes",
		[DTRACE_VALUE_SYMBOL] = "symbol",
		[DTRACE_VALUE_STACK] = "stack",
	};

	return kinds[value->dtv_kind];
}

/* Our own frames, whose names are known; how far it is into them is not. */
static void show_frame(const dtrace_frame_ext_t *frame, bool is_whole)
{
	static const char *const kinds[] = { "kernel", "user", "script" };

	if (frame->dtf_object)
		fprintf(shown, "%s", frame->dtf_object);
	if (frame->dtf_function)
		fprintf(shown, "`%s", frame->dtf_function);
	else if (is_whole)
		fprintf(shown, "%s0x%" PRIx64, frame->dtf_object ? "`" : "",
			frame->dtf_address);
	if (is_whole && frame->dtf_offset)
		fprintf(shown, "+0x%" PRIx64, frame->dtf_offset);
	fprintf(shown, "\n");
	if (!frame->dtf_address)
		failures++;
	if (!frame->dtf_object || !frame->dtf_function ||
	    strcmp(frame->dtf_object, "frames") ||
	    !strcmp(frame->dtf_function, "_start"))
		return;
	printf("    %s %s`%s%s\n", kinds[frame->dtf_kind], frame->dtf_object,
	       frame->dtf_function, frame->dtf_offset ? " behind its start" : "");
}

static void show_value(const dtrace_value_ext_t *value)
{
	dtrace_stack_ext_t stack;
	bool is_stack = value->dtv_kind == DTRACE_VALUE_STACK;

	printf("  %s %s \"%s\"\n", kind_of(value),
	       value->dtv_name ? value->dtv_name : "-", value->dtv_type);
	if (dtrace_value_stack_ext(dtp, value, &stack)) {
		if (is_stack || value->dtv_kind == DTRACE_VALUE_SYMBOL)
			check(false, "frames");
		return;
	}
	printf("    %s\n", stack.dts_cut ? stack.dts_cut :
	       stack.dts_nframes > 1 ? "frames:" : "a frame:");
	if (stack.dts_nframes && !stack.dts_frames[0].dtf_kind)
		printf("    %s\n", stack.dts_frames[0].dtf_object);
	for (uint32_t i = 0; i < stack.dts_nframes; i++)
		show_frame(&stack.dts_frames[i], is_stack);
}

static int see_rec(const dtrace_probedata_t *data, const dtrace_recdesc_t *rec,
		   void *arg)
{
	(void)data, (void)arg;
	if (!rec)
		return DTRACE_CONSUME_THIS;
	printf("%s\n", rec->dtrd_action);
	for (uint32_t i = 0; i < rec->dtrd_nvalues; i++)
		show_value(&rec->dtrd_values[i]);
	return DTRACE_CONSUME_THIS;
}

static int see_row(const dtrace_aggdata_t *row, void *arg)
{
	(void)arg;
	printf("@%s %s\n", row->dtada_name, row->dtada_function);
	for (uint32_t i = 0; i < row->dtada_nkeys; i++)
		show_value(&row->dtada_keys[i]);
	return DTRACE_AGGWALK_NEXT;
}

/* Every frame that was shown is in the text, in that order. */
static void compare_with_text(const char *text)
{
	char *rest = lines;

	for (char *line = strtok(rest, "\n"); line; line = strtok(NULL, "\n")) {
		const char *at = strstr(text, line);

		if (!at) {
			printf("%s is not in the text, or elsewhere:\n%s\n",
			       line, text);
			failures++;
			return;
		}
		text = at + strlen(line);
	}
	printf("the text has all of them\n");
}

/* ---------------------------------------------------------------- buckets */

static void put_bound(int64_t bound, int is_open)
{
	if (is_open)
		printf(" -");
	else
		printf(" %" PRId64, bound);
}

static int see_buckets(const dtrace_aggdata_t *row, void *arg)
{
	dtrace_bucket_ext_t bucket;

	(void)arg;
	printf("%s of %u", row->dtada_function, row->dtada_nvalues);
	if (!dtrace_aggregate_bucket_ext(row, row->dtada_nvalues, &bucket))
		printf(" and one more");
	printf("\n");
	for (uint32_t i = 0; i < row->dtada_nvalues; i++) {
		if (dtrace_aggregate_bucket_ext(row, i, &bucket)) {
			printf("  no buckets\n");
			break;
		}
		if (!row->dtada_values[i])
			continue;
		printf(" ");
		put_bound(bucket.dtb_low, bucket.dtb_is_open_below);
		put_bound(bucket.dtb_high, bucket.dtb_is_open_above);
		printf(" : %" PRId64 "\n", bucket.dtb_count);
	}
	return DTRACE_AGGWALK_NEXT;
}

/* ---------------------------------------------------------------- the run */

int main(int argc, char **argv)
{
	bool is_stacks = argc == 3 && !strcmp(argv[1], "stacks");
	char pid[16], *args[] = { "frames", pid }, *text = NULL;
	size_t length;
	FILE *printed = open_memstream(&text, &length);
	int error;

	shown = open_memstream(&lines, &nlines);
	dtp = dtrace_open(DTRACE_VERSION, 0, &error);
	snprintf(pid, sizeof(pid), "%d", (int)getpid());
	dtrace_setopt(dtp, "quiet", NULL);
	dtrace_prog_t *program = dtrace_program_strcompile(
		dtp, argv[2], DTRACE_PROBESPEC_NAME, 0, 2, args);

	check(program && !dtrace_program_exec(dtp, program, NULL), "program");
	check(!dtrace_go(dtp), "go");
	outer();
	check(dtrace_work(dtp, printed, NULL, see_rec, NULL) >= 0, "work");
	check(!dtrace_stop(dtp), "stop");
	check(!dtrace_aggregate_walk(dtp, is_stacks ? see_row : see_buckets,
				     NULL), "walk");
	check(!dtrace_aggregate_print(dtp, printed, NULL), "print");
	fclose(printed);
	fclose(shown);
	if (is_stacks)
		compare_with_text(text);
	else
		printf("%s", text);
	dtrace_close(dtp);
	free(text);
	free(lines);
	return failures != 0;
}
