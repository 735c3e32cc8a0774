/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bytecode.so: an agent that tells how long the bytecode of methods is that a Java
 * virtual machine executes now.  A method with calls of dtrace's is longer.
 *
 *	jcmd PID JVMTI.agent_load .../bytecode.so CLASS:FILE
 */
#include <stdio.h>
#include <string.h>

#include "java/jvm.h"

typedef int32_t jvmti_code(jvmti_env, void *method, int32_t *size,
			   uint8_t **code);
#define JVMTI_GetBytecodes(env) JVMTI(env, 75, jvmti_code *)

static void show(jvmti_env jvmti, jvm_object class, FILE *file)
{
	void **methods;
	int32_t count, size;

	if (JVMTI_GetClassMethods(jvmti)(jvmti, class, &count, &methods))
		return;
	for (int32_t i = 0; i < count; i++) {
		char *name;
		uint8_t *code;

		if (JVMTI_GetMethodName(jvmti)(jvmti, methods[i], &name, NULL,
					       NULL) ||
		    JVMTI_GetBytecodes(jvmti)(jvmti, methods[i], &size, &code))
			continue;
		fprintf(file, "%s %d\n", name, (int)size);
	}
}

int32_t Agent_OnAttach(jvm vm, const char *options, void *reserved);
int32_t Agent_OnAttach(jvm vm, const char *options, void *reserved)
{
	const uint8_t capabilities[16] = { 1 << 3 }; /* bytecodes */
	const char *path = strchr(options, ':');
	void *env;
	int32_t count;
	jvm_object *classes;

	(void)reserved;
	if (!path || (*vm)->get_env(vm, &env, JVMTI_1_1))
		return 1;
	jvmti_env jvmti = env;
	FILE *file = fopen(path + 1, "w");

	if (!file || JVMTI_AddCapabilities(jvmti)(jvmti, capabilities) ||
	    JVMTI_GetLoadedClasses(jvmti)(jvmti, &count, &classes))
		return 2;
	for (int32_t i = 0; i < count; i++) {
		char *name;

		if (!JVMTI_GetClassSignature(jvmti)(jvmti, classes[i], &name,
						    NULL) &&
		    !strncmp(name + 1, options, (size_t)(path - options)) &&
		    !strcmp(name + 1 + (path - options), ";"))
			show(jvmti, classes[i], file);
	}
	fclose(file);
	JVMTI_DisposeEnvironment(jvmti)(jvmti);
	return 0;
}
