/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls of the helper class (classfile.h), as instructions.
 */
#include <string.h>

#include "class_code.h"

static bool is_wide(char kind)
{
	return kind == 'J' || kind == 'D';
}

static bool is_object(char kind)
{
	return kind == 'L' || kind == 'S';
}

static void need_stack(struct rewrite *w, uint32_t words)
{
	if (words > w->stack)
		w->stack = words;
}

static void put_number(struct rewrite *w)
{
	uint32_t number = w->method->number;

	if (number < 0x8000) {
		out_put(&w->out, OP_SIPUSH, 1);
		out_put(&w->out, number, 2);
	} else {
		out_put(&w->out, OP_LDC_W, 1);
		out_put(&w->out, pool_integer(w->pool, number), 2);
	}
}

static void put_call(struct rewrite *w, const char *class, const char *name,
		     const char *descriptor)
{
	out_put(&w->out, OP_INVOKESTATIC, 1);
	out_put(&w->out, pool_method(w->pool, class, name, descriptor), 2);
}

static void put_load(struct rewrite *w, uint32_t opcode, uint32_t local)
{
	if (local > 255)
		out_put(&w->out, OP_WIDE, 1);
	out_put(&w->out, opcode, 1);
	out_put(&w->out, local, local > 255 ? 2 : 1);
}

static void put_argument(struct rewrite *w, char kind, uint32_t local)
{
	switch (kind) {
	case 'I':
		put_load(w, OP_ILOAD, local);
		out_put(&w->out, OP_I2L, 1);
		break;
	case 'J':
		put_load(w, OP_LLOAD, local);
		break;
	case 'F':
		put_load(w, OP_FLOAD, local);
		put_call(w, "java/lang/Float", "floatToRawIntBits", "(F)I");
		out_put(&w->out, OP_I2L, 1);
		break;
	case 'D':
		put_load(w, OP_DLOAD, local);
		put_call(w, "java/lang/Double", "doubleToRawLongBits", "(D)J");
		break;
	default:
		put_load(w, OP_ALOAD, local);
	}
}

static const char object[] = "Ljava/lang/Object;";

/* Numbers come first, so that there are few forms of the call. */
bool call_entry(struct rewrite *w)
{
	char kinds[CLASSFILE_ARGUMENTS], result;
	char descriptor[(CLASSFILE_ARGUMENTS + 1) * sizeof(object) + 8] = "(I";
	int count = classfile_kinds(w->method->descriptor, kinds,
				    CLASSFILE_ARGUMENTS, &result);
	uint32_t words = 1;

	if (count < 0)
		return code_refuse(w, code_damaged);
	put_number(w);
	for (int objects = 0; objects < 2; objects++) {
		uint32_t local = !w->is_static;

		for (int i = 0; i < count && i < CLASSFILE_ARGUMENTS; i++) {
			if (w->method->entry_wants >> i & 1 &&
			    is_object(kinds[i]) == objects) {
				put_argument(w, kinds[i], local);
				strcat(descriptor, objects ? object : "J");
				words += objects ? 1 : 2;
			}
			local += is_wide(kinds[i]) ? 2 : 1;
		}
		if (local > w->max_locals)
			return code_refuse(w, code_damaged);
	}
	/* in a constructor it is not an object yet */
	if (w->method->entry_wants >> CLASSFILE_THIS & 1 && !w->is_static &&
	    !w->is_constructor) {
		put_argument(w, 'L', 0);
		strcat(descriptor, object);
		words++;
	}
	strcat(descriptor, ")V");
	put_call(w, w->helper, "e", descriptor);
	need_stack(w, words);
	return true;
}

void call_leave(struct rewrite *w, uint32_t opcode)
{
	static const struct {
		uint8_t duplicate, widen, stack;
		const char *name, *descriptor;
	} forms[] = {
		[OP_IRETURN - OP_IRETURN] = { OP_DUP, OP_I2L, 3, "rj",
					      "(JI)V" },
		[OP_LRETURN - OP_IRETURN] = { OP_DUP2, 0, 3, "rj", "(JI)V" },
		[OP_FRETURN - OP_IRETURN] = { OP_DUP, 0, 2, "rf", "(FI)V" },
		[OP_DRETURN - OP_IRETURN] = { OP_DUP2, 0, 3, "rd", "(DI)V" },
		[OP_ARETURN - OP_IRETURN] = { OP_DUP, 0, 2, "ro",
					      "(Ljava/lang/Object;I)V" },
		[OP_RETURN - OP_IRETURN] = { 0, 0, 1, "rv", "(I)V" },
	};
	unsigned form = w->method->leave_wants >> CLASSFILE_RESULT & 1
				? opcode - OP_IRETURN
				: OP_RETURN - OP_IRETURN;

	if (forms[form].duplicate)
		out_put(&w->out, forms[form].duplicate, 1);
	if (forms[form].widen)
		out_put(&w->out, forms[form].widen, 1);
	put_number(w);
	put_call(w, w->helper, forms[form].name, forms[form].descriptor);
	need_stack(w, forms[form].stack);
}

void call_handler(struct rewrite *w)
{
	w->handler = (uint32_t)w->out.size;
	out_put(&w->out, OP_DUP, 1);
	put_number(w);
	put_call(w, w->helper, "rx", "(Ljava/lang/Object;I)V");
	out_put(&w->out, OP_ATHROW, 1);
	need_stack(w, 3);
}
