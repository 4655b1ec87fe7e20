package tandem

import (
	"context"
	"net"
	"sync"
	"time"
)

const (
	healthEvery    = 10 * time.Second
	healthPatience = 5 * time.Second
	firstWait      = 50 * time.Millisecond
	longestWait    = 5 * time.Second
)

var healthCheck = Method{Service: "grpc.health.v1.Health", Name: "Check", Idempotent: true}

// place is where a connection is, or is to be.
type place struct {
	address, name string
	connection    *connection
	opening       bool
	failures      int
	notBefore     time.Time
	cause         error
}

// pool opens connections with the first call and keeps them. A name stands for all of its addresses.
type pool struct {
	targets  []string
	security *TLS
	each     int

	looking sync.Mutex // held while names are looked up
	mutex   sync.Mutex
	places  []*place
	stale   bool
	turn    int
	closed  bool
	changed chan struct{} // closed and replaced whenever an attempt to connect ends
	stop    chan struct{}
}

func newPool(targets []string, security *TLS, each int) *pool {
	return &pool{
		targets: targets, security: security, each: each, stale: true, changed: make(chan struct{}), stop: make(chan struct{}),
	}
}

// take is a connection that takes calls, of a server that serves where there is one.
func (p *pool) take(ctx context.Context, waitForReady bool) (*connection, error) {
	for {
		if err := p.lookUp(ctx); err != nil {
			return nil, err
		}
		p.mutex.Lock()
		if p.closed {
			p.mutex.Unlock()
			return nil, unreachable("the client is closed", true, 0, nil)
		}
		found, changed, wait, cause := p.choose(), p.changed, time.Duration(0), error(nil)
		isOpening := false
		for n, one := range p.places {
			isOpening = isOpening || one.opening
			if left := time.Until(one.notBefore); n == 0 || left < wait {
				wait, cause = left, one.cause
			}
		}
		p.mutex.Unlock()
		if found != nil {
			return found, nil
		}
		if wait < time.Millisecond {
			wait = time.Millisecond
		}
		var timer <-chan time.Time
		if !isOpening {
			if !waitForReady {
				message := "the name has no address"
				if cause != nil {
					message = cause.Error()
				}
				return nil, unreachable(message, true, wait, cause)
			}
			timer = time.After(wait)
		}
		select {
		case <-changed:
		case <-timer:
		case <-ctx.Done():
			return nil, contextError(ctx)
		}
	}
}

// choose needs the lock; it also opens what is missing.
func (p *pool) choose() *connection {
	var serving, others []*connection
	for _, one := range p.places {
		if one.connection != nil && one.connection.usable() {
			if one.connection.serving.Load() {
				serving = append(serving, one.connection)
			} else {
				others = append(others, one.connection)
			}
			continue
		}
		if one.connection != nil {
			one.connection, p.stale = nil, true
		}
		if !one.opening && time.Now().After(one.notBefore) {
			one.opening = true
			go p.open(one)
		}
	}
	if len(serving) == 0 {
		serving = others
	}
	if len(serving) == 0 {
		return nil
	}
	p.turn++
	return serving[p.turn%len(serving)]
}

func (p *pool) open(one *place) {
	made, err := open(context.Background(), one.address, one.name, p.security)
	p.mutex.Lock()
	defer p.mutex.Unlock()
	one.opening = false
	if err == nil && p.closed {
		made.Close()
	} else if err == nil {
		one.connection, one.failures, one.notBefore, one.cause = made, 0, time.Time{}, nil
	} else {
		wait := backoff(firstWait, longestWait, one.failures)
		one.failures++
		one.notBefore, one.cause, p.stale = time.Now().Add(wait), err, true
	}
	close(p.changed)
	p.changed = make(chan struct{})
}

// backoff doubles up to the longest, give or take a fifth.
func backoff(first, longest time.Duration, failures int) time.Duration {
	wait := longest
	if failures < 10 && first<<failures < longest {
		wait = first << failures
	}
	return wait*4/5 + time.Duration(time.Now().UnixNano())%(wait*2/5)
}

func (p *pool) lookUp(ctx context.Context) error {
	p.mutex.Lock()
	isNew := p.places == nil
	p.mutex.Unlock()
	if isNew {
		p.looking.Lock()
	} else if !p.looking.TryLock() {
		return nil
	}
	defer p.looking.Unlock()
	p.mutex.Lock()
	isStale := p.stale && !p.closed
	p.stale = false
	p.mutex.Unlock()
	if !isStale {
		return nil
	}
	type target struct{ address, name string }
	wanted, failure := map[target]bool{}, error(nil)
	for _, one := range p.targets {
		host, port, err := net.SplitHostPort(one)
		var found []string
		if err == nil {
			found, err = net.DefaultResolver.LookupHost(ctx, host)
		}
		if err != nil {
			failure = err
		}
		for _, address := range found {
			wanted[target{net.JoinHostPort(address, port), host}] = true
		}
	}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if len(wanted) == 0 {
		p.stale = true
		if len(p.places) > 0 {
			return nil
		}
		return unreachable(failure.Error(), true, time.Second, failure)
	}
	isFirst := p.places == nil
	var kept []*place
	for _, one := range p.places {
		if key := (target{one.address, one.name}); wanted[key] {
			kept = append(kept, one)
		} else if one.connection != nil {
			one.connection.retire()
		}
	}
	for _, one := range kept {
		delete(wanted, target{one.address, one.name})
	}
	for one := range wanted {
		for n := 0; n < p.each; n++ {
			kept = append(kept, &place{address: one.address, name: one.name})
		}
	}
	p.places = kept
	if isFirst {
		go p.lookAfter()
	}
	return nil
}

// lookAfter asks for the health of each connection, and whether the certificates are still those that it has.
func (p *pool) lookAfter() {
	ticker := time.NewTicker(healthEvery)
	defer ticker.Stop()
	for {
		select {
		case <-p.stop:
			return
		case <-ticker.C:
		}
		p.mutex.Lock()
		var open []*connection
		for _, one := range p.places {
			if one.connection != nil && one.connection.usable() {
				open = append(open, one.connection)
			}
		}
		p.mutex.Unlock()
		for _, one := range open {
			if p.security != nil {
				if files, err := p.security.read(); err == nil && files != one.files {
					one.retire()
					continue
				}
			}
			go check(one)
		}
	}
}

func check(one *connection) {
	ctx, cancel := context.WithTimeout(context.Background(), healthPatience)
	defer cancel()
	asked := time.Now().UnixNano()
	stream, answer, err := one.begin(&healthCheck, nil, healthPatience, nil)
	if err != nil {
		return
	}
	body, err := answer.next(ctx)
	switch {
	case err == nil:
		// status SERVING, the only field
		one.serving.Store(len(body) == 2 && body[0] == 8 && body[1] == 1)
	case ctx.Err() != nil:
		one.cancel(stream)
		one.serving.Store(false)
		if one.heard.Load() < asked {
			one.Close() // nothing at all came: it is dead
		}
	default:
		one.serving.Store(CodeOf(err) == Unimplemented)
	}
}

func (p *pool) close() {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.closed {
		return
	}
	p.closed = true
	close(p.stop)
	for _, one := range p.places {
		if one.connection != nil {
			one.connection.Close()
		}
	}
}
