from google.protobuf import field_mask_pb2 as _field_mask_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from tandem.rpc.v1 import options_pb2 as _options_pb2
from tandem.tracking.v1 import journeys_pb2 as _journeys_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class CreatePlaceRequest(_message.Message):
    __slots__ = ["place", "request_id", "validate_only"]
    PLACE_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    VALIDATE_ONLY_FIELD_NUMBER: _ClassVar[int]
    place: NamedPlace
    request_id: str
    validate_only: bool
    def __init__(self, place: _Optional[_Union[NamedPlace, _Mapping]] = ..., validate_only: bool = ..., request_id: _Optional[str] = ...) -> None: ...

class DeletePlaceRequest(_message.Message):
    __slots__ = ["etag", "place_id", "request_id"]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    PLACE_ID_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    etag: str
    place_id: str
    request_id: str
    def __init__(self, place_id: _Optional[str] = ..., etag: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class DeletePlaceResponse(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class ListPlacesRequest(_message.Message):
    __slots__ = ["page_size", "page_token"]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListPlacesResponse(_message.Message):
    __slots__ = ["next_page_token", "places"]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    PLACES_FIELD_NUMBER: _ClassVar[int]
    next_page_token: str
    places: _containers.RepeatedCompositeFieldContainer[NamedPlace]
    def __init__(self, places: _Optional[_Iterable[_Union[NamedPlace, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class NamedPlace(_message.Message):
    __slots__ = ["create_time", "etag", "group_ids", "name", "place_id", "point", "radius_m"]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    GROUP_IDS_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    PLACE_ID_FIELD_NUMBER: _ClassVar[int]
    POINT_FIELD_NUMBER: _ClassVar[int]
    RADIUS_M_FIELD_NUMBER: _ClassVar[int]
    create_time: _timestamp_pb2.Timestamp
    etag: str
    group_ids: _containers.RepeatedScalarFieldContainer[str]
    name: str
    place_id: str
    point: _journeys_pb2.Place
    radius_m: float
    def __init__(self, place_id: _Optional[str] = ..., name: _Optional[str] = ..., point: _Optional[_Union[_journeys_pb2.Place, _Mapping]] = ..., radius_m: _Optional[float] = ..., group_ids: _Optional[_Iterable[str]] = ..., create_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., etag: _Optional[str] = ...) -> None: ...

class UpdatePlaceRequest(_message.Message):
    __slots__ = ["place", "request_id", "update_mask", "validate_only"]
    PLACE_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    UPDATE_MASK_FIELD_NUMBER: _ClassVar[int]
    VALIDATE_ONLY_FIELD_NUMBER: _ClassVar[int]
    place: NamedPlace
    request_id: str
    update_mask: _field_mask_pb2.FieldMask
    validate_only: bool
    def __init__(self, place: _Optional[_Union[NamedPlace, _Mapping]] = ..., update_mask: _Optional[_Union[_field_mask_pb2.FieldMask, _Mapping]] = ..., validate_only: bool = ..., request_id: _Optional[str] = ...) -> None: ...
