/* SPDX-License-Identifier: Apache-2.0 */
/*
 * java: objects of Java programs, as the agent in the virtual machine describes them
 * (java/message.h has the same).
 */
typedef struct java_object {
	char class[96];		/* java.util.HashMap, int[] */
	uintptr_t address;	/* which changes when memory is collected */
	char fields[24][64];	/* name = value; of arrays: length, elements */
} java_object_t;
