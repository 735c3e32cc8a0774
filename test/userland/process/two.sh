# Two -c and a -p: the run ends with the last of them; the first is $target.
sh -c 'until [ -e end ]; do sleep 0.05; done' & other=$!
"$dtrace" -n 'syscall::exit_group:entry /pid == $target/ { printf("target exits %d", arg0); }' \
	-c 'sleep 0.5' -c 'true' -p $other -c 'touch end' 2> err | grep -o 'target exits 0'
sed "s/pid $other/pid P/; s/pid [0-9][0-9]*/pid N/" err | sort
