# The same with Debian's own node: an older version, with its engine in a shared library,
# in a name space where dtrace does not find its files by their paths.
# @anykernel: libusdt's own tests run on all of them
. "$suite/lib.sh"
. "$suite/node.sh"
debian=$(readlink -m "$suite/../build/sources/node")
[ -e "$debian/usr/bin/node" ] || skip "tools/debian_node.sh has not been run"
write_node_program
cat > debian.sh <<'SH'
mount -t overlay -o "lowerdir=$debian/usr/share:/usr/share" none /usr/share || exit 1
mount -t tmpfs none /var/tmp || exit 1
export TMPDIR=/var/tmp LD_LIBRARY_PATH=$(dirname "$debian"/usr/lib/*/libnode.so*)
exec "$debian/usr/bin/node" "$@"
SH
export debian
start_node unshare -m sh debian.sh program.js
[ -e "/proc/$target/exe" ] && readlink "/proc/$target/exe" | sed 's|.*/build|build|'
"$dtrace" -ln "node$target:::" | awk 'NR > 1 { print $3, $5 }'
trace_requests
