from google.protobuf import timestamp_pb2 as _timestamp_pb2
from tandem.rpc.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

BADGE_KIND_FIFTY_SESSIONS: BadgeKind
BADGE_KIND_FIFTY_WORKOUTS: BadgeKind
BADGE_KIND_FIRST_BOOK_LENT: BadgeKind
BADGE_KIND_FIRST_SESSION: BadgeKind
BADGE_KIND_FIRST_TRACKER: BadgeKind
BADGE_KIND_FIRST_WORKOUT: BadgeKind
BADGE_KIND_HUNDRED_KILOMETRES: BadgeKind
BADGE_KIND_HUNDRED_SESSIONS: BadgeKind
BADGE_KIND_SEVEN_DAY_STREAK: BadgeKind
BADGE_KIND_TEN_BOOKS_LENT: BadgeKind
BADGE_KIND_TEN_SESSIONS: BadgeKind
BADGE_KIND_UNSPECIFIED: BadgeKind
DESCRIPTOR: _descriptor.FileDescriptor

class Badge(_message.Message):
    __slots__ = ["award_time", "description", "kind", "title"]
    AWARD_TIME_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    award_time: _timestamp_pb2.Timestamp
    description: str
    kind: BadgeKind
    title: str
    def __init__(self, kind: _Optional[_Union[BadgeKind, str]] = ..., title: _Optional[str] = ..., description: _Optional[str] = ..., award_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class ListBadgesRequest(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class ListBadgesResponse(_message.Message):
    __slots__ = ["badges"]
    BADGES_FIELD_NUMBER: _ClassVar[int]
    badges: _containers.RepeatedCompositeFieldContainer[Badge]
    def __init__(self, badges: _Optional[_Iterable[_Union[Badge, _Mapping]]] = ...) -> None: ...

class BadgeKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []
