# The npm package: the interface of dtrace-provider.  Probes of a node program are
# listed, fire with its values, and call functions only while somebody traces.
# @anykernel: libusdt's own tests run on all of them
. "$suite/lib.sh"
package=$suite/../build/node/dtrace-provider
[ -e "$package/usdt.node" ] || skip "make node-provider has not been run"
mkdir -p node_modules tmp
ln -s "$package" node_modules/dtrace-provider
cat > shop.js <<'JS'
const d = require('dtrace-provider');
const fs = require('fs');
const { Worker, isMainThread } = require('worker_threads');
if (!isMainThread) {
	const own = d.createDTraceProvider('shop', 'worker');
	own.addProbe('in-worker', 'int');
	own.enable();
	// found within some milliseconds
	const timer = setInterval(() => own.fire('in-worker', () => {
		clearInterval(timer);
		return [7];
	}), 5);
	setTimeout(() => clearInterval(timer), 60000).unref();
	return;
}
const provider = d.createDTraceProvider('shop', 'shop.js');
const sale = provider.addProbe('sale-done', 'int', 'char *', 'uint64');
const json = provider.addProbe('json', 'json');
const gone = provider.addProbe('gone', 'int');
provider.removeProbe(gone);
provider.fire('sale-done', () => { throw new Error('not enabled'); });
provider.enable();
let calls = 0;
const costly = (text) => { calls++; return [2, text]; };
provider.fire('sale-done', costly, 'untraced');
console.log('untraced:', calls, sale.isEnabled, provider.json === json);
console.log('ready');
process.stdin.once('data', () => {
	sale.fire(() => [-1, 'naïve', 2n ** 64n - 1n]);
	provider.fire('sale-done', costly, 'given');
	sale.fire(() => [3]);
	sale.fire(() => [true, null, 2 ** 63]);
	sale.fire(() => [{}, 12, undefined, 4, 5]);
	sale.fire(() => [4, 'x'.repeat(100000)]);
	sale.fire(() => 'no array');
	json.fire(() => [{ price: 10, names: ['a', "b"] }]);
	const circle = {};
	circle.self = circle;
	json.fire(() => [circle]);
	gone.fire(() => { throw new Error('removed'); });
	provider.fire('unknown', () => { throw new Error('unknown'); });
	console.log('traced:', calls, sale.isEnabled);
	for (const wrong of [() => sale.fire(1), () => sale.fire(() => { throw new Error('thrown'); }),
		() => d.createDTraceProvider('a b'), () => provider.addProbe('json'), () => provider.addProbe('x y'),
		() => provider.removeProbe(gone), () => provider.addProbe('many', ...Array(33).fill('int'))])
		try {
			wrong();
		} catch (error) {
			console.log(error.message);
		}
	const worker = new Worker(__filename);
	worker.on('exit', () => {
		for (let i = 0; i < 50; i++) {
			provider.disable();
			sale.fire(costly);
			provider.enable();
			globalThis.gc();
		}
		provider.disable();
		console.log('disabled:', sale.isEnabled, fs.readdirSync(process.env.TMPDIR));
		process.exit();
	});
});
JS
export TMPDIR=$PWD/tmp
mkfifo go
node --expose-gc shop.js < go > said 2>&1 &
target=$!
exec 3> go
await said ready
"$dtrace" -ln "shop$target:::" | awk 'NR > 1 { print $3, $4, $5 }'
"$dtrace" -Zqn 'shop$1:::sale-done { printf("%d \"%.20s\" %u\n", args[0], copyinstr(arg1), args[2]); }
	shop$1:::json { printf("%s\n", copyinstr(arg0)); } shop$1:worker::in-worker { printf("worker %d\n", (int)arg0); }
	tick-10ms /!armed++/ { printf("armed\n"); }' $target > out 2>&1 &
tracer=$!
await out "^armed"
echo >&3
wait $target
kill -INT $tracer
wait $tracer
grep -v -e armed -e '^$' out | sed 's/{"error".*/{"error"}/'
cat said
