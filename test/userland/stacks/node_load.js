// A web service and its client in one process, with a worker: parses, sorts,
// compresses, throws exceptions, waits for promises.  Not a test by itself:
// node.sh, node_profile.sh.
const http = require('http');
const zlib = require('zlib');
const crypto = require('crypto');
const { Worker, isMainThread, parentPort } = require('worker_threads');

class Item {
  constructor(n) {
    this.key = (n * 7919) % 1000;
    this.text = 'item ' + n;
  }
  compare(other) { return this.key - other.key; }
}

function makeItems(count) {
  const items = [];
  for (let i = 0; i < count; i++) items.push(new Item(i));
  return items.sort((a, b) => a.compare(b));
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch (error) {
    return { message: error.message.replace(/(\w+)/g, word => word.toUpperCase()) };
  }
}

function* numbers(n) {
  for (let i = 0; i < n; i++) yield i;
}

function sum(n) {
  let all = 0;
  for (const i of numbers(n)) all += Math.sqrt(i);
  return all;
}

async function work(n) {
  const items = makeItems(200 + n % 50);
  await null;
  const text = JSON.stringify(items);
  const again = parse(n % 3 ? text : text.slice(1));
  const packed = zlib.deflateSync(text);
  const digest = crypto.createHash('sha256').update(packed).digest('hex');
  return { digest, sum: sum(500), keys: Object.keys(again).length };
}

if (!isMainThread) {
  parentPort.on('message', async n => parentPort.postMessage(await work(n)));
} else {
  const worker = new Worker(__filename);
  let asked = 0;
  const server = http.createServer(async (request, response) => {
    const result = await work(asked);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(result));
  });
  const agent = new http.Agent({ keepAlive: true });
  const ask = () => {
    asked++;
    http.get({ port: server.address().port, agent }, response => {
      let body = '';
      response.on('data', chunk => { body += chunk; });
      response.on('end', () => { parse(body); setImmediate(ask); });
    });
  };

  worker.on('message', result => worker.postMessage(result.keys + asked));
  server.listen(0, '127.0.0.1', () => {
    worker.postMessage(1);
    for (let i = 0; i < 4; i++) ask();
    console.log('ready');
  });
  process.stdin.on('data', () => {}).on('end', () => process.exit(0));
}
