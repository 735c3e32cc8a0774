# Text for the shell is cut at strsize.
"$dtrace" -wqn 'BEGIN { system("echo %s%s", "123456789", "abcdefghi"); exit(0); }' -x strsize=14
