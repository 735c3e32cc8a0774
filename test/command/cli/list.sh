# -l: the header, exact columns, order by id.
"$dtrace" -ln 'syscall::open*:entry' | sed 's/^ *[0-9][0-9]* /   ID /' | grep -e PROVIDER -e ' open entry' -e ' openat entry'
"$dtrace" -l -n BEGIN -n END -i 3
"$dtrace" -ln nosuch:::; echo $?
"$dtrace" -l -n a:b:c:d:e; echo $?
"$dtrace" -ln tick-1ms | sed 's/^ *[0-9][0-9]* /   ID /'
