/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Provider declarations: probes and the types of their arguments.
 *
 *	provider p { probe q(struct in *a) : (outinfo_t *a, int b); };
 *
 * In a program they describe USDT probes to be made (-h, -G); in a library
 * they give types to the probes of a provider: notes of USDT have only sizes.
 * Declaring a provider again is fine as long as both declarations say the same.
 *
 * A declaration is C and does not say whose memory a pointer leads to.  That
 * depends on the probe: who asks for an argument knows it, and a translator may
 * be for either.
 */
#include "lang/check.h"

#include <ctype.h>

static const struct provider_probe *find_probe(
	const struct provider_decl *provider, const char *name)
{
	for (const struct provider_probe *probe = provider->probes; probe;
	     probe = probe->next)
		if (!strcmp(probe->name, name))
			return probe;
	return NULL;
}

/* "myprov" declares the probes of provider "myprov1234", too. */
static bool names_provider(const char *declared, const char *provider)
{
	size_t length = strlen(declared);

	if (strncmp(declared, provider, length))
		return false;
	for (provider += length; *provider; provider++)
		if (!isdigit((unsigned char)*provider))
			return false;
	return true;
}

const struct provider_probe *provider_find_probe(struct language *language,
						 const char *provider,
						 const char *probe)
{
	for (struct provider_decl *decl = language->providers; decl;
	     decl = decl->next) {
		const struct provider_probe *found;

		if (!names_provider(decl->name, provider))
			continue;
		found = find_probe(decl, probe);
		if (found)
			return found;
	}
	return NULL;
}

int language_declared(struct language *language, const char *provider,
		      const char *probe, uint32_t n, bool is_user,
		      struct declared_argument *argument)
{
	const struct provider_probe *declared =
		provider_find_probe(language, provider, probe);
	struct types *types = language->types;

	if (!declared)
		return -1;
	if (n >= declared->noutput)
		return 0;
	argument->mapping = declared->mapping ? declared->mapping[n] : n;
	argument->native = declared->native[argument->mapping];
	argument->output = declared->output[n];
	if (!is_user)
		return 1;
	bool is_same = type_same(types, argument->native, argument->output);

	argument->native = type_to_user(types, argument->native);
	if (is_same)
		argument->output = argument->native;
	return 1;
}

const char *language_declares(struct language *language,
			      bool (*wants)(void *data, const char *provider),
			      void *data, const char *probe)
{
	library_load_providers(language, wants, data);
	for (const struct provider_decl *provider = language->providers;
	     provider; provider = provider->next) {
		const struct provider_probe *found;

		if (!wants(data, provider->name))
			continue;
		found = find_probe(provider, probe);
		if (found && !found->clauses)
			return provider->name;
	}
	return NULL;
}

static bool check_duplicates(struct language *language,
			     const struct provider_decl *provider)
{
	struct table names = { 0 };
	const struct provider_probe *probe = provider->probes;

	for (; probe; probe = probe->next) {
		if (table_get(&names, str_of(probe->name)))
			break;
		table_put(&names, str_of(probe->name), &names);
	}
	table_free(&names);
	return !probe || diag_error(&language->diag, &probe->place,
				    D_PROV_PRDUP, "probe redeclared: %s:%s",
				    provider->name, probe->name);
}

static bool check_translators(struct language *language,
			      const struct provider_decl *provider,
			      const struct provider_probe *probe)
{
	struct types *types = language->types;

	for (uint32_t i = 0; i < probe->noutput; i++) {
		uint32_t from = probe->mapping ? probe->mapping[i] : i;
		struct type *native = from < probe->nnative
					      ? probe->native[from]
					      : probe->output[i];
		struct type *output = probe->output[i];

		if (type_same(types, native, output) ||
		    (type_is_integer(types, native) &&
		     type_is_integer(types, output)) ||
		    (type_is_stringlike(types, native) &&
		     type_is_stringlike(types, output)) ||
		    translator_find(language, native, output) ||
		    translator_find(language, type_to_user(types, native),
				    output))
			continue;
		return diag_error(
			&language->diag, &probe->place, D_PROV_PRXLATOR,
			"translator for %s:%s output argument #%u from %s to %s is not defined",
			provider->name, probe->name, i + 1,
			type_name(types, native), type_name(types, output));
	}
	return true;
}

static bool check_lists(struct language *language,
			const struct provider_decl *provider,
			const struct provider_probe *probe, const char *which,
			struct type **types_now, uint32_t now,
			struct type **types_before, uint32_t before)
{
	struct types *types = language->types;

	if (now != before)
		return diag_error(
			&language->diag, &probe->place, D_PROV_INCOMPAT,
			"probe %s:%s %s prototype mismatch:\n\t current: %u arg%s\n\tprevious: %u arg%s",
			provider->name, probe->name, which, now,
			now == 1 ? "" : "s", before, before == 1 ? "" : "s");
	for (uint32_t i = 0; i < now; i++)
		if (!type_same(types, types_now[i], types_before[i]))
			return diag_error(
				&language->diag, &probe->place, D_PROV_INCOMPAT,
				"probe %s:%s %s prototype mismatch: argument #%u\n\t current: %s\n\tprevious: %s",
				provider->name, probe->name, which, i + 1,
				type_name(types, types_now[i]),
				type_name(types, types_before[i]));
	return true;
}

static bool check_redeclaration(struct language *language,
				const struct provider_decl *provider)
{
	struct provider_decl *previous = language->providers;

	while (previous && strcmp(previous->name, provider->name))
		previous = previous->next;
	if (!previous)
		return true;
	for (const struct provider_probe *probe = provider->probes; probe;
	     probe = probe->next) {
		const struct provider_probe *before = find_probe(previous,
								 probe->name);

		if (!before)
			return diag_error(
				&language->diag, &probe->place, D_PROV_INCOMPAT,
				"provider interface mismatch: probe %s:%s is not part of the earlier declaration",
				provider->name, probe->name);
		if (!check_lists(language, provider, probe, "input",
				 probe->native, probe->nnative, before->native,
				 before->nnative) ||
		    !check_lists(language, provider, probe, "output",
				 probe->output, probe->noutput, before->output,
				 before->noutput))
			return false;
	}
	return true;
}

bool enter_provider(struct language *language, struct program *program,
		    struct provider_decl *provider)
{
	static const char *const parts[] = { "provider", "module", "function",
					     "name", "args" };

	if (!check_duplicates(language, provider) ||
	    !check_redeclaration(language, provider))
		return false;
	for (struct provider_probe *probe = provider->probes; probe;
	     probe = probe->next)
		if (!check_translators(language, provider, probe))
			return false;
	for (unsigned i = 0; i < 5; i++)
		pragma_attributes(language, provider->name, parts[i],
				  &provider->attrs[i]);

	struct provider_decl *entered = arena_copy(language->arena, provider,
						   sizeof(*provider));

	/* Two lists, two links: the program's and the language's. */
	entered->next = language->providers;
	language->providers = entered;

	struct provider_decl **end = &program->providers;

	while (*end)
		end = &(*end)->next;
	*end = provider;
	provider->next = NULL;
	return true;
}
