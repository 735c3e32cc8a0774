# What the turns of a loop record is one line for each firing, in every form of output.
d() { "$dtrace" "$@" 2>&1; }
program='
	BEGIN { for (int i = 0; i < 4; i++) if (i != 2) printf("%d ", i); }
	BEGIN { printf("before "); for (int i = 0; i < 2; i++) { trace(i); trace("x"); } printf(" after"); }
	BEGIN { if (pid) { for (int i = 0; i < 2; i++) printf("%d ", i); } else printf("never "); printf("always"); }
	BEGIN { for (int i = 0; i < 0; i++) printf("never"); }
	BEGIN { for (int i = 0; i < 2; i++) x++; }
	BEGIN { for (int i = 0; i < 3; i++) { exit(i); printf("exit(%d) ", i); } }'
_DTRACE_TESTING=1 d -n "$program"
echo "status $?"
echo "-- quiet"
d -qn "$program"
echo
echo "-- actions, and times, of each clause"
"$dtrace" -x oformat=ndjson -n "$program" 2>/dev/null | python3 -c '
import json, sys
clauses = {}
for line in sys.stdin:
    item = json.loads(line)
    if item["type"] == "record":
        clauses.setdefault(item["timestamp"], []).append([a.get("text") or a["action"] for a in item["actions"]])
for records in clauses.values():
    print(records)'
echo "-- recorded, and replayed"
_DTRACE_TESTING=1 d -x record=r -n "$program" > /dev/null
_DTRACE_TESTING=1 d --replay r
echo "-- indented"
cat > flow.d <<'D'
syscall::getppid:entry, syscall::getppid:return /pid == $target/ { for (int i = 0; i < 2; i++) printf("%d ", i); }
syscall::getppid:return /pid == $target/ { for (int i = 0; i < 2; i++) printf("second %d ", i); }
D
d -F -s flow.d -c "python3 -c 'import os; os.getppid(); os.getppid()'" | sed -n 's/^ *[0-9]* \(.*[^ ]\) *$/\1/p' | grep getppid
