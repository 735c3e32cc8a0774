# Thousands of methods at once, entries and returns: all of java.util that is loaded, while
# the virtual machine uses it itself.  Counts of those that nobody else calls are right,
# and the classes are as they were afterwards.
# @timeout: 300
. "$suite/java.sh"
start_java Library
say go done
for class in BitSet Vector HashMap; do
	read_bytecode "java/util/$class" $class.lengths
done
probes=$("$dtrace" -ln 'java$target:java.util.*::' -p $target | wc -l)
[ "$probes" -gt 2000 ] && echo "thousands of probes" || echo "only $probes"
trace_java "" '
java$target:java.util.*::entry { @n[probemod, probefunc, probename] = count(); }
java$target:java.util.*::return { @n[probemod, probefunc, probename] = count(); }' go done go done
grep -E '^ java.util.(BitSet flip|Vector addElement) ' out | sort
cat said
for class in BitSet Vector HashMap; do
	read_bytecode "java/util/$class" now
	cmp $class.lengths now && echo "$class is as it was"
done
