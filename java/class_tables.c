/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables of a method that name places in its code: handlers of exceptions, lines,
 * variables, frames of the verifier.
 *
 * Our handler has no variables in its frame: then any state fits it.  In a
 * constructor it begins after the call of the other constructor, because before
 * that `this` is not an object yet.
 */
#include "class_code.h"

bool tables_handlers(struct rewrite *w, struct in *in, struct out *out)
{
	uint32_t count = in_get(in, 2), start;
	size_t place = out->size;

	out_put(out, count, 2);
	for (uint32_t i = 0; i < count && !in->is_bad; i++) {
		for (unsigned n = 0; n < 3; n++) {
			uint32_t now;

			if (!code_moved(w, in_get(in, 2), &now))
				return false;
			out_put(out, now, 2);
		}
		out_put(out, in_get(in, 2), 2);
	}
	if (in->is_bad)
		return code_refuse(w, code_damaged);
	if (!w->method->leave)
		return true;
	w->started = w->is_constructor ? code_after_super(w) : 0;
	if (w->started == NOWHERE)
		return code_refuse(
			w, "its call of another constructor is not found");
	if (!code_moved(w, w->started, &start))
		return false;
	if (start >= w->map[w->size])
		return true;
	if (count == 65535)
		return code_refuse(w, "it has too many handlers");
	out_put_at(out, place, count + 1, 2);
	out_put(out, start, 2);
	out_put(out, w->map[w->size], 2);
	out_put(out, w->handler, 2);
	out_put(out, 0, 2);
	return true;
}

static bool copy_lines(struct rewrite *w, struct in *in, struct out *out)
{
	uint32_t count = in_get(in, 2), now;

	out_put(out, count, 2);
	for (uint32_t i = 0; i < count; i++) {
		if (!code_moved(w, in_get(in, 2), &now) || in->is_bad)
			return code_refuse(w, code_damaged);
		out_put(out, now, 2);
		out_put(out, in_get(in, 2), 2);
	}
	return !in->is_bad;
}

static bool copy_variables(struct rewrite *w, struct in *in, struct out *out)
{
	uint32_t count = in_get(in, 2);

	out_put(out, count, 2);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t start = in_get(in, 2), length = in_get(in, 2), from,
			 to;

		if (in->is_bad || !code_moved(w, start, &from) ||
		    !code_moved(w, (int64_t)start + length, &to))
			return code_refuse(w, code_damaged);
		out_put(out, start ? from : 0, 2);
		out_put(out, start ? to - from : to, 2);
		for (unsigned n = 0; n < 3; n++)
			out_put(out, in_get(in, 2), 2);
	}
	return !in->is_bad;
}

enum { TYPE_OBJECT = 7, TYPE_UNINITIALIZED };

static bool copy_types(struct rewrite *w, struct in *in, struct out *out,
		       uint32_t count)
{
	for (; count; count--) {
		uint32_t type = in_get(in, 1), now;

		if (in->is_bad || type > TYPE_UNINITIALIZED)
			return code_refuse(w, code_damaged);
		out_put(out, type, 1);
		if (type == TYPE_OBJECT) {
			out_put(out, in_get(in, 2), 2);
		} else if (type == TYPE_UNINITIALIZED) {
			if (!code_moved(w, in_get(in, 2), &now))
				return false;
			out_put(out, now, 2);
		}
	}
	return true;
}

enum frame {
	FRAME_SAME_END = 63, FRAME_ONE_END = 127, FRAME_ONE_FAR = 247,
	FRAME_CHOP, FRAME_SAME_FAR = 251, FRAME_APPEND_END = 254, FRAME_FULL,
};

static bool copy_frame(struct rewrite *w, struct in *in, struct out *out,
		       int64_t *old, int64_t *last)
{
	uint32_t kind = in_get(in, 1), now;
	bool is_same = kind <= FRAME_SAME_END || kind == FRAME_SAME_FAR;
	bool is_one = !is_same &&
		      (kind <= FRAME_ONE_END || kind == FRAME_ONE_FAR);

	if (in->is_bad || (kind > FRAME_ONE_END && kind < FRAME_ONE_FAR))
		return code_refuse(w, code_damaged);
	*old += 1 + (int64_t)(kind > FRAME_ONE_END ? in_get(in, 2) : kind % 64);
	if (!code_moved(w, *old, &now))
		return false;
	uint32_t distance = (uint32_t)(now - *last - 1);
	bool is_near = distance < 64;

	*last = now;
	if (is_same)
		out_put(out, is_near ? distance : FRAME_SAME_FAR, 1);
	else if (is_one)
		out_put(out, is_near ? 64 + distance : FRAME_ONE_FAR, 1);
	else
		out_put(out, kind, 1);
	if (!is_near || !(is_same || is_one))
		out_put(out, distance, 2);
	if (is_one)
		return copy_types(w, in, out, 1);
	if (kind > FRAME_SAME_FAR && kind <= FRAME_APPEND_END)
		return copy_types(w, in, out, kind - FRAME_SAME_FAR);
	for (unsigned i = 0; kind == FRAME_FULL && i < 2; i++) {
		uint32_t count = in_get(in, 2);

		out_put(out, count, 2);
		if (!copy_types(w, in, out, count))
			return false;
	}
	return true;
}

/* `in` may be without frames: then there were none. */
static bool copy_frames(struct rewrite *w, struct in *in, struct out *out,
			bool has_handler)
{
	uint32_t count = in ? in_get(in, 2) : 0;
	int64_t old = -1, last = -1;

	out_put(out, count + has_handler, 2);
	for (uint32_t i = 0; i < count; i++)
		if (!copy_frame(w, in, out, &old, &last))
			return false;
	if (!has_handler)
		return true;
	out_put(out, FRAME_FULL, 1);
	out_put(out, (uint32_t)(w->handler - last - 1), 2);
	out_put(out, 0, 2);
	out_put(out, 1, 2);
	out_put(out, TYPE_OBJECT, 1);
	out_put(out, pool_class(w->pool, "java/lang/Throwable"), 2);
	return count < 65535;
}

static const struct {
	const char *name;
	bool (*copy)(struct rewrite *w, struct in *in, struct out *out);
} tables[] = {
	{ "LineNumberTable", copy_lines },
	{ "LocalVariableTable", copy_variables },
	{ "LocalVariableTypeTable", copy_variables },
};

/* Annotations of types in the code are left out: they name places, too. */
bool tables_attributes(struct rewrite *w, struct in *in, struct out *out,
		       bool has_handler)
{
	uint32_t count = in_get(in, 2), kept = 0;
	size_t place = out->size;
	bool needs_frame = has_handler && w->version >= FRAMES_SINCE;

	out_put(out, 0, 2);
	for (uint32_t i = 0; i < count && !in->is_bad; i++) {
		uint32_t name = in_get(in, 2);
		struct in inner = in_part(in, in_get(in, 4));
		bool is_frames = pool_is(w->pool, name, "StackMapTable"),
		     is_good = true;
		unsigned n = 0, most = sizeof(tables) / sizeof(*tables);

		while (n < most && !pool_is(w->pool, name, tables[n].name))
			n++;
		if (n == most && !is_frames)
			continue;
		out_put(out, name, 2);
		out_put(out, 0, 4);
		size_t start = out->size;

		if (is_frames)
			is_good = copy_frames(w, &inner, out, needs_frame);
		else
			is_good = tables[n].copy(w, &inner, out);
		needs_frame &= !is_frames;
		if (!is_good || inner.is_bad)
			return code_refuse(w, code_damaged);
		out_put_at(out, start - 4, (uint32_t)(out->size - start), 4);
		kept++;
	}
	if (needs_frame) {
		out_put(out, pool_text(w->pool, "StackMapTable"), 2);
		out_put(out, 0, 4);
		size_t start = out->size;

		copy_frames(w, NULL, out, true);
		out_put_at(out, start - 4, (uint32_t)(out->size - start), 4);
		kept++;
	}
	out_put_at(out, place, kept, 2);
	return in->is_bad ? code_refuse(w, code_damaged) : true;
}
