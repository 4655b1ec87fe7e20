package main

// The messages, as the codec of ttrpc 1.1 wants them: a struct whose tags hold the field numbers of the contract.

// Msg is echo.v1.Msg.
type Msg struct {
	Value string `protobuf:"bytes,1,opt,name=value,proto3"`
}

func (m *Msg) Reset()         { *m = Msg{} }
func (m *Msg) String() string { return m.Value }
func (*Msg) ProtoMessage()    {}
