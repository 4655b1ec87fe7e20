// The Go ttrpc peer: an echo server, and the client that loads it. Built with Debian's packages:
// GO111MODULE=off GOPATH=/usr/share/gocode go build
package main

import (
	"flag"
	"fmt"
	"os"
	"time"
)

func main() {
	port := flag.Int("port", 0, "port on 127.0.0.1; a server takes any for 0")
	callers := flag.Int("callers", 0, "load the server at the port with this many callers; 0 is the server")
	seconds := flag.Float64("seconds", 2, "how long is measured")
	warm := flag.Float64("warm", 0.5, "how long is run before that")
	serverPID := flag.Int("server-pid", 0, "whose CPU time is read")
	flag.Parse()
	var err error
	if *callers == 0 {
		err = serve(*port)
	} else {
		err = load(*port, *callers, duration(*warm), duration(*seconds), *serverPID)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "go-ttrpc:", err)
		os.Exit(1)
	}
}

func duration(value float64) time.Duration { return time.Duration(value * float64(time.Second)) }
