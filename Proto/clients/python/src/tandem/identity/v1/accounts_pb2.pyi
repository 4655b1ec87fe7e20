from google.protobuf import timestamp_pb2 as _timestamp_pb2
from tandem.rpc.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor
LOGOUT_SCOPE_ALL_SESSIONS: LogoutScope
LOGOUT_SCOPE_OTHER_SESSIONS: LogoutScope
LOGOUT_SCOPE_UNSPECIFIED: LogoutScope
MISSING_PART_GYM_PROFILE: MissingPart
MISSING_PART_PICTURE: MissingPart
MISSING_PART_UNSPECIFIED: MissingPart

class ChangePasswordRequest(_message.Message):
    __slots__ = ["new_password", "old_password", "request_id"]
    NEW_PASSWORD_FIELD_NUMBER: _ClassVar[int]
    OLD_PASSWORD_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    new_password: str
    old_password: str
    request_id: str
    def __init__(self, old_password: _Optional[str] = ..., new_password: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class ChangePasswordResponse(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class ChangeUsernameRequest(_message.Message):
    __slots__ = ["request_id", "username", "validate_only"]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    USERNAME_FIELD_NUMBER: _ClassVar[int]
    VALIDATE_ONLY_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    username: str
    validate_only: bool
    def __init__(self, username: _Optional[str] = ..., validate_only: bool = ..., request_id: _Optional[str] = ...) -> None: ...

class ChangeUsernameResponse(_message.Message):
    __slots__ = ["previous_username", "reservation_expire_time", "username"]
    PREVIOUS_USERNAME_FIELD_NUMBER: _ClassVar[int]
    RESERVATION_EXPIRE_TIME_FIELD_NUMBER: _ClassVar[int]
    USERNAME_FIELD_NUMBER: _ClassVar[int]
    previous_username: str
    reservation_expire_time: _timestamp_pb2.Timestamp
    username: str
    def __init__(self, username: _Optional[str] = ..., previous_username: _Optional[str] = ..., reservation_expire_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class ConfirmEmailChangeRequest(_message.Message):
    __slots__ = ["request_id", "token"]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    token: str
    def __init__(self, token: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class ConfirmEmailChangeResponse(_message.Message):
    __slots__ = ["email", "undo_expire_time", "user_id"]
    EMAIL_FIELD_NUMBER: _ClassVar[int]
    UNDO_EXPIRE_TIME_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    email: str
    undo_expire_time: _timestamp_pb2.Timestamp
    user_id: str
    def __init__(self, user_id: _Optional[str] = ..., email: _Optional[str] = ..., undo_expire_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class ConfirmPasswordRequest(_message.Message):
    __slots__ = ["password", "request_id"]
    PASSWORD_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    password: str
    request_id: str
    def __init__(self, password: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class ConfirmPasswordResponse(_message.Message):
    __slots__ = ["expire_time"]
    EXPIRE_TIME_FIELD_NUMBER: _ClassVar[int]
    expire_time: _timestamp_pb2.Timestamp
    def __init__(self, expire_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class DeleteAccountRequest(_message.Message):
    __slots__ = ["password", "request_id"]
    PASSWORD_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    password: str
    request_id: str
    def __init__(self, password: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class DeleteAccountResponse(_message.Message):
    __slots__ = ["delete_time"]
    DELETE_TIME_FIELD_NUMBER: _ClassVar[int]
    delete_time: _timestamp_pb2.Timestamp
    def __init__(self, delete_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class GetOwnAccountRequest(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class LinkedProvider(_message.Message):
    __slots__ = ["issuer", "provider_id"]
    ISSUER_FIELD_NUMBER: _ClassVar[int]
    PROVIDER_ID_FIELD_NUMBER: _ClassVar[int]
    issuer: str
    provider_id: str
    def __init__(self, provider_id: _Optional[str] = ..., issuer: _Optional[str] = ...) -> None: ...

class ListKeysRequest(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class ListKeysResponse(_message.Message):
    __slots__ = ["keys"]
    KEYS_FIELD_NUMBER: _ClassVar[int]
    keys: _containers.RepeatedCompositeFieldContainer[VerificationKey]
    def __init__(self, keys: _Optional[_Iterable[_Union[VerificationKey, _Mapping]]] = ...) -> None: ...

class ListSessionsRequest(_message.Message):
    __slots__ = ["page_size", "page_token"]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListSessionsResponse(_message.Message):
    __slots__ = ["next_page_token", "sessions"]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    SESSIONS_FIELD_NUMBER: _ClassVar[int]
    next_page_token: str
    sessions: _containers.RepeatedCompositeFieldContainer[Session]
    def __init__(self, sessions: _Optional[_Iterable[_Union[Session, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class LoginRequest(_message.Message):
    __slots__ = ["device_label", "device_token", "email_or_username", "password", "request_id"]
    DEVICE_LABEL_FIELD_NUMBER: _ClassVar[int]
    DEVICE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    EMAIL_OR_USERNAME_FIELD_NUMBER: _ClassVar[int]
    PASSWORD_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    device_label: str
    device_token: str
    email_or_username: str
    password: str
    request_id: str
    def __init__(self, email_or_username: _Optional[str] = ..., password: _Optional[str] = ..., device_label: _Optional[str] = ..., request_id: _Optional[str] = ..., device_token: _Optional[str] = ...) -> None: ...

class LoginResponse(_message.Message):
    __slots__ = ["access_token", "access_token_expire_time", "device_token", "refresh_token", "refresh_token_expire_time", "session_id", "user_id"]
    ACCESS_TOKEN_EXPIRE_TIME_FIELD_NUMBER: _ClassVar[int]
    ACCESS_TOKEN_FIELD_NUMBER: _ClassVar[int]
    DEVICE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    REFRESH_TOKEN_EXPIRE_TIME_FIELD_NUMBER: _ClassVar[int]
    REFRESH_TOKEN_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    access_token: str
    access_token_expire_time: _timestamp_pb2.Timestamp
    device_token: str
    refresh_token: str
    refresh_token_expire_time: _timestamp_pb2.Timestamp
    session_id: str
    user_id: str
    def __init__(self, session_id: _Optional[str] = ..., user_id: _Optional[str] = ..., access_token: _Optional[str] = ..., access_token_expire_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., refresh_token: _Optional[str] = ..., refresh_token_expire_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., device_token: _Optional[str] = ...) -> None: ...

class LogoutEverywhereRequest(_message.Message):
    __slots__ = ["request_id", "scope"]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    scope: LogoutScope
    def __init__(self, scope: _Optional[_Union[LogoutScope, str]] = ..., request_id: _Optional[str] = ...) -> None: ...

class LogoutEverywhereResponse(_message.Message):
    __slots__ = ["ended_session_count"]
    ENDED_SESSION_COUNT_FIELD_NUMBER: _ClassVar[int]
    ended_session_count: int
    def __init__(self, ended_session_count: _Optional[int] = ...) -> None: ...

class LogoutRequest(_message.Message):
    __slots__ = ["request_id"]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    def __init__(self, request_id: _Optional[str] = ...) -> None: ...

class LogoutResponse(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class OwnAccount(_message.Message):
    __slots__ = ["create_time", "email", "email_verify_time", "has_password", "missing", "passkey_count", "pending_email", "pending_email_expire_time", "providers", "user_id", "username"]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    EMAIL_FIELD_NUMBER: _ClassVar[int]
    EMAIL_VERIFY_TIME_FIELD_NUMBER: _ClassVar[int]
    HAS_PASSWORD_FIELD_NUMBER: _ClassVar[int]
    MISSING_FIELD_NUMBER: _ClassVar[int]
    PASSKEY_COUNT_FIELD_NUMBER: _ClassVar[int]
    PENDING_EMAIL_EXPIRE_TIME_FIELD_NUMBER: _ClassVar[int]
    PENDING_EMAIL_FIELD_NUMBER: _ClassVar[int]
    PROVIDERS_FIELD_NUMBER: _ClassVar[int]
    USERNAME_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    create_time: _timestamp_pb2.Timestamp
    email: str
    email_verify_time: _timestamp_pb2.Timestamp
    has_password: bool
    missing: _containers.RepeatedScalarFieldContainer[MissingPart]
    passkey_count: int
    pending_email: str
    pending_email_expire_time: _timestamp_pb2.Timestamp
    providers: _containers.RepeatedCompositeFieldContainer[LinkedProvider]
    user_id: str
    username: str
    def __init__(self, user_id: _Optional[str] = ..., email: _Optional[str] = ..., email_verify_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., username: _Optional[str] = ..., create_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., has_password: bool = ..., passkey_count: _Optional[int] = ..., providers: _Optional[_Iterable[_Union[LinkedProvider, _Mapping]]] = ..., missing: _Optional[_Iterable[_Union[MissingPart, str]]] = ..., pending_email: _Optional[str] = ..., pending_email_expire_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class RefreshRequest(_message.Message):
    __slots__ = ["refresh_token", "request_id"]
    REFRESH_TOKEN_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    refresh_token: str
    request_id: str
    def __init__(self, refresh_token: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class RefreshResponse(_message.Message):
    __slots__ = ["access_token", "access_token_expire_time", "refresh_token", "refresh_token_expire_time", "session_id", "user_id"]
    ACCESS_TOKEN_EXPIRE_TIME_FIELD_NUMBER: _ClassVar[int]
    ACCESS_TOKEN_FIELD_NUMBER: _ClassVar[int]
    REFRESH_TOKEN_EXPIRE_TIME_FIELD_NUMBER: _ClassVar[int]
    REFRESH_TOKEN_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    access_token: str
    access_token_expire_time: _timestamp_pb2.Timestamp
    refresh_token: str
    refresh_token_expire_time: _timestamp_pb2.Timestamp
    session_id: str
    user_id: str
    def __init__(self, session_id: _Optional[str] = ..., user_id: _Optional[str] = ..., access_token: _Optional[str] = ..., access_token_expire_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., refresh_token: _Optional[str] = ..., refresh_token_expire_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class RegisterRequest(_message.Message):
    __slots__ = ["email", "password", "request_id", "username", "validate_only"]
    EMAIL_FIELD_NUMBER: _ClassVar[int]
    PASSWORD_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    USERNAME_FIELD_NUMBER: _ClassVar[int]
    VALIDATE_ONLY_FIELD_NUMBER: _ClassVar[int]
    email: str
    password: str
    request_id: str
    username: str
    validate_only: bool
    def __init__(self, email: _Optional[str] = ..., username: _Optional[str] = ..., password: _Optional[str] = ..., validate_only: bool = ..., request_id: _Optional[str] = ...) -> None: ...

class RegisterResponse(_message.Message):
    __slots__ = ["account_expire_time", "registration_secret", "user_id", "verification_expire_time"]
    ACCOUNT_EXPIRE_TIME_FIELD_NUMBER: _ClassVar[int]
    REGISTRATION_SECRET_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    VERIFICATION_EXPIRE_TIME_FIELD_NUMBER: _ClassVar[int]
    account_expire_time: _timestamp_pb2.Timestamp
    registration_secret: str
    user_id: str
    verification_expire_time: _timestamp_pb2.Timestamp
    def __init__(self, user_id: _Optional[str] = ..., verification_expire_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., account_expire_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., registration_secret: _Optional[str] = ...) -> None: ...

class RequestEmailChangeRequest(_message.Message):
    __slots__ = ["email", "request_id"]
    EMAIL_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    email: str
    request_id: str
    def __init__(self, email: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class RequestEmailChangeResponse(_message.Message):
    __slots__ = ["confirmation_expire_time"]
    CONFIRMATION_EXPIRE_TIME_FIELD_NUMBER: _ClassVar[int]
    confirmation_expire_time: _timestamp_pb2.Timestamp
    def __init__(self, confirmation_expire_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class RequestPasswordResetRequest(_message.Message):
    __slots__ = ["email", "request_id"]
    EMAIL_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    email: str
    request_id: str
    def __init__(self, email: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class RequestPasswordResetResponse(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class ResendVerificationRequest(_message.Message):
    __slots__ = ["email", "request_id"]
    EMAIL_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    email: str
    request_id: str
    def __init__(self, email: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class ResendVerificationResponse(_message.Message):
    __slots__ = ["resend_available_time"]
    RESEND_AVAILABLE_TIME_FIELD_NUMBER: _ClassVar[int]
    resend_available_time: _timestamp_pb2.Timestamp
    def __init__(self, resend_available_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class ResetPasswordRequest(_message.Message):
    __slots__ = ["new_password", "request_id", "token", "username"]
    NEW_PASSWORD_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    USERNAME_FIELD_NUMBER: _ClassVar[int]
    new_password: str
    request_id: str
    token: str
    username: str
    def __init__(self, token: _Optional[str] = ..., new_password: _Optional[str] = ..., request_id: _Optional[str] = ..., username: _Optional[str] = ...) -> None: ...

class ResetPasswordResponse(_message.Message):
    __slots__ = ["user_id"]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    def __init__(self, user_id: _Optional[str] = ...) -> None: ...

class RevokeSessionRequest(_message.Message):
    __slots__ = ["request_id", "session_id"]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    session_id: str
    def __init__(self, session_id: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class RevokeSessionResponse(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class Session(_message.Message):
    __slots__ = ["address", "create_time", "current", "device_label", "expire_time", "last_use_time", "session_id"]
    ADDRESS_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    CURRENT_FIELD_NUMBER: _ClassVar[int]
    DEVICE_LABEL_FIELD_NUMBER: _ClassVar[int]
    EXPIRE_TIME_FIELD_NUMBER: _ClassVar[int]
    LAST_USE_TIME_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    address: str
    create_time: _timestamp_pb2.Timestamp
    current: bool
    device_label: str
    expire_time: _timestamp_pb2.Timestamp
    last_use_time: _timestamp_pb2.Timestamp
    session_id: str
    def __init__(self, session_id: _Optional[str] = ..., device_label: _Optional[str] = ..., create_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., last_use_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., address: _Optional[str] = ..., expire_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., current: bool = ...) -> None: ...

class UndoEmailChangeRequest(_message.Message):
    __slots__ = ["request_id", "token"]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    token: str
    def __init__(self, token: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class UndoEmailChangeResponse(_message.Message):
    __slots__ = ["email", "ended_session_count", "removed_passkeys", "removed_providers", "undone_email", "user_id", "username"]
    EMAIL_FIELD_NUMBER: _ClassVar[int]
    ENDED_SESSION_COUNT_FIELD_NUMBER: _ClassVar[int]
    REMOVED_PASSKEYS_FIELD_NUMBER: _ClassVar[int]
    REMOVED_PROVIDERS_FIELD_NUMBER: _ClassVar[int]
    UNDONE_EMAIL_FIELD_NUMBER: _ClassVar[int]
    USERNAME_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    email: str
    ended_session_count: int
    removed_passkeys: _containers.RepeatedScalarFieldContainer[str]
    removed_providers: _containers.RepeatedCompositeFieldContainer[LinkedProvider]
    undone_email: str
    user_id: str
    username: str
    def __init__(self, user_id: _Optional[str] = ..., email: _Optional[str] = ..., undone_email: _Optional[str] = ..., username: _Optional[str] = ..., ended_session_count: _Optional[int] = ..., removed_passkeys: _Optional[_Iterable[str]] = ..., removed_providers: _Optional[_Iterable[_Union[LinkedProvider, _Mapping]]] = ...) -> None: ...

class VerificationKey(_message.Message):
    __slots__ = ["algorithm", "create_time", "expire_time", "key_id", "public_key"]
    ALGORITHM_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    EXPIRE_TIME_FIELD_NUMBER: _ClassVar[int]
    KEY_ID_FIELD_NUMBER: _ClassVar[int]
    PUBLIC_KEY_FIELD_NUMBER: _ClassVar[int]
    algorithm: str
    create_time: _timestamp_pb2.Timestamp
    expire_time: _timestamp_pb2.Timestamp
    key_id: str
    public_key: bytes
    def __init__(self, key_id: _Optional[str] = ..., algorithm: _Optional[str] = ..., public_key: _Optional[bytes] = ..., create_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., expire_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class VerifyEmailRequest(_message.Message):
    __slots__ = ["password", "registration_secret", "request_id", "token", "username"]
    PASSWORD_FIELD_NUMBER: _ClassVar[int]
    REGISTRATION_SECRET_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    USERNAME_FIELD_NUMBER: _ClassVar[int]
    password: str
    registration_secret: str
    request_id: str
    token: str
    username: str
    def __init__(self, token: _Optional[str] = ..., request_id: _Optional[str] = ..., username: _Optional[str] = ..., registration_secret: _Optional[str] = ..., password: _Optional[str] = ...) -> None: ...

class VerifyEmailResponse(_message.Message):
    __slots__ = ["user_id"]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    def __init__(self, user_id: _Optional[str] = ...) -> None: ...

class MissingPart(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class LogoutScope(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []
