# rwtop: bytes, or calls, of a known program by direction; the largest come first.
. "$suite/toolkit.sh"
name_of_its_own dd
echo "bytes"
tool rwtop -n $me 3600 -- ./$me if=/dev/zero of=there bs=100000 count=50 status=none | unnamed dd > page
awk '/UID/ { print } / dd / { print $4, $5, ($6 >= 5000000 && $6 < 5100000 ? "5 MB" : $6) }' page | sort
grep -o 'app_w: *[0-9]* KB' page
echo "calls"
tool rwtop -cn $me 3600 -- ./$me if=/dev/zero of=there bs=1000 count=700 status=none | unnamed dd |
	awk '/UID/ { print } / dd / { print $5, ($6 >= 700 && $6 < 750 ? "700" : $6) }' | sort
echo "the first one only: $(tool rwtop -t 1 -n $me 3600 -- ./$me if=/dev/zero of=there bs=10000 count=70 |
	unnamed dd | awk '/ dd / { print $5 }')"
echo "so many pages, then the end: $("$dtrace" -s "$suite/../toolkit/rwtop" -n nosuch 1 2 | grep -c UID)"
