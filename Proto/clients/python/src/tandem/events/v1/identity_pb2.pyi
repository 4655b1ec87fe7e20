from google.protobuf import timestamp_pb2 as _timestamp_pb2
from tandem.rpc.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor
GROUP_MEMBER_REMOVAL_REASON_ACCOUNT_DELETED: GroupMemberRemovalReason
GROUP_MEMBER_REMOVAL_REASON_LEFT: GroupMemberRemovalReason
GROUP_MEMBER_REMOVAL_REASON_REMOVED: GroupMemberRemovalReason
GROUP_MEMBER_REMOVAL_REASON_UNSPECIFIED: GroupMemberRemovalReason

class AccountDeleted(_message.Message):
    __slots__ = ["delete_time", "user_id"]
    DELETE_TIME_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    delete_time: _timestamp_pb2.Timestamp
    user_id: str
    def __init__(self, user_id: _Optional[str] = ..., delete_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class AccountNamed(_message.Message):
    __slots__ = ["user_id", "username"]
    USERNAME_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    username: str
    def __init__(self, user_id: _Optional[str] = ..., username: _Optional[str] = ...) -> None: ...

class GroupCreated(_message.Message):
    __slots__ = ["create_time", "creator_user_id", "group_id", "name"]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    CREATOR_USER_ID_FIELD_NUMBER: _ClassVar[int]
    GROUP_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    create_time: _timestamp_pb2.Timestamp
    creator_user_id: str
    group_id: str
    name: str
    def __init__(self, group_id: _Optional[str] = ..., name: _Optional[str] = ..., creator_user_id: _Optional[str] = ..., create_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class GroupDeleted(_message.Message):
    __slots__ = ["delete_time", "group_id"]
    DELETE_TIME_FIELD_NUMBER: _ClassVar[int]
    GROUP_ID_FIELD_NUMBER: _ClassVar[int]
    delete_time: _timestamp_pb2.Timestamp
    group_id: str
    def __init__(self, group_id: _Optional[str] = ..., delete_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class GroupMemberAdded(_message.Message):
    __slots__ = ["actor_user_id", "add_time", "group_id", "membership_id", "user_id"]
    ACTOR_USER_ID_FIELD_NUMBER: _ClassVar[int]
    ADD_TIME_FIELD_NUMBER: _ClassVar[int]
    GROUP_ID_FIELD_NUMBER: _ClassVar[int]
    MEMBERSHIP_ID_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    actor_user_id: str
    add_time: _timestamp_pb2.Timestamp
    group_id: str
    membership_id: str
    user_id: str
    def __init__(self, group_id: _Optional[str] = ..., user_id: _Optional[str] = ..., actor_user_id: _Optional[str] = ..., membership_id: _Optional[str] = ..., add_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class GroupMemberRemoved(_message.Message):
    __slots__ = ["actor_user_id", "group_id", "membership_id", "reason", "remove_time", "user_id"]
    ACTOR_USER_ID_FIELD_NUMBER: _ClassVar[int]
    GROUP_ID_FIELD_NUMBER: _ClassVar[int]
    MEMBERSHIP_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    REMOVE_TIME_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    actor_user_id: str
    group_id: str
    membership_id: str
    reason: GroupMemberRemovalReason
    remove_time: _timestamp_pb2.Timestamp
    user_id: str
    def __init__(self, group_id: _Optional[str] = ..., user_id: _Optional[str] = ..., actor_user_id: _Optional[str] = ..., membership_id: _Optional[str] = ..., reason: _Optional[_Union[GroupMemberRemovalReason, str]] = ..., remove_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class GroupRenamed(_message.Message):
    __slots__ = ["actor_user_id", "group_id", "name", "rename_time"]
    ACTOR_USER_ID_FIELD_NUMBER: _ClassVar[int]
    GROUP_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    RENAME_TIME_FIELD_NUMBER: _ClassVar[int]
    actor_user_id: str
    group_id: str
    name: str
    rename_time: _timestamp_pb2.Timestamp
    def __init__(self, group_id: _Optional[str] = ..., name: _Optional[str] = ..., actor_user_id: _Optional[str] = ..., rename_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class ProfileChanged(_message.Message):
    __slots__ = ["gender", "level", "update_time", "user_id"]
    GENDER_FIELD_NUMBER: _ClassVar[int]
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    UPDATE_TIME_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    gender: int
    level: int
    update_time: _timestamp_pb2.Timestamp
    user_id: str
    def __init__(self, user_id: _Optional[str] = ..., gender: _Optional[int] = ..., level: _Optional[int] = ..., update_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class SessionRevoked(_message.Message):
    __slots__ = ["revoke_time", "session_id", "user_id"]
    REVOKE_TIME_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    revoke_time: _timestamp_pb2.Timestamp
    session_id: str
    user_id: str
    def __init__(self, session_id: _Optional[str] = ..., user_id: _Optional[str] = ..., revoke_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class UserBlocked(_message.Message):
    __slots__ = ["block_time", "blocked_user_id", "blocker_user_id", "reported"]
    BLOCKED_USER_ID_FIELD_NUMBER: _ClassVar[int]
    BLOCKER_USER_ID_FIELD_NUMBER: _ClassVar[int]
    BLOCK_TIME_FIELD_NUMBER: _ClassVar[int]
    REPORTED_FIELD_NUMBER: _ClassVar[int]
    block_time: _timestamp_pb2.Timestamp
    blocked_user_id: str
    blocker_user_id: str
    reported: bool
    def __init__(self, blocker_user_id: _Optional[str] = ..., blocked_user_id: _Optional[str] = ..., block_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., reported: bool = ...) -> None: ...

class UserUnblocked(_message.Message):
    __slots__ = ["blocked_user_id", "blocker_user_id", "unblock_time"]
    BLOCKED_USER_ID_FIELD_NUMBER: _ClassVar[int]
    BLOCKER_USER_ID_FIELD_NUMBER: _ClassVar[int]
    UNBLOCK_TIME_FIELD_NUMBER: _ClassVar[int]
    blocked_user_id: str
    blocker_user_id: str
    unblock_time: _timestamp_pb2.Timestamp
    def __init__(self, blocker_user_id: _Optional[str] = ..., blocked_user_id: _Optional[str] = ..., unblock_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class GroupMemberRemovalReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []
