# -lv: attributes and argument types.
"$dtrace" -lvn syscall::read:entry | sed 's/^ *[0-9][0-9]* /   ID /'
