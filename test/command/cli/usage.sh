# No argument: usage on stderr, exit status 2.
"$dtrace" 2> err; echo $?; head -c 6 err; echo
"$dtrace" -0 2> err; echo $?
"$dtrace" -l -V 2>&1; echo $?
