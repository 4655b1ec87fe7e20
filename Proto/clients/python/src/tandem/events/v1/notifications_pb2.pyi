from google.protobuf import timestamp_pb2 as _timestamp_pb2
from tandem.rpc.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class NotificationRequested(_message.Message):
    __slots__ = ["arrived_late", "arrived_on_time", "book_requested", "chat_message", "check_in_missed", "import_ended", "journey_ended", "journey_started", "loan_cancelled", "loan_declared_lost", "loan_declared_returned", "loan_due", "loan_last_call", "loan_overdue", "loan_recalled", "not_arrived", "notification_key", "partner_checked_in", "partner_missed", "pickup_changed", "pickup_named", "place_left", "place_offered", "place_reached", "place_withdrawn", "recipient_ids", "recipient_subjects", "request_accepted", "request_declined", "return_confirmed", "session_cancelled", "session_ended", "session_excused", "session_found", "session_lapsed", "session_matched", "session_not_repeated", "session_reminder", "session_soon", "session_started", "sos_started", "sos_stopped", "sos_went_offline", "standing_still", "subject", "went_offline"]
    class BookNews(_message.Message):
        __slots__ = ["title", "user_id"]
        TITLE_FIELD_NUMBER: _ClassVar[int]
        USER_ID_FIELD_NUMBER: _ClassVar[int]
        title: str
        user_id: str
        def __init__(self, title: _Optional[str] = ..., user_id: _Optional[str] = ...) -> None: ...
    class ChatNews(_message.Message):
        __slots__ = ["conversation", "sender_id"]
        CONVERSATION_FIELD_NUMBER: _ClassVar[int]
        SENDER_ID_FIELD_NUMBER: _ClassVar[int]
        conversation: str
        sender_id: str
        def __init__(self, sender_id: _Optional[str] = ..., conversation: _Optional[str] = ...) -> None: ...
    class CheckInMissed(_message.Message):
        __slots__ = ["bar_end_time"]
        BAR_END_TIME_FIELD_NUMBER: _ClassVar[int]
        bar_end_time: _timestamp_pb2.Timestamp
        def __init__(self, bar_end_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...
    class ImportNews(_message.Message):
        __slots__ = ["outcome", "tracker"]
        OUTCOME_FIELD_NUMBER: _ClassVar[int]
        TRACKER_FIELD_NUMBER: _ClassVar[int]
        outcome: str
        tracker: str
        def __init__(self, tracker: _Optional[str] = ..., outcome: _Optional[str] = ...) -> None: ...
    class MatchNews(_message.Message):
        __slots__ = ["gym", "partner_id", "start_time"]
        GYM_FIELD_NUMBER: _ClassVar[int]
        PARTNER_ID_FIELD_NUMBER: _ClassVar[int]
        START_TIME_FIELD_NUMBER: _ClassVar[int]
        gym: str
        partner_id: str
        start_time: _timestamp_pb2.Timestamp
        def __init__(self, partner_id: _Optional[str] = ..., start_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., gym: _Optional[str] = ...) -> None: ...
    class Meeting(_message.Message):
        __slots__ = ["gym", "partner_id"]
        GYM_FIELD_NUMBER: _ClassVar[int]
        PARTNER_ID_FIELD_NUMBER: _ClassVar[int]
        gym: str
        partner_id: str
        def __init__(self, partner_id: _Optional[str] = ..., gym: _Optional[str] = ...) -> None: ...
    class MemberNews(_message.Message):
        __slots__ = ["member_id"]
        MEMBER_ID_FIELD_NUMBER: _ClassVar[int]
        member_id: str
        def __init__(self, member_id: _Optional[str] = ...) -> None: ...
    class PlaceNews(_message.Message):
        __slots__ = ["member_id", "place"]
        MEMBER_ID_FIELD_NUMBER: _ClassVar[int]
        PLACE_FIELD_NUMBER: _ClassVar[int]
        member_id: str
        place: str
        def __init__(self, member_id: _Optional[str] = ..., place: _Optional[str] = ...) -> None: ...
    class SessionCancelled(_message.Message):
        __slots__ = ["partner_id", "start_time"]
        PARTNER_ID_FIELD_NUMBER: _ClassVar[int]
        START_TIME_FIELD_NUMBER: _ClassVar[int]
        partner_id: str
        start_time: _timestamp_pb2.Timestamp
        def __init__(self, partner_id: _Optional[str] = ..., start_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...
    class SessionNews(_message.Message):
        __slots__ = ["gym", "start_time"]
        GYM_FIELD_NUMBER: _ClassVar[int]
        START_TIME_FIELD_NUMBER: _ClassVar[int]
        gym: str
        start_time: _timestamp_pb2.Timestamp
        def __init__(self, start_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., gym: _Optional[str] = ...) -> None: ...
    ARRIVED_LATE_FIELD_NUMBER: _ClassVar[int]
    ARRIVED_ON_TIME_FIELD_NUMBER: _ClassVar[int]
    BOOK_REQUESTED_FIELD_NUMBER: _ClassVar[int]
    CHAT_MESSAGE_FIELD_NUMBER: _ClassVar[int]
    CHECK_IN_MISSED_FIELD_NUMBER: _ClassVar[int]
    IMPORT_ENDED_FIELD_NUMBER: _ClassVar[int]
    JOURNEY_ENDED_FIELD_NUMBER: _ClassVar[int]
    JOURNEY_STARTED_FIELD_NUMBER: _ClassVar[int]
    LOAN_CANCELLED_FIELD_NUMBER: _ClassVar[int]
    LOAN_DECLARED_LOST_FIELD_NUMBER: _ClassVar[int]
    LOAN_DECLARED_RETURNED_FIELD_NUMBER: _ClassVar[int]
    LOAN_DUE_FIELD_NUMBER: _ClassVar[int]
    LOAN_LAST_CALL_FIELD_NUMBER: _ClassVar[int]
    LOAN_OVERDUE_FIELD_NUMBER: _ClassVar[int]
    LOAN_RECALLED_FIELD_NUMBER: _ClassVar[int]
    NOTIFICATION_KEY_FIELD_NUMBER: _ClassVar[int]
    NOT_ARRIVED_FIELD_NUMBER: _ClassVar[int]
    PARTNER_CHECKED_IN_FIELD_NUMBER: _ClassVar[int]
    PARTNER_MISSED_FIELD_NUMBER: _ClassVar[int]
    PICKUP_CHANGED_FIELD_NUMBER: _ClassVar[int]
    PICKUP_NAMED_FIELD_NUMBER: _ClassVar[int]
    PLACE_LEFT_FIELD_NUMBER: _ClassVar[int]
    PLACE_OFFERED_FIELD_NUMBER: _ClassVar[int]
    PLACE_REACHED_FIELD_NUMBER: _ClassVar[int]
    PLACE_WITHDRAWN_FIELD_NUMBER: _ClassVar[int]
    RECIPIENT_IDS_FIELD_NUMBER: _ClassVar[int]
    RECIPIENT_SUBJECTS_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ACCEPTED_FIELD_NUMBER: _ClassVar[int]
    REQUEST_DECLINED_FIELD_NUMBER: _ClassVar[int]
    RETURN_CONFIRMED_FIELD_NUMBER: _ClassVar[int]
    SESSION_CANCELLED_FIELD_NUMBER: _ClassVar[int]
    SESSION_ENDED_FIELD_NUMBER: _ClassVar[int]
    SESSION_EXCUSED_FIELD_NUMBER: _ClassVar[int]
    SESSION_FOUND_FIELD_NUMBER: _ClassVar[int]
    SESSION_LAPSED_FIELD_NUMBER: _ClassVar[int]
    SESSION_MATCHED_FIELD_NUMBER: _ClassVar[int]
    SESSION_NOT_REPEATED_FIELD_NUMBER: _ClassVar[int]
    SESSION_REMINDER_FIELD_NUMBER: _ClassVar[int]
    SESSION_SOON_FIELD_NUMBER: _ClassVar[int]
    SESSION_STARTED_FIELD_NUMBER: _ClassVar[int]
    SOS_STARTED_FIELD_NUMBER: _ClassVar[int]
    SOS_STOPPED_FIELD_NUMBER: _ClassVar[int]
    SOS_WENT_OFFLINE_FIELD_NUMBER: _ClassVar[int]
    STANDING_STILL_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_FIELD_NUMBER: _ClassVar[int]
    WENT_OFFLINE_FIELD_NUMBER: _ClassVar[int]
    arrived_late: NotificationRequested.MemberNews
    arrived_on_time: NotificationRequested.MemberNews
    book_requested: NotificationRequested.BookNews
    chat_message: NotificationRequested.ChatNews
    check_in_missed: NotificationRequested.CheckInMissed
    import_ended: NotificationRequested.ImportNews
    journey_ended: NotificationRequested.MemberNews
    journey_started: NotificationRequested.MemberNews
    loan_cancelled: NotificationRequested.BookNews
    loan_declared_lost: NotificationRequested.BookNews
    loan_declared_returned: NotificationRequested.BookNews
    loan_due: NotificationRequested.BookNews
    loan_last_call: NotificationRequested.BookNews
    loan_overdue: NotificationRequested.BookNews
    loan_recalled: NotificationRequested.BookNews
    not_arrived: NotificationRequested.MemberNews
    notification_key: str
    partner_checked_in: NotificationRequested.Meeting
    partner_missed: NotificationRequested.MatchNews
    pickup_changed: NotificationRequested.BookNews
    pickup_named: NotificationRequested.BookNews
    place_left: NotificationRequested.PlaceNews
    place_offered: NotificationRequested.SessionNews
    place_reached: NotificationRequested.PlaceNews
    place_withdrawn: NotificationRequested.SessionNews
    recipient_ids: _containers.RepeatedScalarFieldContainer[str]
    recipient_subjects: _containers.RepeatedScalarFieldContainer[str]
    request_accepted: NotificationRequested.BookNews
    request_declined: NotificationRequested.BookNews
    return_confirmed: NotificationRequested.BookNews
    session_cancelled: NotificationRequested.SessionCancelled
    session_ended: NotificationRequested.SessionNews
    session_excused: NotificationRequested.SessionNews
    session_found: NotificationRequested.SessionNews
    session_lapsed: NotificationRequested.SessionNews
    session_matched: NotificationRequested.MatchNews
    session_not_repeated: NotificationRequested.SessionNews
    session_reminder: NotificationRequested.Meeting
    session_soon: NotificationRequested.MatchNews
    session_started: NotificationRequested.Meeting
    sos_started: NotificationRequested.MemberNews
    sos_stopped: NotificationRequested.MemberNews
    sos_went_offline: NotificationRequested.MemberNews
    standing_still: NotificationRequested.MemberNews
    subject: str
    went_offline: NotificationRequested.MemberNews
    def __init__(self, notification_key: _Optional[str] = ..., recipient_ids: _Optional[_Iterable[str]] = ..., subject: _Optional[str] = ..., recipient_subjects: _Optional[_Iterable[str]] = ..., session_cancelled: _Optional[_Union[NotificationRequested.SessionCancelled, _Mapping]] = ..., partner_checked_in: _Optional[_Union[NotificationRequested.Meeting, _Mapping]] = ..., session_started: _Optional[_Union[NotificationRequested.Meeting, _Mapping]] = ..., check_in_missed: _Optional[_Union[NotificationRequested.CheckInMissed, _Mapping]] = ..., session_reminder: _Optional[_Union[NotificationRequested.Meeting, _Mapping]] = ..., place_offered: _Optional[_Union[NotificationRequested.SessionNews, _Mapping]] = ..., session_found: _Optional[_Union[NotificationRequested.SessionNews, _Mapping]] = ..., session_not_repeated: _Optional[_Union[NotificationRequested.SessionNews, _Mapping]] = ..., session_matched: _Optional[_Union[NotificationRequested.MatchNews, _Mapping]] = ..., partner_missed: _Optional[_Union[NotificationRequested.MatchNews, _Mapping]] = ..., session_lapsed: _Optional[_Union[NotificationRequested.SessionNews, _Mapping]] = ..., session_excused: _Optional[_Union[NotificationRequested.SessionNews, _Mapping]] = ..., session_ended: _Optional[_Union[NotificationRequested.SessionNews, _Mapping]] = ..., place_withdrawn: _Optional[_Union[NotificationRequested.SessionNews, _Mapping]] = ..., session_soon: _Optional[_Union[NotificationRequested.MatchNews, _Mapping]] = ..., book_requested: _Optional[_Union[NotificationRequested.BookNews, _Mapping]] = ..., request_declined: _Optional[_Union[NotificationRequested.BookNews, _Mapping]] = ..., request_accepted: _Optional[_Union[NotificationRequested.BookNews, _Mapping]] = ..., loan_due: _Optional[_Union[NotificationRequested.BookNews, _Mapping]] = ..., loan_overdue: _Optional[_Union[NotificationRequested.BookNews, _Mapping]] = ..., loan_recalled: _Optional[_Union[NotificationRequested.BookNews, _Mapping]] = ..., loan_cancelled: _Optional[_Union[NotificationRequested.BookNews, _Mapping]] = ..., pickup_changed: _Optional[_Union[NotificationRequested.BookNews, _Mapping]] = ..., pickup_named: _Optional[_Union[NotificationRequested.BookNews, _Mapping]] = ..., return_confirmed: _Optional[_Union[NotificationRequested.BookNews, _Mapping]] = ..., loan_last_call: _Optional[_Union[NotificationRequested.BookNews, _Mapping]] = ..., loan_declared_lost: _Optional[_Union[NotificationRequested.BookNews, _Mapping]] = ..., loan_declared_returned: _Optional[_Union[NotificationRequested.BookNews, _Mapping]] = ..., sos_started: _Optional[_Union[NotificationRequested.MemberNews, _Mapping]] = ..., sos_stopped: _Optional[_Union[NotificationRequested.MemberNews, _Mapping]] = ..., journey_started: _Optional[_Union[NotificationRequested.MemberNews, _Mapping]] = ..., journey_ended: _Optional[_Union[NotificationRequested.MemberNews, _Mapping]] = ..., arrived_on_time: _Optional[_Union[NotificationRequested.MemberNews, _Mapping]] = ..., arrived_late: _Optional[_Union[NotificationRequested.MemberNews, _Mapping]] = ..., standing_still: _Optional[_Union[NotificationRequested.MemberNews, _Mapping]] = ..., not_arrived: _Optional[_Union[NotificationRequested.MemberNews, _Mapping]] = ..., went_offline: _Optional[_Union[NotificationRequested.MemberNews, _Mapping]] = ..., chat_message: _Optional[_Union[NotificationRequested.ChatNews, _Mapping]] = ..., place_reached: _Optional[_Union[NotificationRequested.PlaceNews, _Mapping]] = ..., place_left: _Optional[_Union[NotificationRequested.PlaceNews, _Mapping]] = ..., import_ended: _Optional[_Union[NotificationRequested.ImportNews, _Mapping]] = ..., sos_went_offline: _Optional[_Union[NotificationRequested.MemberNews, _Mapping]] = ...) -> None: ...
