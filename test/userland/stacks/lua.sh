# Lua's own frames, in place of its interpreter's loop, are those that
# debug.getinfo() says: functions by the names of what they are stored in,
# metamethods, calls back from C (gsub, sort, pcall), coroutines, also ones that
# have waited in a call from C; in a process that is started, and in one that
# runs already.  All stacks are complete.
. "$suite/lib.sh"
. "$suite/frames.sh"
command -v lua5.4 > /dev/null || { echo "lua5.4 is missing: apt-get install lua5.4"; exit 1; }
script="$suite/userland/stacks/lua_frames.lua"

# The last frame, which has no name in the stripped file, is in _start().
check() {
	check_frames "$1" "the interpreter" __libc_start_main 1
}

"$dtrace" -qn 'syscall::unlink:entry /pid == $target/ { ustack(200); printf("--\n"); }' \
	-c "lua5.4 $script expected" > out 2> err
cat err
check started

mkfifo go
lua5.4 "$script" expected wait < go > said &
target=$!
exec 3> go
await said ready
"$dtrace" -qn 'syscall::unlink:entry /pid == $target/ { ustack(200); printf("--\n"); }
	tick-10ms /!armed++/ { system("echo > /proc/%d/fd/0", $target); }' -w -p $target > out 2> err
exec 3>&-
cat err
check running
wait $target

# As keys of an aggregation, printed when the process is gone.
"$dtrace" -qn 'syscall::unlink:entry /pid == $target/ { @[ustack(200)] = count(); }' \
	-c "lua5.4 $script expected" > out 2> err
cat err
grep -c '^ *0x' out
grep -F ' Shop.fixed(' out | sort | uniq -c | awk '{ print $1, $2 }'
