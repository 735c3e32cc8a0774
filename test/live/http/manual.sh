# doc/live-api.md says how to call dtlive: each call of it is made, and answers have the members that it shows.
# @timeout: 300
# @once: a page for people, with libraries that guests and sanitizers lack
. "$suite/lib.sh"
. "$suite/live.sh"
live_start --session session
export live=$base/api/1
token="Authorization: Bearer $token"
export token
timeout 200 python3 "$test/manual.py" "$suite/../doc/live-api.md" "$suite/../live/routes.c" "$suite/../live"
