// SPDX-License-Identifier: Apache-2.0
// A small web service in Go: JSON, templates, compression, goroutines.
package main

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"sort"
	"strings"
	"sync"
)

type item struct {
	ID    int    `json:"id"`
	Name  string `json:"name"`
	Price int    `json:"price"`
}

type catalogue struct{ items []item }

func (c *catalogue) find(word string) []item {
	var found []item
	for _, item := range c.items {
		if strings.Contains(item.Name, word) {
			found = append(found, item)
		}
	}
	sort.Slice(found, func(a, b int) bool { return found[a].Price < found[b].Price })
	return found
}

func total(items []item) int {
	parts := make(chan int)
	var all sync.WaitGroup
	for half := 0; half < 2; half++ {
		all.Add(1)
		go func(half int) {
			defer all.Done()
			sum := 0
			for n := half; n < len(items); n += 2 {
				sum += items[n].Price
			}
			parts <- sum
		}(half)
	}
	go func() { all.Wait(); close(parts) }()
	sum := 0
	for part := range parts {
		sum += part
	}
	return sum
}

func main() {
	c := &catalogue{}
	for n := 0; n < 300; n++ {
		c.items = append(c.items, item{n, fmt.Sprintf("item %d", n), n * 7919 % 1000})
	}
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		items := c.find(r.URL.Query().Get("q"))
		packed := gzip.NewWriter(w)
		defer packed.Close()
		json.NewEncoder(packed).Encode(map[string]interface{}{"items": items, "total": total(items)})
	})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Println("ready", listener.Addr().(*net.TCPAddr).Port)
	http.Serve(listener, nil)
}
