from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor
PICTURE_SIZE_FULL: PictureSize
PICTURE_SIZE_THUMBNAIL_256: PictureSize
PICTURE_SIZE_THUMBNAIL_64: PictureSize
PICTURE_SIZE_UNSPECIFIED: PictureSize

class DeleteProfilePictureRequest(_message.Message):
    __slots__ = ["etag", "request_id"]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    etag: str
    request_id: str
    def __init__(self, etag: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class DeleteProfilePictureResponse(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class DownloadProfilePictureRequest(_message.Message):
    __slots__ = ["access_token", "known_etag", "size", "username"]
    ACCESS_TOKEN_FIELD_NUMBER: _ClassVar[int]
    KNOWN_ETAG_FIELD_NUMBER: _ClassVar[int]
    SIZE_FIELD_NUMBER: _ClassVar[int]
    USERNAME_FIELD_NUMBER: _ClassVar[int]
    access_token: str
    known_etag: str
    size: PictureSize
    username: str
    def __init__(self, username: _Optional[str] = ..., size: _Optional[_Union[PictureSize, str]] = ..., known_etag: _Optional[str] = ..., access_token: _Optional[str] = ...) -> None: ...

class DownloadProfilePictureResponse(_message.Message):
    __slots__ = ["chunk", "picture"]
    CHUNK_FIELD_NUMBER: _ClassVar[int]
    PICTURE_FIELD_NUMBER: _ClassVar[int]
    chunk: bytes
    picture: ProfilePicture
    def __init__(self, picture: _Optional[_Union[ProfilePicture, _Mapping]] = ..., chunk: _Optional[bytes] = ...) -> None: ...

class PictureRendition(_message.Message):
    __slots__ = ["byte_count", "height", "media_type", "size", "width"]
    BYTE_COUNT_FIELD_NUMBER: _ClassVar[int]
    HEIGHT_FIELD_NUMBER: _ClassVar[int]
    MEDIA_TYPE_FIELD_NUMBER: _ClassVar[int]
    SIZE_FIELD_NUMBER: _ClassVar[int]
    WIDTH_FIELD_NUMBER: _ClassVar[int]
    byte_count: int
    height: int
    media_type: str
    size: PictureSize
    width: int
    def __init__(self, size: _Optional[_Union[PictureSize, str]] = ..., media_type: _Optional[str] = ..., width: _Optional[int] = ..., height: _Optional[int] = ..., byte_count: _Optional[int] = ...) -> None: ...

class ProfilePicture(_message.Message):
    __slots__ = ["etag", "renditions", "upload_time", "user_id"]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    RENDITIONS_FIELD_NUMBER: _ClassVar[int]
    UPLOAD_TIME_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    etag: str
    renditions: _containers.RepeatedCompositeFieldContainer[PictureRendition]
    upload_time: _timestamp_pb2.Timestamp
    user_id: str
    def __init__(self, user_id: _Optional[str] = ..., etag: _Optional[str] = ..., renditions: _Optional[_Iterable[_Union[PictureRendition, _Mapping]]] = ..., upload_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class UploadProfilePictureRequest(_message.Message):
    __slots__ = ["access_token", "chunk", "etag"]
    ACCESS_TOKEN_FIELD_NUMBER: _ClassVar[int]
    CHUNK_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    access_token: str
    chunk: bytes
    etag: str
    def __init__(self, chunk: _Optional[bytes] = ..., etag: _Optional[str] = ..., access_token: _Optional[str] = ...) -> None: ...

class PictureSize(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []
