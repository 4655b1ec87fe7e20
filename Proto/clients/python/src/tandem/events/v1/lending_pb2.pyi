from google.protobuf import timestamp_pb2 as _timestamp_pb2
from tandem.rpc.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor
LENDING_STATUS_ACCEPTED: LendingStatus
LENDING_STATUS_AVAILABLE: LendingStatus
LENDING_STATUS_BORROWED: LendingStatus
LENDING_STATUS_REQUESTED: LendingStatus
LENDING_STATUS_UNSPECIFIED: LendingStatus

class BookHoldChanged(_message.Message):
    __slots__ = ["book_id", "change_time", "on_hold", "owner_id"]
    BOOK_ID_FIELD_NUMBER: _ClassVar[int]
    CHANGE_TIME_FIELD_NUMBER: _ClassVar[int]
    ON_HOLD_FIELD_NUMBER: _ClassVar[int]
    OWNER_ID_FIELD_NUMBER: _ClassVar[int]
    book_id: str
    change_time: _timestamp_pb2.Timestamp
    on_hold: bool
    owner_id: str
    def __init__(self, book_id: _Optional[str] = ..., owner_id: _Optional[str] = ..., on_hold: bool = ..., change_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class BookStatusChanged(_message.Message):
    __slots__ = ["book_id", "borrower_id", "change_time", "loan_id", "owner_id", "previous_status", "status"]
    BOOK_ID_FIELD_NUMBER: _ClassVar[int]
    BORROWER_ID_FIELD_NUMBER: _ClassVar[int]
    CHANGE_TIME_FIELD_NUMBER: _ClassVar[int]
    LOAN_ID_FIELD_NUMBER: _ClassVar[int]
    OWNER_ID_FIELD_NUMBER: _ClassVar[int]
    PREVIOUS_STATUS_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    book_id: str
    borrower_id: str
    change_time: _timestamp_pb2.Timestamp
    loan_id: str
    owner_id: str
    previous_status: LendingStatus
    status: LendingStatus
    def __init__(self, book_id: _Optional[str] = ..., owner_id: _Optional[str] = ..., previous_status: _Optional[_Union[LendingStatus, str]] = ..., status: _Optional[_Union[LendingStatus, str]] = ..., loan_id: _Optional[str] = ..., borrower_id: _Optional[str] = ..., change_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class ReturnCommented(_message.Message):
    __slots__ = ["author_id", "book_id", "create_time", "loan_id", "text"]
    AUTHOR_ID_FIELD_NUMBER: _ClassVar[int]
    BOOK_ID_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    LOAN_ID_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    author_id: str
    book_id: str
    create_time: _timestamp_pb2.Timestamp
    loan_id: str
    text: str
    def __init__(self, book_id: _Optional[str] = ..., loan_id: _Optional[str] = ..., author_id: _Optional[str] = ..., text: _Optional[str] = ..., create_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class LendingStatus(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []
