# The node provider, a module that is loaded before a program: requests of servers and
# clients, connections, garbage collections, with the members that scripts of DTrace's
# time use.  A script that waits for the first process knows the types, too.
# @anykernel: libusdt's own tests run on all of them
. "$suite/lib.sh"
package=$suite/../build/node/dtrace-provider
[ -e "$package/usdt.node" ] || skip "make node-provider has not been run"
cat > program.js <<'JS'
const http = require('http');
const wait = (stream, event) => new Promise((resolve) => stream.once(event, resolve));
const get = async (options) => {
	const request = http.request(options);
	request.end(options.method === 'POST' ? 'data' : undefined);
	const response = await wait(request, 'response');
	response.resume();
	await wait(response, 'end');
};
(async () => {
	const server = http.createServer((request, response) => {
		request.resume();
		response.statusCode = request.url === '/missing' ? 404 : 200;
		response.end('hello');
	}).listen(0, '127.0.0.1');
	await wait(server, 'listening');
	const where = { host: '127.0.0.1', port: server.address().port, agent: false };
	console.log('ready', where.port);
	await wait(process.stdin, 'data');
	await get({ ...where, path: '/first?a=1', headers: { 'x-forwarded-for': '10.1.2.3' } });
	await get({ ...where, path: '/missing', method: 'POST' });
	for (let i = 0; i < 100; i++)
		await get({ ...where, path: '/many' });
	globalThis.gc();
	server.close();
	process.exit();
})();
JS
mkfifo go
NODE_OPTIONS="-r $package/node-provider.js" node --expose-gc program.js < go > said 2>&1 &
target=$!
exec 3> go
await said ready
port=$(awk '/ready/ { print $2 }' said)
"$dtrace" -ln "node$target:::" | awk 'NR > 1 { print $3, $5 }'
"$dtrace" -lvn "node$target:::http-server-request" | sed -n 's/^[[:space:]]*\(args.*\)/\1/p'
cat > node.d <<'D'
node*:::http-server-request /pid == $2 && args[0]->url != "/many"/
{ printf("server %s %s [%s] %s %d %d\n", args[0]->method, args[0]->url, args[0]->forwardedFor, args[1]->remoteAddress,
	args[1]->remotePort != $1, args[1]->fd > 2); }
node*:::http-server-request /pid == $2 && args[0]->url != "/many"/
{ printf("server %s %s %s %d %d\n", args[2], args[4], args[5], args[3] == args[1]->remotePort, args[6] == args[1]->fd);
	self->shown = 1; }
node*:::http-server-response /self->shown/
{ printf("server response %s %d %d\n", args[0]->remoteAddress, args[4], args[0]->bufferSize); self->shown = 0; }
node*:::http-client-request /pid == $2 && args[0]->url != "/many"/
{ printf("client %s %s %s %d\n", args[0]->method, args[0]->url, args[1]->remoteAddress, args[1]->remotePort == $1); self->asked = 1; }
node*:::http-client-response /self->asked/
{ printf("client response %s %d %d\n", args[0]->remoteAddress, args[0]->remotePort == $1, args[4]); self->asked = 0; }
node*:::http-*, node*:::net-server-connection /pid == $2/ { @[probename] = count(); }
node*:::net-stream-end /pid == $2 && args[0]->fd >= -1 && args[1] == args[0]->remoteAddress/ { @gc["ends"] = count(); }
node*:::gc-start /pid == $2 && args[0] == 4 || pid == $2 && args[0] == 2/ { self->collects = timestamp; }
node*:::gc-done /self->collects/ { @gc[timestamp > self->collects ? "collected" : "not"] = count(); }
tick-10ms /!armed++/ { printf("armed\n"); }
END { printa("%s %@d\n", @); printa("%s\n", @gc); }
D
"$dtrace" -qs node.d $port $target > out 2>&1 &
tracer=$!
await out armed
echo >&3
wait $target
kill -INT $tracer
wait $tracer
grep -v -e armed -e '^$' out
rm out
cat said | sed 's/[0-9][0-9]*/PORT/'
# before there is one
echo 'http.get({ host: "127.0.0.1", port: 9 }).on("error", () => {})' > client.js
cat > client.js <<'JS'
const http = require('http');
const server = http.createServer((request, response) => response.end()).listen(0, '127.0.0.1', () => {
	const again = setInterval(() => http.get({ host: '127.0.0.1', port: server.address().port, path: '/later' },
		(response) => response.resume()).on('error', () => {}), 20);
});
process.on('SIGTERM', () => process.exit());
JS
"$dtrace" -Zqn 'node*:::http-server-request /args[0]->url == "/later"/ { printf("%s %s\n", args[0]->method, args[0]->url); exit(0); }
	tick-10ms /!armed++/ { printf("armed\n"); }' > out 2>&1 &
tracer=$!
await out armed
node -r "$package/node-provider.js" client.js > said 2>&1 &
target=$!
wait $tracer
kill $target
wait $target
grep -v -e armed -e '^$' out
rm out
cat said
