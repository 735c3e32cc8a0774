# Python's probes, in a process that runs and in one that starts later.  In
# Python 3.11 function-entry fires only where a frame is entered to be ended,
# so what is counted are generators that are closed.
. "$suite/lib.sh"
python=/usr/bin/python3
[ -x $python ] || skip "Python is not installed"
readelf -S $python | grep -q note.stapsdt || skip "this Python was built without probes"
cat > work.py <<'PYTHON'
import gc, sys
def numbers(n):
    yield n
def main():
    for i in range(100):
        g = numbers(i)
        next(g)
        g.close()
    gc.collect(1)
gc.disable()
if len(sys.argv) > 1:
    print("ready", flush=True)
    sys.stdin.readline()
main()
PYTHON
mkfifo go
$python work.py wait < go > said &
first=$!
exec 3> go
await said ready
"$dtrace" -qn '
python*:::function-entry
/basename(copyinstr(arg0)) == "work.py" && copyinstr(arg1) == "numbers"/
{ @[probeprov, copyinstr(arg1), args[2]] = count(); }
python*:::gc-start /args[0] == 1/ { @[probeprov, probename, args[0]] = count(); }
tick-10ms /!armed++/ { printf("armed\n"); }' > out 2>&1 &
tracer=$!
await out armed
echo >&3
wait $first
$python work.py &
second=$!
wait $second
kill -INT $tracer
wait $tracer
sed "s/$first/FIRST/; s/$second/SECOND/; s/  */ /g" out | grep -e FIRST -e SECOND | sort
