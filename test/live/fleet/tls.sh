# TLS with certificates of one's own authority; a plain connection, and one that does not know the authority, fail with a reason.
# @anykernel: messages and processes, not the kernel
# @once: a page for people, with libraries that guests and sanitizers lack
. "$suite/lib.sh"
. "$suite/fleet.sh"
fleet_network
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=authority -keyout ca.key -out ca.pem 2> made
certificate() {
	openssl req -newkey rsa:2048 -nodes -subj /CN=$1 -keyout $1.key -out $1.csr 2>> made
	printf 'subjectAltName=IP:10.78.0.1\n' > extensions
	openssl x509 -req -in $1.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile extensions -out $1.pem 2>> made
}
certificate server
certificate client
nats_start --tlsverify --tlscert server.pem --tlskey server.key --tlscacert ca.pem
echo "== plain"
"$dtlive" run --nats $url -n 'BEGIN { exit(0); }' 2>&1
echo "status $?"
"$dtlive" agent --nats $url --host one 2>&1
echo "status $?"
echo "== an authority that is not known"
"$dtlive" run --nats tls://10.78.0.1:4222 -n 'BEGIN { exit(0); }' 2>&1 | sed 's/: [^:]*certificate.*/: something about certificates/'
echo "== both with certificates"
tls='--tls-ca ca.pem --tls-cert client.pem --tls-key client.key'
url=tls://10.78.0.1:4222
agent one $tls
"$dtlive" run --nats $url $tls -n 'BEGIN { printf("hello\n"); exit(0); }' 2>&1
echo "status $?"
echo "== TLS to a plain server"
nats-server -a 10.78.0.1 -p 4333 > plain.log 2>&1 &
processes="$processes $!"
await plain.log 'Server is ready'
"$dtlive" run --nats tls://10.78.0.1:4333 $tls -n 'BEGIN { exit(0); }' 2>&1
echo "status $?"
