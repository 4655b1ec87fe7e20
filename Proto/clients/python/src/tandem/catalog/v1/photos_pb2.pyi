from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor
PHOTO_SIZE_FULL: PhotoSize
PHOTO_SIZE_THUMBNAIL_256: PhotoSize
PHOTO_SIZE_THUMBNAIL_64: PhotoSize
PHOTO_SIZE_UNSPECIFIED: PhotoSize

class BookPhoto(_message.Message):
    __slots__ = ["book_id", "photo_id", "renditions", "upload_time"]
    BOOK_ID_FIELD_NUMBER: _ClassVar[int]
    PHOTO_ID_FIELD_NUMBER: _ClassVar[int]
    RENDITIONS_FIELD_NUMBER: _ClassVar[int]
    UPLOAD_TIME_FIELD_NUMBER: _ClassVar[int]
    book_id: str
    photo_id: str
    renditions: _containers.RepeatedCompositeFieldContainer[PhotoRendition]
    upload_time: _timestamp_pb2.Timestamp
    def __init__(self, photo_id: _Optional[str] = ..., book_id: _Optional[str] = ..., renditions: _Optional[_Iterable[_Union[PhotoRendition, _Mapping]]] = ..., upload_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class DeleteBookPhotoRequest(_message.Message):
    __slots__ = ["book_id", "photo_id", "request_id"]
    BOOK_ID_FIELD_NUMBER: _ClassVar[int]
    PHOTO_ID_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    book_id: str
    photo_id: str
    request_id: str
    def __init__(self, book_id: _Optional[str] = ..., photo_id: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class DeleteBookPhotoResponse(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class DownloadBookPhotoRequest(_message.Message):
    __slots__ = ["access_token", "book_id", "photo_id", "size"]
    ACCESS_TOKEN_FIELD_NUMBER: _ClassVar[int]
    BOOK_ID_FIELD_NUMBER: _ClassVar[int]
    PHOTO_ID_FIELD_NUMBER: _ClassVar[int]
    SIZE_FIELD_NUMBER: _ClassVar[int]
    access_token: str
    book_id: str
    photo_id: str
    size: PhotoSize
    def __init__(self, book_id: _Optional[str] = ..., photo_id: _Optional[str] = ..., size: _Optional[_Union[PhotoSize, str]] = ..., access_token: _Optional[str] = ...) -> None: ...

class DownloadBookPhotoResponse(_message.Message):
    __slots__ = ["chunk", "photo"]
    CHUNK_FIELD_NUMBER: _ClassVar[int]
    PHOTO_FIELD_NUMBER: _ClassVar[int]
    chunk: bytes
    photo: BookPhoto
    def __init__(self, photo: _Optional[_Union[BookPhoto, _Mapping]] = ..., chunk: _Optional[bytes] = ...) -> None: ...

class ListBookPhotosRequest(_message.Message):
    __slots__ = ["book_id"]
    BOOK_ID_FIELD_NUMBER: _ClassVar[int]
    book_id: str
    def __init__(self, book_id: _Optional[str] = ...) -> None: ...

class ListBookPhotosResponse(_message.Message):
    __slots__ = ["photos"]
    PHOTOS_FIELD_NUMBER: _ClassVar[int]
    photos: _containers.RepeatedCompositeFieldContainer[BookPhoto]
    def __init__(self, photos: _Optional[_Iterable[_Union[BookPhoto, _Mapping]]] = ...) -> None: ...

class PhotoRendition(_message.Message):
    __slots__ = ["byte_count", "height", "media_type", "size", "width"]
    BYTE_COUNT_FIELD_NUMBER: _ClassVar[int]
    HEIGHT_FIELD_NUMBER: _ClassVar[int]
    MEDIA_TYPE_FIELD_NUMBER: _ClassVar[int]
    SIZE_FIELD_NUMBER: _ClassVar[int]
    WIDTH_FIELD_NUMBER: _ClassVar[int]
    byte_count: int
    height: int
    media_type: str
    size: PhotoSize
    width: int
    def __init__(self, size: _Optional[_Union[PhotoSize, str]] = ..., media_type: _Optional[str] = ..., width: _Optional[int] = ..., height: _Optional[int] = ..., byte_count: _Optional[int] = ...) -> None: ...

class UploadBookPhotoRequest(_message.Message):
    __slots__ = ["access_token", "book_id", "chunk"]
    ACCESS_TOKEN_FIELD_NUMBER: _ClassVar[int]
    BOOK_ID_FIELD_NUMBER: _ClassVar[int]
    CHUNK_FIELD_NUMBER: _ClassVar[int]
    access_token: str
    book_id: str
    chunk: bytes
    def __init__(self, chunk: _Optional[bytes] = ..., book_id: _Optional[str] = ..., access_token: _Optional[str] = ...) -> None: ...

class PhotoSize(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []
