# execsnoop: each program with its arguments and parent; the filter by name.
. "$suite/toolkit.sh"
cat > starts.sh <<'Y'
echo $$ > parent
env one=1 cat /dev/null
sh -c 'exit 3' "two words" three
ls parent
: the shell goes on
Y
programs() {
	tool execsnoop "$@" -- sh starts.sh > all
	awk -v parent="$(cat parent)" 'NR == 1 { print }
		$3 == parent { $1 = $2 = $3 = ""; sub(/^ */, ""); print }' all
}
echo "programs of a shell, in order"
programs
echo "by name"
programs -c ls
echo "names only"
programs -j
echo "all fields"
tool execsnoop -a -c ls -- sh starts.sh > all
head -1 all
awk -v parent="$(cat parent)" '$1 > 1e15 && $(NF - 2) == parent { print $(NF - 1), $NF }' all
