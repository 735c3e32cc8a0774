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
// still connecting knows the name that it was given.
function facts(socket, host, port) {
	return {
		fd: socket?._handle?.fd ?? -1,
		address: socket?.remoteAddress ?? host ?? '',
		port: socket?.remotePort ?? port ?? 0,
		waits: socket?.writableLength ?? 0,
	};
}

const record = (c) => [c.fd, c.port, c.waits, c.address];

const connection = (socket, host, port) => {
	const c = facts(socket, host, port);

	return [record(c), c.address, c.port, c.fd];
};

function request(method, url, forwarded, socket, host, port) {
	const c = facts(socket, host, port);

	return [[url, method, forwarded], record(c), c.address, c.port, method, url, c.fd];
}

// "example.com:8080", "[::1]:80"
function destination(client) {
	const header = String(client.getHeader?.('host') ?? client.host ?? '');
	const found = /^\[?(.*?)\]?(?::(\d+))?$/.exec(header);

	return [found[1], Number(found[2] ?? (client.protocol === 'https:' ? 443 : 80))];
}

const forwardedFor = (value) => Array.isArray(value) ? value.join(', ') : String(value ?? '');

// ------------------------------------------------------------------ events

// An end is seen once, while the connection still knows whose it is if it can.
function watchEnd(socket) {
	let isOver = false;
	const over = () => {
		if (!isOver)
			probes.end.fire(connection, socket);
		isOver = true;
	};

	socket.once('end', over);
	socket.once('close', over);
}

const EVENTS = {
	'net.server.socket': ({ socket }) => {
		probes.connection.fire(connection, socket);
		watchEnd(socket);
	},
	'net.client.socket': ({ socket }) => watchEnd(socket),
	'http.server.request.start': ({ request: r, socket }) => {
		probes.serverRequest.fire(() => request(r.method, r.url, forwardedFor(r.headers['x-forwarded-for']), socket));
	},
	'http.server.response.finish': ({ response, socket }) => {
		probes.serverResponse.fire(() => [...connection(socket), response.statusCode]);
	},
	'http.client.request.start': ({ request: r }) => {
		probes.clientRequest.fire(() => request(r.method, r.path, forwardedFor(r.getHeader('x-forwarded-for')), r.socket,
			...destination(r)));
	},
	'http.client.response.finish': ({ request: r, response }) => {
		probes.clientResponse.fire(() => [...connection(response.socket ?? r.socket, ...destination(r)), response.statusCode]);
	},
};

if (problem)
	process.emitWarning(`no probes: ${problem.message}`, 'DTraceProvider');
try {
	provider.enable();
	watchCollections(probes.gcStart, probes.gcDone);
	for (const [name, listener] of Object.entries(EVENTS))
		channels.channel(name).subscribe(listener);
} catch (error) { // a program is not to fail because it cannot be traced
	process.emitWarning(`no probes: ${error.message}`, 'DTraceProvider');
}

// The listeners must stay: channels are kept only while somebody holds them.
module.exports = { provider, channels: Object.keys(EVENTS).map((name) => channels.channel(name)) };
