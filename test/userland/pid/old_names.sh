# A name that a library keeps for programs linked long ago does not name a function that has
# another: probefunc and stacks say free, not cfree. It can still be asked for.
cat > library.c <<'C'
__attribute__((noinline)) int work(int n) { __asm__ volatile(""); return n + 1; }
__asm__(".symver a_work_old, a_work@V1");
int a_work_old(int) __attribute__((alias("work")));
C
echo 'V1 { global: a_work; }; V2 { global: work; local: *; } V1;' > library.map
echo 'int work(int); int main(void) { return work(1) - 2; }' > program.c
cc -O1 -shared -fPIC -Wl,--version-script=library.map -o libold.so library.c
cc -o program program.c ./libold.so
for kept in all dynamic; do
	[ $kept = all ] || strip libold.so
	for name in work a_work '*work'; do
		"$dtrace" -qn 'pid$target:libold.so:'"$name"':entry { printf("%s", probefunc); ustack(1); }' -c ./program 2>&1 | grep .
	done
done
