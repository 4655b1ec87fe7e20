package main

// The messages, as the codec of ttrpc 1.1 wants them: a struct whose tags hold the field numbers of the contract.

// Msg is echo.v1.Msg.
type Msg struct {
	Value string `protobuf:"bytes,1,opt,name=value,proto3"`
}

func (m *Msg) Reset()         { *m = Msg{} }
func (m *Msg) String() string { return m.Value }
func (*Msg) ProtoMessage()    {}

// Of tandem.identity.v1 what `load` needs. A field that is not named here is skipped when it comes.

type profile struct {
	UserID    string   `protobuf:"bytes,1,opt,name=user_id,proto3"`
	Username  string   `protobuf:"bytes,2,opt,name=username,proto3"`
	Gender    int32    `protobuf:"varint,3,opt,name=gender,proto3"`
	Level     int32    `protobuf:"varint,5,opt,name=level,proto3"`
	Interests []string `protobuf:"bytes,6,rep,name=interests,proto3"`
	TimeZone  string   `protobuf:"bytes,8,opt,name=time_zone,proto3"`
}

func (m *profile) Reset()         { *m = profile{} }
func (m *profile) String() string { return "Profile" }
func (*profile) ProtoMessage()    {}

type getProfileRequest struct {
	Username string `protobuf:"bytes,1,opt,name=username,proto3"`
}

func (m *getProfileRequest) Reset()         { *m = getProfileRequest{} }
func (m *getProfileRequest) String() string { return "GetProfileRequest" }
func (*getProfileRequest) ProtoMessage()    {}
