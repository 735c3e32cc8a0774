# another user's process, asked about by somebody without privileges
# @status: 1
cp "$dtrace" command && chmod 755 . command
sleep 600 &
target=$!
setpriv --reuid=nobody --regid=nogroup --clear-groups ./command -xerrtags -n "sites$target:::done { }" 2> said
status=$?
kill $target
sed "s/$target/PID/g; s/\^~*/^/" said >&2
exit $status
