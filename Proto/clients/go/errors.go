package tandem

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"google.golang.org/protobuf/encoding/protowire"
)

// Code is google.rpc.Code.
type Code int32

const (
	OK Code = iota
	Cancelled
	Unknown
	InvalidArgument
	DeadlineExceeded
	NotFound
	AlreadyExists
	PermissionDenied
	ResourceExhausted
	FailedPrecondition
	Aborted
	OutOfRange
	Unimplemented
	Internal
	Unavailable
	DataLoss
	Unauthenticated
)

var codeNames = [...]string{
	"OK", "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND", "ALREADY_EXISTS", "PERMISSION_DENIED",
	"RESOURCE_EXHAUSTED", "FAILED_PRECONDITION", "ABORTED", "OUT_OF_RANGE", "UNIMPLEMENTED", "INTERNAL", "UNAVAILABLE",
	"DATA_LOSS", "UNAUTHENTICATED",
}

func (c Code) String() string {
	if c < 0 || int(c) >= len(codeNames) {
		return fmt.Sprintf("CODE_%d", int32(c))
	}
	return codeNames[c]
}

// Reason is why calls are refused, one of the contract: errors.Is(err, matchingv1.SessionTaken).
type Reason struct {
	// Package has the methods that refuse with it; tandem.rpc.v1 for any method.
	Package string
	Name    string
	// Retryable is whether the call may succeed when it is repeated.
	Retryable bool
}

func (r *Reason) Error() string { return r.Name }

// anyMethod is the package of the reasons with which any method may refuse.
const anyMethod = "tandem.rpc.v1"

// Violation is a field of the request that is invalid.
type Violation struct{ Field, Description, Reason string }

// Detail is a detail of an error as it came.
type Detail struct {
	TypeURL string
	Value   []byte
}

// Error is what a call fails with.
type Error struct {
	Code    Code
	Message string
	// Reason and Domain are those of google.rpc.ErrorInfo, and Metadata too.
	Reason, Domain string
	Metadata       map[string]string
	// RetryAfter is when the call may be repeated (google.rpc.RetryInfo), and HasRetryInfo whether the server says so.
	RetryAfter   time.Duration
	HasRetryInfo bool
	// Fields are the invalid fields of the request (google.rpc.BadRequest).
	Fields  []Violation
	Details []Detail

	pkg string
	// notBegun is whether the server cannot have got the call.
	notBegun bool
	cause    error
}

func (e *Error) Error() string {
	return strings.TrimSpace(e.Code.String()+" "+e.Reason) + ": " + e.Message
}

func (e *Error) Unwrap() error { return e.cause }

// Is compares with a Reason.
func (e *Error) Is(target error) bool {
	reason, ok := target.(*Reason)
	return ok && e.Reason == reason.Name && (reason.Package == anyMethod || reason.Package == e.pkg)
}

// CodeOf is the code of a call's error: OK for nil, Unknown for an error of another kind.
func CodeOf(err error) Code {
	if err == nil {
		return OK
	}
	var failure *Error
	if errors.As(err, &failure) {
		return failure.Code
	}
	return Unknown
}

func unreachable(message string, notBegun bool, wait time.Duration, cause error) *Error {
	return &Error{
		Code: Unavailable, Reason: "SERVER_UNREACHABLE", Message: message, notBegun: notBegun, pkg: anyMethod,
		RetryAfter: wait, HasRetryInfo: wait > 0, cause: cause,
	}
}

// errorOf reads a google.rpc.Status.
func errorOf(status []byte, pkg string) *Error {
	made := &Error{pkg: pkg}
	malformed := fields(status, func(number protowire.Number, bytes []byte, value uint64) {
		switch number {
		case 1:
			made.Code = Code(int32(value))
		case 2:
			made.Message = string(bytes)
		case 3:
			made.addDetail(bytes)
		}
	})
	if malformed != nil {
		return &Error{Code: Internal, Message: malformed.Error(), pkg: pkg}
	}
	return made
}

func (e *Error) addDetail(body []byte) {
	var detail Detail
	_ = fields(body, func(number protowire.Number, bytes []byte, _ uint64) {
		switch number {
		case 1:
			detail.TypeURL = string(bytes)
		case 2:
			detail.Value = bytes
		}
	})
	e.Details = append(e.Details, detail)
	// What cannot be read stays among the details.
	switch detail.TypeURL[strings.LastIndexByte(detail.TypeURL, '/')+1:] {
	case "google.rpc.ErrorInfo":
		_ = fields(detail.Value, func(number protowire.Number, bytes []byte, _ uint64) {
			switch number {
			case 1:
				e.Reason = string(bytes)
			case 2:
				e.Domain = string(bytes)
			case 3:
				texts := textsOf(bytes)
				if e.Metadata == nil {
					e.Metadata = map[string]string{}
				}
				e.Metadata[texts[1]] = texts[2]
			}
		})
	case "google.rpc.RetryInfo":
		_ = fields(detail.Value, func(number protowire.Number, bytes []byte, _ uint64) {
			e.HasRetryInfo = true
			_ = fields(bytes, func(number protowire.Number, _ []byte, value uint64) {
				switch number {
				case 1:
					e.RetryAfter += time.Duration(value) * time.Second
				case 2:
					e.RetryAfter += time.Duration(value)
				}
			})
		})
	case "google.rpc.BadRequest":
		_ = fields(detail.Value, func(number protowire.Number, bytes []byte, _ uint64) {
			if texts := textsOf(bytes); number == 1 {
				e.Fields = append(e.Fields, Violation{Field: texts[1], Description: texts[2], Reason: texts[3]})
			}
		})
	}
}

// textsOf are the first three fields of a message, which are strings.
func textsOf(body []byte) (texts [4]string) {
	_ = fields(body, func(number protowire.Number, bytes []byte, _ uint64) {
		if number <= 3 {
			texts[number] = string(bytes)
		}
	})
	return texts
}
