package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"strings"
	"sync"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// runEcho asks an echo.v1.Echo server what this version of the package can ask: unary calls, and failures without details.
func runEcho(arguments []string) error {
	flags := flag.NewFlagSet("echo", flag.ExitOnError)
	address := flags.String("address", "", "where the echo server listens, HOST:PORT")
	authority := flags.String("ca", "", "file with the authority of its certificate; plaintext without")
	parse(flags, arguments)

	client, err := dial(*address, *authority)
	if err != nil {
		return err
	}
	defer client.Close()
	echo := caller{client: client, service: "echo.v1.Echo"}
	for _, check := range []struct {
		name string
		do   func(caller) (string, error)
	}{
		{"unary", checkUnary}, {"empty", checkEmpty}, {"large", checkLarge}, {"meta", checkMeta}, {"sleep", checkSleep},
		{"deadline", checkDeadline}, {"fail", checkFail}, {"parallel", checkParallel},
	} {
		if err := step(check.name, func() (string, error) { return check.do(echo) }); err != nil {
			return err
		}
	}
	return nil
}

// ask calls a method with a value and compares the answer.
func ask(echo caller, method, value, expected string) (string, error) {
	var answer Msg
	if err := echo.call(method, &Msg{Value: value}, &answer); err != nil {
		return "", err
	}
	if answer.Value != expected {
		return "", fmt.Errorf("answered %.80q instead of %.80q", answer.Value, expected)
	}
	return fmt.Sprintf("%.60q", answer.Value), nil
}

func checkUnary(echo caller) (string, error) { return ask(echo, "Unary", "grüße ✓", "grüße ✓") }

func checkEmpty(echo caller) (string, error) { return ask(echo, "Unary", "", "") }

func checkLarge(echo caller) (string, error) {
	const size = 4_000_000
	_, err := ask(echo, "Big", fmt.Sprint(size), strings.Repeat("x", size))
	return fmt.Sprintf("%d bytes", size), err
}

func checkMeta(echo caller) (string, error) {
	echo.metadata = map[string][]string{"b": {"2", "1"}, "a": {"first"}}
	var answer Msg
	if err := echo.call("Meta", &Msg{}, &answer); err != nil {
		return "", err
	}
	if !strings.HasPrefix(answer.Value, "a=first;b=2|1;timeout=") {
		return "", fmt.Errorf("answered %q", answer.Value)
	}
	return answer.Value, nil
}

func checkSleep(echo caller) (string, error) { return ask(echo, "Sleep", "30", "slept") }

// checkDeadline lets a deadline pass. This side gives up at the same moment as the server, so either may say so first.
func checkDeadline(echo caller) (string, error) {
	var answer Msg
	begun := time.Now()
	err := echo.callWithin(100*time.Millisecond, "Sleep", &Msg{Value: "10000"}, &answer)
	if !errors.Is(err, context.DeadlineExceeded) && status.Code(err) != codes.DeadlineExceeded {
		return "", fmt.Errorf("ended with %v", err)
	}
	if elapsed := time.Since(begun); elapsed > 3*time.Second {
		return "", fmt.Errorf("ended only after %v", elapsed)
	}
	// The server's own answer, for a call that nobody waits for, most often comes meanwhile; it must do no harm whenever it comes.
	time.Sleep(100 * time.Millisecond)
	return ask(echo, "Unary", "still here", "still here")
}

func checkFail(echo caller) (string, error) {
	var answer Msg
	err := echo.call("FailPlain", &Msg{Value: "as asked"}, &answer)
	if status.Code(err) != codes.FailedPrecondition || status.Convert(err).Message() != "fail: as asked" {
		return "", fmt.Errorf("ended with %v", err)
	}
	return err.Error(), nil
}

func checkParallel(echo caller) (string, error) {
	const callers, calls = 50, 40
	var group sync.WaitGroup
	failures := make(chan error, callers)
	for n := 0; n < callers; n++ {
		group.Add(1)
		go func(n int) {
			defer group.Done()
			for i := 0; i < calls; i++ {
				value := fmt.Sprintf("%d/%d", n, i)
				if _, err := ask(echo, "Unary", value, value); err != nil {
					failures <- err
					return
				}
			}
		}(n)
	}
	group.Wait()
	close(failures)
	return fmt.Sprintf("%d calls by %d callers", callers*calls, callers), <-failures
}
