# Without the right token there is nothing: no page, no script, no answer, not even which paths there are.
# @anykernel: the server, not the kernel
# @once: a page for people, with libraries that guests and sanitizers lack
. "$suite/lib.sh"
. "$suite/live.sh"
live_start
try() {
	curl -s -o answer -w '%{http_code} ' "$@"
	head -c 32 answer | sed 's/version".*/version"/'
	echo
}
for path in / /live.js /live.css /api/1/status /api/1/events /nothing '/?token=' '/?token=x' "/?token=${token}0" "/?token=${token%?}"; do
	printf '%s ' "${path%%[0-9a-f][0-9a-f][0-9a-f][0-9a-f]*}"
	try "$base$path"
done
try -H 'Authorization: Bearer ' "$base/api/1/status"
try -H "Authorization: Bearer ${token%?}" "$base/api/1/status"
try -H "Authorization: Bearer ${token}0" "$base/api/1/status"
try -H "Authorization: Basic $(printf "x:$token" | base64 -w0)" "$base/api/1/status"
try -H "Cookie: dtlive=x" "$base/api/1/status"
try -H "Cookie: dtlive=$token" "$base/api/1/status"
try -X POST -H 'Content-Type: application/json' -d '{"program":"BEGIN{}"}' "$base/api/1/instrumentations"
# the URL that it printed makes a cookie, and leads to the page
curl -s -D headers -o /dev/null "$url"
tr -d '\r' < headers | sed -n "s/$token/TOKEN/; s/dtlive_[0-9]*/dtlive_PORT/; /^HTTP\|^Set-Cookie\|^Location/p"
curl -s -c jar -o /dev/null "$url"
curl -s -b jar -o /dev/null -w '%{http_code}\n' "$base/api/1/status"
get /instrumentations
echo
