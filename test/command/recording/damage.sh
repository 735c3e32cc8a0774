# A recording cut anywhere replays up to there; a damaged one is refused or shown, without harm.
# @anykernel: what is read does not depend on it
build=$(dirname "$dtrace")
flags=$(nm "$build/libdtrace.a" 2>/dev/null | grep -q __asan_init && echo -fsanitize=address,undefined)
# shellcheck disable=SC2086
cc -std=gnu11 -D_GNU_SOURCE -O1 -Wall -Wextra -Werror $flags -I"$suite/../include" -o damage "$test/damage.c" "$build/libdtrace.a" || exit 1
[ "$flags" ] || ulimit -v 200000
for name in flow rest tables stacks records drawn; do
	"$dtrace" -x record=$name -s "$test/forms/$name.d" -c 'dd if=/dev/zero of=/dev/null count=40 status=none' > /dev/null 2>&1
	echo $name
	./damage cut $name 100000; echo "status $?"
	./damage mutate $name 400; echo "status $?"
done
"$dtrace" -q -x record=large -n 'profile-2000hz { printf("%d %s\n", n++, execname); stack(); @[stack()] = count(); } tick-1s { exit(0); }' > /dev/null 2>&1
echo large
./damage cut large 300; echo "status $?"
