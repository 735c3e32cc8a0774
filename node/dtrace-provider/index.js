// SPDX-License-Identifier: Apache-2.0
//
// Probes of JavaScript programs, with the interface that the npm package
// dtrace-provider has had since 2011.
//
//	const d = require('dtrace-provider');
//	const provider = d.createDTraceProvider('shop');
//	const sale = provider.addProbe('sale-done', 'int', 'char *');
//	provider.enable();
//	sale.fire(() => [price, customer]);
//
// The function is called while somebody traces the probe, and not otherwise: that
// costs the reading of one word of an array that is shared with the tracers'
// kernel.  On a machine where the addon cannot be loaded, probes can be made and
// fired, and nobody sees them.
'use strict';

const { addon, problem } = load();

function load() {
	try {
		return { addon: require('./usdt.node') };
	} catch (first) {
		try { // where node-gyp puts it
			return { addon: require('./build/Release/usdt.node') };
		} catch {
			return { addon: null, problem: first };
		}
	}
}

// What a probe has while its provider is not enabled.
const NOBODY = new Uint16Array(1);

class DTraceProbe {
	constructor(provider, name, types) {
		this.provider = provider;
		this.name = name;
		this.json = types.flatMap((type, i) => type === 'json' ? [i] : []);
		this.handle = addon && addon.createProbe(provider.handle, name, types);
		this.semaphores = NOBODY;
		this.index = 0;
	}

	get isEnabled() {
		return this.semaphores[this.index] !== 0;
	}

	// What follows the function is given to it.
	fire(values, ...rest) {
		if (typeof values !== 'function')
			throw new TypeError('fire() needs a function that returns the values');
		if (this.semaphores[this.index] !== 0)
			this.send(values.apply(this.provider, rest));
	}

	send(values) {
		if (!Array.isArray(values))
			return;
		if (this.json.length) {
			values = values.slice();
			for (const i of this.json)
				values[i] = text(values[i]);
		}
		addon.fire(this.handle, values);
	}
}

// JSON, or why there is none.
function text(value) {
	try {
		return JSON.stringify(value) ?? 'undefined';
	} catch (error) {
		return JSON.stringify({ error: String(error.message) });
	}
}

class DTraceProvider {
	constructor(name, module) {
		this.name = name;
		this.probes = [];
		this.isLive = false;
		this.handle = addon && addon.createProvider(name, module ?? name);
	}

	// A probe can be traced after the next enable(): that makes a provider
	// that is enabled again, with all its probes.
	addProbe(name, ...types) {
		const probe = new DTraceProbe(this, name, types);

		this.probes.push(probe);
		if (!(name in this))
			this[name] = probe;
		return probe;
	}

	removeProbe(probe) {
		const at = this.probes.indexOf(probe);

		if (at < 0)
			throw new Error('the provider has no such probe');
		if (addon)
			addon.removeProbe(this.handle, probe.handle);
		this.probes.splice(at, 1);
		if (this[probe.name] === probe)
			delete this[probe.name];
		probe.semaphores = NOBODY;
		probe.index = 0;
	}

	enable() {
		if (!addon || !this.probes.length)
			return;
		if (this.isLive)
			this.disable();
		const semaphores = addon.enable(this.handle);

		this.probes.forEach((probe, i) => {
			probe.index = i;
			probe.semaphores = semaphores;
		});
		this.isLive = true;
	}

	disable() {
		for (const probe of this.probes) {
			probe.semaphores = NOBODY;
			probe.index = 0;
		}
		if (addon && this.isLive)
			addon.disable(this.handle);
		this.isLive = false;
	}

	fire(name, values, ...rest) {
		for (const probe of this.probes)
			if (probe.name === name)
				return probe.fire(values, ...rest);
	}
}

function createDTraceProvider(name, module) {
	return new DTraceProvider(name, module);
}

// Probes for the beginning and end of collections; false: this node has none.
function watchCollections(start, done) {
	return Boolean(addon && addon.watchCollections(start.handle, done.handle));
}

module.exports = { DTraceProvider, DTraceProbe, createDTraceProvider, watchCollections, problem };
