# Where types are found: in a file beside the object that its link names, also compressed, in the .debug directory,
# and in BTF; a struct that one file declares is defined in another.
. "$suite/lib.sh"
not_in_guests
cat > list.h <<'C'
struct secret;
typedef struct { int value; const char *label; struct secret *secret; } item;
int look(item *at, int n);
extern struct secret treasure;
C
cat > list.c <<'C'
#include "list.h"
int look(item *at, int n) { return at->value + n; }
C
cat > secret.c <<'C'
#include "list.h"
struct secret { int key; char word[8]; };
struct secret treasure = { 4711, "sesame" };
C
cat > main.c <<'C'
#include "list.h"
int main(void) { item one = { 40, "forty", &treasure }; return look(&one, 2) != 42; }
C
trace() {
	"$dtrace" -qn 'pid$target:liblook.so:look:entry
		{ printf("%d %s %d %s %d", args[0]->value, args[0]->label, args[0]->secret->key, args[0]->secret->word, args[1]); }
		pid$target:liblook.so:look:return { printf(", %d\n", args[1]); }' -c ./main 2>&1 | grep .
}
gcc -O2 -g -shared -fPIC -o whole.so list.c secret.c || skip "no compiler here"
gcc -Wl,-rpath,. -o main main.c whole.so
cp whole.so liblook.so
gcc -Wl,-rpath,. -o main main.c ./liblook.so
echo "-- in the object"
trace
echo "-- beside it"
objcopy --only-keep-debug whole.so liblook.debug
strip whole.so -o liblook.so
objcopy --add-gnu-debuglink=liblook.debug liblook.so
trace
echo "-- in .debug, compressed"
mkdir .debug
objcopy --compress-debug-sections liblook.debug .debug/liblook.debug
rm liblook.debug
trace
echo "-- DWARF 4, and 5 of another compiler"
gcc -O2 -gdwarf-4 -shared -fPIC -o liblook.so list.c secret.c
trace
clang -O2 -gdwarf-5 -shared -fPIC -o liblook.so list.c secret.c
trace
echo "-- types in units of their own"
gcc -O2 -gdwarf-5 -fdebug-types-section -shared -fPIC -o liblook.so list.c secret.c
trace
echo "-- BTF"
gcc -O2 -gbtf -shared -fPIC -o liblook.so list.c -Wl,--defsym=treasure=0
"$dtrace" -qn 'pid$target:liblook.so:look:entry { printf("%d %s %d\n", args[0]->value, args[0]->label, args[1]); }' \
	-c ./main 2>&1 | grep .
