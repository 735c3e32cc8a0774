# C++ names, as the compiler made them and as they were written.
cat > shop.cc <<'C'
namespace shop {
struct Parser { int parse(int n); };
__attribute__((noinline)) int Parser::parse(int n) { __asm__ volatile(""); return n + 1; }
}
static volatile int sink;
int main() { shop::Parser p; for (int i = 0; i < 3; i++) sink = p.parse(i); return 0; }
C
g++ -O1 -o shop shop.cc || { echo "no C++ compiler here"; exit 77; }
for name in '*Parser*parse*' 'shop??Parser??parse' '_ZN4shop6Parser5parseEi'; do
	"$dtrace" -qn 'pid$target:a.out:'"$name"':entry { @[probefunc] = sum(arg1); }' -c ./shop | awk 'NF { print $1, $2 }'
done
