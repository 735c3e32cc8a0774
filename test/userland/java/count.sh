# Counts of calls equal those of the program: with 20 threads, and while classes that
# match are loaded, of which no call is missed.
. "$suite/java.sh"
start_java Work
trace_java -Z '
java$target:Work:step:entry { @n["step entry"] = count(); }
java$target:Work:step:return { @n["step return"] = count(); }
java$target:Work?Part:once:entry { @n["once entry"] = count(); }
java$target:Work?Part:once:return { @n["once return"] = count(); @sum["once results"] = sum(arg1); }' \
	"run 20 5000" steps "load 30" loads "both 2000" both
cat out
cat said
check_bytecode Work
