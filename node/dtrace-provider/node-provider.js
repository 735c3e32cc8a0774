// SPDX-License-Identifier: Apache-2.0
//
// The provider that node itself had: requests, connections, garbage collections.
//
//	node -r .../node-provider.js server.js
//	NODE_OPTIONS='-r .../node-provider.js'
//
//	# dtrace -n 'node*:::http-server-request { printf("%s %s", args[0]->method, args[0]->url); }'
//
// Everything is read from node's diagnostics channels; nothing of node is replaced.
// Arguments are computed while a probe is traced.  dlib/node.d says what they are,
// and the records here are its structs.
'use strict';

const channels = require('diagnostics_channel');
const { createDTraceProvider, watchCollections, problem } = require('./index.js');

const CONNECTION = ['record', 'char *', 'int', 'int'];
const RESPONSE = [...CONNECTION, 'int'];
const REQUEST = ['record', 'record', 'char *', 'int', 'char *', 'char *', 'int'];

const provider = createDTraceProvider('node');
const probes = {
	connection: provider.addProbe('net-server-connection', ...CONNECTION),
	end: provider.addProbe('net-stream-end', ...CONNECTION),
	serverRequest: provider.addProbe('http-server-request', ...REQUEST),
	serverResponse: provider.addProbe('http-server-response', ...RESPONSE),
	clientRequest: provider.addProbe('http-client-request', ...REQUEST),
	clientResponse: provider.addProbe('http-client-response', ...RESPONSE),
	gcStart: provider.addProbe('gc-start', 'int', 'int', 'uint64_t'),
	gcDone: provider.addProbe('gc-done', 'int', 'int', 'uint64_t'),
};

// --------------------------------------------------------------- arguments

// What is known of a connection: { fd, address, port, waits }.  A client that is
// still connecting knows the name that it was given, and one that has ended what was
// known before.
function facts(socket, known) {
	const fd = socket?._handle?.fd ?? -1;

	return {
		fd: fd < 0 ? known?.fd ?? -1 : fd,
		address: socket?.remoteAddress ?? known?.address ?? '',
		port: socket?.remotePort ?? known?.port ?? 0,
		waits: socket?.writableLength ?? 0,
	};
}

const record = (c) => [c.fd, c.port, c.waits, c.address];

const connection = (socket, known) => {
	const c = facts(socket, known);

	return [record(c), c.address, c.port, c.fd];
};

function request(method, url, forwarded, socket, known) {
	const c = facts(socket, known);

	return [[url, method, forwarded], record(c), c.address, c.port, method, url, c.fd];
}

// "example.com:8080", "[::1]:80"
function destination(host, protocol) {
	const found = /^\[?(.*?)\]?(?::(\d+))?$/.exec(String(host ?? ''));

	return { address: found[1], port: Number(found[2] ?? (protocol === 'https:' ? 443 : 80)) };
}

const clientOf = (r) => destination(r.getHeader('host') ?? r.host, r.protocol);

const forwardedFor = (value) => Array.isArray(value) ? value.join(', ') : String(value ?? '');

// --------------------------------------------------------------- fetch()

// Its requests are those of undici, a part of node with channels of its own.  Which
// socket a request has is told once; the response needs it, too.
const sockets = new WeakMap();

function originOf(r) {
	try {
		const url = new URL(r.origin);

		return destination(url.host, url.protocol);
	} catch {
		return undefined;
	}
}

// Headers are a text or a list of names and values, depending on the version.
function fetchForwardedFor(headers) {
	if (typeof headers === 'string')
		return /^x-forwarded-for: *(.*?)\r?$/im.exec(headers)?.[1] ?? '';
	const at = Array.isArray(headers)
		? headers.findIndex((name, i) => i % 2 === 0 && String(name).toLowerCase() === 'x-forwarded-for') : -1;

	return at < 0 ? '' : forwardedFor(headers[at + 1]);
}

// ------------------------------------------------------------------ events

// An end is seen once.  A socket that was destroyed no longer knows what it was; its
// descriptor is remembered always, and what costs a call of the system while it is traced.
function watchEnd(socket, event) {
	let known, isOver = false;
	const over = () => {
		if (!isOver)
			probes.end.fire(connection, socket, known);
		isOver = true;
	};
	const begin = () => {
		known = probes.end.isEnabled ? facts(socket) : { fd: socket._handle?.fd };
	};

	if (event)
		socket.once(event, begin);
	else
		begin();
	socket.once('end', over);
	socket.once('close', over);
}

const EVENTS = {
	'net.server.socket': ({ socket }) => {
		probes.connection.fire(connection, socket);
		watchEnd(socket);
	},
	'net.client.socket': ({ socket }) => watchEnd(socket, 'connect'),
	'http.server.request.start': ({ request: r, socket }) => {
		probes.serverRequest.fire(() => request(r.method, r.url, forwardedFor(r.headers['x-forwarded-for']), socket));
	},
	'http.server.response.finish': ({ response, socket }) => {
		probes.serverResponse.fire(() => [...connection(socket), response.statusCode]);
	},
	'http.client.request.start': ({ request: r }) => {
		probes.clientRequest.fire(() => request(r.method, r.path, forwardedFor(r.getHeader('x-forwarded-for')), r.socket,
			clientOf(r)));
	},
	'http.client.response.finish': ({ request: r, response }) => {
		probes.clientResponse.fire(() => [...connection(response.socket ?? r.socket, clientOf(r)), response.statusCode]);
	},
	'undici:client:sendHeaders': ({ request: r, socket }) => {
		probes.clientRequest.fire(() => request(r.method, r.path, fetchForwardedFor(r.headers), socket, originOf(r)));
		if (probes.clientResponse.isEnabled)
			sockets.set(r, socket);
	},
	'undici:request:headers': ({ request: r, response }) => {
		probes.clientResponse.fire(() => [...connection(sockets.get(r), originOf(r)), response.statusCode]);
	},
};

// What throws in a channel ends the program; objects there may be anybody's.
const LISTENERS = Object.fromEntries(Object.entries(EVENTS).map(([name, event]) => [name, (message) => {
	try {
		event(message);
	} catch {
		// it cannot be seen
	}
}]));

if (problem)
	process.emitWarning(`no probes: ${problem.message}`, 'DTraceProvider');
try {
	provider.enable();
	watchCollections(probes.gcStart, probes.gcDone);
	for (const [name, listener] of Object.entries(LISTENERS))
		channels.channel(name).subscribe(listener);
} catch (error) { // a program is not to fail because it cannot be traced
	process.emitWarning(`no probes: ${error.message}`, 'DTraceProvider');
}

// The listeners must stay: channels are kept only while somebody holds them.
module.exports = { provider, channels: Object.keys(LISTENERS).map((name) => channels.channel(name)) };
