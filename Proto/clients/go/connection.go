package tandem

import (
	"bufio"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// unreadBytes of a stream may wait for its reader; ttrpc cannot tell the server to wait.
	unreadBytes = 8 << 20
	lastStream  = 1<<32 - 2
	openingTime = 5 * time.Second
	writingTime = 10 * time.Second
)

// reply is what comes back for one call: messages, then an end or an error.
type reply struct {
	mutex    sync.Mutex
	messages [][]byte
	bytes    int
	ended    bool
	failure  error
	changed  chan struct{}
}

func newReply() *reply { return &reply{changed: make(chan struct{}, 1)} }

func (r *reply) wake() {
	select {
	case r.changed <- struct{}{}:
	default:
	}
}

// add is whether there was room for the message.
func (r *reply) add(body []byte) bool {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.bytes+len(body) > unreadBytes {
		return false
	}
	r.messages = append(r.messages, body)
	r.bytes += len(body)
	r.wake()
	return true
}

func (r *reply) end(failure error) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if !r.ended {
		r.ended, r.failure = true, failure
		r.wake()
	}
}

// next is the next message; io.EOF at the end. One goroutine reads.
func (r *reply) next(ctx context.Context) ([]byte, error) {
	for {
		r.mutex.Lock()
		if len(r.messages) > 0 {
			body := r.messages[0]
			r.messages[0] = nil
			r.messages = r.messages[1:]
			r.bytes -= len(body)
			r.mutex.Unlock()
			return body, nil
		}
		ended, failure := r.ended, r.failure
		r.mutex.Unlock()
		if ended {
			if failure != nil {
				return nil, failure
			}
			return nil, io.EOF
		}
		select {
		case <-r.changed:
		case <-ctx.Done():
			return nil, contextError(ctx)
		}
	}
}

// contextError is the error of a call whose context is over.
func contextError(ctx context.Context) error {
	code, reason := Cancelled, ""
	if ctx.Err() == context.DeadlineExceeded {
		code, reason = DeadlineExceeded, "DEADLINE_EXCEEDED"
	}
	return &Error{Code: code, Reason: reason, Message: ctx.Err().Error(), pkg: anyMethod, cause: ctx.Err()}
}

type call struct {
	method *Method
	reply  *reply
}

// connection carries calls. No call waits for another: a stream that is not read is lost alone.
type connection struct {
	net.Conn
	files *certificates

	serving atomic.Bool
	heard   atomic.Int64

	writing sync.Mutex // held while an id is taken and its Request written, and while a frame is

	mutex    sync.Mutex
	calls    map[uint32]call
	next     uint64
	draining bool
	closed   bool
}

func open(ctx context.Context, address, name string, security *TLS) (*connection, error) {
	ctx, cancel := context.WithTimeout(ctx, openingTime)
	defer cancel()
	socket, err := (&net.Dialer{}).DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	made := &connection{calls: map[uint32]call{}, next: 1}
	made.serving.Store(true)
	if security != nil {
		config, files, err := security.config(name)
		if err != nil {
			socket.Close()
			return nil, err
		}
		secured := tls.Client(socket, config)
		if err := secured.HandshakeContext(ctx); err != nil {
			socket.Close()
			return nil, err
		}
		socket, made.files = secured, files
	}
	made.Conn = socket
	go made.read()
	return made, nil
}

func (c *connection) usable() bool {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return !c.closed && !c.draining && c.next <= lastStream
}

func (c *connection) read() {
	from := bufio.NewReaderSize(c.Conn, 64<<10)
	for {
		found, err := readHeader(from)
		if err == nil {
			c.heard.Store(time.Now().UnixNano())
			if found.length > frameBytes {
				_, err = io.CopyN(io.Discard, from, int64(found.length))
				c.giveUp(found.stream, "MESSAGE_TOO_LARGE", "the answer is longer than a frame may be")
			} else {
				body := make([]byte, found.length)
				if _, err = io.ReadFull(from, body); err == nil {
					c.receive(found, body)
				}
			}
		}
		if err != nil {
			c.lost(err)
			return
		}
	}
}

func (c *connection) receive(found header, body []byte) {
	if found.stream == 0 {
		// A server that stops refuses the stream that no call can have.
		if _, err := response(body, ""); found.kind == frameResponse && CodeOf(err) == Unavailable {
			c.retire()
		}
		return
	}
	c.mutex.Lock()
	one, known := c.calls[found.stream]
	c.mutex.Unlock()
	if !known {
		return
	}
	switch found.kind {
	case frameResponse:
		payload, err := response(body, one.method.pkg())
		if err == nil && !one.method.ServerStreaming {
			one.reply.add(payload)
		}
		c.forget(found.stream)
		one.reply.end(err)
	case frameData:
		isEnd := found.flags&flagClosed != 0
		if found.flags&flagNoData == 0 && !(isEnd && len(body) == 0) && !one.reply.add(body) {
			c.giveUp(found.stream, "RECEIVE_BUFFER_FULL", "too many messages wait to be read")
		} else if isEnd {
			c.forget(found.stream)
			one.reply.end(nil)
		}
	}
}

func (c *connection) giveUp(stream uint32, reason, message string) {
	c.mutex.Lock()
	one, known := c.calls[stream]
	c.mutex.Unlock()
	if known {
		one.reply.end(&Error{Code: ResourceExhausted, Reason: reason, Message: message, pkg: anyMethod})
		c.cancel(stream)
	}
}

func (c *connection) forget(stream uint32) {
	c.mutex.Lock()
	delete(c.calls, stream)
	isDone := c.draining && len(c.calls) == 0
	c.mutex.Unlock()
	if isDone {
		c.Close()
	}
}

func (c *connection) lost(cause error) {
	c.mutex.Lock()
	calls := c.calls
	c.calls, c.closed = map[uint32]call{}, true
	c.mutex.Unlock()
	c.Close()
	for _, one := range calls {
		one.reply.end(unreachable(fmt.Sprintf("the connection was lost: %v", cause), false, 0, cause))
	}
}

// begin writes the Request. Without a payload the call's messages follow.
func (c *connection) begin(method *Method, payload []byte, timeout time.Duration, metadata []pair) (uint32, *reply, error) {
	var flags uint8
	if method.ClientStreaming {
		flags = flagOpen | flagNoData
	} else if method.ServerStreaming {
		flags = flagClosed
	}
	body := request(method, payload, timeout, metadata)
	if len(body) > frameBytes {
		return 0, nil, tooLarge()
	}
	made := newReply()
	c.writing.Lock()
	defer c.writing.Unlock()
	c.mutex.Lock()
	if c.closed || c.next > lastStream {
		c.mutex.Unlock()
		return 0, nil, unreachable("the connection was lost", true, 0, nil)
	}
	stream := uint32(c.next)
	c.next += 2
	c.calls[stream] = call{method, made}
	c.mutex.Unlock()
	c.write(appendFrame(make([]byte, 0, headerBytes+len(body)), stream, frameRequest, flags, body))
	return stream, made, nil
}

func tooLarge() *Error {
	return &Error{
		Code: ResourceExhausted, Reason: "MESSAGE_TOO_LARGE", Message: "it is longer than a frame may be", pkg: anyMethod,
	}
}

// send writes one frame of a call that has not ended.
func (c *connection) send(stream uint32, flags uint8, body []byte) error {
	if len(body) > frameBytes {
		return tooLarge()
	}
	c.mutex.Lock()
	_, known := c.calls[stream]
	c.mutex.Unlock()
	if known {
		c.writing.Lock()
		defer c.writing.Unlock()
		c.write(appendFrame(make([]byte, 0, headerBytes+len(body)), stream, frameData, flags, body))
	}
	return nil
}

// write needs the lock. A server that takes nothing for that long is lost; reading tells the calls.
func (c *connection) write(frame []byte) {
	_ = c.SetWriteDeadline(time.Now().Add(writingTime))
	if _, err := c.Write(frame); err != nil {
		c.Close()
	}
}

// cancel ends a call on this side, and a stream on the server's too; ttrpc cannot cancel a call with one answer.
func (c *connection) cancel(stream uint32) {
	c.mutex.Lock()
	one, known := c.calls[stream]
	c.mutex.Unlock()
	if !known {
		return
	}
	if one.method.ServerStreaming || one.method.ClientStreaming {
		_ = c.send(stream, 0, cancelled)
	}
	c.forget(stream)
}

// retire lets running calls end, and then closes.
func (c *connection) retire() {
	c.mutex.Lock()
	c.draining = true
	isDone := len(c.calls) == 0
	c.mutex.Unlock()
	if isDone {
		c.Close()
	}
}
