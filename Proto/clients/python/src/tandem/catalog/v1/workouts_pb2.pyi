from google.protobuf import field_mask_pb2 as _field_mask_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from tandem.catalog.v1 import books_pb2 as _books_pb2
from tandem.rpc.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor
ONE_REPETITION_FORMULA_BRZYCKI: OneRepetitionFormula
ONE_REPETITION_FORMULA_EPLEY: OneRepetitionFormula
ONE_REPETITION_FORMULA_UNSPECIFIED: OneRepetitionFormula

class AddWorkoutEntryRequest(_message.Message):
    __slots__ = ["entry", "etag", "position", "request_id", "validate_only", "workout_id"]
    ENTRY_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    POSITION_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    VALIDATE_ONLY_FIELD_NUMBER: _ClassVar[int]
    WORKOUT_ID_FIELD_NUMBER: _ClassVar[int]
    entry: WorkoutEntry
    etag: str
    position: int
    request_id: str
    validate_only: bool
    workout_id: str
    def __init__(self, workout_id: _Optional[str] = ..., entry: _Optional[_Union[WorkoutEntry, _Mapping]] = ..., position: _Optional[int] = ..., etag: _Optional[str] = ..., validate_only: bool = ..., request_id: _Optional[str] = ...) -> None: ...

class CreateWorkoutRequest(_message.Message):
    __slots__ = ["request_id", "suggested_exercises", "validate_only", "workout"]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    SUGGESTED_EXERCISES_FIELD_NUMBER: _ClassVar[int]
    VALIDATE_ONLY_FIELD_NUMBER: _ClassVar[int]
    WORKOUT_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    suggested_exercises: int
    validate_only: bool
    workout: Workout
    def __init__(self, workout: _Optional[_Union[Workout, _Mapping]] = ..., suggested_exercises: _Optional[int] = ..., validate_only: bool = ..., request_id: _Optional[str] = ...) -> None: ...

class DeleteWorkoutLogRequest(_message.Message):
    __slots__ = ["log_id", "request_id", "validate_only"]
    LOG_ID_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    VALIDATE_ONLY_FIELD_NUMBER: _ClassVar[int]
    log_id: str
    request_id: str
    validate_only: bool
    def __init__(self, log_id: _Optional[str] = ..., validate_only: bool = ..., request_id: _Optional[str] = ...) -> None: ...

class DeleteWorkoutLogResponse(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class DeleteWorkoutRequest(_message.Message):
    __slots__ = ["etag", "request_id", "validate_only", "workout_id"]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    VALIDATE_ONLY_FIELD_NUMBER: _ClassVar[int]
    WORKOUT_ID_FIELD_NUMBER: _ClassVar[int]
    etag: str
    request_id: str
    validate_only: bool
    workout_id: str
    def __init__(self, workout_id: _Optional[str] = ..., etag: _Optional[str] = ..., validate_only: bool = ..., request_id: _Optional[str] = ...) -> None: ...

class DeleteWorkoutResponse(_message.Message):
    __slots__ = ["delete_time"]
    DELETE_TIME_FIELD_NUMBER: _ClassVar[int]
    delete_time: _timestamp_pb2.Timestamp
    def __init__(self, delete_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class ExerciseOccasion(_message.Message):
    __slots__ = ["log_id", "result", "start_time"]
    LOG_ID_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    START_TIME_FIELD_NUMBER: _ClassVar[int]
    log_id: str
    result: ExerciseResult
    start_time: _timestamp_pb2.Timestamp
    def __init__(self, log_id: _Optional[str] = ..., start_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., result: _Optional[_Union[ExerciseResult, _Mapping]] = ...) -> None: ...

class ExerciseResult(_message.Message):
    __slots__ = ["best_set", "one_repetition_maximum_kg", "reps", "sets", "volume_kg"]
    BEST_SET_FIELD_NUMBER: _ClassVar[int]
    ONE_REPETITION_MAXIMUM_KG_FIELD_NUMBER: _ClassVar[int]
    REPS_FIELD_NUMBER: _ClassVar[int]
    SETS_FIELD_NUMBER: _ClassVar[int]
    VOLUME_KG_FIELD_NUMBER: _ClassVar[int]
    best_set: LoggedSet
    one_repetition_maximum_kg: float
    reps: int
    sets: int
    volume_kg: float
    def __init__(self, sets: _Optional[int] = ..., reps: _Optional[int] = ..., volume_kg: _Optional[float] = ..., best_set: _Optional[_Union[LoggedSet, _Mapping]] = ..., one_repetition_maximum_kg: _Optional[float] = ...) -> None: ...

class GetExerciseProgressRequest(_message.Message):
    __slots__ = ["exercise_id", "formula", "page_size", "page_token"]
    EXERCISE_ID_FIELD_NUMBER: _ClassVar[int]
    FORMULA_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    exercise_id: str
    formula: OneRepetitionFormula
    page_size: int
    page_token: str
    def __init__(self, exercise_id: _Optional[str] = ..., formula: _Optional[_Union[OneRepetitionFormula, str]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class GetExerciseProgressResponse(_message.Message):
    __slots__ = ["exercise_id", "exercise_name", "formula", "formula_name", "history", "next_page_token", "occasions", "total"]
    EXERCISE_ID_FIELD_NUMBER: _ClassVar[int]
    EXERCISE_NAME_FIELD_NUMBER: _ClassVar[int]
    FORMULA_FIELD_NUMBER: _ClassVar[int]
    FORMULA_NAME_FIELD_NUMBER: _ClassVar[int]
    HISTORY_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    OCCASIONS_FIELD_NUMBER: _ClassVar[int]
    TOTAL_FIELD_NUMBER: _ClassVar[int]
    exercise_id: str
    exercise_name: str
    formula: OneRepetitionFormula
    formula_name: str
    history: _containers.RepeatedCompositeFieldContainer[ExerciseOccasion]
    next_page_token: str
    occasions: int
    total: ExerciseResult
    def __init__(self, exercise_id: _Optional[str] = ..., exercise_name: _Optional[str] = ..., formula: _Optional[_Union[OneRepetitionFormula, str]] = ..., formula_name: _Optional[str] = ..., total: _Optional[_Union[ExerciseResult, _Mapping]] = ..., occasions: _Optional[int] = ..., history: _Optional[_Iterable[_Union[ExerciseOccasion, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class GetSharedWorkoutRequest(_message.Message):
    __slots__ = ["token"]
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    token: str
    def __init__(self, token: _Optional[str] = ...) -> None: ...

class GetWorkoutRequest(_message.Message):
    __slots__ = ["workout_id"]
    WORKOUT_ID_FIELD_NUMBER: _ClassVar[int]
    workout_id: str
    def __init__(self, workout_id: _Optional[str] = ...) -> None: ...

class ListCuratedWorkoutsRequest(_message.Message):
    __slots__ = ["level", "page_size", "page_token"]
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    level: str
    page_size: int
    page_token: str
    def __init__(self, level: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListCuratedWorkoutsResponse(_message.Message):
    __slots__ = ["next_page_token", "workouts"]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    WORKOUTS_FIELD_NUMBER: _ClassVar[int]
    next_page_token: str
    workouts: _containers.RepeatedCompositeFieldContainer[Workout]
    def __init__(self, workouts: _Optional[_Iterable[_Union[Workout, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ListMyWorkoutChangesRequest(_message.Message):
    __slots__ = ["page_size", "since"]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    SINCE_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    since: str
    def __init__(self, since: _Optional[str] = ..., page_size: _Optional[int] = ...) -> None: ...

class ListMyWorkoutChangesResponse(_message.Message):
    __slots__ = ["changes", "more", "next_since"]
    CHANGES_FIELD_NUMBER: _ClassVar[int]
    MORE_FIELD_NUMBER: _ClassVar[int]
    NEXT_SINCE_FIELD_NUMBER: _ClassVar[int]
    changes: _containers.RepeatedCompositeFieldContainer[WorkoutChange]
    more: bool
    next_since: str
    def __init__(self, changes: _Optional[_Iterable[_Union[WorkoutChange, _Mapping]]] = ..., next_since: _Optional[str] = ..., more: bool = ...) -> None: ...

class ListMyWorkoutLogChangesRequest(_message.Message):
    __slots__ = ["page_size", "since"]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    SINCE_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    since: str
    def __init__(self, since: _Optional[str] = ..., page_size: _Optional[int] = ...) -> None: ...

class ListMyWorkoutLogChangesResponse(_message.Message):
    __slots__ = ["changes", "more", "next_since"]
    CHANGES_FIELD_NUMBER: _ClassVar[int]
    MORE_FIELD_NUMBER: _ClassVar[int]
    NEXT_SINCE_FIELD_NUMBER: _ClassVar[int]
    changes: _containers.RepeatedCompositeFieldContainer[WorkoutLogChange]
    more: bool
    next_since: str
    def __init__(self, changes: _Optional[_Iterable[_Union[WorkoutLogChange, _Mapping]]] = ..., next_since: _Optional[str] = ..., more: bool = ...) -> None: ...

class ListMyWorkoutsRequest(_message.Message):
    __slots__ = ["page_size", "page_token"]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListMyWorkoutsResponse(_message.Message):
    __slots__ = ["next_page_token", "workouts"]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    WORKOUTS_FIELD_NUMBER: _ClassVar[int]
    next_page_token: str
    workouts: _containers.RepeatedCompositeFieldContainer[Workout]
    def __init__(self, workouts: _Optional[_Iterable[_Union[Workout, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ListWorkoutLogsRequest(_message.Message):
    __slots__ = ["page_size", "page_token", "workout_id"]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    WORKOUT_ID_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    workout_id: str
    def __init__(self, workout_id: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListWorkoutLogsResponse(_message.Message):
    __slots__ = ["logs", "next_page_token"]
    LOGS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    logs: _containers.RepeatedCompositeFieldContainer[WorkoutLog]
    next_page_token: str
    def __init__(self, logs: _Optional[_Iterable[_Union[WorkoutLog, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ListWorkoutSharesRequest(_message.Message):
    __slots__ = ["workout_id"]
    WORKOUT_ID_FIELD_NUMBER: _ClassVar[int]
    workout_id: str
    def __init__(self, workout_id: _Optional[str] = ...) -> None: ...

class ListWorkoutSharesResponse(_message.Message):
    __slots__ = ["shares"]
    SHARES_FIELD_NUMBER: _ClassVar[int]
    shares: _containers.RepeatedCompositeFieldContainer[WorkoutShare]
    def __init__(self, shares: _Optional[_Iterable[_Union[WorkoutShare, _Mapping]]] = ...) -> None: ...

class LogWorkoutRequest(_message.Message):
    __slots__ = ["log", "request_id", "validate_only"]
    LOG_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    VALIDATE_ONLY_FIELD_NUMBER: _ClassVar[int]
    log: WorkoutLog
    request_id: str
    validate_only: bool
    def __init__(self, log: _Optional[_Union[WorkoutLog, _Mapping]] = ..., validate_only: bool = ..., request_id: _Optional[str] = ...) -> None: ...

class LoggedExercise(_message.Message):
    __slots__ = ["exercise_id", "exercise_name", "sets"]
    EXERCISE_ID_FIELD_NUMBER: _ClassVar[int]
    EXERCISE_NAME_FIELD_NUMBER: _ClassVar[int]
    SETS_FIELD_NUMBER: _ClassVar[int]
    exercise_id: str
    exercise_name: str
    sets: _containers.RepeatedCompositeFieldContainer[LoggedSet]
    def __init__(self, exercise_id: _Optional[str] = ..., exercise_name: _Optional[str] = ..., sets: _Optional[_Iterable[_Union[LoggedSet, _Mapping]]] = ...) -> None: ...

class LoggedSet(_message.Message):
    __slots__ = ["duration_s", "reps", "weight_kg"]
    DURATION_S_FIELD_NUMBER: _ClassVar[int]
    REPS_FIELD_NUMBER: _ClassVar[int]
    WEIGHT_KG_FIELD_NUMBER: _ClassVar[int]
    duration_s: int
    reps: int
    weight_kg: float
    def __init__(self, reps: _Optional[int] = ..., weight_kg: _Optional[float] = ..., duration_s: _Optional[int] = ...) -> None: ...

class RemoveWorkoutEntryRequest(_message.Message):
    __slots__ = ["entry_id", "etag", "request_id", "validate_only", "workout_id"]
    ENTRY_ID_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    VALIDATE_ONLY_FIELD_NUMBER: _ClassVar[int]
    WORKOUT_ID_FIELD_NUMBER: _ClassVar[int]
    entry_id: str
    etag: str
    request_id: str
    validate_only: bool
    workout_id: str
    def __init__(self, workout_id: _Optional[str] = ..., entry_id: _Optional[str] = ..., etag: _Optional[str] = ..., validate_only: bool = ..., request_id: _Optional[str] = ...) -> None: ...

class ReorderWorkoutEntriesRequest(_message.Message):
    __slots__ = ["entry_ids", "etag", "request_id", "validate_only", "workout_id"]
    ENTRY_IDS_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    VALIDATE_ONLY_FIELD_NUMBER: _ClassVar[int]
    WORKOUT_ID_FIELD_NUMBER: _ClassVar[int]
    entry_ids: _containers.RepeatedScalarFieldContainer[str]
    etag: str
    request_id: str
    validate_only: bool
    workout_id: str
    def __init__(self, workout_id: _Optional[str] = ..., entry_ids: _Optional[_Iterable[str]] = ..., etag: _Optional[str] = ..., validate_only: bool = ..., request_id: _Optional[str] = ...) -> None: ...

class RevokeWorkoutShareRequest(_message.Message):
    __slots__ = ["request_id", "share_id", "validate_only"]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    SHARE_ID_FIELD_NUMBER: _ClassVar[int]
    VALIDATE_ONLY_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    share_id: str
    validate_only: bool
    def __init__(self, share_id: _Optional[str] = ..., validate_only: bool = ..., request_id: _Optional[str] = ...) -> None: ...

class RevokeWorkoutShareResponse(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class SaveAsPersonalRequest(_message.Message):
    __slots__ = ["name", "request_id", "share_token", "validate_only", "workout_id"]
    NAME_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    SHARE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    VALIDATE_ONLY_FIELD_NUMBER: _ClassVar[int]
    WORKOUT_ID_FIELD_NUMBER: _ClassVar[int]
    name: str
    request_id: str
    share_token: str
    validate_only: bool
    workout_id: str
    def __init__(self, workout_id: _Optional[str] = ..., share_token: _Optional[str] = ..., name: _Optional[str] = ..., validate_only: bool = ..., request_id: _Optional[str] = ...) -> None: ...

class SearchWorkoutsRequest(_message.Message):
    __slots__ = ["muscle_groups", "page_size", "page_token", "query"]
    MUSCLE_GROUPS_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    QUERY_FIELD_NUMBER: _ClassVar[int]
    muscle_groups: _containers.RepeatedScalarFieldContainer[str]
    page_size: int
    page_token: str
    query: str
    def __init__(self, query: _Optional[str] = ..., muscle_groups: _Optional[_Iterable[str]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class SearchWorkoutsResponse(_message.Message):
    __slots__ = ["match", "next_page_token", "notice", "workouts"]
    MATCH_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    NOTICE_FIELD_NUMBER: _ClassVar[int]
    WORKOUTS_FIELD_NUMBER: _ClassVar[int]
    match: _books_pb2.SearchMatch
    next_page_token: str
    notice: str
    workouts: _containers.RepeatedCompositeFieldContainer[Workout]
    def __init__(self, workouts: _Optional[_Iterable[_Union[Workout, _Mapping]]] = ..., match: _Optional[_Union[_books_pb2.SearchMatch, str]] = ..., notice: _Optional[str] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ShareWorkoutRequest(_message.Message):
    __slots__ = ["request_id", "validate_only", "workout_id"]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    VALIDATE_ONLY_FIELD_NUMBER: _ClassVar[int]
    WORKOUT_ID_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    validate_only: bool
    workout_id: str
    def __init__(self, workout_id: _Optional[str] = ..., validate_only: bool = ..., request_id: _Optional[str] = ...) -> None: ...

class ShareWorkoutResponse(_message.Message):
    __slots__ = ["share", "token"]
    SHARE_FIELD_NUMBER: _ClassVar[int]
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    share: WorkoutShare
    token: str
    def __init__(self, share: _Optional[_Union[WorkoutShare, _Mapping]] = ..., token: _Optional[str] = ...) -> None: ...

class SharedWorkout(_message.Message):
    __slots__ = ["description", "entries", "muscle_groups", "name", "preview", "update_time"]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    ENTRIES_FIELD_NUMBER: _ClassVar[int]
    MUSCLE_GROUPS_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    PREVIEW_FIELD_NUMBER: _ClassVar[int]
    UPDATE_TIME_FIELD_NUMBER: _ClassVar[int]
    description: str
    entries: _containers.RepeatedCompositeFieldContainer[WorkoutEntry]
    muscle_groups: _containers.RepeatedScalarFieldContainer[str]
    name: str
    preview: _books_pb2.SharePreview
    update_time: _timestamp_pb2.Timestamp
    def __init__(self, name: _Optional[str] = ..., description: _Optional[str] = ..., muscle_groups: _Optional[_Iterable[str]] = ..., entries: _Optional[_Iterable[_Union[WorkoutEntry, _Mapping]]] = ..., update_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., preview: _Optional[_Union[_books_pb2.SharePreview, _Mapping]] = ...) -> None: ...

class UpdateWorkoutEntryRequest(_message.Message):
    __slots__ = ["entry", "etag", "request_id", "update_mask", "validate_only", "workout_id"]
    ENTRY_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    UPDATE_MASK_FIELD_NUMBER: _ClassVar[int]
    VALIDATE_ONLY_FIELD_NUMBER: _ClassVar[int]
    WORKOUT_ID_FIELD_NUMBER: _ClassVar[int]
    entry: WorkoutEntry
    etag: str
    request_id: str
    update_mask: _field_mask_pb2.FieldMask
    validate_only: bool
    workout_id: str
    def __init__(self, workout_id: _Optional[str] = ..., entry: _Optional[_Union[WorkoutEntry, _Mapping]] = ..., update_mask: _Optional[_Union[_field_mask_pb2.FieldMask, _Mapping]] = ..., etag: _Optional[str] = ..., validate_only: bool = ..., request_id: _Optional[str] = ...) -> None: ...

class UpdateWorkoutRequest(_message.Message):
    __slots__ = ["request_id", "update_mask", "validate_only", "workout"]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    UPDATE_MASK_FIELD_NUMBER: _ClassVar[int]
    VALIDATE_ONLY_FIELD_NUMBER: _ClassVar[int]
    WORKOUT_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    update_mask: _field_mask_pb2.FieldMask
    validate_only: bool
    workout: Workout
    def __init__(self, workout: _Optional[_Union[Workout, _Mapping]] = ..., update_mask: _Optional[_Union[_field_mask_pb2.FieldMask, _Mapping]] = ..., validate_only: bool = ..., request_id: _Optional[str] = ...) -> None: ...

class Workout(_message.Message):
    __slots__ = ["create_time", "curated", "description", "entries", "etag", "level", "muscle_groups", "name", "update_time", "workout_id"]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    CURATED_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    ENTRIES_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    MUSCLE_GROUPS_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    UPDATE_TIME_FIELD_NUMBER: _ClassVar[int]
    WORKOUT_ID_FIELD_NUMBER: _ClassVar[int]
    create_time: _timestamp_pb2.Timestamp
    curated: bool
    description: str
    entries: _containers.RepeatedCompositeFieldContainer[WorkoutEntry]
    etag: str
    level: str
    muscle_groups: _containers.RepeatedScalarFieldContainer[str]
    name: str
    update_time: _timestamp_pb2.Timestamp
    workout_id: str
    def __init__(self, workout_id: _Optional[str] = ..., curated: bool = ..., name: _Optional[str] = ..., description: _Optional[str] = ..., muscle_groups: _Optional[_Iterable[str]] = ..., level: _Optional[str] = ..., entries: _Optional[_Iterable[_Union[WorkoutEntry, _Mapping]]] = ..., etag: _Optional[str] = ..., create_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., update_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class WorkoutChange(_message.Message):
    __slots__ = ["delete_time", "workout", "workout_id"]
    DELETE_TIME_FIELD_NUMBER: _ClassVar[int]
    WORKOUT_FIELD_NUMBER: _ClassVar[int]
    WORKOUT_ID_FIELD_NUMBER: _ClassVar[int]
    delete_time: _timestamp_pb2.Timestamp
    workout: Workout
    workout_id: str
    def __init__(self, workout_id: _Optional[str] = ..., workout: _Optional[_Union[Workout, _Mapping]] = ..., delete_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class WorkoutEntry(_message.Message):
    __slots__ = ["duration_s", "entry_id", "exercise_id", "exercise_name", "note", "reps", "rest_s", "sets", "weight_kg"]
    DURATION_S_FIELD_NUMBER: _ClassVar[int]
    ENTRY_ID_FIELD_NUMBER: _ClassVar[int]
    EXERCISE_ID_FIELD_NUMBER: _ClassVar[int]
    EXERCISE_NAME_FIELD_NUMBER: _ClassVar[int]
    NOTE_FIELD_NUMBER: _ClassVar[int]
    REPS_FIELD_NUMBER: _ClassVar[int]
    REST_S_FIELD_NUMBER: _ClassVar[int]
    SETS_FIELD_NUMBER: _ClassVar[int]
    WEIGHT_KG_FIELD_NUMBER: _ClassVar[int]
    duration_s: int
    entry_id: str
    exercise_id: str
    exercise_name: str
    note: str
    reps: int
    rest_s: int
    sets: int
    weight_kg: float
    def __init__(self, entry_id: _Optional[str] = ..., exercise_id: _Optional[str] = ..., exercise_name: _Optional[str] = ..., sets: _Optional[int] = ..., reps: _Optional[int] = ..., duration_s: _Optional[int] = ..., weight_kg: _Optional[float] = ..., rest_s: _Optional[int] = ..., note: _Optional[str] = ...) -> None: ...

class WorkoutLog(_message.Message):
    __slots__ = ["create_time", "end_time", "exercises", "log_id", "name", "note", "start_time", "volume_kg", "workout_id"]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    END_TIME_FIELD_NUMBER: _ClassVar[int]
    EXERCISES_FIELD_NUMBER: _ClassVar[int]
    LOG_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    NOTE_FIELD_NUMBER: _ClassVar[int]
    START_TIME_FIELD_NUMBER: _ClassVar[int]
    VOLUME_KG_FIELD_NUMBER: _ClassVar[int]
    WORKOUT_ID_FIELD_NUMBER: _ClassVar[int]
    create_time: _timestamp_pb2.Timestamp
    end_time: _timestamp_pb2.Timestamp
    exercises: _containers.RepeatedCompositeFieldContainer[LoggedExercise]
    log_id: str
    name: str
    note: str
    start_time: _timestamp_pb2.Timestamp
    volume_kg: float
    workout_id: str
    def __init__(self, log_id: _Optional[str] = ..., workout_id: _Optional[str] = ..., name: _Optional[str] = ..., start_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., end_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., note: _Optional[str] = ..., exercises: _Optional[_Iterable[_Union[LoggedExercise, _Mapping]]] = ..., volume_kg: _Optional[float] = ..., create_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class WorkoutLogChange(_message.Message):
    __slots__ = ["delete_time", "log", "log_id"]
    DELETE_TIME_FIELD_NUMBER: _ClassVar[int]
    LOG_FIELD_NUMBER: _ClassVar[int]
    LOG_ID_FIELD_NUMBER: _ClassVar[int]
    delete_time: _timestamp_pb2.Timestamp
    log: WorkoutLog
    log_id: str
    def __init__(self, log_id: _Optional[str] = ..., log: _Optional[_Union[WorkoutLog, _Mapping]] = ..., delete_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class WorkoutShare(_message.Message):
    __slots__ = ["create_time", "share_id", "workout_id"]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    SHARE_ID_FIELD_NUMBER: _ClassVar[int]
    WORKOUT_ID_FIELD_NUMBER: _ClassVar[int]
    create_time: _timestamp_pb2.Timestamp
    share_id: str
    workout_id: str
    def __init__(self, share_id: _Optional[str] = ..., workout_id: _Optional[str] = ..., create_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class OneRepetitionFormula(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []
