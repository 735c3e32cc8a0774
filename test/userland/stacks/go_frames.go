// Writes the stacks that Go itself sees at each call of getppid(2).
package main

import (
	"fmt"
	"os"
	"os/signal"
	"path"
	"runtime"
	"sort"
	"sync"
	"syscall"
	"time"
)

var (
	out  *os.File
	lock sync.Mutex
	sum  int
)

//go:noinline
func report() {
	pcs := make([]uintptr, 200)
	lock.Lock()
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs)])
	defer lock.Unlock()
	for first := true; ; first = false {
		frame, more := frames.Next()
		if !first {
			fmt.Fprintf(out, "%s(%s:%d)\n", frame.Function, path.Base(frame.File), frame.Line)
		}
		if !more {
			break
		}
	}
	fmt.Fprintln(out, "--")
	sum += syscall.Getppid()
}

func third(n int) int { report(); return n + 1 }
func second(n int) int {
	return third(n) * 2
}
func first(n int) int { return second(n) + second(n+1) }

type counter struct{ n int }

func (c *counter) add(n int) { c.n += first(n) }

//go:noinline
func (c counter) outer() int { c.add(2); return c.n }

func apply[T any](value T, f func(T)) { f(value) }

//go:noinline
func recurse(depth int) int {
	var large [512]int
	if depth == 0 {
		report()
		return 0
	}
	large[depth] = recurse(depth - 1)
	return large[depth] + 1
}

func panics() {
	defer func() {
		if recover() != nil {
			report()
		}
	}()
	var none *counter
	none.n = 1
}

func work() {
	c := counter{}
	c.outer()
	apply(3, func(n int) { c.add(n) })
	apply("text", func(string) { report() })
	recurse(30)
	panics()
	numbers := []int{2, 1}
	sort.Slice(numbers, func(i, j int) bool { report(); return numbers[i] < numbers[j] })
	var group sync.WaitGroup
	group.Add(1)
	go func() {
		defer group.Done()
		first(5)
	}()
	group.Wait()
	defer report()
}

func main() {
	out, _ = os.Create(os.Args[1])
	if len(os.Args) > 2 {
		ready := make(chan os.Signal, 1)
		signal.Notify(ready, syscall.SIGUSR1)
		fmt.Println("ready")
		<-ready
		time.Sleep(10 * time.Millisecond)
	}
	work()
}
