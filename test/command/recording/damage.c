/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Replays damaged recordings, in one process:
 *
 *	damage cut FILE N	up to N places, evenly: a prefix comes out
 *	damage mutate FILE N	N times, a few bytes changed at random
 *
 * No replay may crash or take long; the parent's limit of memory holds.
 */
#include <dtrace.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static int messages;

static void hear(void *arg, const char *message)
{
	(void)arg;
	if (strcmp(message, "the recording ends before the run did") &&
	    strcmp(message, "commands of system() and files of freopen() are not replayed"))
		messages++;
}

struct text { char *bytes; size_t size; int result; };

static struct text replay(const char *bytes, size_t size, const char *format)
{
	struct text text = { 0 };
	char path[64];
	int error, fd = memfd_create("recording", 0);
	dtrace_hdl_t *dtp = dtrace_open(DTRACE_VERSION, 0, &error);
	FILE *out = open_memstream(&text.bytes, &text.size);
	struct timespec start, end;

	if (fd < 0 || !dtp || !out || write(fd, bytes, size) != (ssize_t)size)
		exit(2);
	dtrace_handle_message_ext(dtp, hear, NULL);
	dtrace_setopt(dtp, "oformat", format);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start);
	text.result = dtrace_replay_ext(dtp, path, out, NULL, NULL, NULL);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
	if (end.tv_sec - start.tv_sec > 5)
		printf("took %ld seconds\n", (long)(end.tv_sec - start.tv_sec));
	if (text.result && !strstr(dtrace_errmsg(dtp, dtrace_errno(dtp)), "recording"))
		printf("error: %s\n", dtrace_errmsg(dtp, dtrace_errno(dtp)));
	dtrace_close(dtp);
	fclose(out);
	close(fd);
	return text;
}

static void cut(const char *bytes, size_t size, unsigned long times)
{
	struct text whole = replay(bytes, size, "text");
	size_t step = size > times ? size / times : 1, longest = 0;
	unsigned long places = 0, bad = 0;

	for (size_t n = 1; n < size; n += step, places++) {
		struct text part = replay(bytes, n, "text");

		if (part.result || part.size < longest ||
		    part.size > whole.size ||
		    memcmp(part.bytes, whole.bytes, part.size))
			bad++;
		longest = part.size;
		free(part.bytes);
	}
	printf("%s places, %lu of them bad\n",
	       places >= times || step == 1 ? "all" : "few", bad);
	printf("whole: %d, %s\n", whole.result, whole.size ? "text" : "nothing");
	free(whole.bytes);
}

static unsigned long draw(unsigned long *state)
{
	*state = *state * 6364136223846793005ul + 1442695040888963407ul;
	return *state >> 33;
}

static void mutate(const char *bytes, size_t size, unsigned long times)
{
	static const char *const formats[] = { "text", "ndjson", "csv", "json" };
	unsigned long state = 1, refused = 0, changed = 0;
	char *own = malloc(size);
	struct text whole = replay(bytes, size, "text");

	for (unsigned long i = 0; i < times; i++) {
		memcpy(own, bytes, size);
		for (unsigned long k = 1 + draw(&state) % 4; k; k--)
			own[19 + draw(&state) % (size - 19)] =
				(char)(draw(&state) % 2 ? draw(&state) :
				       draw(&state) % 2 ? 0xff : 1);
		struct text text = replay(own, size, formats[i % 4]);

		refused += text.result != 0;
		changed += text.size != whole.size;
		free(text.bytes);
	}
	printf("%s, %s\n", refused > times / 10 ? "many are refused" : "few are refused",
	       changed ? "others are shown" : "nothing changed");
	free(own);
	free(whole.bytes);
}

int main(int argc, char **argv)
{
	static char bytes[1 << 24];
	FILE *file = argc == 4 ? fopen(argv[2], "r") : NULL;
	size_t size = file ? fread(bytes, 1, sizeof(bytes), file) : 0;

	if (size < 100)
		return 2;
	fclose(file);
	(*argv[1] == 'c' ? cut : mutate)(bytes, size, strtoul(argv[3], NULL, 10));
	return 0;
}
