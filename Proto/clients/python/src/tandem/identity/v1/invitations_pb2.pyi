from google.protobuf import timestamp_pb2 as _timestamp_pb2
from tandem.identity.v1 import groups_pb2 as _groups_pb2
from tandem.identity.v1 import safety_pb2 as _safety_pb2
from tandem.rpc.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class AcceptInvitationRequest(_message.Message):
    __slots__ = ["invitation_id", "request_id"]
    INVITATION_ID_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    invitation_id: str
    request_id: str
    def __init__(self, invitation_id: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class AcceptInvitationResponse(_message.Message):
    __slots__ = ["group", "join_time"]
    GROUP_FIELD_NUMBER: _ClassVar[int]
    JOIN_TIME_FIELD_NUMBER: _ClassVar[int]
    group: _groups_pb2.Group
    join_time: _timestamp_pb2.Timestamp
    def __init__(self, group: _Optional[_Union[_groups_pb2.Group, _Mapping]] = ..., join_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class BlockInviterRequest(_message.Message):
    __slots__ = ["invitation_id", "request_id"]
    INVITATION_ID_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    invitation_id: str
    request_id: str
    def __init__(self, invitation_id: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class DeclineAllInvitationsRequest(_message.Message):
    __slots__ = ["inviter_user_id", "request_id"]
    INVITER_USER_ID_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    inviter_user_id: str
    request_id: str
    def __init__(self, inviter_user_id: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class DeclineAllInvitationsResponse(_message.Message):
    __slots__ = ["declined_count"]
    DECLINED_COUNT_FIELD_NUMBER: _ClassVar[int]
    declined_count: int
    def __init__(self, declined_count: _Optional[int] = ...) -> None: ...

class DeclineInvitationRequest(_message.Message):
    __slots__ = ["invitation_id", "request_id"]
    INVITATION_ID_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    invitation_id: str
    request_id: str
    def __init__(self, invitation_id: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class DeclineInvitationResponse(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class ListGroupInvitationsRequest(_message.Message):
    __slots__ = ["group_id", "page_size", "page_token"]
    GROUP_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    group_id: str
    page_size: int
    page_token: str
    def __init__(self, group_id: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListGroupInvitationsResponse(_message.Message):
    __slots__ = ["invitations", "next_page_token"]
    INVITATIONS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    invitations: _containers.RepeatedCompositeFieldContainer[_groups_pb2.GroupInvitation]
    next_page_token: str
    def __init__(self, invitations: _Optional[_Iterable[_Union[_groups_pb2.GroupInvitation, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ListInvitationsRequest(_message.Message):
    __slots__ = ["page_size", "page_token"]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListInvitationsResponse(_message.Message):
    __slots__ = ["invitations", "next_page_token"]
    INVITATIONS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    invitations: _containers.RepeatedCompositeFieldContainer[_groups_pb2.GroupInvitation]
    next_page_token: str
    def __init__(self, invitations: _Optional[_Iterable[_Union[_groups_pb2.GroupInvitation, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ListSentInvitationsRequest(_message.Message):
    __slots__ = ["page_size", "page_token"]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListSentInvitationsResponse(_message.Message):
    __slots__ = ["invitations", "next_page_token"]
    INVITATIONS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    invitations: _containers.RepeatedCompositeFieldContainer[_groups_pb2.GroupInvitation]
    next_page_token: str
    def __init__(self, invitations: _Optional[_Iterable[_Union[_groups_pb2.GroupInvitation, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class WithdrawInvitationRequest(_message.Message):
    __slots__ = ["invitation_id", "request_id"]
    INVITATION_ID_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    invitation_id: str
    request_id: str
    def __init__(self, invitation_id: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class WithdrawInvitationResponse(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...
