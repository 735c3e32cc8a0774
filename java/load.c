/* SPDX-License-Identifier: Apache-2.0 */
#include "load.h"

#include <stddef.h>

/* What it returns; NULL after an exception, which is forgotten. */
static jvm_object call(jni_env jni, const char *class_name, jvm_object object,
		       const char *name, const char *descriptor,
		       jvm_object argument)
{
	jvm_object class = JNI_FindClass(jni)(jni, class_name), result = NULL;
	void *method = NULL;

	if (class)
		method = (object ? JNI_GetMethodID(jni)
				 : JNI_GetStaticMethodID(jni))(jni, class, name,
							       descriptor);
	if (method && object)
		result = JNI_CallObjectMethod(jni)(jni, object, method,
						   argument);
	else if (method)
		result = JNI_CallStaticObjectMethod(jni)(jni, class, method);
	JNI_ExceptionClear(jni)(jni);
	return result;
}

void load_class(jni_env jni, const char *name)
{
	static const char loader_class[] = "java/lang/ClassLoader";
	jvm_object loader = call(jni, loader_class, NULL,
				 "getSystemClassLoader",
				 "()Ljava/lang/ClassLoader;", NULL);
	jvm_object text = JNI_NewString(jni)(jni, name), class = NULL;

	if (loader && text)
		class = call(jni, loader_class, loader, "loadClass",
			     "(Ljava/lang/String;)Ljava/lang/Class;", text);
	if (class)
		call(jni, "java/lang/Class", class, "getDeclaredMethods",
		     "()[Ljava/lang/reflect/Method;", NULL);
	JNI_ExceptionClear(jni)(jni);
}
