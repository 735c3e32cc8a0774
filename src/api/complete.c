/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Completion for editors and shells.
 *
 * Each call has a session of its own, because the compiler keeps what it has read
 * and a text that is being typed is another one at every key.  A session that only
 * compiles costs next to nothing.
 *
 * Of a description, the part at the cursor is asked for as a pattern, so that only
 * the provider that was typed lists its probes.
 */
#include <string.h>

#include "api/internal.h"
#include "base/arena.h"
#include "lang/complete.h"
#include "proc/target.h"

struct request {
	dtrace_hdl_t *dtp;
	struct session *session;
	struct completer completer;
	dtrace_complete_f *func;
	void *arg;
	int result;
	unsigned part; /* of the description: 0 is the provider, 3 the name */
	unsigned last; /* part that can be given */
};

static bool offer(void *data, const struct completion *completion)
{
	struct request *request = data;
	const dtrace_completion_ext_t public = {
		.dtco_text = completion->text,
		.dtco_start = request->completer.word,
		.dtco_kind = (dtrace_completekind_ext_t)completion->kind,
		.dtco_detail = completion->detail,
		.dtco_after = completion->after,
	};

	request->result = request->func(request->dtp, &public, request->arg);
	return !request->result;
}

/* --------------------------------------------------------- descriptions */

static bool offer_part(void *data, const struct probe *probe)
{
	struct request *request = data;
	const char *const names[] = { probe->provider_name, probe->module,
				      probe->function, probe->name };

	complete_offer(&request->completer, names[request->part],
		       (enum completion_kind)request->part, "",
		       request->part < request->last ? ":" : "");
	return !request->completer.is_over;
}

/* Is it of a provider with entries: syscall:, pid123: or pid$target:? */
static bool has_entries(struct arena *arena, struct str description)
{
	const char *text = arena_strndup(arena, description.p, description.n);

	for (unsigned i = 0; providers[i]; i++) {
		const struct provider *provider = providers[i];
		size_t n = strlen(provider->name);

		if (!provider->has_entries || strncmp(text, provider->name, n))
			continue;
		const char *rest = text + n;

		rest += strncmp(rest, "$target", 7) ? strspn(rest, "0123456789")
						    : 7;
		if (*rest == ':')
			return true;
	}
	return false;
}

static void offer_parts(struct request *request, struct str description)
{
	struct language *language = session_language(request->session);
	struct arena *arena = language_arena(language);
	struct source source = { .name = "" };
	struct probe_error error = { 0 };
	struct probe_desc desc;

	/* provider:module:func* and no more: the other parts are any */
	source.text = arena_printf(
		arena, "%.*s*%.*s%s", (int)description.n, description.p,
		(int)(3 - request->part), ":::",
		request->part < 3 && has_entries(arena, description) ? "entry"
								     : "");
	source.length = strlen(source.text);
	if (language_parse_desc(language, &source, SPEC_NAME, &desc))
		registry_match(session_registry(request->session), &desc,
			       offer_part, request, &error);
}

/* One that is made of functions is in processes: shop123, or any shop*. */
static void offer_provider(void *data, const char *name)
{
	struct request *request = data;
	struct arena *arena = language_arena(request->completer.language);

	complete_offer(&request->completer, arena_printf(arena, "%s*", name),
		       COMPLETE_PROVIDER, "", request->last ? ":" : "");
}

static void offer_providers(struct request *request)
{
	static const char *const frequent[] = { "BEGIN",   "END",
						"ERROR",   "profile-97",
						"tick-1s", "tick-5s" };

	for (unsigned i = 0; providers[i]; i++) {
		const struct provider *provider = providers[i];
		const char *name = provider->typed ? provider->typed
						   : provider->name;

		if (*name)
			complete_offer(&request->completer, name,
				       COMPLETE_PROVIDER, provider->about,
				       request->last ? ":" : "");
	}
	library_provider_names(session_language(request->session),
			       offer_provider, request);
	for (size_t i = 0;
	     request->last == 3 && i < sizeof(frequent) / sizeof(*frequent);
	     i++)
		complete_offer(&request->completer, frequent[i], COMPLETE_NAME,
			       "", "");
}

static void describe(void *data, struct str description)
{
	struct request *request = data;
	struct completer *completer = &request->completer;
	size_t start = completer->cursor.at;

	if (completer->kind == SPEC_ID)
		return;
	request->part = 0;
	for (size_t i = 0; i < description.n; i++)
		request->part += description.p[i] == ':';
	for (size_t n = description.n; n && description.p[n - 1] != ':'; n--)
		start--;
	complete_set_word(completer, start);
	if (!request->part)
		offer_providers(request);
	else if (request->part <= request->last)
		offer_parts(request, description);
}

int dtrace_complete_ext(dtrace_hdl_t *dtp, const char *text, size_t size,
			size_t cursor, dtrace_probespec_t spec,
			dtrace_complete_f *func, void *arg)
{
	static const enum spec_kind kinds[] = { SPEC_PROVIDER, SPEC_MODULE,
						SPEC_FUNCTION, SPEC_NAME,
						SPEC_ID };
	bool is_script = spec < DTRACE_PROBESPEC_PROVIDER ||
			 spec > DTRACE_PROBESPEC_ID;
	struct request request = {
		.dtp = dtp,
		.func = func,
		.arg = arg,
		.last = is_script || spec > DTRACE_PROBESPEC_NAME
				? DTRACE_PROBESPEC_NAME
				: (unsigned)spec,
	};

	request.session = session_new(&(struct session_config){
		.options = &dtp->options,
		.output = dtp->output,
	});
	struct language *language = session_language(request.session);

	if (dtp->procs)
		language_set_target(language, target_pid(dtp->procs->target));
	request.completer = (struct completer){
		.language = language,
		.kind = is_script ? SPEC_NONE : kinds[spec],
		.offer = offer,
		.describe = describe,
		.data = &request,
	};
	/* the compiler reads up to a NUL */
	complete_text(&request.completer,
		      arena_strndup(language_arena(language), text, size), size,
		      cursor);
	session_close(request.session);
	return request.result;
}
