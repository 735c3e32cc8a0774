/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * The interfaces of Java virtual machines, JNI and JVM TI, as far as the agent needs
 * them: tables of functions, each at a place that their specifications fix.
 */

#include <stdint.h>

typedef void *jvm_object; /* a reference: local, global or weak */

/* What an environment points to is a pointer to the table. */
typedef void *const *const *jni_env, *const *const *jvmti_env;

#define JNI(env, place, type) ((type)(uintptr_t)(*(env))[place])
#define JVMTI(env, number, type) ((type)(uintptr_t)(*(env))[(number)-1])

/* ------------------------------------------------------------------- JNI */

typedef jvm_object jni_define(jni_env, const char *name, jvm_object loader,
			      const int8_t *bytes, int32_t size);
typedef jvm_object jni_find(jni_env, const char *name);
typedef void jni_nothing(jni_env);
typedef int32_t jni_push(jni_env, int32_t capacity);
typedef jvm_object jni_pop(jni_env, jvm_object result);
typedef jvm_object jni_convert(jni_env, jvm_object);
typedef void jni_drop(jni_env, jvm_object);
typedef jvm_object jni_call(jni_env, jvm_object, void *method, ...);
typedef jvm_object jni_string(jni_env, const char *text);
typedef jvm_object jni_new(jni_env, jvm_object class, void *method, ...);
typedef void *jni_method(jni_env, jvm_object class, const char *name,
			 const char *descriptor);
typedef int32_t jni_length(jni_env, jvm_object string);
typedef void jni_region(jni_env, jvm_object string, int32_t start,
			int32_t length, uint16_t *to);
typedef jvm_object jni_object_of(jni_env, jvm_object, void *field);
typedef uint8_t jni_boolean_of(jni_env, jvm_object, void *field);
typedef int8_t jni_byte_of(jni_env, jvm_object, void *field);
typedef uint16_t jni_char_of(jni_env, jvm_object, void *field);
typedef int16_t jni_short_of(jni_env, jvm_object, void *field);
typedef int32_t jni_int_of(jni_env, jvm_object, void *field);
typedef int64_t jni_long_of(jni_env, jvm_object, void *field);
typedef float jni_float_of(jni_env, jvm_object, void *field);
typedef double jni_double_of(jni_env, jvm_object, void *field);
typedef jvm_object jni_element(jni_env, jvm_object array, int32_t index);
typedef void jni_elements(jni_env, jvm_object array, int32_t start,
			  int32_t length, void *to);
struct jni_native {
	const char *name, *descriptor;
	void *function;
};
typedef int32_t jni_register(jni_env, jvm_object class,
			     const struct jni_native *natives, int32_t count);

#define JNI_DefineClass(env) JNI(env, 5, jni_define *)
#define JNI_FindClass(env) JNI(env, 6, jni_find *)
#define JNI_GetSuperclass(env) JNI(env, 10, jni_convert *)
#define JNI_ExceptionClear(env) JNI(env, 17, jni_nothing *)
#define JNI_PushLocalFrame(env) JNI(env, 19, jni_push *)
#define JNI_PopLocalFrame(env) JNI(env, 20, jni_pop *)
#define JNI_NewGlobalRef(env) JNI(env, 21, jni_convert *)
#define JNI_DeleteLocalRef(env) JNI(env, 23, jni_drop *)
#define JNI_NewLocalRef(env) JNI(env, 25, jni_convert *)
#define JNI_NewObject(env) JNI(env, 28, jni_new *)
#define JNI_GetObjectClass(env) JNI(env, 31, jni_convert *)
#define JNI_GetMethodID(env) JNI(env, 33, jni_method *)
#define JNI_CallObjectMethod(env) JNI(env, 34, jni_call *)
#define JNI_GetStaticMethodID(env) JNI(env, 113, jni_method *)
#define JNI_CallStaticObjectMethod(env) JNI(env, 114, jni_call *)
#define JNI_NewString(env) JNI(env, 167, jni_string *)
#define JNI_GetObjectField(env) JNI(env, 95, jni_object_of *)
#define JNI_GetBooleanField(env) JNI(env, 96, jni_boolean_of *)
#define JNI_GetByteField(env) JNI(env, 97, jni_byte_of *)
#define JNI_GetCharField(env) JNI(env, 98, jni_char_of *)
#define JNI_GetShortField(env) JNI(env, 99, jni_short_of *)
#define JNI_GetIntField(env) JNI(env, 100, jni_int_of *)
#define JNI_GetLongField(env) JNI(env, 101, jni_long_of *)
#define JNI_GetFloatField(env) JNI(env, 102, jni_float_of *)
#define JNI_GetDoubleField(env) JNI(env, 103, jni_double_of *)
#define JNI_GetStringLength(env) JNI(env, 164, jni_length *)
#define JNI_GetArrayLength(env) JNI(env, 171, jni_length *)
#define JNI_GetObjectArrayElement(env) JNI(env, 173, jni_element *)
/* the first is of boolean, then as types are in JNI: byte, char, short ... */
#define JNI_GetArrayRegion(env, type) JNI(env, 199 + (type), jni_elements *)
#define JNI_RegisterNatives(env) JNI(env, 215, jni_register *)
#define JNI_GetStringRegion(env) JNI(env, 220, jni_region *)
#define JNI_NewWeakGlobalRef(env) JNI(env, 226, jni_convert *)
#define JNI_DeleteWeakGlobalRef(env) JNI(env, 227, jni_drop *)

typedef const struct jvm_table {
	void *reserved[3];
	void *other[3];
	int32_t (*get_env)(const struct jvm_table *const *, void **env,
			   int32_t version);
} *const *jvm;

/* ---------------------------------------------------------------- JVM TI */

enum {
	JVMTI_1_1 = 0x30010100, JNI_1_6 = 0x00010006,
	JVMTI_CLASS_PREPARED = 2,
	JVMTI_ON = 1, JVMTI_OFF = 0,
	JVMTI_CLASS_FILE_LOAD_HOOK = 54, JVMTI_CLASS_PREPARE = 56,
	JVMTI_CALLBACKS = 40, JVMTI_FIRST_EVENT = 50,
	JVMTI_PRIORITY = 5,
};

/* Capabilities are bits. */
enum {
	JVMTI_CAN_TAG_OBJECTS = 0,
	JVMTI_CAN_RETRANSFORM = 37,
	JVMTI_CAN_RETRANSFORM_ANY = 38,
};

typedef int32_t jvmti_notify(jvmti_env, int32_t mode, int32_t event,
			     jvm_object thread, ...);
typedef void jvmti_start(jvmti_env, jni_env, void *data);
typedef int32_t jvmti_thread(jvmti_env, jvm_object thread, jvmti_start *start,
			     const void *data, int32_t priority);
typedef int32_t jvmti_byte(jvmti_env, jvm_object class, uint8_t *answer);
typedef int32_t jvmti_allocate(jvmti_env, int64_t size, uint8_t **memory);
typedef int32_t jvmti_free(jvmti_env, void *memory);
typedef int32_t jvmti_signature(jvmti_env, jvm_object class, char **signature,
				char **generic);
typedef int32_t jvmti_number(jvmti_env, void *of, int32_t *number);
typedef int32_t jvmti_methods(jvmti_env, jvm_object class, int32_t *count,
			      void ***methods);
typedef int32_t jvmti_of_field(jvmti_env, jvm_object class, void *field,
			       int32_t *number);
typedef int32_t jvmti_field_name(jvmti_env, jvm_object class, void *field,
				 char **name, char **descriptor,
				 char **generic);
typedef int32_t jvmti_name(jvmti_env, void *method, char **name,
			   char **descriptor, char **generic);
typedef int32_t jvmti_classes(jvmti_env, int32_t *count, jvm_object **classes);
typedef int32_t jvmti_tag(jvmti_env, jvm_object, int64_t tag);
typedef int32_t jvmti_tag_of(jvmti_env, jvm_object, int64_t *tag);
typedef int32_t jvmti_callbacks(jvmti_env, void *const *callbacks,
				int32_t size);
typedef int32_t jvmti_end(jvmti_env);
typedef int32_t jvmti_error(jvmti_env, int32_t error, char **name);
typedef int32_t jvmti_add(jvmti_env, const void *capabilities);
typedef int32_t jvmti_retransform(jvmti_env, int32_t count,
				  const jvm_object *classes);

#define JVMTI_SetEventNotificationMode(env) JVMTI(env, 2, jvmti_notify *)
#define JVMTI_RunAgentThread(env) JVMTI(env, 12, jvmti_thread *)
#define JVMTI_IsModifiableClass(env) JVMTI(env, 45, jvmti_byte *)
#define JVMTI_Allocate(env) JVMTI(env, 46, jvmti_allocate *)
#define JVMTI_Deallocate(env) JVMTI(env, 47, jvmti_free *)
#define JVMTI_GetClassSignature(env) JVMTI(env, 48, jvmti_signature *)
#define JVMTI_GetClassStatus(env) JVMTI(env, 49, jvmti_number *)
#define JVMTI_GetClassMethods(env) JVMTI(env, 52, jvmti_methods *)
#define JVMTI_GetClassFields(env) JVMTI(env, 53, jvmti_methods *)
#define JVMTI_GetFieldName(env) JVMTI(env, 60, jvmti_field_name *)
#define JVMTI_GetFieldModifiers(env) JVMTI(env, 62, jvmti_of_field *)
#define JVMTI_GetMethodName(env) JVMTI(env, 64, jvmti_name *)
#define JVMTI_GetMethodModifiers(env) JVMTI(env, 66, jvmti_number *)
#define JVMTI_GetLoadedClasses(env) JVMTI(env, 78, jvmti_classes *)
#define JVMTI_GetTag(env) JVMTI(env, 106, jvmti_tag_of *)
#define JVMTI_SetTag(env) JVMTI(env, 107, jvmti_tag *)
#define JVMTI_SetEventCallbacks(env) JVMTI(env, 122, jvmti_callbacks *)
#define JVMTI_DisposeEnvironment(env) JVMTI(env, 127, jvmti_end *)
#define JVMTI_GetErrorName(env) JVMTI(env, 128, jvmti_error *)
#define JVMTI_AddCapabilities(env) JVMTI(env, 142, jvmti_add *)
#define JVMTI_RetransformClasses(env) JVMTI(env, 152, jvmti_retransform *)
