# What the server says of itself; with -w and --max-cost it says so.
# @anykernel: the server, not the kernel
# @once: a page for people, with libraries that guests and sanitizers lack
. "$suite/lib.sh"
. "$suite/live.sh"
live_start -w --max-cost 10% --retention 20s --interval 500ms
get /status | $json
get /status | $json --get "value['destructive'], value['max_cost'], value['retention'], value['interval'], value['replay']"
