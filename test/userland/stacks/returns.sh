# Functions whose return is probed: at the entry, before there is a frame, the
# caller is not missing; at the return the function comes first.  In the kernel's
# way the function has returned and its caller comes first; the address that the
# kernel put in the way is never shown, nor does it end the stack.
. "$suite/lib.sh"
for options in "" "-x uretprobe"; do
# shellcheck disable=SC2086
"$dtrace" $options -qn 'pid$target:handler:outer:return, pid$target:handler:middle:return, pid$target:handler:inner:return { }
	syscall::getppid:entry /pid == $target/ { printf("call"); ustack(6); }
	pid$target:handler:inner:return { printf("return"); ustack(3); }
	pid$target:handler:inner:entry { printf("entry"); ustack(3); }' \
	-c "$triggers/handler plain" 2>err | plain_stack
grep -v '^$' err
done
"$triggers/frames" 3 &
target=$!
await_ready $target
"$dtrace" -x uretprobe -qn 'pid$target:frames:outer:return, pid$target:frames:middle:return { }
	syscall::getppid:entry /pid == $target && n++ == 1/ { printf("again %d", ustackdepth); ustack(4); printf("%A\n", ucaller); }
	tick-10ms /!armed/ { armed = 1; printf("armed\n"); }' -p $target > out 2>&1 &
tracer=$!
await out armed
kill -USR1 $target
await out again
kill -USR1 $target
wait $target
wait $tracer
sed '/armed/d; s/+0x[0-9a-f]*//' out
