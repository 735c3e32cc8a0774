# A command whose tracing cannot begin never runs, and does not stay behind.
cat > mark <<'END'
#!/bin/sh
echo ran > ran
END
chmod +x mark
"$dtrace" -qn 'BEGIN { trace(nosuch); }' -c ./mark > /dev/null 2>&1; echo "status $?"
"$dtrace" -qn 'BEGIN { system("true"); }' -c ./mark > /dev/null 2>&1; echo "status $?"
"$dtrace" -e -qn 'BEGIN { printf("%d", $target); }' -c ./mark; echo "status $?"
"$dtrace" -ln 'BEGIN' -c ./mark > /dev/null; echo "status $?"
ls ran mark 2>&1
# killed while it holds the command: reading a script that never comes
mkfifo script
"$dtrace" -qs script -c 'sleep 60.123' &
tracer=$!
for _ in $(seq 6000); do
	child=$(pgrep -P $tracer -f 'sleep 60.123') && break
	sleep 0.01
done
kill -9 $tracer; wait $tracer 2> /dev/null
for _ in $(seq 6000); do
	kill -0 "$child" 2> /dev/null || { echo "nothing left"; break; }
	sleep 0.01
done
