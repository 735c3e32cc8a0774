# print() of objects of Java programs: class and fields, those of classes above, too;
# null, arrays, strings as objects, many and long fields, results, exceptions, and the
# object whose method fired.  None of their methods runs.
. "$suite/java.sh"
start_java Objects
say go went
trace_java "" '
java$target:Objects:take:entry { printf("take %d\n", args[2]); print(args[0]); }
java$target:Objects:take:entry /arg1/ { print(args[1]); }
java$target:Objects:arrays:entry { print(args[0]); print(args[1]); print(args[2]); }
java$target:Objects:wide:entry { print(args[0]); print(args[1]); }
java$target:Objects?Order:total:entry { printf("%s %d\n", jthis->class, args[0]); print(jthis); }
java$target:Objects?Order:follow:return { printf("follow %d %s\n", arg1 != 0, arg1 ? args[1]->class : "null"); }
java$target:Objects:many:entry { print(jthis); print(args[9]); print(args[8]); }
java$target:Objects?Order:fail:return { printf("fail %s\n", args[2]); print(args[3]); }' go went
mask() {
	sed -E 's/^0x[0-9a-f]+/ADDRESS/; s/@[0-9a-f]+[.]*/@ADDRESS/; s/0x[0-9a-f]{5,}/ADDRESS/; s/(uintptr_t\))[0-9]+/\1ADDRESS/'
}
mask < out
cat said
check_bytecode Objects
