// Knows its own stacks: at every place it writes what V8 says, then calls
// getppid(), which is what process.ppid does.  Not a test by itself: node.sh.
//	node_frames.js FILE [wait]
const fs = require('fs');
const path = require('path');
const v8 = require('v8');
const { Worker, isMainThread, parentPort, workerData } = require('worker_threads');

const out = isMainThread ? process.argv[2] : workerData;
let isOn = false;
Error.stackTraceLimit = 100;

// What V8 says of its calls, innermost first: functions that have source text.
function calls() {
  const saved = Error.prepareStackTrace;
  const holder = {};
  Error.prepareStackTrace = (_, sites) => sites;
  Error.captureStackTrace(holder, calls);
  const sites = holder.stack;
  Error.prepareStackTrace = saved;
  return sites.filter(site => !site.isAsync() && !site.isNative() && (site.getFileName() || site.isEval()))
    .map(describe).join('\n') + '\n--\n';
}

// A name that the program computed is the closure's, not the function's.
function nameOf(site) {
  const name = site.getFunctionName();
  return !name || name === 'eval' || name.startsWith('[') ? '(anonymous)' : name;
}

function describe(site) {
  const name = nameOf(site);
  let file = site.getFileName();
  if (!file) return name;
  if (!file.startsWith('node:')) file = path.basename(file);
  return `${name}(${file}:${site.getLineNumber()})`;
}

// The getter is a function of C++; it is called where it is read.
function here() {
  if (isOn) fs.appendFileSync(out, calls()), process.ppid;
}

class Outer {
  static Inner = class { method() { return here(); } };
  #hidden() { return here(); }
  show() {
    return this.#hidden();
  }
  get value() { here(); return 1; }
  constructor() {
    here();
  }
  recurse(depth) {
    if (depth)
      return this.recurse(depth - 1);
    return here();
  }
  * generate() {
    for (let i = 0; i < 2; i++)
      yield (here());
  }
}

const object = { 'größe': () => { here(); }, 'ЖЖ'() { here(); } };
object.assigned = function () { here(); };

async function later(depth) {
  here();
  await null;
  here();
  if (depth) await later(depth - 1);
}

// A function far down in the file, with jumps, exceptions and wide operands.
const wide = new Function('here', 'let s = 0;\n' +
  Array.from({ length: 300 }, (_, i) => `let v${i} = s + ${i}; s = v${i};`).join('\n') +
  '\ntry { if (s) throw new Error(s); } catch (e) { v299 = s;\n here(); }\nreturn v299;');

function inner(n) {
  if (n < 0)
    return 0;

  here();
  return n;
}
function between(n) {
  return 1 +
    inner(n);
}
function outside(n) {
  let s = 0;
  for (const i of [n, n]) {
    s += between(i);
    s += [i].map(x => between(x))[0];
  }
  return s;
}

// Compiled as V8 would do it in time.
function compile(how, ...functions) {
  v8.setFlagsFromString('--allow-natives-syntax');
  const prepare = new Function('f', '%PrepareFunctionForOptimization(f)');
  const now = new Function('f', how);
  for (const f of functions) prepare(f);
  for (let i = 0; i < 50; i++) outside(-i), outside(i);
  for (const f of functions) now(f);
  outside(1);
}

async function all() {
  isOn = true;
  here();
  new Outer().show();
  new Outer.Inner().method();
  new Outer().recurse(20);
  new Outer().value;
  [...new Outer().generate()];
  [3, 1].sort((a, b) => { here(); return a - b; });
  'a'.replace(/a/, () => (here(), 'b'));
  JSON.parse('[1]', (key, value) => (here(), value));
  new Proxy({}, { get() { here(); } }).anything;
  object['größe'](), object['ЖЖ'](), object.assigned();
  Reflect.apply(Outer.prototype.recurse, { recurse() { here(); } }, [1]);
  wide(here);
  await later(2);
  await new Promise(resolve => setTimeout(() => { here(); resolve(); }, 1));
  await new Promise(resolve => setImmediate(() => { here(); resolve(); }));
  await new Promise(resolve => process.nextTick(() => { here(); resolve(); }));
  outside(1);
  isOn = false;
  compile('%CompileBaseline(f)', inner, between, outside, here);
  isOn = true;
  outside(1);
  isOn = false;
  compile('%OptimizeFunctionOnNextCall(f)', outside);
  isOn = true;
  outside(1);
  isOn = false;
}

async function main() {
  await all();
  await new Promise(resolve => new Worker(__filename, { workerData: out }).on('message', resolve));
  process.kill(process.pid, 0); // it is done
  stay();
}

// The names are made while it is there.
function stay() {
  const end = setInterval(() => { if (fs.existsSync(out + '.end')) clearInterval(end); }, 10);
}

if (!isMainThread) {
  all().then(() => { parentPort.postMessage(0); stay(); });
} else {
  fs.writeFileSync(out, '');
  if (process.argv[3]) {
    const wait = setInterval(() => 0, 1000);
    process.on('SIGUSR2', () => { clearInterval(wait); main(); });
    console.log('ready');
  } else {
    main();
  }
}
