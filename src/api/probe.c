/* SPDX-License-Identifier: Apache-2.0 */
/* Probes and their descriptions, as the library's callers see them. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "api/internal.h"
#include "base/arena.h"
#include "btf/type.h"
#include "lang/attr.h"

enum { MOST_ARGUMENTS = 32 };

const char *dtrace_stability_name(uint8_t stability)
{
	return stability_name(stability);
}

const char *dtrace_class_name(uint8_t dependency_class)
{
	return dependency_name(dependency_class);
}

char *dtrace_attr2str(dtrace_attribute_t attribute, char *buffer, size_t size)
{
	snprintf(buffer, size, "%s/%s/%s", stability_name(attribute.dtat_name),
		 stability_name(attribute.dtat_data),
		 dependency_name(attribute.dtat_class));
	return buffer;
}

int dtrace_str2attr(const char *text, dtrace_attribute_t *attribute)
{
	struct attr attr;

	if (!attr_parse(text, &attr))
		return -1;
	*attribute = (dtrace_attribute_t){ attr.name, attr.data, attr.class };
	return 0;
}

/* --------------------------------------------------------- descriptions */

char *dtrace_desc2str(const dtrace_probedesc_t *pdp, char *buffer, size_t size)
{
	if (pdp->dtpd_id != DTRACE_IDNONE && !pdp->dtpd_name[0])
		snprintf(buffer, size, "%u", pdp->dtpd_id);
	else
		snprintf(buffer, size, "%s:%s:%s:%s", pdp->dtpd_provider,
			 pdp->dtpd_mod, pdp->dtpd_func, pdp->dtpd_name);
	return buffer;
}

/* The parts of a description are filled from the right. */
int dtrace_str2desc(dtrace_hdl_t *dtp, dtrace_probespec_t spec,
		    const char *text, dtrace_probedesc_t *pdp)
{
	struct {
		char *at;
		size_t size;
	} fields[] = {
		{ pdp->dtpd_provider, sizeof(pdp->dtpd_provider) },
		{ pdp->dtpd_mod, sizeof(pdp->dtpd_mod) },
		{ pdp->dtpd_func, sizeof(pdp->dtpd_func) },
		{ pdp->dtpd_name, sizeof(pdp->dtpd_name) },
	};
	int field = spec >= DTRACE_PROBESPEC_PROVIDER &&
				    spec < DTRACE_PROBESPEC_ID
			    ? (int)spec
			    : (int)DTRACE_PROBESPEC_NAME;
	const char *end = text + strlen(text);

	memset(pdp, 0, sizeof(*pdp));
	if (isdigit((unsigned char)*text) &&
	    !text[strspn(text, "0123456789")]) {
		pdp->dtpd_id = (dtrace_id_t)strtoul(text, NULL, 10);
		return 0;
	}
	for (;; field--) {
		const char *start = end;

		while (start > text && start[-1] != ':')
			start--;
		if (field < 0)
			return handle_fail(dtp, EDT_BADPSPEC);
		if ((size_t)(end - start) >= fields[field].size)
			return handle_fail(dtp, EDT_NOPROBE);
		memcpy(fields[field].at, start, (size_t)(end - start));
		if (start == text)
			return 0;
		end = start - 1;
	}
}

static struct probe_desc to_private(const dtrace_probedesc_t *pdp)
{
	return (struct probe_desc){
		.id = pdp->dtpd_id,
		.provider = pdp->dtpd_provider,
		.module = pdp->dtpd_mod,
		.function = pdp->dtpd_func,
		.name = pdp->dtpd_name,
	};
}

static void to_public(const struct probe *probe, dtrace_probedesc_t *pdp)
{
	struct probe_desc desc = {
		.id = probe->id,
		.provider = probe->provider_name,
		.module = probe->module,
		.function = probe->function,
		.name = probe->name,
	};

	handle_desc(&desc, pdp);
}

/* --------------------------------------------------------------- walking */

struct walk {
	dtrace_hdl_t *dtp;
	dtrace_probe_f *func;
	void *arg;
	int result;
};

static bool walk_visit(void *data, const struct probe *probe)
{
	struct walk *walk = data;
	dtrace_probedesc_t public;

	to_public(probe, &public);
	walk->result = walk->func(walk->dtp, &public, walk->arg);
	return !walk->result;
}

int dtrace_probe_iter(dtrace_hdl_t *dtp, const dtrace_probedesc_t *pdp,
		      dtrace_probe_f *func, void *arg)
{
	struct probe_registry *registry = session_registry(handle_session(dtp));
	struct walk walk = { dtp, func, arg, 0 };
	struct probe_desc desc;
	struct probe_error error;

	if (pdp)
		desc = to_private(pdp);
	int found = registry_match(registry, pdp ? &desc : NULL, walk_visit,
				   &walk, &error);

	if (found < 0)
		return handle_fail_text(
			dtp, EDT_NOPROBE,
			error.text ? probe_error_print(registry_arena(registry),
						       &error)
				   : strerror(-found));
	if (!found && pdp)
		return handle_fail(dtp, pdp->dtpd_id ? EDT_BADID : EDT_NOPROBE);
	return walk.result;
}

static bool keep_first(void *data, const struct probe *probe)
{
	*(const struct probe **)data = probe;
	return false;
}

static const struct probe *find(dtrace_hdl_t *dtp,
				const dtrace_probedesc_t *pdp)
{
	struct probe_registry *registry = session_registry(handle_session(dtp));
	struct probe_desc desc = to_private(pdp);
	const struct probe *probe = NULL;

	registry_match(registry, &desc, keep_first, &probe, NULL);
	return probe;
}

int dtrace_id2desc(dtrace_hdl_t *dtp, dtrace_id_t id, dtrace_probedesc_t *pdp)
{
	struct probe_registry *registry = session_registry(handle_session(dtp));
	const struct probe *probe = registry_by_id(registry, id);

	if (!probe)
		return handle_fail(dtp, EDT_BADID);
	to_public(probe, pdp);
	return 0;
}

static void argument_types(dtrace_hdl_t *dtp, const struct probe *probe,
			   dtrace_probeinfo_t *pip)
{
	struct probe_registry *registry = session_registry(dtp->session);
	struct types *types = registry_types(registry);

	if (!dtp->types)
		dtp->types = must_alloc(MOST_ARGUMENTS * sizeof(*dtp->types));
	pip->dtp_argv = dtp->types;
	pip->dtp_argc = 0;
	for (uint32_t n = 0; n < MOST_ARGUMENTS; n++) {
		struct type *native, *translated;

		if (registry_argument(registry, probe, n, &native,
				      &translated) != 1)
			return;
		dtp->types[n] = (dtrace_typeinfo_t){
			.dtt_object = translated->btf ? "vmlinux" : "D",
			.dtt_name = type_name(types, translated),
			.dtt_native = native == translated
					      ? NULL
					      : type_name(types, native),
		};
		pip->dtp_argc++;
	}
}

int dtrace_probe_info(dtrace_hdl_t *dtp, const dtrace_probedesc_t *pdp,
		      dtrace_probeinfo_t *pip)
{
	const struct probe *probe = find(dtp, pdp);

	memset(pip, 0, sizeof(*pip));
	if (!probe)
		return handle_fail(dtp, EDT_NOPROBE);
	struct probe_desc desc = to_private(pdp);
	struct attr attr = probe_attr(probe, &desc);
	struct attr args = probe->provider->attrs.args;

	pip->dtp_attr = (dtrace_attribute_t){ attr.name, attr.data,
					      attr.class };
	pip->dtp_arga = (dtrace_attribute_t){ args.name, args.data,
					      args.class };
	argument_types(dtp, probe, pip);
	if (probe->provider->remark)
		pip->dtp_remark_ext =
			probe->provider->remark(session_registry(dtp->session),
						probe);
	return 0;
}

/* Its probes are in two files under one name. */
static bool is_shown(unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (!strcmp(providers[i]->name, providers[n]->name))
			return true;
	return false;
}

const char *dtrace_provider_name_ext(unsigned n)
{
	for (unsigned i = 0; providers[i]; i++)
		if (!is_shown(i) && !n--)
			return providers[i]->name;
	return NULL;
}

int dtrace_provider_iter_ext(dtrace_hdl_t *dtp, dtrace_provider_f *func,
			     void *arg)
{
	struct probe_registry *registry = session_registry(handle_session(dtp));
	int result = 0;

	for (unsigned i = 0; providers[i] && !result; i++) {
		const char *reason = NULL;

		if (is_shown(i))
			continue;
		enum provider_status status =
			registry_check(registry, providers[i], &reason);
		const dtrace_providerstate_ext_t state = {
			.dtps_name = providers[i]->name,
			.dtps_about = providers[i]->about,
			.dtps_status = (dtrace_providerstatus_ext_t)status,
			.dtps_reason = reason,
		};

		result = func(dtp, &state, arg);
	}
	return result;
}
