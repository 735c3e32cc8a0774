# evaltime: what a command does before that moment is not traced, whatever the probes are; what comes after it is.
cat > library.c <<'C'
#include <unistd.h>
__attribute__((constructor)) static void begin(void) { write(1, "lib\n", 4); }
int nothing(void) { return 0; }
C
cat > program.c <<'C'
#include <unistd.h>
int nothing(void);
__attribute__((constructor)) static void begin(void) { write(1, "prog\n", 5); }
int main(void) { write(1, "main()\n", 7); return nothing(); }
C
gcc -shared -fPIC -o libinit.so library.c && gcc -o program program.c -L. -linit -Wl,-rpath,"$PWD"
gcc -s -o stripped program.c -L. -linit -Wl,-rpath,"$PWD"
gcc -static -o static program.c library.c
gcc -s -static-pie -o pie program.c library.c
trace() {
	"$dtrace" "$@" -qo seen -n 'syscall::openat:entry /pid == $target/ { @o = count(); }
		syscall::write:entry /pid == $target/ { printf("%s ", arg2 == 4 ? "library" : arg2 == 5 ? "program" : "main"); }
		END { printa("%@d files", @o); }' > said || echo "status $?"
	[ "$(wc -l < said)" = 3 ] || cat said
	echo "$*:" $(sed 's/[1-9][0-9]* files/files/; s/0 files//' seen)
	rm -f seen
}
for time in exec preinit postinit main; do
	for program in program stripped static pie; do
		trace -x evaltime=$time -c ./$program
	done
done
# the default, and with probes of the process itself
trace -c ./program
"$dtrace" -qn 'pid$target:libinit.so:begin:entry,pid$target:a.out:main:entry { printf("probe %s\n", probefunc); }' -c ./program | grep probe
printf '#pragma D option evaltime=preinit\n#pragma D option quiet\npid$target:libinit.so:begin:entry { printf("probe %%s\\n", probefunc); }\n' > x.d
"$dtrace" -s x.d -c ./program | grep probe
# one that ends before the moment comes
gcc -o early -x c - <<'C'
#include <unistd.h>
__attribute__((constructor)) static void begin(void) { _exit(3); }
int main(void) { return 0; }
C
"$dtrace" -x evaltime=main -qn 'BEGIN { }' -c ./early
echo "status $?"
