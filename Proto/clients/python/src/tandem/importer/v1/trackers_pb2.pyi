from google.protobuf import timestamp_pb2 as _timestamp_pb2
from tandem.rpc.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DATA_KIND_ACTIVITIES: DataKind
DATA_KIND_SLEEP: DataKind
DATA_KIND_STEPS: DataKind
DATA_KIND_UNSPECIFIED: DataKind
DATA_KIND_WEIGHT: DataKind
DESCRIPTOR: _descriptor.FileDescriptor
IMPORT_FAILURE_ANSWER: ImportFailure
IMPORT_FAILURE_CONSENT: ImportFailure
IMPORT_FAILURE_GONE: ImportFailure
IMPORT_FAILURE_PROVIDER: ImportFailure
IMPORT_FAILURE_STORAGE: ImportFailure
IMPORT_FAILURE_TOKEN: ImportFailure
IMPORT_FAILURE_UNSPECIFIED: ImportFailure
IMPORT_STATE_CANCELLED: ImportState
IMPORT_STATE_FAILED: ImportState
IMPORT_STATE_GATHERING: ImportState
IMPORT_STATE_IMPORTING: ImportState
IMPORT_STATE_SUCCEEDED: ImportState
IMPORT_STATE_UNSPECIFIED: ImportState
LEFT_CONSENT_STATE_REVOKING: LeftConsentState
LEFT_CONSENT_STATE_UNCONFIRMED: LeftConsentState
LEFT_CONSENT_STATE_UNSPECIFIED: LeftConsentState
TRACKER_STATE_AVAILABLE: TrackerState
TRACKER_STATE_CONNECTED: TrackerState
TRACKER_STATE_NEEDS_CONSENT: TrackerState
TRACKER_STATE_UNAVAILABLE: TrackerState
TRACKER_STATE_UNSPECIFIED: TrackerState

class CancelImportRequest(_message.Message):
    __slots__ = ["import_id", "request_id"]
    IMPORT_ID_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    import_id: str
    request_id: str
    def __init__(self, import_id: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class CompleteConnectionRequest(_message.Message):
    __slots__ = ["code", "error", "issuer", "request_id", "scope", "state"]
    CODE_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    ISSUER_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    code: str
    error: str
    issuer: str
    request_id: str
    scope: str
    state: str
    def __init__(self, state: _Optional[str] = ..., code: _Optional[str] = ..., issuer: _Optional[str] = ..., error: _Optional[str] = ..., scope: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class DisconnectRequest(_message.Message):
    __slots__ = ["provider", "request_id"]
    PROVIDER_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    provider: str
    request_id: str
    def __init__(self, provider: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class DisconnectResponse(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class GetImportRequest(_message.Message):
    __slots__ = ["import_id"]
    IMPORT_ID_FIELD_NUMBER: _ClassVar[int]
    import_id: str
    def __init__(self, import_id: _Optional[str] = ...) -> None: ...

class Import(_message.Message):
    __slots__ = ["activity_count", "create_time", "failure", "finish_time", "import_id", "message", "missing_kinds", "percent", "provider", "retry_time", "skipped_count", "sleep_count", "state", "step_day_count", "weight_count"]
    ACTIVITY_COUNT_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    FAILURE_FIELD_NUMBER: _ClassVar[int]
    FINISH_TIME_FIELD_NUMBER: _ClassVar[int]
    IMPORT_ID_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    MISSING_KINDS_FIELD_NUMBER: _ClassVar[int]
    PERCENT_FIELD_NUMBER: _ClassVar[int]
    PROVIDER_FIELD_NUMBER: _ClassVar[int]
    RETRY_TIME_FIELD_NUMBER: _ClassVar[int]
    SKIPPED_COUNT_FIELD_NUMBER: _ClassVar[int]
    SLEEP_COUNT_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    STEP_DAY_COUNT_FIELD_NUMBER: _ClassVar[int]
    WEIGHT_COUNT_FIELD_NUMBER: _ClassVar[int]
    activity_count: int
    create_time: _timestamp_pb2.Timestamp
    failure: ImportFailure
    finish_time: _timestamp_pb2.Timestamp
    import_id: str
    message: str
    missing_kinds: _containers.RepeatedScalarFieldContainer[DataKind]
    percent: int
    provider: str
    retry_time: _timestamp_pb2.Timestamp
    skipped_count: int
    sleep_count: int
    state: ImportState
    step_day_count: int
    weight_count: int
    def __init__(self, import_id: _Optional[str] = ..., provider: _Optional[str] = ..., state: _Optional[_Union[ImportState, str]] = ..., message: _Optional[str] = ..., percent: _Optional[int] = ..., activity_count: _Optional[int] = ..., step_day_count: _Optional[int] = ..., sleep_count: _Optional[int] = ..., weight_count: _Optional[int] = ..., skipped_count: _Optional[int] = ..., missing_kinds: _Optional[_Iterable[_Union[DataKind, str]]] = ..., failure: _Optional[_Union[ImportFailure, str]] = ..., create_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., retry_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., finish_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class LeftConsent(_message.Message):
    __slots__ = ["end_time", "message", "page_url", "state"]
    END_TIME_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    PAGE_URL_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    end_time: _timestamp_pb2.Timestamp
    message: str
    page_url: str
    state: LeftConsentState
    def __init__(self, state: _Optional[_Union[LeftConsentState, str]] = ..., end_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., message: _Optional[str] = ..., page_url: _Optional[str] = ...) -> None: ...

class ListImportsRequest(_message.Message):
    __slots__ = ["page_size", "page_token"]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListImportsResponse(_message.Message):
    __slots__ = ["imports", "next_page_token"]
    IMPORTS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    imports: _containers.RepeatedCompositeFieldContainer[Import]
    next_page_token: str
    def __init__(self, imports: _Optional[_Iterable[_Union[Import, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ListProvidersRequest(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class ListProvidersResponse(_message.Message):
    __slots__ = ["providers"]
    PROVIDERS_FIELD_NUMBER: _ClassVar[int]
    providers: _containers.RepeatedCompositeFieldContainer[Provider]
    def __init__(self, providers: _Optional[_Iterable[_Union[Provider, _Mapping]]] = ...) -> None: ...

class ListTrackersRequest(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class ListTrackersResponse(_message.Message):
    __slots__ = ["trackers"]
    TRACKERS_FIELD_NUMBER: _ClassVar[int]
    trackers: _containers.RepeatedCompositeFieldContainer[Tracker]
    def __init__(self, trackers: _Optional[_Iterable[_Union[Tracker, _Mapping]]] = ...) -> None: ...

class PauseProviderRequest(_message.Message):
    __slots__ = ["paused", "provider"]
    PAUSED_FIELD_NUMBER: _ClassVar[int]
    PROVIDER_FIELD_NUMBER: _ClassVar[int]
    paused: bool
    provider: str
    def __init__(self, provider: _Optional[str] = ..., paused: bool = ...) -> None: ...

class Provider(_message.Message):
    __slots__ = ["blocked_until", "connected_count", "failed_import_count", "name", "needs_consent_count", "oldest_sync_time", "paused", "provider", "requests_left", "running_import_count"]
    BLOCKED_UNTIL_FIELD_NUMBER: _ClassVar[int]
    CONNECTED_COUNT_FIELD_NUMBER: _ClassVar[int]
    FAILED_IMPORT_COUNT_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    NEEDS_CONSENT_COUNT_FIELD_NUMBER: _ClassVar[int]
    OLDEST_SYNC_TIME_FIELD_NUMBER: _ClassVar[int]
    PAUSED_FIELD_NUMBER: _ClassVar[int]
    PROVIDER_FIELD_NUMBER: _ClassVar[int]
    REQUESTS_LEFT_FIELD_NUMBER: _ClassVar[int]
    RUNNING_IMPORT_COUNT_FIELD_NUMBER: _ClassVar[int]
    blocked_until: _timestamp_pb2.Timestamp
    connected_count: int
    failed_import_count: int
    name: str
    needs_consent_count: int
    oldest_sync_time: _timestamp_pb2.Timestamp
    paused: bool
    provider: str
    requests_left: int
    running_import_count: int
    def __init__(self, provider: _Optional[str] = ..., name: _Optional[str] = ..., paused: bool = ..., blocked_until: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., requests_left: _Optional[int] = ..., connected_count: _Optional[int] = ..., needs_consent_count: _Optional[int] = ..., running_import_count: _Optional[int] = ..., failed_import_count: _Optional[int] = ..., oldest_sync_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class ReceiveWebhookRequest(_message.Message):
    __slots__ = ["body", "headers", "method", "provider", "query"]
    BODY_FIELD_NUMBER: _ClassVar[int]
    HEADERS_FIELD_NUMBER: _ClassVar[int]
    METHOD_FIELD_NUMBER: _ClassVar[int]
    PROVIDER_FIELD_NUMBER: _ClassVar[int]
    QUERY_FIELD_NUMBER: _ClassVar[int]
    body: bytes
    headers: _containers.RepeatedCompositeFieldContainer[WebhookField]
    method: str
    provider: str
    query: _containers.RepeatedCompositeFieldContainer[WebhookField]
    def __init__(self, provider: _Optional[str] = ..., method: _Optional[str] = ..., query: _Optional[_Iterable[_Union[WebhookField, _Mapping]]] = ..., headers: _Optional[_Iterable[_Union[WebhookField, _Mapping]]] = ..., body: _Optional[bytes] = ...) -> None: ...

class ReceiveWebhookResponse(_message.Message):
    __slots__ = ["body", "content_type", "status"]
    BODY_FIELD_NUMBER: _ClassVar[int]
    CONTENT_TYPE_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    body: bytes
    content_type: str
    status: int
    def __init__(self, status: _Optional[int] = ..., content_type: _Optional[str] = ..., body: _Optional[bytes] = ...) -> None: ...

class RestoreDeletedDataRequest(_message.Message):
    __slots__ = ["provider", "request_id"]
    PROVIDER_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    provider: str
    request_id: str
    def __init__(self, provider: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class StartConnectionRequest(_message.Message):
    __slots__ = ["history_days", "provider", "redirect_uri", "request_id"]
    HISTORY_DAYS_FIELD_NUMBER: _ClassVar[int]
    PROVIDER_FIELD_NUMBER: _ClassVar[int]
    REDIRECT_URI_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    history_days: int
    provider: str
    redirect_uri: str
    request_id: str
    def __init__(self, provider: _Optional[str] = ..., redirect_uri: _Optional[str] = ..., request_id: _Optional[str] = ..., history_days: _Optional[int] = ...) -> None: ...

class StartConnectionResponse(_message.Message):
    __slots__ = ["authorization_url", "expire_time"]
    AUTHORIZATION_URL_FIELD_NUMBER: _ClassVar[int]
    EXPIRE_TIME_FIELD_NUMBER: _ClassVar[int]
    authorization_url: str
    expire_time: _timestamp_pb2.Timestamp
    def __init__(self, authorization_url: _Optional[str] = ..., expire_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class StartImportRequest(_message.Message):
    __slots__ = ["provider", "request_id"]
    PROVIDER_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    provider: str
    request_id: str
    def __init__(self, provider: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class SyncProviderRequest(_message.Message):
    __slots__ = ["provider"]
    PROVIDER_FIELD_NUMBER: _ClassVar[int]
    provider: str
    def __init__(self, provider: _Optional[str] = ...) -> None: ...

class SyncProviderResponse(_message.Message):
    __slots__ = ["user_count"]
    USER_COUNT_FIELD_NUMBER: _ClassVar[int]
    user_count: int
    def __init__(self, user_count: _Optional[int] = ...) -> None: ...

class Tracker(_message.Message):
    __slots__ = ["connect_time", "history_days", "kinds", "last_import", "left_consent", "missing_kinds", "name", "provider", "state", "sync_time"]
    CONNECT_TIME_FIELD_NUMBER: _ClassVar[int]
    HISTORY_DAYS_FIELD_NUMBER: _ClassVar[int]
    KINDS_FIELD_NUMBER: _ClassVar[int]
    LAST_IMPORT_FIELD_NUMBER: _ClassVar[int]
    LEFT_CONSENT_FIELD_NUMBER: _ClassVar[int]
    MISSING_KINDS_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    PROVIDER_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    SYNC_TIME_FIELD_NUMBER: _ClassVar[int]
    connect_time: _timestamp_pb2.Timestamp
    history_days: int
    kinds: _containers.RepeatedScalarFieldContainer[DataKind]
    last_import: Import
    left_consent: LeftConsent
    missing_kinds: _containers.RepeatedScalarFieldContainer[DataKind]
    name: str
    provider: str
    state: TrackerState
    sync_time: _timestamp_pb2.Timestamp
    def __init__(self, provider: _Optional[str] = ..., name: _Optional[str] = ..., state: _Optional[_Union[TrackerState, str]] = ..., kinds: _Optional[_Iterable[_Union[DataKind, str]]] = ..., missing_kinds: _Optional[_Iterable[_Union[DataKind, str]]] = ..., connect_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., sync_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., last_import: _Optional[_Union[Import, _Mapping]] = ..., history_days: _Optional[int] = ..., left_consent: _Optional[_Union[LeftConsent, _Mapping]] = ...) -> None: ...

class WatchImportRequest(_message.Message):
    __slots__ = ["import_id"]
    IMPORT_ID_FIELD_NUMBER: _ClassVar[int]
    import_id: str
    def __init__(self, import_id: _Optional[str] = ...) -> None: ...

class WebhookField(_message.Message):
    __slots__ = ["name", "value"]
    NAME_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    name: str
    value: str
    def __init__(self, name: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...

class TrackerState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class DataKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class ImportState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class ImportFailure(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class LeftConsentState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []
