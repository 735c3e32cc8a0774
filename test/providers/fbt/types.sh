# Types of arguments come from BTF; a void function has no args[1].
. "$suite/lib.sh"
needs_functions
"$dtrace" -lvn 'fbt::vfs_read:' | grep 'args\['
"$dtrace" -qn 'fbt::__fput:return { trace(args[1]); }' 2>&1 | head -1 | sed 's/^.*: in/in/'
"$dtrace" -qn 'fbt::vfs_read:entry { trace(args[4]); }' 2>&1 | head -1 | sed 's/^.*: in/in/'
