from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.type import dayofweek_pb2 as _dayofweek_pb2
from google.type import timeofday_pb2 as _timeofday_pb2
from tandem.matching.v1 import sessions_pb2 as _sessions_pb2
from tandem.rpc.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class DeleteSavedSearchRequest(_message.Message):
    __slots__ = ["request_id", "search_id"]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    SEARCH_ID_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    search_id: str
    def __init__(self, search_id: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class DeleteSavedSearchResponse(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class ListSavedSearchesRequest(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class ListSavedSearchesResponse(_message.Message):
    __slots__ = ["searches"]
    SEARCHES_FIELD_NUMBER: _ClassVar[int]
    searches: _containers.RepeatedCompositeFieldContainer[SavedSearch]
    def __init__(self, searches: _Optional[_Iterable[_Union[SavedSearch, _Mapping]]] = ...) -> None: ...

class SaveSearchRequest(_message.Message):
    __slots__ = ["filter", "name", "request_id", "validate_only"]
    FILTER_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    VALIDATE_ONLY_FIELD_NUMBER: _ClassVar[int]
    filter: SearchFilter
    name: str
    request_id: str
    validate_only: bool
    def __init__(self, name: _Optional[str] = ..., filter: _Optional[_Union[SearchFilter, _Mapping]] = ..., validate_only: bool = ..., request_id: _Optional[str] = ...) -> None: ...

class SavedSearch(_message.Message):
    __slots__ = ["create_time", "filter", "name", "search_id"]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    FILTER_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    SEARCH_ID_FIELD_NUMBER: _ClassVar[int]
    create_time: _timestamp_pb2.Timestamp
    filter: SearchFilter
    name: str
    search_id: str
    def __init__(self, search_id: _Optional[str] = ..., name: _Optional[str] = ..., filter: _Optional[_Union[SearchFilter, _Mapping]] = ..., create_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class SearchFilter(_message.Message):
    __slots__ = ["earliest_start", "focuses", "genders", "gym_id", "latest_start", "levels", "point", "radius_m", "time_zone", "weekdays"]
    EARLIEST_START_FIELD_NUMBER: _ClassVar[int]
    FOCUSES_FIELD_NUMBER: _ClassVar[int]
    GENDERS_FIELD_NUMBER: _ClassVar[int]
    GYM_ID_FIELD_NUMBER: _ClassVar[int]
    LATEST_START_FIELD_NUMBER: _ClassVar[int]
    LEVELS_FIELD_NUMBER: _ClassVar[int]
    POINT_FIELD_NUMBER: _ClassVar[int]
    RADIUS_M_FIELD_NUMBER: _ClassVar[int]
    TIME_ZONE_FIELD_NUMBER: _ClassVar[int]
    WEEKDAYS_FIELD_NUMBER: _ClassVar[int]
    earliest_start: _timeofday_pb2.TimeOfDay
    focuses: _containers.RepeatedScalarFieldContainer[_sessions_pb2.Focus]
    genders: _containers.RepeatedScalarFieldContainer[_sessions_pb2.Gender]
    gym_id: str
    latest_start: _timeofday_pb2.TimeOfDay
    levels: _containers.RepeatedScalarFieldContainer[_sessions_pb2.Level]
    point: _sessions_pb2.Point
    radius_m: float
    time_zone: str
    weekdays: _containers.RepeatedScalarFieldContainer[_dayofweek_pb2.DayOfWeek]
    def __init__(self, weekdays: _Optional[_Iterable[_Union[_dayofweek_pb2.DayOfWeek, str]]] = ..., earliest_start: _Optional[_Union[_timeofday_pb2.TimeOfDay, _Mapping]] = ..., latest_start: _Optional[_Union[_timeofday_pb2.TimeOfDay, _Mapping]] = ..., time_zone: _Optional[str] = ..., gym_id: _Optional[str] = ..., point: _Optional[_Union[_sessions_pb2.Point, _Mapping]] = ..., radius_m: _Optional[float] = ..., focuses: _Optional[_Iterable[_Union[_sessions_pb2.Focus, str]]] = ..., genders: _Optional[_Iterable[_Union[_sessions_pb2.Gender, str]]] = ..., levels: _Optional[_Iterable[_Union[_sessions_pb2.Level, str]]] = ...) -> None: ...
