from google.protobuf import timestamp_pb2 as _timestamp_pb2
from tandem.identity.v1 import accounts_pb2 as _accounts_pb2
from tandem.identity.v1 import safety_pb2 as _safety_pb2
from tandem.rpc.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor
SECURITY_EVENT_KIND_EMAIL_CHANGED: SecurityEventKind
SECURITY_EVENT_KIND_EMAIL_CHANGE_REQUESTED: SecurityEventKind
SECURITY_EVENT_KIND_EMAIL_CHANGE_UNDONE: SecurityEventKind
SECURITY_EVENT_KIND_IDENTITY_LINKED: SecurityEventKind
SECURITY_EVENT_KIND_IDENTITY_UNLINKED: SecurityEventKind
SECURITY_EVENT_KIND_KEY_MADE: SecurityEventKind
SECURITY_EVENT_KIND_LOCKED: SecurityEventKind
SECURITY_EVENT_KIND_LOCKED_BY_OPERATOR: SecurityEventKind
SECURITY_EVENT_KIND_LOGGED_IN: SecurityEventKind
SECURITY_EVENT_KIND_LOGGED_IN_BY_IDENTITY: SecurityEventKind
SECURITY_EVENT_KIND_PASSKEY_ADDED: SecurityEventKind
SECURITY_EVENT_KIND_PASSKEY_COUNTER_REFUSED: SecurityEventKind
SECURITY_EVENT_KIND_PASSKEY_REMOVED: SecurityEventKind
SECURITY_EVENT_KIND_PASSWORD_CHANGED: SecurityEventKind
SECURITY_EVENT_KIND_PASSWORD_RESET: SecurityEventKind
SECURITY_EVENT_KIND_PASSWORD_WRONG: SecurityEventKind
SECURITY_EVENT_KIND_RESET_REQUESTED: SecurityEventKind
SECURITY_EVENT_KIND_SESSION_ENDED: SecurityEventKind
SECURITY_EVENT_KIND_UNLOCKED_BY_OPERATOR: SecurityEventKind
SECURITY_EVENT_KIND_UNSPECIFIED: SecurityEventKind
SECURITY_EVENT_KIND_USERNAME_CHANGED: SecurityEventKind

class CloseReportRequest(_message.Message):
    __slots__ = ["actor", "reason", "report_id", "request_id"]
    ACTOR_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    REPORT_ID_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    actor: str
    reason: str
    report_id: str
    request_id: str
    def __init__(self, report_id: _Optional[str] = ..., reason: _Optional[str] = ..., actor: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class DeleteUserRequest(_message.Message):
    __slots__ = ["request_id", "user_id"]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    user_id: str
    def __init__(self, user_id: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class DeleteUserResponse(_message.Message):
    __slots__ = ["delete_time"]
    DELETE_TIME_FIELD_NUMBER: _ClassVar[int]
    delete_time: _timestamp_pb2.Timestamp
    def __init__(self, delete_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class FindUsersRequest(_message.Message):
    __slots__ = ["page_size", "page_token", "query"]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    QUERY_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    query: str
    def __init__(self, query: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class FindUsersResponse(_message.Message):
    __slots__ = ["next_page_token", "users"]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    USERS_FIELD_NUMBER: _ClassVar[int]
    next_page_token: str
    users: _containers.RepeatedCompositeFieldContainer[UserRecord]
    def __init__(self, users: _Optional[_Iterable[_Union[UserRecord, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class GetReportRequest(_message.Message):
    __slots__ = ["report_id"]
    REPORT_ID_FIELD_NUMBER: _ClassVar[int]
    report_id: str
    def __init__(self, report_id: _Optional[str] = ...) -> None: ...

class GetUserRequest(_message.Message):
    __slots__ = ["user_id"]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    def __init__(self, user_id: _Optional[str] = ...) -> None: ...

class ListReportsRequest(_message.Message):
    __slots__ = ["include_closed", "page_size", "page_token", "user_id"]
    INCLUDE_CLOSED_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    include_closed: bool
    page_size: int
    page_token: str
    user_id: str
    def __init__(self, user_id: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., include_closed: bool = ...) -> None: ...

class ListReportsResponse(_message.Message):
    __slots__ = ["next_page_token", "reports"]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    REPORTS_FIELD_NUMBER: _ClassVar[int]
    next_page_token: str
    reports: _containers.RepeatedCompositeFieldContainer[Report]
    def __init__(self, reports: _Optional[_Iterable[_Union[Report, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ListSecurityEventsRequest(_message.Message):
    __slots__ = ["end_time", "page_size", "page_token", "start_time", "user_id"]
    END_TIME_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    START_TIME_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    end_time: _timestamp_pb2.Timestamp
    page_size: int
    page_token: str
    start_time: _timestamp_pb2.Timestamp
    user_id: str
    def __init__(self, user_id: _Optional[str] = ..., start_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., end_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListSecurityEventsResponse(_message.Message):
    __slots__ = ["events", "next_page_token"]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    events: _containers.RepeatedCompositeFieldContainer[SecurityEvent]
    next_page_token: str
    def __init__(self, events: _Optional[_Iterable[_Union[SecurityEvent, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ListUserSessionsRequest(_message.Message):
    __slots__ = ["page_size", "page_token", "user_id"]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    user_id: str
    def __init__(self, user_id: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListUserSessionsResponse(_message.Message):
    __slots__ = ["next_page_token", "sessions"]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    SESSIONS_FIELD_NUMBER: _ClassVar[int]
    next_page_token: str
    sessions: _containers.RepeatedCompositeFieldContainer[_accounts_pb2.Session]
    def __init__(self, sessions: _Optional[_Iterable[_Union[_accounts_pb2.Session, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class LockUserRequest(_message.Message):
    __slots__ = ["request_id", "user_id"]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    user_id: str
    def __init__(self, user_id: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class Report(_message.Message):
    __slots__ = ["changes", "close_time", "create_time", "evidence_ids", "reason", "remarks", "report_id", "reporter_user_id", "reporter_username", "user_id", "username"]
    CHANGES_FIELD_NUMBER: _ClassVar[int]
    CLOSE_TIME_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    EVIDENCE_IDS_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    REMARKS_FIELD_NUMBER: _ClassVar[int]
    REPORTER_USERNAME_FIELD_NUMBER: _ClassVar[int]
    REPORTER_USER_ID_FIELD_NUMBER: _ClassVar[int]
    REPORT_ID_FIELD_NUMBER: _ClassVar[int]
    USERNAME_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    changes: _containers.RepeatedCompositeFieldContainer[ReportChange]
    close_time: _timestamp_pb2.Timestamp
    create_time: _timestamp_pb2.Timestamp
    evidence_ids: _containers.RepeatedScalarFieldContainer[str]
    reason: _safety_pb2.ReportReason
    remarks: str
    report_id: str
    reporter_user_id: str
    reporter_username: str
    user_id: str
    username: str
    def __init__(self, report_id: _Optional[str] = ..., user_id: _Optional[str] = ..., reporter_user_id: _Optional[str] = ..., reason: _Optional[_Union[_safety_pb2.ReportReason, str]] = ..., remarks: _Optional[str] = ..., evidence_ids: _Optional[_Iterable[str]] = ..., create_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., username: _Optional[str] = ..., reporter_username: _Optional[str] = ..., close_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., changes: _Optional[_Iterable[_Union[ReportChange, _Mapping]]] = ...) -> None: ...

class ReportChange(_message.Message):
    __slots__ = ["actor", "change", "reason", "time"]
    ACTOR_FIELD_NUMBER: _ClassVar[int]
    CHANGE_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    TIME_FIELD_NUMBER: _ClassVar[int]
    actor: str
    change: str
    reason: str
    time: _timestamp_pb2.Timestamp
    def __init__(self, change: _Optional[str] = ..., actor: _Optional[str] = ..., reason: _Optional[str] = ..., time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class RotateSigningKeyRequest(_message.Message):
    __slots__ = ["request_id"]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    def __init__(self, request_id: _Optional[str] = ...) -> None: ...

class RotateSigningKeyResponse(_message.Message):
    __slots__ = ["key"]
    KEY_FIELD_NUMBER: _ClassVar[int]
    key: _accounts_pb2.VerificationKey
    def __init__(self, key: _Optional[_Union[_accounts_pb2.VerificationKey, _Mapping]] = ...) -> None: ...

class SecurityEvent(_message.Message):
    __slots__ = ["address", "event_id", "kind", "occur_time", "session_id", "user_id"]
    ADDRESS_FIELD_NUMBER: _ClassVar[int]
    EVENT_ID_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    OCCUR_TIME_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    address: str
    event_id: str
    kind: SecurityEventKind
    occur_time: _timestamp_pb2.Timestamp
    session_id: str
    user_id: str
    def __init__(self, event_id: _Optional[str] = ..., user_id: _Optional[str] = ..., kind: _Optional[_Union[SecurityEventKind, str]] = ..., session_id: _Optional[str] = ..., address: _Optional[str] = ..., occur_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class UnlockUserRequest(_message.Message):
    __slots__ = ["request_id", "user_id"]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    user_id: str
    def __init__(self, user_id: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class UserRecord(_message.Message):
    __slots__ = ["email", "last_use_time", "lock_time", "register_time", "session_count", "user_id", "username", "verify_time"]
    EMAIL_FIELD_NUMBER: _ClassVar[int]
    LAST_USE_TIME_FIELD_NUMBER: _ClassVar[int]
    LOCK_TIME_FIELD_NUMBER: _ClassVar[int]
    REGISTER_TIME_FIELD_NUMBER: _ClassVar[int]
    SESSION_COUNT_FIELD_NUMBER: _ClassVar[int]
    USERNAME_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    VERIFY_TIME_FIELD_NUMBER: _ClassVar[int]
    email: str
    last_use_time: _timestamp_pb2.Timestamp
    lock_time: _timestamp_pb2.Timestamp
    register_time: _timestamp_pb2.Timestamp
    session_count: int
    user_id: str
    username: str
    verify_time: _timestamp_pb2.Timestamp
    def __init__(self, user_id: _Optional[str] = ..., username: _Optional[str] = ..., email: _Optional[str] = ..., register_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., verify_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., lock_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., session_count: _Optional[int] = ..., last_use_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class SecurityEventKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []
