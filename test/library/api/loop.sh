# A consumer with its own poll(2) gets every record and never sleeps in the library; exit() and the target's end wake it.
build=$(dirname "$dtrace")
top=$suite/..
flags=$(nm "$build/libdtrace.a" 2>/dev/null | grep -q __asan_init && echo -fsanitize=address,undefined)
cc -Wall -Wextra -Werror $flags -I"$top/include" -o loop "$test/loop.c" "$build/libdtrace.a" || exit 1
cc -Wall -Wextra -Werror $flags -I"$top/include" -o example "$top/examples/loop.c" "$build/libdtrace.a" || exit 1
echo "the end of the target"
./loop 'syscall::write:entry /pid == $target && arg0 == 1/ { trace(arg2); }' dd if=/dev/zero of=/dev/null count=1000 status=none
echo "exit()"
./loop 'tick-1ms { trace(++n); } tick-1ms /n == 50/ { exit(7); }'
echo "the example"
./example 'BEGIN { printf("begun\n"); } tick-1ms /n < 3/ { printf("tick %d\n", n++); } tick-100ms { exit(3); }' < /dev/zero > /dev/null; echo "status $?"
echo hello | ./example 'BEGIN { printf("begun\n"); } END { printf("end\n"); }' > said; echo "status $?"; sort said
