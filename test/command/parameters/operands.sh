# #pragma D operand: values that need no --NAME, in the order of their declarations.
# @anykernel: the kernel sees one BEGIN
exec 2>&1
cat > say.d <<'D'
#pragma D option quiet
#pragma D usage "Say what was given."
#pragma D parameter loud -l bool "louder"
#pragma D operand path string "of a file"
#pragma D operand interval count = 5 "seconds between lines"
#pragma D operand pages count = 0 "how many; no end if not given"
BEGIN { printf("%s %d %d %d", $path, $interval, $pages, $loud); exit(0); }
D
try() {
	echo "-- $*"
	"$dtrace" -s say.d "$@"
	echo "status $?"
}
try --help
try -h
try /etc/motd
try /etc/motd 3 -l
try -l /etc/motd 3 4
try /etc/motd --pages 7
try --path /a /b
try -- -x
try "two words" 010
try
try /etc/motd x
try /etc/motd -- -1
try /etc/motd 1 2 3
echo "-- standard input"
"$dtrace" -s /dev/stdin /etc/motd 2 < say.d
wrong() {
	echo "-- $1"
	printf '%s\n' "$@" 'BEGIN { exit(0); }' > wrong.d
	"$dtrace" -qs wrong.d
	echo "status $?"
}
wrong '#pragma D operand path'
wrong '#pragma D operand path -p string "no letter"'
wrong '#pragma D operand loud bool "a switch"'
wrong '#pragma D operand first count = 1 "may be left out"' '#pragma D operand second count "may not"'
wrong '#pragma D operand pid pid "a macro"'
