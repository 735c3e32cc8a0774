# Metrics of one program report what it does.
# @timeout: 300
# @once: a page for people, with libraries that guests and sanitizers lack
. "$suite/metrics.sh"
need_speed "tracing a Python program"
own_ext4 96M
/usr/bin/python3 "$test/load.py" there > rounds 2>&1 &
load=$!
trap 'kill $load; wait $load; umount -q $loop; losetup -d $loop' EXIT
await rounds round
cat > two_rounds <<'Y'
have=$(grep -c round rounds)
until [ $(grep -c round rounds) -gt $((have + 2)) ]; do sleep 0.05; done
Y
metric metrics --json | python3 -c '
import json, sys
print(*(m["name"] for m in json.load(sys.stdin)["metrics"] if m["entry"] == "program"))' > names
# it has no functions that can be named, and its locks are the interpreter'\''s
sed -i 's/program.functions //' names
echo "program.mutexes threads need not meet" > silent
# shellcheck disable=SC2046
observe --pid $load --may-be-silent silent 'sh two_rounds' $(cat names)
