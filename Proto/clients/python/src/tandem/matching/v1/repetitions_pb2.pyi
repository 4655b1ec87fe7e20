from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.type import date_pb2 as _date_pb2
from google.type import timeofday_pb2 as _timeofday_pb2
from tandem.matching.v1 import sessions_pb2 as _sessions_pb2
from tandem.rpc.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class EndRepetitionRequest(_message.Message):
    __slots__ = ["repetition_id", "request_id"]
    REPETITION_ID_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    repetition_id: str
    request_id: str
    def __init__(self, repetition_id: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class EndRepetitionResponse(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class ListRepetitionsRequest(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class ListRepetitionsResponse(_message.Message):
    __slots__ = ["repetitions"]
    REPETITIONS_FIELD_NUMBER: _ClassVar[int]
    repetitions: _containers.RepeatedCompositeFieldContainer[Repetition]
    def __init__(self, repetitions: _Optional[_Iterable[_Union[Repetition, _Mapping]]] = ...) -> None: ...

class RepeatSessionRequest(_message.Message):
    __slots__ = ["request_id", "session_id", "until_date", "validate_only"]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    UNTIL_DATE_FIELD_NUMBER: _ClassVar[int]
    VALIDATE_ONLY_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    session_id: str
    until_date: _date_pb2.Date
    validate_only: bool
    def __init__(self, session_id: _Optional[str] = ..., until_date: _Optional[_Union[_date_pb2.Date, _Mapping]] = ..., validate_only: bool = ..., request_id: _Optional[str] = ...) -> None: ...

class Repetition(_message.Message):
    __slots__ = ["create_time", "focus", "genders", "gym", "length_s", "level", "local_time", "next_date", "repetition_id", "until_date"]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    FOCUS_FIELD_NUMBER: _ClassVar[int]
    GENDERS_FIELD_NUMBER: _ClassVar[int]
    GYM_FIELD_NUMBER: _ClassVar[int]
    LENGTH_S_FIELD_NUMBER: _ClassVar[int]
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    LOCAL_TIME_FIELD_NUMBER: _ClassVar[int]
    NEXT_DATE_FIELD_NUMBER: _ClassVar[int]
    REPETITION_ID_FIELD_NUMBER: _ClassVar[int]
    UNTIL_DATE_FIELD_NUMBER: _ClassVar[int]
    create_time: _timestamp_pb2.Timestamp
    focus: _sessions_pb2.Focus
    genders: _containers.RepeatedScalarFieldContainer[_sessions_pb2.Gender]
    gym: _sessions_pb2.SessionGym
    length_s: int
    level: _sessions_pb2.Level
    local_time: _timeofday_pb2.TimeOfDay
    next_date: _date_pb2.Date
    repetition_id: str
    until_date: _date_pb2.Date
    def __init__(self, repetition_id: _Optional[str] = ..., gym: _Optional[_Union[_sessions_pb2.SessionGym, _Mapping]] = ..., focus: _Optional[_Union[_sessions_pb2.Focus, str]] = ..., level: _Optional[_Union[_sessions_pb2.Level, str]] = ..., genders: _Optional[_Iterable[_Union[_sessions_pb2.Gender, str]]] = ..., local_time: _Optional[_Union[_timeofday_pb2.TimeOfDay, _Mapping]] = ..., length_s: _Optional[int] = ..., next_date: _Optional[_Union[_date_pb2.Date, _Mapping]] = ..., until_date: _Optional[_Union[_date_pb2.Date, _Mapping]] = ..., create_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...
