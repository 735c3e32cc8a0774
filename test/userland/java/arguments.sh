# Arguments and results of Java methods with their types: numbers, strings, null,
# overloads, more arguments than D has names for; exceptions; afterwards the bytecode is
# as it was.
. "$suite/java.sh"
start_java Methods
say go went
trace_java "" '
java$target:Methods:numbers:entry { printf("numbers %d %d %d %c %d %d\n", args[0], args[1], args[2], args[3], args[4], args[5]); }
java$target:Methods:result:return { printf("result %d %d\n", args[0], args[1]); }
java$target:Methods:negative:return { printf("negative %d %d\n", args[1], arg1); }
java$target:Methods:half:entry, java$target:Methods:half:return { printf("half %x %x\n", arg0, arg1); }
java$target:Methods:third:entry { printf("third %x\n", args[0]); }
java$target:Methods:third:return { printf("third = %x\n", args[1]); }
java$target:Methods:even:return { printf("even %d\n", args[1]); }
java$target:Methods:text:entry { printf("text [%s] %s [%s]\n", args[0], args[1] ? "object" : "null", args[2]); }
java$target:Methods:text:return { printf("text = [%s]\n", args[1]); }
java$target:Methods:guarded:entry { printf("guarded %s\n", args[0] ? "array" : "null"); }
java$target:Methods:guarded:return { printf("guarded = %d\n", args[1]); }
java$target:Methods:twelve:entry { printf("twelve %d %d %d\n", args[0], args[8], args[9]); }
java$target:Methods:same:entry { printf("same %d\n", args[0]); }
java$target:Methods:same:return { printf("same = %d\n", args[1]); }
java$target:Methods:choose:entry { printf("choose %d\n", args[0]); }
java$target:Methods:choose:return { printf("choose = %d\n", args[1]); }
java$target:Methods?Square:?init?:entry { @new[probefunc] = count(); }
java$target:Methods?Square:?init?:return { @done[probefunc] = count(); }
java$target:Methods?Square:area:return { printf("area %x\n", args[1]); }
java$target:Methods?Shape:named:return { printf("named %s\n", args[1]); }
java$target:Methods:fails:entry { printf("fails %d\n", args[0]); }
java$target:Methods:fails:return { printf("fails = %d %s\n", args[0], args[2]); }' go went
cat out
cat said
check_bytecode Methods
