package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"sort"
	"strings"
	"sync"
	"time"

	"github.com/containerd/ttrpc"
)

// load runs callers over one connection, each waiting for its answer before its next call, and prints one JSON line.
func load(port, callers int, warm, measured time.Duration, serverPID int) error {
	conn, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		return err
	}
	client := ttrpc.NewClient(conn)
	defer client.Close()
	if _, _, err := rounds(client, callers, warm); err != nil {
		return err
	}
	before := cpuSeconds(serverPID)
	latencies, elapsed, err := rounds(client, callers, measured)
	if err != nil {
		return err
	}
	cpu := cpuSeconds(serverPID) - before
	sort.Slice(latencies, func(a, b int) bool { return latencies[a] < latencies[b] })
	calls := float64(len(latencies))
	quantile := func(q float64) float64 { return float64(latencies[int(q*(calls-1))].Nanoseconds()) / 1000 }
	return json.NewEncoder(os.Stdout).Encode(map[string]float64{
		"rate": calls / elapsed.Seconds(), "p50_us": quantile(0.5), "p99_us": quantile(0.99), "cpu_us": cpu / calls * 1e6,
	})
}

func rounds(client *ttrpc.Client, callers int, length time.Duration) ([]time.Duration, time.Duration, error) {
	var (
		group   sync.WaitGroup
		lock    sync.Mutex
		all     []time.Duration
		failure error
		value   = strings.Repeat("x", 64)
		begun   = time.Now()
	)
	for n := 0; n < callers; n++ {
		group.Add(1)
		go func() {
			defer group.Done()
			own := make([]time.Duration, 0, 1<<16)
			var err error
			for err == nil && time.Since(begun) < length {
				sent := time.Now()
				var answer Msg
				err = client.Call(context.Background(), "echo.v1.Echo", "Unary", &Msg{Value: value}, &answer)
				if err == nil && answer.Value != value {
					err = fmt.Errorf("answered %q", answer.Value)
				}
				own = append(own, time.Since(sent))
			}
			lock.Lock()
			defer lock.Unlock()
			all = append(all, own...)
			if err != nil {
				failure = err
			}
		}()
	}
	group.Wait()
	return all, time.Since(begun), failure
}

// cpuSeconds is what the process has used: utime and stime of /proc/PID/stat, in units of 1/100 s.
func cpuSeconds(pid int) float64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	var user, system float64
	fmt.Sscan(fields[11], &user)
	fmt.Sscan(fields[12], &system)
	return (user + system) / 100
}
