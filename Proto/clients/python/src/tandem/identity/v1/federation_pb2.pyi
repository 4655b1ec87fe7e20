from google.protobuf import timestamp_pb2 as _timestamp_pb2
from tandem.identity.v1 import accounts_pb2 as _accounts_pb2
from tandem.rpc.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class CompleteFederatedLoginRequest(_message.Message):
    __slots__ = ["code", "device_label", "device_token", "error", "handle", "issuer", "request_id", "state"]
    CODE_FIELD_NUMBER: _ClassVar[int]
    DEVICE_LABEL_FIELD_NUMBER: _ClassVar[int]
    DEVICE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    HANDLE_FIELD_NUMBER: _ClassVar[int]
    ISSUER_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    code: str
    device_label: str
    device_token: str
    error: str
    handle: str
    issuer: str
    request_id: str
    state: str
    def __init__(self, state: _Optional[str] = ..., code: _Optional[str] = ..., issuer: _Optional[str] = ..., error: _Optional[str] = ..., handle: _Optional[str] = ..., device_label: _Optional[str] = ..., request_id: _Optional[str] = ..., device_token: _Optional[str] = ...) -> None: ...

class CompleteIdentityLinkRequest(_message.Message):
    __slots__ = ["code", "error", "issuer", "request_id", "state"]
    CODE_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    ISSUER_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    code: str
    error: str
    issuer: str
    request_id: str
    state: str
    def __init__(self, state: _Optional[str] = ..., code: _Optional[str] = ..., issuer: _Optional[str] = ..., error: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class IdentityProvider(_message.Message):
    __slots__ = ["display_name", "provider_id"]
    DISPLAY_NAME_FIELD_NUMBER: _ClassVar[int]
    PROVIDER_ID_FIELD_NUMBER: _ClassVar[int]
    display_name: str
    provider_id: str
    def __init__(self, provider_id: _Optional[str] = ..., display_name: _Optional[str] = ...) -> None: ...

class LinkIdentityRequest(_message.Message):
    __slots__ = ["handle", "request_id", "ticket"]
    HANDLE_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    TICKET_FIELD_NUMBER: _ClassVar[int]
    handle: str
    request_id: str
    ticket: str
    def __init__(self, ticket: _Optional[str] = ..., handle: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class LinkedIdentity(_message.Message):
    __slots__ = ["create_time", "email", "id", "issuer", "last_use_time", "provider_id"]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    EMAIL_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    ISSUER_FIELD_NUMBER: _ClassVar[int]
    LAST_USE_TIME_FIELD_NUMBER: _ClassVar[int]
    PROVIDER_ID_FIELD_NUMBER: _ClassVar[int]
    create_time: _timestamp_pb2.Timestamp
    email: str
    id: str
    issuer: str
    last_use_time: _timestamp_pb2.Timestamp
    provider_id: str
    def __init__(self, id: _Optional[str] = ..., provider_id: _Optional[str] = ..., issuer: _Optional[str] = ..., email: _Optional[str] = ..., create_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., last_use_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class ListLinkedIdentitiesRequest(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class ListLinkedIdentitiesResponse(_message.Message):
    __slots__ = ["identities"]
    IDENTITIES_FIELD_NUMBER: _ClassVar[int]
    identities: _containers.RepeatedCompositeFieldContainer[LinkedIdentity]
    def __init__(self, identities: _Optional[_Iterable[_Union[LinkedIdentity, _Mapping]]] = ...) -> None: ...

class ListProvidersRequest(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class ListProvidersResponse(_message.Message):
    __slots__ = ["providers"]
    PROVIDERS_FIELD_NUMBER: _ClassVar[int]
    providers: _containers.RepeatedCompositeFieldContainer[IdentityProvider]
    def __init__(self, providers: _Optional[_Iterable[_Union[IdentityProvider, _Mapping]]] = ...) -> None: ...

class RegisterWithIdentityRequest(_message.Message):
    __slots__ = ["device_label", "email", "handle", "request_id", "ticket", "username", "validate_only"]
    DEVICE_LABEL_FIELD_NUMBER: _ClassVar[int]
    EMAIL_FIELD_NUMBER: _ClassVar[int]
    HANDLE_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    TICKET_FIELD_NUMBER: _ClassVar[int]
    USERNAME_FIELD_NUMBER: _ClassVar[int]
    VALIDATE_ONLY_FIELD_NUMBER: _ClassVar[int]
    device_label: str
    email: str
    handle: str
    request_id: str
    ticket: str
    username: str
    validate_only: bool
    def __init__(self, ticket: _Optional[str] = ..., handle: _Optional[str] = ..., username: _Optional[str] = ..., email: _Optional[str] = ..., device_label: _Optional[str] = ..., validate_only: bool = ..., request_id: _Optional[str] = ...) -> None: ...

class RegisterWithIdentityResponse(_message.Message):
    __slots__ = ["account_expire_time", "login", "registration_secret", "user_id", "verification_expire_time"]
    ACCOUNT_EXPIRE_TIME_FIELD_NUMBER: _ClassVar[int]
    LOGIN_FIELD_NUMBER: _ClassVar[int]
    REGISTRATION_SECRET_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    VERIFICATION_EXPIRE_TIME_FIELD_NUMBER: _ClassVar[int]
    account_expire_time: _timestamp_pb2.Timestamp
    login: _accounts_pb2.LoginResponse
    registration_secret: str
    user_id: str
    verification_expire_time: _timestamp_pb2.Timestamp
    def __init__(self, user_id: _Optional[str] = ..., login: _Optional[_Union[_accounts_pb2.LoginResponse, _Mapping]] = ..., verification_expire_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., account_expire_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., registration_secret: _Optional[str] = ...) -> None: ...

class StartFederatedLoginRequest(_message.Message):
    __slots__ = ["prove_again", "provider_id", "redirect_uri", "request_id"]
    PROVE_AGAIN_FIELD_NUMBER: _ClassVar[int]
    PROVIDER_ID_FIELD_NUMBER: _ClassVar[int]
    REDIRECT_URI_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    prove_again: bool
    provider_id: str
    redirect_uri: str
    request_id: str
    def __init__(self, provider_id: _Optional[str] = ..., redirect_uri: _Optional[str] = ..., request_id: _Optional[str] = ..., prove_again: bool = ...) -> None: ...

class StartFederatedLoginResponse(_message.Message):
    __slots__ = ["authorization_url", "expire_time", "handle"]
    AUTHORIZATION_URL_FIELD_NUMBER: _ClassVar[int]
    EXPIRE_TIME_FIELD_NUMBER: _ClassVar[int]
    HANDLE_FIELD_NUMBER: _ClassVar[int]
    authorization_url: str
    expire_time: _timestamp_pb2.Timestamp
    handle: str
    def __init__(self, authorization_url: _Optional[str] = ..., handle: _Optional[str] = ..., expire_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class StartIdentityLinkRequest(_message.Message):
    __slots__ = ["provider_id", "redirect_uri", "request_id"]
    PROVIDER_ID_FIELD_NUMBER: _ClassVar[int]
    REDIRECT_URI_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    provider_id: str
    redirect_uri: str
    request_id: str
    def __init__(self, provider_id: _Optional[str] = ..., redirect_uri: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class StartIdentityLinkResponse(_message.Message):
    __slots__ = ["authorization_url", "expire_time"]
    AUTHORIZATION_URL_FIELD_NUMBER: _ClassVar[int]
    EXPIRE_TIME_FIELD_NUMBER: _ClassVar[int]
    authorization_url: str
    expire_time: _timestamp_pb2.Timestamp
    def __init__(self, authorization_url: _Optional[str] = ..., expire_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class UnlinkIdentityRequest(_message.Message):
    __slots__ = ["id", "request_id"]
    ID_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    request_id: str
    def __init__(self, id: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class UnlinkIdentityResponse(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...
