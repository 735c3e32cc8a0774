/* SPDX-License-Identifier: Apache-2.0 */
#include "object.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST_CLASS = 64, ACC_STATIC = 8, LOCALS = 16 };

/* Whoever describes, what, and how far it got. */
struct describer {
	jni_env jni;
	jvmti_env jvmti;
	struct java_object *to;
	uint32_t nfields;
};

/*
 * A line of it, in ASCII: print() shows other bytes as numbers.  What does not fit is
 * dropped, which its end shows.
 */
struct line {
	char *start, *at, *end;
	bool is_cut;
};

uint64_t object_address(jvm_object object)
{
	return object ? *(const uint64_t *)object : 0;
}

/* ------------------------------------------------------------------ texts */

static struct line line_in(char *room, size_t size)
{
	*room = '\0';
	return (struct line){ room, room, room + size - 1, false };
}

static void add_bytes(struct line *line, const char *bytes, size_t count)
{
	size_t room = (size_t)(line->end - line->at);

	if (count > room) {
		count = room;
		line->is_cut = true;
	}
	for (; count; count--, bytes++)
		*line->at++ = *bytes >= ' ' && *bytes < 0x7f ? *bytes : '?';
	*line->at = '\0';
}

static void add(struct line *line, const char *text)
{
	add_bytes(line, text, strlen(text));
}

static void end_line(struct line *line)
{
	enum { DOTS = 3 };

	if (!line->is_cut || line->end - line->start < DOTS)
		return;
	strcpy(line->end - DOTS, "...");
}

static void add_class(struct line *line, const char *signature)
{
	static const char *const basic[128] = {
		['Z'] = "boolean", ['B'] = "byte", ['C'] = "char",
		['S'] = "short",   ['I'] = "int",  ['J'] = "long",
		['F'] = "float",   ['D'] = "double",
	};
	size_t depth = strspn(signature, "[");
	const char *at = signature + depth;

	if (*at == 'L')
		for (at++; *at && *at != ';'; at++)
			add_bytes(line, *at == '/' ? "." : at, 1);
	else if (*at > 0 && basic[(unsigned char)*at])
		add(line, basic[(unsigned char)*at]);
	while (depth--)
		add(line, "[]");
}

void object_name_class(const char *signature, char *to, size_t room)
{
	struct line line = line_in(to, room);

	add_class(&line, signature);
	end_line(&line);
}

/* The least digits that are this number again; the point is one everywhere. */
static void add_float(struct line *line, double number, bool is_double)
{
	char text[40];

	for (int digits = is_double ? 15 : 6; digits <= (is_double ? 17 : 9);
	     digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, number);
		double again = strtod(text, NULL);

		if (is_double ? again == number : (float)again == (float)number)
			break;
	}
	text[strcspn(text, ",")] = text[strcspn(text, ",")] ? '.' : '\0';
	add(line, text);
}

static void add_number(struct line *line, int64_t number)
{
	char text[24];

	snprintf(text, sizeof(text), "%lld", (long long)number);
	add(line, text);
}

/* As it is written in Java. */
static void add_character(struct line *line, uint16_t c)
{
	char text[16];

	snprintf(text, sizeof(text), c >= ' ' && c < 0x7f ? "%c" : "\\u%04x",
		 (int)c);
	add(line, text);
}

/* ---------------------------------------------------------------- objects */

/* Its signature, from the virtual machine, or NULL. */
static char *signature_of(const struct describer *d, jvm_object class)
{
	char *signature = NULL;

	if (JVMTI_GetClassSignature(d->jvmti)(d->jvmti, class, &signature,
					      NULL))
		return NULL;
	return signature;
}

static void release(const struct describer *d, void *memory)
{
	if (memory)
		JVMTI_Deallocate(d->jvmti)(d->jvmti, memory);
}

static char *signature_of_object(const struct describer *d, jvm_object object)
{
	jvm_object class = JNI_GetObjectClass(d->jni)(d->jni, object);
	char *signature = class ? signature_of(d, class) : NULL;

	if (class)
		JNI_DeleteLocalRef(d->jni)(d->jni, class);
	return signature;
}

static bool is_string(const char *signature)
{
	return !strcmp(signature, "Ljava/lang/String;");
}

static void add_string(const struct describer *d, struct line *line,
		       jvm_object string)
{
	uint16_t text[JAVA_FIELD_BYTES];
	int32_t length = JNI_GetStringLength(d->jni)(d->jni, string);

	/* as many as fit, so that a longer one is known to be */
	if (length > JAVA_FIELD_BYTES)
		length = JAVA_FIELD_BYTES;
	JNI_GetStringRegion(d->jni)(d->jni, string, 0, length, text);
	add(line, "\"");
	for (int32_t i = 0; i < length && !line->is_cut; i++)
		add_character(line, text[i]);
	add(line, "\"");
}

static void add_reference(const struct describer *d, struct line *line,
			  jvm_object object)
{
	char *signature = object ? signature_of_object(d, object) : NULL;
	char text[24];

	if (!signature) {
		add(line, object ? "?" : "null");
		return;
	}
	if (is_string(signature)) {
		add_string(d, line, object);
	} else {
		add_class(line, signature);
		snprintf(text, sizeof(text), "@%llx",
			 (unsigned long long)object_address(object));
		add(line, text);
	}
	release(d, signature);
}

/* A place in the object for a value of this kind. */
union value {
	uint8_t z;
	int8_t b;
	uint16_t c;
	int16_t s;
	int32_t i;
	int64_t j;
	float f;
	double d;
	jvm_object l;
};

static void add_value(const struct describer *d, struct line *line, char kind,
		      union value value)
{
	switch (kind) {
	case 'Z':
		add(line, value.z ? "true" : "false");
		break;
	case 'B':
		add_number(line, value.b);
		break;
	case 'C':
		add(line, "'");
		add_character(line, value.c);
		add(line, "'");
		break;
	case 'S':
		add_number(line, value.s);
		break;
	case 'I':
		add_number(line, value.i);
		break;
	case 'J':
		add_number(line, value.j);
		break;
	case 'F':
		add_float(line, value.f, false);
		break;
	case 'D':
		add_float(line, value.d, true);
		break;
	default:
		add_reference(d, line, value.l);
		if (value.l)
			JNI_DeleteLocalRef(d->jni)(d->jni, value.l);
	}
}

static union value field_of(const struct describer *d, jvm_object object,
			    void *field, char kind)
{
	jni_env jni = d->jni;
	union value value = { 0 };

	switch (kind) {
	case 'Z':
		value.z = JNI_GetBooleanField(jni)(jni, object, field);
		break;
	case 'B':
		value.b = JNI_GetByteField(jni)(jni, object, field);
		break;
	case 'C':
		value.c = JNI_GetCharField(jni)(jni, object, field);
		break;
	case 'S':
		value.s = JNI_GetShortField(jni)(jni, object, field);
		break;
	case 'I':
		value.i = JNI_GetIntField(jni)(jni, object, field);
		break;
	case 'J':
		value.j = JNI_GetLongField(jni)(jni, object, field);
		break;
	case 'F':
		value.f = JNI_GetFloatField(jni)(jni, object, field);
		break;
	case 'D':
		value.d = JNI_GetDoubleField(jni)(jni, object, field);
		break;
	default:
		value.l = JNI_GetObjectField(jni)(jni, object, field);
	}
	return value;
}

/* The next line; false: there are no more, which the last one says. */
static bool next_line(struct describer *d, struct line *line)
{
	if (d->nfields >= JAVA_FIELDS) {
		*line = line_in(d->to->fields[JAVA_FIELDS - 1],
				JAVA_FIELD_BYTES);
		memset(line->start, 0, JAVA_FIELD_BYTES);
		add(line, "...");
		return false;
	}
	*line = line_in(d->to->fields[d->nfields++], JAVA_FIELD_BYTES);
	return true;
}

static bool describe_field(struct describer *d, jvm_object object,
			   jvm_object class, void *field)
{
	jvmti_env jvmti = d->jvmti;
	char *name = NULL, *descriptor = NULL;
	int32_t modifiers = 0;
	struct line line;
	bool has_room = true;

	JVMTI_GetFieldModifiers(jvmti)(jvmti, class, field, &modifiers);
	if (modifiers & ACC_STATIC ||
	    JVMTI_GetFieldName(jvmti)(jvmti, class, field, &name, &descriptor,
				      NULL))
		return true;
	has_room = next_line(d, &line);
	if (has_room) {
		add(&line, name);
		add(&line, " = ");
		add_value(d, &line, descriptor[0],
			  field_of(d, object, field, descriptor[0]));
		end_line(&line);
	}
	release(d, name);
	release(d, descriptor);
	return has_room;
}

/* Those of its class, then those of the classes that are above. */
static void describe_fields(struct describer *d, jvm_object object)
{
	jvmti_env jvmti = d->jvmti;
	jvm_object class = JNI_GetObjectClass(d->jni)(d->jni, object);
	bool has_room = true;

	for (int depth = 0; class && has_room && depth < DEEPEST_CLASS;
	     depth++) {
		void **fields = NULL;
		int32_t count = 0;

		if (JVMTI_GetClassFields(jvmti)(jvmti, class, &count, &fields))
			count = 0;
		for (int32_t i = 0; has_room && i < count; i++)
			has_room = describe_field(d, object, class, fields[i]);
		release(d, fields);
		class = JNI_GetSuperclass(d->jni)(d->jni, class);
	}
}

static void describe_elements(struct describer *d, jvm_object array, char kind)
{
	static const char kinds[] = "ZBCSIJFD";
	const char *basic = strchr(kinds, kind);
	jni_env jni = d->jni;
	int32_t count = JNI_GetArrayLength(jni)(jni, array);
	struct line line;

	if (next_line(d, &line)) {
		add(&line, "length = ");
		add_number(&line, count);
	}
	for (int32_t i = 0; i < count && next_line(d, &line); i++) {
		union value value = { 0 };

		if (basic)
			JNI_GetArrayRegion(jni, basic - kinds)(jni, array, i, 1,
							       &value);
		else
			value.l = JNI_GetObjectArrayElement(jni)(jni, array, i);
		add_number(&line, i);
		add(&line, " = ");
		add_value(d, &line, kind, value);
		end_line(&line);
	}
}

void object_class(jni_env jni, jvmti_env jvmti, jvm_object object, char *to,
		  size_t room)
{
	struct describer d = { .jni = jni, .jvmti = jvmti };
	char *signature = signature_of_object(&d, object);

	to[0] = '\0';
	if (signature)
		object_name_class(signature, to, room);
	release(&d, signature);
}

void object_describe(jni_env jni, jvmti_env jvmti, jvm_object object,
		     struct java_object *to)
{
	struct describer d = { jni, jvmti, to, 0 };
	struct line line;

	*to = (struct java_object){ .address = object_address(object) };
	if (JNI_PushLocalFrame(jni)(jni, DEEPEST_CLASS + LOCALS)) {
		JNI_ExceptionClear(jni)(jni);
		return;
	}
	char *signature = signature_of_object(&d, object);

	if (signature) {
		object_name_class(signature, to->class, sizeof(to->class));
		if (signature[0] == '[') {
			describe_elements(&d, object, signature[1]);
		} else if (is_string(signature) && next_line(&d, &line)) {
			add_string(&d, &line, object);
			end_line(&line);
		} else {
			describe_fields(&d, object);
		}
	}
	release(&d, signature);
	JNI_PopLocalFrame(jni)(jni, NULL);
}
