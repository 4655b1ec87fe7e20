// Package tandem calls the services of Tandem: typed clients and reasons are in the packages below it, such as
// tandem.example/tandem/matching/v1. See README.md.
package tandem

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// Method is what generated code says of a method of the contract.
type Method struct {
	Service, Name                    string
	ClientStreaming, ServerStreaming bool
	// Idempotent is whether the contract lets a call be repeated that may have been carried out.
	Idempotent bool
}

func (m *Method) pkg() string { return m.Service[:strings.LastIndexByte(m.Service, '.')] }

// Settings of a client; the zero value is that of a plaintext one.
type Settings struct {
	// TLS; nil for plaintext.
	TLS *TLS
	// ConnectionsPerAddress; 1 where it is 0.
	ConnectionsPerAddress int
	// Timeout of a call with one response whose context has no deadline; 10 s where it is 0.
	Timeout time.Duration
}

// Client makes calls to the servers of one target; generated clients take it.
type Client struct {
	pool    *pool
	timeout time.Duration
	tokens  atomic.Int64 // of the budget for retries, in tenths
}

const (
	attempts     = 4
	budget       = 10_000
	longestRetry = time.Second
)

// NewClient makes a client for servers at HOST:PORT. It connects with the first call.
func NewClient(settings Settings, addresses ...string) *Client {
	each := settings.ConnectionsPerAddress
	if each < 1 {
		each = 1
	}
	made := &Client{pool: newPool(addresses, settings.TLS, each), timeout: settings.Timeout}
	if made.timeout == 0 {
		made.timeout = 10 * time.Second
	}
	made.tokens.Store(budget)
	return made
}

// Close ends all of its calls.
func (c *Client) Close() { c.pool.close() }

// Caller is on whose behalf a gateway makes a call.
type Caller struct {
	// Token is the user's access token.
	Token string
	// Address is the user's IP address; it counts only where the server lets this program forward it.
	Address string
	// TraceParent and TraceState continue the user's W3C trace.
	TraceParent, TraceState string
	// RequestID is found in the logs.
	RequestID string
}

type pair struct{ key, value string }

type contextKey int

const (
	callerKey contextKey = iota
	metadataKey
	readyKey
	onceKey
)

// OnBehalfOf makes the calls of a context those of a caller.
func OnBehalfOf(ctx context.Context, caller Caller) context.Context {
	return context.WithValue(ctx, callerKey, caller)
}

// WithMetadata adds a pair to the calls of a context.
func WithMetadata(ctx context.Context, key, value string) context.Context {
	before, _ := ctx.Value(metadataKey).([]pair)
	return context.WithValue(ctx, metadataKey, append(before[:len(before):len(before)], pair{key, value}))
}

// WaitForReady lets the calls of a context wait for a server, up to their deadline, instead of failing while none is there.
func WaitForReady(ctx context.Context) context.Context { return context.WithValue(ctx, readyKey, true) }

// WithoutRetry lets the calls of a context fail with the first failure.
func WithoutRetry(ctx context.Context) context.Context { return context.WithValue(ctx, onceKey, true) }

func metadata(ctx context.Context) []pair {
	made, _ := ctx.Value(metadataKey).([]pair)
	made = made[:len(made):len(made)]
	caller, _ := ctx.Value(callerKey).(Caller)
	if caller.Token != "" {
		made = append(made, pair{"authorization", "Bearer " + caller.Token})
	}
	for _, one := range []pair{
		{"x-forwarded-for", caller.Address}, {"traceparent", caller.TraceParent}, {"tracestate", caller.TraceState},
		{"x-request-id", caller.RequestID},
	} {
		if one.value != "" {
			made = append(made, one)
		}
	}
	return made
}

func timeLeft(ctx context.Context) time.Duration {
	end, ok := ctx.Deadline()
	if !ok {
		return 0
	}
	if left := time.Until(end); left > 0 {
		return left
	}
	return 1
}

// Unary is a call with one request and one response; generated clients call it.
func (c *Client) Unary(ctx context.Context, method *Method, request, answer proto.Message) error {
	if _, ok := ctx.Deadline(); !ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, c.timeout)
		defer cancel()
	}
	request, isRepeatable := withRequestID(request)
	payload, err := proto.Marshal(request)
	if err != nil {
		return err
	}
	var body []byte
	err = c.retried(ctx, method.Idempotent || isRepeatable, func() error {
		on, err := c.connection(ctx)
		if err != nil {
			return err
		}
		stream, answer, err := on.begin(method, payload, timeLeft(ctx), metadata(ctx))
		if err != nil {
			return err
		}
		body, err = answer.next(ctx)
		if ctx.Err() != nil {
			on.cancel(stream)
		}
		return err
	})
	if err != nil {
		return noAnswer(err)
	}
	return proto.Unmarshal(body, answer)
}

func noAnswer(err error) error {
	if err == io.EOF {
		return &Error{Code: Internal, Message: "the server ended the call without a response"}
	}
	return err
}

func (c *Client) connection(ctx context.Context) (*connection, error) {
	isPatient, _ := ctx.Value(readyKey).(bool)
	return c.pool.take(ctx, isPatient)
}

func (c *Client) retried(ctx context.Context, isRepeatable bool, attempt func() error) error {
	for number := 0; ; number++ {
		err := attempt()
		if err == nil {
			if c.tokens.Add(1) > budget {
				c.tokens.Add(-1)
			}
			return nil
		}
		once, _ := ctx.Value(onceKey).(bool)
		wait, ok := waitBeforeRetry(err, number, isRepeatable)
		if end, has := ctx.Deadline(); !ok || once || number+1 == attempts || (has && time.Until(end) <= wait) {
			return err
		}
		if c.tokens.Add(-10) < budget/2 {
			c.tokens.Add(10)
			return err
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return err
		}
	}
}

// waitBeforeRetry is how long until a failed call is repeated, and whether it may be. See "What is retried" in the handbook.
func waitBeforeRetry(err error, number int, isRepeatable bool) (time.Duration, bool) {
	var failure *Error
	if !errors.As(err, &failure) || failure.Code != Unavailable {
		return 0, false
	}
	if failure.Reason == "DRAINING" {
		return 0, true
	}
	if !failure.notBegun && !isRepeatable {
		return 0, false
	}
	if failure.HasRetryInfo {
		return failure.RetryAfter, true
	}
	return backoff(firstWait, longestRetry, number), true
}

// withRequestID is the request with a request_id where it has the field, which makes the call safe to repeat.
func withRequestID(request proto.Message) (proto.Message, bool) {
	field := request.ProtoReflect().Descriptor().Fields().ByName("request_id")
	if field == nil {
		return request, false
	}
	if request.ProtoReflect().Get(field).String() == "" {
		request = proto.Clone(request)
		request.ProtoReflect().Set(field, protoreflect.ValueOfString(newUUID()))
	}
	return request, true
}

func newUUID() string {
	var bytes [16]byte
	if _, err := rand.Read(bytes[:]); err != nil {
		panic(err) // the system has no randomness: nothing is safe then
	}
	bytes[6], bytes[8] = bytes[6]&0x0f|0x40, bytes[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", bytes[:4], bytes[4:6], bytes[6:8], bytes[8:10], bytes[10:])
}
