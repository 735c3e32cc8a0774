# Requests for another host, or from another site, are refused; answers forbid scripts of others, frames and sniffing.
# @anykernel: the server, not the kernel
# @once: a page for people, with libraries that guests and sanitizers lack
. "$suite/lib.sh"
. "$suite/live.sh"
live_start --name workstation
port=${base##*:}
try() {
	printf '%s: ' "$*" | sed "s/$port/PORT/g"
	ask -o answer -w '%{http_code} ' "$@" "$base/api/1/status"
	$json --get "value.get('error', {}).get('code')" < answer
}
try -H "Host: localhost:$port"
try -H "Host: workstation:$port"
try -H "Host: [::1]:$port"
try -H 'Host: evil.example'
try -H "Host: evil.example:$port"
try -H 'Host: 127.0.0.1'
try -H "Host: 127.0.0.1:1"
try -H 'Sec-Fetch-Site: same-origin'
try -H 'Sec-Fetch-Site: none'
try -H 'Sec-Fetch-Site: cross-site'
try -H 'Sec-Fetch-Site: same-site'
try -H "Origin: $base"
try -H "Origin: http://evil.example"
try -H "Origin: null"
change() {
	printf 'change %s: ' "$*" | sed "s/$port/PORT/g"
	ask -o answer -w '%{http_code} ' "$@" -X POST -d '{"t":1,"text":"x"}' "$base/api/1/annotations"
	$json --get "value.get('error', {}).get('code')" < answer
}
J='Content-Type: application/json'
change -H "$J"
change -H "$J; charset=utf-8" -H "Origin: $base" -H 'Sec-Fetch-Site: same-origin'
change -H "$J" -H 'Sec-Fetch-Site: none'
change -H "$J" -H 'Sec-Fetch-Site: cross-site'
change -H "$J" -H 'Origin: http://127.0.0.1:1'
change -H "$J" -H "Origin: https://127.0.0.1:$port"
change -H 'Content-Type: text/plain'
change -H 'Content-Type: application/x-www-form-urlencoded'
change -H 'Content-Type: application/jsonp'
ask -D headers -o /dev/null "$base/api/1/status"
tr -d '\r' < headers | grep -v '^Date\|^Content-Length' | sort
grep -i 'access-control' headers
true
