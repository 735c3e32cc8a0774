# -l of a process, of a glob, by every part of the name, in both spellings.
. "$suite/lib.sh"
"$triggers/sites" > /dev/null &
one=$!
"$triggers/sites" > /dev/null &
two=$!
await_ready $one
await_ready $two
list() {
	echo "# $1" | sed "s/$one/ONE/; s/$two/TWO/"
	"$dtrace" -ln "$1" 2>&1 | sed "s/$one/ONE/g; s/$two/TWO/g" | awk '{ print $2, $3, $4, $5 }' | sort
}
list "sites$one:::"
list "sites*:::two-places" | grep -e ONE -e TWO
list "sites$two:::two__places"
list "sites$two:a.out:twice:"
list "s?tes*:sites:memory:seg*" | grep -e ONE -e TWO
"$dtrace" -lvn "sites$one:::guarded" | sed -n '/Argument Types/,$p'
kill $one $two
wait
