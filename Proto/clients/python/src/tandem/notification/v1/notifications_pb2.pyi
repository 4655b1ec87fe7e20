from google.protobuf import field_mask_pb2 as _field_mask_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.type import dayofweek_pb2 as _dayofweek_pb2
from google.type import timeofday_pb2 as _timeofday_pb2
from tandem.rpc.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor
NOTIFICATION_KIND_ARRIVED_LATE: NotificationKind
NOTIFICATION_KIND_ARRIVED_ON_TIME: NotificationKind
NOTIFICATION_KIND_BADGE_AWARDED: NotificationKind
NOTIFICATION_KIND_BOOK_REQUESTED: NotificationKind
NOTIFICATION_KIND_CHAT_MESSAGE: NotificationKind
NOTIFICATION_KIND_CHECK_IN_MISSED: NotificationKind
NOTIFICATION_KIND_GROUP_INVITED: NotificationKind
NOTIFICATION_KIND_GROUP_JOINED: NotificationKind
NOTIFICATION_KIND_GROUP_MEMBER_ADDED: NotificationKind
NOTIFICATION_KIND_GYM_REMINDER: NotificationKind
NOTIFICATION_KIND_IMPORT_ENDED: NotificationKind
NOTIFICATION_KIND_JOURNEY_ENDED: NotificationKind
NOTIFICATION_KIND_JOURNEY_STARTED: NotificationKind
NOTIFICATION_KIND_LOAN_CANCELLED: NotificationKind
NOTIFICATION_KIND_LOAN_DECLARED_LOST: NotificationKind
NOTIFICATION_KIND_LOAN_DECLARED_RETURNED: NotificationKind
NOTIFICATION_KIND_LOAN_DUE: NotificationKind
NOTIFICATION_KIND_LOAN_LAST_CALL: NotificationKind
NOTIFICATION_KIND_LOAN_OVERDUE: NotificationKind
NOTIFICATION_KIND_LOAN_RECALLED: NotificationKind
NOTIFICATION_KIND_NOT_ARRIVED: NotificationKind
NOTIFICATION_KIND_PARTNER_CHECKED_IN: NotificationKind
NOTIFICATION_KIND_PARTNER_MISSED: NotificationKind
NOTIFICATION_KIND_PICKUP_CHANGED: NotificationKind
NOTIFICATION_KIND_PICKUP_NAMED: NotificationKind
NOTIFICATION_KIND_PLACE_LEFT: NotificationKind
NOTIFICATION_KIND_PLACE_OFFERED: NotificationKind
NOTIFICATION_KIND_PLACE_REACHED: NotificationKind
NOTIFICATION_KIND_PLACE_WITHDRAWN: NotificationKind
NOTIFICATION_KIND_REQUEST_ACCEPTED: NotificationKind
NOTIFICATION_KIND_REQUEST_DECLINED: NotificationKind
NOTIFICATION_KIND_RETURN_CONFIRMED: NotificationKind
NOTIFICATION_KIND_SESSION_CANCELLED: NotificationKind
NOTIFICATION_KIND_SESSION_ENDED: NotificationKind
NOTIFICATION_KIND_SESSION_EXCUSED: NotificationKind
NOTIFICATION_KIND_SESSION_FOUND: NotificationKind
NOTIFICATION_KIND_SESSION_LAPSED: NotificationKind
NOTIFICATION_KIND_SESSION_MATCHED: NotificationKind
NOTIFICATION_KIND_SESSION_NOT_REPEATED: NotificationKind
NOTIFICATION_KIND_SESSION_REMINDER: NotificationKind
NOTIFICATION_KIND_SESSION_STARTED: NotificationKind
NOTIFICATION_KIND_SOS_STARTED: NotificationKind
NOTIFICATION_KIND_SOS_STOPPED: NotificationKind
NOTIFICATION_KIND_SOS_WENT_OFFLINE: NotificationKind
NOTIFICATION_KIND_STANDING_STILL: NotificationKind
NOTIFICATION_KIND_UNSPECIFIED: NotificationKind
NOTIFICATION_KIND_WELCOME: NotificationKind
NOTIFICATION_KIND_WENT_OFFLINE: NotificationKind
PLATFORM_APPLE: Platform
PLATFORM_FIREBASE: Platform
PLATFORM_UNSPECIFIED: Platform
PLATFORM_WEB: Platform

class CountUnreadRequest(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class CountUnreadResponse(_message.Message):
    __slots__ = ["unread_count"]
    UNREAD_COUNT_FIELD_NUMBER: _ClassVar[int]
    unread_count: int
    def __init__(self, unread_count: _Optional[int] = ...) -> None: ...

class Device(_message.Message):
    __slots__ = ["device_id", "device_label", "platform", "register_time", "session_id"]
    DEVICE_ID_FIELD_NUMBER: _ClassVar[int]
    DEVICE_LABEL_FIELD_NUMBER: _ClassVar[int]
    PLATFORM_FIELD_NUMBER: _ClassVar[int]
    REGISTER_TIME_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    device_id: str
    device_label: str
    platform: Platform
    register_time: _timestamp_pb2.Timestamp
    session_id: str
    def __init__(self, device_id: _Optional[str] = ..., platform: _Optional[_Union[Platform, str]] = ..., register_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., session_id: _Optional[str] = ..., device_label: _Optional[str] = ...) -> None: ...

class DropDeviceRequest(_message.Message):
    __slots__ = ["device_id", "request_id"]
    DEVICE_ID_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    device_id: str
    request_id: str
    def __init__(self, device_id: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class DropDeviceResponse(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class GetPreferencesRequest(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class GetReminderRequest(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class KindPreference(_message.Message):
    __slots__ = ["kind", "mail", "push"]
    KIND_FIELD_NUMBER: _ClassVar[int]
    MAIL_FIELD_NUMBER: _ClassVar[int]
    PUSH_FIELD_NUMBER: _ClassVar[int]
    kind: NotificationKind
    mail: bool
    push: bool
    def __init__(self, kind: _Optional[_Union[NotificationKind, str]] = ..., mail: bool = ..., push: bool = ...) -> None: ...

class ListDevicesRequest(_message.Message):
    __slots__ = ["page_size", "page_token"]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListDevicesResponse(_message.Message):
    __slots__ = ["devices", "next_page_token"]
    DEVICES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    devices: _containers.RepeatedCompositeFieldContainer[Device]
    next_page_token: str
    def __init__(self, devices: _Optional[_Iterable[_Union[Device, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ListNotificationsRequest(_message.Message):
    __slots__ = ["page_size", "page_token", "unread_only"]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    UNREAD_ONLY_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    unread_only: bool
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., unread_only: bool = ...) -> None: ...

class ListNotificationsResponse(_message.Message):
    __slots__ = ["next_page_token", "notifications"]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    NOTIFICATIONS_FIELD_NUMBER: _ClassVar[int]
    next_page_token: str
    notifications: _containers.RepeatedCompositeFieldContainer[Notification]
    def __init__(self, notifications: _Optional[_Iterable[_Union[Notification, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class MarkReadRequest(_message.Message):
    __slots__ = ["notification_ids", "request_id", "up_to_sequence"]
    NOTIFICATION_IDS_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    UP_TO_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    notification_ids: _containers.RepeatedScalarFieldContainer[str]
    request_id: str
    up_to_sequence: int
    def __init__(self, notification_ids: _Optional[_Iterable[str]] = ..., up_to_sequence: _Optional[int] = ..., request_id: _Optional[str] = ...) -> None: ...

class MarkReadResponse(_message.Message):
    __slots__ = ["marked_count", "unread_count"]
    MARKED_COUNT_FIELD_NUMBER: _ClassVar[int]
    UNREAD_COUNT_FIELD_NUMBER: _ClassVar[int]
    marked_count: int
    unread_count: int
    def __init__(self, marked_count: _Optional[int] = ..., unread_count: _Optional[int] = ...) -> None: ...

class Notification(_message.Message):
    __slots__ = ["body", "create_time", "kind", "notification_id", "read_time", "sequence", "subject", "title"]
    BODY_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    NOTIFICATION_ID_FIELD_NUMBER: _ClassVar[int]
    READ_TIME_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    body: str
    create_time: _timestamp_pb2.Timestamp
    kind: NotificationKind
    notification_id: str
    read_time: _timestamp_pb2.Timestamp
    sequence: int
    subject: str
    title: str
    def __init__(self, notification_id: _Optional[str] = ..., sequence: _Optional[int] = ..., kind: _Optional[_Union[NotificationKind, str]] = ..., title: _Optional[str] = ..., body: _Optional[str] = ..., subject: _Optional[str] = ..., create_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., read_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class Preferences(_message.Message):
    __slots__ = ["kinds"]
    KINDS_FIELD_NUMBER: _ClassVar[int]
    kinds: _containers.RepeatedCompositeFieldContainer[KindPreference]
    def __init__(self, kinds: _Optional[_Iterable[_Union[KindPreference, _Mapping]]] = ...) -> None: ...

class RegisterDeviceRequest(_message.Message):
    __slots__ = ["platform", "request_id", "token"]
    PLATFORM_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    platform: Platform
    request_id: str
    token: str
    def __init__(self, token: _Optional[str] = ..., platform: _Optional[_Union[Platform, str]] = ..., request_id: _Optional[str] = ...) -> None: ...

class Reminder(_message.Message):
    __slots__ = ["enabled", "local_time", "next_time", "time_zone", "weekdays"]
    ENABLED_FIELD_NUMBER: _ClassVar[int]
    LOCAL_TIME_FIELD_NUMBER: _ClassVar[int]
    NEXT_TIME_FIELD_NUMBER: _ClassVar[int]
    TIME_ZONE_FIELD_NUMBER: _ClassVar[int]
    WEEKDAYS_FIELD_NUMBER: _ClassVar[int]
    enabled: bool
    local_time: _timeofday_pb2.TimeOfDay
    next_time: _timestamp_pb2.Timestamp
    time_zone: str
    weekdays: _containers.RepeatedScalarFieldContainer[_dayofweek_pb2.DayOfWeek]
    def __init__(self, enabled: bool = ..., local_time: _Optional[_Union[_timeofday_pb2.TimeOfDay, _Mapping]] = ..., weekdays: _Optional[_Iterable[_Union[_dayofweek_pb2.DayOfWeek, str]]] = ..., time_zone: _Optional[str] = ..., next_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class SetReminderRequest(_message.Message):
    __slots__ = ["reminder", "request_id", "validate_only"]
    REMINDER_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    VALIDATE_ONLY_FIELD_NUMBER: _ClassVar[int]
    reminder: Reminder
    request_id: str
    validate_only: bool
    def __init__(self, reminder: _Optional[_Union[Reminder, _Mapping]] = ..., validate_only: bool = ..., request_id: _Optional[str] = ...) -> None: ...

class StreamNotificationsRequest(_message.Message):
    __slots__ = ["access_token", "after"]
    ACCESS_TOKEN_FIELD_NUMBER: _ClassVar[int]
    AFTER_FIELD_NUMBER: _ClassVar[int]
    access_token: str
    after: int
    def __init__(self, after: _Optional[int] = ..., access_token: _Optional[str] = ...) -> None: ...

class StreamNotificationsResponse(_message.Message):
    __slots__ = ["notification", "position"]
    NOTIFICATION_FIELD_NUMBER: _ClassVar[int]
    POSITION_FIELD_NUMBER: _ClassVar[int]
    notification: Notification
    position: int
    def __init__(self, position: _Optional[int] = ..., notification: _Optional[_Union[Notification, _Mapping]] = ...) -> None: ...

class UnsubscribeRequest(_message.Message):
    __slots__ = ["token"]
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    token: str
    def __init__(self, token: _Optional[str] = ...) -> None: ...

class UnsubscribeResponse(_message.Message):
    __slots__ = ["kind"]
    KIND_FIELD_NUMBER: _ClassVar[int]
    kind: NotificationKind
    def __init__(self, kind: _Optional[_Union[NotificationKind, str]] = ...) -> None: ...

class UpdatePreferencesRequest(_message.Message):
    __slots__ = ["preferences", "request_id", "update_mask", "validate_only"]
    PREFERENCES_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    UPDATE_MASK_FIELD_NUMBER: _ClassVar[int]
    VALIDATE_ONLY_FIELD_NUMBER: _ClassVar[int]
    preferences: Preferences
    request_id: str
    update_mask: _field_mask_pb2.FieldMask
    validate_only: bool
    def __init__(self, preferences: _Optional[_Union[Preferences, _Mapping]] = ..., update_mask: _Optional[_Union[_field_mask_pb2.FieldMask, _Mapping]] = ..., validate_only: bool = ..., request_id: _Optional[str] = ...) -> None: ...

class NotificationKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class Platform(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []
