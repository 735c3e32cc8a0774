# shellsnoop: what a shell and its child read and write.
. "$suite/toolkit.sh"
printf 'echo one\nprintf "tw""o\\n" >&2\nenv echo three\n' > typed
talk() { bash < typed; }
tool shellsnoop -- talk > all
head -1 all
awk '$1 == "0" { name = $4; way = $5; $1 = $2 = $3 = $4 = $5 = ""; sub(/^ */, ""); print name, way, $0 }' all > lines
grep -x -e 'bash W one' -e 'bash W two' -e 'echo W three' lines | sort -u
echo "read:"
# another shell may read the same at this moment
grep -e '^bash R echo one' lines | sort -u | wc -l
echo "only the text, of a process"
mkfifo pipe
bash < pipe > heard 2>&1 &
shell=$!
exec 3> pipe
speak() { echo 'echo f""ive; echo done > finished' >&3; for _ in $(seq $looks); do [ -s finished ] && break; sleep 0.05; done; }
tool shellsnoop -q -p $shell -- speak | grep -x five
exec 3>&-
wait $shell
