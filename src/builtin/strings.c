/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Strings: splitting and joining them.
 *
 * The work is done by functions of the run-time library (bpf/).  Those that
 * search return a position or a span (start and length in one number); another
 * one then copies the piece.  A result needs no more room than its sources, so
 * keys and records stay small.
 */
#include "builtin/builtin.h"
#include "ir/lower.h"

static bool lower_strlen(struct lower *lower, const struct node *call,
			 struct value *result)
{
	struct value string = { 0 };

	if (!lower_string(lower, call_argument(call, 0), &string))
		return false;
	*result = value_of_reg(call->type,
			       ir_string_length(&lower->b, string.mem,
						string.capacity));
	return true;
}

/* One string in, one of at most that size out. */
static bool lower_change(struct lower *lower, const struct node *call,
			 enum ir_function function, struct value *result)
{
	struct value string = { 0 };

	if (!lower_library_string(lower, call, 0, &string))
		return false;
	*result = lower_library_result(lower, string.capacity);
	lower_library_write(lower, function, result, &string, 0, 0);
	return true;
}

static bool lower_basename(struct lower *lower, const struct node *call,
			   struct value *result)
{
	return lower_change(lower, call, FUNCTION_basename, result);
}

static bool lower_cleanpath(struct lower *lower, const struct node *call,
			    struct value *result)
{
	return lower_change(lower, call, FUNCTION_cleanpath, result);
}

static bool lower_dirname(struct lower *lower, const struct node *call,
			  struct value *result)
{
	return lower_change(lower, call, FUNCTION_dirname, result);
}

static bool lower_tolower(struct lower *lower, const struct node *call,
			  struct value *result)
{
	return lower_change(lower, call, FUNCTION_tolower, result);
}

static bool lower_toupper(struct lower *lower, const struct node *call,
			  struct value *result)
{
	return lower_change(lower, call, FUNCTION_toupper, result);
}

/* ------------------------------------------------------------------- finding */

static bool lower_position(struct lower *lower, const struct node *call,
			   enum ir_function function, int64_t start,
			   struct value *result)
{
	struct value string = { 0 }, piece = { 0 };
	ir_reg from;

	if (!lower_library_string(lower, call, 0, &string) ||
	    !lower_library_string(lower, call, 1, &piece) ||
	    !lower_library_number(lower, call, 2, BASE_INT, start, &from))
		return false;
	*result = value_of_reg(call->type,
			       lower_library_read(lower, function, &string,
						  &piece, from));
	return true;
}

static bool lower_index(struct lower *lower, const struct node *call,
			struct value *result)
{
	return lower_position(lower, call, FUNCTION_index, 0, result);
}

static bool lower_rindex(struct lower *lower, const struct node *call,
			 struct value *result)
{
	return lower_position(lower, call, FUNCTION_rindex, INT32_MAX, result);
}

/* The piece of `string` at a span; below 0: NULL. */
static struct value piece_of(struct lower *lower, const struct value *string,
			     ir_reg span)
{
	struct ir_builder *b = &lower->b;
	struct value piece = lower_library_result(lower, string->capacity);
	ir_reg is_null = ir_binary_imm(b, IR_SLT, span, 0);
	ir_reg start = ir_binary_imm(b, IR_LSR, span, 32);
	ir_reg length = ir_extend(b, span, 4, false);
	/* Nothing is copied if the result is NULL. */
	ir_reg mask = ir_binary_imm(b, IR_SUB, is_null, 1);

	length = ir_binary(b, IR_AND, length, mask);
	lower_library_write(lower, FUNCTION_piece, &piece, string, start,
			    length);
	piece.null = is_null;
	return piece;
}

/* The rest of `string` from a position on; below 0: NULL. */
static struct value rest_of(struct lower *lower, const struct value *string,
			    ir_reg position)
{
	ir_reg is_null = ir_binary_imm(&lower->b, IR_SLT, position, 0);
	struct value piece = lower_library_result(lower, string->capacity);
	ir_reg mask = ir_binary_imm(&lower->b, IR_SUB, is_null, 1);
	ir_reg length = ir_binary_imm(&lower->b, IR_AND, mask, INT32_MAX);

	position = ir_binary(&lower->b, IR_AND, position, mask);
	lower_library_write(lower, FUNCTION_substr, &piece, string, position,
			    length);
	piece.null = is_null;
	return piece;
}

static bool lower_character(struct lower *lower, const struct node *call,
			    enum ir_function function, struct value *result)
{
	struct value string = { 0 };
	ir_reg character;

	if (!lower_library_string(lower, call, 0, &string) ||
	    !lower_library_number(lower, call, 1, BASE_CHAR, 0, &character))
		return false;
	*result = rest_of(lower, &string,
			  lower_library_read(lower, function, &string, &string,
					     character));
	return true;
}

static bool lower_strchr(struct lower *lower, const struct node *call,
			 struct value *result)
{
	return lower_character(lower, call, FUNCTION_strchr, result);
}

static bool lower_strrchr(struct lower *lower, const struct node *call,
			  struct value *result)
{
	return lower_character(lower, call, FUNCTION_strrchr, result);
}

static bool lower_strstr(struct lower *lower, const struct node *call,
			 struct value *result)
{
	struct value string = { 0 }, piece = { 0 };

	if (!lower_library_string(lower, call, 0, &string) ||
	    !lower_library_string(lower, call, 1, &piece))
		return false;
	ir_reg position = lower_library_read(lower, FUNCTION_index, &string,
					     &piece, ir_const(&lower->b, 0));

	*result = rest_of(lower, &string, position);
	return true;
}

static bool lower_json(struct lower *lower, const struct node *call,
		       struct value *result)
{
	struct value document = { 0 }, path = { 0 };

	if (!lower_library_string(lower, call, 0, &document) ||
	    !lower_library_string(lower, call, 1, &path))
		return false;
	*result = piece_of(lower, &document,
			   lower_library_read(lower, FUNCTION_json, &document,
					      &path, 0));
	/*
	 * A member that the document lacks is not a program error: it prints
	 * empty.
	 */
	result->null_is_recorded = true;
	return true;
}

/* -------------------------------------------------------------------- strtok */

/*
 * The state of strtok() lives as long as the firing: a copy of the string, and
 * one more than the position in it where the search for the next word starts; 0
 * means that no string has been given yet.
 */
/* A given string is saved; NULL continues with the previous one. */
static bool start_words(struct lower *lower, const struct node *node,
			struct value *value, const struct value *string)
{
	struct ir_builder *b = &lower->b;
	struct ir_block *given = ir_block_new(b, "strtok starts"),
			*known = ir_block_new(b, "strtok goes on");
	ir_reg is_null = value->null;

	if (value->kind == VALUE_SCALAR)
		is_null = ir_binary_imm(b, IR_EQ, value->reg, 0);
	value->null = 0;
	if (is_null) {
		ir_branch(b, is_null, known, given);
		ir_enter(b, given);
	}
	if (!lower_string_store(lower, node, value, string->mem,
				string->capacity))
		return false;
	ir_move(b, lower->strtok_next, ir_const(b, 1));
	ir_enter(b, known);
	return true;
}

static bool lower_strtok(struct lower *lower, const struct node *call,
			 struct value *result)
{
	struct ir_builder *b = &lower->b;
	const struct node *node = call_argument(call, 0);
	struct value given = { 0 }, delimiters = { 0 };

	lower_remember_words(lower);
	struct value string = value_of_string(lower, lower->strtok_string,
					      lower_string_capacity(lower));

	if (!lower_expression(lower, node, &given) ||
	    !lower_library_string(lower, call, 1, &delimiters) ||
	    !start_words(lower, node, &given, &string))
		return false;
	ir_fault_if(b, ir_binary_imm(b, IR_EQ, lower->strtok_next, 0),
		    FAULT_BADADDR, 0);
	ir_reg from = ir_binary_imm(b, IR_SUB, lower->strtok_next, 1);
	ir_reg span = lower_library_read(lower, FUNCTION_strtok, &string,
					 &delimiters, from);

	*result = piece_of(lower, &string, span);

	/* After the word; for the last one, after the whole string. */
	ir_reg end = ir_binary(b, IR_ADD, ir_binary_imm(b, IR_LSR, span, 32),
			       ir_extend(b, span, 4, false));

	ir_move(b, lower->strtok_next, ir_binary_imm(b, IR_ADD, end, 1));
	return true;
}

/* ---------------------------------------------------------- cut and joined */

static bool lower_strjoin(struct lower *lower, const struct node *call,
			  struct value *result)
{
	struct value first = { 0 }, second = { 0 };

	if (!lower_library_string(lower, call, 0, &first) ||
	    !lower_library_string(lower, call, 1, &second))
		return false;
	*result = lower_library_result(lower,
				       first.capacity + second.capacity - 1);
	ir_string_copy(&lower->b, result->mem, result->capacity, first.mem,
		       first.capacity);
	lower_library_write(lower, FUNCTION_append, result, &second, 0, 0);
	return true;
}

static bool lower_substr(struct lower *lower, const struct node *call,
			 struct value *result)
{
	struct value string = { 0 };
	ir_reg start, length;

	if (!lower_library_string(lower, call, 0, &string) ||
	    !lower_library_number(lower, call, 1, BASE_INT, 0, &start) ||
	    !lower_library_number(lower, call, 2, BASE_INT, INT32_MAX, &length))
		return false;
	*result = lower_library_result(lower, string.capacity);
	lower_library_write(lower, FUNCTION_substr, result, &string, start,
			    length);
	return true;
}

/* ------------------------------------------------------------------- numbers */

enum { LEAST_BASE = 2, MOST_BASE = 36, MOST_DIGITS = 64 };

static bool lower_base(struct lower *lower, const struct node *call,
		       ir_reg *base)
{
	struct ir_builder *b = &lower->b;

	if (!lower_library_number(lower, call, 1, BASE_INT, 10, base))
		return false;
	ir_reg above = ir_binary_imm(b, IR_SUB, *base, LEAST_BASE);

	ir_fault_if(b, ir_binary_imm(b, IR_UGT, above, MOST_BASE - LEAST_BASE),
		    FAULT_ILLOP, 0);
	return true;
}

static bool lower_lltostr(struct lower *lower, const struct node *call,
			  struct value *result)
{
	ir_reg number, base;

	if (!lower_library_number(lower, call, 0, BASE_INT64, 0, &number) ||
	    !lower_base(lower, call, &base))
		return false;
	*result = lower_library_result(lower, MOST_DIGITS + sizeof("0x"));
	lower_library_write(lower, FUNCTION_lltostr, result, result, number,
			    base);
	return true;
}

static bool lower_strtoll(struct lower *lower, const struct node *call,
			  struct value *result)
{
	struct value string = { 0 };
	ir_reg base;

	if (!lower_library_string(lower, call, 0, &string) ||
	    !lower_base(lower, call, &base))
		return false;
	*result = value_of_reg(call->type,
			       lower_library_read(lower, FUNCTION_strtoll,
						  &string, &string, base));
	return true;
}

SUBROUTINE(basename, "string (const char *)", .lower = lower_basename);
SUBROUTINE(cleanpath, "string (const char *)", .lower = lower_cleanpath);
SUBROUTINE(dirname, "string (const char *)", .lower = lower_dirname);
SUBROUTINE(index, "int (const char *, const char *, [int])", .since = 1,
	   .lower = lower_index);
SUBROUTINE(json, "string (const char *, const char *)", .since = 11,
	   .lower = lower_json);
SUBROUTINE(lltostr, "string (int64_t, [int])", .lower = lower_lltostr);
SUBROUTINE(rindex, "int (const char *, const char *, [int])", .since = 1,
	   .lower = lower_rindex);
SUBROUTINE(strchr, "string (const char *, char)", .since = 1,
	   .lower = lower_strchr);
SUBROUTINE(strjoin, "string (const char *, const char *)",
	   .lower = lower_strjoin);
SUBROUTINE(strlen, "size_t (const char *)", .lower = lower_strlen);
SUBROUTINE(strrchr, "string (const char *, char)", .since = 1,
	   .lower = lower_strrchr);
SUBROUTINE(strstr, "string (const char *, const char *)", .since = 1,
	   .lower = lower_strstr);
SUBROUTINE(strtok, "string (const char *, const char *)", .since = 1,
	   .flags = FUNCTION_CONTINUES, .lower = lower_strtok);
SUBROUTINE(strtoll, "int64_t (const char *, [int])", .since = 11,
	   .lower = lower_strtoll);
SUBROUTINE(substr, "string (const char *, int, [int])", .since = 1,
	   .lower = lower_substr);
SUBROUTINE(tolower, "string (const char *)", .since = 8,
	   .lower = lower_tolower);
SUBROUTINE(toupper, "string (const char *)", .since = 8,
	   .lower = lower_toupper);
