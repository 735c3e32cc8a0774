# Options that change what is printed; and -v tells which of those given change nothing.
cat > shop.cc <<'C'
namespace shop {
struct Parser { int parse(int n); };
__attribute__((noinline)) int Parser::parse(int n) { __asm__ volatile(""); return n + 1; }
}
static volatile int sink;
int main() { shop::Parser p; sink = p.parse(1); return 0; }
C
g++ -O1 -o shop shop.cc || { echo "no C++ compiler here"; exit 77; }
program='pid$target:a.out:*parse*:entry { ustack(1); printf("%A\n", uregs[R_RIP]); }'
for option in temporal mangled stacksymbols=no; do
	echo "$option:"
	"$dtrace" -x $option -qn "$program" -c ./shop 2>&1 | grep -v '^$\|cut:' | sed 's/^ *//; s/0x[0-9a-f]*/ADDRESS/'
done
fault='BEGIN { trace(*(int *)0); } ERROR { printf("ERROR fires\n"); exit(0); }'
"$dtrace" -qn "$fault" 2>&1 | sed 's/ at BPF pc.*//'
"$dtrace" -x noerror -qn "$fault" 2>&1
# without effect: in a run and without one, from the command and from the program; quiet unless -v asks
printf '#pragma D option strip\nBEGIN { exit(0); }\n' > x.d
"$dtrace" -v -x core=/nowhere -x mangled -s x.d 2>&1 | grep effect
"$dtrace" -v -e -x ldpath=/nowhere -s x.d 2>&1 | grep effect
"$dtrace" -x core=/nowhere -q -s x.d 2>&1
echo 'provider p { probe a(int); };' > p.d
"$dtrace" -v -x linktype=dof -x lazyload -G -s p.d 2>&1
