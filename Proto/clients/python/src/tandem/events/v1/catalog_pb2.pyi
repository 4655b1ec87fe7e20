from google.protobuf import timestamp_pb2 as _timestamp_pb2
from tandem.rpc.v1 import options_pb2 as _options_pb2
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class BookDeleted(_message.Message):
    __slots__ = ["book_id", "delete_time", "owner_id"]
    BOOK_ID_FIELD_NUMBER: _ClassVar[int]
    DELETE_TIME_FIELD_NUMBER: _ClassVar[int]
    OWNER_ID_FIELD_NUMBER: _ClassVar[int]
    book_id: str
    delete_time: _timestamp_pb2.Timestamp
    owner_id: str
    def __init__(self, book_id: _Optional[str] = ..., owner_id: _Optional[str] = ..., delete_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class BookListed(_message.Message):
    __slots__ = ["book_id", "description", "isbn", "owner_id", "title"]
    BOOK_ID_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    ISBN_FIELD_NUMBER: _ClassVar[int]
    OWNER_ID_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    book_id: str
    description: str
    isbn: str
    owner_id: str
    title: str
    def __init__(self, book_id: _Optional[str] = ..., owner_id: _Optional[str] = ..., isbn: _Optional[str] = ..., title: _Optional[str] = ..., description: _Optional[str] = ...) -> None: ...

class WorkoutLogDeleted(_message.Message):
    __slots__ = ["log_id", "user_id"]
    LOG_ID_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    log_id: str
    user_id: str
    def __init__(self, log_id: _Optional[str] = ..., user_id: _Optional[str] = ...) -> None: ...

class WorkoutLogged(_message.Message):
    __slots__ = ["log_id", "start_time", "user_id"]
    LOG_ID_FIELD_NUMBER: _ClassVar[int]
    START_TIME_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    log_id: str
    start_time: _timestamp_pb2.Timestamp
    user_id: str
    def __init__(self, log_id: _Optional[str] = ..., user_id: _Optional[str] = ..., start_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...
