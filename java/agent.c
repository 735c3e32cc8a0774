/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The agent of the Java provider: what dtrace loads into a running virtual machine.
 *
 * A thread of its own reads what the tracer asks for (message.h): methods that match,
 * probes in them, the end.  Methods get their calls by transformation of their
 * classes (classfile.h), and lose them by another one that changes nothing.
 *
 * 1. The socket is the tracer's life.  When it ends, however it ends, everything is
 *    taken back, and the environment is given up.
 * 2. A class that is loaded later and matches is held, before any of its methods can
 *    run, until the tracer has its probes: HOLD_MS at most, and once only if the
 *    tracer does not answer.
 * 3. `lock` protects the classes.  It is not held while the virtual machine
 *    transforms, because that calls us; nor while a message is sent.
 * 4. Linked to no library: the C library of the process, whichever it is, has what
 *    is needed.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "class_version.h"
#include "classfile.h"
#include "command.h"
#include "connection.h"
#include "fire.h"
#include "jvm.h"
#include "load.h"
#include "machine.h"
#include "message.h"

enum {
	HOLD_MS = 3000, BATCH = 50, MOST_CLASSES = 1 << 20,
	MOST_PATTERNS = 256,
};

/* src/probe/glob.c */
bool glob_match(const char *pattern, const char *text);

struct method {
	char *name, *descriptor;
	uint32_t modifiers;
	/* all that the tracer wants of it */
	struct firing *firings;
	uint32_t nfirings;
	uint32_t entry_wants, leave_wants;
	uint32_t number; /* fire_add(); UINT32_MAX: it has no calls */
};

struct class
{
	jvm_object weak;
	char *name; /* java.net.Socket */
	bool is_modifiable;
	bool is_due;	 /* to be transformed */
	bool is_changed; /* it is not as it was */
	bool has_calls;	 /* has them, or had */
	struct class_version version;
	struct method *methods;
	uint32_t nmethods;
};

struct pattern {
	char *class, *method;
};

struct agent {
	jvmti_env jvmti;
	pthread_t thread; /* ours */
	char helper[64];
	pthread_mutex_t lock;
	uint32_t users;		 /* threads of others that are in our code */
	uint32_t ngone;		 /* classes up to this number may go on */
	bool is_ending, is_late; /* the tracer did not answer in time */
	struct class *classes;	 /* the tag of a class is its index + 1 */
	uint32_t nclasses;
	struct pattern patterns[MOST_PATTERNS];
	uint32_t npatterns;
};

/* Of this copy of the agent, which has one tracer. */
static struct agent agent = {
	.lock = PTHREAD_MUTEX_INITIALIZER,
};

/* --------------------------------------------------------------- messages */

static void send_refused(uint32_t class, uint32_t method, const char *why)
{
	struct message message = { 0 };

	message_word(&message, class);
	message_word(&message, method);
	message_text(&message, why);
	connection_send(JAVA_REFUSED, &message);
}

/* ---------------------------------------------------------------- classes */

static void release(void *memory)
{
	if (memory)
		JVMTI_Deallocate(agent.jvmti)(agent.jvmti, memory);
}

/* "Ljava/net/Socket;" -> "java.net.Socket", in place; NULL: no class. */
static char *name_of(char *signature)
{
	size_t length = strlen(signature);

	if (signature[0] != 'L' || length < 3)
		return NULL;
	signature[length - 1] = '\0';
	for (char *at = signature; *at; at++)
		if (*at == '/')
			*at = '.';
	return signature + 1;
}

static void add_methods(struct class *class, jvm_object object)
{
	jvmti_env jvmti = agent.jvmti;
	void **methods = NULL;
	int32_t count = 0;

	if (JVMTI_GetClassMethods(jvmti)(jvmti, object, &count, &methods))
		return;
	class->methods = calloc((size_t)count + 1, sizeof(*class->methods));
	for (int32_t i = 0; class->methods && i < count; i++) {
		struct method *method = &class->methods[class->nmethods];
		char *name = NULL, *descriptor = NULL;
		int32_t modifiers = 0;

		if (JVMTI_GetMethodName(jvmti)(jvmti, methods[i], &name,
					       &descriptor, NULL))
			continue;
		JVMTI_GetMethodModifiers(jvmti)(jvmti, methods[i], &modifiers);
		method->name = strdup(name);
		method->descriptor = strdup(descriptor);
		method->modifiers = (uint32_t)modifiers & 0xffff;
		method->number = UINT32_MAX;
		if (!class->is_modifiable)
			method->modifiers |= JAVA_UNMODIFIABLE;
		class->nmethods += method->name && method->descriptor;
		release(name);
		release(descriptor);
	}
	release(methods);
}

/* The class's index, which it gets when it is met first; -1: none. */
static int64_t index_of(jni_env jni, jvm_object object, const char *name)
{
	jvmti_env jvmti = agent.jvmti;
	int64_t tag = 0;
	uint8_t is_modifiable = 0;

	JVMTI_GetTag(jvmti)(jvmti, object, &tag);
	if (tag)
		return tag <= agent.nclasses ? tag - 1 : -1;
	uint32_t n = agent.nclasses;

	if (n >= MOST_CLASSES)
		return -1;
	/* powers of two are when it is full */
	if (!(n & (n - 1))) {
		struct class *grown = realloc(agent.classes,
					      (n ? 2 * (size_t)n : 1) *
						      sizeof(*grown));

		if (!grown)
			return -1;
		agent.classes = grown;
	}
	struct class *class = &agent.classes[n];

	JVMTI_IsModifiableClass(jvmti)(jvmti, object, &is_modifiable);
	*class = (struct class){
		.weak = JNI_NewWeakGlobalRef(jni)(jni, object),
		.name = strdup(name),
		.is_modifiable = is_modifiable,
	};
	if (!class->weak || !class->name ||
	    JVMTI_SetTag(jvmti)(jvmti, object, n + 1))
		return -1;
	add_methods(class, object);
	agent.nclasses++;
	return n;
}

/* Tells of its methods that match; how many. */
static uint32_t tell_methods(uint32_t index, const char *pattern)
{
	uint32_t count = 0;

	for (uint32_t i = 0;; i++) {
		struct message message = { 0 };

		pthread_mutex_lock(&agent.lock);
		const struct class *class = &agent.classes[index];
		bool is_over = i >= class->nmethods;
		const struct method *method = is_over ? NULL
						      : &class->methods[i];
		bool is_wanted = method && glob_match(pattern, method->name);

		if (is_wanted) {
			message_word(&message, index);
			message_word(&message, i);
			message_word(&message, method->modifiers);
			message_text(&message, class->name);
			message_text(&message, method->name);
			message_text(&message, method->descriptor);
		}
		pthread_mutex_unlock(&agent.lock);
		if (is_over)
			return count;
		if (is_wanted) {
			connection_send(JAVA_METHOD, &message);
			count++;
		}
	}
}

/* If the class is there to be used and matches. */
static uint32_t tell_class(jni_env jni, jvm_object object,
			   const char *class_pattern,
			   const char *method_pattern)
{
	jvmti_env jvmti = agent.jvmti;
	char *signature = NULL;
	int32_t status = 0;
	uint32_t count = 0;

	if (JVMTI_GetClassStatus(jvmti)(jvmti, object, &status) ||
	    !(status & JVMTI_CLASS_PREPARED) ||
	    JVMTI_GetClassSignature(jvmti)(jvmti, object, &signature, NULL))
		return 0;
	const char *name = name_of(signature);

	if (name && strncmp(name, "java.dtrace.", 12) &&
	    glob_match(class_pattern, name)) {
		pthread_mutex_lock(&agent.lock);
		int64_t index = index_of(jni, object, name);

		pthread_mutex_unlock(&agent.lock);
		if (index >= 0)
			count = tell_methods((uint32_t)index, method_pattern);
	}
	release(signature);
	return count;
}

static void search(jni_env jni, const char *class_pattern,
		   const char *method_pattern)
{
	jvmti_env jvmti = agent.jvmti;
	jvm_object *classes = NULL;
	int32_t count = 0;

	if (JVMTI_GetLoadedClasses(jvmti)(jvmti, &count, &classes))
		return;
	for (int32_t i = 0; i < count; i++) {
		tell_class(jni, classes[i], class_pattern, method_pattern);
		JNI_DeleteLocalRef(jni)(jni, classes[i]);
	}
	release(classes);
}

/* --------------------------------------------------------- transformation */

/* The methods of a class that have calls now. */
static struct classfile_method *wishes_of(uint32_t index, size_t *count)
{
	const struct class *class = &agent.classes[index];
	struct classfile_method *wishes = calloc(class->nmethods + 1,
						 sizeof(*wishes));

	*count = 0;
	for (uint32_t i = 0; wishes && i < class->nmethods; i++) {
		const struct method *method = &class->methods[i];
		struct classfile_method *wish = &wishes[*count];

		if (method->number == UINT32_MAX)
			continue;
		*wish = (struct classfile_method){
			.name = method->name,
			.descriptor = method->descriptor,
			.number = method->number,
			.entry_wants = java_passed(method->entry_wants),
			.leave_wants = java_passed(method->leave_wants),
		};
		for (uint32_t n = 0; n < method->nfirings; n++) {
			wish->entry |= !method->firings[n].leaves;
			wish->leave |= method->firings[n].leaves;
		}
		++*count;
	}
	return wishes;
}

/* Numbers of methods do not change, so their names find them again. */
static void report_problems(uint32_t index,
			    const struct classfile_method *wishes, size_t count,
			    const char *all)
{
	for (size_t i = 0; i < count; i++) {
		const char *why = all ? all : wishes[i].problem;
		uint32_t n = 0;

		if (!why)
			continue;
		pthread_mutex_lock(&agent.lock);
		const struct class *class = &agent.classes[index];

		while (n < class->nmethods &&
		       (class->methods[n].name != wishes[i].name ||
			class->methods[n].descriptor != wishes[i].descriptor))
			n++;
		pthread_mutex_unlock(&agent.lock);
		send_refused(index, n, why);
	}
}

static void enter(void)
{
	__atomic_add_fetch(&agent.users, 1, __ATOMIC_SEQ_CST);
}

static void leave(void)
{
	__atomic_sub_fetch(&agent.users, 1, __ATOMIC_SEQ_CST);
}

/* Memory of the virtual machine with these bytes, or NULL. */
static uint8_t *given(const uint8_t *bytes, size_t size, int32_t *new_size)
{
	jvmti_env jvmti = agent.jvmti;
	uint8_t *copy = NULL;

	if (!bytes || size > INT32_MAX ||
	    JVMTI_Allocate(jvmti)(jvmti, (int64_t)size, &copy))
		return NULL;
	memcpy(copy, bytes, size);
	*new_size = (int32_t)size;
	return copy;
}

/* A copy of what the class is without us, and what is wanted in it. */
static uint8_t *real_class(uint32_t index, const uint8_t *bytes, int32_t size,
			   size_t *real_size, struct classfile_method **wishes,
			   size_t *count)
{
	bool is_ours = pthread_equal(pthread_self(), agent.thread);

	pthread_mutex_lock(&agent.lock);
	const uint8_t *real = version_given(&agent.classes[index].version,
					    bytes, (size_t)size, is_ours,
					    real_size);
	uint8_t *copy = malloc(*real_size + 1);

	if (copy)
		memcpy(copy, real, *real_size);
	if (copy && fire_is_live())
		*wishes = wishes_of(index, count);
	pthread_mutex_unlock(&agent.lock);
	return copy;
}

/* What the class is to be instead, from jvmti, or NULL. */
static uint8_t *rewritten(uint32_t index, const uint8_t *bytes, int32_t size,
			  int32_t *new_size)
{
	size_t count = 0, length = 0, real_size = 0;
	const char *problem = NULL;
	struct classfile_method *wishes = NULL;
	uint8_t *changed = NULL, *copy;
	uint8_t *real = real_class(index, bytes, size, &real_size, &wishes,
				   &count);

	if (real && count) {
		changed = classfile_rewrite(real, real_size, agent.helper,
					    wishes, count, &length, &problem);
		report_problems(index, wishes, count, problem);
	}
	if (changed)
		copy = given(changed, length, new_size);
	else if (real &&
		 (real_size != (size_t)size || memcmp(real, bytes, real_size)))
		copy = given(real, real_size, new_size);
	else
		copy = NULL;
	free(wishes);
	free(changed);
	free(real);
	return copy;
}

/* The index of a class that was changed, or is to be; -1: it is none. */
static int64_t changed_index(jvm_object object)
{
	int64_t tag = 0, index = -1;

	JVMTI_GetTag(agent.jvmti)(agent.jvmti, object, &tag);
	pthread_mutex_lock(&agent.lock);
	if (tag > 0 && tag <= agent.nclasses)
		index = tag - 1;
	if (index >= 0 && !agent.classes[index].has_calls)
		index = -1;
	pthread_mutex_unlock(&agent.lock);
	return index;
}

static void on_class_file(jvmti_env jvmti, jni_env jni, jvm_object redefined,
			  jvm_object loader, const char *name,
			  jvm_object domain, int32_t size, const uint8_t *bytes,
			  int32_t *new_size, uint8_t **new_bytes)
{
	uint8_t *fresh = NULL;

	(void)jvmti, (void)jni, (void)loader, (void)name, (void)domain;
	enter();
	int64_t index = redefined && size >= 0 ? changed_index(redefined) : -1;

	if (index >= 0)
		fresh = rewritten((uint32_t)index, bytes, size, new_size);
	if (fresh)
		*new_bytes = fresh;
	leave();
}

static void forget_probes(uint32_t index, const char *why)
{
	pthread_mutex_lock(&agent.lock);
	for (uint32_t i = 0; i < agent.classes[index].nmethods; i++) {
		struct method *method = &agent.classes[index].methods[i];
		bool had = method->number != UINT32_MAX;

		method->number = UINT32_MAX;
		method->nfirings = 0;
		pthread_mutex_unlock(&agent.lock);
		if (had)
			send_refused(index, i, why);
		pthread_mutex_lock(&agent.lock);
	}
	pthread_mutex_unlock(&agent.lock);
}

static void retransform_one(jni_env jni, uint32_t index, jvm_object object)
{
	jvmti_env jvmti = agent.jvmti;
	int32_t error = JVMTI_RetransformClasses(jvmti)(jvmti, 1, &object);
	char *name = NULL;

	JNI_ExceptionClear(jni)(jni);
	if (!error || !fire_is_live())
		return;
	JVMTI_GetErrorName(jvmti)(jvmti, error, &name);
	forget_probes(index, name ? name : "the class cannot be changed");
	release(name);
}

/* One class that does not like it must not be in the way of others. */
static void retransform(jni_env jni, const uint32_t *indices,
			const jvm_object *objects, int32_t count)
{
	jvmti_env jvmti = agent.jvmti;

	if (!count)
		return;
	int32_t error = JVMTI_RetransformClasses(jvmti)(jvmti, count, objects);

	JNI_ExceptionClear(jni)(jni);
	for (int32_t i = 0; error && i < count; i++)
		retransform_one(jni, indices[i], objects[i]);
}

/* All classes that are due, or, at the end, all that were changed. */
static void transform(jni_env jni, bool is_end)
{
	uint32_t indices[BATCH], index = 0, most;
	jvm_object objects[BATCH];
	int32_t count = 0;

	do {
		if (!count && JNI_PushLocalFrame(jni)(jni, BATCH + 8))
			return;
		pthread_mutex_lock(&agent.lock);
		most = agent.nclasses;
		if (index < most) {
			struct class *class = &agent.classes[index];
			bool is_wanted = is_end ? class->is_changed
						: class->is_due;
			jvm_object object = NULL;

			if (is_wanted && class->is_modifiable)
				object = JNI_NewLocalRef(jni)(jni, class->weak);
			class->is_changed = !is_end && (class->is_changed ||
							class->is_due);
			class->has_calls |= class->is_due;
			class->is_due = false;
			if (object) {
				indices[count] = index;
				objects[count++] = object;
			}
		}
		pthread_mutex_unlock(&agent.lock);
		index++;
		if (count == BATCH || index >= most) {
			retransform(jni, indices, objects, count);
			count = 0;
		}
		if (!count)
			JNI_PopLocalFrame(jni)(jni, NULL);
	} while (index < most);
}

/* --------------------------------------------------------------- commands */

static void add_probe(const struct java_command *command)
{
	const struct firing firing = {
		.site = command->site,
		.number = command->number,
		.leaves = command->leaves,
	};

	pthread_mutex_lock(&agent.lock);
	if (command->class_index < agent.nclasses &&
	    command->index < agent.classes[command->class_index].nmethods) {
		struct class *class = &agent.classes[command->class_index];
		struct method *method = &class->methods[command->index];
		struct firing *grown = realloc(method->firings,
					       (method->nfirings + 1) *
						       sizeof(*grown));

		if (grown) {
			method->firings = grown;
			grown[method->nfirings++] = firing;
			*(firing.leaves
				  ? &method->leave_wants
				  : &method->entry_wants) |= command->wants;
			class->is_due = true;
		}
	}
	pthread_mutex_unlock(&agent.lock);
}

static uint32_t number_method(const struct method *method)
{
	size_t size = method->nfirings * sizeof(*method->firings);
	struct fired_method *fired = calloc(1, sizeof(*fired) + size);

	if (!fired)
		return UINT32_MAX;
	fired->entry_wants = method->entry_wants;
	fired->leave_wants = method->leave_wants;
	classfile_kinds(method->descriptor, fired->kinds, JAVA_ARGUMENTS,
			&fired->result);
	if (!(method->modifiers & JAVA_STATIC) &&
	    strcmp(method->name, "<init>"))
		fired->kinds[JAVA_THIS] = 'L';
	fired->nfirings = method->nfirings;
	memcpy(fired->firings, method->firings, size);
	return fire_add(fired);
}

static void number_methods(void)
{
	pthread_mutex_lock(&agent.lock);
	for (uint32_t i = 0; i < agent.nclasses; i++) {
		struct class *class = &agent.classes[i];

		for (uint32_t n = 0; class->is_due && n < class->nmethods; n++)
			if (class->methods[n].nfirings)
				class->methods[n].number =
					number_method(&class->methods[n]);
	}
	pthread_mutex_unlock(&agent.lock);
}

static void watch(char *class, char *method)
{
	pthread_mutex_lock(&agent.lock);
	if (class && method && agent.npatterns < MOST_PATTERNS) {
		agent.patterns[agent.npatterns++] = (struct pattern){ class,
								      method };
		class = method = NULL;
	}
	pthread_mutex_unlock(&agent.lock);
	free(class);
	free(method);
	JVMTI_SetEventNotificationMode(agent.jvmti)(agent.jvmti, JVMTI_ON,
						    JVMTI_CLASS_PREPARE, NULL);
}

static void release_held(uint32_t number)
{
	pthread_mutex_lock(&agent.lock);
	agent.ngone = number;
	agent.is_late = false;
	pthread_mutex_unlock(&agent.lock);
}

static void obey_search(jni_env jni, struct java_command *command)
{
	search(jni, command->class, command->method);
	if (command->is_watched) {
		/* what came meanwhile is told of twice */
		watch(strdup(command->class), strdup(command->method));
		search(jni, command->class, command->method);
	}
	connection_send(JAVA_DONE, NULL);
}

/* False: that was the end. */
static bool obey(jni_env jni, struct java_command *command)
{
	switch (command->kind) {
	case JAVA_SEARCH:
		obey_search(jni, command);
		return true;
	case JAVA_LOAD:
		load_class(jni, command->class);
		return true;
	case JAVA_PROBE:
		add_probe(command);
		return true;
	case JAVA_APPLY:
		fire_start(agent.jvmti, command->word);
		number_methods();
		transform(jni, false);
		connection_send(JAVA_DONE, NULL);
		return true;
	case JAVA_GO:
		release_held(command->word);
		return true;
	default:
		return false;
	}
}

/* ---------------------------------------------------- classes that come later */

static bool is_held(uint32_t number)
{
	pthread_mutex_lock(&agent.lock);
	bool is = agent.ngone < number && !agent.is_ending && !agent.is_late;

	pthread_mutex_unlock(&agent.lock);
	return is;
}

static void pause_ms(void)
{
	const struct timespec pause = { .tv_nsec = 1000000 };

	nanosleep(&pause, NULL);
}

static void wait_for_go(uint32_t number)
{
	for (int i = 0; is_held(number); i++) {
		pause_ms();
		if (i < HOLD_MS)
			continue;
		pthread_mutex_lock(&agent.lock);
		agent.is_late = true;
		pthread_mutex_unlock(&agent.lock);
	}
}

static void on_class_prepare(jvmti_env jvmti, jni_env jni, jvm_object thread,
			     jvm_object object)
{
	uint32_t count = 0, npatterns;

	(void)jvmti, (void)thread;
	enter();
	pthread_mutex_lock(&agent.lock);
	npatterns = agent.is_ending ? 0 : agent.npatterns;
	pthread_mutex_unlock(&agent.lock);
	/* patterns are added, never changed */
	for (uint32_t i = 0; i < npatterns; i++)
		count += tell_class(jni, object, agent.patterns[i].class,
				    agent.patterns[i].method);
	if (count) {
		wait_for_go(connection_send_hold());
	}
	leave();
}

/* ----------------------------------------------------------- start and end */

static void forget_classes(jni_env jni)
{
	pthread_mutex_lock(&agent.lock);
	for (uint32_t i = 0; i < agent.nclasses; i++) {
		struct class *class = &agent.classes[i];

		JNI_DeleteWeakGlobalRef(jni)(jni, class->weak);
		for (uint32_t n = 0; n < class->nmethods; n++) {
			free(class->methods[n].name);
			free(class->methods[n].descriptor);
			free(class->methods[n].firings);
		}
		version_free(&class->version);
		free(class->methods);
		free(class->name);
	}
	free(agent.classes);
	agent.classes = NULL;
	agent.nclasses = 0;
	pthread_mutex_unlock(&agent.lock);
}

static void finish(jni_env jni)
{
	jvmti_env jvmti = agent.jvmti;

	fire_stop();
	pthread_mutex_lock(&agent.lock);
	agent.is_ending = true;
	pthread_mutex_unlock(&agent.lock);
	JVMTI_SetEventNotificationMode(jvmti)(jvmti, JVMTI_OFF,
					      JVMTI_CLASS_PREPARE, NULL);
	transform(jni, true);
	JVMTI_SetEventNotificationMode(jvmti)(jvmti, JVMTI_OFF,
					      JVMTI_CLASS_FILE_LOAD_HOOK, NULL);
	connection_send(JAVA_DONE, NULL);
	connection_end();
	JVMTI_DisposeEnvironment(jvmti)(jvmti);
	for (int i = 0;
	     i < HOLD_MS && __atomic_load_n(&agent.users, __ATOMIC_SEQ_CST);
	     i++)
		pause_ms();
	forget_classes(jni);

	connection_close();
}

static void run(jvmti_env jvmti, jni_env jni, void *data)
{
	struct java_head head;
	struct message hello = { 0 };
	bool is_good = true;

	(void)jvmti, (void)data;
	agent.thread = pthread_self();
	message_word(&hello, JAVA_VERSION);
	connection_send(JAVA_HELLO, &hello);
	while (is_good && connection_receive(&head, sizeof(head)) &&
	       head.size <= JAVA_MESSAGE_MOST) {
		uint8_t *bytes = malloc(head.size + 1);

		if (!bytes || !connection_receive(bytes, head.size)) {
			free(bytes);
			break;
		}
		struct java_command command;

		is_good = command_read(head.kind, bytes, head.size, &command) &&
			  JNI_PushLocalFrame(jni)(jni, 64) == 0;
		if (is_good) {
			is_good = obey(jni, &command);
			JNI_PopLocalFrame(jni)(jni, NULL);
		}
		command_free(&command);
		free(bytes);
	}
	finish(jni);
}

/*
 * The helper is of the boot loader.  All loaders ask that one for packages that begin
 * with "java.", and since this one is in no module, modules whose classes are changed
 * can read it without more.
 */
static bool define_helper(jni_env jni, const char *path)
{
	const char *name = strrchr(path, '-');
	size_t size;

	snprintf(agent.helper, sizeof(agent.helper), "java/dtrace/Site%.*s",
		 name ? (int)strcspn(name + 1, "/") : 0, name ? name + 1 : "");
	uint8_t *bytes = classfile_helper(agent.helper, &size);

	if (!bytes)
		return false;
	jvm_object helper = JNI_DefineClass(jni)(jni, agent.helper, NULL,
						 (const int8_t *)bytes,
						 (int32_t)size);

	free(bytes);
	JNI_ExceptionClear(jni)(jni);
	if (!helper)
		return false;
	/* it stays: threads may be in methods that call it */
	JNI_NewGlobalRef(jni)(jni, helper);
	return fire_register(jni, helper);
}

static bool prepare(void)
{
	jvmti_env jvmti = agent.jvmti;
	uint8_t capabilities[16] = { 0 };
	void *callbacks[JVMTI_CALLBACKS] = { 0 };
	static const unsigned bits[] = { JVMTI_CAN_TAG_OBJECTS,
					 JVMTI_CAN_RETRANSFORM,
					 JVMTI_CAN_RETRANSFORM_ANY };

	for (unsigned i = 0; i < sizeof(bits) / sizeof(*bits); i++)
		capabilities[bits[i] / 8] |= (uint8_t)(1 << bits[i] % 8);
	callbacks[JVMTI_CLASS_FILE_LOAD_HOOK - JVMTI_FIRST_EVENT] =
		(void *)(uintptr_t)on_class_file;
	callbacks[JVMTI_CLASS_PREPARE - JVMTI_FIRST_EVENT] =
		(void *)(uintptr_t)on_class_prepare;
	return !JVMTI_AddCapabilities(jvmti)(jvmti, capabilities) &&
	       !JVMTI_SetEventCallbacks(jvmti)(jvmti, callbacks,
					       sizeof(callbacks)) &&
	       !JVMTI_SetEventNotificationMode(jvmti)(
		       jvmti, JVMTI_ON, JVMTI_CLASS_FILE_LOAD_HOOK, NULL);
}

static bool start_thread(jni_env jni)
{
	jvm_object class = JNI_FindClass(jni)(jni, "java/lang/Thread");
	void *method = class ? JNI_GetMethodID(jni)(jni, class, "<init>", "()V")
			     : NULL;
	jvm_object thread = method ? JNI_NewObject(jni)(jni, class, method)
				   : NULL;

	JNI_ExceptionClear(jni)(jni);
	return thread &&
	       !JVMTI_RunAgentThread(agent.jvmti)(agent.jvmti, thread, run,
						  NULL, JVMTI_PRIORITY);
}

/* Status that the tracer shows: what could not be done. */
enum {
	ALREADY = 1,
	NO_INTERFACE,
	NO_CAPABILITIES,
	NO_HELPER,
	NO_CONNECTION,
	NO_THREAD
};

/* What cannot be begun leaves nothing: tracers are killed while they attach. */
static int32_t give_up(int32_t status)
{
	jvmti_env jvmti = agent.jvmti;

	pthread_mutex_lock(&agent.lock);
	agent.is_ending = true;
	pthread_mutex_unlock(&agent.lock);
	JVMTI_DisposeEnvironment(jvmti)(jvmti);
	connection_close();
	return status;
}

/* `options` is the path of the tracer's socket. */
__attribute__((visibility("default"))) int32_t Agent_OnAttach(
	jvm vm, const char *options, void *reserved)
{
	void *jni = NULL, *jvmti = NULL;

	(void)reserved;
	if (agent.jvmti)
		return ALREADY;
	if ((*vm)->get_env(vm, &jni, JNI_1_6) ||
	    (*vm)->get_env(vm, &jvmti, JVMTI_1_1))
		return NO_INTERFACE;
	agent.jvmti = jvmti;
	if (!prepare())
		return give_up(NO_CAPABILITIES);
	if (!define_helper(jni, options))
		return give_up(NO_HELPER);
	if (!connection_open(options))
		return give_up(NO_CONNECTION);
	return start_thread(jni) ? 0 : give_up(NO_THREAD);
}
