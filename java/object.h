/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * What there is to see of an object: its class and the values of its fields.
 *
 * Fields are read through the interfaces of the virtual machine, so that collectors
 * of memory may do what they like.  No method of the object runs, so nothing can
 * happen to it: there is no toString().  Strings are shown; other objects are named,
 * as class@address, and not entered.
 */

#include <stddef.h>
#include <stdint.h>

#include "jvm.h"
#include "message.h"

/* Where the object is now; 0: null. */
uint64_t object_address(jvm_object object);

/* "java.io.IOException", "int[]"; "" if it cannot be told. */
void object_class(jni_env jni, jvmti_env jvmti, jvm_object object, char *to,
		  size_t room);

void object_describe(jni_env jni, jvmti_env jvmti, jvm_object object,
		     struct java_object *to);

/* The name of a class by its signature, "[Ljava/net/Socket;" for example. */
void object_name_class(const char *signature, char *to, size_t room);
