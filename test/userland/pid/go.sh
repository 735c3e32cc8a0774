# @anykernel: nothing here depends on the kernel
# Functions of stripped Go programs by name, from the table of their runtime: in
# stacks, in usym(), as pid probes, position-independent or not.  Returns do not
# disturb the runtime, and no caller is missing.
. "$suite/lib.sh"
command -v go > /dev/null || { echo "go is not installed"; exit 1; }
cat > main.go <<'GO'
package main

import "syscall"

type counter struct{ n int }

//go:noinline
func (c *counter) inner() { c.n += syscall.Getppid() }

//go:noinline
func middle(c *counter) { c.inner(); c.n++ }

//go:noinline
func Outer(c *counter) { middle(c); c.n++ }

func main() { Outer(&counter{}) }
GO
# compiled once for all runs
export GOCACHE=$(dirname "$triggers")/go HOME=$PWD GO111MODULE=off GOFLAGS=
go build -ldflags '-s -w' -o plain main.go && go build -buildmode=pie -ldflags '-s -w' -o pie main.go || exit 1
for program in plain pie; do
	nm $program 2>&1 | grep -c 'no symbols'
	"$dtrace" -qn 'syscall::getppid:entry /pid == $target/ { ustack(7); usym(ucaller); printf("\n"); }' -c ./$program |
		sed 's/+0x[0-9a-f]*//; s/([a-z]*_linux[^)]*)//; s/(asm_[^)]*)//; s/(proc.go[^)]*)//; s/ *$//'
	# the runtime may interrupt a function where it starts, and start it again
	"$dtrace" -qn 'pid$target:a.out:main.middle:entry, pid$target:a.out:main.middle:return, pid$target::main.*inner:entry
			{ @[probefunc, probename, ustack(3)] = count(); }
		END { printa("%s %s%k", @); }' -c ./$program | sed 's/+0x[0-9a-f]*//' | sort -u
done
"$dtrace" -qn 'pid$target:a.out:main.Inner:entry { }' -c ./plain 2>&1 | sed 's/ pid[0-9]*//; s/process [0-9]*/process N/' | head -n 1
