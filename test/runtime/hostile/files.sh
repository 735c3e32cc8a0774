# Files that change while they are looked at: a program that was deleted or
# replaced keeps the names it has; one that shrinks and grows ends nobody's run.
# @anykernel: what is read, and shown, does not depend on the kernel
. "$suite/hostile.sh"
run_hostile deleted
rm deleted
stacks "$target"
run_hostile replaced
mv honest other
cp "$triggers/made" replaced.new && mv replaced.new replaced
stacks "$target"
mv other honest

# A library can be truncated while it is mapped; nothing here uses it.
gcc -shared -fPIC -g -DLIBRARY -o library.so "$test/spin.c"
cp library.so whole
cat > load.py <<'P'
import ctypes, signal, sys
ctypes.CDLL(sys.argv[1])
signal.pause()
P
python3 load.py "$PWD/library.so" &
target=$!
started="$started $target"
for _ in $(seq $looks); do
	grep -q library.so "/proc/$target/maps" && break
	sleep 0.02
done
cat > change.py <<'P'
import os, random, sys
whole = open("whole", "rb").read()
with open("library.so", "r+b", buffering=0) as file:
    print("changing", flush=True)
    while True:
        file.truncate(random.randrange(len(whole)))
        file.seek(0)
        file.write(whole)
P
python3 change.py > changing &
started="$started $!"
await changing changing
for i in 1 2 3 4 5 6 7 8 9 10; do
	"$dtrace" -Zp $target -ln 'pid$target:library.so::entry,pid$target:library.so:inner:return' > out 2>&1
	status=$?
	[ $status -gt 1 ] && echo "status $status" && cat out
	"$dtrace" -Zp $target -lvn 'pid$target:library.so:inner:entry' > out 2>&1
	status=$?
	[ $status -gt 1 ] && echo "status $status" && cat out
done
echo "10 times"
