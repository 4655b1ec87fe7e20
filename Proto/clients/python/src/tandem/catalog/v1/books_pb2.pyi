from google.protobuf import field_mask_pb2 as _field_mask_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from tandem.catalog.v1 import photos_pb2 as _photos_pb2
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
SEARCH_MATCH_EXACT: SearchMatch
SEARCH_MATCH_SIMILAR: SearchMatch
SEARCH_MATCH_UNSPECIFIED: SearchMatch
SEARCH_SCOPE_AVAILABLE: SearchScope
SEARCH_SCOPE_UNAVAILABLE: SearchScope
SEARCH_SCOPE_UNSPECIFIED: SearchScope

class AddBookRequest(_message.Message):
    __slots__ = ["book", "request_id", "title_confirmed", "validate_only"]
    BOOK_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    TITLE_CONFIRMED_FIELD_NUMBER: _ClassVar[int]
    VALIDATE_ONLY_FIELD_NUMBER: _ClassVar[int]
    book: Book
    request_id: str
    title_confirmed: bool
    validate_only: bool
    def __init__(self, book: _Optional[_Union[Book, _Mapping]] = ..., title_confirmed: bool = ..., validate_only: bool = ..., request_id: _Optional[str] = ...) -> None: ...

class Book(_message.Message):
    __slots__ = ["authors", "book_id", "borrower_id", "borrower_username", "create_time", "description", "etag", "isbn", "language", "on_hold", "owner_id", "owner_username", "photo_ids", "status", "title", "update_time", "year"]
    AUTHORS_FIELD_NUMBER: _ClassVar[int]
    BOOK_ID_FIELD_NUMBER: _ClassVar[int]
    BORROWER_ID_FIELD_NUMBER: _ClassVar[int]
    BORROWER_USERNAME_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    ISBN_FIELD_NUMBER: _ClassVar[int]
    LANGUAGE_FIELD_NUMBER: _ClassVar[int]
    ON_HOLD_FIELD_NUMBER: _ClassVar[int]
    OWNER_ID_FIELD_NUMBER: _ClassVar[int]
    OWNER_USERNAME_FIELD_NUMBER: _ClassVar[int]
    PHOTO_IDS_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    UPDATE_TIME_FIELD_NUMBER: _ClassVar[int]
    YEAR_FIELD_NUMBER: _ClassVar[int]
    authors: _containers.RepeatedScalarFieldContainer[str]
    book_id: str
    borrower_id: str
    borrower_username: str
    create_time: _timestamp_pb2.Timestamp
    description: str
    etag: str
    isbn: str
    language: str
    on_hold: bool
    owner_id: str
    owner_username: str
    photo_ids: _containers.RepeatedScalarFieldContainer[str]
    status: BookStatus
    title: str
    update_time: _timestamp_pb2.Timestamp
    year: int
    def __init__(self, book_id: _Optional[str] = ..., owner_id: _Optional[str] = ..., owner_username: _Optional[str] = ..., title: _Optional[str] = ..., authors: _Optional[_Iterable[str]] = ..., isbn: _Optional[str] = ..., description: _Optional[str] = ..., year: _Optional[int] = ..., language: _Optional[str] = ..., status: _Optional[_Union[BookStatus, str]] = ..., borrower_id: _Optional[str] = ..., borrower_username: _Optional[str] = ..., etag: _Optional[str] = ..., create_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., update_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., photo_ids: _Optional[_Iterable[str]] = ..., on_hold: bool = ...) -> None: ...

class BookChange(_message.Message):
    __slots__ = ["book", "book_id", "delete_time"]
    BOOK_FIELD_NUMBER: _ClassVar[int]
    BOOK_ID_FIELD_NUMBER: _ClassVar[int]
    DELETE_TIME_FIELD_NUMBER: _ClassVar[int]
    book: Book
    book_id: str
    delete_time: _timestamp_pb2.Timestamp
    def __init__(self, book_id: _Optional[str] = ..., book: _Optional[_Union[Book, _Mapping]] = ..., delete_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class BookRating(_message.Message):
    __slots__ = ["isbn", "rate_time", "stars", "title"]
    ISBN_FIELD_NUMBER: _ClassVar[int]
    RATE_TIME_FIELD_NUMBER: _ClassVar[int]
    STARS_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    isbn: str
    rate_time: _timestamp_pb2.Timestamp
    stars: int
    title: str
    def __init__(self, isbn: _Optional[str] = ..., title: _Optional[str] = ..., stars: _Optional[int] = ..., rate_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class BookShare(_message.Message):
    __slots__ = ["book_id", "create_time", "share_id"]
    BOOK_ID_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    SHARE_ID_FIELD_NUMBER: _ClassVar[int]
    book_id: str
    create_time: _timestamp_pb2.Timestamp
    share_id: str
    def __init__(self, share_id: _Optional[str] = ..., book_id: _Optional[str] = ..., create_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class BorrowedBook(_message.Message):
    __slots__ = ["isbn", "title"]
    ISBN_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    isbn: str
    title: str
    def __init__(self, isbn: _Optional[str] = ..., title: _Optional[str] = ...) -> None: ...

class Comment(_message.Message):
    __slots__ = ["author_id", "author_username", "comment_id", "create_time", "edit_time", "text"]
    AUTHOR_ID_FIELD_NUMBER: _ClassVar[int]
    AUTHOR_USERNAME_FIELD_NUMBER: _ClassVar[int]
    COMMENT_ID_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    EDIT_TIME_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    author_id: str
    author_username: str
    comment_id: str
    create_time: _timestamp_pb2.Timestamp
    edit_time: _timestamp_pb2.Timestamp
    text: str
    def __init__(self, comment_id: _Optional[str] = ..., author_id: _Optional[str] = ..., author_username: _Optional[str] = ..., text: _Optional[str] = ..., create_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., edit_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class CreateCommentRequest(_message.Message):
    __slots__ = ["book_id", "comment", "request_id", "validate_only"]
    BOOK_ID_FIELD_NUMBER: _ClassVar[int]
    COMMENT_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    VALIDATE_ONLY_FIELD_NUMBER: _ClassVar[int]
    book_id: str
    comment: Comment
    request_id: str
    validate_only: bool
    def __init__(self, book_id: _Optional[str] = ..., comment: _Optional[_Union[Comment, _Mapping]] = ..., validate_only: bool = ..., request_id: _Optional[str] = ...) -> None: ...

class DeleteBookRequest(_message.Message):
    __slots__ = ["book_id", "etag", "request_id", "validate_only"]
    BOOK_ID_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    VALIDATE_ONLY_FIELD_NUMBER: _ClassVar[int]
    book_id: str
    etag: str
    request_id: str
    validate_only: bool
    def __init__(self, book_id: _Optional[str] = ..., etag: _Optional[str] = ..., validate_only: bool = ..., request_id: _Optional[str] = ...) -> None: ...

class DeleteBookResponse(_message.Message):
    __slots__ = ["delete_time"]
    DELETE_TIME_FIELD_NUMBER: _ClassVar[int]
    delete_time: _timestamp_pb2.Timestamp
    def __init__(self, delete_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class DeleteCommentRequest(_message.Message):
    __slots__ = ["comment_id", "request_id", "validate_only"]
    COMMENT_ID_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    VALIDATE_ONLY_FIELD_NUMBER: _ClassVar[int]
    comment_id: str
    request_id: str
    validate_only: bool
    def __init__(self, comment_id: _Optional[str] = ..., validate_only: bool = ..., request_id: _Optional[str] = ...) -> None: ...

class DeleteCommentResponse(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class DeleteRatingRequest(_message.Message):
    __slots__ = ["isbn", "request_id", "validate_only"]
    ISBN_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    VALIDATE_ONLY_FIELD_NUMBER: _ClassVar[int]
    isbn: str
    request_id: str
    validate_only: bool
    def __init__(self, isbn: _Optional[str] = ..., validate_only: bool = ..., request_id: _Optional[str] = ...) -> None: ...

class DeleteRatingResponse(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class Edition(_message.Message):
    __slots__ = ["authors", "isbn", "isbn10", "language", "title", "year"]
    AUTHORS_FIELD_NUMBER: _ClassVar[int]
    ISBN10_FIELD_NUMBER: _ClassVar[int]
    ISBN_FIELD_NUMBER: _ClassVar[int]
    LANGUAGE_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    YEAR_FIELD_NUMBER: _ClassVar[int]
    authors: _containers.RepeatedScalarFieldContainer[str]
    isbn: str
    isbn10: str
    language: str
    title: str
    year: int
    def __init__(self, isbn: _Optional[str] = ..., isbn10: _Optional[str] = ..., title: _Optional[str] = ..., authors: _Optional[_Iterable[str]] = ..., year: _Optional[int] = ..., language: _Optional[str] = ...) -> None: ...

class GetBookRequest(_message.Message):
    __slots__ = ["book_id"]
    BOOK_ID_FIELD_NUMBER: _ClassVar[int]
    book_id: str
    def __init__(self, book_id: _Optional[str] = ...) -> None: ...

class GetSharedBookRequest(_message.Message):
    __slots__ = ["token"]
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    token: str
    def __init__(self, token: _Optional[str] = ...) -> None: ...

class GetStorageRequest(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class GetStorageResponse(_message.Message):
    __slots__ = ["limits", "used"]
    LIMITS_FIELD_NUMBER: _ClassVar[int]
    USED_FIELD_NUMBER: _ClassVar[int]
    limits: StorageFigures
    used: StorageFigures
    def __init__(self, used: _Optional[_Union[StorageFigures, _Mapping]] = ..., limits: _Optional[_Union[StorageFigures, _Mapping]] = ...) -> None: ...

class ListBookSharesRequest(_message.Message):
    __slots__ = ["book_id"]
    BOOK_ID_FIELD_NUMBER: _ClassVar[int]
    book_id: str
    def __init__(self, book_id: _Optional[str] = ...) -> None: ...

class ListBookSharesResponse(_message.Message):
    __slots__ = ["shares"]
    SHARES_FIELD_NUMBER: _ClassVar[int]
    shares: _containers.RepeatedCompositeFieldContainer[BookShare]
    def __init__(self, shares: _Optional[_Iterable[_Union[BookShare, _Mapping]]] = ...) -> None: ...

class ListCommentsRequest(_message.Message):
    __slots__ = ["book_id", "page_size", "page_token"]
    BOOK_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    book_id: str
    page_size: int
    page_token: str
    def __init__(self, book_id: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListCommentsResponse(_message.Message):
    __slots__ = ["comments", "next_page_token"]
    COMMENTS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    comments: _containers.RepeatedCompositeFieldContainer[Comment]
    next_page_token: str
    def __init__(self, comments: _Optional[_Iterable[_Union[Comment, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ListMyBookChangesRequest(_message.Message):
    __slots__ = ["page_size", "since"]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    SINCE_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    since: str
    def __init__(self, since: _Optional[str] = ..., page_size: _Optional[int] = ...) -> None: ...

class ListMyBookChangesResponse(_message.Message):
    __slots__ = ["changes", "more", "next_since"]
    CHANGES_FIELD_NUMBER: _ClassVar[int]
    MORE_FIELD_NUMBER: _ClassVar[int]
    NEXT_SINCE_FIELD_NUMBER: _ClassVar[int]
    changes: _containers.RepeatedCompositeFieldContainer[BookChange]
    more: bool
    next_since: str
    def __init__(self, changes: _Optional[_Iterable[_Union[BookChange, _Mapping]]] = ..., next_since: _Optional[str] = ..., more: bool = ...) -> None: ...

class ListMyBooksRequest(_message.Message):
    __slots__ = ["page_size", "page_token", "status"]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    status: BookStatus
    def __init__(self, status: _Optional[_Union[BookStatus, str]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListMyBooksResponse(_message.Message):
    __slots__ = ["books", "next_page_token"]
    BOOKS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    books: _containers.RepeatedCompositeFieldContainer[Book]
    next_page_token: str
    def __init__(self, books: _Optional[_Iterable[_Union[Book, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ListMyRatingsRequest(_message.Message):
    __slots__ = ["page_size", "page_token"]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListMyRatingsResponse(_message.Message):
    __slots__ = ["next_page_token", "ratings"]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    RATINGS_FIELD_NUMBER: _ClassVar[int]
    next_page_token: str
    ratings: _containers.RepeatedCompositeFieldContainer[BookRating]
    def __init__(self, ratings: _Optional[_Iterable[_Union[BookRating, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class LookUpBookRequest(_message.Message):
    __slots__ = ["book_id"]
    BOOK_ID_FIELD_NUMBER: _ClassVar[int]
    book_id: str
    def __init__(self, book_id: _Optional[str] = ...) -> None: ...

class LookUpIsbnRequest(_message.Message):
    __slots__ = ["isbn"]
    ISBN_FIELD_NUMBER: _ClassVar[int]
    isbn: str
    def __init__(self, isbn: _Optional[str] = ...) -> None: ...

class RateBookRequest(_message.Message):
    __slots__ = ["isbn", "request_id", "stars", "validate_only"]
    ISBN_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    STARS_FIELD_NUMBER: _ClassVar[int]
    VALIDATE_ONLY_FIELD_NUMBER: _ClassVar[int]
    isbn: str
    request_id: str
    stars: int
    validate_only: bool
    def __init__(self, isbn: _Optional[str] = ..., stars: _Optional[int] = ..., validate_only: bool = ..., request_id: _Optional[str] = ...) -> None: ...

class RecommendBooksRequest(_message.Message):
    __slots__ = ["count"]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    count: int
    def __init__(self, count: _Optional[int] = ...) -> None: ...

class RecommendBooksResponse(_message.Message):
    __slots__ = ["recommendations"]
    RECOMMENDATIONS_FIELD_NUMBER: _ClassVar[int]
    recommendations: _containers.RepeatedCompositeFieldContainer[Recommendation]
    def __init__(self, recommendations: _Optional[_Iterable[_Union[Recommendation, _Mapping]]] = ...) -> None: ...

class Recommendation(_message.Message):
    __slots__ = ["because", "because_rated", "book"]
    BECAUSE_FIELD_NUMBER: _ClassVar[int]
    BECAUSE_RATED_FIELD_NUMBER: _ClassVar[int]
    BOOK_FIELD_NUMBER: _ClassVar[int]
    because: BorrowedBook
    because_rated: BookRating
    book: Book
    def __init__(self, book: _Optional[_Union[Book, _Mapping]] = ..., because: _Optional[_Union[BorrowedBook, _Mapping]] = ..., because_rated: _Optional[_Union[BookRating, _Mapping]] = ...) -> None: ...

class RevokeBookShareRequest(_message.Message):
    __slots__ = ["request_id", "share_id", "validate_only"]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    SHARE_ID_FIELD_NUMBER: _ClassVar[int]
    VALIDATE_ONLY_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    share_id: str
    validate_only: bool
    def __init__(self, share_id: _Optional[str] = ..., validate_only: bool = ..., request_id: _Optional[str] = ...) -> None: ...

class RevokeBookShareResponse(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class SearchBooksRequest(_message.Message):
    __slots__ = ["page_size", "page_token", "query", "scope"]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    QUERY_FIELD_NUMBER: _ClassVar[int]
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    query: str
    scope: SearchScope
    def __init__(self, query: _Optional[str] = ..., scope: _Optional[_Union[SearchScope, str]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class SearchBooksResponse(_message.Message):
    __slots__ = ["books", "match", "next_page_token", "notice"]
    BOOKS_FIELD_NUMBER: _ClassVar[int]
    MATCH_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    NOTICE_FIELD_NUMBER: _ClassVar[int]
    books: _containers.RepeatedCompositeFieldContainer[Book]
    match: SearchMatch
    next_page_token: str
    notice: str
    def __init__(self, books: _Optional[_Iterable[_Union[Book, _Mapping]]] = ..., match: _Optional[_Union[SearchMatch, str]] = ..., notice: _Optional[str] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ShareBookRequest(_message.Message):
    __slots__ = ["book_id", "request_id", "validate_only"]
    BOOK_ID_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    VALIDATE_ONLY_FIELD_NUMBER: _ClassVar[int]
    book_id: str
    request_id: str
    validate_only: bool
    def __init__(self, book_id: _Optional[str] = ..., validate_only: bool = ..., request_id: _Optional[str] = ...) -> None: ...

class ShareBookResponse(_message.Message):
    __slots__ = ["share", "token"]
    SHARE_FIELD_NUMBER: _ClassVar[int]
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    share: BookShare
    token: str
    def __init__(self, share: _Optional[_Union[BookShare, _Mapping]] = ..., token: _Optional[str] = ...) -> None: ...

class SharePreview(_message.Message):
    __slots__ = ["picture", "text", "title"]
    PICTURE_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    picture: str
    text: str
    title: str
    def __init__(self, title: _Optional[str] = ..., text: _Optional[str] = ..., picture: _Optional[str] = ...) -> None: ...

class SharedBook(_message.Message):
    __slots__ = ["authors", "book_id", "isbn", "language", "photo", "photo_media_type", "preview", "title", "year"]
    AUTHORS_FIELD_NUMBER: _ClassVar[int]
    BOOK_ID_FIELD_NUMBER: _ClassVar[int]
    ISBN_FIELD_NUMBER: _ClassVar[int]
    LANGUAGE_FIELD_NUMBER: _ClassVar[int]
    PHOTO_FIELD_NUMBER: _ClassVar[int]
    PHOTO_MEDIA_TYPE_FIELD_NUMBER: _ClassVar[int]
    PREVIEW_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    YEAR_FIELD_NUMBER: _ClassVar[int]
    authors: _containers.RepeatedScalarFieldContainer[str]
    book_id: str
    isbn: str
    language: str
    photo: bytes
    photo_media_type: str
    preview: SharePreview
    title: str
    year: int
    def __init__(self, book_id: _Optional[str] = ..., title: _Optional[str] = ..., authors: _Optional[_Iterable[str]] = ..., isbn: _Optional[str] = ..., year: _Optional[int] = ..., language: _Optional[str] = ..., photo: _Optional[bytes] = ..., photo_media_type: _Optional[str] = ..., preview: _Optional[_Union[SharePreview, _Mapping]] = ...) -> None: ...

class StorageFigures(_message.Message):
    __slots__ = ["books", "comments", "ratings", "workout_logs", "workouts"]
    BOOKS_FIELD_NUMBER: _ClassVar[int]
    COMMENTS_FIELD_NUMBER: _ClassVar[int]
    RATINGS_FIELD_NUMBER: _ClassVar[int]
    WORKOUTS_FIELD_NUMBER: _ClassVar[int]
    WORKOUT_LOGS_FIELD_NUMBER: _ClassVar[int]
    books: int
    comments: int
    ratings: int
    workout_logs: int
    workouts: int
    def __init__(self, books: _Optional[int] = ..., comments: _Optional[int] = ..., ratings: _Optional[int] = ..., workouts: _Optional[int] = ..., workout_logs: _Optional[int] = ...) -> None: ...

class UpdateBookRequest(_message.Message):
    __slots__ = ["book", "request_id", "title_confirmed", "update_mask", "validate_only"]
    BOOK_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    TITLE_CONFIRMED_FIELD_NUMBER: _ClassVar[int]
    UPDATE_MASK_FIELD_NUMBER: _ClassVar[int]
    VALIDATE_ONLY_FIELD_NUMBER: _ClassVar[int]
    book: Book
    request_id: str
    title_confirmed: bool
    update_mask: _field_mask_pb2.FieldMask
    validate_only: bool
    def __init__(self, book: _Optional[_Union[Book, _Mapping]] = ..., update_mask: _Optional[_Union[_field_mask_pb2.FieldMask, _Mapping]] = ..., validate_only: bool = ..., request_id: _Optional[str] = ..., title_confirmed: bool = ...) -> None: ...

class UpdateCommentRequest(_message.Message):
    __slots__ = ["comment", "request_id", "validate_only"]
    COMMENT_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    VALIDATE_ONLY_FIELD_NUMBER: _ClassVar[int]
    comment: Comment
    request_id: str
    validate_only: bool
    def __init__(self, comment: _Optional[_Union[Comment, _Mapping]] = ..., validate_only: bool = ..., request_id: _Optional[str] = ...) -> None: ...

class BookStatus(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class SearchScope(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class SearchMatch(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []
