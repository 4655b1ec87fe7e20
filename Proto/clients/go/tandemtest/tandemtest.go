// Package tandemtest gives Go tests a suite of their own (`tandem test`), with users, a clock that they move, and mail.
//
// The program is found in the PATH, or named by TANDEM_PROGRAM.
package tandemtest

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"tandem.example/tandem"
)

// User is verified, and has a profile and a session.
type User struct {
	ID           string `json:"id"`
	Username     string `json:"username"`
	Email        string `json:"email"`
	Password     string `json:"password"`
	RefreshToken string `json:"refreshToken"`
}

// Mail is what was mailed to somebody.
type Mail struct {
	To, Subject, Text, Token string
	Links                    []string
}

// Suite is a running suite for tests.
type Suite struct {
	// Users by name.
	Users map[string]User
	Home  string

	t       testing.TB
	facts   facts
	mutex   sync.Mutex
	clients map[string]*tandem.Client
}

type facts struct {
	Home               string                          `json:"home"`
	Authority          string                          `json:"authority"`
	GatewayCertificate string                          `json:"gatewayCertificate"`
	GatewayKey         string                          `json:"gatewayKey"`
	Services           map[string]struct{ RPC string } `json:"services"`
	Users              map[string]User                 `json:"users"`
}

// Start starts a suite with these users, which ends with the test: also when the test's process is killed. Inside of
// `tandem test run` it is the suite of that, brought back to its beginning.
func Start(t testing.TB, users ...string) *Suite {
	t.Helper()
	suite := &Suite{t: t, clients: map[string]*tandem.Client{}}
	t.Cleanup(suite.closeClients)
	if document, err := os.ReadFile(filepath.Join(os.Getenv("TANDEM_HOME"), "test.json")); err == nil {
		suite.read(document)
		suite.Reset()
		return suite
	}
	command := exec.Command(program(), "test", "start", "--attached", "--json", "--users", strings.Join(users, ","))
	command.Stderr = os.Stderr
	input, err := command.StdinPipe()
	suite.must(err)
	output, err := command.StdoutPipe()
	suite.must(err)
	suite.must(command.Start())
	t.Cleanup(func() {
		input.Close()
		command.Wait()
	})
	document, err := io.ReadAll(output)
	suite.must(err)
	suite.read(document)
	return suite
}

// Client calls a service, such as "matching", as a gateway does.
func (s *Suite) Client(service string) *tandem.Client {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.clients[service] == nil {
		tls := &tandem.TLS{
			Authority: s.facts.Authority, Certificate: s.facts.GatewayCertificate, Key: s.facts.GatewayKey,
		}
		s.clients[service] = tandem.NewClient(tandem.Settings{TLS: tls}, s.Address(service))
	}
	return s.clients[service]
}

// Address is HOST:PORT of the service's RPCs.
func (s *Suite) Address(service string) string { return s.facts.Services[service].RPC }

// As makes calls those of a user, with an access token that is good by the suite's clock.
func (s *Suite) As(user string) context.Context {
	s.t.Helper()
	return tandem.OnBehalfOf(context.Background(), tandem.Caller{Token: s.Token(user)})
}

// Token is a user's access token; with "--expired" or "--revoked" one that is refused.
func (s *Suite) Token(user string, state ...string) string {
	s.t.Helper()
	return strings.TrimSpace(string(s.run(append([]string{"token", user}, state...)...)))
}

// Clock moves the clock of all services by "+20m" or "at", "2027-03-28T00:59:50Z", and returns what it shows.
func (s *Suite) Clock(change ...string) string {
	s.t.Helper()
	return strings.TrimSpace(string(s.run(append([]string{"clock"}, change...)...)))
}

// Mail is what was mailed to the address, once there is some, the oldest first.
func (s *Suite) Mail(address string) []Mail {
	s.t.Helper()
	var mail []Mail
	s.must(json.Unmarshal(s.run("mail", "--wait", address), &mail))
	return mail
}

// Reset brings everything back to the suite's beginning.
func (s *Suite) Reset() {
	s.t.Helper()
	s.read(s.run("reset", "--json"))
}

// Kill ends a service as if its machine lost power; the suite starts it again.
func (s *Suite) Kill(service string) {
	s.t.Helper()
	text, err := os.ReadFile(filepath.Join(s.Home, "run", service+".json"))
	s.must(err)
	var ready struct{ PID int }
	s.must(json.Unmarshal(text, &ready))
	s.must(syscall.Kill(ready.PID, syscall.SIGKILL))
}

func (s *Suite) read(document []byte) {
	s.t.Helper()
	s.must(json.Unmarshal(document, &s.facts))
	s.Users, s.Home = s.facts.Users, s.facts.Home
}

func (s *Suite) run(words ...string) []byte {
	s.t.Helper()
	command := exec.Command(program(), append(append([]string{"test"}, words...), "--home", s.Home)...)
	errors := &strings.Builder{}
	command.Stderr = errors
	output, err := command.Output()
	if err != nil {
		s.t.Fatalf("tandem test %s: %v: %s", strings.Join(words, " "), err, errors)
	}
	return output
}

func (s *Suite) closeClients() {
	for _, client := range s.clients {
		client.Close()
	}
}

func (s *Suite) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatalf("the suite for tests: %v", err)
	}
}

func program() string {
	if named := os.Getenv("TANDEM_PROGRAM"); named != "" {
		return named
	}
	return "tandem"
}
