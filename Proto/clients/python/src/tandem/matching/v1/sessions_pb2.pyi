from google.protobuf import timestamp_pb2 as _timestamp_pb2
from tandem.rpc.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

ADJECTIVE_CARELESS: Adjective
ADJECTIVE_CONSIDERATE: Adjective
ADJECTIVE_DISTRACTED: Adjective
ADJECTIVE_FOCUSED: Adjective
ADJECTIVE_FRIENDLY: Adjective
ADJECTIVE_IMPATIENT: Adjective
ADJECTIVE_KNOWLEDGEABLE: Adjective
ADJECTIVE_MOTIVATING: Adjective
ADJECTIVE_PATIENT: Adjective
ADJECTIVE_PUNCTUAL: Adjective
ADJECTIVE_UNSPECIFIED: Adjective
BAR_CAUSE_LATE_CANCELLATION: BarCause
BAR_CAUSE_NO_SHOW: BarCause
BAR_CAUSE_UNSPECIFIED: BarCause
DESCRIPTOR: _descriptor.FileDescriptor
FOCUS_CALISTHENICS: Focus
FOCUS_CARDIO: Focus
FOCUS_CLIMBING: Focus
FOCUS_COMBAT: Focus
FOCUS_FUNCTIONAL: Focus
FOCUS_HYPERTROPHY: Focus
FOCUS_INTERVALS: Focus
FOCUS_MOBILITY: Focus
FOCUS_POWERLIFTING: Focus
FOCUS_STRENGTH: Focus
FOCUS_UNSPECIFIED: Focus
FOCUS_WEIGHTLIFTING: Focus
FOCUS_YOGA: Focus
GENDER_FEMALE: Gender
GENDER_MALE: Gender
GENDER_OTHER: Gender
GENDER_UNSPECIFIED: Gender
JOIN_OBSTACLE_BARRED: JoinObstacle
JOIN_OBSTACLE_GENDER_NOT_ADMITTED: JoinObstacle
JOIN_OBSTACLE_JOINS_ENDED: JoinObstacle
JOIN_OBSTACLE_LEVEL_TOO_LOW: JoinObstacle
JOIN_OBSTACLE_OWN_SESSION: JoinObstacle
JOIN_OBSTACLE_SESSION_STARTED: JoinObstacle
JOIN_OBSTACLE_SESSION_TAKEN: JoinObstacle
JOIN_OBSTACLE_SLOT_TAKEN: JoinObstacle
JOIN_OBSTACLE_UNSPECIFIED: JoinObstacle
LEVEL_ADVANCED: Level
LEVEL_BEGINNER: Level
LEVEL_EXPERT: Level
LEVEL_INTERMEDIATE: Level
LEVEL_NOVICE: Level
LEVEL_UNSPECIFIED: Level
SESSION_STATE_CANCELLED: SessionState
SESSION_STATE_FAILED: SessionState
SESSION_STATE_LAPSED: SessionState
SESSION_STATE_MATCHED: SessionState
SESSION_STATE_OPEN: SessionState
SESSION_STATE_SUCCESSFUL: SessionState
SESSION_STATE_UNSPECIFIED: SessionState
SESSION_TIME_PAST: SessionTime
SESSION_TIME_UNSPECIFIED: SessionTime
SESSION_TIME_UPCOMING: SessionTime

class AdjectiveCount(_message.Message):
    __slots__ = ["adjective", "count"]
    ADJECTIVE_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    adjective: Adjective
    count: int
    def __init__(self, adjective: _Optional[_Union[Adjective, str]] = ..., count: _Optional[int] = ...) -> None: ...

class Bar(_message.Message):
    __slots__ = ["bar_id", "cause", "end_time", "lift_time", "session_id", "start_time"]
    BAR_ID_FIELD_NUMBER: _ClassVar[int]
    CAUSE_FIELD_NUMBER: _ClassVar[int]
    END_TIME_FIELD_NUMBER: _ClassVar[int]
    LIFT_TIME_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    START_TIME_FIELD_NUMBER: _ClassVar[int]
    bar_id: str
    cause: BarCause
    end_time: _timestamp_pb2.Timestamp
    lift_time: _timestamp_pb2.Timestamp
    session_id: str
    start_time: _timestamp_pb2.Timestamp
    def __init__(self, bar_id: _Optional[str] = ..., session_id: _Optional[str] = ..., cause: _Optional[_Union[BarCause, str]] = ..., start_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., end_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., lift_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class BarChange(_message.Message):
    __slots__ = ["actor", "change", "reason", "time"]
    ACTOR_FIELD_NUMBER: _ClassVar[int]
    CHANGE_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    TIME_FIELD_NUMBER: _ClassVar[int]
    actor: str
    change: str
    reason: str
    time: _timestamp_pb2.Timestamp
    def __init__(self, change: _Optional[str] = ..., actor: _Optional[str] = ..., reason: _Optional[str] = ..., time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class BarRecord(_message.Message):
    __slots__ = ["bar", "changes", "user_id", "username"]
    BAR_FIELD_NUMBER: _ClassVar[int]
    CHANGES_FIELD_NUMBER: _ClassVar[int]
    USERNAME_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    bar: Bar
    changes: _containers.RepeatedCompositeFieldContainer[BarChange]
    user_id: str
    username: str
    def __init__(self, bar: _Optional[_Union[Bar, _Mapping]] = ..., user_id: _Optional[str] = ..., username: _Optional[str] = ..., changes: _Optional[_Iterable[_Union[BarChange, _Mapping]]] = ...) -> None: ...

class BrowseSessionsRequest(_message.Message):
    __slots__ = ["end_time", "focuses", "genders", "gym_id", "levels", "page_size", "page_token", "point", "radius_m", "start_time"]
    END_TIME_FIELD_NUMBER: _ClassVar[int]
    FOCUSES_FIELD_NUMBER: _ClassVar[int]
    GENDERS_FIELD_NUMBER: _ClassVar[int]
    GYM_ID_FIELD_NUMBER: _ClassVar[int]
    LEVELS_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    POINT_FIELD_NUMBER: _ClassVar[int]
    RADIUS_M_FIELD_NUMBER: _ClassVar[int]
    START_TIME_FIELD_NUMBER: _ClassVar[int]
    end_time: _timestamp_pb2.Timestamp
    focuses: _containers.RepeatedScalarFieldContainer[Focus]
    genders: _containers.RepeatedScalarFieldContainer[Gender]
    gym_id: str
    levels: _containers.RepeatedScalarFieldContainer[Level]
    page_size: int
    page_token: str
    point: Point
    radius_m: float
    start_time: _timestamp_pb2.Timestamp
    def __init__(self, start_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., end_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., gym_id: _Optional[str] = ..., point: _Optional[_Union[Point, _Mapping]] = ..., radius_m: _Optional[float] = ..., focuses: _Optional[_Iterable[_Union[Focus, str]]] = ..., genders: _Optional[_Iterable[_Union[Gender, str]]] = ..., levels: _Optional[_Iterable[_Union[Level, str]]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class BrowseSessionsResponse(_message.Message):
    __slots__ = ["matches", "next_page_token"]
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    matches: _containers.RepeatedCompositeFieldContainer[SessionMatch]
    next_page_token: str
    def __init__(self, matches: _Optional[_Iterable[_Union[SessionMatch, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class CancelSessionRequest(_message.Message):
    __slots__ = ["etag", "request_id", "session_id", "validate_only"]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    VALIDATE_ONLY_FIELD_NUMBER: _ClassVar[int]
    etag: str
    request_id: str
    session_id: str
    validate_only: bool
    def __init__(self, session_id: _Optional[str] = ..., etag: _Optional[str] = ..., request_id: _Optional[str] = ..., validate_only: bool = ...) -> None: ...

class CancelSessionResponse(_message.Message):
    __slots__ = ["bar_end_time"]
    BAR_END_TIME_FIELD_NUMBER: _ClassVar[int]
    bar_end_time: _timestamp_pb2.Timestamp
    def __init__(self, bar_end_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class CheckInRequest(_message.Message):
    __slots__ = ["accuracy_m", "point", "request_id", "session_id"]
    ACCURACY_M_FIELD_NUMBER: _ClassVar[int]
    POINT_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    accuracy_m: float
    point: Point
    request_id: str
    session_id: str
    def __init__(self, session_id: _Optional[str] = ..., point: _Optional[_Union[Point, _Mapping]] = ..., accuracy_m: _Optional[float] = ..., request_id: _Optional[str] = ...) -> None: ...

class Feedback(_message.Message):
    __slots__ = ["adjectives", "author_id", "author_username", "create_time", "feedback_id", "rating", "remarks", "session_id"]
    ADJECTIVES_FIELD_NUMBER: _ClassVar[int]
    AUTHOR_ID_FIELD_NUMBER: _ClassVar[int]
    AUTHOR_USERNAME_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    FEEDBACK_ID_FIELD_NUMBER: _ClassVar[int]
    RATING_FIELD_NUMBER: _ClassVar[int]
    REMARKS_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    adjectives: _containers.RepeatedScalarFieldContainer[Adjective]
    author_id: str
    author_username: str
    create_time: _timestamp_pb2.Timestamp
    feedback_id: str
    rating: int
    remarks: str
    session_id: str
    def __init__(self, feedback_id: _Optional[str] = ..., session_id: _Optional[str] = ..., author_id: _Optional[str] = ..., author_username: _Optional[str] = ..., rating: _Optional[int] = ..., adjectives: _Optional[_Iterable[_Union[Adjective, str]]] = ..., remarks: _Optional[str] = ..., create_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class FinishSessionRequest(_message.Message):
    __slots__ = ["request_id", "session_id"]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    session_id: str
    def __init__(self, session_id: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class Fit(_message.Message):
    __slots__ = ["attendance", "distance", "focus", "level", "rating", "score", "slot"]
    ATTENDANCE_FIELD_NUMBER: _ClassVar[int]
    DISTANCE_FIELD_NUMBER: _ClassVar[int]
    FOCUS_FIELD_NUMBER: _ClassVar[int]
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    RATING_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    SLOT_FIELD_NUMBER: _ClassVar[int]
    attendance: float
    distance: float
    focus: float
    level: float
    rating: float
    score: float
    slot: float
    def __init__(self, score: _Optional[float] = ..., slot: _Optional[float] = ..., distance: _Optional[float] = ..., focus: _Optional[float] = ..., level: _Optional[float] = ..., rating: _Optional[float] = ..., attendance: _Optional[float] = ...) -> None: ...

class GetMatchingProfileRequest(_message.Message):
    __slots__ = ["user_id"]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    def __init__(self, user_id: _Optional[str] = ...) -> None: ...

class GetSessionRequest(_message.Message):
    __slots__ = ["session_id"]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    def __init__(self, session_id: _Optional[str] = ...) -> None: ...

class GetSharedSessionRequest(_message.Message):
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

class JoinSessionRequest(_message.Message):
    __slots__ = ["etag", "request_id", "session_id", "validate_only"]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    VALIDATE_ONLY_FIELD_NUMBER: _ClassVar[int]
    etag: str
    request_id: str
    session_id: str
    validate_only: bool
    def __init__(self, session_id: _Optional[str] = ..., etag: _Optional[str] = ..., request_id: _Optional[str] = ..., validate_only: bool = ...) -> None: ...

class LiftBarRequest(_message.Message):
    __slots__ = ["actor", "bar_id", "reason"]
    ACTOR_FIELD_NUMBER: _ClassVar[int]
    BAR_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    actor: str
    bar_id: str
    reason: str
    def __init__(self, bar_id: _Optional[str] = ..., reason: _Optional[str] = ..., actor: _Optional[str] = ...) -> None: ...

class ListBarsRequest(_message.Message):
    __slots__ = ["include_ended", "page_size", "page_token", "user_id"]
    INCLUDE_ENDED_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    include_ended: bool
    page_size: int
    page_token: str
    user_id: str
    def __init__(self, user_id: _Optional[str] = ..., include_ended: bool = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListBarsResponse(_message.Message):
    __slots__ = ["bars", "next_page_token"]
    BARS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    bars: _containers.RepeatedCompositeFieldContainer[BarRecord]
    next_page_token: str
    def __init__(self, bars: _Optional[_Iterable[_Union[BarRecord, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ListFeedbackRequest(_message.Message):
    __slots__ = ["page_size", "page_token"]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListFeedbackResponse(_message.Message):
    __slots__ = ["feedback", "next_page_token"]
    FEEDBACK_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    feedback: _containers.RepeatedCompositeFieldContainer[Feedback]
    next_page_token: str
    def __init__(self, feedback: _Optional[_Iterable[_Union[Feedback, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ListMyBarsRequest(_message.Message):
    __slots__ = ["page_size", "page_token"]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListMyBarsResponse(_message.Message):
    __slots__ = ["bars", "next_page_token"]
    BARS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    bars: _containers.RepeatedCompositeFieldContainer[Bar]
    next_page_token: str
    def __init__(self, bars: _Optional[_Iterable[_Union[Bar, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ListMySessionsRequest(_message.Message):
    __slots__ = ["page_size", "page_token", "state", "time"]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    TIME_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    state: SessionState
    time: SessionTime
    def __init__(self, time: _Optional[_Union[SessionTime, str]] = ..., state: _Optional[_Union[SessionState, str]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListMySessionsResponse(_message.Message):
    __slots__ = ["next_page_token", "sessions"]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    SESSIONS_FIELD_NUMBER: _ClassVar[int]
    next_page_token: str
    sessions: _containers.RepeatedCompositeFieldContainer[Session]
    def __init__(self, sessions: _Optional[_Iterable[_Union[Session, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ListSessionChangesRequest(_message.Message):
    __slots__ = ["page_size", "since"]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    SINCE_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    since: str
    def __init__(self, since: _Optional[str] = ..., page_size: _Optional[int] = ...) -> None: ...

class ListSessionChangesResponse(_message.Message):
    __slots__ = ["changed", "deleted_session_ids", "has_more", "next_change_token"]
    CHANGED_FIELD_NUMBER: _ClassVar[int]
    DELETED_SESSION_IDS_FIELD_NUMBER: _ClassVar[int]
    HAS_MORE_FIELD_NUMBER: _ClassVar[int]
    NEXT_CHANGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    changed: _containers.RepeatedCompositeFieldContainer[Session]
    deleted_session_ids: _containers.RepeatedScalarFieldContainer[str]
    has_more: bool
    next_change_token: str
    def __init__(self, changed: _Optional[_Iterable[_Union[Session, _Mapping]]] = ..., deleted_session_ids: _Optional[_Iterable[str]] = ..., next_change_token: _Optional[str] = ..., has_more: bool = ...) -> None: ...

class ListSessionSharesRequest(_message.Message):
    __slots__ = ["session_id"]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    def __init__(self, session_id: _Optional[str] = ...) -> None: ...

class ListSessionSharesResponse(_message.Message):
    __slots__ = ["shares"]
    SHARES_FIELD_NUMBER: _ClassVar[int]
    shares: _containers.RepeatedCompositeFieldContainer[SessionShare]
    def __init__(self, shares: _Optional[_Iterable[_Union[SessionShare, _Mapping]]] = ...) -> None: ...

class MatchingProfile(_message.Message):
    __slots__ = ["adjectives", "attendance", "attended", "mean_rating", "missed", "rating", "rating_count", "user_id", "username"]
    ADJECTIVES_FIELD_NUMBER: _ClassVar[int]
    ATTENDANCE_FIELD_NUMBER: _ClassVar[int]
    ATTENDED_FIELD_NUMBER: _ClassVar[int]
    MEAN_RATING_FIELD_NUMBER: _ClassVar[int]
    MISSED_FIELD_NUMBER: _ClassVar[int]
    RATING_COUNT_FIELD_NUMBER: _ClassVar[int]
    RATING_FIELD_NUMBER: _ClassVar[int]
    USERNAME_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    adjectives: _containers.RepeatedCompositeFieldContainer[AdjectiveCount]
    attendance: float
    attended: int
    mean_rating: float
    missed: int
    rating: float
    rating_count: int
    user_id: str
    username: str
    def __init__(self, user_id: _Optional[str] = ..., username: _Optional[str] = ..., mean_rating: _Optional[float] = ..., rating: _Optional[float] = ..., rating_count: _Optional[int] = ..., attended: _Optional[int] = ..., missed: _Optional[int] = ..., attendance: _Optional[float] = ..., adjectives: _Optional[_Iterable[_Union[AdjectiveCount, _Mapping]]] = ...) -> None: ...

class Participant(_message.Message):
    __slots__ = ["check_in_time", "user_id", "username"]
    CHECK_IN_TIME_FIELD_NUMBER: _ClassVar[int]
    USERNAME_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    check_in_time: _timestamp_pb2.Timestamp
    user_id: str
    username: str
    def __init__(self, user_id: _Optional[str] = ..., username: _Optional[str] = ..., check_in_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class Point(_message.Message):
    __slots__ = ["latitude", "longitude"]
    LATITUDE_FIELD_NUMBER: _ClassVar[int]
    LONGITUDE_FIELD_NUMBER: _ClassVar[int]
    latitude: float
    longitude: float
    def __init__(self, latitude: _Optional[float] = ..., longitude: _Optional[float] = ...) -> None: ...

class PostSessionRequest(_message.Message):
    __slots__ = ["end_time", "focus", "genders", "gym_id", "join_end_time", "level", "request_id", "start_time", "validate_only"]
    END_TIME_FIELD_NUMBER: _ClassVar[int]
    FOCUS_FIELD_NUMBER: _ClassVar[int]
    GENDERS_FIELD_NUMBER: _ClassVar[int]
    GYM_ID_FIELD_NUMBER: _ClassVar[int]
    JOIN_END_TIME_FIELD_NUMBER: _ClassVar[int]
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    START_TIME_FIELD_NUMBER: _ClassVar[int]
    VALIDATE_ONLY_FIELD_NUMBER: _ClassVar[int]
    end_time: _timestamp_pb2.Timestamp
    focus: Focus
    genders: _containers.RepeatedScalarFieldContainer[Gender]
    gym_id: str
    join_end_time: _timestamp_pb2.Timestamp
    level: Level
    request_id: str
    start_time: _timestamp_pb2.Timestamp
    validate_only: bool
    def __init__(self, start_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., end_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., gym_id: _Optional[str] = ..., focus: _Optional[_Union[Focus, str]] = ..., genders: _Optional[_Iterable[_Union[Gender, str]]] = ..., level: _Optional[_Union[Level, str]] = ..., request_id: _Optional[str] = ..., validate_only: bool = ..., join_end_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class RevokeSessionShareRequest(_message.Message):
    __slots__ = ["request_id", "share_id", "validate_only"]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    SHARE_ID_FIELD_NUMBER: _ClassVar[int]
    VALIDATE_ONLY_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    share_id: str
    validate_only: bool
    def __init__(self, share_id: _Optional[str] = ..., validate_only: bool = ..., request_id: _Optional[str] = ...) -> None: ...

class RevokeSessionShareResponse(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class Session(_message.Message):
    __slots__ = ["create_time", "end_time", "etag", "feedback_given", "finished", "focus", "genders", "gym", "join_end_time", "join_obstacles", "level", "matched", "owner", "partner", "session_id", "start_time", "state", "update_time", "withdrawn_session_ids"]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    END_TIME_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    FEEDBACK_GIVEN_FIELD_NUMBER: _ClassVar[int]
    FINISHED_FIELD_NUMBER: _ClassVar[int]
    FOCUS_FIELD_NUMBER: _ClassVar[int]
    GENDERS_FIELD_NUMBER: _ClassVar[int]
    GYM_FIELD_NUMBER: _ClassVar[int]
    JOIN_END_TIME_FIELD_NUMBER: _ClassVar[int]
    JOIN_OBSTACLES_FIELD_NUMBER: _ClassVar[int]
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    MATCHED_FIELD_NUMBER: _ClassVar[int]
    OWNER_FIELD_NUMBER: _ClassVar[int]
    PARTNER_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    START_TIME_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    UPDATE_TIME_FIELD_NUMBER: _ClassVar[int]
    WITHDRAWN_SESSION_IDS_FIELD_NUMBER: _ClassVar[int]
    create_time: _timestamp_pb2.Timestamp
    end_time: _timestamp_pb2.Timestamp
    etag: str
    feedback_given: bool
    finished: bool
    focus: Focus
    genders: _containers.RepeatedScalarFieldContainer[Gender]
    gym: SessionGym
    join_end_time: _timestamp_pb2.Timestamp
    join_obstacles: _containers.RepeatedScalarFieldContainer[JoinObstacle]
    level: Level
    matched: bool
    owner: Participant
    partner: Participant
    session_id: str
    start_time: _timestamp_pb2.Timestamp
    state: SessionState
    update_time: _timestamp_pb2.Timestamp
    withdrawn_session_ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, session_id: _Optional[str] = ..., start_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., end_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., gym: _Optional[_Union[SessionGym, _Mapping]] = ..., focus: _Optional[_Union[Focus, str]] = ..., genders: _Optional[_Iterable[_Union[Gender, str]]] = ..., level: _Optional[_Union[Level, str]] = ..., state: _Optional[_Union[SessionState, str]] = ..., matched: bool = ..., owner: _Optional[_Union[Participant, _Mapping]] = ..., partner: _Optional[_Union[Participant, _Mapping]] = ..., finished: bool = ..., feedback_given: bool = ..., etag: _Optional[str] = ..., join_obstacles: _Optional[_Iterable[_Union[JoinObstacle, str]]] = ..., create_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., update_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., join_end_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., withdrawn_session_ids: _Optional[_Iterable[str]] = ...) -> None: ...

class SessionGym(_message.Message):
    __slots__ = ["gym_id", "name", "point", "time_zone"]
    GYM_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    POINT_FIELD_NUMBER: _ClassVar[int]
    TIME_ZONE_FIELD_NUMBER: _ClassVar[int]
    gym_id: str
    name: str
    point: Point
    time_zone: str
    def __init__(self, gym_id: _Optional[str] = ..., name: _Optional[str] = ..., point: _Optional[_Union[Point, _Mapping]] = ..., time_zone: _Optional[str] = ...) -> None: ...

class SessionMatch(_message.Message):
    __slots__ = ["distance_m", "fit", "session"]
    DISTANCE_M_FIELD_NUMBER: _ClassVar[int]
    FIT_FIELD_NUMBER: _ClassVar[int]
    SESSION_FIELD_NUMBER: _ClassVar[int]
    distance_m: float
    fit: Fit
    session: Session
    def __init__(self, session: _Optional[_Union[Session, _Mapping]] = ..., fit: _Optional[_Union[Fit, _Mapping]] = ..., distance_m: _Optional[float] = ...) -> None: ...

class SessionShare(_message.Message):
    __slots__ = ["create_time", "session_id", "share_id"]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    SHARE_ID_FIELD_NUMBER: _ClassVar[int]
    create_time: _timestamp_pb2.Timestamp
    session_id: str
    share_id: str
    def __init__(self, share_id: _Optional[str] = ..., session_id: _Optional[str] = ..., create_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class SharePreview(_message.Message):
    __slots__ = ["picture", "text", "title"]
    PICTURE_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    picture: str
    text: str
    title: str
    def __init__(self, title: _Optional[str] = ..., text: _Optional[str] = ..., picture: _Optional[str] = ...) -> None: ...

class ShareSessionRequest(_message.Message):
    __slots__ = ["request_id", "session_id", "validate_only"]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    VALIDATE_ONLY_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    session_id: str
    validate_only: bool
    def __init__(self, session_id: _Optional[str] = ..., validate_only: bool = ..., request_id: _Optional[str] = ...) -> None: ...

class ShareSessionResponse(_message.Message):
    __slots__ = ["share", "token"]
    SHARE_FIELD_NUMBER: _ClassVar[int]
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    share: SessionShare
    token: str
    def __init__(self, share: _Optional[_Union[SessionShare, _Mapping]] = ..., token: _Optional[str] = ...) -> None: ...

class SharedSession(_message.Message):
    __slots__ = ["focus", "gym_name", "length_s", "level", "preview", "session_id", "start_time", "time_zone"]
    FOCUS_FIELD_NUMBER: _ClassVar[int]
    GYM_NAME_FIELD_NUMBER: _ClassVar[int]
    LENGTH_S_FIELD_NUMBER: _ClassVar[int]
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    PREVIEW_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    START_TIME_FIELD_NUMBER: _ClassVar[int]
    TIME_ZONE_FIELD_NUMBER: _ClassVar[int]
    focus: Focus
    gym_name: str
    length_s: int
    level: Level
    preview: SharePreview
    session_id: str
    start_time: _timestamp_pb2.Timestamp
    time_zone: str
    def __init__(self, session_id: _Optional[str] = ..., start_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., length_s: _Optional[int] = ..., gym_name: _Optional[str] = ..., time_zone: _Optional[str] = ..., focus: _Optional[_Union[Focus, str]] = ..., level: _Optional[_Union[Level, str]] = ..., preview: _Optional[_Union[SharePreview, _Mapping]] = ...) -> None: ...

class StorageFigures(_message.Message):
    __slots__ = ["open_posts", "repetitions", "saved_searches", "waiting_lists"]
    OPEN_POSTS_FIELD_NUMBER: _ClassVar[int]
    REPETITIONS_FIELD_NUMBER: _ClassVar[int]
    SAVED_SEARCHES_FIELD_NUMBER: _ClassVar[int]
    WAITING_LISTS_FIELD_NUMBER: _ClassVar[int]
    open_posts: int
    repetitions: int
    saved_searches: int
    waiting_lists: int
    def __init__(self, open_posts: _Optional[int] = ..., saved_searches: _Optional[int] = ..., repetitions: _Optional[int] = ..., waiting_lists: _Optional[int] = ...) -> None: ...

class SubmitFeedbackRequest(_message.Message):
    __slots__ = ["adjectives", "rating", "remarks", "request_id", "session_id"]
    ADJECTIVES_FIELD_NUMBER: _ClassVar[int]
    RATING_FIELD_NUMBER: _ClassVar[int]
    REMARKS_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    adjectives: _containers.RepeatedScalarFieldContainer[Adjective]
    rating: int
    remarks: str
    request_id: str
    session_id: str
    def __init__(self, session_id: _Optional[str] = ..., rating: _Optional[int] = ..., adjectives: _Optional[_Iterable[_Union[Adjective, str]]] = ..., remarks: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class Focus(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class Gender(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class Level(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class SessionState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class JoinObstacle(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class Adjective(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class BarCause(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class SessionTime(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []
