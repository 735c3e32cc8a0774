// Calls getppid(2) from C that Go has called, and from Go that this C has called.
package main

/*
#include <unistd.h>
extern void goFromC(int n);
__attribute__((noinline)) static int leaf(int n) { return getppid() + n; }
__attribute__((noinline)) static int inC(int n)
{
	int sum = leaf(n) + 1;
	goFromC(n);
	return sum + 1;
}
*/
import "C"
import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"syscall"
)

var sum int

//export goFromC
func goFromC(n C.int) { sum += int(n) + syscall.Getppid() }

//go:noinline
func viaC(n int) int { return int(C.inC(C.int(n))) + 1 }

func main() {
	done := make(chan int)
	go func() {
		if len(os.Args) > 1 {
			text := make([]byte, 64)
			text = text[:runtime.Stack(text, false)]
			id := bytes.Fields(text)[1]
			os.WriteFile(os.Args[1], []byte(fmt.Sprintf("%s\n%s\n", id, id)), 0644)
		}
		done <- viaC(3)
	}()
	sum += <-done
}
