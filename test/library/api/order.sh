# Every public function, in random orders: none crashes, and what is out of
# order is an error with words.
# @anykernel: which order is right does not depend on it
build=$(dirname "$dtrace")
flags=$(nm "$build/libdtrace.a" 2>/dev/null | grep -q __asan_init && echo -fsanitize=address,undefined)
cc -std=gnu11 -Wall -Wextra -Werror -g $flags -I"$suite/../include" -o order "$test/order.c" "$build/libdtrace.a" || exit 1
# all of them are called
sed -n '/^typedef/d; s/^[a-z].*[ *]\(dtrace_[a-z0-9_]*\)(.*/\1/p' "$suite/../include/dtrace.h" | sort -u > functions
[ "$(wc -l < functions)" -gt 50 ] || echo "few functions are declared"
while read -r function; do
	grep -q "\<$function(" "$test/order.c" || echo "$function is not called"
done < functions
echo 'BEGIN { trace("from a file"); }' > script.d
"$dtrace" -q -x record=run.rec -n 'BEGIN { trace(1); stack(); @a[ustack()] = quantize(3); printa(@a); exit(0); }' > /dev/null
head -c $(($(stat -c %s run.rec) - 50)) run.rec > cut.rec
n=30
[ "$again" ] && n=12
# what programs print before somebody has said where is of no interest
./order 1 $n 2>&1 > /dev/null
