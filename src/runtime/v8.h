/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Inside runtime/: what is known of V8 in a process, for its three files: v8.c
 * finds it and writes the steps, v8_heap.c reads objects, v8_inlined.c what
 * optimised code stands for.
 *
 * Offsets are those of V8's metadata for debuggers (symbols v8dbg_*), from the
 * start of an object; pointers to objects are tagged.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/runtime.h"

#define V8_METADATA(ITEM) \
	ITEM(FP_FUNCTION, "off_fp_function") \
	ITEM(FP_CONTEXT, "off_fp_context_or_frame_type") \
	ITEM(FP_BYTECODE, "off_fp_bytecode_array") \
	ITEM(FP_OFFSET, "off_fp_bytecode_offset") \
	ITEM(SMI_SHIFT, "SmiShiftSize") \
	ITEM(MAP, "class_HeapObject__map__Map") \
	ITEM(TYPE, "class_Map__instance_type__uint16_t") \
	ITEM(SHARED, "class_JSFunction__shared__SharedFunctionInfo") \
	ITEM(CELL, "class_JSFunction__raw_feedback_cell__FeedbackCell") \
	ITEM(DATA, "class_SharedFunctionInfo__function_data__Object") \
	ITEM(NAME, "class_SharedFunctionInfo__name_or_scope_info__Object") \
	ITEM(SCRIPT, \
	     "class_SharedFunctionInfo__script_or_debug_info__HeapObject") \
	ITEM(BYTECODES, "class_BytecodeArray__data__uintptr_t") \
	ITEM(LENGTH, "class_FixedArrayBase__length__SMI") \
	ITEM(ELEMENTS, "class_FixedArray__data__uintptr_t") \
	ITEM(SOURCE, "class_Script__source__Object") \
	ITEM(SCRIPT_NAME, "class_Script__name__Object") \
	ITEM(LINE_ENDS, "class_Script__line_ends__Object") \
	ITEM(STRING_LENGTH, "class_String__length__int32_t") \
	ITEM(ONE_BYTE, "class_SeqOneByteString__chars__char") \
	ITEM(TWO_BYTE, "class_SeqTwoByteString__chars__char") \
	ITEM(FIRST, "class_ConsString__first__String") \
	ITEM(SECOND, "class_ConsString__second__String") \
	ITEM(PARENT, "class_SlicedString__parent__String") \
	ITEM(SLICE, "class_SlicedString__offset__SMI") \
	ITEM(ACTUAL, "class_ThinString__actual__String") \
	ITEM(RESOURCE, "class_ExternalString__resource__Object") \
	ITEM(FIRST_NONSTRING, "FirstNonstringType") \
	ITEM(FORM_MASK, "StringRepresentationMask") \
	ITEM(WIDTH_MASK, "StringEncodingMask") \
	ITEM(IS_ONE_BYTE, "OneByteStringTag") \
	ITEM(FORM_SEQUENTIAL, "SeqStringTag") \
	ITEM(FORM_CONS, "ConsStringTag") \
	ITEM(FORM_EXTERNAL, "ExternalStringTag") \
	ITEM(FORM_SLICED, "SlicedStringTag") \
	ITEM(FORM_THIN, "ThinStringTag") \
	ITEM(IS_BYTECODE, "type_BytecodeArray__BYTECODE_ARRAY_TYPE") \
	ITEM(IS_BYTES, "type_ByteArray__BYTE_ARRAY_TYPE") \
	ITEM(IS_SHARED, \
	     "type_SharedFunctionInfo__SHARED_FUNCTION_INFO_TYPE") \
	ITEM(IS_SCRIPT, "type_Script__SCRIPT_TYPE") \
	ITEM(IS_CODE, "type_Code__CODE_TYPE") \
	ITEM(IS_INTERPRETER_DATA, "type_InterpreterData__INTERPRETER_DATA_TYPE") \
	ITEM(IS_SCOPE, "type_ScopeInfo__SCOPE_INFO_TYPE")

enum v8_metadata {
#define ITEM(name, symbol) V8_##name,
	V8_METADATA(ITEM)
#undef ITEM
	V8_ITEMS
};

/* What the metadata does not say, by version. */
struct v8_code_layout {
	unsigned major, minor;
	/* where Code has the address of its instructions, or, 0, has them itself */
	uint16_t start;
	uint16_t instructions; /* in Code */
	uint16_t size;	       /* of the instructions, 32 bits */
	/* optimised: DeoptimizationData; baseline: the bytecode, and its table */
	uint16_t data, table;
	/* translations: opcodes that begin one, the operand that counts frames */
	uint8_t begin, last_begin, frames_at;
	/*
	 * The last opcode takes over from another one; before that opcodes are
	 * written as numbers with a sign.
	 */
	bool has_matches;
};

enum { V8_SCRIPTS = 256, V8_SIZES = 1024, V8_OPCODES = 64 };

/* A script whose lines are known. */
struct v8_script {
	uint64_t script, source, name_at; /* it is still the same */
	const char *name;
	uint64_t first; /* line, from 0 */
	bool has_lines;
	uint32_t *ends;
	size_t count, room;
};

struct v8 {
	int32_t meta[V8_ITEMS];
	const struct v8_code_layout *code; /* NULL: not known */
	/* addresses of variables that say where builtins are */
	uint64_t blob, blob_size;
	/* bytes of bytecodes: plain, wide, very wide; number of bytecodes */
	uint8_t sizes[V8_SIZES];
	size_t nbytecodes;
	/* operands of the opcodes of translations */
	uint32_t operands[V8_OPCODES];
	size_t nopcodes;
	struct v8_script scripts[V8_SCRIPTS];
};

/*
 * detail of a word for a SharedFunctionInfo: an offset in bytecode, or this and
 * one in baseline code
 */
enum { V8_BASELINE = 1 << 17 };

/* ------------------------------------------------------------ v8_heap.c */

/* A word of an object; 0: it cannot be read. */
uint64_t v8_field(struct runtime_process *process, uint64_t object,
		  int64_t offset);
/* An array's n-th element. */
uint64_t v8_element(struct runtime_process *process, uint64_t array,
		    uint64_t n);
/* A small number, which is a word's upper half; -1: it is none. */
int64_t v8_number(uint64_t word);
/* Its instance type; -1: it is no object. */
int v8_type(struct runtime_process *process, uint64_t object);
/* Bytes of a ByteArray, at most; free() it.  NULL: it is none. */
uint8_t *v8_bytes(struct runtime_process *process, uint64_t array,
		  size_t *size);
/* The next number: seven bits a byte. */
uint64_t v8_unsigned(const uint8_t **at, const uint8_t *end);
int64_t v8_signed(const uint8_t **at, const uint8_t *end);

/* The frame of a function at an offset of its bytecode, or -1. */
void v8_function(struct runtime_process *process, uint64_t shared,
		 int64_t offset, struct runtime_frame *frame);
/* The bytecode of a function or its code; 0: it has none. */
uint64_t v8_bytecode(struct runtime_process *process, uint64_t shared);

/* --------------------------------------------------------- v8_inlined.c */

/* Where baseline code is in its bytecode; -1: not known. */
int64_t v8_baseline(struct runtime_process *process, uint64_t shared,
		    uint64_t pc);
/* The frames that a place in optimised code stands for, innermost first. */
unsigned v8_optimised(struct runtime_process *process, uint64_t code,
		      uint64_t pc, struct runtime_frame *frames,
		      const char **why);
