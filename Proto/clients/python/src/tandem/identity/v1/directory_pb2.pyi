from google.protobuf import timestamp_pb2 as _timestamp_pb2
from tandem.identity.v1 import profiles_pb2 as _profiles_pb2
from tandem.rpc.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Block(_message.Message):
    __slots__ = ["blocked_user_id", "blocker_user_id"]
    BLOCKED_USER_ID_FIELD_NUMBER: _ClassVar[int]
    BLOCKER_USER_ID_FIELD_NUMBER: _ClassVar[int]
    blocked_user_id: str
    blocker_user_id: str
    def __init__(self, blocker_user_id: _Optional[str] = ..., blocked_user_id: _Optional[str] = ...) -> None: ...

class FindDeletedAccountsRequest(_message.Message):
    __slots__ = ["user_ids"]
    USER_IDS_FIELD_NUMBER: _ClassVar[int]
    user_ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, user_ids: _Optional[_Iterable[str]] = ...) -> None: ...

class FindDeletedAccountsResponse(_message.Message):
    __slots__ = ["deleted_user_ids"]
    DELETED_USER_IDS_FIELD_NUMBER: _ClassVar[int]
    deleted_user_ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, deleted_user_ids: _Optional[_Iterable[str]] = ...) -> None: ...

class FindFriendsRequest(_message.Message):
    __slots__ = ["other_user_ids", "user_id"]
    OTHER_USER_IDS_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    other_user_ids: _containers.RepeatedScalarFieldContainer[str]
    user_id: str
    def __init__(self, user_id: _Optional[str] = ..., other_user_ids: _Optional[_Iterable[str]] = ...) -> None: ...

class FindFriendsResponse(_message.Message):
    __slots__ = ["friend_user_ids"]
    FRIEND_USER_IDS_FIELD_NUMBER: _ClassVar[int]
    friend_user_ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, friend_user_ids: _Optional[_Iterable[str]] = ...) -> None: ...

class FindTraitsRequest(_message.Message):
    __slots__ = ["user_ids"]
    USER_IDS_FIELD_NUMBER: _ClassVar[int]
    user_ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, user_ids: _Optional[_Iterable[str]] = ...) -> None: ...

class FindTraitsResponse(_message.Message):
    __slots__ = ["traits"]
    TRAITS_FIELD_NUMBER: _ClassVar[int]
    traits: _containers.RepeatedCompositeFieldContainer[Traits]
    def __init__(self, traits: _Optional[_Iterable[_Union[Traits, _Mapping]]] = ...) -> None: ...

class ListBlocksRequest(_message.Message):
    __slots__ = ["page_size", "page_token"]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListBlocksResponse(_message.Message):
    __slots__ = ["blocks", "next_page_token"]
    BLOCKS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    blocks: _containers.RepeatedCompositeFieldContainer[Block]
    next_page_token: str
    def __init__(self, blocks: _Optional[_Iterable[_Union[Block, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ListMembershipsRequest(_message.Message):
    __slots__ = ["page_size", "page_token"]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListMembershipsResponse(_message.Message):
    __slots__ = ["memberships", "next_page_token"]
    MEMBERSHIPS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    memberships: _containers.RepeatedCompositeFieldContainer[Membership]
    next_page_token: str
    def __init__(self, memberships: _Optional[_Iterable[_Union[Membership, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ListUsernamesRequest(_message.Message):
    __slots__ = ["page_size", "page_token"]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListUsernamesResponse(_message.Message):
    __slots__ = ["next_page_token", "users"]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    USERS_FIELD_NUMBER: _ClassVar[int]
    next_page_token: str
    users: _containers.RepeatedCompositeFieldContainer[NamedUser]
    def __init__(self, users: _Optional[_Iterable[_Union[NamedUser, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class Membership(_message.Message):
    __slots__ = ["group_id", "group_name", "join_time", "membership_id", "user_id"]
    GROUP_ID_FIELD_NUMBER: _ClassVar[int]
    GROUP_NAME_FIELD_NUMBER: _ClassVar[int]
    JOIN_TIME_FIELD_NUMBER: _ClassVar[int]
    MEMBERSHIP_ID_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    group_id: str
    group_name: str
    join_time: _timestamp_pb2.Timestamp
    membership_id: str
    user_id: str
    def __init__(self, group_id: _Optional[str] = ..., group_name: _Optional[str] = ..., user_id: _Optional[str] = ..., membership_id: _Optional[str] = ..., join_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class NamedUser(_message.Message):
    __slots__ = ["user_id", "username"]
    USERNAME_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    username: str
    def __init__(self, user_id: _Optional[str] = ..., username: _Optional[str] = ...) -> None: ...

class Traits(_message.Message):
    __slots__ = ["gender", "level", "update_time", "user_id"]
    GENDER_FIELD_NUMBER: _ClassVar[int]
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    UPDATE_TIME_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    gender: _profiles_pb2.Gender
    level: _profiles_pb2.Level
    update_time: _timestamp_pb2.Timestamp
    user_id: str
    def __init__(self, user_id: _Optional[str] = ..., gender: _Optional[_Union[_profiles_pb2.Gender, str]] = ..., level: _Optional[_Union[_profiles_pb2.Level, str]] = ..., update_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...
