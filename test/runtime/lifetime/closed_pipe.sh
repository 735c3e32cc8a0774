# A reader that goes away ends the run.
. "$suite/lib.sh"
( "$dtrace" -qn 'tick-1ms { printf("line\n"); }' 2> err; echo $? > status ) | head -n 1
await status .
cat status err
