package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/containerd/ttrpc"
)

// runLoad reads one profile over and over, by many callers that share few connections, and compares every answer.
func runLoad(arguments []string) error {
	flags := flag.NewFlagSet("load", flag.ExitOnError)
	address := flags.String("address", "127.0.0.1:7401", "where identity listens, HOST:PORT")
	authority := flags.String("ca", "", "file with the authority of its certificate; plaintext without")
	session := flags.String("session", "", "file with username and access token, as `interop journey --out` writes it")
	callers := flags.Int("callers", 64, "who call at the same time")
	connections := flags.Int("connections", 4, "connections that they share")
	calls := flags.Int("calls", 20_000, "calls in all")
	parse(flags, arguments)
	if *callers < 1 || *connections < 1 || *calls < 1 {
		return errors.New("--callers, --connections and --calls are at least 1")
	}

	who, err := readSession(*session)
	if err != nil {
		return err
	}
	clients := make([]*ttrpc.Client, *connections)
	for n := range clients {
		if clients[n], err = dial(*address, *authority); err != nil {
			return err
		}
		defer clients[n].Close()
	}
	return step("load", func() (string, error) {
		begun := time.Now()
		err := spread(*callers, *calls, func(n int) error {
			return readProfile(caller{
				client: clients[n%len(clients)], service: "tandem.identity.v1.Profiles",
				metadata: ttrpc.MD{"authorization": {"Bearer " + who.Token}},
			}, who.Username)
		})
		elapsed := time.Since(begun)
		return fmt.Sprintf("%d calls by %d callers on %d connections in %v, %.0f/s",
			*calls, *callers, *connections, elapsed.Round(time.Millisecond), float64(*calls)/elapsed.Seconds()), err
	})
}

// sessionFile is what `journey --out` writes.
type sessionFile struct {
	Username string `json:"username"`
	Token    string `json:"access_token"`
}

func readSession(file string) (who sessionFile, err error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return who, err
	}
	return who, json.Unmarshal(content, &who)
}

// spread has that many callers do it, until it was done that often or one of them fails.
func spread(callers, times int, do func(caller int) error) error {
	var left atomic.Int64
	left.Store(int64(times))
	var group sync.WaitGroup
	failures := make(chan error, callers)
	for n := 0; n < callers; n++ {
		group.Add(1)
		go func(n int) {
			defer group.Done()
			for left.Add(-1) >= 0 {
				if err := do(n); err != nil {
					left.Store(0)
					failures <- err
					return
				}
			}
		}(n)
	}
	group.Wait()
	close(failures)
	return <-failures
}

func readProfile(profiles caller, username string) error {
	var answer profile
	if err := profiles.call("GetProfile", &getProfileRequest{Username: username}, &answer); err != nil {
		return err
	}
	if answer.Username != username || answer.UserID == "" {
		return fmt.Errorf("answered with %+v instead of the profile of %s", answer, username)
	}
	return nil
}
