from google.protobuf import timestamp_pb2 as _timestamp_pb2
from tandem.rpc.v1 import options_pb2 as _options_pb2
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ActivityRemoved(_message.Message):
    __slots__ = ["activity_id", "user_id"]
    ACTIVITY_ID_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    activity_id: str
    user_id: str
    def __init__(self, activity_id: _Optional[str] = ..., user_id: _Optional[str] = ...) -> None: ...

class ActivityStored(_message.Message):
    __slots__ = ["activity_id", "distance_m", "start_time", "time_zone", "user_id"]
    ACTIVITY_ID_FIELD_NUMBER: _ClassVar[int]
    DISTANCE_M_FIELD_NUMBER: _ClassVar[int]
    START_TIME_FIELD_NUMBER: _ClassVar[int]
    TIME_ZONE_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    activity_id: str
    distance_m: float
    start_time: _timestamp_pb2.Timestamp
    time_zone: str
    user_id: str
    def __init__(self, activity_id: _Optional[str] = ..., user_id: _Optional[str] = ..., start_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., time_zone: _Optional[str] = ..., distance_m: _Optional[float] = ...) -> None: ...

class TrackerImported(_message.Message):
    __slots__ = ["finish_time", "import_id", "provider", "user_id"]
    FINISH_TIME_FIELD_NUMBER: _ClassVar[int]
    IMPORT_ID_FIELD_NUMBER: _ClassVar[int]
    PROVIDER_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    finish_time: _timestamp_pb2.Timestamp
    import_id: str
    provider: str
    user_id: str
    def __init__(self, import_id: _Optional[str] = ..., user_id: _Optional[str] = ..., provider: _Optional[str] = ..., finish_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...
