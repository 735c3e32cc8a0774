# Every public function, in random orders: none crashes, and what is out of
# order is an error with words.
build=$(dirname "$dtrace")
flags=$(nm "$build/libdtrace.a" 2>/dev/null | grep -q __asan_init && echo -fsanitize=address,undefined)
cc -std=gnu11 -Wall -Wextra -Werror -g $flags -I"$test/../../include" -o order "$test/order.c" "$build/libdtrace.a" || exit 1
# all of them are called
sed -n '/^typedef/d; s/^[a-z].*[ *]\(dtrace_[a-z0-9_]*\)(.*/\1/p' "$test/../../include/dtrace.h" | sort -u > functions
[ "$(wc -l < functions)" -gt 50 ] || echo "few functions are declared"
while read -r function; do
	grep -q "\<$function(" "$test/order.c" || echo "$function is not called"
done < functions
echo 'BEGIN { trace("from a file"); }' > script.d
n=30
[ "$again" ] && n=12
# what programs print before somebody has said where is of no interest
./order 1 $n 2>&1 > /dev/null
