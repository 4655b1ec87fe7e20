package main

// Msg is echo.v1.Msg. Its tags are all that the codec of ttrpc 1.1 needs; there is no generated code.
type Msg struct {
	Value string `protobuf:"bytes,1,opt,name=value,proto3"`
}

func (m *Msg) Reset()         { *m = Msg{} }
func (m *Msg) String() string { return m.Value }
func (*Msg) ProtoMessage()    {}
