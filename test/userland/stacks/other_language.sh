# A process executes a program in another language.  Frames of both have their own
# names in one aggregation, which is printed when it is over; and nothing is
# explained, because all have names.
. "$suite/lib.sh"
cat > first.py <<'END'
import os, time
def leave(n):
    for i in range(n):
        os.getppid()
def first(n):
    leave(n)
first(1)
time.sleep(0.5)
first(400)
time.sleep(0.5)
os.execvp("ruby", ["ruby", "second.rb"])
END
cat > second.rb <<'END'
def come(n)
  n.times { Process.ppid }
end
def second(n) = come(n)
second(1)
sleep 0.5
second(500)
sleep 0.5
END
"$dtrace" -qn 'syscall::getppid:entry /pid == $target/ { @[ustack()] = count(); }' \
	-x aggrate=100hz -x switchrate=100hz -c '/usr/bin/python3 first.py' -x explain > out 2> told || cat out told
awk 'NF == 1 && /^ *[0-9]+$/ { if ($1 >= 400) printf "%s%d\n", stack, $1; stack = "" }
	/\(.*:[0-9]+\)|#/ { stack = stack $0 "\n" }' out | sed 's/^ *//'
cat told
