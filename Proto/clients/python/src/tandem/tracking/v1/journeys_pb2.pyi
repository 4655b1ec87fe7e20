from google.protobuf import timestamp_pb2 as _timestamp_pb2
from tandem.rpc.v1 import options_pb2 as _options_pb2
from tandem.tracking.v1 import locations_pb2 as _locations_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor
JOURNEY_KIND_JOURNEY: JourneyKind
JOURNEY_KIND_SOS: JourneyKind
JOURNEY_KIND_UNSPECIFIED: JourneyKind
JOURNEY_OUTCOME_LATE: JourneyOutcome
JOURNEY_OUTCOME_ON_TIME: JourneyOutcome
JOURNEY_OUTCOME_SOS: JourneyOutcome
JOURNEY_OUTCOME_STOPPED: JourneyOutcome
JOURNEY_OUTCOME_UNSPECIFIED: JourneyOutcome
TRAVEL_MODE_CYCLING: TravelMode
TRAVEL_MODE_DRIVING: TravelMode
TRAVEL_MODE_TRANSIT: TravelMode
TRAVEL_MODE_UNSPECIFIED: TravelMode
TRAVEL_MODE_WALKING: TravelMode

class ExportPathRequest(_message.Message):
    __slots__ = ["access_token", "journey_id", "tolerance_m"]
    ACCESS_TOKEN_FIELD_NUMBER: _ClassVar[int]
    JOURNEY_ID_FIELD_NUMBER: _ClassVar[int]
    TOLERANCE_M_FIELD_NUMBER: _ClassVar[int]
    access_token: str
    journey_id: str
    tolerance_m: float
    def __init__(self, journey_id: _Optional[str] = ..., tolerance_m: _Optional[float] = ..., access_token: _Optional[str] = ...) -> None: ...

class ExportPathResponse(_message.Message):
    __slots__ = ["chunk"]
    CHUNK_FIELD_NUMBER: _ClassVar[int]
    chunk: bytes
    def __init__(self, chunk: _Optional[bytes] = ...) -> None: ...

class GetJourneyRequest(_message.Message):
    __slots__ = ["journey_id"]
    JOURNEY_ID_FIELD_NUMBER: _ClassVar[int]
    journey_id: str
    def __init__(self, journey_id: _Optional[str] = ...) -> None: ...

class GetPathRequest(_message.Message):
    __slots__ = ["access_token", "journey_id", "tolerance_m"]
    ACCESS_TOKEN_FIELD_NUMBER: _ClassVar[int]
    JOURNEY_ID_FIELD_NUMBER: _ClassVar[int]
    TOLERANCE_M_FIELD_NUMBER: _ClassVar[int]
    access_token: str
    journey_id: str
    tolerance_m: float
    def __init__(self, journey_id: _Optional[str] = ..., tolerance_m: _Optional[float] = ..., access_token: _Optional[str] = ...) -> None: ...

class GetPathResponse(_message.Message):
    __slots__ = ["points"]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    points: _containers.RepeatedCompositeFieldContainer[_locations_pb2.Position]
    def __init__(self, points: _Optional[_Iterable[_Union[_locations_pb2.Position, _Mapping]]] = ...) -> None: ...

class Journey(_message.Message):
    __slots__ = ["alerted_members", "arrival_time", "destination", "end_time", "estimated_arrival_time", "group_ids", "journey_id", "kind", "mode", "notice", "outcome", "start_time", "user_id"]
    ALERTED_MEMBERS_FIELD_NUMBER: _ClassVar[int]
    ARRIVAL_TIME_FIELD_NUMBER: _ClassVar[int]
    DESTINATION_FIELD_NUMBER: _ClassVar[int]
    END_TIME_FIELD_NUMBER: _ClassVar[int]
    ESTIMATED_ARRIVAL_TIME_FIELD_NUMBER: _ClassVar[int]
    GROUP_IDS_FIELD_NUMBER: _ClassVar[int]
    JOURNEY_ID_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    MODE_FIELD_NUMBER: _ClassVar[int]
    NOTICE_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    START_TIME_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    alerted_members: int
    arrival_time: _timestamp_pb2.Timestamp
    destination: Place
    end_time: _timestamp_pb2.Timestamp
    estimated_arrival_time: _timestamp_pb2.Timestamp
    group_ids: _containers.RepeatedScalarFieldContainer[str]
    journey_id: str
    kind: JourneyKind
    mode: TravelMode
    notice: str
    outcome: JourneyOutcome
    start_time: _timestamp_pb2.Timestamp
    user_id: str
    def __init__(self, journey_id: _Optional[str] = ..., user_id: _Optional[str] = ..., kind: _Optional[_Union[JourneyKind, str]] = ..., group_ids: _Optional[_Iterable[str]] = ..., start_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., end_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., outcome: _Optional[_Union[JourneyOutcome, str]] = ..., destination: _Optional[_Union[Place, _Mapping]] = ..., arrival_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., mode: _Optional[_Union[TravelMode, str]] = ..., estimated_arrival_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., alerted_members: _Optional[int] = ..., notice: _Optional[str] = ...) -> None: ...

class Place(_message.Message):
    __slots__ = ["latitude", "longitude"]
    LATITUDE_FIELD_NUMBER: _ClassVar[int]
    LONGITUDE_FIELD_NUMBER: _ClassVar[int]
    latitude: float
    longitude: float
    def __init__(self, latitude: _Optional[float] = ..., longitude: _Optional[float] = ...) -> None: ...

class StartJourneyRequest(_message.Message):
    __slots__ = ["arrival_time", "destination", "group_ids", "mode", "request_id"]
    ARRIVAL_TIME_FIELD_NUMBER: _ClassVar[int]
    DESTINATION_FIELD_NUMBER: _ClassVar[int]
    GROUP_IDS_FIELD_NUMBER: _ClassVar[int]
    MODE_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    arrival_time: _timestamp_pb2.Timestamp
    destination: Place
    group_ids: _containers.RepeatedScalarFieldContainer[str]
    mode: TravelMode
    request_id: str
    def __init__(self, group_ids: _Optional[_Iterable[str]] = ..., destination: _Optional[_Union[Place, _Mapping]] = ..., arrival_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., mode: _Optional[_Union[TravelMode, str]] = ..., request_id: _Optional[str] = ...) -> None: ...

class StartSOSRequest(_message.Message):
    __slots__ = ["position", "request_id"]
    POSITION_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    position: _locations_pb2.Position
    request_id: str
    def __init__(self, request_id: _Optional[str] = ..., position: _Optional[_Union[_locations_pb2.Position, _Mapping]] = ...) -> None: ...

class StopJourneyRequest(_message.Message):
    __slots__ = ["group_ids", "request_id"]
    GROUP_IDS_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    group_ids: _containers.RepeatedScalarFieldContainer[str]
    request_id: str
    def __init__(self, request_id: _Optional[str] = ..., group_ids: _Optional[_Iterable[str]] = ...) -> None: ...

class StopSOSRequest(_message.Message):
    __slots__ = ["request_id"]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    def __init__(self, request_id: _Optional[str] = ...) -> None: ...

class TravelMode(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class JourneyKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class JourneyOutcome(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []
