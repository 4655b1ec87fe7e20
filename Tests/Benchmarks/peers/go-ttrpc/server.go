package main

import (
	"context"
	"fmt"
	"net"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/containerd/ttrpc"
	"github.com/golang/protobuf/ptypes/any"
	spb "google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// serve answers the unary methods of echo.v1.Echo until the process is ended.
func serve(port int) error {
	listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		return err
	}
	server, err := ttrpc.NewServer()
	if err != nil {
		return err
	}
	methods := map[string]ttrpc.Method{}
	for name, answer := range map[string]func(context.Context, string) (string, error){
		"Unary":     func(_ context.Context, value string) (string, error) { return value, nil },
		"Meta":      meta,
		"Sleep":     sleep,
		"Fail":      fail,
		"FailPlain": failPlain,
		"Big":       big,
	} {
		answer := answer
		methods[name] = func(ctx context.Context, unmarshal func(interface{}) error) (interface{}, error) {
			var request Msg
			if err := unmarshal(&request); err != nil {
				return nil, err
			}
			value, err := answer(ctx, request.Value)
			if err != nil {
				return nil, err
			}
			return &Msg{Value: value}, nil
		}
	}
	server.Register("echo.v1.Echo", methods)
	fmt.Printf("listening on %s\n", listener.Addr())
	return server.Serve(context.Background(), listener)
}

func meta(ctx context.Context, _ string) (string, error) {
	metadata, _ := ttrpc.GetMetadata(ctx)
	var pairs []string
	for key, values := range metadata {
		pairs = append(pairs, key+"="+strings.Join(values, "|"))
	}
	sort.Strings(pairs)
	if deadline, ok := ctx.Deadline(); ok {
		pairs = append(pairs, fmt.Sprintf("timeout=%d", time.Until(deadline).Milliseconds()))
	}
	return strings.Join(pairs, ";"), nil
}

func sleep(ctx context.Context, value string) (string, error) {
	milliseconds, err := strconv.Atoi(value)
	if err != nil {
		return "", status.Error(codes.InvalidArgument, err.Error())
	}
	select {
	// What the method promises: the caller chose the time.
	case <-time.After(time.Duration(milliseconds) * time.Millisecond):
		return "slept", nil
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

func fail(_ context.Context, value string) (string, error) {
	detail := append([]byte{0x0a, byte(len("detail " + value))}, "detail "+value...)
	return "", status.ErrorProto(&spb.Status{
		Code:    int32(codes.FailedPrecondition),
		Message: "fail: " + value,
		Details: []*any.Any{{TypeUrl: "type.googleapis.com/google.protobuf.StringValue", Value: detail}},
	})
}

func failPlain(_ context.Context, value string) (string, error) {
	return "", status.Error(codes.FailedPrecondition, "fail: "+value)
}

func big(_ context.Context, value string) (string, error) {
	count, err := strconv.Atoi(value)
	if err != nil {
		return "", status.Error(codes.InvalidArgument, err.Error())
	}
	return strings.Repeat("x", count), nil
}
