# Options of lockstat(8): for other programs, rates, one lock or function only,
# event by event.
# @anykernel: what differs between kernels is in command.sh
. "$suite/lib.sh"
lockstat=$(dirname "$dtrace")/lockstat
exec 3>> shared		# so that it stays the same lock
echo "== parsable, rates"
watch_writers '^4 .*write_iter' -e4 -p
awk '/^4 / { print NF, ($2 > 0), ($3 ~ /^0xffff[0-9a-f]+$/), $5 + 0, ($6 > 0) }' out | sort -u
set -- $(grep -m1 write_iter out)
lock=$3 function=${4%+*}
watch_writers '^ *[0-9]' -e4 -RWbt
grep -x 'ops/s indv cuml rcnt     nsec Hottest Lock           Caller' out

echo "== only this lock, only this function"
watch_writers '^4 ' -e4 -pw -l "$lock" -f "$function" -d 1us
awk '{ print ($3 == "'"$lock"'"), ($4 ~ /^'"$function"'/) }' out | sort -u
"$lockstat" -e4 -l "${lock%?}0,1" -d 100s sh run.sh
"$lockstat" -e4 -f schedule sh run.sh

echo "== events"
watch_writers '^ *4 ' -e4 -T -l "$lock"
head -2 out
awk '/^ *4 / { print NF, ($2 > 0), ($3 ~ /^ffff/), ($4 == "'"$lock"'"), ($5 ~ /^'"$function"'/) }' out | sort -u
