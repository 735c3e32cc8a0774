# What fbt offers: parts that compilers make are rawfbt's; ids stay.
. "$suite/lib.sh"
needs_functions
"$dtrace" -l -P fbt > all
awk 'NR > 1 && $4 ~ /\./ { print "a part:", $0 }' all | head
awk 'NR > 1 && $4 == "vfs_read" { print $1, $5 }' all > listed
"$dtrace" -l -n 'fbt::vfs_read:' | awk 'NR > 1 { print $1, $5 }' | cmp - listed && echo "same ids"
id=$(awk '$2 == "entry" { print $1 }' listed)
"$dtrace" -l -i "$id" | awk 'NR > 1 { print $3, $4, $5 }'
[ "$(wc -l < all)" -gt 20000 ] && echo "tens of thousands"
# what our programs run on is left out of globs, and there when it is named
"$dtrace" -l -n 'fbt::bpf_prog_put:entry' | awk 'NR > 1 { print $4, $5 }'
grep -c ' bpf_prog_put ' all
true
