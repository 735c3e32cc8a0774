// Goroutines whose stacks grow and move, that panic and recover.
package main

import (
	"fmt"
	"os"
)

//go:noinline
func descend(depth int, in chan int, out chan int) int {
	var room [512]byte
	room[depth%512] = byte(depth)
	if depth == 0 {
		out <- 1
		return <-in
	}
	value := descend(depth-1, in, out)
	if value%7 == depth%7 {
		panic(value)
	}
	return value + int(room[depth%512])
}

func attempt(depth int, in chan int, out chan int) (value int) {
	defer func() {
		if caught := recover(); caught != nil {
			value = caught.(int) * 3
		}
	}()
	return descend(depth, in, out)
}

func main() {
	in, out, results := make(chan int), make(chan int), make(chan int)
	for i := 0; i < 8; i++ {
		go func(i int) { results <- attempt(10*i, in, out) }(i)
	}
	sum := 0
	for i := 0; i < 8; i++ {
		<-out
	}
	for i := 0; i < 8; i++ {
		in <- 11
		sum += <-results
	}
	fmt.Println(sum)
	os.Exit(7)
}
