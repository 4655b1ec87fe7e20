from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.type import date_pb2 as _date_pb2
from tandem.rpc.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

BOOK_STATUS_ACCEPTED: BookStatus
BOOK_STATUS_AVAILABLE: BookStatus
BOOK_STATUS_BORROWED: BookStatus
BOOK_STATUS_REQUESTED: BookStatus
BOOK_STATUS_UNSPECIFIED: BookStatus
DESCRIPTOR: _descriptor.FileDescriptor
LOAN_OUTCOME_LOST: LoanOutcome
LOAN_OUTCOME_RETURNED: LoanOutcome
LOAN_OUTCOME_UNSPECIFIED: LoanOutcome
LOAN_STATE_ACCEPTED: LoanState
LOAN_STATE_BORROWED: LoanState
LOAN_STATE_CANCELLED: LoanState
LOAN_STATE_DECLINED: LoanState
LOAN_STATE_LOST: LoanState
LOAN_STATE_PENDING: LoanState
LOAN_STATE_RETURNED: LoanState
LOAN_STATE_UNSPECIFIED: LoanState
LOAN_STATE_WITHDRAWN: LoanState
PLACE_PRECISION_BUILDING: PlacePrecision
PLACE_PRECISION_CITY: PlacePrecision
PLACE_PRECISION_POSTCODE: PlacePrecision
PLACE_PRECISION_QUARTER: PlacePrecision
PLACE_PRECISION_STREET: PlacePrecision
PLACE_PRECISION_UNSPECIFIED: PlacePrecision
SCAN_MEANING_ADD: ScanMeaning
SCAN_MEANING_HAND_OVER: ScanMeaning
SCAN_MEANING_RECEIVE: ScanMeaning
SCAN_MEANING_RETURN: ScanMeaning
SCAN_MEANING_TAKE_BACK: ScanMeaning
SCAN_MEANING_UNSPECIFIED: ScanMeaning
STEP_ACCEPT: Step
STEP_CANCEL: Step
STEP_CHANGE_PICKUP: Step
STEP_CONFIRM_HANDOVER: Step
STEP_CONFIRM_RETURN: Step
STEP_DECLARE_LOST: Step
STEP_DECLARE_RETURNED: Step
STEP_DECLINE: Step
STEP_HAND_OVER: Step
STEP_RECALL: Step
STEP_REQUEST: Step
STEP_RETURN: Step
STEP_UNSPECIFIED: Step
STEP_WITHDRAW: Step

class AcceptRequestRequest(_message.Message):
    __slots__ = ["due_date", "loan_id", "pickup", "request_id", "time_zone", "validate_only"]
    DUE_DATE_FIELD_NUMBER: _ClassVar[int]
    LOAN_ID_FIELD_NUMBER: _ClassVar[int]
    PICKUP_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    TIME_ZONE_FIELD_NUMBER: _ClassVar[int]
    VALIDATE_ONLY_FIELD_NUMBER: _ClassVar[int]
    due_date: _date_pb2.Date
    loan_id: str
    pickup: Pickup
    request_id: str
    time_zone: str
    validate_only: bool
    def __init__(self, loan_id: _Optional[str] = ..., pickup: _Optional[_Union[Pickup, _Mapping]] = ..., due_date: _Optional[_Union[_date_pb2.Date, _Mapping]] = ..., time_zone: _Optional[str] = ..., validate_only: bool = ..., request_id: _Optional[str] = ...) -> None: ...

class Address(_message.Message):
    __slots__ = ["address", "city", "country"]
    ADDRESS_FIELD_NUMBER: _ClassVar[int]
    CITY_FIELD_NUMBER: _ClassVar[int]
    COUNTRY_FIELD_NUMBER: _ClassVar[int]
    address: str
    city: str
    country: str
    def __init__(self, country: _Optional[str] = ..., city: _Optional[str] = ..., address: _Optional[str] = ...) -> None: ...

class CancelLoanRequest(_message.Message):
    __slots__ = ["loan_id", "request_id"]
    LOAN_ID_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    loan_id: str
    request_id: str
    def __init__(self, loan_id: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class ChangePickupRequest(_message.Message):
    __slots__ = ["loan_id", "pickup", "request_id"]
    LOAN_ID_FIELD_NUMBER: _ClassVar[int]
    PICKUP_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    loan_id: str
    pickup: Pickup
    request_id: str
    def __init__(self, loan_id: _Optional[str] = ..., pickup: _Optional[_Union[Pickup, _Mapping]] = ..., request_id: _Optional[str] = ...) -> None: ...

class City(_message.Message):
    __slots__ = ["name", "point", "province"]
    NAME_FIELD_NUMBER: _ClassVar[int]
    POINT_FIELD_NUMBER: _ClassVar[int]
    PROVINCE_FIELD_NUMBER: _ClassVar[int]
    name: str
    point: Point
    province: str
    def __init__(self, name: _Optional[str] = ..., point: _Optional[_Union[Point, _Mapping]] = ..., province: _Optional[str] = ...) -> None: ...

class ConfirmHandoverRequest(_message.Message):
    __slots__ = ["isbn", "loan_id", "request_id"]
    ISBN_FIELD_NUMBER: _ClassVar[int]
    LOAN_ID_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    isbn: str
    loan_id: str
    request_id: str
    def __init__(self, loan_id: _Optional[str] = ..., isbn: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class ConfirmReturnRequest(_message.Message):
    __slots__ = ["comment", "isbn", "loan_id", "request_id"]
    COMMENT_FIELD_NUMBER: _ClassVar[int]
    ISBN_FIELD_NUMBER: _ClassVar[int]
    LOAN_ID_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    comment: str
    isbn: str
    loan_id: str
    request_id: str
    def __init__(self, loan_id: _Optional[str] = ..., isbn: _Optional[str] = ..., comment: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class Confirmations(_message.Message):
    __slots__ = ["borrower_time", "owner_time"]
    BORROWER_TIME_FIELD_NUMBER: _ClassVar[int]
    OWNER_TIME_FIELD_NUMBER: _ClassVar[int]
    borrower_time: _timestamp_pb2.Timestamp
    owner_time: _timestamp_pb2.Timestamp
    def __init__(self, owner_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., borrower_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class DeclareLoanRequest(_message.Message):
    __slots__ = ["loan_id", "outcome", "request_id", "validate_only"]
    LOAN_ID_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    VALIDATE_ONLY_FIELD_NUMBER: _ClassVar[int]
    loan_id: str
    outcome: LoanOutcome
    request_id: str
    validate_only: bool
    def __init__(self, loan_id: _Optional[str] = ..., outcome: _Optional[_Union[LoanOutcome, str]] = ..., validate_only: bool = ..., request_id: _Optional[str] = ...) -> None: ...

class DeclineRequestRequest(_message.Message):
    __slots__ = ["loan_id", "request_id"]
    LOAN_ID_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    loan_id: str
    request_id: str
    def __init__(self, loan_id: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class FindBookStatusesRequest(_message.Message):
    __slots__ = ["book_ids"]
    BOOK_IDS_FIELD_NUMBER: _ClassVar[int]
    book_ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, book_ids: _Optional[_Iterable[str]] = ...) -> None: ...

class FindBookStatusesResponse(_message.Message):
    __slots__ = ["statuses"]
    STATUSES_FIELD_NUMBER: _ClassVar[int]
    statuses: _containers.RepeatedCompositeFieldContainer[KnownStatus]
    def __init__(self, statuses: _Optional[_Iterable[_Union[KnownStatus, _Mapping]]] = ...) -> None: ...

class FindRequestedBooksRequest(_message.Message):
    __slots__ = ["book_ids", "borrower_id"]
    BOOK_IDS_FIELD_NUMBER: _ClassVar[int]
    BORROWER_ID_FIELD_NUMBER: _ClassVar[int]
    book_ids: _containers.RepeatedScalarFieldContainer[str]
    borrower_id: str
    def __init__(self, borrower_id: _Optional[str] = ..., book_ids: _Optional[_Iterable[str]] = ...) -> None: ...

class FindRequestedBooksResponse(_message.Message):
    __slots__ = ["book_ids"]
    BOOK_IDS_FIELD_NUMBER: _ClassVar[int]
    book_ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, book_ids: _Optional[_Iterable[str]] = ...) -> None: ...

class FindScannedRequest(_message.Message):
    __slots__ = ["isbn"]
    ISBN_FIELD_NUMBER: _ClassVar[int]
    isbn: str
    def __init__(self, isbn: _Optional[str] = ...) -> None: ...

class FindScannedResponse(_message.Message):
    __slots__ = ["isbn", "options", "waiting"]
    ISBN_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    WAITING_FIELD_NUMBER: _ClassVar[int]
    isbn: str
    options: _containers.RepeatedCompositeFieldContainer[ScanOption]
    waiting: _containers.RepeatedCompositeFieldContainer[Loan]
    def __init__(self, isbn: _Optional[str] = ..., options: _Optional[_Iterable[_Union[ScanOption, _Mapping]]] = ..., waiting: _Optional[_Iterable[_Union[Loan, _Mapping]]] = ...) -> None: ...

class FindTownRequest(_message.Message):
    __slots__ = ["name"]
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    def __init__(self, name: _Optional[str] = ...) -> None: ...

class FindTownResponse(_message.Message):
    __slots__ = ["point"]
    POINT_FIELD_NUMBER: _ClassVar[int]
    point: Point
    def __init__(self, point: _Optional[_Union[Point, _Mapping]] = ...) -> None: ...

class FoundPlace(_message.Message):
    __slots__ = ["point", "precision", "precision_m"]
    POINT_FIELD_NUMBER: _ClassVar[int]
    PRECISION_FIELD_NUMBER: _ClassVar[int]
    PRECISION_M_FIELD_NUMBER: _ClassVar[int]
    point: Point
    precision: PlacePrecision
    precision_m: int
    def __init__(self, point: _Optional[_Union[Point, _Mapping]] = ..., precision_m: _Optional[int] = ..., precision: _Optional[_Union[PlacePrecision, str]] = ...) -> None: ...

class GetLoanRequest(_message.Message):
    __slots__ = ["loan_id"]
    LOAN_ID_FIELD_NUMBER: _ClassVar[int]
    loan_id: str
    def __init__(self, loan_id: _Optional[str] = ...) -> None: ...

class HistoryEntry(_message.Message):
    __slots__ = ["actor_id", "book_id", "loan_id", "number", "previous_state", "previous_status", "state", "status", "step", "time"]
    ACTOR_ID_FIELD_NUMBER: _ClassVar[int]
    BOOK_ID_FIELD_NUMBER: _ClassVar[int]
    LOAN_ID_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    PREVIOUS_STATE_FIELD_NUMBER: _ClassVar[int]
    PREVIOUS_STATUS_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    STEP_FIELD_NUMBER: _ClassVar[int]
    TIME_FIELD_NUMBER: _ClassVar[int]
    actor_id: str
    book_id: str
    loan_id: str
    number: int
    previous_state: LoanState
    previous_status: BookStatus
    state: LoanState
    status: BookStatus
    step: Step
    time: _timestamp_pb2.Timestamp
    def __init__(self, number: _Optional[int] = ..., book_id: _Optional[str] = ..., loan_id: _Optional[str] = ..., actor_id: _Optional[str] = ..., step: _Optional[_Union[Step, str]] = ..., previous_state: _Optional[_Union[LoanState, str]] = ..., state: _Optional[_Union[LoanState, str]] = ..., previous_status: _Optional[_Union[BookStatus, str]] = ..., status: _Optional[_Union[BookStatus, str]] = ..., time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class HoldBookRequest(_message.Message):
    __slots__ = ["book_id", "request_id", "validate_only"]
    BOOK_ID_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    VALIDATE_ONLY_FIELD_NUMBER: _ClassVar[int]
    book_id: str
    request_id: str
    validate_only: bool
    def __init__(self, book_id: _Optional[str] = ..., validate_only: bool = ..., request_id: _Optional[str] = ...) -> None: ...

class HoldBookResponse(_message.Message):
    __slots__ = ["declined", "hold_time"]
    DECLINED_FIELD_NUMBER: _ClassVar[int]
    HOLD_TIME_FIELD_NUMBER: _ClassVar[int]
    declined: int
    hold_time: _timestamp_pb2.Timestamp
    def __init__(self, hold_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., declined: _Optional[int] = ...) -> None: ...

class KnownComment(_message.Message):
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
    def __init__(self, loan_id: _Optional[str] = ..., book_id: _Optional[str] = ..., author_id: _Optional[str] = ..., text: _Optional[str] = ..., create_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class KnownStatus(_message.Message):
    __slots__ = ["book_id", "borrower_id", "on_hold", "status"]
    BOOK_ID_FIELD_NUMBER: _ClassVar[int]
    BORROWER_ID_FIELD_NUMBER: _ClassVar[int]
    ON_HOLD_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    book_id: str
    borrower_id: str
    on_hold: bool
    status: BookStatus
    def __init__(self, book_id: _Optional[str] = ..., status: _Optional[_Union[BookStatus, str]] = ..., borrower_id: _Optional[str] = ..., on_hold: bool = ...) -> None: ...

class ListCitiesRequest(_message.Message):
    __slots__ = ["country", "page_size", "page_token", "province"]
    COUNTRY_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    PROVINCE_FIELD_NUMBER: _ClassVar[int]
    country: str
    page_size: int
    page_token: str
    province: str
    def __init__(self, country: _Optional[str] = ..., province: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListCitiesResponse(_message.Message):
    __slots__ = ["cities", "next_page_token"]
    CITIES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    cities: _containers.RepeatedCompositeFieldContainer[City]
    next_page_token: str
    def __init__(self, cities: _Optional[_Iterable[_Union[City, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ListCountriesRequest(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class ListCountriesResponse(_message.Message):
    __slots__ = ["countries"]
    COUNTRIES_FIELD_NUMBER: _ClassVar[int]
    countries: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, countries: _Optional[_Iterable[str]] = ...) -> None: ...

class ListHistoryRequest(_message.Message):
    __slots__ = ["book_id", "loan_id", "page_size", "page_token"]
    BOOK_ID_FIELD_NUMBER: _ClassVar[int]
    LOAN_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    book_id: str
    loan_id: str
    page_size: int
    page_token: str
    def __init__(self, book_id: _Optional[str] = ..., loan_id: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListHistoryResponse(_message.Message):
    __slots__ = ["entries", "next_page_token"]
    ENTRIES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    entries: _containers.RepeatedCompositeFieldContainer[HistoryEntry]
    next_page_token: str
    def __init__(self, entries: _Optional[_Iterable[_Union[HistoryEntry, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ListLentBooksRequest(_message.Message):
    __slots__ = ["page_size", "page_token"]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListLentBooksResponse(_message.Message):
    __slots__ = ["loans", "next_page_token"]
    LOANS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    loans: _containers.RepeatedCompositeFieldContainer[Loan]
    next_page_token: str
    def __init__(self, loans: _Optional[_Iterable[_Union[Loan, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ListLoanChangesRequest(_message.Message):
    __slots__ = ["page_size", "since"]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    SINCE_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    since: str
    def __init__(self, since: _Optional[str] = ..., page_size: _Optional[int] = ...) -> None: ...

class ListLoanChangesResponse(_message.Message):
    __slots__ = ["changed", "has_more", "next_change_token"]
    CHANGED_FIELD_NUMBER: _ClassVar[int]
    HAS_MORE_FIELD_NUMBER: _ClassVar[int]
    NEXT_CHANGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    changed: _containers.RepeatedCompositeFieldContainer[Loan]
    has_more: bool
    next_change_token: str
    def __init__(self, changed: _Optional[_Iterable[_Union[Loan, _Mapping]]] = ..., next_change_token: _Optional[str] = ..., has_more: bool = ...) -> None: ...

class ListMyRequestsRequest(_message.Message):
    __slots__ = ["page_size", "page_token", "state"]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    state: LoanState
    def __init__(self, state: _Optional[_Union[LoanState, str]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListMyRequestsResponse(_message.Message):
    __slots__ = ["loans", "next_page_token"]
    LOANS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    loans: _containers.RepeatedCompositeFieldContainer[Loan]
    next_page_token: str
    def __init__(self, loans: _Optional[_Iterable[_Union[Loan, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ListProvincesRequest(_message.Message):
    __slots__ = ["country"]
    COUNTRY_FIELD_NUMBER: _ClassVar[int]
    country: str
    def __init__(self, country: _Optional[str] = ...) -> None: ...

class ListProvincesResponse(_message.Message):
    __slots__ = ["provinces"]
    PROVINCES_FIELD_NUMBER: _ClassVar[int]
    provinces: _containers.RepeatedCompositeFieldContainer[Province]
    def __init__(self, provinces: _Optional[_Iterable[_Union[Province, _Mapping]]] = ...) -> None: ...

class ListRequestedBooksRequest(_message.Message):
    __slots__ = ["page_size", "page_token"]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListRequestedBooksResponse(_message.Message):
    __slots__ = ["books", "next_page_token", "notice"]
    BOOKS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    NOTICE_FIELD_NUMBER: _ClassVar[int]
    books: _containers.RepeatedCompositeFieldContainer[RequestedBook]
    next_page_token: str
    notice: str
    def __init__(self, books: _Optional[_Iterable[_Union[RequestedBook, _Mapping]]] = ..., notice: _Optional[str] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ListRequestsRequest(_message.Message):
    __slots__ = ["book_id", "page_size", "page_token"]
    BOOK_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    book_id: str
    page_size: int
    page_token: str
    def __init__(self, book_id: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListRequestsResponse(_message.Message):
    __slots__ = ["loans", "next_page_token", "notice"]
    LOANS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    NOTICE_FIELD_NUMBER: _ClassVar[int]
    loans: _containers.RepeatedCompositeFieldContainer[Loan]
    next_page_token: str
    notice: str
    def __init__(self, loans: _Optional[_Iterable[_Union[Loan, _Mapping]]] = ..., notice: _Optional[str] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ListReturnCommentsRequest(_message.Message):
    __slots__ = ["page_size", "page_token"]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListReturnCommentsResponse(_message.Message):
    __slots__ = ["comments", "next_page_token"]
    COMMENTS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    comments: _containers.RepeatedCompositeFieldContainer[KnownComment]
    next_page_token: str
    def __init__(self, comments: _Optional[_Iterable[_Union[KnownComment, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class Loan(_message.Message):
    __slots__ = ["book_id", "book_status", "borrower_declare_time", "borrower_id", "borrower_username", "description", "due_date", "handover", "isbn", "loan_id", "overdue", "owner_declare_time", "owner_id", "owner_username", "pickup", "recall_time", "request_time", "state", "time_zone", "title", "update_time"]
    BOOK_ID_FIELD_NUMBER: _ClassVar[int]
    BOOK_STATUS_FIELD_NUMBER: _ClassVar[int]
    BORROWER_DECLARE_TIME_FIELD_NUMBER: _ClassVar[int]
    BORROWER_ID_FIELD_NUMBER: _ClassVar[int]
    BORROWER_USERNAME_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    DUE_DATE_FIELD_NUMBER: _ClassVar[int]
    HANDOVER_FIELD_NUMBER: _ClassVar[int]
    ISBN_FIELD_NUMBER: _ClassVar[int]
    LOAN_ID_FIELD_NUMBER: _ClassVar[int]
    OVERDUE_FIELD_NUMBER: _ClassVar[int]
    OWNER_DECLARE_TIME_FIELD_NUMBER: _ClassVar[int]
    OWNER_ID_FIELD_NUMBER: _ClassVar[int]
    OWNER_USERNAME_FIELD_NUMBER: _ClassVar[int]
    PICKUP_FIELD_NUMBER: _ClassVar[int]
    RECALL_TIME_FIELD_NUMBER: _ClassVar[int]
    REQUEST_TIME_FIELD_NUMBER: _ClassVar[int]
    RETURN_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    TIME_ZONE_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    UPDATE_TIME_FIELD_NUMBER: _ClassVar[int]
    book_id: str
    book_status: BookStatus
    borrower_declare_time: _timestamp_pb2.Timestamp
    borrower_id: str
    borrower_username: str
    description: str
    due_date: _date_pb2.Date
    handover: Confirmations
    isbn: str
    loan_id: str
    overdue: bool
    owner_declare_time: _timestamp_pb2.Timestamp
    owner_id: str
    owner_username: str
    pickup: Pickup
    recall_time: _timestamp_pb2.Timestamp
    request_time: _timestamp_pb2.Timestamp
    state: LoanState
    time_zone: str
    title: str
    update_time: _timestamp_pb2.Timestamp
    def __init__(self, loan_id: _Optional[str] = ..., book_id: _Optional[str] = ..., owner_id: _Optional[str] = ..., owner_username: _Optional[str] = ..., borrower_id: _Optional[str] = ..., borrower_username: _Optional[str] = ..., isbn: _Optional[str] = ..., title: _Optional[str] = ..., description: _Optional[str] = ..., state: _Optional[_Union[LoanState, str]] = ..., pickup: _Optional[_Union[Pickup, _Mapping]] = ..., due_date: _Optional[_Union[_date_pb2.Date, _Mapping]] = ..., time_zone: _Optional[str] = ..., overdue: bool = ..., recall_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., handover: _Optional[_Union[Confirmations, _Mapping]] = ..., book_status: _Optional[_Union[BookStatus, str]] = ..., request_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., update_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., owner_declare_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., borrower_declare_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., **kwargs) -> None: ...

class NearbyPlace(_message.Message):
    __slots__ = ["city", "country", "distance_m", "name"]
    CITY_FIELD_NUMBER: _ClassVar[int]
    COUNTRY_FIELD_NUMBER: _ClassVar[int]
    DISTANCE_M_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    city: str
    country: str
    distance_m: int
    name: str
    def __init__(self, name: _Optional[str] = ..., city: _Optional[str] = ..., country: _Optional[str] = ..., distance_m: _Optional[int] = ...) -> None: ...

class Pickup(_message.Message):
    __slots__ = ["address", "found", "nearby", "point", "time"]
    ADDRESS_FIELD_NUMBER: _ClassVar[int]
    FOUND_FIELD_NUMBER: _ClassVar[int]
    NEARBY_FIELD_NUMBER: _ClassVar[int]
    POINT_FIELD_NUMBER: _ClassVar[int]
    TIME_FIELD_NUMBER: _ClassVar[int]
    address: Address
    found: FoundPlace
    nearby: NearbyPlace
    point: Point
    time: _timestamp_pb2.Timestamp
    def __init__(self, point: _Optional[_Union[Point, _Mapping]] = ..., address: _Optional[_Union[Address, _Mapping]] = ..., time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., found: _Optional[_Union[FoundPlace, _Mapping]] = ..., nearby: _Optional[_Union[NearbyPlace, _Mapping]] = ...) -> None: ...

class Point(_message.Message):
    __slots__ = ["latitude", "longitude"]
    LATITUDE_FIELD_NUMBER: _ClassVar[int]
    LONGITUDE_FIELD_NUMBER: _ClassVar[int]
    latitude: float
    longitude: float
    def __init__(self, latitude: _Optional[float] = ..., longitude: _Optional[float] = ...) -> None: ...

class Province(_message.Message):
    __slots__ = ["code", "name"]
    CODE_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    code: str
    name: str
    def __init__(self, code: _Optional[str] = ..., name: _Optional[str] = ...) -> None: ...

class RecallLoanRequest(_message.Message):
    __slots__ = ["loan_id", "request_id"]
    LOAN_ID_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    loan_id: str
    request_id: str
    def __init__(self, loan_id: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class ReleaseBookRequest(_message.Message):
    __slots__ = ["book_id", "request_id"]
    BOOK_ID_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    book_id: str
    request_id: str
    def __init__(self, book_id: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class ReleaseBookResponse(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class RequestBookRequest(_message.Message):
    __slots__ = ["book_id", "request_id", "validate_only"]
    BOOK_ID_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    VALIDATE_ONLY_FIELD_NUMBER: _ClassVar[int]
    book_id: str
    request_id: str
    validate_only: bool
    def __init__(self, book_id: _Optional[str] = ..., validate_only: bool = ..., request_id: _Optional[str] = ...) -> None: ...

class RequestedBook(_message.Message):
    __slots__ = ["book_id", "isbn", "pending", "title"]
    BOOK_ID_FIELD_NUMBER: _ClassVar[int]
    ISBN_FIELD_NUMBER: _ClassVar[int]
    PENDING_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    book_id: str
    isbn: str
    pending: int
    title: str
    def __init__(self, book_id: _Optional[str] = ..., title: _Optional[str] = ..., isbn: _Optional[str] = ..., pending: _Optional[int] = ...) -> None: ...

class RetireBookRequest(_message.Message):
    __slots__ = ["book_id", "isbn", "owner_id", "title", "validate_only"]
    BOOK_ID_FIELD_NUMBER: _ClassVar[int]
    ISBN_FIELD_NUMBER: _ClassVar[int]
    OWNER_ID_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    VALIDATE_ONLY_FIELD_NUMBER: _ClassVar[int]
    book_id: str
    isbn: str
    owner_id: str
    title: str
    validate_only: bool
    def __init__(self, book_id: _Optional[str] = ..., owner_id: _Optional[str] = ..., isbn: _Optional[str] = ..., title: _Optional[str] = ..., validate_only: bool = ...) -> None: ...

class RetireBookResponse(_message.Message):
    __slots__ = ["retire_time"]
    RETIRE_TIME_FIELD_NUMBER: _ClassVar[int]
    retire_time: _timestamp_pb2.Timestamp
    def __init__(self, retire_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class ScanOption(_message.Message):
    __slots__ = ["loan", "meaning"]
    LOAN_FIELD_NUMBER: _ClassVar[int]
    MEANING_FIELD_NUMBER: _ClassVar[int]
    loan: Loan
    meaning: ScanMeaning
    def __init__(self, meaning: _Optional[_Union[ScanMeaning, str]] = ..., loan: _Optional[_Union[Loan, _Mapping]] = ...) -> None: ...

class WithdrawRequestRequest(_message.Message):
    __slots__ = ["loan_id", "request_id"]
    LOAN_ID_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    loan_id: str
    request_id: str
    def __init__(self, loan_id: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class BookStatus(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class LoanState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class Step(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class ScanMeaning(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class LoanOutcome(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class PlacePrecision(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []
