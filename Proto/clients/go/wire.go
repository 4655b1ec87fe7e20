package tandem

import (
	"encoding/binary"
	"errors"
	"io"
	"time"

	"google.golang.org/protobuf/encoding/protowire"
)

// Frames and envelopes of ttrpc 1.2, as bytes: the program may link any version of google.rpc and ttrpc beside them.
const (
	frameRequest  = 1
	frameResponse = 2
	frameData     = 3

	flagClosed = 1
	flagOpen   = 2
	flagNoData = 4

	headerBytes = 10
	frameBytes  = 4_194_304
)

// cancelled is no protobuf message: whatever server gets it fails the stream.
var cancelled = []byte{7}

var errMalformed = errors.New("the server sent what is no ttrpc")

type header struct {
	length, stream uint32
	kind, flags    uint8
}

func appendFrame(to []byte, stream uint32, kind, flags uint8, body []byte) []byte {
	to = binary.BigEndian.AppendUint32(to, uint32(len(body)))
	to = binary.BigEndian.AppendUint32(to, stream)
	to = append(to, kind, flags)
	return append(to, body...)
}

func readHeader(from io.Reader) (header, error) {
	var bytes [headerBytes]byte
	if _, err := io.ReadFull(from, bytes[:]); err != nil {
		return header{}, err
	}
	return header{
		length: binary.BigEndian.Uint32(bytes[0:]), stream: binary.BigEndian.Uint32(bytes[4:]),
		kind: bytes[8], flags: bytes[9],
	}, nil
}

func appendText(to []byte, number protowire.Number, text string) []byte {
	return protowire.AppendString(protowire.AppendTag(to, number, protowire.BytesType), text)
}

// request is the envelope of a call.
func request(method *Method, payload []byte, timeout time.Duration, metadata []pair) []byte {
	var body []byte
	body = appendText(body, 1, method.Service)
	body = appendText(body, 2, method.Name)
	if len(payload) > 0 {
		body = protowire.AppendBytes(protowire.AppendTag(body, 3, protowire.BytesType), payload)
	}
	if timeout > 0 {
		body = protowire.AppendVarint(protowire.AppendTag(body, 4, protowire.VarintType), uint64(timeout))
	}
	for _, one := range metadata {
		entry := appendText(appendText(nil, 1, one.key), 2, one.value)
		body = protowire.AppendBytes(protowire.AppendTag(body, 5, protowire.BytesType), entry)
	}
	return body
}

// fields calls for each field of a message: bytes for a length-delimited one, the number for a varint.
func fields(body []byte, each func(number protowire.Number, bytes []byte, value uint64)) error {
	for len(body) > 0 {
		number, kind, length := protowire.ConsumeTag(body)
		if length < 0 {
			return errMalformed
		}
		body = body[length:]
		switch kind {
		case protowire.BytesType:
			bytes, length := protowire.ConsumeBytes(body)
			if length < 0 {
				return errMalformed
			}
			each(number, bytes, 0)
			body = body[length:]
		case protowire.VarintType:
			value, length := protowire.ConsumeVarint(body)
			if length < 0 {
				return errMalformed
			}
			each(number, nil, value)
			body = body[length:]
		default:
			length := protowire.ConsumeFieldValue(number, kind, body)
			if length < 0 {
				return errMalformed
			}
			body = body[length:]
		}
	}
	return nil
}

// response is the payload of an envelope, or the error in it.
func response(body []byte, pkg string) ([]byte, error) {
	var payload []byte
	var failure *Error
	err := fields(body, func(number protowire.Number, bytes []byte, _ uint64) {
		switch number {
		case 1:
			if found := errorOf(bytes, pkg); found.Code != OK {
				failure = found
			}
		case 2:
			payload = bytes
		}
	})
	if err != nil {
		return nil, err
	}
	if failure != nil {
		return nil, failure
	}
	return payload, nil
}
