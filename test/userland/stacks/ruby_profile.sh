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
"$dtrace" -x aggsize=64m -qn 'profile-997 /pid == $target/ { @[ustack(400)] = count(); n++; }
	tick-10ms /n >= 2000/ { exit(0); }' -p $target > out 2> err
exec 3>&-
wait $target
cat err

# A stack is whole if it ends in the thread's start, or in the fiber's, which Ruby has
# no name for.  Where a loop was, before rb_vm_exec(), is a frame of Ruby.
awk '/^ +[0-9]+$/ { all += $1; if (last ~ /_start|libc\.so/ || (last ~ /^libruby.*`0x/ && has_loop)) whole += $1
	last = ""; has_loop = 0; next }
     NF { if ($1 ~ /`rb_vm_exec[+]/) { loops++; has_loop = 1; if (last ~ /`/) bare++ }
	  if ($1 ~ /^0x/) nameless++; frames++; if ($1 ~ /^Tree#each/) own++; last = $1 }
     END { print (all >= 1000 ? "enough" : all + 0), "samples,",
	   (whole >= all * 0.99 ? "complete" : whole " of " all " complete") ",",
	   (bare <= loops * 0.01 ? "loops are Ruby" : bare " of " loops " loops without frames") ",",
	   (nameless <= frames * 0.01 ? "named" : nameless " of " frames " without a name") ",",
	   (own ? "with" : "without"), "methods of the program" }' out
