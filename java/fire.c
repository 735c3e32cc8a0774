/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Firing: a method that has probes calls one of these natives (classfile.h), which
 * turns arguments into words and calls the sites of its probes.
 *
 * 1. No Java code runs here, and none of its memory is allocated: it may be any method that
 *    calls, also one of the class library.
 * 2. Strings are copied to the stack as UTF-8, up to as many bytes as D keeps.
 *    Objects whose fields are wanted are described there (object.h).
 * 3. Methods are found by a number in a table that only grows.
 */
#include "fire.h"

#include <alloca.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "classfile.h"
#include "java_string.h"
#include "machine.h"
#include "object.h"

enum { CHUNK = 256, CHUNKS = 1024, NAME_BYTES = 256, WAIT_TURNS = 1 << 20 };

_Static_assert((int)CLASSFILE_THIS == (int)JAVA_THIS, "as words");

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
static uint32_t is_live, asking;
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

void fire_stop(void)
{
	__atomic_store_n(&is_live, 0, __ATOMIC_SEQ_CST);
	for (int i = 0;
	     i < WAIT_TURNS && __atomic_load_n(&asking, __ATOMIC_SEQ_CST); i++)
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

/* ---------------------------------------------------------------- objects */

/* Who asks for names and fields needs the environment. */
static bool begin_asking(void)
{
	__atomic_add_fetch(&asking, 1, __ATOMIC_SEQ_CST);
	if (fire_is_live())
		return true;
	__atomic_sub_fetch(&asking, 1, __ATOMIC_SEQ_CST);
	return false;
}

static void end_asking(void)
{
	__atomic_sub_fetch(&asking, 1, __ATOMIC_SEQ_CST);
}

/* Word i is an object; there is room if its fields are wanted, too. */
static void put_object(jni_env jni, jvm_object object, uint32_t i,
		       struct java_object *room, uint64_t *words)
{
	words[i] = object_address(object);
	if (!room || !object || !begin_asking())
		return;
	object_describe(jni, jvmti_of_names, object, room);
	words[JAVA_OBJECTS + i] = (uintptr_t)room;
	end_asking();
}

#define ROOM(wants, i)                                                 \
	((wants) >> (JAVA_OBJECTS + (i)) & 1                           \
		 ? alloca(sizeof(struct java_object))                  \
		 : NULL)

#define STRING(jni, object, word)                                      \
	do {                                                           \
		char *text_ = alloca(string_room);                     \
		if (object)                                            \
			string_copy(jni, object, text_, string_room);  \
		else                                                   \
			strcpy(text_, "null");                         \
		(word) = (uintptr_t)text_;                             \
	} while (0)

/* ---------------------------------------------------------------- natives */

/* Numbers first, then objects; they become arguments in their order again. */
static void entered(jni_env jni, int32_t number, const uint64_t *passed)
{
	const struct fired_method *method = find(number);
	uint64_t words[JAVA_WORDS] = { 0 };
	unsigned next = 0;

	if (!method)
		return;
	uint32_t wants = method->entry_wants;
	uint32_t are_passed = java_passed(wants);

	for (unsigned objects = 0; objects < 2; objects++)
		for (unsigned i = 0; i <= JAVA_THIS; i++) {
			char kind = method->kinds[i];
			bool is_object = kind == 'L' || kind == 'S';

			if (!(are_passed >> i & 1) || !kind ||
			    is_object != objects)
				continue;
			uint64_t word = passed[next++];
			jvm_object object = (jvm_object)(uintptr_t)word;

			if (kind == 'S')
				STRING(jni, object, words[i]);
			else if (kind == 'L')
				put_object(jni, object, i, ROOM(wants, i),
					   words);
			else
				words[i] = word;
		}
	fire(method, false, words);
}

static void left(int32_t number, uint64_t result)
{
	const struct fired_method *method = find(number);
	uint64_t words[JAVA_WORDS] = {
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
	uint64_t words[JAVA_WORDS] = { [JAVA_EXCEPTION] = (uintptr_t) "" };

	(void)class;
	if (!method)
		return;
	if (method->result == 'S')
		STRING(jni, result, words[JAVA_RESULT]);
	else
		put_object(jni, result, JAVA_RESULT,
			   ROOM(method->leave_wants, JAVA_RESULT), words);
	fire(method, true, words);
}

static void native_rx(jni_env jni, jvm_object class, jvm_object exception,
		      int32_t number)
{
	const struct fired_method *method = find(number);
	char name[NAME_BYTES] = "";
	uint64_t words[JAVA_WORDS] = { [JAVA_THROWN] = 1 };

	(void)class;
	if (!method)
		return;
	uint32_t wants = method->leave_wants;

	/* the result is a text where it would have been one */
	if (method->result == 'S')
		words[JAVA_RESULT] = (uintptr_t) "";
	put_object(jni, exception, JAVA_EXCEPTION, ROOM(wants, JAVA_EXCEPTION),
		   words);
	if (wants >> JAVA_EXCEPTION & 1 && exception && begin_asking()) {
		object_class(jni, jvmti_of_names, exception, name,
			     sizeof(name));
		end_asking();
	}
	words[JAVA_EXCEPTION] = (uintptr_t)name;
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
ENTRY(11, W(0) W(1) W(2) W(3) W(4) W(5) W(6) W(7) W(8) W(9) W(10), w0, w1, w2,
      w3, w4, w5, w6, w7, w8, w9, w10)

static void *const entries[JAVA_OBJECTS + 1] = {
	native_e0, native_e1, native_e2, native_e3, native_e4,	native_e5,
	native_e6, native_e7, native_e8, native_e9, native_e10, native_e11,
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
		for (int objects = 0; numbers + objects <= JAVA_OBJECTS;
		     objects++) {
			char text[JAVA_OBJECTS * 20 + 8] = "(I";

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
