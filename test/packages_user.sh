#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What an ordinary user with sudo does after `dpkg -i`: packages_user.sh tools|one-liners|more
# Prints a line for each, and what went wrong.  Run by packages_fresh.sh.
set -u
out=$(mktemp) err=$(mktemp)
bad=0

# Something to see: programs start, files are opened, some in vain.
load() {
	while :; do
		ls -l /etc /no-such-file > /dev/null 2>&1
		cat /etc/passwd > "$out.copy"
	done
}
load & busy=$!
trap 'kill $busy' EXIT

# tool PATTERN COMMAND...: runs it for a while, longer if it has shown nothing
tool() {
	local pattern=$1 seconds
	shift
	for seconds in 4 15 60; do
		sudo timeout --foreground -s INT $seconds "$@" > "$out" 2> "$err" < /dev/null
		grep -qE "$pattern" "$out" && break
	done
	result "$*" grep -qE "$pattern" "$out"
}

# result WHAT COMMAND...
result() {
	local what=$1
	shift
	if "$@"; then
		echo "ok   $what"
	else
		echo "BAD  $what"
		tail -n 5 "$out" "$err"
		bad=$((bad + 1))
	fi
}

tools() {
	tool 'ls -l /etc' execsnoop
	tool ' /etc/passwd' opensnoop
	tool 'no-such-file' statsnoop
	tool 'ls .* No such file' errinfo
	tool 'cat +/etc/passwd|/etc/passwd' filebyproc.d
	tool 'ls|cat' syscallbyproc.d
	tool 'openat|read' procsystime -a
	tool ' cat ' rwtop -C -n cat 1 2
	tool 'cat|ls' newproc.d
	tool 'openat\(.*passwd' dtruss cat /etc/passwd
}

# Commands of the guide that end by themselves; a quote may go on in the next lines.
one_liners() {
	local n=0 command
	while IFS= read -r -d '' command; do
		n=$((n + 1))
		bash -c "${command/#dtrace/sudo dtrace}" > "$out" 2> "$err" < /dev/null
		result "$command" test $? = 0 -a -s "$out"
	done < <(awk '/^```/ { is_block = /console/; text = "" }
		is_block && text == "" && /^# dtrace / { text = substr($0, 3); quotes = gsub(/\047/, "&"); is_new = 1 }
		text != "" && !is_new { text = text "\n" $0; quotes += gsub(/\047/, "&") }
		{ is_new = 0 }
		text != "" && quotes % 2 == 0 { if (text ~ /exit\(0\)/ && n++ < 10) printf "%s%c", text, 0; text = "" }' oneliners.md)
	[ $n -ge 10 ] || bad=$((bad + 1))
}

# The live page answers with a page to whoever has its URL, and to nobody else; an editor is answered.
more() {
	local live url host port
	# of a group of its own, because sudo relays no signals of its own group
	setsid sudo dtlive -n 'syscall:::entry { @[execname] = count(); }' > "$out" 2> "$err" < /dev/null &
	live=$!
	for _ in $(seq 600); do
		grep -q '^http://' "$out" && break
		sleep 0.1
	done
	url=$(sed -n 's/^http:\/\///p' "$out")
	host=${url%%:*} port=${url#*:}
	port=${port%%/*}
	get / "Authorization: Bearer ${url#*token=}"
	result "dtlive: a page" grep -q '<script' "$out"
	get / "Authorization: none"
	result "dtlive: not without its token" grep -q '^HTTP/1.1 401' "$out"
	sudo sh -c "kill -TERM $live"
	wait $live
	printf 'Content-Length: 75\r\n\r\n{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}' |
		dtrace --lsp > "$out" 2> "$err"
	result "dtrace --lsp" grep -q '"completionProvider"' "$out"
}

# Path $1 of the server at $host, $port, asked for with header $2.
get() {
	exec 5<> "/dev/tcp/$host/$port"
	printf 'GET %s HTTP/1.1\r\nHost: %s:%s\r\nConnection: close\r\n%s\r\n\r\n' "$1" "$host" "$port" "$2" >&5
	tr -d '\0' <&5 > "$out"
	exec 5>&-
}

case $1 in
tools) tools ;;
one-liners) one_liners ;;
more) more ;;
esac
[ $bad = 0 ]
