# @anykernel: node starts slowly in an emulated machine; jit.sh shows the same
# JavaScript's own frames: function, file and line are those that V8 says itself,
# through callbacks from builtins, generators, promises, recursion and threads, in
# interpreted, baseline, optimised and inlined code; in a process that is started,
# and in one that runs already.  No flag of node.  All stacks are complete, also of a
# process that makes its code while it is traced.
. "$suite/lib.sh"
. "$suite/frames.sh"
command -v node > /dev/null || { echo "node is missing: apt-get install nodejs"; exit 1; }
script="$suite/userland/stacks/node_frames.js"

# It stays until all of its stacks are printed.
program='syscall::getppid:entry /pid == $target/ { ustack(200); printf("--\n"); }
	syscall::kill:entry /pid == $target && arg1 == 0/ { system("touch expected.end"); }'

"$dtrace" -qn "$program" -w -c "node $script expected" > out 2> err
cat err
check_frames started V8

rm -f expected*
node "$script" expected wait > ready &
target=$!
await ready ready
"$dtrace" -qn "$program"' tick-10ms /!armed++/ { system("kill -USR2 %d", $target); }' -w -p $target > out 2> err
cat err
check_frames running V8
wait $target

cat > short.js <<'END'
function step() { let s = 0; for (let i = 0; i < 1e5; i++) s += Math.sqrt(i) * s; return s; }
// a second of the CPU, however many want it
function loop() { step(); if (process.cpuUsage().user < 1000000) setImmediate(loop); }
loop();
END
# The first stacks may come faster than dtrace looks, on a busy machine.
whole() {
	awk '/^ +[0-9]+$/ { all += $1; if (stack ~ /_start/) whole += $1; stack = ""; next }
		{ stack = stack "\n" $0 }
		END { print (all >= 30 && whole >= all * 0.8 ? "whole" : whole " of " all " whole") }'
}
"$dtrace" -qn 'profile-499 /pid == $target && tid == $target/ { @[ustack(120)] = count(); }' -c 'node short.js' | whole
"$dtrace" -qn 'BEGIN { system("node short.js &"); } profile-499 /execname == "node" && pid == tid/ { @[ustack(120)] = count(); }
	syscall::exit_group:entry /execname == "node"/ { exit(0); }' -w | whole
