# Binary junk gives one message and status 1.
head -c 100000 /bin/ls > junk.d
"$dtrace" -q -s junk.d 2> err; echo $?
head -c 15 err; echo
printf '\377\376\000\001' > nul.d
"$dtrace" -q -s nul.d 2> err; echo $?
head -c 15 err; echo
