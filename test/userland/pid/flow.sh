# The C library of a command, call by call: what goes in comes out.
cat > libc_trace.d <<'D'
#!/usr/sbin/dtrace -s
pid$target:libc:*time*:entry,pid$target:libc:*time*:return,
pid$target:libc:set*:entry,pid$target:libc:set*:return,
pid$target:libc:puts:entry,pid$target:libc:fwrite:entry {}
D
LC_ALL=C "$dtrace" -s libc_trace.d -F -c 'date -u -d @0' > out 2>&1
sed -n 's/matched [0-9]* probes/matched N probes/p' out
grep -x 'Thu Jan  1 00:00:00 UTC 1970' out
sed 's/pid [0-9]*/pid N/' out | grep exited
awk 'NF > 1 && $(NF - 1) == "->" { depth[$NF]++ } NF > 1 && $(NF - 1) == "<-" { depth[$NF]-- }
     END { print "setlocale", depth["setlocale"] }' out
grep -q -e '-> setlocale' out && echo "calls are shown"
