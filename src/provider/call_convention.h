/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Where a C or C++ function of x86-64 finds its parameters when it is
 * entered, by the convention that all compilers for Linux keep.
 */

#include "btf/type.h"

enum passing {
	PASS_WORD,	/* an integer or a pointer */
	PASS_ADDRESS,	/* of an object elsewhere: the word is where */
	PASS_WORDS,	/* an object in slots that follow each other */
	PASS_FLOAT,
	PASS_OBJECT,	/* an object with words elsewhere */
	PASS_NOTHING,	/* void; an object without members */
};

struct passed {
	enum passing how;
	/*
	 * Of the first word: 0 to 5 are the registers for integers; 6 is what lies
	 * behind the return address, in words of 8 bytes.
	 */
	uint32_t slot;
};

struct passed call_parameter(struct types *types, struct type *function,
			     uint32_t n);
struct passed call_result(struct types *types, struct type *function);
