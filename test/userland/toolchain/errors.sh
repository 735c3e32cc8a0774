# What -h and -G say when they cannot.
. "$suite/lib.sh"
not_in_guests
echo 'provider p { probe a(int); };' > p.d
echo 'int main(void) { return 0; }' > main.c
gcc -c main.c
try() {
	echo "$*"
	"$dtrace" "$@" 2>&1
	echo "= $?"
}
try -h
try -G
try -h -G -s p.d
try -h -s p.d -s p.d
try -h -P p
cp p.d probes.h
try -h -s probes.h
try -h -s missing.d
try -h -s p.d -o /nowhere/p.h
try -G -s p.d -o /nowhere/p.o
try -G -s p.d missing.o
try -G -s p.d main.o
try -xlazyload -G -s p.d main.o
try -G -s p.d .
head -c 100 main.o > half.o
try -G -s p.d half.o
echo 'not an object' > text.o
try -G -s p.d text.o
echo 'void __dtrace_p___a(int); int f(void) { __dtrace_p___a(1); return 0; }' > call.c
gcc -c call.c && printf '\267' | dd of=call.o bs=1 seek=18 conv=notrunc status=none # for aarch64
try -G -s p.d call.o
for text in 'provider p1 { probe a(); };' 'provider p { probe a`b(); };' 'provider p { probe a(); probe a(); };' \
	'provider p { probe a(int, ...); };' 'provider p { probe a(int) : (int b); };' 'provider p { probe a(int };' \
	'provider p { probe a(void, int); };' 'struct s { int a; }; struct t { int b; }; provider p { probe a(struct s *x) : (struct t *x); };'; do
	echo "$text" > e.d
	echo "$text"
	"$dtrace" -xerrtags -h -s e.d 2>&1 | grep '^dtrace'
	ls e.h 2> /dev/null
done
awk 'BEGIN { printf "provider p { probe a(int"; for (i = 1; i < 31; i++) printf ", int"; print "); };" }' > many.d
try -h -s many.d
try -h -C -s p.d -o p.h
