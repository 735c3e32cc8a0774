# @anykernel: node starts slowly in an emulated machine; jit.sh shows the same
# jstack() of JavaScript: names of functions as node writes them, between those
# of node itself, down to the program's start.  Traced from its start on, node
# makes its code while it is traced; its stacks are as whole.
command -v node > /dev/null || { echo "node is not installed"; exit 77; }
cat > spin.js <<'END'
function innerLoop(n) { let s = 0; for (let i = 0; i < n; i++) s += Math.sqrt(i) * s; return s; }
function middleStep(n) { return [1, 2, 3].map(x => innerLoop(n * x)).reduce((a, b) => a + b, 0); }
function outerLoop() { for (let i = 0; i < 10; i++) middleStep(5000); setImmediate(outerLoop); }
outerLoop();
console.log("ready");
END
node --perf-basic-prof --no-opt --always-sparkplug spin.js > ready &
target=$!
for _ in $(seq 600); do grep -q ready ready 2>/dev/null && break; sleep 0.1; done
"$dtrace" -qn 'profile-997 /pid == $target && tid == $target/ { @[jstack(80)] = count(); n++; }
	tick-10ms /n >= 200/ { exit(0); }' -p $target > out
kill $target
wait $target 2>/dev/null
rm -f /tmp/perf-$target.map
awk '/^ +[0-9]+$/ { all += $1
		if (stack ~ /innerLoop[^\n]*spin.js:1:[^\n]*\n.*middleStep[^\n]*spin.js:2:[^\n]*\n[^\n]*outerLoop[^\n]*spin.js:3:.*node`.*`main|innerLoop.*middleStep.*outerLoop.*node`.*_start/) named += $1
		if (stack ~ /_start/) whole += $1
		stack = ""; next }
	{ stack = stack "\n" $0 }
	END { print (named > all / 2 ? "named" : named " of " all " named"); print (whole >= all * 0.99 ? "whole" : whole " of " all " whole") }' out
cat > short.js <<'END'
function step() { let s = 0; for (let i = 0; i < 1e5; i++) s += Math.sqrt(i) * s; return s; }
// a second of the CPU, however many want it
function loop() { step(); if (process.cpuUsage().user < 1000000) setImmediate(loop); }
loop();
END
whole() {
	awk '/^ +[0-9]+$/ { all += $1; if (stack ~ /_start/) whole += $1; stack = ""; next }
		{ stack = stack "\n" $0 }
		END { print (all >= 30 && whole >= all * 0.97 ? "whole" : whole " of " all " whole") }'
}
"$dtrace" -qn 'profile-499 /pid == $target && tid == $target/ { @[ustack(120)] = count(); }' -c 'node short.js' | whole
"$dtrace" -qn 'BEGIN { system("node short.js &"); } profile-499 /execname == "node" && pid == tid/ { @[ustack(120)] = count(); }
	syscall::exit_group:entry /execname == "node"/ { exit(0); }' -w | whole
