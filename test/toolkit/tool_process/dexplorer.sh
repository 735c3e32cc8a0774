# dexplorer: what several tools print beside a known load, in an archive.
. "$suite/toolkit.sh"
name_of_its_own python3
cat > calls.py <<'Y'
import os
while not os.path.exists("stop"): os.getppid()
Y
./$me calls.py &
load=$!
# a tool may have a second of a busy machine: look again until the load was seen
for _ in $(seq 20); do
	rm -rf kept
	DTRACE=$dtrace "$suite/../toolkit/dexplorer" -D -d kept -i 1 syscallbyproc.d topsysproc nosuch > out 2> err
	grep -q "$me" kept/*/syscallbyproc.d.txt && grep -q "$me" kept/*/topsysproc.txt && break
done
touch stop
wait $load
# firings that the kernel skipped (7.x) are told beside the tables
skipped=none
for file in kept/*/*.messages; do
	[ ! -e "$file" ] || grep -qv 'fired while their program ran on that CPU$' "$file" || skipped=${file##*/}
done
sed 's|kept/.*|ARCHIVE|' out
ls kept/*/ | grep -vxF "$skipped"
awk -v me=$me '$1 == me { print ($2 > 100 ? "many calls" : $2) }' kept/*/syscallbyproc.d.txt
tar tzf kept/*.tar.gz | sed 's|^[^/]*/||' | sort | grep -vxF "$skipped"
DTRACE=$dtrace "$suite/../toolkit/dexplorer" -i soon
echo "status $?"
