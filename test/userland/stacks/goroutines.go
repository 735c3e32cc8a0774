// Writes which goroutine calls getppid(2), before it does.
package main

import (
	"bytes"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"strconv"
	"sync"
	"syscall"
)

var lock sync.Mutex

func id() uint64 {
	text := make([]byte, 64)
	text = text[:runtime.Stack(text, false)]
	n, _ := strconv.ParseUint(string(bytes.Fields(text)[1]), 10, 64)
	return n
}

func main() {
	out, _ := os.Create(os.Args[1])
	if len(os.Args) > 2 {
		ready := make(chan os.Signal, 1)
		signal.Notify(ready, syscall.SIGUSR1)
		fmt.Println("ready")
		<-ready
	}
	var group sync.WaitGroup
	for i := 0; i < 50; i++ {
		group.Add(1)
		go func() {
			defer group.Done()
			for j := 0; j < 4; j++ {
				n := id()
				lock.Lock()
				fmt.Fprintln(out, n)
				lock.Unlock()
				syscall.Getppid()
				runtime.Gosched()
			}
		}()
	}
	group.Wait()
}
