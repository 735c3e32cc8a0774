# Stacks, symbols, keys and buckets as data: the same as in the text.
build=$(dirname "$dtrace")
flags=$(nm "$build/libdtrace.a" 2>/dev/null | grep -q __asan_init && echo -fsanitize=address,undefined)
cc -std=gnu11 -D_GNU_SOURCE -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -Wall -Wextra -Werror $flags -I"$suite/../include" -o frames "$test/frames.c" "$build/libdtrace.a" || exit 1
echo "records and keys:"
./frames stacks 'syscall::getppid:entry /pid == $1/ { stack(); ustack(); usym(ucaller); trace(pid > 0); }
	syscall::getppid:entry /pid == $1/ { @s[ustack(4), execname, (short)-3, probefunc] = count(); @k[stack(2), usym(ucaller), umod(ucaller)] = sum(1); }'
echo "buckets:"
./frames buckets 'BEGIN { @q = quantize(0); @q = quantize(1); @q = quantize(100); @q = quantize(-5); @q = quantize(-1); @q = quantize(100);
	@l = lquantize(-4, 0, 30, 10); @l = lquantize(0, 0, 30, 10); @l = lquantize(19, 0, 30, 10); @l = lquantize(31, 0, 30, 10);
	@ll = llquantize(3, 10, 0, 2, 10); @ll = llquantize(57, 10, 0, 2, 10); @ll = llquantize(-570, 10, 0, 2, 10); @ll = llquantize(5000, 10, 0, 2, 10);
	@n = count(); normalize(@q, 2); }'
