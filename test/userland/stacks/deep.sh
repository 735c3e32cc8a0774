# Stripped C++ at -O2, without frame pointers, about 40 frames deep through
# libstdc++ and libc: at least 99 of 100 samples reach the program's start, and
# most of them are that deep.
. "$suite/lib.sh"
samples=3000 rate=997
[ -n "$again" ] && samples=200
[ "$again" = kernel ] && rate=199	# an emulated CPU would do little else
"$triggers/deep" &
target=$!
await_exec $target "$triggers/deep"
"$dtrace" -qn 'profile-'$rate' /pid == $target/ { @[ustack(80)] = count(); @deep[ustackdepth >= 36] = count(); n++; }
	tick-10ms /n >= $1/ { exit(0); } END { printa("deep %d %@d\n", @deep); }' -p "$target" $samples > out
kill "$target"
wait "$target" 2>/dev/null
awk -v least=$samples '/^deep/ { deep[$2] = $3; next }
	/`|\[/ { last = before; before = $0 }
	/^ +[0-9]+$/ { all += $1; if (last ~ /libc.so.6`__libc_start_main/ && before ~ /deep`0x/) whole += $1 }
	END { print (all >= least && whole >= all * 0.99 ? "whole" : whole " of " all " whole")
	      print (deep[1] > deep[0] ? "deep" : deep[1] " of " all " deep") }' out
