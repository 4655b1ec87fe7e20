from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.type import date_pb2 as _date_pb2
from tandem.rpc.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor
FILE_IMPORT_STATE_CANCELLED: FileImportState
FILE_IMPORT_STATE_DONE: FileImportState
FILE_IMPORT_STATE_FAILED: FileImportState
FILE_IMPORT_STATE_RUNNING: FileImportState
FILE_IMPORT_STATE_UNSPECIFIED: FileImportState
ON_FAULT_KEEP: OnFault
ON_FAULT_REFUSE: OnFault
ON_FAULT_UNSPECIFIED: OnFault
RECORD_KIND_FARTHEST: RecordKind
RECORD_KIND_FASTEST: RecordKind
RECORD_KIND_LONGEST: RecordKind
RECORD_KIND_UNSPECIFIED: RecordKind
SPORT_HIKE: Sport
SPORT_OTHER: Sport
SPORT_RIDE: Sport
SPORT_ROW: Sport
SPORT_RUN: Sport
SPORT_SKI: Sport
SPORT_STRENGTH: Sport
SPORT_SWIM: Sport
SPORT_UNSPECIFIED: Sport
SPORT_WALK: Sport
SPORT_YOGA: Sport
SUMMARY_PERIOD_DAY: SummaryPeriod
SUMMARY_PERIOD_MONTH: SummaryPeriod
SUMMARY_PERIOD_UNSPECIFIED: SummaryPeriod
SUMMARY_PERIOD_WEEK: SummaryPeriod

class Activity(_message.Message):
    __slots__ = ["activity_id", "ascent_m", "distance_m", "duration_s", "elevation_source", "energy_kcal", "heart_rate_avg_bpm", "heart_rate_max_bpm", "moving_s", "sources", "splits", "sport", "start_time", "time_zone", "title", "track"]
    ACTIVITY_ID_FIELD_NUMBER: _ClassVar[int]
    ASCENT_M_FIELD_NUMBER: _ClassVar[int]
    DISTANCE_M_FIELD_NUMBER: _ClassVar[int]
    DURATION_S_FIELD_NUMBER: _ClassVar[int]
    ELEVATION_SOURCE_FIELD_NUMBER: _ClassVar[int]
    ENERGY_KCAL_FIELD_NUMBER: _ClassVar[int]
    HEART_RATE_AVG_BPM_FIELD_NUMBER: _ClassVar[int]
    HEART_RATE_MAX_BPM_FIELD_NUMBER: _ClassVar[int]
    MOVING_S_FIELD_NUMBER: _ClassVar[int]
    SOURCES_FIELD_NUMBER: _ClassVar[int]
    SPLITS_FIELD_NUMBER: _ClassVar[int]
    SPORT_FIELD_NUMBER: _ClassVar[int]
    START_TIME_FIELD_NUMBER: _ClassVar[int]
    TIME_ZONE_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    TRACK_FIELD_NUMBER: _ClassVar[int]
    activity_id: str
    ascent_m: float
    distance_m: float
    duration_s: float
    elevation_source: str
    energy_kcal: float
    heart_rate_avg_bpm: float
    heart_rate_max_bpm: float
    moving_s: float
    sources: _containers.RepeatedCompositeFieldContainer[ActivitySource]
    splits: _containers.RepeatedCompositeFieldContainer[Split]
    sport: Sport
    start_time: _timestamp_pb2.Timestamp
    time_zone: str
    title: str
    track: _containers.RepeatedCompositeFieldContainer[TrackPoint]
    def __init__(self, activity_id: _Optional[str] = ..., sport: _Optional[_Union[Sport, str]] = ..., start_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., time_zone: _Optional[str] = ..., duration_s: _Optional[float] = ..., moving_s: _Optional[float] = ..., distance_m: _Optional[float] = ..., energy_kcal: _Optional[float] = ..., heart_rate_avg_bpm: _Optional[float] = ..., heart_rate_max_bpm: _Optional[float] = ..., ascent_m: _Optional[float] = ..., elevation_source: _Optional[str] = ..., title: _Optional[str] = ..., sources: _Optional[_Iterable[_Union[ActivitySource, _Mapping]]] = ..., track: _Optional[_Iterable[_Union[TrackPoint, _Mapping]]] = ..., splits: _Optional[_Iterable[_Union[Split, _Mapping]]] = ...) -> None: ...

class ActivityShare(_message.Message):
    __slots__ = ["activity_id", "create_time", "share_id"]
    ACTIVITY_ID_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    SHARE_ID_FIELD_NUMBER: _ClassVar[int]
    activity_id: str
    create_time: _timestamp_pb2.Timestamp
    share_id: str
    def __init__(self, share_id: _Optional[str] = ..., activity_id: _Optional[str] = ..., create_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class ActivitySource(_message.Message):
    __slots__ = ["device", "distance_m", "duration_s", "external_id", "has_track", "provider", "source_id", "start_time"]
    DEVICE_FIELD_NUMBER: _ClassVar[int]
    DISTANCE_M_FIELD_NUMBER: _ClassVar[int]
    DURATION_S_FIELD_NUMBER: _ClassVar[int]
    EXTERNAL_ID_FIELD_NUMBER: _ClassVar[int]
    HAS_TRACK_FIELD_NUMBER: _ClassVar[int]
    PROVIDER_FIELD_NUMBER: _ClassVar[int]
    SOURCE_ID_FIELD_NUMBER: _ClassVar[int]
    START_TIME_FIELD_NUMBER: _ClassVar[int]
    device: str
    distance_m: float
    duration_s: float
    external_id: str
    has_track: bool
    provider: str
    source_id: str
    start_time: _timestamp_pb2.Timestamp
    def __init__(self, source_id: _Optional[str] = ..., provider: _Optional[str] = ..., external_id: _Optional[str] = ..., start_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., duration_s: _Optional[float] = ..., distance_m: _Optional[float] = ..., has_track: bool = ..., device: _Optional[str] = ...) -> None: ...

class DeleteActivityRequest(_message.Message):
    __slots__ = ["activity_id", "request_id"]
    ACTIVITY_ID_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    activity_id: str
    request_id: str
    def __init__(self, activity_id: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class DeleteActivityResponse(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class DeleteImportedDataRequest(_message.Message):
    __slots__ = ["all", "provider", "request_id"]
    ALL_FIELD_NUMBER: _ClassVar[int]
    PROVIDER_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    all: bool
    provider: str
    request_id: str
    def __init__(self, provider: _Optional[str] = ..., all: bool = ..., request_id: _Optional[str] = ...) -> None: ...

class DeleteImportedDataResponse(_message.Message):
    __slots__ = ["changed_activities", "deleted_activities"]
    CHANGED_ACTIVITIES_FIELD_NUMBER: _ClassVar[int]
    DELETED_ACTIVITIES_FIELD_NUMBER: _ClassVar[int]
    changed_activities: int
    deleted_activities: int
    def __init__(self, deleted_activities: _Optional[int] = ..., changed_activities: _Optional[int] = ...) -> None: ...

class ExportActivitiesRequest(_message.Message):
    __slots__ = ["access_token"]
    ACCESS_TOKEN_FIELD_NUMBER: _ClassVar[int]
    access_token: str
    def __init__(self, access_token: _Optional[str] = ...) -> None: ...

class ExportActivitiesResponse(_message.Message):
    __slots__ = ["chunk"]
    CHUNK_FIELD_NUMBER: _ClassVar[int]
    chunk: bytes
    def __init__(self, chunk: _Optional[bytes] = ...) -> None: ...

class FileFault(_message.Message):
    __slots__ = ["byte_offset", "line", "member", "message"]
    BYTE_OFFSET_FIELD_NUMBER: _ClassVar[int]
    LINE_FIELD_NUMBER: _ClassVar[int]
    MEMBER_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    byte_offset: int
    line: int
    member: str
    message: str
    def __init__(self, message: _Optional[str] = ..., byte_offset: _Optional[int] = ..., line: _Optional[int] = ..., member: _Optional[str] = ...) -> None: ...

class FileImport(_message.Message):
    __slots__ = ["activity_ids", "fault", "format", "import_id", "known_activities", "merged_activities", "new_activities", "reason", "skipped", "skipped_count", "sleeps", "start_time", "state", "step_days", "weights"]
    ACTIVITY_IDS_FIELD_NUMBER: _ClassVar[int]
    FAULT_FIELD_NUMBER: _ClassVar[int]
    FORMAT_FIELD_NUMBER: _ClassVar[int]
    IMPORT_ID_FIELD_NUMBER: _ClassVar[int]
    KNOWN_ACTIVITIES_FIELD_NUMBER: _ClassVar[int]
    MERGED_ACTIVITIES_FIELD_NUMBER: _ClassVar[int]
    NEW_ACTIVITIES_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    SKIPPED_COUNT_FIELD_NUMBER: _ClassVar[int]
    SKIPPED_FIELD_NUMBER: _ClassVar[int]
    SLEEPS_FIELD_NUMBER: _ClassVar[int]
    START_TIME_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    STEP_DAYS_FIELD_NUMBER: _ClassVar[int]
    WEIGHTS_FIELD_NUMBER: _ClassVar[int]
    activity_ids: _containers.RepeatedScalarFieldContainer[str]
    fault: FileFault
    format: str
    import_id: str
    known_activities: int
    merged_activities: int
    new_activities: int
    reason: str
    skipped: _containers.RepeatedCompositeFieldContainer[SkippedRecord]
    skipped_count: int
    sleeps: int
    start_time: _timestamp_pb2.Timestamp
    state: FileImportState
    step_days: int
    weights: int
    def __init__(self, import_id: _Optional[str] = ..., format: _Optional[str] = ..., new_activities: _Optional[int] = ..., merged_activities: _Optional[int] = ..., known_activities: _Optional[int] = ..., step_days: _Optional[int] = ..., sleeps: _Optional[int] = ..., weights: _Optional[int] = ..., fault: _Optional[_Union[FileFault, _Mapping]] = ..., activity_ids: _Optional[_Iterable[str]] = ..., start_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., state: _Optional[_Union[FileImportState, str]] = ..., skipped_count: _Optional[int] = ..., skipped: _Optional[_Iterable[_Union[SkippedRecord, _Mapping]]] = ..., reason: _Optional[str] = ...) -> None: ...

class GetActivityRequest(_message.Message):
    __slots__ = ["activity_id"]
    ACTIVITY_ID_FIELD_NUMBER: _ClassVar[int]
    activity_id: str
    def __init__(self, activity_id: _Optional[str] = ...) -> None: ...

class GetSharedActivityRequest(_message.Message):
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

class ImportFileRequest(_message.Message):
    __slots__ = ["access_token", "chunk", "on_fault", "time_zone"]
    ACCESS_TOKEN_FIELD_NUMBER: _ClassVar[int]
    CHUNK_FIELD_NUMBER: _ClassVar[int]
    ON_FAULT_FIELD_NUMBER: _ClassVar[int]
    TIME_ZONE_FIELD_NUMBER: _ClassVar[int]
    access_token: str
    chunk: bytes
    on_fault: OnFault
    time_zone: str
    def __init__(self, chunk: _Optional[bytes] = ..., on_fault: _Optional[_Union[OnFault, str]] = ..., time_zone: _Optional[str] = ..., access_token: _Optional[str] = ...) -> None: ...

class ImportFileResponse(_message.Message):
    __slots__ = ["byte_limit", "result"]
    BYTE_LIMIT_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    byte_limit: int
    result: FileImport
    def __init__(self, byte_limit: _Optional[int] = ..., result: _Optional[_Union[FileImport, _Mapping]] = ...) -> None: ...

class ListActivitiesRequest(_message.Message):
    __slots__ = ["page_size", "page_token", "sport", "start_time_before", "start_time_from"]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    SPORT_FIELD_NUMBER: _ClassVar[int]
    START_TIME_BEFORE_FIELD_NUMBER: _ClassVar[int]
    START_TIME_FROM_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    sport: Sport
    start_time_before: _timestamp_pb2.Timestamp
    start_time_from: _timestamp_pb2.Timestamp
    def __init__(self, sport: _Optional[_Union[Sport, str]] = ..., start_time_from: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., start_time_before: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListActivitiesResponse(_message.Message):
    __slots__ = ["activities", "next_page_token"]
    ACTIVITIES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    activities: _containers.RepeatedCompositeFieldContainer[Activity]
    next_page_token: str
    def __init__(self, activities: _Optional[_Iterable[_Union[Activity, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ListActivitySharesRequest(_message.Message):
    __slots__ = ["activity_id"]
    ACTIVITY_ID_FIELD_NUMBER: _ClassVar[int]
    activity_id: str
    def __init__(self, activity_id: _Optional[str] = ...) -> None: ...

class ListActivitySharesResponse(_message.Message):
    __slots__ = ["shares"]
    SHARES_FIELD_NUMBER: _ClassVar[int]
    shares: _containers.RepeatedCompositeFieldContainer[ActivityShare]
    def __init__(self, shares: _Optional[_Iterable[_Union[ActivityShare, _Mapping]]] = ...) -> None: ...

class ListFileImportsRequest(_message.Message):
    __slots__ = ["page_size", "page_token"]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListFileImportsResponse(_message.Message):
    __slots__ = ["imports", "next_page_token"]
    IMPORTS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    imports: _containers.RepeatedCompositeFieldContainer[FileImport]
    next_page_token: str
    def __init__(self, imports: _Optional[_Iterable[_Union[FileImport, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ListPersonalRecordsRequest(_message.Message):
    __slots__ = ["sport"]
    SPORT_FIELD_NUMBER: _ClassVar[int]
    sport: Sport
    def __init__(self, sport: _Optional[_Union[Sport, str]] = ...) -> None: ...

class ListPersonalRecordsResponse(_message.Message):
    __slots__ = ["records"]
    RECORDS_FIELD_NUMBER: _ClassVar[int]
    records: _containers.RepeatedCompositeFieldContainer[PersonalRecord]
    def __init__(self, records: _Optional[_Iterable[_Union[PersonalRecord, _Mapping]]] = ...) -> None: ...

class PersonalRecord(_message.Message):
    __slots__ = ["activity_id", "distance_m", "duration_s", "kind", "sport", "start_time"]
    ACTIVITY_ID_FIELD_NUMBER: _ClassVar[int]
    DISTANCE_M_FIELD_NUMBER: _ClassVar[int]
    DURATION_S_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    SPORT_FIELD_NUMBER: _ClassVar[int]
    START_TIME_FIELD_NUMBER: _ClassVar[int]
    activity_id: str
    distance_m: float
    duration_s: float
    kind: RecordKind
    sport: Sport
    start_time: _timestamp_pb2.Timestamp
    def __init__(self, sport: _Optional[_Union[Sport, str]] = ..., kind: _Optional[_Union[RecordKind, str]] = ..., distance_m: _Optional[float] = ..., duration_s: _Optional[float] = ..., activity_id: _Optional[str] = ..., start_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class RevokeActivityShareRequest(_message.Message):
    __slots__ = ["request_id", "share_id", "validate_only"]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    SHARE_ID_FIELD_NUMBER: _ClassVar[int]
    VALIDATE_ONLY_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    share_id: str
    validate_only: bool
    def __init__(self, share_id: _Optional[str] = ..., validate_only: bool = ..., request_id: _Optional[str] = ...) -> None: ...

class RevokeActivityShareResponse(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class ShareActivityRequest(_message.Message):
    __slots__ = ["activity_id", "request_id", "validate_only"]
    ACTIVITY_ID_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    VALIDATE_ONLY_FIELD_NUMBER: _ClassVar[int]
    activity_id: str
    request_id: str
    validate_only: bool
    def __init__(self, activity_id: _Optional[str] = ..., validate_only: bool = ..., request_id: _Optional[str] = ...) -> None: ...

class ShareActivityResponse(_message.Message):
    __slots__ = ["share", "token"]
    SHARE_FIELD_NUMBER: _ClassVar[int]
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    share: ActivityShare
    token: str
    def __init__(self, share: _Optional[_Union[ActivityShare, _Mapping]] = ..., token: _Optional[str] = ...) -> None: ...

class SharePreview(_message.Message):
    __slots__ = ["picture", "text", "title"]
    PICTURE_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    picture: str
    text: str
    title: str
    def __init__(self, title: _Optional[str] = ..., text: _Optional[str] = ..., picture: _Optional[str] = ...) -> None: ...

class SharedActivity(_message.Message):
    __slots__ = ["distance_m", "duration_s", "moving_s", "preview", "sport", "start_date"]
    DISTANCE_M_FIELD_NUMBER: _ClassVar[int]
    DURATION_S_FIELD_NUMBER: _ClassVar[int]
    MOVING_S_FIELD_NUMBER: _ClassVar[int]
    PREVIEW_FIELD_NUMBER: _ClassVar[int]
    SPORT_FIELD_NUMBER: _ClassVar[int]
    START_DATE_FIELD_NUMBER: _ClassVar[int]
    distance_m: float
    duration_s: float
    moving_s: float
    preview: SharePreview
    sport: Sport
    start_date: _date_pb2.Date
    def __init__(self, sport: _Optional[_Union[Sport, str]] = ..., start_date: _Optional[_Union[_date_pb2.Date, _Mapping]] = ..., duration_s: _Optional[float] = ..., moving_s: _Optional[float] = ..., distance_m: _Optional[float] = ..., preview: _Optional[_Union[SharePreview, _Mapping]] = ...) -> None: ...

class SkippedRecord(_message.Message):
    __slots__ = ["index", "list", "member", "message"]
    INDEX_FIELD_NUMBER: _ClassVar[int]
    LIST_FIELD_NUMBER: _ClassVar[int]
    MEMBER_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    index: int
    list: str
    member: str
    message: str
    def __init__(self, member: _Optional[str] = ..., list: _Optional[str] = ..., index: _Optional[int] = ..., message: _Optional[str] = ...) -> None: ...

class Split(_message.Message):
    __slots__ = ["ascent_m", "distance_m", "duration_s", "heart_rate_avg_bpm"]
    ASCENT_M_FIELD_NUMBER: _ClassVar[int]
    DISTANCE_M_FIELD_NUMBER: _ClassVar[int]
    DURATION_S_FIELD_NUMBER: _ClassVar[int]
    HEART_RATE_AVG_BPM_FIELD_NUMBER: _ClassVar[int]
    ascent_m: float
    distance_m: float
    duration_s: float
    heart_rate_avg_bpm: float
    def __init__(self, distance_m: _Optional[float] = ..., duration_s: _Optional[float] = ..., ascent_m: _Optional[float] = ..., heart_rate_avg_bpm: _Optional[float] = ...) -> None: ...

class SplitActivityRequest(_message.Message):
    __slots__ = ["activity_id", "request_id", "source_id"]
    ACTIVITY_ID_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    SOURCE_ID_FIELD_NUMBER: _ClassVar[int]
    activity_id: str
    request_id: str
    source_id: str
    def __init__(self, activity_id: _Optional[str] = ..., source_id: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class SplitActivityResponse(_message.Message):
    __slots__ = ["activity", "split_off"]
    ACTIVITY_FIELD_NUMBER: _ClassVar[int]
    SPLIT_OFF_FIELD_NUMBER: _ClassVar[int]
    activity: Activity
    split_off: Activity
    def __init__(self, activity: _Optional[_Union[Activity, _Mapping]] = ..., split_off: _Optional[_Union[Activity, _Mapping]] = ...) -> None: ...

class SportSummary(_message.Message):
    __slots__ = ["activities", "distance_m", "duration_s", "sport"]
    ACTIVITIES_FIELD_NUMBER: _ClassVar[int]
    DISTANCE_M_FIELD_NUMBER: _ClassVar[int]
    DURATION_S_FIELD_NUMBER: _ClassVar[int]
    SPORT_FIELD_NUMBER: _ClassVar[int]
    activities: int
    distance_m: float
    duration_s: float
    sport: Sport
    def __init__(self, sport: _Optional[_Union[Sport, str]] = ..., activities: _Optional[int] = ..., duration_s: _Optional[float] = ..., distance_m: _Optional[float] = ...) -> None: ...

class StorageFigures(_message.Message):
    __slots__ = ["activity_sources", "bytes", "sleeps", "step_days", "weights"]
    ACTIVITY_SOURCES_FIELD_NUMBER: _ClassVar[int]
    BYTES_FIELD_NUMBER: _ClassVar[int]
    SLEEPS_FIELD_NUMBER: _ClassVar[int]
    STEP_DAYS_FIELD_NUMBER: _ClassVar[int]
    WEIGHTS_FIELD_NUMBER: _ClassVar[int]
    activity_sources: int
    bytes: int
    sleeps: int
    step_days: int
    weights: int
    def __init__(self, activity_sources: _Optional[int] = ..., bytes: _Optional[int] = ..., step_days: _Optional[int] = ..., sleeps: _Optional[int] = ..., weights: _Optional[int] = ...) -> None: ...

class SummarizeActivitiesRequest(_message.Message):
    __slots__ = ["from_date", "period", "time_zone", "to_date"]
    FROM_DATE_FIELD_NUMBER: _ClassVar[int]
    PERIOD_FIELD_NUMBER: _ClassVar[int]
    TIME_ZONE_FIELD_NUMBER: _ClassVar[int]
    TO_DATE_FIELD_NUMBER: _ClassVar[int]
    from_date: _date_pb2.Date
    period: SummaryPeriod
    time_zone: str
    to_date: _date_pb2.Date
    def __init__(self, period: _Optional[_Union[SummaryPeriod, str]] = ..., from_date: _Optional[_Union[_date_pb2.Date, _Mapping]] = ..., to_date: _Optional[_Union[_date_pb2.Date, _Mapping]] = ..., time_zone: _Optional[str] = ...) -> None: ...

class SummarizeActivitiesResponse(_message.Message):
    __slots__ = ["summaries"]
    SUMMARIES_FIELD_NUMBER: _ClassVar[int]
    summaries: _containers.RepeatedCompositeFieldContainer[Summary]
    def __init__(self, summaries: _Optional[_Iterable[_Union[Summary, _Mapping]]] = ...) -> None: ...

class Summary(_message.Message):
    __slots__ = ["activities", "ascent_m", "distance_m", "duration_s", "energy_kcal", "sleep_s", "sports", "start_date", "steps", "weight_kg"]
    ACTIVITIES_FIELD_NUMBER: _ClassVar[int]
    ASCENT_M_FIELD_NUMBER: _ClassVar[int]
    DISTANCE_M_FIELD_NUMBER: _ClassVar[int]
    DURATION_S_FIELD_NUMBER: _ClassVar[int]
    ENERGY_KCAL_FIELD_NUMBER: _ClassVar[int]
    SLEEP_S_FIELD_NUMBER: _ClassVar[int]
    SPORTS_FIELD_NUMBER: _ClassVar[int]
    START_DATE_FIELD_NUMBER: _ClassVar[int]
    STEPS_FIELD_NUMBER: _ClassVar[int]
    WEIGHT_KG_FIELD_NUMBER: _ClassVar[int]
    activities: int
    ascent_m: float
    distance_m: float
    duration_s: float
    energy_kcal: float
    sleep_s: float
    sports: _containers.RepeatedCompositeFieldContainer[SportSummary]
    start_date: _date_pb2.Date
    steps: int
    weight_kg: float
    def __init__(self, start_date: _Optional[_Union[_date_pb2.Date, _Mapping]] = ..., activities: _Optional[int] = ..., duration_s: _Optional[float] = ..., distance_m: _Optional[float] = ..., energy_kcal: _Optional[float] = ..., ascent_m: _Optional[float] = ..., sports: _Optional[_Iterable[_Union[SportSummary, _Mapping]]] = ..., steps: _Optional[int] = ..., sleep_s: _Optional[float] = ..., weight_kg: _Optional[float] = ...) -> None: ...

class TrackPoint(_message.Message):
    __slots__ = ["elapsed_s", "elevation_m", "heart_rate_bpm", "latitude", "longitude"]
    ELAPSED_S_FIELD_NUMBER: _ClassVar[int]
    ELEVATION_M_FIELD_NUMBER: _ClassVar[int]
    HEART_RATE_BPM_FIELD_NUMBER: _ClassVar[int]
    LATITUDE_FIELD_NUMBER: _ClassVar[int]
    LONGITUDE_FIELD_NUMBER: _ClassVar[int]
    elapsed_s: float
    elevation_m: float
    heart_rate_bpm: float
    latitude: float
    longitude: float
    def __init__(self, latitude: _Optional[float] = ..., longitude: _Optional[float] = ..., elevation_m: _Optional[float] = ..., elapsed_s: _Optional[float] = ..., heart_rate_bpm: _Optional[float] = ...) -> None: ...

class OnFault(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class FileImportState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class Sport(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class SummaryPeriod(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class RecordKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []
