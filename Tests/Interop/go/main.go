// Two clients: `echo` and `load` are strangers to the suite, on containerd's own ttrpc package, with their messages written by
// hand; the others use the suite's kit for Go.
//
//	interop journey --address HOST:PORT --ca FILE --mail-folder FOLDER
//	interop load --address HOST:PORT --ca FILE --session FILE --calls 20000
//	interop echo --address HOST:PORT
//	interop kit-echo --address HOST:PORT
//	interop kit-stream --address HOST:PORT --ca FILE --session FILE --kill PROCESS
//
// It prints a line for each step. Exit status 0: all went well; 1: a step failed, and which; 2: usage.
// Built with Debian's packages, see Tests/Interop/run.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"time"

	"github.com/containerd/ttrpc"
)

// commands are what this program can do, each with flags of its own.
var commands = map[string]func(arguments []string) error{
	"journey":    runJourney,
	"load":       runLoad,
	"echo":       runEcho,
	"kit-echo":   runKitEcho,
	"kit-stream": runKitStream,
}

func main() {
	if len(os.Args) < 2 || commands[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "usage: interop journey|load|echo|kit-echo|kit-stream --address HOST:PORT [--ca FILE] …; --help after the command tells more")
		os.Exit(2)
	}
	if err := commands[os.Args[1]](os.Args[2:]); err != nil {
		fmt.Fprintf(os.Stderr, "interop %s: %v\n", os.Args[1], err)
		os.Exit(1)
	}
}

// step does one thing, prints what came of it, and names it when it fails.
func step(name string, do func() (string, error)) error {
	seen, err := do()
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	fmt.Printf("%-16s %s\n", name, seen)
	return nil
}

// parse reads the flags of a command; what is left over is an error of its user.
func parse(flags *flag.FlagSet, arguments []string) {
	_ = flags.Parse(arguments) // ExitOnError: it does not return one
	if flags.NArg() > 0 {
		fmt.Fprintf(os.Stderr, "interop %s: unexpected %q\n", flags.Name(), flags.Args())
		os.Exit(2)
	}
}

// caller makes calls to one service, each with a deadline and with metadata.
type caller struct {
	client   *ttrpc.Client
	service  string
	metadata ttrpc.MD
}

func (c caller) call(method string, request, response interface{}) error {
	return c.callWithin(10*time.Second, method, request, response)
}

func (c caller) callWithin(limit time.Duration, method string, request, response interface{}) error {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	if len(c.metadata) > 0 {
		ctx = ttrpc.WithMetadata(ctx, c.metadata)
	}
	return c.client.Call(ctx, c.service, method, request, response)
}
