# @anykernel: node starts slowly in an emulated machine; jit.sh shows the same
# JavaScript's frames in Debian's own node: an older V8, in a shared library, in a name
# space where dtrace does not find its files by their paths.
. "$suite/lib.sh"
. "$suite/frames.sh"
debian=$(readlink -m "$suite/../build/sources/node")
[ -e "$debian/usr/bin/node" ] || skip "tools/debian_node.sh has not been run"
cat > debian.sh <<'SH'
mount -t overlay -o "lowerdir=$debian/usr/share:/usr/share" none /usr/share || exit 1
mount -t tmpfs none /mnt || exit 1
mkdir /mnt/node && mount --bind "$debian/usr" /mnt/node || exit 1
export LD_LIBRARY_PATH=$(dirname /mnt/node/lib/*/libnode.so*)
exec /mnt/node/bin/node "$@"
SH
export debian
unshare -m sh debian.sh "$suite/userland/stacks/node_frames.js" "$PWD/expected" wait > ready 2> said &
target=$!
await ready ready
readlink "/proc/$target/exe"
"$dtrace" -qn 'syscall::getppid:entry /pid == $target/ { ustack(200); printf("--\n"); }
	syscall::kill:entry /pid == $target && arg1 == 0/ { system("touch expected.end"); }
	tick-10ms /!armed++/ { system("kill -USR2 %d", $target); }' -w -p $target > out 2> err
wait $target
cat err said
check_frames running V8
