# Requests that are damaged anywhere are refused or forgotten; the same process goes on to answer.
# @anykernel: the server, not the kernel
. "$suite/lib.sh"
. "$suite/live.sh"
live_start --client-timeout 5s
before=$server
python3 "$test/damaged.py" "${base##*:}" "$token" 4 2> /dev/null
live_server
[ "$server" = "$before" ] && echo "the same process"
get /status | $json --get "value['replay'], value['lost']"
