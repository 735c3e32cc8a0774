# The examples in the pages of providers run: disks, files and statistics.
# @timeout: 300
. "$suite/lib.sh"
own_ext4 32M
"$triggers/requests" &
target=$!
await_ready $target
"$suite/manual.py" --directory there "$dtrace" $target dtrace_io.4 dtrace_fsinfo.4 dtrace_vfs.4 dtrace_sysinfo.4 dtrace_vminfo.4
kill $target
