# kill -9 of a busy recorder leaves a recording that replays up to there, in whole records.
. "$suite/lib.sh"
"$dtrace" -q -x switchrate=5ms -x record=run -n 'profile-997 /cpu == 0/ { printf("%d record\n", n++); @ = count(); }' > out 2>&1 &
tracer=$!
disown
await out 200
kill -9 $tracer
for _ in $(seq $looks); do kill -0 $tracer 2>/dev/null || break; sleep 0.05; done
"$dtrace" --replay run > again 2> said; echo "status $?"
cat said
awk '$1 != NR - 1 || $2 != "record" || NF != 2 { print "wrong: " $0 } END { print (NR > 150) ? "records, one after the other" : NR }' again
