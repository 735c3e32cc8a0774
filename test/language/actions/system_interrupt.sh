# A signal that comes while a command of system() runs ends the run after it.
. "$suite/lib.sh"
timeout 60 "$dtrace" -qwn 'BEGIN { system("kill -INT %d; echo done", $pid); }
	tick-1s /ticks++ > 20/ { printf("it goes on\n"); exit(1); }'
echo "status $?"
