# Methods of the class library, which the boot loader has: a line of DTrace's time with
# jstack() on a program that uses the class, and connections by a glob, with types.
. "$suite/java.sh"
case $(java -version 2>&1) in
*'"17.'* | *'"1.8.'* | *'"11.'*) ;;
*) skip "this Java has no java.net.SocketOutputStream" ;;
esac
start_java Sockets -Djdk.net.usePlainSocketImpl=true -Djava.net.preferIPv4Stack=true
say go sent
"$dtrace" -ln 'java$target:java.net.*:connect:*' -p $target 2>&1 |
	awk '$3 == "java.net.Socket" { print $3, $4, $5 }'
"$dtrace" -lvn 'java$target:java.net.*:connect:*' -p $target |
	awk '$2 ~ /^java[0-9]/ { shown = $3 == "java.net.Socket"; if (shown) print $3, $4, $5 } shown && /args/ { print $1, $2, $3 }'
trace_java -Z '
java$target:java.net.SocketOutputStream::entry { @calls[probefunc] = count(); jstack(50, 8000); }
java$target:java.net.Socket:connect:entry { @calls[probefunc] = count(); }
java$target:java.net.SocketOutputStream:write:entry /arg2/ { @bytes = sum(arg2); }' "go" sent "go" sent
grep -E '^ ([a-z][A-Za-z]* |)[0-9]+$' out
# each of the entries has a stack, which begins in the agent and goes on in Java
[ "$(grep -c 'agent.so' out)" -gt 0 ] && echo stacks
awk '/java.dtrace.Site/ { above = 1; next } !NF || /agent.so/ { above = 0 }
     above && /^ *Sockets\./ { sub(/^ */, ""); print }
     above && /libc.so/ { whole = 1 } END { print whole ? "whole" : "cut" }' out | LC_ALL=C sort | uniq -c | awk '{ $1 = $1; print }'
cat said
