from google.protobuf import timestamp_pb2 as _timestamp_pb2
from tandem.rpc.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor
MEMBER_STATE_ACTIVE: MemberState
MEMBER_STATE_INACTIVE: MemberState
MEMBER_STATE_ROUTING: MemberState
MEMBER_STATE_SOS: MemberState
MEMBER_STATE_UNSPECIFIED: MemberState
MEMBER_STATE_WARNING: MemberState
PLACE_EVENT_KIND_ARRIVED: PlaceEventKind
PLACE_EVENT_KIND_LEFT: PlaceEventKind
PLACE_EVENT_KIND_UNSPECIFIED: PlaceEventKind
SNAPSHOT_REASON_CHANGES_GONE: SnapshotReason
SNAPSHOT_REASON_REQUESTED: SnapshotReason
SNAPSHOT_REASON_UNSPECIFIED: SnapshotReason
SNAPSHOT_REASON_VISIBILITY_CHANGED: SnapshotReason
WARNING_LATE: Warning
WARNING_OFFLINE: Warning
WARNING_STANDING_STILL: Warning
WARNING_UNSPECIFIED: Warning
WATCH_END_REASON_DROPPED: WatchEndReason
WATCH_END_REASON_NOT_A_MEMBER: WatchEndReason
WATCH_END_REASON_NOT_FOUND: WatchEndReason
WATCH_END_REASON_UNSPECIFIED: WatchEndReason

class GetMembersRequest(_message.Message):
    __slots__ = ["group_ids"]
    GROUP_IDS_FIELD_NUMBER: _ClassVar[int]
    group_ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, group_ids: _Optional[_Iterable[str]] = ...) -> None: ...

class GetMembersResponse(_message.Message):
    __slots__ = ["groups"]
    GROUPS_FIELD_NUMBER: _ClassVar[int]
    groups: _containers.RepeatedCompositeFieldContainer[GroupMembers]
    def __init__(self, groups: _Optional[_Iterable[_Union[GroupMembers, _Mapping]]] = ...) -> None: ...

class GetRetentionRequest(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

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

class GroupMembers(_message.Message):
    __slots__ = ["epoch", "group_id", "members", "sequence"]
    EPOCH_FIELD_NUMBER: _ClassVar[int]
    GROUP_ID_FIELD_NUMBER: _ClassVar[int]
    MEMBERS_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    epoch: int
    group_id: str
    members: _containers.RepeatedCompositeFieldContainer[Member]
    sequence: int
    def __init__(self, group_id: _Optional[str] = ..., sequence: _Optional[int] = ..., members: _Optional[_Iterable[_Union[Member, _Mapping]]] = ..., epoch: _Optional[int] = ...) -> None: ...

class GroupSnapshot(_message.Message):
    __slots__ = ["group", "reason"]
    GROUP_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    group: GroupMembers
    reason: SnapshotReason
    def __init__(self, group: _Optional[_Union[GroupMembers, _Mapping]] = ..., reason: _Optional[_Union[SnapshotReason, str]] = ...) -> None: ...

class Member(_message.Message):
    __slots__ = ["arrival_time", "estimated_arrival_time", "group_id", "journey_id", "position", "sos_id", "state", "user_id", "username", "warnings"]
    ARRIVAL_TIME_FIELD_NUMBER: _ClassVar[int]
    ESTIMATED_ARRIVAL_TIME_FIELD_NUMBER: _ClassVar[int]
    GROUP_ID_FIELD_NUMBER: _ClassVar[int]
    JOURNEY_ID_FIELD_NUMBER: _ClassVar[int]
    POSITION_FIELD_NUMBER: _ClassVar[int]
    SOS_ID_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    USERNAME_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    WARNINGS_FIELD_NUMBER: _ClassVar[int]
    arrival_time: _timestamp_pb2.Timestamp
    estimated_arrival_time: _timestamp_pb2.Timestamp
    group_id: str
    journey_id: str
    position: Position
    sos_id: str
    state: MemberState
    user_id: str
    username: str
    warnings: _containers.RepeatedScalarFieldContainer[Warning]
    def __init__(self, group_id: _Optional[str] = ..., user_id: _Optional[str] = ..., username: _Optional[str] = ..., state: _Optional[_Union[MemberState, str]] = ..., warnings: _Optional[_Iterable[_Union[Warning, str]]] = ..., position: _Optional[_Union[Position, _Mapping]] = ..., journey_id: _Optional[str] = ..., sos_id: _Optional[str] = ..., arrival_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., estimated_arrival_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class MemberChange(_message.Message):
    __slots__ = ["group_id", "member", "place_event", "removed_user_id", "sequence"]
    GROUP_ID_FIELD_NUMBER: _ClassVar[int]
    MEMBER_FIELD_NUMBER: _ClassVar[int]
    PLACE_EVENT_FIELD_NUMBER: _ClassVar[int]
    REMOVED_USER_ID_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    group_id: str
    member: Member
    place_event: PlaceEvent
    removed_user_id: str
    sequence: int
    def __init__(self, group_id: _Optional[str] = ..., sequence: _Optional[int] = ..., member: _Optional[_Union[Member, _Mapping]] = ..., removed_user_id: _Optional[str] = ..., place_event: _Optional[_Union[PlaceEvent, _Mapping]] = ...) -> None: ...

class MemberChanges(_message.Message):
    __slots__ = ["changes"]
    CHANGES_FIELD_NUMBER: _ClassVar[int]
    changes: _containers.RepeatedCompositeFieldContainer[MemberChange]
    def __init__(self, changes: _Optional[_Iterable[_Union[MemberChange, _Mapping]]] = ...) -> None: ...

class PlaceEvent(_message.Message):
    __slots__ = ["kind", "place_name", "time", "user_id"]
    KIND_FIELD_NUMBER: _ClassVar[int]
    PLACE_NAME_FIELD_NUMBER: _ClassVar[int]
    TIME_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    kind: PlaceEventKind
    place_name: str
    time: _timestamp_pb2.Timestamp
    user_id: str
    def __init__(self, user_id: _Optional[str] = ..., place_name: _Optional[str] = ..., kind: _Optional[_Union[PlaceEventKind, str]] = ..., time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class Position(_message.Message):
    __slots__ = ["accuracy_m", "altitude_m", "course", "latitude", "longitude", "speed_mps", "time"]
    ACCURACY_M_FIELD_NUMBER: _ClassVar[int]
    ALTITUDE_M_FIELD_NUMBER: _ClassVar[int]
    COURSE_FIELD_NUMBER: _ClassVar[int]
    LATITUDE_FIELD_NUMBER: _ClassVar[int]
    LONGITUDE_FIELD_NUMBER: _ClassVar[int]
    SPEED_MPS_FIELD_NUMBER: _ClassVar[int]
    TIME_FIELD_NUMBER: _ClassVar[int]
    accuracy_m: float
    altitude_m: float
    course: float
    latitude: float
    longitude: float
    speed_mps: float
    time: _timestamp_pb2.Timestamp
    def __init__(self, latitude: _Optional[float] = ..., longitude: _Optional[float] = ..., time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., accuracy_m: _Optional[float] = ..., altitude_m: _Optional[float] = ..., speed_mps: _Optional[float] = ..., course: _Optional[float] = ...) -> None: ...

class ReportBatchRequest(_message.Message):
    __slots__ = ["group_ids", "points"]
    GROUP_IDS_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    group_ids: _containers.RepeatedScalarFieldContainer[str]
    points: _containers.RepeatedCompositeFieldContainer[Position]
    def __init__(self, points: _Optional[_Iterable[_Union[Position, _Mapping]]] = ..., group_ids: _Optional[_Iterable[str]] = ...) -> None: ...

class ReportRequest(_message.Message):
    __slots__ = ["access_token", "group_ids", "points"]
    ACCESS_TOKEN_FIELD_NUMBER: _ClassVar[int]
    GROUP_IDS_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    access_token: str
    group_ids: _containers.RepeatedScalarFieldContainer[str]
    points: _containers.RepeatedCompositeFieldContainer[Position]
    def __init__(self, access_token: _Optional[str] = ..., points: _Optional[_Iterable[_Union[Position, _Mapping]]] = ..., group_ids: _Optional[_Iterable[str]] = ...) -> None: ...

class ReportSummary(_message.Message):
    __slots__ = ["accepted", "duplicate", "groups", "not_kept", "out_of_order", "stale", "too_fast", "wrong_coordinates", "wrong_measurement", "wrong_time"]
    ACCEPTED_FIELD_NUMBER: _ClassVar[int]
    DUPLICATE_FIELD_NUMBER: _ClassVar[int]
    GROUPS_FIELD_NUMBER: _ClassVar[int]
    NOT_KEPT_FIELD_NUMBER: _ClassVar[int]
    OUT_OF_ORDER_FIELD_NUMBER: _ClassVar[int]
    STALE_FIELD_NUMBER: _ClassVar[int]
    TOO_FAST_FIELD_NUMBER: _ClassVar[int]
    WRONG_COORDINATES_FIELD_NUMBER: _ClassVar[int]
    WRONG_MEASUREMENT_FIELD_NUMBER: _ClassVar[int]
    WRONG_TIME_FIELD_NUMBER: _ClassVar[int]
    accepted: int
    duplicate: int
    groups: int
    not_kept: int
    out_of_order: int
    stale: int
    too_fast: int
    wrong_coordinates: int
    wrong_measurement: int
    wrong_time: int
    def __init__(self, accepted: _Optional[int] = ..., out_of_order: _Optional[int] = ..., duplicate: _Optional[int] = ..., stale: _Optional[int] = ..., wrong_time: _Optional[int] = ..., wrong_coordinates: _Optional[int] = ..., wrong_measurement: _Optional[int] = ..., too_fast: _Optional[int] = ..., groups: _Optional[int] = ..., not_kept: _Optional[int] = ...) -> None: ...

class Retention(_message.Message):
    __slots__ = ["days"]
    DAYS_FIELD_NUMBER: _ClassVar[int]
    days: int
    def __init__(self, days: _Optional[int] = ...) -> None: ...

class SetRetentionRequest(_message.Message):
    __slots__ = ["days", "request_id"]
    DAYS_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    days: int
    request_id: str
    def __init__(self, days: _Optional[int] = ..., request_id: _Optional[str] = ...) -> None: ...

class StartSharingRequest(_message.Message):
    __slots__ = ["group_ids", "request_id"]
    GROUP_IDS_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    group_ids: _containers.RepeatedScalarFieldContainer[str]
    request_id: str
    def __init__(self, group_ids: _Optional[_Iterable[str]] = ..., request_id: _Optional[str] = ...) -> None: ...

class StartSharingResponse(_message.Message):
    __slots__ = ["members"]
    MEMBERS_FIELD_NUMBER: _ClassVar[int]
    members: _containers.RepeatedCompositeFieldContainer[Member]
    def __init__(self, members: _Optional[_Iterable[_Union[Member, _Mapping]]] = ...) -> None: ...

class StopSharingRequest(_message.Message):
    __slots__ = ["group_ids", "request_id"]
    GROUP_IDS_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    group_ids: _containers.RepeatedScalarFieldContainer[str]
    request_id: str
    def __init__(self, group_ids: _Optional[_Iterable[str]] = ..., request_id: _Optional[str] = ...) -> None: ...

class StopSharingResponse(_message.Message):
    __slots__ = ["members"]
    MEMBERS_FIELD_NUMBER: _ClassVar[int]
    members: _containers.RepeatedCompositeFieldContainer[Member]
    def __init__(self, members: _Optional[_Iterable[_Union[Member, _Mapping]]] = ...) -> None: ...

class StorageFigures(_message.Message):
    __slots__ = ["path_positions", "path_positions_of_day", "places"]
    PATH_POSITIONS_FIELD_NUMBER: _ClassVar[int]
    PATH_POSITIONS_OF_DAY_FIELD_NUMBER: _ClassVar[int]
    PLACES_FIELD_NUMBER: _ClassVar[int]
    path_positions: int
    path_positions_of_day: int
    places: int
    def __init__(self, places: _Optional[int] = ..., path_positions_of_day: _Optional[int] = ..., path_positions: _Optional[int] = ...) -> None: ...

class WatchEnd(_message.Message):
    __slots__ = ["group_id", "reason"]
    GROUP_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    group_id: str
    reason: WatchEndReason
    def __init__(self, group_id: _Optional[str] = ..., reason: _Optional[_Union[WatchEndReason, str]] = ...) -> None: ...

class WatchGroupsRequest(_message.Message):
    __slots__ = ["access_token", "groups"]
    ACCESS_TOKEN_FIELD_NUMBER: _ClassVar[int]
    GROUPS_FIELD_NUMBER: _ClassVar[int]
    access_token: str
    groups: _containers.RepeatedCompositeFieldContainer[WatchedGroup]
    def __init__(self, access_token: _Optional[str] = ..., groups: _Optional[_Iterable[_Union[WatchedGroup, _Mapping]]] = ...) -> None: ...

class WatchPosition(_message.Message):
    __slots__ = ["groups"]
    GROUPS_FIELD_NUMBER: _ClassVar[int]
    groups: _containers.RepeatedCompositeFieldContainer[WatchedGroup]
    def __init__(self, groups: _Optional[_Iterable[_Union[WatchedGroup, _Mapping]]] = ...) -> None: ...

class WatchRequest(_message.Message):
    __slots__ = ["access_token", "add", "drop_group_ids"]
    ACCESS_TOKEN_FIELD_NUMBER: _ClassVar[int]
    ADD_FIELD_NUMBER: _ClassVar[int]
    DROP_GROUP_IDS_FIELD_NUMBER: _ClassVar[int]
    access_token: str
    add: _containers.RepeatedCompositeFieldContainer[WatchedGroup]
    drop_group_ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, access_token: _Optional[str] = ..., add: _Optional[_Iterable[_Union[WatchedGroup, _Mapping]]] = ..., drop_group_ids: _Optional[_Iterable[str]] = ...) -> None: ...

class WatchResponse(_message.Message):
    __slots__ = ["changes", "end", "position", "resumed", "snapshot"]
    CHANGES_FIELD_NUMBER: _ClassVar[int]
    END_FIELD_NUMBER: _ClassVar[int]
    POSITION_FIELD_NUMBER: _ClassVar[int]
    RESUMED_FIELD_NUMBER: _ClassVar[int]
    SNAPSHOT_FIELD_NUMBER: _ClassVar[int]
    changes: MemberChanges
    end: WatchEnd
    position: WatchPosition
    resumed: WatchedGroup
    snapshot: GroupSnapshot
    def __init__(self, snapshot: _Optional[_Union[GroupSnapshot, _Mapping]] = ..., resumed: _Optional[_Union[WatchedGroup, _Mapping]] = ..., changes: _Optional[_Union[MemberChanges, _Mapping]] = ..., end: _Optional[_Union[WatchEnd, _Mapping]] = ..., position: _Optional[_Union[WatchPosition, _Mapping]] = ...) -> None: ...

class WatchedGroup(_message.Message):
    __slots__ = ["after", "epoch", "group_id"]
    AFTER_FIELD_NUMBER: _ClassVar[int]
    EPOCH_FIELD_NUMBER: _ClassVar[int]
    GROUP_ID_FIELD_NUMBER: _ClassVar[int]
    after: int
    epoch: int
    group_id: str
    def __init__(self, group_id: _Optional[str] = ..., after: _Optional[int] = ..., epoch: _Optional[int] = ...) -> None: ...

class MemberState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class Warning(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class SnapshotReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class PlaceEventKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class WatchEndReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []
