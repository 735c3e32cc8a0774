# What is listed of Java methods, with types; why native and abstract methods, other
# processes and classes that are not there have no probes.  Listing changes no method.
. "$suite/java.sh"
start_java Methods
say go went
mask() {
	sed "s/$target/PID/g; s/^ *[0-9][0-9]* *java/java/; s/  */ /g"
}
"$dtrace" -ln 'java$target:Meth*:t[he]*:*' -p $target 2>&1 | mask | sort
"$dtrace" -ln "java*:Methods:go:" 2>&1 | grep "java$target " | mask
"$dtrace" -lvn 'java$target:Methods:text:' -p $target 2>&1 | grep args
for what in Methods:outside:entry 'Methods?Shape:area:entry' Methods:absent:return Methods:go:exit; do
	"$dtrace" -n "java\$target:$what" -p $target 2>&1 | mask
done
sleep 1000 &
"$dtrace" -n "java$!:::entry" 2>&1 | sed "s/$!/PID/g; s/\^~*\$/^/"
kill $!
check_bytecode Methods
say go went
cat said
