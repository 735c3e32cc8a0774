# A glob that ends in a process number and matches pid and that number is about the process.
# Other globs are about probes that somebody else has asked for.
. "$suite/lib.sh"
run() { echo "$1: $("$dtrace" -qn "$1"' { @[probeprov == strjoin("pid", lltostr($target)), probefunc] = count(); }
	END { printa("%d %s %@d ", @); }' -c "$triggers/calls now close 3" 2>&1)"; }
run 'p*d$target:libc:close:entry'
run 'p?d$target:libc*:close:return'
run '[op]id$target:libc:close:entry, pid$target:a.out:main:entry'
# nothing that is wrong with one is an error of its own
for probe in 'p*d$target:libc:nosuch:entry' 'q*d$target:libc:close:entry' 'p*d:libc:close:entry' 'p*d$target:a.out:main:never'; do
	"$dtrace" -en "$probe" -c "$triggers/calls now close 3" 2>&1 | sed '1!d; s/d[0-9][0-9]*/dN/g'
done
