# newproc.d, procsnoop.d, pidpersec.d: processes of a known shell as they begin and end.
. "$suite/toolkit.sh"
cat > starts.sh <<'Y'
echo $$ > parent
cat /dev/null
env two=words ls parent
: the shell goes on
Y
tool newproc.d -- sh starts.sh > out
awk -v parent="$(cat parent)" 'NR == 1 { print $1, $2, $3, $4 } $6 == parent { $1 = $2 = $3 = $4 = $5 = $6 = ""; sub(/^ */, ""); print }' out
tool procsnoop.d -- sh starts.sh > out
awk -v parent="$(cat parent)" 'NR == 1 { print $2, $3, $4, $5, $6 }
	$2 == parent && $5 == "fork" { print "the shell forks"; child[$6] = 1 }
	$3 == parent && child[$2] && $5 == "exec" { $1 = $2 = $3 = ""; sub(/^ */, ""); print }
	$3 == parent && child[$2] && $5 == "exit" { print $4, $5, $6 }' out | sort
name_of_its_own python3
echo "failed: $(tool procsnoop.d -n $me -- ./$me -c 'import os; os.execv("/no/such", ["x"])' | awk '$5 == "failed" { print $6 }')"
echo "only its own: $(tool procsnoop.d -n $me -- ./$me -c 'import os; os.system("true"); os._exit(0)' | awk -v me=$me 'NR > 1 { print ($4 == me ? "yes" : $0) }' | sort -u)"
tool pidpersec.d -- sh starts.sh > out
awk '/PID\/s/ { print $1, $2, $3; next } { n += $NF; if ($(NF - 1) > 0) last = 1 } END { print (n >= 2 ? "two or more" : n), last }' out
