from google.protobuf import field_mask_pb2 as _field_mask_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.type import date_pb2 as _date_pb2
from tandem.identity.v1 import pictures_pb2 as _pictures_pb2
from tandem.notification.v1 import badges_pb2 as _badges_pb2
from tandem.rpc.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

CONTACT_VISIBILITY_EVERYONE: ContactVisibility
CONTACT_VISIBILITY_GROUPS_IN_COMMON: ContactVisibility
CONTACT_VISIBILITY_NOBODY: ContactVisibility
CONTACT_VISIBILITY_UNSPECIFIED: ContactVisibility
DESCRIPTOR: _descriptor.FileDescriptor
GENDER_FEMALE: Gender
GENDER_MALE: Gender
GENDER_OTHER: Gender
GENDER_UNSPECIFIED: Gender
LEVEL_ADVANCED: Level
LEVEL_BEGINNER: Level
LEVEL_EXPERT: Level
LEVEL_INTERMEDIATE: Level
LEVEL_NOVICE: Level
LEVEL_UNSPECIFIED: Level

class ContactInformation(_message.Message):
    __slots__ = ["email", "phone", "visibility"]
    EMAIL_FIELD_NUMBER: _ClassVar[int]
    PHONE_FIELD_NUMBER: _ClassVar[int]
    VISIBILITY_FIELD_NUMBER: _ClassVar[int]
    email: str
    phone: str
    visibility: ContactVisibility
    def __init__(self, email: _Optional[str] = ..., phone: _Optional[str] = ..., visibility: _Optional[_Union[ContactVisibility, str]] = ...) -> None: ...

class CreateProfileRequest(_message.Message):
    __slots__ = ["profile", "request_id", "validate_only"]
    PROFILE_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    VALIDATE_ONLY_FIELD_NUMBER: _ClassVar[int]
    profile: Profile
    request_id: str
    validate_only: bool
    def __init__(self, profile: _Optional[_Union[Profile, _Mapping]] = ..., validate_only: bool = ..., request_id: _Optional[str] = ...) -> None: ...

class GenderOption(_message.Message):
    __slots__ = ["gender", "label"]
    GENDER_FIELD_NUMBER: _ClassVar[int]
    LABEL_FIELD_NUMBER: _ClassVar[int]
    gender: Gender
    label: str
    def __init__(self, gender: _Optional[_Union[Gender, str]] = ..., label: _Optional[str] = ...) -> None: ...

class GetProfileRequest(_message.Message):
    __slots__ = ["username"]
    USERNAME_FIELD_NUMBER: _ClassVar[int]
    username: str
    def __init__(self, username: _Optional[str] = ...) -> None: ...

class LevelOption(_message.Message):
    __slots__ = ["experienced", "guide", "label", "level"]
    EXPERIENCED_FIELD_NUMBER: _ClassVar[int]
    GUIDE_FIELD_NUMBER: _ClassVar[int]
    LABEL_FIELD_NUMBER: _ClassVar[int]
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    experienced: bool
    guide: str
    label: str
    level: Level
    def __init__(self, level: _Optional[_Union[Level, str]] = ..., label: _Optional[str] = ..., guide: _Optional[str] = ..., experienced: bool = ...) -> None: ...

class ListProfileOptionsRequest(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class ListProfileOptionsResponse(_message.Message):
    __slots__ = ["genders", "interests", "levels", "strengths"]
    GENDERS_FIELD_NUMBER: _ClassVar[int]
    INTERESTS_FIELD_NUMBER: _ClassVar[int]
    LEVELS_FIELD_NUMBER: _ClassVar[int]
    STRENGTHS_FIELD_NUMBER: _ClassVar[int]
    genders: _containers.RepeatedCompositeFieldContainer[GenderOption]
    interests: _containers.RepeatedCompositeFieldContainer[ProfileOption]
    levels: _containers.RepeatedCompositeFieldContainer[LevelOption]
    strengths: _containers.RepeatedCompositeFieldContainer[ProfileOption]
    def __init__(self, genders: _Optional[_Iterable[_Union[GenderOption, _Mapping]]] = ..., levels: _Optional[_Iterable[_Union[LevelOption, _Mapping]]] = ..., interests: _Optional[_Iterable[_Union[ProfileOption, _Mapping]]] = ..., strengths: _Optional[_Iterable[_Union[ProfileOption, _Mapping]]] = ...) -> None: ...

class Profile(_message.Message):
    __slots__ = ["age", "badges", "contact", "create_time", "date_of_birth", "etag", "gender", "has_gym_profile", "interests", "level", "picture_etag", "strengths", "time_zone", "update_time", "user_id", "username"]
    AGE_FIELD_NUMBER: _ClassVar[int]
    BADGES_FIELD_NUMBER: _ClassVar[int]
    CONTACT_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    DATE_OF_BIRTH_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    GENDER_FIELD_NUMBER: _ClassVar[int]
    HAS_GYM_PROFILE_FIELD_NUMBER: _ClassVar[int]
    INTERESTS_FIELD_NUMBER: _ClassVar[int]
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    PICTURE_ETAG_FIELD_NUMBER: _ClassVar[int]
    STRENGTHS_FIELD_NUMBER: _ClassVar[int]
    TIME_ZONE_FIELD_NUMBER: _ClassVar[int]
    UPDATE_TIME_FIELD_NUMBER: _ClassVar[int]
    USERNAME_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    age: int
    badges: _containers.RepeatedCompositeFieldContainer[_badges_pb2.Badge]
    contact: ContactInformation
    create_time: _timestamp_pb2.Timestamp
    date_of_birth: _date_pb2.Date
    etag: str
    gender: Gender
    has_gym_profile: bool
    interests: _containers.RepeatedScalarFieldContainer[str]
    level: Level
    picture_etag: str
    strengths: _containers.RepeatedScalarFieldContainer[str]
    time_zone: str
    update_time: _timestamp_pb2.Timestamp
    user_id: str
    username: str
    def __init__(self, user_id: _Optional[str] = ..., username: _Optional[str] = ..., gender: _Optional[_Union[Gender, str]] = ..., date_of_birth: _Optional[_Union[_date_pb2.Date, _Mapping]] = ..., level: _Optional[_Union[Level, str]] = ..., interests: _Optional[_Iterable[str]] = ..., strengths: _Optional[_Iterable[str]] = ..., time_zone: _Optional[str] = ..., contact: _Optional[_Union[ContactInformation, _Mapping]] = ..., etag: _Optional[str] = ..., create_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., update_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., picture_etag: _Optional[str] = ..., badges: _Optional[_Iterable[_Union[_badges_pb2.Badge, _Mapping]]] = ..., age: _Optional[int] = ..., has_gym_profile: bool = ...) -> None: ...

class ProfileOption(_message.Message):
    __slots__ = ["id", "label"]
    ID_FIELD_NUMBER: _ClassVar[int]
    LABEL_FIELD_NUMBER: _ClassVar[int]
    id: str
    label: str
    def __init__(self, id: _Optional[str] = ..., label: _Optional[str] = ...) -> None: ...

class SearchProfilesRequest(_message.Message):
    __slots__ = ["page_size", "page_token", "prefix"]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    PREFIX_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    prefix: str
    def __init__(self, prefix: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class SearchProfilesResponse(_message.Message):
    __slots__ = ["next_page_token", "profiles"]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    PROFILES_FIELD_NUMBER: _ClassVar[int]
    next_page_token: str
    profiles: _containers.RepeatedCompositeFieldContainer[Profile]
    def __init__(self, profiles: _Optional[_Iterable[_Union[Profile, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class UpdateProfileRequest(_message.Message):
    __slots__ = ["profile", "request_id", "update_mask", "validate_only"]
    PROFILE_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    UPDATE_MASK_FIELD_NUMBER: _ClassVar[int]
    VALIDATE_ONLY_FIELD_NUMBER: _ClassVar[int]
    profile: Profile
    request_id: str
    update_mask: _field_mask_pb2.FieldMask
    validate_only: bool
    def __init__(self, profile: _Optional[_Union[Profile, _Mapping]] = ..., update_mask: _Optional[_Union[_field_mask_pb2.FieldMask, _Mapping]] = ..., validate_only: bool = ..., request_id: _Optional[str] = ...) -> None: ...

class Gender(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class Level(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class ContactVisibility(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []
