package tandem

import (
	"context"
	"errors"
	"io"
	"time"

	"google.golang.org/protobuf/proto"
)

// message is a pointer to a generated message.
type message[T any] interface {
	*T
	proto.Message
}

// Stream is the responses of a call. Close it, or let its context end: both cancel the call where it has not ended.
type Stream[Response any, Pointer message[Response]] struct {
	ctx    context.Context
	stop   context.CancelFunc
	on     *connection
	stream uint32
	answer *reply
	first  []byte
	end    error
}

// Receive is the next response; io.EOF at the end. One goroutine receives.
func (s *Stream[Response, Pointer]) Receive() (Pointer, error) {
	body, err := s.first, s.end
	s.first = nil
	if body == nil && err == nil {
		body, err = s.answer.next(s.ctx)
	}
	if err != nil {
		s.end = err
		s.Close()
		return nil, err
	}
	made := Pointer(new(Response))
	return made, proto.Unmarshal(body, made)
}

// Close cancels the call where it has not ended.
func (s *Stream[Response, Pointer]) Close() {
	s.stop()
	s.on.cancel(s.stream)
}

// ServerStream begins a call with one request; it returns with the first response. Generated clients call it.
func ServerStream[Response any, Pointer message[Response]](
	ctx context.Context, c *Client, method *Method, request proto.Message,
) (*Stream[Response, Pointer], error) {
	payload, err := proto.Marshal(request)
	if err != nil {
		return nil, err
	}
	made := &Stream[Response, Pointer]{}
	made.ctx, made.stop = context.WithCancel(ctx)
	err = c.retried(ctx, method.Idempotent, func() error {
		if err := made.begin(c, method, payload); err != nil {
			return err
		}
		body, err := made.answer.next(made.ctx)
		if err == nil && body == nil {
			body = []byte{}
		}
		made.first = body
		return err
	})
	if err == io.EOF {
		made.end = err
		return made, nil
	}
	if err != nil {
		made.stop()
		if made.on != nil {
			made.on.cancel(made.stream)
		}
		return nil, err
	}
	return made, nil
}

func (s *Stream[Response, Pointer]) begin(c *Client, method *Method, payload []byte) error {
	on, err := c.connection(s.ctx)
	if err != nil {
		return err
	}
	s.on = on
	s.stream, s.answer, err = on.begin(method, payload, timeLeft(s.ctx), metadata(s.ctx))
	return err
}

// Duplex is a call with messages in both directions. One goroutine may send while another receives.
type Duplex[Request proto.Message, Response any, Pointer message[Response]] struct {
	Stream[Response, Pointer]
}

// Send sends one request. After the end it does nothing: Receive says how the call ended.
func (d *Duplex[Request, Response, Pointer]) Send(request Request) error {
	payload, err := proto.Marshal(request)
	if err != nil {
		return err
	}
	return d.on.send(d.stream, 0, payload)
}

// Finish says that no request follows.
func (d *Duplex[Request, Response, Pointer]) Finish() error {
	return d.on.send(d.stream, flagClosed|flagNoData, nil)
}

// FinishAndReceive ends a call with one response.
func (d *Duplex[Request, Response, Pointer]) FinishAndReceive() (Pointer, error) {
	if err := d.Finish(); err != nil {
		return nil, err
	}
	made, err := d.Receive()
	d.Close()
	return made, noAnswer(err)
}

// Open begins a call with many requests. Generated clients call it.
func Open[Request proto.Message, Response any, Pointer message[Response]](
	ctx context.Context, c *Client, method *Method,
) (*Duplex[Request, Response, Pointer], error) {
	made := &Duplex[Request, Response, Pointer]{}
	made.ctx, made.stop = context.WithCancel(ctx)
	if err := c.retried(ctx, false, func() error { return made.begin(c, method, nil) }); err != nil {
		made.stop()
		return nil, err
	}
	return made, nil
}

// Resume hands on the messages of a stream that is begun again whenever a server or connection is lost; begin takes up after
// what each has seen. It returns nil at the stream's end, what each returns, or what is not a matter of a server that is away.
func Resume[Response any, Pointer message[Response]](
	ctx context.Context, begin func(context.Context) (*Stream[Response, Pointer], error), each func(Pointer) error,
) error {
	for failures := 0; ; failures++ {
		stream, err := begin(ctx)
		for err == nil {
			var one Pointer
			if one, err = stream.Receive(); err == nil {
				failures = 0
				if err := each(one); err != nil {
					stream.Close()
					return err
				}
			}
		}
		if err == io.EOF {
			return nil
		}
		var failure *Error
		if !errors.As(err, &failure) ||
			failure.Code != Unavailable && !(failure.Code == ResourceExhausted && failure.HasRetryInfo) {
			return err
		}
		wait := backoff(firstWait, longestWait, failures)
		if failure.RetryAfter > wait {
			wait = failure.RetryAfter
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return contextError(ctx)
		}
	}
}
