# %a names an address in a function with its module and offset; func() without.
. "$suite/lib.sh"
needs_functions
trace_calls 'fbt::vfs_read:entry /pid == $1/ { printf("%a\n", caller); func(caller); trace("\n"); }' read 1 |
	sed '/^$/d; s/ *$//; s/+0x[0-9a-f]*/+{offset}/'
