# Keys with room for long strings: neither short ones nor those that end where the search looks are mixed up.
text=$(printf 'x%.0s' $(seq 64))
updates=
for length in 0 56 64; do
	for last in y z; do
		updates="$updates @[1, strjoin(substr(\"$text\", 0, $length), \"$last\")] = count();"
	done
done
"$dtrace" -x strsize=300 -qn "BEGIN { $updates } BEGIN { $updates exit(0); } END { printa(\"%d %s %@d\\n\", @); }" |
	awk 'NF { print length($2), substr($2, length($2)), $3 }' | LC_ALL=C sort -n
