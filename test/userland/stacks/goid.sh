# goid is the number that Go itself gives a goroutine: in programs that are stripped,
# position-independent or linked with C; in one that runs already, without naming
# it; it is 0 in other programs.
. "$suite/lib.sh"
command -v go > /dev/null || { echo "go is missing: apt-get install golang-go"; exit 1; }
export GOCACHE=$(dirname "$triggers")/go HOME=$PWD GO111MODULE=off GOFLAGS=
source="$suite/userland/stacks/goroutines.go"
go build -o plain "$source" && go build -ldflags '-s -w' -o stripped "$source" &&
	go build -buildmode=pie -ldflags '-s -w' -o pie "$source" &&
	go build -ldflags '-linkmode external' -o linked "$source" || exit 1

check() {
	sort -n expected > numbers
	grep . out | sort -n | cmp - numbers && echo "$1: $(uniq numbers | wc -l) goroutines, $(wc -l < numbers) calls"
}

for program in plain stripped pie linked; do
	"$dtrace" -qn 'syscall::getppid:entry /pid == $target/ { printf("%d\n", goid); }' \
		-c "./$program expected" > out
	check $program
done

# C that a goroutine has called is the goroutine's.
CGO_ENABLED=1 go build -o with_c "$suite/userland/stacks/go_c_frames.go" || exit 1
"$dtrace" -qn 'syscall::getppid:entry /pid == $target/ { printf("%d\n", goid); }' -c "./with_c expected" > out
check with_c

./stripped expected wait > ready &
target=$!
await ready ready
"$dtrace" -qn 'syscall::getppid:entry /pid == $1/ { printf("%d\n", goid); }
	tick-10ms /!armed++/ { system("kill -USR1 %d", $1); }
	proc:::exit /pid == $1/ { exit(0); }' -w $target > out
check running

"$dtrace" -qn 'syscall::getppid:entry /pid == $target/ { @[goid] = count(); }' -c "$triggers/calls now getppid 2" 2>&1 | grep .
