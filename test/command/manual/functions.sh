# The examples of all pages that need functions of the kernel run.
# @timeout: 300
. "$suite/lib.sh"
needs_functions
modprobe -q nfsd || skip "this kernel has no module nfsd"
modprobe -q iscsi_target_mod || skip "this kernel has no module iscsi_target_mod"
"$triggers/requests" &
target=$!
await_ready $target
"$suite/manual.py" --functions "$dtrace" $target dtrace_fbt.4 dtrace_vfs.4 dtrace_nfs.4 dtrace_iscsi.4
kill $target
