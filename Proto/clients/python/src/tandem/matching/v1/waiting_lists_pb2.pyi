from google.protobuf import timestamp_pb2 as _timestamp_pb2
from tandem.matching.v1 import sessions_pb2 as _sessions_pb2
from tandem.rpc.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class JoinWaitingListRequest(_message.Message):
    __slots__ = ["request_id", "session_id", "validate_only"]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    VALIDATE_ONLY_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    session_id: str
    validate_only: bool
    def __init__(self, session_id: _Optional[str] = ..., validate_only: bool = ..., request_id: _Optional[str] = ...) -> None: ...

class LeaveWaitingListRequest(_message.Message):
    __slots__ = ["request_id", "session_id"]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    session_id: str
    def __init__(self, session_id: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class LeaveWaitingListResponse(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class ListMyWaitingRequest(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class ListMyWaitingResponse(_message.Message):
    __slots__ = ["entries"]
    ENTRIES_FIELD_NUMBER: _ClassVar[int]
    entries: _containers.RepeatedCompositeFieldContainer[WaitingListEntry]
    def __init__(self, entries: _Optional[_Iterable[_Union[WaitingListEntry, _Mapping]]] = ...) -> None: ...

class WaitingListEntry(_message.Message):
    __slots__ = ["end_time", "focus", "gym", "offer_expire_time", "place", "session_id", "start_time"]
    END_TIME_FIELD_NUMBER: _ClassVar[int]
    FOCUS_FIELD_NUMBER: _ClassVar[int]
    GYM_FIELD_NUMBER: _ClassVar[int]
    OFFER_EXPIRE_TIME_FIELD_NUMBER: _ClassVar[int]
    PLACE_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    START_TIME_FIELD_NUMBER: _ClassVar[int]
    end_time: _timestamp_pb2.Timestamp
    focus: _sessions_pb2.Focus
    gym: _sessions_pb2.SessionGym
    offer_expire_time: _timestamp_pb2.Timestamp
    place: int
    session_id: str
    start_time: _timestamp_pb2.Timestamp
    def __init__(self, session_id: _Optional[str] = ..., start_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., end_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., gym: _Optional[_Union[_sessions_pb2.SessionGym, _Mapping]] = ..., focus: _Optional[_Union[_sessions_pb2.Focus, str]] = ..., place: _Optional[int] = ..., offer_expire_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...
