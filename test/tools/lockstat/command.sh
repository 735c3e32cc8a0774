# lockstat(8) finds the lock that writers of one file wait for, with who wanted
# it, and with stacks.
# @timeout: 300
. "$suite/lib.sh"
watch_writers '^ *[0-9].*write_iter' -e4 -P
sed -n 's/: [1-9][0-9]* events in [0-9.]* seconds ([0-9]* events\/sec)$/: events/p; /^Count/p' out
grep -m1 '^---' out
sed -n '/write_iter/ { s/^ *[1-9][0-9]* *[0-9]*% *[0-9]*% //; s/ *[0-9]* 0xffff[0-9a-f]* .*write_iter.*/ a write to the file/p }' out | sort -u

echo "== stack and histogram"
watch_writers '^ *[0-9].*write_iter' -k -s 3 -e4
grep -x 'Count indv cuml rcnt     nsec Lock                   Caller' out | sort -u
grep -x '      nsec ------ Time Distribution ------ count     Stack' out | sort -u
grep -cE '^ *[0-9]+ \|@* +[0-9]+' out | sed 's/^[1-9][0-9]*$/buckets/'
grep -oE '\<(ksys|vfs)_write$' out | sed 's/vfs/ksys/' | sort -u
