package main

// The messages of tandem.identity.v1 that the journey needs, and of what those are made of. A field that a message has and
// that is not named here is skipped when it comes.

type timestamp struct {
	Seconds int64 `protobuf:"varint,1,opt,name=seconds,proto3"`
	Nanos   int32 `protobuf:"varint,2,opt,name=nanos,proto3"`
}

func (m *timestamp) Reset()         { *m = timestamp{} }
func (m *timestamp) String() string { return "Timestamp" }
func (*timestamp) ProtoMessage()    {}

type date struct {
	Year  int32 `protobuf:"varint,1,opt,name=year,proto3"`
	Month int32 `protobuf:"varint,2,opt,name=month,proto3"`
	Day   int32 `protobuf:"varint,3,opt,name=day,proto3"`
}

func (m *date) Reset()         { *m = date{} }
func (m *date) String() string { return "Date" }
func (*date) ProtoMessage()    {}

type registerRequest struct {
	Email    string `protobuf:"bytes,1,opt,name=email,proto3"`
	Username string `protobuf:"bytes,2,opt,name=username,proto3"`
	Password string `protobuf:"bytes,3,opt,name=password,proto3"`
}

func (m *registerRequest) Reset()         { *m = registerRequest{} }
func (m *registerRequest) String() string { return "RegisterRequest" }
func (*registerRequest) ProtoMessage()    {}

type registerResponse struct {
	UserID                 string     `protobuf:"bytes,1,opt,name=user_id,proto3"`
	VerificationExpireTime *timestamp `protobuf:"bytes,2,opt,name=verification_expire_time,proto3"`
	RegistrationSecret     string     `protobuf:"bytes,4,opt,name=registration_secret,proto3"`
}

func (m *registerResponse) Reset()         { *m = registerResponse{} }
func (m *registerResponse) String() string { return "RegisterResponse" }
func (*registerResponse) ProtoMessage()    {}

type verifyEmailRequest struct {
	Token              string `protobuf:"bytes,1,opt,name=token,proto3"`
	RegistrationSecret string `protobuf:"bytes,4,opt,name=registration_secret,proto3"`
}

func (m *verifyEmailRequest) Reset()         { *m = verifyEmailRequest{} }
func (m *verifyEmailRequest) String() string { return "VerifyEmailRequest" }
func (*verifyEmailRequest) ProtoMessage()    {}

type verifyEmailResponse struct {
	UserID string `protobuf:"bytes,1,opt,name=user_id,proto3"`
}

func (m *verifyEmailResponse) Reset()         { *m = verifyEmailResponse{} }
func (m *verifyEmailResponse) String() string { return "VerifyEmailResponse" }
func (*verifyEmailResponse) ProtoMessage()    {}

type loginRequest struct {
	EmailOrUsername string `protobuf:"bytes,1,opt,name=email_or_username,proto3"`
	Password        string `protobuf:"bytes,2,opt,name=password,proto3"`
	DeviceLabel     string `protobuf:"bytes,3,opt,name=device_label,proto3"`
}

func (m *loginRequest) Reset()         { *m = loginRequest{} }
func (m *loginRequest) String() string { return "LoginRequest" }
func (*loginRequest) ProtoMessage()    {}

type loginResponse struct {
	SessionID   string `protobuf:"bytes,1,opt,name=session_id,proto3"`
	UserID      string `protobuf:"bytes,2,opt,name=user_id,proto3"`
	AccessToken string `protobuf:"bytes,3,opt,name=access_token,proto3"`
}

func (m *loginResponse) Reset()         { *m = loginResponse{} }
func (m *loginResponse) String() string { return "LoginResponse" }
func (*loginResponse) ProtoMessage()    {}

type profile struct {
	UserID      string   `protobuf:"bytes,1,opt,name=user_id,proto3"`
	Username    string   `protobuf:"bytes,2,opt,name=username,proto3"`
	Gender      int32    `protobuf:"varint,3,opt,name=gender,proto3"`
	DateOfBirth *date    `protobuf:"bytes,4,opt,name=date_of_birth,proto3"`
	Level       int32    `protobuf:"varint,5,opt,name=level,proto3"`
	Interests   []string `protobuf:"bytes,6,rep,name=interests,proto3"`
	TimeZone    string   `protobuf:"bytes,8,opt,name=time_zone,proto3"`
}

func (m *profile) Reset()         { *m = profile{} }
func (m *profile) String() string { return "Profile" }
func (*profile) ProtoMessage()    {}

type createProfileRequest struct {
	Profile *profile `protobuf:"bytes,1,opt,name=profile,proto3"`
}

func (m *createProfileRequest) Reset()         { *m = createProfileRequest{} }
func (m *createProfileRequest) String() string { return "CreateProfileRequest" }
func (*createProfileRequest) ProtoMessage()    {}

type getProfileRequest struct {
	Username string `protobuf:"bytes,1,opt,name=username,proto3"`
}

func (m *getProfileRequest) Reset()         { *m = getProfileRequest{} }
func (m *getProfileRequest) String() string { return "GetProfileRequest" }
func (*getProfileRequest) ProtoMessage()    {}

type group struct {
	GroupID     string `protobuf:"bytes,1,opt,name=group_id,proto3"`
	Name        string `protobuf:"bytes,2,opt,name=name,proto3"`
	MemberCount int32  `protobuf:"varint,3,opt,name=member_count,proto3"`
}

func (m *group) Reset()         { *m = group{} }
func (m *group) String() string { return "Group" }
func (*group) ProtoMessage()    {}

type createGroupRequest struct {
	Group *group `protobuf:"bytes,1,opt,name=group,proto3"`
}

func (m *createGroupRequest) Reset()         { *m = createGroupRequest{} }
func (m *createGroupRequest) String() string { return "CreateGroupRequest" }
func (*createGroupRequest) ProtoMessage()    {}

type fieldMask struct {
	Paths []string `protobuf:"bytes,1,rep,name=paths,proto3"`
}

func (m *fieldMask) Reset()         { *m = fieldMask{} }
func (m *fieldMask) String() string { return "FieldMask" }
func (*fieldMask) ProtoMessage()    {}

type updateGroupRequest struct {
	Group      *group     `protobuf:"bytes,1,opt,name=group,proto3"`
	UpdateMask *fieldMask `protobuf:"bytes,2,opt,name=update_mask,proto3"`
}

func (m *updateGroupRequest) Reset()         { *m = updateGroupRequest{} }
func (m *updateGroupRequest) String() string { return "UpdateGroupRequest" }
func (*updateGroupRequest) ProtoMessage()    {}

type groupMember struct {
	UserID   string `protobuf:"bytes,1,opt,name=user_id,proto3"`
	Username string `protobuf:"bytes,2,opt,name=username,proto3"`
}

func (m *groupMember) Reset()         { *m = groupMember{} }
func (m *groupMember) String() string { return "GroupMember" }
func (*groupMember) ProtoMessage()    {}

type addGroupMemberRequest struct {
	GroupID string `protobuf:"bytes,1,opt,name=group_id,proto3"`
	Email   string `protobuf:"bytes,2,opt,name=email,proto3"`
}

func (m *addGroupMemberRequest) Reset()         { *m = addGroupMemberRequest{} }
func (m *addGroupMemberRequest) String() string { return "AddGroupMemberRequest" }
func (*addGroupMemberRequest) ProtoMessage()    {}

type groupInvitation struct {
	InvitationID    string `protobuf:"bytes,1,opt,name=invitation_id,proto3"`
	State           int32  `protobuf:"varint,2,opt,name=state,proto3"`
	Group           *group `protobuf:"bytes,3,opt,name=group,proto3"`
	InviterUserID   string `protobuf:"bytes,4,opt,name=inviter_user_id,proto3"`
	InviterUsername string `protobuf:"bytes,5,opt,name=inviter_username,proto3"`
	Email           string `protobuf:"bytes,6,opt,name=email,proto3"`
}

func (m *groupInvitation) Reset()         { *m = groupInvitation{} }
func (m *groupInvitation) String() string { return "GroupInvitation" }
func (*groupInvitation) ProtoMessage()    {}

type listInvitationsResponse struct {
	Invitations []*groupInvitation `protobuf:"bytes,1,rep,name=invitations,proto3"`
}

func (m *listInvitationsResponse) Reset()         { *m = listInvitationsResponse{} }
func (m *listInvitationsResponse) String() string { return "ListInvitationsResponse" }
func (*listInvitationsResponse) ProtoMessage()    {}

type invitationRequest struct {
	InvitationID string `protobuf:"bytes,1,opt,name=invitation_id,proto3"`
}

func (m *invitationRequest) Reset()         { *m = invitationRequest{} }
func (m *invitationRequest) String() string { return "AcceptInvitationRequest" }
func (*invitationRequest) ProtoMessage()    {}

type acceptInvitationResponse struct {
	Group *group `protobuf:"bytes,1,opt,name=group,proto3"`
}

func (m *acceptInvitationResponse) Reset()         { *m = acceptInvitationResponse{} }
func (m *acceptInvitationResponse) String() string { return "AcceptInvitationResponse" }
func (*acceptInvitationResponse) ProtoMessage()    {}

// groupRequest is every request that names a group and nothing else that has to be said.
type groupRequest struct {
	GroupID string `protobuf:"bytes,1,opt,name=group_id,proto3"`
}

func (m *groupRequest) Reset()         { *m = groupRequest{} }
func (m *groupRequest) String() string { return "GroupRequest" }
func (*groupRequest) ProtoMessage()    {}

type listGroupMembersResponse struct {
	Members []*groupMember `protobuf:"bytes,1,rep,name=members,proto3"`
}

func (m *listGroupMembersResponse) Reset()         { *m = listGroupMembersResponse{} }
func (m *listGroupMembersResponse) String() string { return "ListGroupMembersResponse" }
func (*listGroupMembersResponse) ProtoMessage()    {}

// empty is an answer without anything to read.
type empty struct{}

func (m *empty) Reset()         { *m = empty{} }
func (m *empty) String() string { return "Empty" }
func (*empty) ProtoMessage()    {}

const (
	invitationPending = 1

	genderOther = 3
	levelNovice = 1
)
