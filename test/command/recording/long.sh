# Ten seconds of a busy program, with latencies by stack: the replay is the run, as text and as ndjson.
# @once: it is long
. "$suite/lib.sh"
cat > busy.d <<'D'
syscall:::entry /pid == $target/ { self->t = timestamp; }
syscall:::return /self->t/ { @[probefunc, ustack(6)] = quantize(timestamp - self->t); @n = count(); self->t = 0; }
syscall::write:return /pid == $target && n++ % 50 == 0/ { printf("%d %Y %s %k\n", timestamp, walltimestamp, probefunc, ustack(3)); }
tick-1s { printa("%@d calls\n", @n); }
tick-10s { exit(4); }
D
cat > busy.py <<'P'
import os, time
parent = os.getppid()
while os.getppid() == parent:
    os.write(os.open("/dev/null", 1), b"x")
    os.close(3)
    time.sleep(0.001)
P
for form in text ndjson; do
	"$dtrace" -q -x oformat=$form -x interval=1s -x record=$form.rec -s busy.d -c 'python3 busy.py' > $form.out &
done
wait %1; echo "status $?"
wait %2; echo "status $?"
for form in text ndjson; do
	"$dtrace" -x oformat=$form --replay $form.rec > $form.again; echo "status $?"
	cmp $form.out $form.again && [ $(wc -l < $form.again) -gt 50 ] && echo "$form: the same"
done
# a recording of text has all that the others need: every table, snapshots by the second
"$dtrace" -x oformat=ndjson --replay text.rec > other
[ $(grep -c '"type": "snapshot"' other) -ge 10 ] && grep -c '"type": "end"' other
"$dtrace" -x oformat=csv --replay text.rec | grep -c '^aggregation,probefunc,ustack,low,high,count'
