# @anykernel: node starts slowly in an emulated machine; jit.sh shows the same
# A web service in node, its client and a worker: of the samples of a profile 99 in
# 100 are complete to the thread's start, whatever they interrupt, and 99 in 100
# frames have a name.  No flag of node; it runs already when it is traced.
. "$suite/lib.sh"
command -v node > /dev/null || { echo "node is missing: apt-get install nodejs"; exit 1; }
need_speed "node"
mkfifo go
node "$suite/userland/stacks/node_load.js" < go > said 2>&1 &
target=$!
exec 3> go
await said ready
"$dtrace" -x aggsize=64m -qn 'profile-997 /pid == $target/ { @[jstack(300)] = count(); n++; }
	tick-10ms /n >= 1500/ { exit(0); }' -p $target > out 2> err
exec 3>&-
wait $target
cat err said
awk '/^ +[0-9]+$/ { all += $1; if (last ~ /_start|^libc\.so|clone/) whole += $1; last = ""; next }
     NF { last = $1; frames++; if ($1 ~ /^0x/) nameless++
          if ($1 ~ /\(node_load\.js:[0-9]+\)$/) own++; if ($0 ~ /InterpreterEntryTrampoline/) unseen++ }
     END { print (all >= 500 ? "enough" : all + 0), "samples,",
           (whole >= all * 0.99 ? "complete" : whole " of " all " complete") ",",
           (nameless + unseen <= frames * 0.01 ? "named" : nameless + unseen " of " frames " without a name") ",",
           (own > all / 5 ? "with" : own + 0), "functions of the program" }' out
