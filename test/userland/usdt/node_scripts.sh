# Scripts for node as people wrote them when node had a provider of its own: they run as they
# are, by name, by process, with or without a predicate.
# @anykernel: libusdt's own tests run on all of them
. "$suite/lib.sh"
. "$suite/node.sh"
cat > program.js <<'JS'
const http = require('http');
const wait = (stream, event) => new Promise((resolve) => stream.once(event, resolve));
(async () => {
	const server = http.createServer((request, response) => response.end('hello')).listen(0, '127.0.0.1');
	await wait(server, 'listening');
	console.log('ready');
	await wait(process.stdin, 'data');
	const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
	for (const path of ['/a', '/b', '/a']) {
		const request = http.get({ host: '127.0.0.1', port: server.address().port, path, agent });
		const response = await wait(request, 'response');
		response.resume();
		await wait(response, 'end');
	}
	globalThis.gc();
	process.exit();
})();
JS
# Others run node at the same time: a script is told which processes are meant by the name
# of its provider, and nothing else of it is changed.
script() {
	echo "== $1"
	start_node node --expose-gc program.js
	sed "s/node\*:::/node$target:::/" > script.d
	echo 'tick-10ms /!armed++/ { printf("armed\n"); }' >> script.d
	trace_node -s script.d
	sed "s/$target/PID/; s/^  *//; s/  */ /g" seen
}

script "a line for each request" <<'D'
node*:::http-server-request { printf("%s %s", args[0]->method, args[0]->url); }
D
script "with address" <<'D'
node*:::http-server-request
{
	printf("%s of %s by %s\n", args[0]->method, args[0]->url,
	    args[1]->remoteAddress);
}
D
script "counted" <<'D'
node*:::http-server-request
{
	@urls[args[0]->url] = count();
	@clients[args[1]->remoteAddress, args[0]->forwardedFor] = count();
}
D
script "duration, by descriptor" <<'D'
node*:::http-server-request
{
	began[args[1]->fd] = timestamp;
	what[args[1]->fd] = args[0]->url;
}
node*:::http-server-response
/began[args[0]->fd]/
{
	@slowest[what[args[0]->fd]] = max(timestamp > began[args[0]->fd]);
	@n[what[args[0]->fd]] = count();
	began[args[0]->fd] = 0;
}
D
script "client and server" <<'D'
node*:::http-client-request { self->asked = args[0]->url; self->port = args[1]->remotePort; }
node*:::http-client-response
/self->asked != NULL && args[0]->remotePort == self->port/
{ @["answered", self->asked] = count(); self->asked = 0; }
D
script "collections" <<'D'
node*:::gc-start { self->began = timestamp; }
node*:::gc-done
/self->began/
{
	@["collections"] = max(timestamp - self->began > 0);
	self->began = 0;
}
D
script "the scalars that follow the structures" <<'D'
node*:::http-server-request { printf("%s:%d %s %s %d", args[2], args[3] > 0, args[4], args[5], args[6] > 2); }
node*:::net-server-connection { printf("connection %s %d %d", args[1], args[2] > 0, args[3] > 2); }
D
script "as records of connections" <<'D'
node*:::net-server-connection { open++; }
node*:::http-server-response { @["bytes that wait", args[0]->bufferSize] = count(); }
node*:::net-stream-end { open--; }
END { printf("open: %d\n", open > 0 ? 1 : 0); }
D

# of a process that dtrace starts, whose probes come later
cat > asks.js <<'JS'
const http = require('http');
const server = http.createServer((request, response) => response.end()).listen(0, '127.0.0.1', () => {
	const options = { host: '127.0.0.1', port: server.address().port, path: '/often' };
	setInterval(() => http.get(options, (response) => response.resume()).on('error', () => {}), 20);
});
JS
echo "== started by dtrace"
"$dtrace" -Zqn 'node$target:::http-server-request
	{ printf("%d %s %s\n%d\n", pid == $target, args[0]->method, args[0]->url, pid); exit(0); }' \
	-c "node -r $preload asks.js" > out 2>&1
grep often out
# it goes on without its tracer
kill $(grep -x '[0-9]*' out) && echo "killed"
