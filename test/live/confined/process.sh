# The process that speaks HTTP is nobody, without capabilities, files and new privileges, and with a filter of system calls.
# @once: a page for people, with libraries that guests and sanitizers lack
. "$suite/lib.sh"
. "$suite/live.sh"
live_start -n 'BEGIN { @ = count(); }'
await_state 1 running
grep '^\(Uid\|Gid\|Groups\|NoNewPrivs\|Seccomp\|Cap...\):' /proc/$server/status | tr -s '\t ' ' '
ls -A /proc/$server/root
readlink /proc/$server/root | sed 's/dtlive\.[^ ]*/dtlive.X/'
awk '/Max core|Max processes/ { print $1, $2, $3, $4, $5, $6 }' /proc/$server/limits
# nothing but sockets, pipes, its own numbers, and what it was started with
readlink /proc/$server/fd/* | sed 's/[[:digit:]]\+/N/g; /^\/tmp.*\/\(url\|said\)$/d; /^\/dev\/null$/d' | sort -u
# workers and the inspector are others
pgrep -P $monitor -c -u root
