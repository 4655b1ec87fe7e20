from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from tandem.rpc.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

BEGINNING_NEWEST: Beginning
BEGINNING_OLDEST: Beginning
BEGINNING_UNSPECIFIED: Beginning
DESCRIPTOR: _descriptor.FileDescriptor

class Acknowledgement(_message.Message):
    __slots__ = ["position"]
    POSITION_FIELD_NUMBER: _ClassVar[int]
    position: Position
    def __init__(self, position: _Optional[_Union[Position, _Mapping]] = ...) -> None: ...

class Event(_message.Message):
    __slots__ = ["key", "occur_time", "payload", "position", "topic", "trace_parent", "type"]
    KEY_FIELD_NUMBER: _ClassVar[int]
    OCCUR_TIME_FIELD_NUMBER: _ClassVar[int]
    PAYLOAD_FIELD_NUMBER: _ClassVar[int]
    POSITION_FIELD_NUMBER: _ClassVar[int]
    TOPIC_FIELD_NUMBER: _ClassVar[int]
    TRACE_PARENT_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    key: str
    occur_time: _timestamp_pb2.Timestamp
    payload: bytes
    position: Position
    topic: str
    trace_parent: str
    type: str
    def __init__(self, position: _Optional[_Union[Position, _Mapping]] = ..., topic: _Optional[str] = ..., key: _Optional[str] = ..., type: _Optional[str] = ..., payload: _Optional[bytes] = ..., occur_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., trace_parent: _Optional[str] = ...) -> None: ...

class FollowRequest(_message.Message):
    __slots__ = ["acknowledgement", "subscription"]
    ACKNOWLEDGEMENT_FIELD_NUMBER: _ClassVar[int]
    SUBSCRIPTION_FIELD_NUMBER: _ClassVar[int]
    acknowledgement: Acknowledgement
    subscription: Subscription
    def __init__(self, subscription: _Optional[_Union[Subscription, _Mapping]] = ..., acknowledgement: _Optional[_Union[Acknowledgement, _Mapping]] = ...) -> None: ...

class FollowResponse(_message.Message):
    __slots__ = ["events", "position"]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    POSITION_FIELD_NUMBER: _ClassVar[int]
    events: _containers.RepeatedCompositeFieldContainer[Event]
    position: Position
    def __init__(self, events: _Optional[_Iterable[_Union[Event, _Mapping]]] = ..., position: _Optional[_Union[Position, _Mapping]] = ...) -> None: ...

class Position(_message.Message):
    __slots__ = ["id", "transaction_id"]
    ID_FIELD_NUMBER: _ClassVar[int]
    TRANSACTION_ID_FIELD_NUMBER: _ClassVar[int]
    id: int
    transaction_id: int
    def __init__(self, transaction_id: _Optional[int] = ..., id: _Optional[int] = ...) -> None: ...

class Subscription(_message.Message):
    __slots__ = ["after", "beginning", "consumer", "producer", "recent", "topics"]
    AFTER_FIELD_NUMBER: _ClassVar[int]
    BEGINNING_FIELD_NUMBER: _ClassVar[int]
    CONSUMER_FIELD_NUMBER: _ClassVar[int]
    PRODUCER_FIELD_NUMBER: _ClassVar[int]
    RECENT_FIELD_NUMBER: _ClassVar[int]
    TOPICS_FIELD_NUMBER: _ClassVar[int]
    after: Position
    beginning: Beginning
    consumer: str
    producer: str
    recent: _duration_pb2.Duration
    topics: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, consumer: _Optional[str] = ..., topics: _Optional[_Iterable[str]] = ..., producer: _Optional[str] = ..., after: _Optional[_Union[Position, _Mapping]] = ..., beginning: _Optional[_Union[Beginning, str]] = ..., recent: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class Beginning(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []
