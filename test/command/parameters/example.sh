# The script that the tutorial shows: a read that takes long, and whose it is.
script=$suite/../examples/slower.d
grep -A8 '^string$' "$suite/../doc/guide/tutorial.md" > readme.txt
grep -A8 '^string$' "$script" | cmp - readme.txt && echo as in the tutorial
"$dtrace" -qs "$script" --help | sed 's|/[^ ]*/slower.d|slower.d|'
cat > slow.py <<'P'
import os, time
r, w = os.pipe()
if not os.fork():
    time.sleep(0.5)
    os.write(w, b"x")
    os._exit(0)
os.read(r, 1)
P
"$dtrace" -qs "$script" --min 200ms --name python3 -c 'sh -c "python3 slow.py; :"' | grep -o 'ms read  *< python3 < sh < dtrace'
