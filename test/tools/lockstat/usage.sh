# What lockstat(8) refuses, and why.
# @anykernel: no probe fires
lockstat=$(dirname "$dtrace")/lockstat
for options in -Z -Dnone -e17 -e1,x -e3 -e33 -dlong -fno_such_function -lno_such_lock -s51 -sx; do
	"$lockstat" $options true > out 2>&1
	echo "$? $(head -1 out | sed 's/^[^ ]*lockstat: /lockstat: /')"
done
"$lockstat" > out 2>&1
echo "$? $(head -1 out)"
"$lockstat" -o /no/such/file true
"$lockstat" -I no_such_command
"$dtrace" -n lockstat:::spin-acquire 2>&1 | tail -1
"$dtrace" -n lockstat:::rw-upgrade 2>&1 | tail -1
