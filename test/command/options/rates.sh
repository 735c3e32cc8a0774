# @anykernel: said by the command
# Rates out of reach are changed when tracing begins, and the command says so.
for rate in cleanrate=1ns cleanrate=6000hz cleanrate=2hour cleanrate=101hz statusrate=20s statusrate=5s; do
	echo "$rate"
	"$dtrace" -x "$rate" -n 'BEGIN { exit(0); }' 2>&1 > /dev/null | grep rate
done
echo "quiet"
"$dtrace" -x quiet=YES -x cleanrate=1ns -n 'BEGIN { exit(0); }' 2>&1
