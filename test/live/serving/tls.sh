# Another address needs TLS and a password, or certificates of clients; both work, and nothing else does.
# @anykernel: the server, not the kernel
# @once: a page for people, with libraries that guests and sanitizers lack
. "$suite/lib.sh"
. "$suite/live.sh"
for name in server client other; do
	openssl req -x509 -newkey rsa:2048 -nodes -keyout $name.key -out $name.crt -days 2 -subj /CN=$name 2> /dev/null
done
echo 'correct horse' > password
try() {
	curl -sk -o answer -w '%{http_code} ' "$@" || echo "curl: $?"
	$json --get "value.get('error', {}).get('code')" < answer
}
start() {
	rm -f url
	"$dtlive" --listen 0.0.0.0:0 --tls-cert server.crt --tls-key server.key "$@" > url 2> said &
	monitor=$!
	trap live_stop EXIT
	await url https
	url=$(cat url)
	base=https://127.0.0.1:$(sed 's|.*0.0.0.0:\([0-9]*\)/.*|\1|' url)
	for _ in $(seq $looks); do
		curl -sk -o /dev/null "$base/" && break
		sleep 0.05
	done
}
start --password-file password
token=${url#*token=}
try $base/api/1/status
try -u 'me:correct horse' $base/api/1/status
try -u 'me:wrong horse' $base/api/1/status
try -H "Authorization: Bearer $token" $base/api/1/status
curl -sk -D headers -o /dev/null $base/
grep -i '^www-auth' headers | tr -d '\r'
curl -sk -D headers -o /dev/null "$base/?token=$token"
grep -c 'Secure' headers
try -u 'me:correct horse' -H 'Host: evil.example' $base/api/1/status
for version in 1.0 1.1 1.2 1.3; do
	curl -sk -o /dev/null -w "TLS $version: %{http_code}\n" --tls-max $version --ciphers 'ALL:@SECLEVEL=0' -u 'me:correct horse' $base/api/1/status
done
curl -s -o /dev/null -w '%{http_code}\n' http://${base#https://}/api/1/status
live_stop
start --client-ca client.crt
sed 's/:[0-9]*\/$/:PORT\//' url
try $base/api/1/status
try --cert client.crt --key client.key $base/api/1/status
try --cert other.crt --key other.key $base/api/1/status
live_server
grep '^\(CapEff\|Seccomp\):' /proc/$server/status
live_stop
start --client-ca client.crt --password-file password
try $base/api/1/status
try -u 'me:correct horse' $base/api/1/status
live_stop
echo nonsense > server.key
"$dtlive" --listen 127.0.0.1:0 --tls-cert server.crt --tls-key server.key 2>&1 | grep dtlive:
