# Stacks begin with the caller of the function, by every way of tracing one;
# caller is the same address.
. "$suite/lib.sh"
needs_functions
trace_calls 'fbt::vfs_read:, rawfbt::vfs_read: /pid == $1/ {
	@[probeprov, probename, stack(2), sym(caller), mod(caller), stackdepth > 2] = count(); }' read 1 |
	sed 's/+0x[0-9a-f]*//'
