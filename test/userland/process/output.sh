# The command's output and ends are seen; its exit status is told, not taken over; -q says nothing.
cat > three <<'END'
#!/bin/sh
echo "from the child: $*"
exit 3
END
cat > dies <<'END'
#!/bin/sh
ulimit -c 0
kill -KILL $$
END
chmod +x three dies
ends() { sed 's/pid [0-9]*/pid N/'; }
"$dtrace" -o trace -n 'BEGIN' -c './three a  "b c"' 2>&1 | ends
echo "status ${PIPESTATUS[0]}"
"$dtrace" -n 'BEGIN { }' -c ./dies 2>&1 > /dev/null | ends
"$dtrace" -n 'BEGIN { }' -c true 2>&1 > /dev/null | ends
"$dtrace" -qn 'BEGIN { }' -c ./three 2>&1
"$dtrace" -qn 'END { exit(5); }' -c ./three > /dev/null
echo "status $?"
