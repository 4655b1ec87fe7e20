from google.protobuf import timestamp_pb2 as _timestamp_pb2
from tandem.rpc.v1 import options_pb2 as _options_pb2
from tandem.tracking.v1 import journeys_pb2 as _journeys_pb2
from tandem.tracking.v1 import locations_pb2 as _locations_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class CreateShareRequest(_message.Message):
    __slots__ = ["expire_time", "journey_id", "request_id"]
    EXPIRE_TIME_FIELD_NUMBER: _ClassVar[int]
    JOURNEY_ID_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    expire_time: _timestamp_pb2.Timestamp
    journey_id: str
    request_id: str
    def __init__(self, journey_id: _Optional[str] = ..., expire_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., request_id: _Optional[str] = ...) -> None: ...

class CreateShareResponse(_message.Message):
    __slots__ = ["share", "token"]
    SHARE_FIELD_NUMBER: _ClassVar[int]
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    share: JourneyShare
    token: str
    def __init__(self, share: _Optional[_Union[JourneyShare, _Mapping]] = ..., token: _Optional[str] = ...) -> None: ...

class GetSharedJourneyRequest(_message.Message):
    __slots__ = ["token"]
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    token: str
    def __init__(self, token: _Optional[str] = ...) -> None: ...

class JourneyShare(_message.Message):
    __slots__ = ["create_time", "expire_time", "journey_id", "share_id"]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    EXPIRE_TIME_FIELD_NUMBER: _ClassVar[int]
    JOURNEY_ID_FIELD_NUMBER: _ClassVar[int]
    SHARE_ID_FIELD_NUMBER: _ClassVar[int]
    create_time: _timestamp_pb2.Timestamp
    expire_time: _timestamp_pb2.Timestamp
    journey_id: str
    share_id: str
    def __init__(self, share_id: _Optional[str] = ..., journey_id: _Optional[str] = ..., create_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., expire_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class ListSharesRequest(_message.Message):
    __slots__ = ["journey_id"]
    JOURNEY_ID_FIELD_NUMBER: _ClassVar[int]
    journey_id: str
    def __init__(self, journey_id: _Optional[str] = ...) -> None: ...

class ListSharesResponse(_message.Message):
    __slots__ = ["shares"]
    SHARES_FIELD_NUMBER: _ClassVar[int]
    shares: _containers.RepeatedCompositeFieldContainer[JourneyShare]
    def __init__(self, shares: _Optional[_Iterable[_Union[JourneyShare, _Mapping]]] = ...) -> None: ...

class RevokeShareRequest(_message.Message):
    __slots__ = ["request_id", "share_id"]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    SHARE_ID_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    share_id: str
    def __init__(self, share_id: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class RevokeShareResponse(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class SharePreview(_message.Message):
    __slots__ = ["picture", "text", "title"]
    PICTURE_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    picture: str
    text: str
    title: str
    def __init__(self, title: _Optional[str] = ..., text: _Optional[str] = ..., picture: _Optional[str] = ...) -> None: ...

class SharedJourney(_message.Message):
    __slots__ = ["arrival_time", "destination", "end_time", "estimated_arrival_time", "expire_time", "mode", "outcome", "position", "preview", "start_time", "username"]
    ARRIVAL_TIME_FIELD_NUMBER: _ClassVar[int]
    DESTINATION_FIELD_NUMBER: _ClassVar[int]
    END_TIME_FIELD_NUMBER: _ClassVar[int]
    ESTIMATED_ARRIVAL_TIME_FIELD_NUMBER: _ClassVar[int]
    EXPIRE_TIME_FIELD_NUMBER: _ClassVar[int]
    MODE_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    POSITION_FIELD_NUMBER: _ClassVar[int]
    PREVIEW_FIELD_NUMBER: _ClassVar[int]
    START_TIME_FIELD_NUMBER: _ClassVar[int]
    USERNAME_FIELD_NUMBER: _ClassVar[int]
    arrival_time: _timestamp_pb2.Timestamp
    destination: _journeys_pb2.Place
    end_time: _timestamp_pb2.Timestamp
    estimated_arrival_time: _timestamp_pb2.Timestamp
    expire_time: _timestamp_pb2.Timestamp
    mode: _journeys_pb2.TravelMode
    outcome: _journeys_pb2.JourneyOutcome
    position: _locations_pb2.Position
    preview: SharePreview
    start_time: _timestamp_pb2.Timestamp
    username: str
    def __init__(self, username: _Optional[str] = ..., start_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., end_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., outcome: _Optional[_Union[_journeys_pb2.JourneyOutcome, str]] = ..., destination: _Optional[_Union[_journeys_pb2.Place, _Mapping]] = ..., arrival_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., mode: _Optional[_Union[_journeys_pb2.TravelMode, str]] = ..., position: _Optional[_Union[_locations_pb2.Position, _Mapping]] = ..., expire_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., estimated_arrival_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., preview: _Optional[_Union[SharePreview, _Mapping]] = ...) -> None: ...
