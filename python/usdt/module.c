/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Python module usdt: libusdt for Python.
 *
 *	provider = usdt.Provider("shop")
 *	sale = provider.add_probe("sale-done", "int", "char *")
 *	provider.enable()
 *	sale.fire(price, customer)
 *	sale.fire(lambda: (price, customer()))	# called while it is traced
 *	with provider: ...			# enabled until it ends
 *
 * It uses the limited API, so that one binary serves all versions since 3.10.
 *
 * 1. A probe that nobody traces returns before it looks at its arguments.
 * 2. What arguments lead to is held until the probe has fired (`held`).
 * 3. A value that does not fit its type is no error: a program is not to fail
 *    because it is traced.  What fails is only a function that was given to fire().
 */
#define Py_LIMITED_API 0x030a0000
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <stdbool.h>
#include <string.h>

#include "usdt.h"

struct provider {
	PyObject_HEAD usdt_provider_t *own;
};

struct probe {
	PyObject_HEAD usdt_probedef_t *own;
	PyObject *provider; /* which frees what it enables */
	bool is_string[USDT_ARG_MAX];
};

static PyObject *fail(const usdt_provider_t *provider)
{
	PyErr_SetString(PyExc_RuntimeError, usdt_errstr(provider));
	return NULL;
}

/* ------------------------------------------------------------------ values */

static uint64_t bytes_of(PyObject *bytes, PyObject **held)
{
	*held = bytes;
	return bytes ? (uintptr_t)PyBytes_AsString(bytes) : 0;
}

/* Text in memory.  *held: what must stay meanwhile. */
static uint64_t string_of(PyObject *value, PyObject **held)
{
	PyObject *text;

	if (PyBytes_Check(value)) {
		Py_INCREF(value);
		return bytes_of(value, held);
	}
	text = PyObject_Str(value);
	if (!text)
		return 0;
	PyObject *bytes = PyUnicode_AsEncodedString(text, "utf-8", "replace");

	Py_DECREF(text);
	return bytes_of(bytes, held);
}

static uint64_t number_of(PyObject *value)
{
	PyObject *number = PyNumber_Long(value);
	uint64_t word = 0;

	if (number) {
		word = PyLong_AsUnsignedLongLongMask(number);
		Py_DECREF(number);
	}
	return word;
}

static uint64_t value_of(const struct probe *probe, Py_ssize_t n,
			 PyObject *value, PyObject **held)
{
	static const char none[] = "";
	bool is_string = probe->is_string[n];
	uint64_t word = 0;

	if (value)
		word = is_string ? string_of(value, held) : number_of(value);

	if (PyErr_Occurred()) {
		PyErr_Clear();
		word = 0;
	}
	return is_string && !word ? (uintptr_t)none : word;
}

/* Those that are missing are 0 or "". */
static void fire_values(struct probe *probe, PyObject *const *values,
			Py_ssize_t count)
{
	PyObject *held[USDT_ARG_MAX] = { NULL };
	void *words[USDT_ARG_MAX];

	Py_ssize_t argc = (Py_ssize_t)probe->own->argc;

	for (Py_ssize_t i = 0; i < argc; i++)
		words[i] = (void *)(uintptr_t)value_of(probe, i,
						       i < count ? values[i]
								 : NULL,
						       &held[i]);
	usdt_fire_probe(probe->own->probe, (size_t)argc, words);
	for (Py_ssize_t i = 0; i < argc; i++)
		Py_XDECREF(held[i]);
}

/* ------------------------------------------------------------------- Probe */

/* The values that a function returns: a tuple, a list, or one value. */
static PyObject *fire_function(struct probe *probe, PyObject *function)
{
	PyObject *result = PyObject_CallObject(function, NULL);
	PyObject *values[USDT_ARG_MAX] = { NULL };
	Py_ssize_t count = 0;

	if (!result)
		return NULL;
	if (!PyTuple_Check(result) && !PyList_Check(result)) {
		fire_values(probe, &result, 1);
	} else {
		count = PySequence_Size(result);
		if (count > USDT_ARG_MAX)
			count = USDT_ARG_MAX;
		for (Py_ssize_t i = 0; i < count; i++)
			values[i] = PySequence_GetItem(result, i);
		fire_values(probe, values, count);
	}
	for (Py_ssize_t i = 0; i < count; i++)
		Py_XDECREF(values[i]);
	Py_DECREF(result);
	Py_RETURN_NONE;
}

static PyObject *probe_fire(PyObject *self, PyObject *const *values,
			    Py_ssize_t count)
{
	struct probe *probe = (struct probe *)self;

	if (!USDT_IS_ENABLED(probe->own->probe))
		Py_RETURN_NONE;
	if (count == 1 && PyCallable_Check(values[0]))
		return fire_function(probe, values[0]);
	fire_values(probe, values, count);
	Py_RETURN_NONE;
}

static PyObject *probe_is_enabled(PyObject *self, void *closure)
{
	(void)closure;
	return PyBool_FromLong(
		usdt_is_enabled(((struct probe *)self)->own->probe));
}

static PyObject *probe_name(PyObject *self, void *closure)
{
	(void)closure;
	return PyUnicode_FromString(((struct probe *)self)->own->name);
}

static void probe_free(PyObject *self)
{
	struct probe *probe = (struct probe *)self;
	PyTypeObject *type = Py_TYPE(self);

	if (probe->own)
		usdt_probe_release(probe->own);
	Py_XDECREF(probe->provider);
	((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
	Py_DECREF(type);
}

static PyMethodDef probe_methods[] = {
	{ "fire", (PyCFunction)(void (*)(void))probe_fire, METH_FASTCALL,
	  "fire(*values) or fire(function): tell tracers, if there are any" },
	{ NULL, NULL, 0, NULL },
};

static PyGetSetDef probe_members[] = {
	{ "is_enabled", probe_is_enabled, NULL, "is it traced?", NULL },
	{ "name", probe_name, NULL, "its name", NULL },
	{ NULL, NULL, NULL, NULL, NULL },
};

static PyType_Slot probe_slots[] = {
	{ Py_tp_dealloc, probe_free },
	{ Py_tp_methods, probe_methods },
	{ Py_tp_getset, probe_members },
	{ Py_tp_doc, "A probe; Provider.add_probe() makes it." },
	{ 0, NULL },
};

static PyType_Spec probe_spec = {
	.name = "usdt.Probe",
	.basicsize = sizeof(struct probe),
	.flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
	.slots = probe_slots,
};

/* ---------------------------------------------------------------- Provider */

static PyObject *provider_new(PyTypeObject *type, PyObject *arguments,
			      PyObject *keywords)
{
	static char *names[] = { "name", "module", NULL };
	const char *name, *module = NULL;
	struct provider *provider;

	if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "s|z", names,
					 &name, &module))
		return NULL;
	provider = (struct provider *)PyType_GenericAlloc(type, 0);
	if (!provider)
		return NULL;
	provider->own = usdt_create_provider(name, module);
	if (!provider->own) {
		Py_DECREF(provider);
		PyErr_SetString(
			PyExc_ValueError,
			"a provider's name is letters, digits and \"_-.\"");
		return NULL;
	}
	return (PyObject *)provider;
}

static void provider_free(PyObject *self)
{
	PyTypeObject *type = Py_TYPE(self);

	usdt_provider_free(((struct provider *)self)->own);
	((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
	Py_DECREF(type);
}

static bool is_string(const char *type)
{
	return strchr(type, '*') || !strcmp(type, "str");
}

static PyObject *provider_add_probe(PyObject *self, PyObject *arguments)
{
	usdt_provider_t *provider = ((struct provider *)self)->own;
	Py_ssize_t count = PyTuple_Size(arguments) - 1;
	const char *texts[USDT_ARG_MAX + 1] = { NULL };
	PyObject *module, *type;
	struct probe *probe;

	if (count < 0 || count > USDT_ARG_MAX) {
		PyErr_SetString(PyExc_TypeError,
				"a probe has a name and up to 32 types");
		return NULL;
	}
	for (Py_ssize_t i = 0; i <= count; i++) {
		texts[i] = PyUnicode_AsUTF8AndSize(PyTuple_GetItem(arguments,
								   i),
						   NULL);
		if (!texts[i])
			return NULL;
	}
	module = PyImport_ImportModule("usdt");
	type = module ? PyObject_GetAttrString(module, "Probe") : NULL;
	Py_XDECREF(module);
	if (!type)
		return NULL;
	probe = (struct probe *)PyType_GenericAlloc((PyTypeObject *)type, 0);
	Py_DECREF(type);
	if (!probe)
		return NULL;
	Py_INCREF(self);
	probe->provider = self;
	for (Py_ssize_t i = 0; i < count; i++)
		probe->is_string[i] = is_string(texts[i + 1]);
	probe->own = usdt_create_probe(NULL, texts[0], (size_t)count,
				       texts + 1);
	if (probe->own && !usdt_provider_add_probe(provider, probe->own))
		return (PyObject *)probe;
	PyErr_SetString(
		PyExc_ValueError,
		probe->own ? usdt_errstr(provider)
			   : "a probe's name is letters, digits and \"_-.\"");
	Py_DECREF(probe);
	return NULL;
}

static PyObject *provider_enable(PyObject *self, PyObject *unused)
{
	usdt_provider_t *provider = ((struct provider *)self)->own;

	(void)unused;
	if (provider->enabled)
		usdt_provider_disable(provider);
	if (usdt_provider_enable(provider))
		return fail(provider);
	Py_RETURN_NONE;
}

static PyObject *provider_disable(PyObject *self, PyObject *unused)
{
	(void)unused;
	usdt_provider_disable(((struct provider *)self)->own);
	Py_RETURN_NONE;
}

static PyObject *provider_enter(PyObject *self, PyObject *unused)
{
	PyObject *result = provider_enable(self, unused);

	if (!result)
		return NULL;
	Py_DECREF(result);
	Py_INCREF(self);
	return self;
}

/* What was thrown goes on. */
static PyObject *provider_exit(PyObject *self, PyObject *unused)
{
	return provider_disable(self, unused);
}

static PyMethodDef provider_methods[] = {
	{ "add_probe", provider_add_probe, METH_VARARGS,
	  "add_probe(name, *types): a Probe, for the next enable()" },
	{ "enable", provider_enable, METH_NOARGS,
	  "show all probes to tracers" },
	{ "disable", provider_disable, METH_NOARGS, "hide them" },
	{ "__enter__", provider_enter, METH_NOARGS, "enable()" },
	{ "__exit__", provider_exit, METH_VARARGS, "disable()" },
	{ NULL, NULL, 0, NULL },
};

static PyType_Slot provider_slots[] = {
	{ Py_tp_new, provider_new },
	{ Py_tp_dealloc, provider_free },
	{ Py_tp_methods, provider_methods },
	{ Py_tp_doc, "Provider(name, module=None): a set of probes." },
	{ 0, NULL },
};

static PyType_Spec provider_spec = {
	.name = "usdt.Provider",
	.basicsize = sizeof(struct provider),
	.flags = Py_TPFLAGS_DEFAULT,
	.slots = provider_slots,
};

/* ------------------------------------------------------------------ module */

static int fill(PyObject *module)
{
	static PyType_Spec *const specs[] = { &provider_spec, &probe_spec };

	for (size_t i = 0; i < sizeof(specs) / sizeof(*specs); i++) {
		PyObject *type = PyType_FromSpec(specs[i]);

		if (!type || PyModule_AddType(module, (PyTypeObject *)type))
			return -1;
		Py_DECREF(type);
	}
	return 0;
}

static PyModuleDef_Slot module_slots[] = {
	{ Py_mod_exec, fill },
	{ 0, NULL },
};

static struct PyModuleDef definition = {
	PyModuleDef_HEAD_INIT,
	.m_name = "usdt",
	.m_doc = "Probes that a program makes while it runs, for dtrace, bpftrace and perf.",
	.m_slots = module_slots,
};

PyMODINIT_FUNC PyInit_usdt(void)
{
	return PyModuleDef_Init(&definition);
}
