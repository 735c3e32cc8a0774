# SPDX-License-Identifier: Apache-2.0
# For tests of node programs: . "$suite/node.sh", after lib.sh.
#
# A program says `ready` when it is, and goes on when a line comes in.

package=$suite/../build/node/dtrace-provider
[ -e "$package/usdt.node" ] || skip "make node-provider has not been run"
preload=$package/node-provider.js

# Start `COMMAND... PROGRAM` as $target with the provider of node.  Output goes to ./said.
start_node() {
	rm -f go said
	mkfifo go
	NODE_OPTIONS="-r $preload" "$@" < go > said 2>&1 &
	target=$!
	exec 3> go
	await said ready
}

# Trace the target with `dtrace -q ...` until it has ended.  What was printed: ./seen.
# The program must print `armed`.
trace_node() {
	rm -f seen
	: > out
	"$dtrace" -q "$@" >> out 2>&1 &
	tracer=$!
	await out armed
	echo >&3
	wait $target
	kill -INT $tracer
	wait $tracer
	grep -v -e '^armed$' -e '^$' out > seen
	grep -v '^ready' said
}

# A program whose own server answers whatever it asks: kept and new connections,
# TLS, fetch(), and a client that goes away.
write_node_program() {
	openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 3 -subj /CN=localhost 2> /dev/null
	cat > program.js <<'JS'
const http = require('http'), https = require('https'), net = require('net'), fs = require('fs');
const wait = (stream, event) => new Promise((resolve) => stream.once(event, resolve));
const listening = async (server) => wait(server.listen(0, '127.0.0.1'), 'listening');
const answer = (request, response) => {
	request.resume();
	response.statusCode = request.url === '/missing' ? 404 : 200;
	if (request.url !== '/left')
		response.end('hello');
};
const get = async (module, server, path, options) => {
	const request = module.get({ host: '127.0.0.1', port: server.address().port, path, ...options });
	const response = await wait(request, 'response');
	response.resume();
	await wait(response, 'end');
};
(async () => {
	const plain = http.createServer(answer);
	const secure = https.createServer({ key: fs.readFileSync('key.pem'), cert: fs.readFileSync('cert.pem') }, answer);
	await listening(plain);
	await listening(secure);
	console.log('ready');
	await wait(process.stdin, 'data');
	const ended = (server) => new Promise((resolve) => server.once('connection', (socket) => socket.once('close', resolve)));
	let end = ended(plain);
	const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
	for (const path of ['/kept', '/missing', '/kept'])
		await get(http, plain, path, { agent });
	agent.destroy();
	await end;
	end = ended(secure);
	await get(https, secure, '/secure', { rejectUnauthorized: false, agent: false });
	await end;
	end = ended(plain);
	const client = net.connect(plain.address().port, '127.0.0.1');
	await wait(client, 'connect');
	client.write('GET /left HTTP/1.1\r\nHost: a\r\n\r\n');
	client.destroy();
	await end;
	const headers = { 'X-Forwarded-For': '10.1.2.3' };
	const response = await fetch(`http://127.0.0.1:${plain.address().port}/fetched?a=1`, { method: 'POST', body: 'data', headers });
	await response.text();
	process.exit();
})();
JS
}

# Trace that program, and tell what it asked, and what happened to each connection of
# its servers in their order; at the end, by how many descriptors it was known.
trace_requests() {
	cat > program.d <<'D'
node$1:::net-server-connection { printf("%d %d connection\n", args[2], args[0]->fd); }
node$1:::http-server-request
{ printf("%d %d %s %s [%s]\n", args[1]->remotePort, args[1]->fd, args[0]->method, args[0]->url, args[0]->forwardedFor); }
node$1:::http-server-response { printf("%d %d %d\n", args[0]->remotePort, args[0]->fd, args[4]); }
node$1:::net-stream-end /args[1] == args[0]->remoteAddress && args[1] == "127.0.0.1"/ { printf("%d %d end\n", args[2], args[3]); }
node$1:::http-client-request
{ printf("client %s %s %s [%s] %d\n", args[0]->method, args[0]->url, args[1]->remoteAddress, args[0]->forwardedFor, args[1]->fd > 2);
	self->port[args[1]->fd] = args[1]->remotePort; }
node$1:::http-client-response
{ printf("client %s %d %d\n", args[0]->remoteAddress, args[4], args[0]->remotePort == self->port[args[0]->fd]); }
tick-10ms /!armed++/ { printf("armed\n"); }
D
	trace_node -s program.d $target
	grep client seen
	awk "$connections" seen
}
connections='!/client/ {
	port = $1
	if ($3 == "connection")
		order[++n] = port
	else if (!(port in text))
		next
	if (index(fds[port], " " $2 " ") == 0) {
		fds[port] = fds[port] " " $2 " "
		count[port]++
	}
	$1 = $2 = ""
	sub(/^ */, "")
	text[port] = text[port] " > " $0
}
END {
	for (i = 1; i <= n; i++)
		print substr(text[order[i]], 4), "(" count[order[i]] ")"
}'
