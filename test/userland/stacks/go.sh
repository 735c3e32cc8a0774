# Go's frames, the inlined ones too, are those that the program sees itself: methods,
# closures, generics, a panic, a deep stack that was moved, goroutines; in programs
# that are stripped, position-independent, or linked with C; and all stacks are
# complete.
. "$suite/lib.sh"
. "$suite/frames.sh"
command -v go > /dev/null || { echo "go is missing: apt-get install golang-go"; exit 1; }
export GOCACHE=$(dirname "$triggers")/go HOME=$PWD GO111MODULE=off GOFLAGS=
source="$suite/userland/stacks/go_frames.go"
go build -o plain "$source" && go build -ldflags '-s -w' -o stripped "$source" &&
	go build -buildmode=pie -ldflags '-s -w' -o pie "$source" &&
	go build -ldflags '-linkmode external' -o linked "$source" || exit 1

# From the program's own functions on; -- between stacks.  Go keeps two of the
# functions that call deferred ones to itself.
language_frames() {
	awk '/^$/ { next } /^ *--$/ { print "--"; inside = 0; next } { $1 = $1 }
	     /^runtime.(deferCallSave|runOpenDeferFrame)\(/ { next }
	     inside { print } /^main.report\(/ { inside = 1 }' "$1"
}

for program in plain stripped pie linked; do
	"$dtrace" -qn 'syscall::getppid:entry /pid == $target/ { ustack(200); printf("--\n"); }' \
		-c "./$program expected" > out 2> err
	cat err
	check_frames $program "the program" "^runtime.goexit"
done

# One that runs already.
./stripped expected wait > ready &
target=$!
await ready ready
"$dtrace" -qn 'syscall::getppid:entry /pid == $target/ { ustack(200); printf("--\n"); }
	tick-10ms /!armed++/ { system("kill -USR1 %d", $target); }' -w -p $target > out 2> err
cat err
check_frames running "the program" "^runtime.goexit"

# A line is one key, and a symbol alone has its module.
"$dtrace" -qn 'syscall::getppid:entry /pid == $target/ { @[ustack(200)] = count(); @at[usym(ucaller)] = count(); }' \
	-c "./plain expected" > out 2> err
cat err
grep 'main.counter.outer(' out | sort | uniq -c | awk '{ print $1, $2 }'
grep -c 'plain`main.report' out

# From C back to the goroutine that called it.
echo "-- C"
CGO_ENABLED=1 go build -o with_c "$suite/userland/stacks/go_c_frames.go" || exit 1
"$dtrace" -qn 'syscall::getppid:entry /pid == $target/ { ustack(200); }' -c ./with_c |
	sed 's/+0x[0-9a-f]*//; s/([a-z]*_linux[^)]*)//; s/(asm_[^)]*)//; s/(cgocall.go[^)]*)//; s/(_cgo_gotypes.go[^)]*)//; s/_cgoexp_[0-9a-f]*/_cgoexp/; s/_[0-9a-f]*_Cfunc/_Cfunc/; s/^ *//'
