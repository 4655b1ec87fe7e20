from google.protobuf import timestamp_pb2 as _timestamp_pb2
from tandem.identity.v1 import accounts_pb2 as _accounts_pb2
from tandem.rpc.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class DeletePasskeyRequest(_message.Message):
    __slots__ = ["id", "request_id"]
    ID_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    request_id: str
    def __init__(self, id: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class DeletePasskeyResponse(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class ListPasskeysRequest(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class ListPasskeysResponse(_message.Message):
    __slots__ = ["passkeys"]
    PASSKEYS_FIELD_NUMBER: _ClassVar[int]
    passkeys: _containers.RepeatedCompositeFieldContainer[Passkey]
    def __init__(self, passkeys: _Optional[_Iterable[_Union[Passkey, _Mapping]]] = ...) -> None: ...

class LoginWithPasskeyRequest(_message.Message):
    __slots__ = ["authenticator_data", "client_data_json", "credential_id", "device_label", "device_token", "request_id", "signature", "user_handle"]
    AUTHENTICATOR_DATA_FIELD_NUMBER: _ClassVar[int]
    CLIENT_DATA_JSON_FIELD_NUMBER: _ClassVar[int]
    CREDENTIAL_ID_FIELD_NUMBER: _ClassVar[int]
    DEVICE_LABEL_FIELD_NUMBER: _ClassVar[int]
    DEVICE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    SIGNATURE_FIELD_NUMBER: _ClassVar[int]
    USER_HANDLE_FIELD_NUMBER: _ClassVar[int]
    authenticator_data: bytes
    client_data_json: bytes
    credential_id: bytes
    device_label: str
    device_token: str
    request_id: str
    signature: bytes
    user_handle: bytes
    def __init__(self, credential_id: _Optional[bytes] = ..., client_data_json: _Optional[bytes] = ..., authenticator_data: _Optional[bytes] = ..., signature: _Optional[bytes] = ..., user_handle: _Optional[bytes] = ..., device_label: _Optional[str] = ..., request_id: _Optional[str] = ..., device_token: _Optional[str] = ...) -> None: ...

class Passkey(_message.Message):
    __slots__ = ["create_time", "credential_id", "id", "last_use_time", "name"]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    CREDENTIAL_ID_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    LAST_USE_TIME_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    create_time: _timestamp_pb2.Timestamp
    credential_id: bytes
    id: str
    last_use_time: _timestamp_pb2.Timestamp
    name: str
    def __init__(self, id: _Optional[str] = ..., name: _Optional[str] = ..., credential_id: _Optional[bytes] = ..., create_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., last_use_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class RegisterPasskeyRequest(_message.Message):
    __slots__ = ["attestation_object", "client_data_json", "name", "request_id"]
    ATTESTATION_OBJECT_FIELD_NUMBER: _ClassVar[int]
    CLIENT_DATA_JSON_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    attestation_object: bytes
    client_data_json: bytes
    name: str
    request_id: str
    def __init__(self, name: _Optional[str] = ..., client_data_json: _Optional[bytes] = ..., attestation_object: _Optional[bytes] = ..., request_id: _Optional[str] = ...) -> None: ...

class StartPasskeyLoginRequest(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class StartPasskeyLoginResponse(_message.Message):
    __slots__ = ["challenge", "expire_time", "relying_party_id"]
    CHALLENGE_FIELD_NUMBER: _ClassVar[int]
    EXPIRE_TIME_FIELD_NUMBER: _ClassVar[int]
    RELYING_PARTY_ID_FIELD_NUMBER: _ClassVar[int]
    challenge: bytes
    expire_time: _timestamp_pb2.Timestamp
    relying_party_id: str
    def __init__(self, challenge: _Optional[bytes] = ..., relying_party_id: _Optional[str] = ..., expire_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class StartPasskeyRegistrationRequest(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class StartPasskeyRegistrationResponse(_message.Message):
    __slots__ = ["algorithms", "challenge", "exclude_credential_ids", "expire_time", "relying_party_id", "relying_party_name", "user_handle", "username"]
    ALGORITHMS_FIELD_NUMBER: _ClassVar[int]
    CHALLENGE_FIELD_NUMBER: _ClassVar[int]
    EXCLUDE_CREDENTIAL_IDS_FIELD_NUMBER: _ClassVar[int]
    EXPIRE_TIME_FIELD_NUMBER: _ClassVar[int]
    RELYING_PARTY_ID_FIELD_NUMBER: _ClassVar[int]
    RELYING_PARTY_NAME_FIELD_NUMBER: _ClassVar[int]
    USERNAME_FIELD_NUMBER: _ClassVar[int]
    USER_HANDLE_FIELD_NUMBER: _ClassVar[int]
    algorithms: _containers.RepeatedScalarFieldContainer[int]
    challenge: bytes
    exclude_credential_ids: _containers.RepeatedScalarFieldContainer[bytes]
    expire_time: _timestamp_pb2.Timestamp
    relying_party_id: str
    relying_party_name: str
    user_handle: bytes
    username: str
    def __init__(self, challenge: _Optional[bytes] = ..., relying_party_id: _Optional[str] = ..., relying_party_name: _Optional[str] = ..., user_handle: _Optional[bytes] = ..., username: _Optional[str] = ..., algorithms: _Optional[_Iterable[int]] = ..., exclude_credential_ids: _Optional[_Iterable[bytes]] = ..., expire_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...
