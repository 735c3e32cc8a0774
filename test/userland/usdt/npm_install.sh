# The npm package as others get it: packed, installed by npm, built by node-gyp.
# @once: it does not depend on dtrace's build
# @anykernel: nor on the kernel
. "$suite/lib.sh"
package=$suite/../build/node/dtrace-provider
[ -e "$package/usdt.node" ] || skip "make node-provider has not been run"
command -v npm > /dev/null || skip "npm is not installed"
for prefix in "$(dirname "$(dirname "$(readlink -f "$(command -v node)")")")" /usr; do
	[ -e "$prefix/include/node/node_api.h" ] && break
done
[ -e "$prefix/include/node/node_api.h" ] || skip "node has no headers"
mkdir app
npm pack --silent "$package" > packed 2> log || cat log
tar tzf "$(cat packed)" | sed 's|^package/||' | sort | tr '\n' ' '
echo
cd app || exit 1
echo '{ "private": true }' > package.json
npm install --silent --offline --no-audit --no-fund --nodedir="$prefix" "../$(cat ../packed)" > ../log 2>&1 || cat ../log
ls node_modules/dtrace-provider/build/Release/usdt.node
cat > program.js <<'JS'
const provider = require('dtrace-provider').createDTraceProvider('packed');
const probe = provider.addProbe('p', 'int');
provider.enable();
console.log('ready');
const timer = setInterval(() => probe.fire(() => { clearInterval(timer); return [5]; }), 5);
JS
node program.js > ../said 2>&1 &
target=$!
await ../said ready
"$dtrace" -qn 'packed$1:::p { printf("%d\n", args[0]); exit(0); }' $target | grep .
wait $target
# the provider of node by the name that people write
node -r dtrace-provider/node-provider -p 'Object.keys(require("dtrace-provider/node-provider").provider).filter((name) => /^http|^gc/.test(name)).sort().join(" ")'
