from google.protobuf import descriptor_pb2 as _descriptor_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Optional as _Optional

ACCESS_FIELD_NUMBER: _ClassVar[int]
ACCESS_PUBLIC: Access
ACCESS_SERVICE: Access
ACCESS_UNSPECIFIED: Access
ACCESS_USER: Access
CALLERS_AT_FIELD_NUMBER: _ClassVar[int]
CALLERS_FIELD_NUMBER: _ClassVar[int]
DESCRIPTOR: _descriptor.FileDescriptor
EVENT_FIELD_NUMBER: _ClassVar[int]
MAX_REQUEST_BYTES_FIELD_NUMBER: _ClassVar[int]
access: _descriptor.FieldDescriptor
callers: _descriptor.FieldDescriptor
callers_at: _descriptor.FieldDescriptor
event: _descriptor.FieldDescriptor
max_request_bytes: _descriptor.FieldDescriptor

class CallersAt(_message.Message):
    __slots__ = ["callers", "server"]
    CALLERS_FIELD_NUMBER: _ClassVar[int]
    SERVER_FIELD_NUMBER: _ClassVar[int]
    callers: _containers.RepeatedScalarFieldContainer[str]
    server: str
    def __init__(self, server: _Optional[str] = ..., callers: _Optional[_Iterable[str]] = ...) -> None: ...

class EventOptions(_message.Message):
    __slots__ = ["key", "key_if_empty", "topic"]
    KEY_FIELD_NUMBER: _ClassVar[int]
    KEY_IF_EMPTY_FIELD_NUMBER: _ClassVar[int]
    TOPIC_FIELD_NUMBER: _ClassVar[int]
    key: _containers.RepeatedScalarFieldContainer[str]
    key_if_empty: str
    topic: str
    def __init__(self, topic: _Optional[str] = ..., key: _Optional[_Iterable[str]] = ..., key_if_empty: _Optional[str] = ...) -> None: ...

class Access(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []
