# dnlcsnoop.d, dnlcps.d, dnlcstat: names that are found in the cache of dentries, those that are
# known not to exist, and those that a file system is asked for.
. "$suite/toolkit.sh"
needs_functions
name_of_its_own stat
directory=$(mktemp -d /dev/shm/dnlc.XXXXXX)
trap 'rm -r $directory' EXIT
touch "$directory/known-name"
cat > load.sh <<Y
for _ in 1 2 3; do ./$me -c %n $directory/known-name $directory/no-such-name; done
Y
tool dnlcsnoop.d -n $me -- sh load.sh > out
head -1 out | awk '{ print $1, $2, $3, $4 }'
awk '/known-name|no-such-name/ { print $3, $4 }' out | sort | uniq -c | awk '{ print $1 >= 2, $2, $3 }'
echo "misses only"
tool dnlcsnoop.d -m -n $me -- sh load.sh | awk 'NR > 1 && $3 != "miss"' | wc -l
echo "by process"
tool dnlcps.d -n $me -- sh load.sh > out
awk -v me=$me '/^CMD/ { print $1, $2, $3, $4 } $1 == me && $3 == "hit" { n++; hits += $4 } END { print n, (hits >= 9) ? "enough" : hits }' out
echo "in intervals"
tool dnlcstat 100 -- sh load.sh > out
head -1 out | awk '{ print $1, $2, $3, $4 }'
awk 'NR == 2 { print ($1 > 0 && $1 <= 100 && $2 >= 9 && $2 >= $3) ? "hits" : $0 }' out
