# A probe that this kernel has no event for is not listed, and who asks for it
# is told what it would take.
. "$test/../lib.sh"
"$dtrace" -ln vminfo:::zfod 2>/dev/null | grep -q zfod && { echo "this kernel has vminfo:::zfod"; exit 77; }
"$dtrace" -l | grep -c zfod
"$dtrace" -n 'vminfo:::zfod { }' 2>&1
exit 0
