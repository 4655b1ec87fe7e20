package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
	"syscall"
	"time"

	"google.golang.org/protobuf/types/known/wrapperspb"

	"tandem.example/tandem"
	identityv1 "tandem.example/tandem/identity/v1"
	notificationv1 "tandem.example/tandem/notification/v1"
	rpcv1 "tandem.example/tandem/rpc/v1"
)

// text is echo.v1.Msg, whose wire form it has.
type text = wrapperspb.StringValue

func echoMethod(name string, fromClient, fromServer bool) *tandem.Method {
	return &tandem.Method{Service: "echo.v1.Echo", Name: name, ClientStreaming: fromClient, ServerStreaming: fromServer}
}

// runKitEcho asks an echo.v1.Echo server, by the kit, for every kind of method.
func runKitEcho(arguments []string) error {
	flags := flag.NewFlagSet("kit-echo", flag.ExitOnError)
	address := flags.String("address", "", "where the echo server listens, HOST:PORT")
	calls := flags.Int("calls", 20_000, "calls by which the rates of the kit and of the stock client are compared")
	parse(flags, arguments)
	client := tandem.NewClient(tandem.Settings{}, *address)
	defer client.Close()
	for _, check := range []struct {
		name string
		do   func(context.Context, *tandem.Client) (string, error)
	}{
		{"unary", kitUnary}, {"caller", kitCaller}, {"failure", kitFailure}, {"deadline", kitDeadline},
		{"collect", kitCollect}, {"expand", kitExpand}, {"chat", kitChat},
	} {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		err := step("kit "+check.name, func() (string, error) { return check.do(ctx, client) })
		cancel()
		if err != nil {
			return err
		}
	}
	return step("kit rate", func() (string, error) { return compareRates(client, *address, *calls) })
}

func kitUnary(ctx context.Context, client *tandem.Client) (string, error) {
	for _, value := range []string{"", "grüße ✓", strings.Repeat("x", 4_000_000)} {
		answer := &text{}
		if err := client.Unary(ctx, echoMethod("Unary", false, false), &text{Value: value}, answer); err != nil {
			return "", err
		}
		if answer.Value != value {
			return "", fmt.Errorf("answered %.80q", answer.Value)
		}
	}
	return "the same came back", nil
}

func kitCaller(ctx context.Context, client *tandem.Client) (string, error) {
	const trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
	ctx = tandem.OnBehalfOf(ctx, tandem.Caller{Token: "secret", Address: "203.0.113.7", TraceParent: trace})
	answer := &text{}
	if err := client.Unary(tandem.WithMetadata(ctx, "a", "b"), echoMethod("Meta", false, false), &text{}, answer); err != nil {
		return "", err
	}
	expected := "a=b;authorization=Bearer secret;traceparent=" + trace + ";x-forwarded-for=203.0.113.7;timeout="
	if !strings.HasPrefix(answer.Value, expected) {
		return "", fmt.Errorf("answered %q", answer.Value)
	}
	return "forwarded", nil
}

func kitFailure(ctx context.Context, client *tandem.Client) (string, error) {
	err := client.Unary(ctx, echoMethod("Fail", false, false), &text{Value: "as asked"}, &text{})
	var failure *tandem.Error
	if !errors.As(err, &failure) || failure.Code != tandem.FailedPrecondition || len(failure.Details) != 1 {
		return "", fmt.Errorf("ended with %v", err)
	}
	unknown := client.Unary(ctx, echoMethod("Nothing", false, false), &text{}, &text{})
	if !errors.Is(unknown, rpcv1.UnknownMethod) || errors.Is(unknown, identityv1.UsernameTaken) {
		return "", fmt.Errorf("an unknown method ended with %v", unknown)
	}
	return failure.Error(), nil
}

func kitDeadline(ctx context.Context, client *tandem.Client) (string, error) {
	short, cancel := context.WithTimeout(ctx, 100*time.Millisecond)
	defer cancel()
	err := client.Unary(short, echoMethod("Sleep", false, false), &text{Value: "10000"}, &text{})
	if !errors.Is(err, rpcv1.DeadlineExceeded) {
		return "", fmt.Errorf("ended with %v", err)
	}
	return kitUnary(ctx, client)
}

func kitCollect(ctx context.Context, client *tandem.Client) (string, error) {
	call, err := tandem.Open[*text, text](ctx, client, echoMethod("Collect", true, false))
	if err != nil {
		return "", err
	}
	for _, value := range []string{"a", "b"} {
		if err := call.Send(&text{Value: value}); err != nil {
			return "", err
		}
	}
	answer, err := call.FinishAndReceive()
	if err != nil || answer.Value != "a,b" {
		return "", fmt.Errorf("answered %v, %v", answer, err)
	}
	return answer.Value, nil
}

func kitExpand(ctx context.Context, client *tandem.Client) (string, error) {
	stream, err := tandem.ServerStream[text](ctx, client, echoMethod("Expand", false, true), &text{Value: "v:1000"})
	if err != nil {
		return "", err
	}
	defer stream.Close()
	for n := 0; ; n++ {
		one, err := stream.Receive()
		if err == io.EOF && n == 1000 {
			return "1000 messages", nil
		}
		if err != nil || one.Value != fmt.Sprintf("v:1000/%d", n) {
			return "", fmt.Errorf("message %d is %v, %v", n, one, err)
		}
	}
}

func kitChat(ctx context.Context, client *tandem.Client) (string, error) {
	call, err := tandem.Open[*text, text](ctx, client, echoMethod("Chat", true, true))
	if err != nil {
		return "", err
	}
	defer call.Close()
	for _, value := range []string{"one", "two"} {
		if err := call.Send(&text{Value: value}); err != nil {
			return "", err
		}
		if one, err := call.Receive(); err != nil || one.Value != value {
			return "", fmt.Errorf("answered %v, %v", one, err)
		}
	}
	if err := call.Finish(); err != nil {
		return "", err
	}
	if _, err := call.Receive(); err != io.EOF {
		return "", fmt.Errorf("ended with %v", err)
	}
	return "both ways", nil
}

// compareRates has 32 callers on one connection, first of the stock client, then of the kit.
func compareRates(client *tandem.Client, address string, calls int) (string, error) {
	const callers = 32
	stock, err := dial(address, "")
	if err != nil {
		return "", err
	}
	defer stock.Close()
	echo := caller{client: stock, service: "echo.v1.Echo"}
	method := echoMethod("Unary", false, false)
	rate := func(do func(int) error) (float64, error) {
		begun := time.Now()
		err := spread(callers, calls, do)
		return float64(calls) / time.Since(begun).Seconds(), err
	}
	hand, err := rate(func(int) error { return echo.call("Unary", &Msg{Value: "hello"}, &Msg{}) })
	if err != nil {
		return "", err
	}
	kit, err := rate(func(int) error {
		return client.Unary(context.Background(), method, &text{Value: "hello"}, &text{})
	})
	return fmt.Sprintf("%.0f/s beside %.0f/s of the stock client, %.2f of it", kit, hand, kit/hand), err
}

// runKitStream follows a user's notifications by the kit, while the server is killed: the session is that of `journey --out`.
func runKitStream(arguments []string) error {
	flags := flag.NewFlagSet("kit-stream", flag.ExitOnError)
	address := flags.String("address", "127.0.0.1:7401", "where identity listens, HOST:PORT")
	authority := flags.String("ca", "", "file with the authority of its certificate")
	session := flags.String("session", "", "file with username and access token, as `interop journey --out` writes it")
	server := flags.Int("kill", 0, "process of identity, which is killed and which the suite starts again")
	parse(flags, arguments)
	who, err := readSession(*session)
	if err != nil {
		return err
	}
	client := tandem.NewClient(tandem.Settings{TLS: &tandem.TLS{Authority: *authority}}, *address)
	defer client.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	defer cancel()
	ctx = tandem.WaitForReady(tandem.OnBehalfOf(ctx, tandem.Caller{Token: who.Token}))
	return step("kit stream", func() (string, error) { return followOverKill(ctx, client, *server) })
}

// errSeen ends following.
var errSeen = errors.New("seen")

func followOverKill(ctx context.Context, client *tandem.Client, server int) (string, error) {
	inbox := notificationv1.NewNotificationsClient(client)
	after, begun := int64(0), 0
	begin := func(ctx context.Context) (*tandem.Stream[notificationv1.StreamNotificationsResponse, *notificationv1.StreamNotificationsResponse], error) {
		begun++
		return inbox.StreamNotifications(ctx, &notificationv1.StreamNotificationsRequest{After: &after})
	}
	err := tandem.Resume(ctx, begin, func(one *notificationv1.StreamNotificationsResponse) error {
		if one.Position < after {
			return fmt.Errorf("position %d comes after %d", one.Position, after)
		}
		after = one.Position
		if begun > 1 {
			return errSeen
		}
		return syscall.Kill(server, syscall.SIGKILL)
	})
	if !errors.Is(err, errSeen) {
		return "", err
	}
	// Made and repeated by its request_id, whatever the killing did to it.
	groups := identityv1.NewGroupsClient(client)
	made, err := groups.CreateGroup(ctx, &identityv1.CreateGroupRequest{Group: &identityv1.Group{Name: "after"}})
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("begun %d times, at position %d; %s was made", begun, after, made.Name), nil
}
