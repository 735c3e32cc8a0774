/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * The code of one method while it is rewritten: instructions, the calls that are put
 * between them, and the tables that name places in it.
 */

#include "class_pool.h"
#include "classfile.h"

enum {
	NOWHERE = 0xffffffff, MOST_CODE = 65535, MOST_POOL = 65535,
	FRAMES_SINCE = 50,
};

enum opcode {
	OP_SIPUSH = 17, OP_LDC_W = 19, OP_ILOAD = 21, OP_LLOAD, OP_FLOAD,
	OP_DLOAD, OP_ALOAD, OP_DUP = 89, OP_DUP2 = 92, OP_I2L = 133,
	OP_IFEQ = 153, OP_JSR = 168, OP_TABLESWITCH = 170, OP_LOOKUPSWITCH,
	OP_IRETURN, OP_LRETURN, OP_FRETURN, OP_DRETURN, OP_ARETURN, OP_RETURN,
	OP_INVOKESPECIAL = 183, OP_INVOKESTATIC, OP_NEW = 187, OP_ATHROW = 191,
	OP_WIDE = 196, OP_IFNULL = 198, OP_IFNONNULL, OP_GOTO_W, OP_JSR_W,
};

struct rewrite {
	struct pool *pool;
	const char *helper;
	struct classfile_method *method;
	uint32_t version;
	bool is_static, is_constructor;
	/* of the method as it is */
	const uint8_t *code;
	uint32_t size, max_stack, max_locals;
	uint32_t *map;	  /* where an instruction is now, with what is before */
	uint32_t started; /* in a constructor: from here, `this` is an object */
	/* as it will be */
	struct out out;
	uint32_t stack; /* that our calls need on top of the others */
	uint32_t handler;
	const char *problem;
};

/* False, with the reason; the first one counts. */
bool code_refuse(struct rewrite *w, const char *problem);
extern const char code_damaged[];

/* class_code.c: where instructions will be, with our calls between them. */
bool code_lay_out(struct rewrite *w);
/* Then distances between them are made right. */
bool code_fix_jumps(struct rewrite *w);
/* The place an instruction is in now; false: there is none. */
bool code_moved(struct rewrite *w, int64_t old, uint32_t *now);
/* After the call of another constructor; NOWHERE: it is not found. */
uint32_t code_after_super(const struct rewrite *w);

/* class_call.c: calls of the helper. */
bool call_entry(struct rewrite *w);
void call_leave(struct rewrite *w, uint32_t opcode);
void call_handler(struct rewrite *w);

/* class_tables.c: handlers; lines, variables, frames. */
bool tables_handlers(struct rewrite *w, struct in *in, struct out *out);
bool tables_attributes(struct rewrite *w, struct in *in, struct out *out,
		       bool has_handler);
