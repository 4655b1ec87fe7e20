from google.protobuf import timestamp_pb2 as _timestamp_pb2
from tandem.rpc.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class CalendarLink(_message.Message):
    __slots__ = ["create_time", "link_id"]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    LINK_ID_FIELD_NUMBER: _ClassVar[int]
    create_time: _timestamp_pb2.Timestamp
    link_id: str
    def __init__(self, link_id: _Optional[str] = ..., create_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class CreateCalendarLinkRequest(_message.Message):
    __slots__ = ["request_id", "validate_only"]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    VALIDATE_ONLY_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    validate_only: bool
    def __init__(self, validate_only: bool = ..., request_id: _Optional[str] = ...) -> None: ...

class CreateCalendarLinkResponse(_message.Message):
    __slots__ = ["link", "token"]
    LINK_FIELD_NUMBER: _ClassVar[int]
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    link: CalendarLink
    token: str
    def __init__(self, link: _Optional[_Union[CalendarLink, _Mapping]] = ..., token: _Optional[str] = ...) -> None: ...

class GetCalendarRequest(_message.Message):
    __slots__ = ["token"]
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    token: str
    def __init__(self, token: _Optional[str] = ...) -> None: ...

class GetCalendarResponse(_message.Message):
    __slots__ = ["calendar"]
    CALENDAR_FIELD_NUMBER: _ClassVar[int]
    calendar: str
    def __init__(self, calendar: _Optional[str] = ...) -> None: ...

class ListCalendarLinksRequest(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class ListCalendarLinksResponse(_message.Message):
    __slots__ = ["links"]
    LINKS_FIELD_NUMBER: _ClassVar[int]
    links: _containers.RepeatedCompositeFieldContainer[CalendarLink]
    def __init__(self, links: _Optional[_Iterable[_Union[CalendarLink, _Mapping]]] = ...) -> None: ...

class RevokeCalendarLinkRequest(_message.Message):
    __slots__ = ["link_id", "request_id"]
    LINK_ID_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    link_id: str
    request_id: str
    def __init__(self, link_id: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class RevokeCalendarLinkResponse(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...
