/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Class files: methods get calls of a helper class, where they begin and where they
 * end.  Nothing here knows a virtual machine; bytes go in and bytes come out.
 *
 * The helper's methods are native and static; what is passed to them:
 *
 *	e(I J... Object...)	the method begins: its number, those arguments that
 *				are wanted and are numbers, those that are objects,
 *				this if it is wanted
 *	rv(I)			it returns, and its result does not matter
 *	rj(JI) rf(FI) rd(DI)	it returns a number
 *	ro(Object, I)		it returns an object
 *	rx(Object, I)		an exception leaves it
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	CLASSFILE_ARGUMENTS = 10, /* that may be wanted */
	CLASSFILE_THIS = 10,	  /* bit of `entry_wants`: no constructor's */
	CLASSFILE_RESULT = 1,	  /* bit of `leave_wants`: the result */
};

struct classfile_method {
	const char *name, *descriptor;
	uint32_t number;
	bool entry, leave;
	uint32_t entry_wants, leave_wants; /* bits: arguments */
	/* afterwards */
	bool is_done;
	const char *problem;
};

/*
 * The class with what its methods want, in memory from malloc(); NULL: nothing was
 * changed, and *problem may say why.  A method that cannot be changed is left as it
 * is, with its problem.
 */
uint8_t *classfile_rewrite(const uint8_t *bytes, size_t size,
			   const char *helper, struct classfile_method *methods,
			   size_t nmethods, size_t *new_size,
			   const char **problem);

/* The helper itself; NULL: no memory. */
uint8_t *classfile_helper(const char *name, size_t *size);

/*
 * Kinds of parameters: 'I', 'J', 'F', 'D', 'L' (a reference), 'S' (a String).
 * How many there are; only the first `most` are written.  *result is a kind, too,
 * or 'V'.  -1: that is no descriptor.
 */
int classfile_kinds(const char *descriptor, char *kinds, int most,
		    char *result);
