# An inspection tells every element that is wrong, goes on behind it, and knows what
# words mean in spite of it.  Probes that are not there are doubts; what a clause
# that is wrong assigns is known further on.
# @anykernel: nothing is enabled
build=$(dirname "$dtrace")
flags=$(nm "$build/libdtrace.a" 2>/dev/null | grep -q __asan_init && echo -fsanitize=address,undefined)
cc -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Werror -g $flags -I"$suite/../include" -o inspect "$test/inspect.c" "$build/libdtrace.a" || exit 1
cat > program.d <<'D'
#!/usr/sbin/dtrace -s
#pragma D option quiet
#pragma D parameter every time "is required"
int total;
inline int LIMIT = 5;
string names[int, string];
int64_t twice(int64_t n) { return n * 2; }
int64_t wrong(int64_t n) { return n + nosuch; }
BEGIN { self->x = 1; y = "abc"; @late = count(); printf("%d", LIMTI); }
syscall::read:entry /self->x/ { self->ts = timestamp; this->n = strlen(y); }
syscall::read:return {
	@spent[execname, pid] = quantize(timestamp - self->ts);
	trace(twice(3));
	int local = $1;
	trace(local);
}
io:::start { trace(args[0]->b_flags); trace(curthread->comm); }
nosuch:::probe { trace(args[0]); self->z = 1; }
pid$target:libc::entry { trace(args[0]); }
profile-$1 { trace(self->z); }
BEGIN { trace(1 }
tick-$every { printa(@spent); printa(@late); exit(0); }
tick-1s { trace(args[1]); }
END
{
	if (

END
{
	"not closed
}
#pragma D option nosuch
END { total = undefined + self->x; }
END { undefined = 1; }
D
./inspect program.d
echo "-- words"
./inspect program.d total names twice wrong 'self->.x = 1' 'y = ' @late printf self-\>ts timestamp 'n * 2' strlen @spent quantize local \
	'args[0]' b_flags curthread comm 'io:::start' 'nosuch:::probe' 'printa(.@late' LIMTI
echo "-- an ordinary user"
chmod 755 . inspect; chmod 644 program.d
setpriv --reuid 65534 --regid 65534 --clear-groups ./inspect program.d > user; ./inspect program.d > root
cmp user root && echo "is told the same"
