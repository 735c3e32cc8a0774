# rawfbt: the same functions without types.
. "$suite/lib.sh"
needs_functions
trace_calls 'rawfbt::vfs_read:entry /pid == $1/ { @[probeprov, probefunc, probename, args[2]] = count(); }
rawfbt::vfs_read:return /pid == $1/ { @[probeprov, probefunc, probename, args[1]] = count(); }' read 13
"$dtrace" -l -n 'rawfbt::vfs_read:' | awk 'NR > 1 { print $2, $3, $4, $5 }'
"$dtrace" -qn 'rawfbt::vfs_read:entry { trace(args[0]->f_path); }' 2>&1 | head -1 | sed 's/.*: //'
