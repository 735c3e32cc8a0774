# A recording is drawn without privileges, with the stacks and weights of its run.
cc -O1 -o shape "$test/shape.c" || exit 1
"$dtrace" -x record=r -x folded=live.folded -qn '
pid$target:shape:leaf:entry { @[execname, ustack()] = count(); }
proc:::exit /pid == $target/ { printf("%s %d %s %d\n", "exit", pid, execname, curpsinfo->pr_wstat); }' -c ./shape > /dev/null
chmod 644 r
mkdir -m 777 open
chmod 755 .
as_nobody() { setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }
as_nobody "$dtrace" -x folded=open/replay.folded -x flame=open/f.svg -x proctree=open/t.dot --replay r > /dev/null
echo "status $?"
cmp live.folded open/replay.folded && wc -l < live.folded
grep -c 'label="[0-9]* shape"' open/t.dot
as_nobody "$dtrace" -x folded=replay.folded --replay r > /dev/null
echo "status $?"
# without snapshots what was shown last counts, with them nothing else does
again() {
	"$dtrace" $1 -x record=r -x folded=live.folded -qn "$2" > /dev/null
	"$dtrace" -x folded=replay.folded --replay r > /dev/null
	echo $1 $(sed 's/.* //' live.folded replay.folded)
}
again -xquiet 'BEGIN { @[stack()] = sum(5); printa(@); @[stack()] = sum(2); printa(@); exit(0); }'
again -xinterval=1s 'BEGIN { @[stack()] = sum(5); printa(@); clear(@); @[stack()] = sum(2); printa(@); exit(0); }'
