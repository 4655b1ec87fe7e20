from google.protobuf import timestamp_pb2 as _timestamp_pb2
from tandem.rpc.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor
REPORT_REASON_DANGER: ReportReason
REPORT_REASON_HARASSMENT: ReportReason
REPORT_REASON_IMPERSONATION: ReportReason
REPORT_REASON_INAPPROPRIATE_CONTENT: ReportReason
REPORT_REASON_OTHER: ReportReason
REPORT_REASON_SPAM: ReportReason
REPORT_REASON_UNSPECIFIED: ReportReason

class BlockUserRequest(_message.Message):
    __slots__ = ["request_id", "user_id"]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    user_id: str
    def __init__(self, user_id: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class BlockedUser(_message.Message):
    __slots__ = ["block_time", "user_id", "username"]
    BLOCK_TIME_FIELD_NUMBER: _ClassVar[int]
    USERNAME_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    block_time: _timestamp_pb2.Timestamp
    user_id: str
    username: str
    def __init__(self, user_id: _Optional[str] = ..., username: _Optional[str] = ..., block_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class ListBlockedUsersRequest(_message.Message):
    __slots__ = ["page_size", "page_token"]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListBlockedUsersResponse(_message.Message):
    __slots__ = ["blocked_users", "next_page_token"]
    BLOCKED_USERS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    blocked_users: _containers.RepeatedCompositeFieldContainer[BlockedUser]
    next_page_token: str
    def __init__(self, blocked_users: _Optional[_Iterable[_Union[BlockedUser, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ReportUserRequest(_message.Message):
    __slots__ = ["evidence_ids", "reason", "remarks", "request_id", "user_id"]
    EVIDENCE_IDS_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    REMARKS_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    evidence_ids: _containers.RepeatedScalarFieldContainer[str]
    reason: ReportReason
    remarks: str
    request_id: str
    user_id: str
    def __init__(self, user_id: _Optional[str] = ..., reason: _Optional[_Union[ReportReason, str]] = ..., remarks: _Optional[str] = ..., evidence_ids: _Optional[_Iterable[str]] = ..., request_id: _Optional[str] = ...) -> None: ...

class ReportUserResponse(_message.Message):
    __slots__ = ["create_time", "report_id"]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    REPORT_ID_FIELD_NUMBER: _ClassVar[int]
    create_time: _timestamp_pb2.Timestamp
    report_id: str
    def __init__(self, report_id: _Optional[str] = ..., create_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class UnblockUserRequest(_message.Message):
    __slots__ = ["request_id", "user_id"]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    user_id: str
    def __init__(self, user_id: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class UnblockUserResponse(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class ReportReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []
