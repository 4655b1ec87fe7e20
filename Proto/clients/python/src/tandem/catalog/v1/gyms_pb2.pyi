from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.type import date_pb2 as _date_pb2
from google.type import dayofweek_pb2 as _dayofweek_pb2
from google.type import timeofday_pb2 as _timeofday_pb2
from tandem.rpc.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor
GYM_MATCH_EXACT: GymMatch
GYM_MATCH_SIMILAR: GymMatch
GYM_MATCH_UNSPECIFIED: GymMatch
OPEN_STATE_CLOSED: OpenState
OPEN_STATE_OPEN: OpenState
OPEN_STATE_UNSPECIFIED: OpenState
USAGE_SOURCE_CHECK_INS: UsageSource
USAGE_SOURCE_REPORTED: UsageSource
USAGE_SOURCE_UNSPECIFIED: UsageSource

class DateHours(_message.Message):
    __slots__ = ["date", "spans"]
    DATE_FIELD_NUMBER: _ClassVar[int]
    SPANS_FIELD_NUMBER: _ClassVar[int]
    date: _date_pb2.Date
    spans: _containers.RepeatedCompositeFieldContainer[OpenSpan]
    def __init__(self, date: _Optional[_Union[_date_pb2.Date, _Mapping]] = ..., spans: _Optional[_Iterable[_Union[OpenSpan, _Mapping]]] = ...) -> None: ...

class FindNearestGymsRequest(_message.Message):
    __slots__ = ["page_size", "page_token", "point", "radius_m"]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    POINT_FIELD_NUMBER: _ClassVar[int]
    RADIUS_M_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    point: Point
    radius_m: float
    def __init__(self, point: _Optional[_Union[Point, _Mapping]] = ..., radius_m: _Optional[float] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class FindNearestGymsResponse(_message.Message):
    __slots__ = ["gyms", "next_page_token"]
    GYMS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    gyms: _containers.RepeatedCompositeFieldContainer[NearbyGym]
    next_page_token: str
    def __init__(self, gyms: _Optional[_Iterable[_Union[NearbyGym, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class GetGymRequest(_message.Message):
    __slots__ = ["gym_id"]
    GYM_ID_FIELD_NUMBER: _ClassVar[int]
    gym_id: str
    def __init__(self, gym_id: _Optional[str] = ...) -> None: ...

class Gym(_message.Message):
    __slots__ = ["address", "gym_id", "name", "next_change_time", "open_state", "opening_hours", "phone", "point", "time_zone", "usage", "website"]
    ADDRESS_FIELD_NUMBER: _ClassVar[int]
    GYM_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    NEXT_CHANGE_TIME_FIELD_NUMBER: _ClassVar[int]
    OPENING_HOURS_FIELD_NUMBER: _ClassVar[int]
    OPEN_STATE_FIELD_NUMBER: _ClassVar[int]
    PHONE_FIELD_NUMBER: _ClassVar[int]
    POINT_FIELD_NUMBER: _ClassVar[int]
    TIME_ZONE_FIELD_NUMBER: _ClassVar[int]
    USAGE_FIELD_NUMBER: _ClassVar[int]
    WEBSITE_FIELD_NUMBER: _ClassVar[int]
    address: GymAddress
    gym_id: str
    name: str
    next_change_time: _timestamp_pb2.Timestamp
    open_state: OpenState
    opening_hours: OpeningHours
    phone: str
    point: Point
    time_zone: str
    usage: Usage
    website: str
    def __init__(self, gym_id: _Optional[str] = ..., name: _Optional[str] = ..., point: _Optional[_Union[Point, _Mapping]] = ..., address: _Optional[_Union[GymAddress, _Mapping]] = ..., phone: _Optional[str] = ..., website: _Optional[str] = ..., time_zone: _Optional[str] = ..., opening_hours: _Optional[_Union[OpeningHours, _Mapping]] = ..., open_state: _Optional[_Union[OpenState, str]] = ..., next_change_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., usage: _Optional[_Union[Usage, _Mapping]] = ...) -> None: ...

class GymAddress(_message.Message):
    __slots__ = ["city", "country", "house_number", "postcode", "street"]
    CITY_FIELD_NUMBER: _ClassVar[int]
    COUNTRY_FIELD_NUMBER: _ClassVar[int]
    HOUSE_NUMBER_FIELD_NUMBER: _ClassVar[int]
    POSTCODE_FIELD_NUMBER: _ClassVar[int]
    STREET_FIELD_NUMBER: _ClassVar[int]
    city: str
    country: str
    house_number: str
    postcode: str
    street: str
    def __init__(self, street: _Optional[str] = ..., house_number: _Optional[str] = ..., postcode: _Optional[str] = ..., city: _Optional[str] = ..., country: _Optional[str] = ...) -> None: ...

class GymPlace(_message.Message):
    __slots__ = ["gym_id", "name", "outline", "point", "radius_m", "time_zone"]
    GYM_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    OUTLINE_FIELD_NUMBER: _ClassVar[int]
    POINT_FIELD_NUMBER: _ClassVar[int]
    RADIUS_M_FIELD_NUMBER: _ClassVar[int]
    TIME_ZONE_FIELD_NUMBER: _ClassVar[int]
    gym_id: str
    name: str
    outline: _containers.RepeatedCompositeFieldContainer[Point]
    point: Point
    radius_m: float
    time_zone: str
    def __init__(self, gym_id: _Optional[str] = ..., name: _Optional[str] = ..., point: _Optional[_Union[Point, _Mapping]] = ..., time_zone: _Optional[str] = ..., outline: _Optional[_Iterable[_Union[Point, _Mapping]]] = ..., radius_m: _Optional[float] = ...) -> None: ...

class LookUpGymRequest(_message.Message):
    __slots__ = ["gym_id"]
    GYM_ID_FIELD_NUMBER: _ClassVar[int]
    gym_id: str
    def __init__(self, gym_id: _Optional[str] = ...) -> None: ...

class NearbyGym(_message.Message):
    __slots__ = ["distance_m", "gym"]
    DISTANCE_M_FIELD_NUMBER: _ClassVar[int]
    GYM_FIELD_NUMBER: _ClassVar[int]
    distance_m: float
    gym: Gym
    def __init__(self, gym: _Optional[_Union[Gym, _Mapping]] = ..., distance_m: _Optional[float] = ...) -> None: ...

class OpenSpan(_message.Message):
    __slots__ = ["close_time", "open_time"]
    CLOSE_TIME_FIELD_NUMBER: _ClassVar[int]
    OPEN_TIME_FIELD_NUMBER: _ClassVar[int]
    close_time: _timeofday_pb2.TimeOfDay
    open_time: _timeofday_pb2.TimeOfDay
    def __init__(self, open_time: _Optional[_Union[_timeofday_pb2.TimeOfDay, _Mapping]] = ..., close_time: _Optional[_Union[_timeofday_pb2.TimeOfDay, _Mapping]] = ...) -> None: ...

class OpeningHours(_message.Message):
    __slots__ = ["exceptions", "has_public_holiday_rule", "text", "understood", "week"]
    EXCEPTIONS_FIELD_NUMBER: _ClassVar[int]
    HAS_PUBLIC_HOLIDAY_RULE_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    UNDERSTOOD_FIELD_NUMBER: _ClassVar[int]
    WEEK_FIELD_NUMBER: _ClassVar[int]
    exceptions: _containers.RepeatedCompositeFieldContainer[DateHours]
    has_public_holiday_rule: bool
    text: str
    understood: bool
    week: _containers.RepeatedCompositeFieldContainer[WeekdayHours]
    def __init__(self, text: _Optional[str] = ..., understood: bool = ..., week: _Optional[_Iterable[_Union[WeekdayHours, _Mapping]]] = ..., exceptions: _Optional[_Iterable[_Union[DateHours, _Mapping]]] = ..., has_public_holiday_rule: bool = ...) -> None: ...

class Point(_message.Message):
    __slots__ = ["latitude", "longitude"]
    LATITUDE_FIELD_NUMBER: _ClassVar[int]
    LONGITUDE_FIELD_NUMBER: _ClassVar[int]
    latitude: float
    longitude: float
    def __init__(self, latitude: _Optional[float] = ..., longitude: _Optional[float] = ...) -> None: ...

class ReportUsageRequest(_message.Message):
    __slots__ = ["reports", "request_id"]
    REPORTS_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    reports: _containers.RepeatedCompositeFieldContainer[UsageReport]
    request_id: str
    def __init__(self, reports: _Optional[_Iterable[_Union[UsageReport, _Mapping]]] = ..., request_id: _Optional[str] = ...) -> None: ...

class ReportUsageResponse(_message.Message):
    __slots__ = ["outdated", "stored", "unknown_gym_ids"]
    OUTDATED_FIELD_NUMBER: _ClassVar[int]
    STORED_FIELD_NUMBER: _ClassVar[int]
    UNKNOWN_GYM_IDS_FIELD_NUMBER: _ClassVar[int]
    outdated: int
    stored: int
    unknown_gym_ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, stored: _Optional[int] = ..., outdated: _Optional[int] = ..., unknown_gym_ids: _Optional[_Iterable[str]] = ...) -> None: ...

class SearchGymsRequest(_message.Message):
    __slots__ = ["near", "page_size", "page_token", "point", "query"]
    NEAR_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    POINT_FIELD_NUMBER: _ClassVar[int]
    QUERY_FIELD_NUMBER: _ClassVar[int]
    near: str
    page_size: int
    page_token: str
    point: Point
    query: str
    def __init__(self, query: _Optional[str] = ..., point: _Optional[_Union[Point, _Mapping]] = ..., near: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class SearchGymsResponse(_message.Message):
    __slots__ = ["distances_m", "gyms", "match", "next_page_token", "notice"]
    DISTANCES_M_FIELD_NUMBER: _ClassVar[int]
    GYMS_FIELD_NUMBER: _ClassVar[int]
    MATCH_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    NOTICE_FIELD_NUMBER: _ClassVar[int]
    distances_m: _containers.RepeatedScalarFieldContainer[float]
    gyms: _containers.RepeatedCompositeFieldContainer[Gym]
    match: GymMatch
    next_page_token: str
    notice: str
    def __init__(self, gyms: _Optional[_Iterable[_Union[Gym, _Mapping]]] = ..., distances_m: _Optional[_Iterable[float]] = ..., match: _Optional[_Union[GymMatch, str]] = ..., notice: _Optional[str] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class Usage(_message.Message):
    __slots__ = ["age_s", "capacity", "observe_time", "people", "percentage", "source"]
    AGE_S_FIELD_NUMBER: _ClassVar[int]
    CAPACITY_FIELD_NUMBER: _ClassVar[int]
    OBSERVE_TIME_FIELD_NUMBER: _ClassVar[int]
    PEOPLE_FIELD_NUMBER: _ClassVar[int]
    PERCENTAGE_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    age_s: int
    capacity: int
    observe_time: _timestamp_pb2.Timestamp
    people: int
    percentage: int
    source: UsageSource
    def __init__(self, percentage: _Optional[int] = ..., people: _Optional[int] = ..., capacity: _Optional[int] = ..., observe_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., age_s: _Optional[int] = ..., source: _Optional[_Union[UsageSource, str]] = ...) -> None: ...

class UsageReport(_message.Message):
    __slots__ = ["capacity", "gym_id", "observe_time", "people"]
    CAPACITY_FIELD_NUMBER: _ClassVar[int]
    GYM_ID_FIELD_NUMBER: _ClassVar[int]
    OBSERVE_TIME_FIELD_NUMBER: _ClassVar[int]
    PEOPLE_FIELD_NUMBER: _ClassVar[int]
    capacity: int
    gym_id: str
    observe_time: _timestamp_pb2.Timestamp
    people: int
    def __init__(self, gym_id: _Optional[str] = ..., people: _Optional[int] = ..., capacity: _Optional[int] = ..., observe_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class WeekdayHours(_message.Message):
    __slots__ = ["spans", "weekday"]
    SPANS_FIELD_NUMBER: _ClassVar[int]
    WEEKDAY_FIELD_NUMBER: _ClassVar[int]
    spans: _containers.RepeatedCompositeFieldContainer[OpenSpan]
    weekday: _dayofweek_pb2.DayOfWeek
    def __init__(self, weekday: _Optional[_Union[_dayofweek_pb2.DayOfWeek, str]] = ..., spans: _Optional[_Iterable[_Union[OpenSpan, _Mapping]]] = ...) -> None: ...

class OpenState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class UsageSource(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class GymMatch(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []
