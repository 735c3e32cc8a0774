# The examples in the pages of providers run: disks and files.
# @timeout: 300
. "$suite/lib.sh"
own_ext4 32M
"$triggers/requests" &
target=$!
await_ready $target
"$suite/manual.py" --directory there "$dtrace" $target dtrace_io.4 dtrace_fsinfo.4 dtrace_vfs.4
kill $target
