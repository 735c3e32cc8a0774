# Every metric of the machine that is available reports something while a bit of everything
# happens; those that may not are in silent.txt, with the reason.  No program faults.
# @timeout: 600
# @once: a page for people, with libraries that guests and sanitizers lack
. "$suite/metrics.sh"
need_speed "tracing a hundred metrics"
own_ext4 96M
/usr/bin/python3 "$test/load.py" there > rounds 2>&1 &
load=$!
trap 'kill $load; wait $load; umount -q $loop; losetup -d $loop' EXIT
await rounds round
metric metrics | awk '$2 == "yes" && !/^(postgres|mysql|redis|nginx|java|python|ruby|node|php|program)\./ { print $1 }' > available
cat > two_rounds <<'Y'
have=$(grep -c round rounds)
until [ $(grep -c round rounds) -gt $((have + 2)) ]; do sleep 0.05; done
Y
# a kernel may lack a probe of these, too
grep -F -f available -w "$test/silent.txt" > silent
# shellcheck disable=SC2046
observe --may-be-silent silent 'sh two_rounds' $(grep -v tcp.retransmits available)
# a second passes before the kernel asks again
observe 'sleep 2.5' tcp.retransmits
sed '/^round$/d' rounds
