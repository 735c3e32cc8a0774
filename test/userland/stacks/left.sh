# The first stacks of a process are copied and walked later.  When its thread has
# left the frames by then, and waits elsewhere, they are not taken for those of
# where it waits.
. "$suite/lib.sh"
cat > left.rb <<'END'
def deep
  60.times { Process.ppid }
end
deep
sleep 100
END
"$dtrace" -qn 'syscall::getppid:entry /execname == "ruby"/ { @[ustack()] = count(); }
	tick-10ms /!armed/ { armed = 1; printf("armed\n"); }' > out 2>&1 &
tracer=$!
await out armed
# It is not there while the process is in these frames.
kill -STOP $tracer
perl -e 'exec qw(ruby left.rb)' &
target=$!
await_exec $target "$(readlink -f /usr/bin/ruby)"
await /proc/$target/syscall '^271 '	# ppoll
kill -CONT $tracer
sleep 0.5
kill $target
kill -INT $tracer
wait
echo "in sleep: $(grep -c 'sleep\|left.rb:5' out)"
awk '/^ *[0-9]+$/ { n += $1 } END { print n " stacks" }' out
