from tandem.matching.v1 import sessions_pb2 as _sessions_pb2
from tandem.rpc.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ExactPosition(_message.Message):
    __slots__ = ["accuracy_m", "distance_m", "point"]
    ACCURACY_M_FIELD_NUMBER: _ClassVar[int]
    DISTANCE_M_FIELD_NUMBER: _ClassVar[int]
    POINT_FIELD_NUMBER: _ClassVar[int]
    accuracy_m: float
    distance_m: float
    point: _sessions_pb2.Point
    def __init__(self, point: _Optional[_Union[_sessions_pb2.Point, _Mapping]] = ..., accuracy_m: _Optional[float] = ..., distance_m: _Optional[float] = ...) -> None: ...

class FindPartnersRequest(_message.Message):
    __slots__ = ["focuses", "levels", "page_size", "page_token", "point", "radius_m"]
    FOCUSES_FIELD_NUMBER: _ClassVar[int]
    LEVELS_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    POINT_FIELD_NUMBER: _ClassVar[int]
    RADIUS_M_FIELD_NUMBER: _ClassVar[int]
    focuses: _containers.RepeatedScalarFieldContainer[_sessions_pb2.Focus]
    levels: _containers.RepeatedScalarFieldContainer[_sessions_pb2.Level]
    page_size: int
    page_token: str
    point: _sessions_pb2.Point
    radius_m: float
    def __init__(self, point: _Optional[_Union[_sessions_pb2.Point, _Mapping]] = ..., radius_m: _Optional[float] = ..., focuses: _Optional[_Iterable[_Union[_sessions_pb2.Focus, str]]] = ..., levels: _Optional[_Iterable[_Union[_sessions_pb2.Level, str]]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class FindPartnersResponse(_message.Message):
    __slots__ = ["next_page_token", "partners"]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    PARTNERS_FIELD_NUMBER: _ClassVar[int]
    next_page_token: str
    partners: _containers.RepeatedCompositeFieldContainer[Partner]
    def __init__(self, partners: _Optional[_Iterable[_Union[Partner, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class GetPartnerListingRequest(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class GetPartnerRequest(_message.Message):
    __slots__ = ["point", "user_id"]
    POINT_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    point: _sessions_pb2.Point
    user_id: str
    def __init__(self, user_id: _Optional[str] = ..., point: _Optional[_Union[_sessions_pb2.Point, _Mapping]] = ...) -> None: ...

class Partner(_message.Message):
    __slots__ = ["cell_distance_m", "cell_point", "exact", "focus", "level", "user_id", "username"]
    CELL_DISTANCE_M_FIELD_NUMBER: _ClassVar[int]
    CELL_POINT_FIELD_NUMBER: _ClassVar[int]
    EXACT_FIELD_NUMBER: _ClassVar[int]
    FOCUS_FIELD_NUMBER: _ClassVar[int]
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    USERNAME_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    cell_distance_m: float
    cell_point: _sessions_pb2.Point
    exact: ExactPosition
    focus: _sessions_pb2.Focus
    level: _sessions_pb2.Level
    user_id: str
    username: str
    def __init__(self, user_id: _Optional[str] = ..., username: _Optional[str] = ..., focus: _Optional[_Union[_sessions_pb2.Focus, str]] = ..., level: _Optional[_Union[_sessions_pb2.Level, str]] = ..., cell_point: _Optional[_Union[_sessions_pb2.Point, _Mapping]] = ..., cell_distance_m: _Optional[float] = ..., exact: _Optional[_Union[ExactPosition, _Mapping]] = ...) -> None: ...

class PartnerListing(_message.Message):
    __slots__ = ["accuracy_m", "focus", "level", "point", "shown_point"]
    ACCURACY_M_FIELD_NUMBER: _ClassVar[int]
    FOCUS_FIELD_NUMBER: _ClassVar[int]
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    POINT_FIELD_NUMBER: _ClassVar[int]
    SHOWN_POINT_FIELD_NUMBER: _ClassVar[int]
    accuracy_m: float
    focus: _sessions_pb2.Focus
    level: _sessions_pb2.Level
    point: _sessions_pb2.Point
    shown_point: _sessions_pb2.Point
    def __init__(self, point: _Optional[_Union[_sessions_pb2.Point, _Mapping]] = ..., accuracy_m: _Optional[float] = ..., focus: _Optional[_Union[_sessions_pb2.Focus, str]] = ..., level: _Optional[_Union[_sessions_pb2.Level, str]] = ..., shown_point: _Optional[_Union[_sessions_pb2.Point, _Mapping]] = ...) -> None: ...

class RemovePartnerListingRequest(_message.Message):
    __slots__ = ["request_id"]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    def __init__(self, request_id: _Optional[str] = ...) -> None: ...

class RemovePartnerListingResponse(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class SetPartnerListingRequest(_message.Message):
    __slots__ = ["listing", "request_id", "validate_only"]
    LISTING_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    VALIDATE_ONLY_FIELD_NUMBER: _ClassVar[int]
    listing: PartnerListing
    request_id: str
    validate_only: bool
    def __init__(self, listing: _Optional[_Union[PartnerListing, _Mapping]] = ..., validate_only: bool = ..., request_id: _Optional[str] = ...) -> None: ...
