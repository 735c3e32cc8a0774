# A probe that this kernel has no event for is not listed, and who asks for it
# is told what it would take.
. "$suite/lib.sh"
"$dtrace" -ln vminfo:::anonpgin 2>/dev/null | grep -q anonpgin && { echo "this kernel has vminfo:::anonpgin"; exit 77; }
"$dtrace" -l | grep -c anonpgin
"$dtrace" -n 'vminfo:::anonpgin { }' 2>&1
exit 0
