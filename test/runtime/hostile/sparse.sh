# Holes of a file are not read: programs that claim gigabytes of names, of
# symbols and of tables cost nothing, and are named by what is there.
# @anykernel: what is read, and shown, does not depend on the kernel
. "$suite/hostile.sh"
gigabyte=$((1 << 30))
for i in 1 2 3 4; do
	run_hostile strtab$i strtab=$((900 << 20))
	pids="$pids $target"
done
run_hostile symtab symtab=$((8 * gigabyte))
pids="$pids $target"
run_hostile frames section=.eh_frame:$((3 * gigabyte)) section=.gnu_debugdata:$gigabyte section=.note.stapsdt:$gigabyte
pids="$pids $target"
# what it has taken at most, in KB; a sanitized one has more of everything
cat > memory.py <<'P'
import resource, subprocess, sys
status = subprocess.run(sys.argv[1:]).returncode
most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
print("little memory" if most < 600 << 10 else f"{most} KB")
sys.exit(status)
P
real=$dtrace
printf '#!/bin/sh\nexec python3 %s %s "$@"\n' "$PWD/memory.py" "$real" > measured
chmod +x measured
dtrace=$PWD/measured
# shellcheck disable=SC2086
stacks $pids | sort | uniq
grep memory out
# types, too
run_hostile types section=.debug_info:$((900 << 20)) section=.debug_str:$((900 << 20))
"$dtrace" -p "$target" -qn 'pid$target:a.out:inner:entry { trace(args[0]->first); exit(0); }' 2>&1 |
	sed "s|$PWD/types|{file}|; /^ /d"
