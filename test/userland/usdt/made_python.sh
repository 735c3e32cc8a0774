# The Python module usdt: probes of a Python program are listed, fire with its values,
# and what is given as a function is called only while somebody traces.
# @anykernel: libusdt's own tests run on all of them
. "$suite/lib.sh"
module=$suite/../build/python/usdt
[ -e "$module/usdt.abi3.so" ] || skip "make python-usdt has not been run"
cat > shop.py <<'PYTHON'
import os, sys, threading
import usdt
provider = usdt.Provider("shop", module="shop.py")
sale = provider.add_probe("sale-done", "int", "char *", "uint64_t")
ping = provider.add_probe("ping")
provider.enable()
calls = 0
def costly():
    global calls
    calls += 1
    return [2, b"bytes"]
sale.fire(costly)
print("untraced:", calls, sale.is_enabled, sale.name)
print("ready", flush=True)
sys.stdin.readline()
sale.fire(-1, "na\u00efve \udc80", 2**64 - 1)
sale.fire(costly)
sale.fire(lambda: 3)
sale.fire(True, None, "no number")
sale.fire(1, "a", 2, 3, 4)
ping.fire()
threads = [threading.Thread(target=lambda: [sale.fire(1000, "thread", i) for i in range(50)]) for _ in range(4)]
[t.start() for t in threads]
[t.join() for t in threads]
print("traced:", calls, sale.is_enabled, ping.is_enabled)
try:
    sale.fire(lambda: 1 / 0)
except ZeroDivisionError as error:
    print(error)
for wrong in (lambda: usdt.Provider("a b"), lambda: provider.add_probe("ping"), lambda: provider.add_probe("x y"),
              lambda: provider.add_probe(), lambda: usdt.Probe(), lambda: usdt.Provider("empty").enable()):
    try:
        wrong()
    except (ValueError, TypeError, RuntimeError) as error:
        print(type(error).__name__, error)
provider.disable()
sale.fire(costly)
del provider
sale.fire(costly)
print("disabled:", calls, sale.is_enabled, [name for name in os.listdir(os.environ["TMPDIR"])])
PYTHON
mkdir tmp
export TMPDIR=$PWD/tmp PYTHONPATH=$module
mkfifo go
/usr/bin/python3 shop.py < go > said 2>&1 &
target=$!
exec 3> go
await said ready
"$dtrace" -ln "shop$target:::" | awk 'NR > 1 { print $3, $4, $5 }'
"$dtrace" -qn 'shop$1:::sale-done /args[0] < 1000/ { printf("%d \"%s\" %u\n", args[0], copyinstr(arg1), args[2]); }
	shop$1:::sale-done /args[0] == 1000/ { @ = count(); @sum = sum(args[2]); } shop$1:::ping { printf("ping\n"); }
	tick-10ms /!armed++/ { printf("armed\n"); } END { printa("%@d %@d\n", @, @sum); }' $target > out 2>&1 &
tracer=$!
await out armed
echo >&3
wait $target
kill -INT $tracer
wait $tracer
grep -v -e armed -e '^$' out
cat said
