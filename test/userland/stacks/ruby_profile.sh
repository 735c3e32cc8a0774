# Threads of Ruby that call, sort, match, compress, raise exceptions and switch
# fibers: of the samples of a profile 99 in 100 are complete to the start of the
# thread or fiber, whatever they interrupt, and 99 in 100 frames of its loop are Ruby's.
. "$suite/lib.sh"
need_speed "an interpreter"

mkfifo go
ruby "$suite/userland/stacks/ruby_load.rb" < go > said 2>&1 &
target=$!
exec 3> go
await said ready
"$dtrace" -x aggsize=64m -qn 'profile-997 /pid == $target && arg1/ { @[ustack(400)] = count(); n++; }
	profile-997 /pid == $target && !arg1/ { @[ustack(400)] = count(); n++; }
	tick-10ms /n >= 3000/ { exit(0); }' -p $target > out 2> err
exec 3>&-
wait $target
cat err
