# Options: the help has all of them, and what is wrong is refused with a reason before anything starts.
# @anykernel: nothing is traced
# @once: a page for people, with libraries that guests and sanitizers lack
. "$suite/lib.sh"
. "$suite/live.sh"
"$dtlive" --help
try() {
	"$dtlive" "$@" 2>&1 | sed 's/=[0-9a-f]\{48\}/=TOKEN/'
}
try --nothing
try --port
try --port x
try --port 99999999
try --interval 1
try --interval never
try --retention 1s
try --max-cost none
try --max-cost 0
try --max-memory 1k
try --speed -1
try --idle-max x
try -p x -n 'BEGIN {}'
try -p 1
try -c ls
try --record file
try --replay /nonexistent
try --replay x -n 'BEGIN {}'
try --tls-cert /nonexistent
echo cert > cert
echo short > password
try --tls-cert cert
try --password-file password
try --client-ca cert
try --listen 0.0.0.0:0
try --listen 0.0.0.0:0 --tls-cert cert --tls-key cert
try --listen nowhere:80
try --listen 127.0.0.1
try --port 1 --listen 127.0.0.1:0
echo 'not a token' > token
try --token-file token
try frobnicate
