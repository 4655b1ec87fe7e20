from google.protobuf import field_mask_pb2 as _field_mask_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from tandem.identity.v1 import profiles_pb2 as _profiles_pb2
from tandem.rpc.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor
INVITATION_STATE_PENDING: InvitationState
INVITATION_STATE_UNSPECIFIED: InvitationState

class AddGroupMemberRequest(_message.Message):
    __slots__ = ["email", "group_id", "request_id"]
    EMAIL_FIELD_NUMBER: _ClassVar[int]
    GROUP_ID_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    email: str
    group_id: str
    request_id: str
    def __init__(self, group_id: _Optional[str] = ..., email: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class ChangedMember(_message.Message):
    __slots__ = ["group_id", "member"]
    GROUP_ID_FIELD_NUMBER: _ClassVar[int]
    MEMBER_FIELD_NUMBER: _ClassVar[int]
    group_id: str
    member: GroupMember
    def __init__(self, group_id: _Optional[str] = ..., member: _Optional[_Union[GroupMember, _Mapping]] = ...) -> None: ...

class CreateGroupRequest(_message.Message):
    __slots__ = ["group", "request_id", "validate_only"]
    GROUP_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    VALIDATE_ONLY_FIELD_NUMBER: _ClassVar[int]
    group: Group
    request_id: str
    validate_only: bool
    def __init__(self, group: _Optional[_Union[Group, _Mapping]] = ..., validate_only: bool = ..., request_id: _Optional[str] = ...) -> None: ...

class FormerGroup(_message.Message):
    __slots__ = ["group_id"]
    GROUP_ID_FIELD_NUMBER: _ClassVar[int]
    group_id: str
    def __init__(self, group_id: _Optional[str] = ...) -> None: ...

class FormerMember(_message.Message):
    __slots__ = ["group_id", "user_id"]
    GROUP_ID_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    group_id: str
    user_id: str
    def __init__(self, group_id: _Optional[str] = ..., user_id: _Optional[str] = ...) -> None: ...

class GetGroupRequest(_message.Message):
    __slots__ = ["group_id"]
    GROUP_ID_FIELD_NUMBER: _ClassVar[int]
    group_id: str
    def __init__(self, group_id: _Optional[str] = ...) -> None: ...

class Group(_message.Message):
    __slots__ = ["create_time", "etag", "group_id", "member_count", "name"]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    GROUP_ID_FIELD_NUMBER: _ClassVar[int]
    MEMBER_COUNT_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    create_time: _timestamp_pb2.Timestamp
    etag: str
    group_id: str
    member_count: int
    name: str
    def __init__(self, group_id: _Optional[str] = ..., name: _Optional[str] = ..., member_count: _Optional[int] = ..., etag: _Optional[str] = ..., create_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class GroupInvitation(_message.Message):
    __slots__ = ["create_time", "email", "expire_time", "group", "invitation_id", "inviter_user_id", "inviter_username", "state"]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    EMAIL_FIELD_NUMBER: _ClassVar[int]
    EXPIRE_TIME_FIELD_NUMBER: _ClassVar[int]
    GROUP_FIELD_NUMBER: _ClassVar[int]
    INVITATION_ID_FIELD_NUMBER: _ClassVar[int]
    INVITER_USERNAME_FIELD_NUMBER: _ClassVar[int]
    INVITER_USER_ID_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    create_time: _timestamp_pb2.Timestamp
    email: str
    expire_time: _timestamp_pb2.Timestamp
    group: Group
    invitation_id: str
    inviter_user_id: str
    inviter_username: str
    state: InvitationState
    def __init__(self, invitation_id: _Optional[str] = ..., state: _Optional[_Union[InvitationState, str]] = ..., group: _Optional[_Union[Group, _Mapping]] = ..., inviter_user_id: _Optional[str] = ..., inviter_username: _Optional[str] = ..., email: _Optional[str] = ..., create_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., expire_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class GroupMember(_message.Message):
    __slots__ = ["join_time", "user_id", "username"]
    JOIN_TIME_FIELD_NUMBER: _ClassVar[int]
    USERNAME_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    join_time: _timestamp_pb2.Timestamp
    user_id: str
    username: str
    def __init__(self, user_id: _Optional[str] = ..., username: _Optional[str] = ..., join_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class LeaveGroupRequest(_message.Message):
    __slots__ = ["group_id", "request_id"]
    GROUP_ID_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    group_id: str
    request_id: str
    def __init__(self, group_id: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class LeaveGroupResponse(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class ListGroupMembersRequest(_message.Message):
    __slots__ = ["group_id", "page_size", "page_token"]
    GROUP_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    group_id: str
    page_size: int
    page_token: str
    def __init__(self, group_id: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListGroupMembersResponse(_message.Message):
    __slots__ = ["members", "next_page_token"]
    MEMBERS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    members: _containers.RepeatedCompositeFieldContainer[GroupMember]
    next_page_token: str
    def __init__(self, members: _Optional[_Iterable[_Union[GroupMember, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ListGroupsRequest(_message.Message):
    __slots__ = ["page_size", "page_token"]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListGroupsResponse(_message.Message):
    __slots__ = ["groups", "next_page_token"]
    GROUPS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    groups: _containers.RepeatedCompositeFieldContainer[Group]
    next_page_token: str
    def __init__(self, groups: _Optional[_Iterable[_Union[Group, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ListMyChangesRequest(_message.Message):
    __slots__ = ["page_size", "since"]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    SINCE_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    since: str
    def __init__(self, since: _Optional[str] = ..., page_size: _Optional[int] = ...) -> None: ...

class ListMyChangesResponse(_message.Message):
    __slots__ = ["changes", "more", "next_since", "reset"]
    CHANGES_FIELD_NUMBER: _ClassVar[int]
    MORE_FIELD_NUMBER: _ClassVar[int]
    NEXT_SINCE_FIELD_NUMBER: _ClassVar[int]
    RESET_FIELD_NUMBER: _ClassVar[int]
    changes: _containers.RepeatedCompositeFieldContainer[OwnChange]
    more: bool
    next_since: str
    reset: bool
    def __init__(self, changes: _Optional[_Iterable[_Union[OwnChange, _Mapping]]] = ..., next_since: _Optional[str] = ..., more: bool = ..., reset: bool = ...) -> None: ...

class OwnChange(_message.Message):
    __slots__ = ["former_group", "former_member", "group", "member", "profile"]
    FORMER_GROUP_FIELD_NUMBER: _ClassVar[int]
    FORMER_MEMBER_FIELD_NUMBER: _ClassVar[int]
    GROUP_FIELD_NUMBER: _ClassVar[int]
    MEMBER_FIELD_NUMBER: _ClassVar[int]
    PROFILE_FIELD_NUMBER: _ClassVar[int]
    former_group: FormerGroup
    former_member: FormerMember
    group: Group
    member: ChangedMember
    profile: _profiles_pb2.Profile
    def __init__(self, profile: _Optional[_Union[_profiles_pb2.Profile, _Mapping]] = ..., group: _Optional[_Union[Group, _Mapping]] = ..., former_group: _Optional[_Union[FormerGroup, _Mapping]] = ..., member: _Optional[_Union[ChangedMember, _Mapping]] = ..., former_member: _Optional[_Union[FormerMember, _Mapping]] = ...) -> None: ...

class RemoveGroupMemberRequest(_message.Message):
    __slots__ = ["group_id", "request_id", "user_id"]
    GROUP_ID_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    group_id: str
    request_id: str
    user_id: str
    def __init__(self, group_id: _Optional[str] = ..., user_id: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class RemoveGroupMemberResponse(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class UpdateGroupRequest(_message.Message):
    __slots__ = ["group", "request_id", "update_mask", "validate_only"]
    GROUP_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    UPDATE_MASK_FIELD_NUMBER: _ClassVar[int]
    VALIDATE_ONLY_FIELD_NUMBER: _ClassVar[int]
    group: Group
    request_id: str
    update_mask: _field_mask_pb2.FieldMask
    validate_only: bool
    def __init__(self, group: _Optional[_Union[Group, _Mapping]] = ..., update_mask: _Optional[_Union[_field_mask_pb2.FieldMask, _Mapping]] = ..., validate_only: bool = ..., request_id: _Optional[str] = ...) -> None: ...

class InvitationState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []
