from google.protobuf import timestamp_pb2 as _timestamp_pb2
from tandem.rpc.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class CheckedIn(_message.Message):
    __slots__ = ["check_in_time", "end_time", "gym_id", "session_id", "user_id"]
    CHECK_IN_TIME_FIELD_NUMBER: _ClassVar[int]
    END_TIME_FIELD_NUMBER: _ClassVar[int]
    GYM_ID_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    check_in_time: _timestamp_pb2.Timestamp
    end_time: _timestamp_pb2.Timestamp
    gym_id: str
    session_id: str
    user_id: str
    def __init__(self, session_id: _Optional[str] = ..., user_id: _Optional[str] = ..., gym_id: _Optional[str] = ..., check_in_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., end_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class FeedbackGiven(_message.Message):
    __slots__ = ["rating", "recipient_id", "session_id"]
    RATING_FIELD_NUMBER: _ClassVar[int]
    RECIPIENT_ID_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    rating: int
    recipient_id: str
    session_id: str
    def __init__(self, session_id: _Optional[str] = ..., recipient_id: _Optional[str] = ..., rating: _Optional[int] = ...) -> None: ...

class SessionCancelled(_message.Message):
    __slots__ = ["cancel_time", "owner_id", "session_id", "user_id"]
    CANCEL_TIME_FIELD_NUMBER: _ClassVar[int]
    OWNER_ID_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    cancel_time: _timestamp_pb2.Timestamp
    owner_id: str
    session_id: str
    user_id: str
    def __init__(self, session_id: _Optional[str] = ..., user_id: _Optional[str] = ..., owner_id: _Optional[str] = ..., cancel_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class SessionFailed(_message.Message):
    __slots__ = ["absent_user_ids", "barred", "session_id"]
    ABSENT_USER_IDS_FIELD_NUMBER: _ClassVar[int]
    BARRED_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    absent_user_ids: _containers.RepeatedScalarFieldContainer[str]
    barred: bool
    session_id: str
    def __init__(self, session_id: _Optional[str] = ..., absent_user_ids: _Optional[_Iterable[str]] = ..., barred: bool = ...) -> None: ...

class SessionLapsed(_message.Message):
    __slots__ = ["owner_id", "session_id"]
    OWNER_ID_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    owner_id: str
    session_id: str
    def __init__(self, session_id: _Optional[str] = ..., owner_id: _Optional[str] = ...) -> None: ...

class SessionMatched(_message.Message):
    __slots__ = ["owner_id", "partner_id", "session_id"]
    OWNER_ID_FIELD_NUMBER: _ClassVar[int]
    PARTNER_ID_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    owner_id: str
    partner_id: str
    session_id: str
    def __init__(self, session_id: _Optional[str] = ..., owner_id: _Optional[str] = ..., partner_id: _Optional[str] = ...) -> None: ...

class SessionPosted(_message.Message):
    __slots__ = ["end_time", "gym_id", "owner_id", "session_id", "start_time"]
    END_TIME_FIELD_NUMBER: _ClassVar[int]
    GYM_ID_FIELD_NUMBER: _ClassVar[int]
    OWNER_ID_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    START_TIME_FIELD_NUMBER: _ClassVar[int]
    end_time: _timestamp_pb2.Timestamp
    gym_id: str
    owner_id: str
    session_id: str
    start_time: _timestamp_pb2.Timestamp
    def __init__(self, session_id: _Optional[str] = ..., owner_id: _Optional[str] = ..., gym_id: _Optional[str] = ..., start_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., end_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class SessionStarted(_message.Message):
    __slots__ = ["session_id", "start_time", "user_ids"]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    START_TIME_FIELD_NUMBER: _ClassVar[int]
    USER_IDS_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    start_time: _timestamp_pb2.Timestamp
    user_ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, session_id: _Optional[str] = ..., user_ids: _Optional[_Iterable[str]] = ..., start_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class SessionSucceeded(_message.Message):
    __slots__ = ["end_time", "session_id", "start_time", "time_zone", "user_ids"]
    END_TIME_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    START_TIME_FIELD_NUMBER: _ClassVar[int]
    TIME_ZONE_FIELD_NUMBER: _ClassVar[int]
    USER_IDS_FIELD_NUMBER: _ClassVar[int]
    end_time: _timestamp_pb2.Timestamp
    session_id: str
    start_time: _timestamp_pb2.Timestamp
    time_zone: str
    user_ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, session_id: _Optional[str] = ..., user_ids: _Optional[_Iterable[str]] = ..., start_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., time_zone: _Optional[str] = ..., end_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...
