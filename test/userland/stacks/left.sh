# The first stacks of a process are copied and walked later.  When its thread has
# left the frames by then, and waits elsewhere, they are not taken for those of
# where it waits.
. "$suite/lib.sh"
cat > left.rb <<'END'
def deep
  60.times { Process.ppid }
end
deep
sleep 1
END
for n in 1 2 3; do
	"$dtrace" -qn 'syscall::getppid:entry /pid == $target/ { @[ustack()] = count(); @all = count(); }' \
		-x aggrate=100hz -c "ruby left.rb" > out || cat out
	grep -c 'sleep\|left.rb:5' out
	grep -o 'ppid\|^ *60$' out | sort | uniq -c | grep -o '60'
done
