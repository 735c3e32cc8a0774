# Every sample has its stack: counts by stack add up to the samples.  The CPU
# is kept busy in the kernel.
rate=997
[ "$again" = kernel ] && rate=199	# an emulated CPU would do little else
dd if=/dev/zero of=/dev/null bs=1M 2>/dev/null &
busy=$!
"$dtrace" -qn 'profile-'$rate' /arg0/ { @[stack()] = count(); @depth[stack(1)] = count(); @all = count(); }
	tick-1s { printa("%k %@d samples\n", @); printa("%k %@d tops\n", @depth); printa("all %@d\n", @all); exit(0); }' > out
kill $busy
wait $busy 2>/dev/null
awk '/samples$/ { samples += $1 } /tops$/ { tops += $1 } /^all/ { all = $2 }
	END { print (all > 0 && samples == all && tops == all ? "every sample" : samples "," tops " of " all) }' out
grep -q 'vmlinux`[a-z_]' out && echo named
