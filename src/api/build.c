/* SPDX-License-Identifier: Apache-2.0 */
/* Probes for other programs: headers (-h) and objects (-G). */
#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "api/internal.h"
#include "arch/arch.h"
#include "usdt/usdt.h"

/* The programs of a handle in order of compilation, or just one of them. */
struct selection {
	struct program **programs;
	uint32_t count;
};

static struct selection select_programs(dtrace_hdl_t *dtp, dtrace_prog_t *only)
{
	struct arena *arena = language_arena(session_language(dtp->session));
	struct selection selection = { NULL, 0 };
	uint32_t count = 0;

	for (dtrace_prog_t *pgp = dtp->programs; pgp; pgp = pgp->next)
		count++;
	selection.programs = arena_array_of(arena, struct program *, count + 1);
	if (only) {
		selection.programs[selection.count++] = only->program;
		return selection;
	}
	selection.count = count;
	for (dtrace_prog_t *pgp = dtp->programs; pgp; pgp = pgp->next)
		selection.programs[--count] = pgp->program;
	return selection;
}

static int fail_with(dtrace_hdl_t *dtp, struct text *error)
{
	int result = handle_fail_text(dtp, EDT_BUILD, text_str(error));

	text_free(error);
	return result;
}

int dtrace_program_header(dtrace_hdl_t *dtp, FILE *fp, const char *fname)
{
	struct types *types =
		language_types(session_language(handle_session(dtp)));
	struct selection selection = select_programs(dtp, NULL);
	struct text out = { 0 }, error = { 0 };

	if (!usdt_header(types, selection.programs, selection.count,
			 fname ? fname : "dtrace.h", &out, &error)) {
		text_free(&out);
		return fail_with(dtp, &error);
	}
	size_t written = fwrite(out.p, 1, out.n, fp);
	bool is_written = written == out.n && !fflush(fp);

	text_free(&out);
	return is_written ? 0 : handle_fail(dtp, errno ? errno : EIO);
}

/* ------------------------------------------------------------------- -G */

static int write_file(dtrace_hdl_t *dtp, const char *path,
		      const struct text *bytes)
{
	struct text message = { 0 };
	FILE *fp = fopen(path, "we");
	bool is_written = fp && fwrite(bytes->p, 1, bytes->n, fp) == bytes->n;
	int error = errno;

	if (fp && fclose(fp) && is_written) {
		error = errno;
		is_written = false;
	}
	if (is_written)
		return 0;
	text_printf(&message, "failed to write %s: %s", path,
		    strerror(error ? error : EIO));
	return fail_with(dtp, &message);
}

static bool has_probes(const struct selection *selection)
{
	for (uint32_t i = 0; i < selection->count; i++) {
		const struct provider_decl *provider =
			selection->programs[i]->providers;

		for (; provider; provider = provider->next)
			if (provider->probes)
				return true;
	}
	return false;
}

/* "64-bit NAME"; machines not listed here are shown as numbers. */
static void put_machine(struct text *out, struct usdt_machine machine)
{
	const char *name = arch_machine_name(machine.machine);

	text_printf(out, "%u-bit ", machine.is_32 ? 32 : 64);
	if (name)
		text_puts(out, name);
	else
		text_printf(out, "machine %u", machine.machine);
}

/* All objects are for one machine: the one given by -32 or -64, if any. */
struct model {
	struct usdt_machine machine; /* .machine 0: none so far */
	const char *object;	     /* the first object for that machine */
	unsigned dflags;
};

static bool model_takes(struct model *model, struct usdt_machine machine,
			const char *object, struct text *error)
{
	unsigned other = machine.is_32 ? DTRACE_D_64_EXT : DTRACE_D_32_EXT;

	if (model->dflags & other) {
		text_printf(error, "%s is a ", object);
		put_machine(error, machine);
		text_printf(error, " object, and -%s asks for others",
			    machine.is_32 ? "64" : "32");
		return false;
	}
	if (!model->machine.machine) {
		model->machine = machine;
		model->object = object;
		return true;
	}
	if (model->machine.machine == machine.machine &&
	    model->machine.is_32 == machine.is_32)
		return true;
	text_printf(error, "%s is a ", model->object);
	put_machine(error, model->machine);
	text_printf(error, " object and %s a ", object);
	put_machine(error, machine);
	text_puts(error, " one: run -G for each of the two alone");
	return false;
}

int dtrace_program_link(dtrace_hdl_t *dtp, dtrace_prog_t *pgp, unsigned dflags,
			const char *file, int objc, char *const objv[])
{
	struct types *types =
		language_types(session_language(handle_session(dtp)));
	struct selection selection = select_programs(dtp, pgp);
	struct usdt_object object = {
		.machine = usdt_native_machine(),
		.programs = selection.programs, .nprograms = selection.count,
	};
	struct model model = { .dflags = dflags };
	struct text error = { 0 }, bytes = { 0 };
	uint32_t nsites = 0;
	bool is_known = objc > 0;

	if (dflags & DTRACE_D_32_EXT)
		object.machine = (struct usdt_machine){ ARCH_ELF_MACHINE_32,
							true };
	for (int i = 0; i < objc; i++) {
		struct usdt_sites sites;

		if (usdt_examine(objv[i], types, selection.programs,
				 selection.count, &sites, &error))
			return fail_with(dtp, &error);
		nsites += sites.nsites + sites.nenabled;
		if (sites.is_unknown)
			is_known = false;
		if (sites.machine.machine &&
		    !model_takes(&model, sites.machine, objv[i], &error))
			return fail_with(dtp, &error);
		if (sites.nenabled)
			object.has_functions = true;
	}
	if (model.machine.machine)
		object.machine = model.machine;
	if (is_known && !nsites && has_probes(&selection) &&
	    !(dflags & DTRACE_D_LAZYLOAD_EXT))
		return handle_fail(dtp, EDT_NOSITES);
	usdt_object(&object, &bytes);
	int result = write_file(dtp, file, &bytes);

	text_free(&bytes);
	return result;
}
