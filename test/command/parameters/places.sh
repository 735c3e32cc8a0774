# $NAME in probe descriptions, predicates, bodies and options; before and after its
# declaration, in other programs of the command.
cat > places.d <<'END'
#pragma D option bufsize=$room
#pragma D option quiet=$silent
#pragma D option setenv=GREETING=$greeting
#pragma D parameter room size = 1m "buffer"
#pragma D parameter silent bool = yes "say little"
#pragma D parameter greeting string = hello "for the command"
#pragma D parameter probe string = BEGIN "a probe"
#pragma D parameter every time = 10ms "how often"
#pragma D parameter most int = 2 "how many ticks"
dtrace:::$probe { printf("%s fires\n", probename); }
tick-$every /++n >= $most/ { printf("%s %d\n", probename, n); exit(0); }
END
"$dtrace" -n 'BEGIN { printf("all see %d\n", $most); }' -s places.d
"$dtrace" -s places.d --every=1ms --most=1 --no-silent 2>&1 | grep -o "matched.*\|[BE][^ ]* fires\|tick[^ ]* 1"
"$dtrace" -l -s places.d --probe 'B*N' --every 1s | awk '{ print $NF }'
# the environment is that of the command, so the option is read before it starts
"$dtrace" -qs places.d --every=1m --greeting "good morning" -c 'sh -c "echo \"$GREETING\" > greeting"' > /dev/null
cat greeting
# a program on the command line has them, too, and its bufsize is used
"$dtrace" -n '#pragma D parameter size size = 1k "of a buffer"
#pragma D option bufsize=$size
BEGIN { trace($size); exit(0); }' --size 5000 2>&1 | grep -v CPU | tr -s ' '
# other macros in options stay as they are
"$dtrace" -qn '#pragma D option setenv=X=$1$HOME$$
BEGIN { }' -c 'sh -c "echo \"$X\""'
