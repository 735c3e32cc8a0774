# fbt at entry and return: every call, arguments by number and by type, and
# what the function returns.  1,300 reads of 1 to 4096 bytes, 100 of each size.
. "$suite/lib.sh"
needs_functions
trace_calls 'fbt::vfs_read:entry /pid == $1/ {
	@entries["entry", stringof(args[0]->f_path.dentry->d_name.name)] = count();
	@asked = sum(arg2); @typed = sum(args[2]); }
fbt::vfs_read:return /pid == $1/ { @ = quantize(arg1); @got = sum(args[1]); @zero = sum(arg0); }' read 1300
