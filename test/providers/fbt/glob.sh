# A glob arms what it matches with one program; each firing has the name of its
# function.  vfs_read is among them, vfs_readv and others are silent.
. "$suite/lib.sh"
needs_functions
trace_calls 'fbt::vfs_rea*:entry /pid == $1/ { @[probefunc, probename, arg2] = count(); }
fbt::vfs_rea*:return /pid == $1/ { @[probefunc, probename, arg1] = count(); }' read 13
