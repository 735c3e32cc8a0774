# shortlived.d: processes that start and end, their number by parent, and their CPU time.
. "$suite/toolkit.sh"
name_of_its_own python3
cat > starts.sh <<Y
echo \$\$ > parent
./$me -c 'for _ in range(3000000): pass'
./$me -c 'for _ in range(3000000): pass'
: the shell goes on
Y
tool shortlived.d -- sh starts.sh > out
awk -v me=$me -v parent="$(cat parent)" '
	/short lived/ || /sample duration/ { print $1, $2, $3, ($4 > 0 ? "some time" : $4) }
	/number of/ { print "processes:", ($4 >= 2 ? "two or more" : $4) }
	/by process name/ { section = "name" } /by PPID/ { section = "parent" }
	section == "name" && $1 == me { mine = $2; print "python3", ($2 > 0 ? "some time" : $2), $3 }
	section == "parent" && $1 == parent { print "its parent", ($2 == mine ? "the same" : $2 " of " mine), $3 }' out
