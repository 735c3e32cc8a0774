# Files with debugging information are read from where a process may put them:
# only regular ones, inside of its root, of root or of the owner of the program,
# and of the same build.
. "$suite/hostile.sh"
run_hostile first
kill "$target"
strip -o program honest
objcopy --only-keep-debug honest good.debug
objcopy --add-gnu-debuglink=good.debug program
# the same names at other addresses, for another build
gcc -g -O2 -Wl,--build-id=0x00112233 -o other "$test/spin.c"
objcopy --only-keep-debug other other.debug
named() {
	"./program" &
	target=$!
	started="$started $target"
	for _ in $(seq $looks); do
		[ "$(readlink "/proc/$target/exe")" = "$PWD/program" ] && break
		sleep 0.02
	done
	printf '%s: ' "$1"
	stacks "$target" | head -1
	kill "$target"
}
named "regular"
chown 65534 good.debug
named "of another user"
chown 65534 program
named "of the program's owner"
chown 0 program good.debug
cp good.debug kept
ln -sf kept good.debug
named "link"
rm good.debug && mkfifo good.debug
named "FIFO"
rm good.debug && cp other.debug good.debug
named "of another build"
rm good.debug && mkdir good.debug
named "directory"
rmdir good.debug

# in a root of its own: a link that leads out of it, to a file that is fine
mkdir -p root/bin root/lib64 root/proc outside
ldd program | grep -o '/[^ ]*' | while read -r library; do
	mkdir -p "root$(dirname "$library")"
	cp "$library" "root$library"
done
cp program root/bin/program
cp kept outside/good.debug
for link in "$PWD/outside/good.debug" ../../outside/good.debug /lib/good.debug; do
	ln -sf "$link" root/bin/good.debug
	cp kept root/lib/good.debug 2>/dev/null || { mkdir -p root/lib && cp kept root/lib/good.debug; }
	chroot root /bin/program &
	target=$!
	started="$started $target"
	for _ in $(seq $looks); do
		[ "$(readlink "/proc/$target/exe")" = "$PWD/root/bin/program" ] && break
		sleep 0.02
	done
	printf '%s: ' "${link#"$PWD"}"
	stacks "$target" | head -1
	kill "$target"
done
