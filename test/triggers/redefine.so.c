/* SPDX-License-Identifier: Apache-2.0 */
/*
 * redefine.so: an agent that gives a class of a Java virtual machine other bytecode, as
 * debuggers and profilers do, or has it made again from what it is.
 *
 *	jcmd PID JVMTI.agent_load .../redefine.so CLASS:FILE
 *	jcmd PID JVMTI.agent_load .../redefine.so CLASS:
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "java/jvm.h"

struct definition {
	jvm_object class;
	int32_t size;
	const uint8_t *bytes;
};

typedef int32_t jvmti_redefine(jvmti_env, int32_t count,
			       const struct definition *definitions);
#define JVMTI_RedefineClasses(env) JVMTI(env, 87, jvmti_redefine *)

static int32_t change(jvmti_env jvmti, jvm_object class, const char *path)
{
	struct definition definition = { .class = class };
	static uint8_t bytes[1 << 16];
	FILE *file = *path ? fopen(path, "r") : NULL;

	if (!*path)
		return JVMTI_RetransformClasses(jvmti)(jvmti, 1, &class);
	if (!file)
		return 1;
	definition.bytes = bytes;
	definition.size = (int32_t)fread(bytes, 1, sizeof(bytes), file);
	fclose(file);
	return JVMTI_RedefineClasses(jvmti)(jvmti, 1, &definition);
}

int32_t Agent_OnAttach(jvm vm, const char *options, void *reserved);
int32_t Agent_OnAttach(jvm vm, const char *options, void *reserved)
{
	/* redefine classes, retransform classes */
	const uint8_t capabilities[16] = { [1] = 1 << 1, [4] = 1 << 5 };
	const char *path = strchr(options, ':');
	void *env;
	int32_t count, status = 1;
	jvm_object *classes;

	(void)reserved;
	if (!path || (*vm)->get_env(vm, &env, JVMTI_1_1))
		return 1;
	jvmti_env jvmti = env;

	if (JVMTI_AddCapabilities(jvmti)(jvmti, capabilities) ||
	    JVMTI_GetLoadedClasses(jvmti)(jvmti, &count, &classes))
		return 2;
	for (int32_t i = 0; i < count; i++) {
		char *name;

		if (!JVMTI_GetClassSignature(jvmti)(jvmti, classes[i], &name,
						    NULL) &&
		    !strncmp(name + 1, options, (size_t)(path - options)) &&
		    !strcmp(name + 1 + (path - options), ";"))
			status = change(jvmti, classes[i], path + 1);
	}
	JVMTI_DisposeEnvironment(jvmti)(jvmti);
	return status;
}
