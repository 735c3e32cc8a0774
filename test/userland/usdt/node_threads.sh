# The node provider in worker threads and in processes of a cluster: each has its own
# probes, their requests come from their thread and process, and their collections.
# @anykernel: libusdt's own tests run on all of them
. "$suite/lib.sh"
. "$suite/node.sh"
cat > program.js <<'JS'
const { Worker, isMainThread, parentPort } = require('worker_threads');
const cluster = require('cluster');
const http = require('http');
const wait = (stream, event) => new Promise((resolve) => stream.once(event, resolve));
const serve = async () => {
	const server = http.createServer((request, response) => response.end()).listen(0, '127.0.0.1');
	await wait(server, 'listening');
	return server;
};
const ask = async (server, path) => {
	const request = http.get({ host: '127.0.0.1', port: server.address().port, path, agent: false });
	const response = await wait(request, 'response');
	response.resume();
	await wait(response, 'end');
	globalThis.gc();
};
(async () => {
	const server = await serve();
	if (!isMainThread) {
		parentPort.postMessage('up');
		await wait(parentPort, 'message');
		await ask(server, '/worker');
		process.exit();
	}
	if (cluster.isWorker) {
		process.send('up');
		await wait(process, 'message');
		await ask(server, '/cluster');
		process.exit();
	}
	const worker = new Worker(__filename);
	await wait(worker, 'message');
	const other = cluster.fork();
	await wait(other, 'message');
	console.log('ready');
	await wait(process.stdin, 'data');
	await ask(server, '/main');
	worker.postMessage('go');
	await wait(worker, 'exit');
	other.send('go');
	await wait(other, 'exit');
	await ask(server, '/again');
	process.exit();
})();
JS
start_node node --expose-gc program.js
trace_node -n 'node*:::http-server-request /pid == $1 || progenyof($1)/
	{ printf("%s: %s process, %s thread\n", args[0]->url, pid == $1 ? "first" : "other", tid == pid ? "main" : "worker"); }
	node*:::gc-start /(pid == $1 || progenyof($1)) && (args[0] == 4 || args[0] == 2)/ { self->began = timestamp; }
	node*:::gc-done /self->began && timestamp > self->began/
	{ @[pid == $1 ? "first" : "other", tid == pid ? "main" : "worker"] = count(); self->began = 0; }
	tick-10ms /!armed++/ { printf("armed\n"); }
	END { printa("collected in the %s process, %s thread\n", @); }' $target
sort seen
