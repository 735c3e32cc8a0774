/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Firing: a method that has probes calls one of these natives (classfile.h), which
 * turns arguments into words and calls the sites of its probes.
 *
 * 1. No Java code runs here, and nothing is allocated: it may be any method that
 *    calls, also one of the class library.
 * 2. Strings are copied to the stack as UTF-8, up to as many bytes as D keeps.
 * 3. Methods are found by a number in a table that only grows.
 */
#include "fire.h"

#include <alloca.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "classfile.h"
#include "machine.h"

enum { CHUNK = 256, CHUNKS = 1024, NAME_BYTES = 256, WAIT_TURNS = 1 << 20 };

_Static_assert((int)CLASSFILE_ARGUMENTS == (int)JAVA_ARGUMENTS, "as words");

__asm__(".pushsection dtrace_sites,\"ax\",@progbits\n\t"
	".balign 4096\n\t"
	".globl fire_sites\n\t.hidden fire_sites\n\t"
	"fire_sites:\n\t"
	".rept 1024\n\t" MACHINE_SITE ".endr\n\t"
	".popsection");
_Static_assert(JAVA_SITES == 1024, "the repetition above");

typedef void site_function(uint64_t number, const uint64_t *words);

static struct fired_method **chunks[CHUNKS];
static uint32_t count;
static uint32_t is_live, naming;
static jvmti_env jvmti_of_names;
static uint32_t string_room = 256;

uint32_t fire_add(struct fired_method *method)
{
	uint32_t chunk = count / CHUNK;

	if (chunk >= CHUNKS)
		return UINT32_MAX;
	if (!chunks[chunk]) {
		struct fired_method **fresh = calloc(CHUNK, sizeof(*fresh));

		if (!fresh)
			return UINT32_MAX;
		__atomic_store_n(&chunks[chunk], fresh, __ATOMIC_RELEASE);
	}
	__atomic_store_n(&chunks[chunk][count % CHUNK], method,
			 __ATOMIC_RELEASE);
	return count++;
}

static const struct fired_method *find(int32_t number)
{
	uint32_t chunk = (uint32_t)number / CHUNK;

	if (!__atomic_load_n(&is_live, __ATOMIC_ACQUIRE) || chunk >= CHUNKS)
		return NULL;
	struct fired_method *const *methods = __atomic_load_n(&chunks[chunk],
							      __ATOMIC_ACQUIRE);

	return methods ? __atomic_load_n(&methods[number % CHUNK],
					 __ATOMIC_ACQUIRE)
		       : NULL;
}

void fire_start(jvmti_env jvmti, uint32_t string_bytes)
{
	jvmti_of_names = jvmti;
	string_room = string_bytes < 8	    ? 8
		      : string_bytes > 4096 ? 4096
					    : string_bytes;
	__atomic_store_n(&is_live, 1, __ATOMIC_SEQ_CST);
}

/* Who asks for the name of a class needs the environment. */
void fire_stop(void)
{
	__atomic_store_n(&is_live, 0, __ATOMIC_SEQ_CST);
	for (int i = 0;
	     i < WAIT_TURNS && __atomic_load_n(&naming, __ATOMIC_SEQ_CST); i++)
		sched_yield();
}

bool fire_is_live(void)
{
	return __atomic_load_n(&is_live, __ATOMIC_ACQUIRE);
}

static void fire(const struct fired_method *method, bool leaves,
		 const uint64_t *words)
{
	for (uint32_t i = 0; i < method->nfirings; i++) {
		const struct firing *firing = &method->firings[i];

		if (firing->leaves != leaves)
			continue;
		site_function *site =
			(site_function *)(uintptr_t)(fire_sites +
						     (size_t)firing->site *
							     JAVA_SITE_BYTES);

		site(firing->number, words);
	}
}

/* ---------------------------------------------------------------- strings */

/* The bytes of a character; 0: they do not fit before `end`. */
static unsigned put_character(char *at, const char *end, uint32_t c)
{
	unsigned length = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
	static const uint8_t marks[] = { 0, 0, 0xc0, 0xe0, 0xf0 };

	if (at + length > end)
		return 0;
	for (unsigned i = length; i-- > 1; c >>= 6)
		at[i] = (char)(0x80 | (c & 0x3f));
	at[0] = (char)(marks[length] | c);
	return length;
}

static bool is_high(uint32_t c)
{
	return (c & 0xfc00) == 0xd800;
}

static bool is_low(uint32_t c)
{
	return (c & 0xfc00) == 0xdc00;
}

/* Text as far as there is room, and a zero byte; no half of a pair is shown. */
static void copy_string(jni_env jni, jvm_object string, char *to, size_t room)
{
	enum { PIECE = 64 };
	const char *end = to + room - 1;
	uint16_t piece[PIECE];
	uint32_t high = 0;
	int32_t length = JNI_GetStringLength(jni)(jni, string);

	for (int32_t at = 0; at < length && to < end; at += PIECE) {
		int32_t n = length - at < PIECE ? length - at : PIECE;

		JNI_GetStringRegion(jni)(jni, string, at, n, piece);
		for (int32_t i = 0; i < n; i++) {
			uint32_t c = piece[i];

			if (is_high(c)) {
				high = c;
				continue;
			}
			if (is_low(c))
				c = high ? 0x10000 + ((high - 0xd800) << 10) +
						    (c - 0xdc00)
					 : 0xfffd;
			high = 0;
			unsigned bytes = put_character(to, end, c);

			to += bytes;
			if (!bytes || !c) {
				*to = '\0';
				return;
			}
		}
	}
	*to = '\0';
}

/* Where the object is now, which is good for telling null. */
static uint64_t address_of(jvm_object object)
{
	return object ? *(const uint64_t *)object : 0;
}

#define STRING(jni, object, word)                                      \
	do {                                                           \
		char *text_ = alloca(string_room);                     \
		if (object)                                            \
			copy_string(jni, object, text_, string_room);  \
		else                                                   \
			strcpy(text_, "null");                         \
		(word) = (uintptr_t)text_;                             \
	} while (0)

/* ---------------------------------------------------------------- natives */

/* Numbers first, then objects; they become arguments in their order again. */
static void entered(jni_env jni, int32_t number, const uint64_t *passed)
{
	const struct fired_method *method = find(number);
	uint64_t words[JAVA_ARGUMENTS] = { 0 };
	unsigned next = 0;

	if (!method)
		return;
	for (unsigned objects = 0; objects < 2; objects++)
		for (unsigned i = 0; i < JAVA_ARGUMENTS; i++) {
			char kind = method->kinds[i];
			bool is_object = kind == 'L' || kind == 'S';

			if (!(method->entry_wants >> i & 1) || !kind ||
			    is_object != objects)
				continue;
			uint64_t word = passed[next++];

			if (kind == 'S')
				STRING(jni, (jvm_object)(uintptr_t)word,
				       words[i]);
			else if (kind == 'L')
				words[i] =
					address_of((jvm_object)(uintptr_t)word);
			else
				words[i] = word;
		}
	fire(method, false, words);
}

static void left(int32_t number, uint64_t result)
{
	const struct fired_method *method = find(number);
	uint64_t words[JAVA_ARGUMENTS] = {
		[JAVA_RESULT] = result, [JAVA_EXCEPTION] = (uintptr_t) ""
	};

	if (method)
		fire(method, true, words);
}

static void native_rv(jni_env jni, jvm_object class, int32_t number)
{
	(void)jni, (void)class;
	left(number, 0);
}

static void native_rj(jni_env jni, jvm_object class, int64_t result,
		      int32_t number)
{
	(void)jni, (void)class;
	left(number, (uint64_t)result);
}

static void native_rf(jni_env jni, jvm_object class, float result,
		      int32_t number)
{
	int32_t bits;

	(void)jni, (void)class;
	memcpy(&bits, &result, sizeof(bits));
	left(number, (uint64_t)(int64_t)bits);
}

static void native_rd(jni_env jni, jvm_object class, double result,
		      int32_t number)
{
	uint64_t bits;

	(void)jni, (void)class;
	memcpy(&bits, &result, sizeof(bits));
	left(number, bits);
}

static void native_ro(jni_env jni, jvm_object class, jvm_object result,
		      int32_t number)
{
	const struct fired_method *method = find(number);
	uint64_t word = 0;

	(void)class;
	if (!method)
		return;
	if (method->result == 'S')
		STRING(jni, result, word);
	else
		word = address_of(result);
	left(number, word);
}

/* "Ljava/io/IOException;" -> "java.io.IOException" */
static void name_class(jni_env jni, jvm_object object, char *to)
{
	char *signature = NULL;
	jvm_object class = NULL;

	to[0] = '\0';
	__atomic_add_fetch(&naming, 1, __ATOMIC_SEQ_CST);
	if (object && fire_is_live())
		class = JNI_GetObjectClass(jni)(jni, object);
	if (class &&
	    !JVMTI_GetClassSignature(jvmti_of_names)(jvmti_of_names, class,
						     &signature, NULL)) {
		size_t n = 0;

		for (const char *at = signature + 1;
		     *at && *at != ';' && n + 1 < NAME_BYTES; at++)
			to[n++] = *at == '/' ? '.' : *at;
		to[n] = '\0';
		JVMTI_Deallocate(jvmti_of_names)(jvmti_of_names, signature);
	}
	__atomic_sub_fetch(&naming, 1, __ATOMIC_SEQ_CST);
	if (class)
		JNI_DeleteLocalRef(jni)(jni, class);
}

static void native_rx(jni_env jni, jvm_object class, jvm_object exception,
		      int32_t number)
{
	const struct fired_method *method = find(number);
	char name[NAME_BYTES] = "";
	uint64_t words[JAVA_ARGUMENTS] = {
		[JAVA_THROWN] = 1,
		[JAVA_EXCEPTION] = (uintptr_t)name,
	};

	(void)class;
	if (!method)
		return;
	/* the result is a text where it would have been one */
	if (method->result == 'S')
		words[JAVA_RESULT] = (uintptr_t) "";
	if (method->leave_wants >> JAVA_EXCEPTION & 1)
		name_class(jni, exception, name);
	fire(method, true, words);
}

/* A native for each number of arguments: that is all that matters for a call. */
#define W(n) , uint64_t w##n
#define ENTRY(n, parameters, ...)                                            \
	static void native_e##n(jni_env jni, jvm_object class,               \
				int32_t number parameters)                   \
	{                                                                    \
		(void)class;                                                 \
		entered(jni, number, (const uint64_t[]){ __VA_ARGS__ });     \
	}

ENTRY(0, , 0)
ENTRY(1, W(0), w0)
ENTRY(2, W(0) W(1), w0, w1)
ENTRY(3, W(0) W(1) W(2), w0, w1, w2)
ENTRY(4, W(0) W(1) W(2) W(3), w0, w1, w2, w3)
ENTRY(5, W(0) W(1) W(2) W(3) W(4), w0, w1, w2, w3, w4)
ENTRY(6, W(0) W(1) W(2) W(3) W(4) W(5), w0, w1, w2, w3, w4, w5)
ENTRY(7, W(0) W(1) W(2) W(3) W(4) W(5) W(6), w0, w1, w2, w3, w4, w5, w6)
ENTRY(8, W(0) W(1) W(2) W(3) W(4) W(5) W(6) W(7), w0, w1, w2, w3, w4, w5, w6,
      w7)
ENTRY(9, W(0) W(1) W(2) W(3) W(4) W(5) W(6) W(7) W(8), w0, w1, w2, w3, w4, w5,
      w6, w7, w8)
ENTRY(10, W(0) W(1) W(2) W(3) W(4) W(5) W(6) W(7) W(8) W(9), w0, w1, w2, w3, w4,
      w5, w6, w7, w8, w9)

static void *const entries[JAVA_ARGUMENTS + 1] = {
	native_e0, native_e1, native_e2, native_e3, native_e4,	native_e5,
	native_e6, native_e7, native_e8, native_e9, native_e10,
};

bool fire_register(jni_env jni, jvm_object helper)
{
	static const struct jni_native leaves[] = {
		{ "rv", "(I)V", native_rv },
		{ "rj", "(JI)V", native_rj },
		{ "rf", "(FI)V", native_rf },
		{ "rd", "(DI)V", native_rd },
		{ "ro", "(Ljava/lang/Object;I)V", native_ro },
		{ "rx", "(Ljava/lang/Object;I)V", native_rx },
	};
	enum { NLEAVES = sizeof(leaves) / sizeof(*leaves) };

	if (JNI_RegisterNatives(jni)(jni, helper, leaves, NLEAVES))
		return false;
	for (int numbers = 0; numbers <= JAVA_ARGUMENTS; numbers++)
		for (int objects = 0; numbers + objects <= JAVA_ARGUMENTS;
		     objects++) {
			char text[JAVA_ARGUMENTS * 20 + 8] = "(I";

			for (int i = 0; i < numbers; i++)
				strcat(text, "J");
			for (int i = 0; i < objects; i++)
				strcat(text, "Ljava/lang/Object;");
			strcat(text, ")V");
			struct jni_native native = {
				"e", text, entries[numbers + objects]
			};

			if (JNI_RegisterNatives(jni)(jni, helper, &native, 1))
				return false;
		}
	return true;
}
