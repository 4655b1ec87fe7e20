from google.protobuf import timestamp_pb2 as _timestamp_pb2
from tandem.rpc.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

CLOSE_REASON_NOT_A_MEMBER: CloseReason
CLOSE_REASON_NOT_FOUND: CloseReason
CLOSE_REASON_REQUESTED: CloseReason
CLOSE_REASON_UNSPECIFIED: CloseReason
CONVERSATION_KIND_DIRECT: ConversationKind
CONVERSATION_KIND_GROUP: ConversationKind
CONVERSATION_KIND_UNSPECIFIED: ConversationKind
DESCRIPTOR: _descriptor.FileDescriptor
PICTURE_SIZE_FULL: PictureSize
PICTURE_SIZE_THUMBNAIL_256: PictureSize
PICTURE_SIZE_THUMBNAIL_64: PictureSize
PICTURE_SIZE_UNSPECIFIED: PictureSize
SYSTEM_NOTICE_JOINED: SystemNotice
SYSTEM_NOTICE_LEFT: SystemNotice
SYSTEM_NOTICE_UNSPECIFIED: SystemNotice

class ChatEvent(_message.Message):
    __slots__ = ["closed", "conversation_id", "message", "opened", "presence", "read_mark", "refusal", "sent", "tag", "typing_user_id"]
    CLOSED_FIELD_NUMBER: _ClassVar[int]
    CONVERSATION_ID_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    OPENED_FIELD_NUMBER: _ClassVar[int]
    PRESENCE_FIELD_NUMBER: _ClassVar[int]
    READ_MARK_FIELD_NUMBER: _ClassVar[int]
    REFUSAL_FIELD_NUMBER: _ClassVar[int]
    SENT_FIELD_NUMBER: _ClassVar[int]
    TAG_FIELD_NUMBER: _ClassVar[int]
    TYPING_USER_ID_FIELD_NUMBER: _ClassVar[int]
    closed: Closed
    conversation_id: str
    message: MessageEvent
    opened: Opened
    presence: Presence
    read_mark: ReadMark
    refusal: Refusal
    sent: SendMessageResponse
    tag: str
    typing_user_id: str
    def __init__(self, conversation_id: _Optional[str] = ..., tag: _Optional[str] = ..., opened: _Optional[_Union[Opened, _Mapping]] = ..., closed: _Optional[_Union[Closed, _Mapping]] = ..., message: _Optional[_Union[MessageEvent, _Mapping]] = ..., presence: _Optional[_Union[Presence, _Mapping]] = ..., typing_user_id: _Optional[str] = ..., read_mark: _Optional[_Union[ReadMark, _Mapping]] = ..., sent: _Optional[_Union[SendMessageResponse, _Mapping]] = ..., refusal: _Optional[_Union[Refusal, _Mapping]] = ...) -> None: ...

class Closed(_message.Message):
    __slots__ = ["reason"]
    REASON_FIELD_NUMBER: _ClassVar[int]
    reason: CloseReason
    def __init__(self, reason: _Optional[_Union[CloseReason, str]] = ...) -> None: ...

class ConnectRequest(_message.Message):
    __slots__ = ["access_token", "close_conversation_id", "mark_read", "open", "send", "tag", "typing_conversation_id"]
    ACCESS_TOKEN_FIELD_NUMBER: _ClassVar[int]
    CLOSE_CONVERSATION_ID_FIELD_NUMBER: _ClassVar[int]
    MARK_READ_FIELD_NUMBER: _ClassVar[int]
    OPEN_FIELD_NUMBER: _ClassVar[int]
    SEND_FIELD_NUMBER: _ClassVar[int]
    TAG_FIELD_NUMBER: _ClassVar[int]
    TYPING_CONVERSATION_ID_FIELD_NUMBER: _ClassVar[int]
    access_token: str
    close_conversation_id: str
    mark_read: MarkReadRequest
    open: OpenConversation
    send: SendMessageRequest
    tag: str
    typing_conversation_id: str
    def __init__(self, access_token: _Optional[str] = ..., tag: _Optional[str] = ..., open: _Optional[_Union[OpenConversation, _Mapping]] = ..., close_conversation_id: _Optional[str] = ..., send: _Optional[_Union[SendMessageRequest, _Mapping]] = ..., typing_conversation_id: _Optional[str] = ..., mark_read: _Optional[_Union[MarkReadRequest, _Mapping]] = ...) -> None: ...

class Conversation(_message.Message):
    __slots__ = ["conversation_id", "first_sequence", "kind", "last_message", "last_sequence", "name", "other_user_id", "read_sequence", "unread_count"]
    CONVERSATION_ID_FIELD_NUMBER: _ClassVar[int]
    FIRST_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    LAST_MESSAGE_FIELD_NUMBER: _ClassVar[int]
    LAST_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    OTHER_USER_ID_FIELD_NUMBER: _ClassVar[int]
    READ_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    UNREAD_COUNT_FIELD_NUMBER: _ClassVar[int]
    conversation_id: str
    first_sequence: int
    kind: ConversationKind
    last_message: Message
    last_sequence: int
    name: str
    other_user_id: str
    read_sequence: int
    unread_count: int
    def __init__(self, conversation_id: _Optional[str] = ..., kind: _Optional[_Union[ConversationKind, str]] = ..., name: _Optional[str] = ..., other_user_id: _Optional[str] = ..., last_sequence: _Optional[int] = ..., last_message: _Optional[_Union[Message, _Mapping]] = ..., first_sequence: _Optional[int] = ..., read_sequence: _Optional[int] = ..., unread_count: _Optional[int] = ...) -> None: ...

class DeleteMessageRequest(_message.Message):
    __slots__ = ["conversation_id", "request_id", "sequence"]
    CONVERSATION_ID_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    conversation_id: str
    request_id: str
    sequence: int
    def __init__(self, conversation_id: _Optional[str] = ..., sequence: _Optional[int] = ..., request_id: _Optional[str] = ...) -> None: ...

class DownloadPictureRequest(_message.Message):
    __slots__ = ["access_token", "conversation_id", "picture_id", "size"]
    ACCESS_TOKEN_FIELD_NUMBER: _ClassVar[int]
    CONVERSATION_ID_FIELD_NUMBER: _ClassVar[int]
    PICTURE_ID_FIELD_NUMBER: _ClassVar[int]
    SIZE_FIELD_NUMBER: _ClassVar[int]
    access_token: str
    conversation_id: str
    picture_id: str
    size: PictureSize
    def __init__(self, conversation_id: _Optional[str] = ..., picture_id: _Optional[str] = ..., size: _Optional[_Union[PictureSize, str]] = ..., access_token: _Optional[str] = ...) -> None: ...

class DownloadPictureResponse(_message.Message):
    __slots__ = ["chunk", "picture"]
    CHUNK_FIELD_NUMBER: _ClassVar[int]
    PICTURE_FIELD_NUMBER: _ClassVar[int]
    chunk: bytes
    picture: Picture
    def __init__(self, picture: _Optional[_Union[Picture, _Mapping]] = ..., chunk: _Optional[bytes] = ...) -> None: ...

class EditMessageRequest(_message.Message):
    __slots__ = ["conversation_id", "request_id", "sequence", "text"]
    CONVERSATION_ID_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    conversation_id: str
    request_id: str
    sequence: int
    text: str
    def __init__(self, conversation_id: _Optional[str] = ..., sequence: _Optional[int] = ..., text: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class FollowRequest(_message.Message):
    __slots__ = ["access_token", "conversations"]
    ACCESS_TOKEN_FIELD_NUMBER: _ClassVar[int]
    CONVERSATIONS_FIELD_NUMBER: _ClassVar[int]
    access_token: str
    conversations: _containers.RepeatedCompositeFieldContainer[OpenConversation]
    def __init__(self, conversations: _Optional[_Iterable[_Union[OpenConversation, _Mapping]]] = ..., access_token: _Optional[str] = ...) -> None: ...

class FoundMessage(_message.Message):
    __slots__ = ["conversation_id", "message"]
    CONVERSATION_ID_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    conversation_id: str
    message: Message
    def __init__(self, conversation_id: _Optional[str] = ..., message: _Optional[_Union[Message, _Mapping]] = ...) -> None: ...

class GetConversationRequest(_message.Message):
    __slots__ = ["conversation_id"]
    CONVERSATION_ID_FIELD_NUMBER: _ClassVar[int]
    conversation_id: str
    def __init__(self, conversation_id: _Optional[str] = ...) -> None: ...

class GetMessageRequest(_message.Message):
    __slots__ = ["conversation_id", "sequence"]
    CONVERSATION_ID_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    conversation_id: str
    sequence: int
    def __init__(self, conversation_id: _Optional[str] = ..., sequence: _Optional[int] = ...) -> None: ...

class GetOrCreateDirectConversationRequest(_message.Message):
    __slots__ = ["request_id", "user_id"]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    user_id: str
    def __init__(self, user_id: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

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

class ListConversationsRequest(_message.Message):
    __slots__ = ["page_size", "page_token"]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListConversationsResponse(_message.Message):
    __slots__ = ["conversations", "next_page_token"]
    CONVERSATIONS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    conversations: _containers.RepeatedCompositeFieldContainer[Conversation]
    next_page_token: str
    def __init__(self, conversations: _Optional[_Iterable[_Union[Conversation, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ListMembersRequest(_message.Message):
    __slots__ = ["conversation_id"]
    CONVERSATION_ID_FIELD_NUMBER: _ClassVar[int]
    conversation_id: str
    def __init__(self, conversation_id: _Optional[str] = ...) -> None: ...

class ListMembersResponse(_message.Message):
    __slots__ = ["members"]
    MEMBERS_FIELD_NUMBER: _ClassVar[int]
    members: _containers.RepeatedCompositeFieldContainer[Member]
    def __init__(self, members: _Optional[_Iterable[_Union[Member, _Mapping]]] = ...) -> None: ...

class ListMessagesRequest(_message.Message):
    __slots__ = ["after", "before", "conversation_id", "page_size"]
    AFTER_FIELD_NUMBER: _ClassVar[int]
    BEFORE_FIELD_NUMBER: _ClassVar[int]
    CONVERSATION_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    after: int
    before: int
    conversation_id: str
    page_size: int
    def __init__(self, conversation_id: _Optional[str] = ..., before: _Optional[int] = ..., after: _Optional[int] = ..., page_size: _Optional[int] = ...) -> None: ...

class ListMessagesResponse(_message.Message):
    __slots__ = ["has_more", "messages"]
    HAS_MORE_FIELD_NUMBER: _ClassVar[int]
    MESSAGES_FIELD_NUMBER: _ClassVar[int]
    has_more: bool
    messages: _containers.RepeatedCompositeFieldContainer[Message]
    def __init__(self, messages: _Optional[_Iterable[_Union[Message, _Mapping]]] = ..., has_more: bool = ...) -> None: ...

class MarkReadRequest(_message.Message):
    __slots__ = ["conversation_id", "request_id", "sequence"]
    CONVERSATION_ID_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    conversation_id: str
    request_id: str
    sequence: int
    def __init__(self, conversation_id: _Optional[str] = ..., sequence: _Optional[int] = ..., request_id: _Optional[str] = ...) -> None: ...

class MarkReadResponse(_message.Message):
    __slots__ = ["read_sequence", "unread_count"]
    READ_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    UNREAD_COUNT_FIELD_NUMBER: _ClassVar[int]
    read_sequence: int
    unread_count: int
    def __init__(self, read_sequence: _Optional[int] = ..., unread_count: _Optional[int] = ...) -> None: ...

class Member(_message.Message):
    __slots__ = ["online", "read_sequence", "user_id"]
    ONLINE_FIELD_NUMBER: _ClassVar[int]
    READ_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    online: bool
    read_sequence: int
    user_id: str
    def __init__(self, user_id: _Optional[str] = ..., online: bool = ..., read_sequence: _Optional[int] = ...) -> None: ...

class Message(_message.Message):
    __slots__ = ["client_message_id", "create_time", "delete_time", "edit_time", "folded", "notice", "picture_id", "reactions", "reply_to_sequence", "sender_id", "sequence", "text"]
    CLIENT_MESSAGE_ID_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    DELETE_TIME_FIELD_NUMBER: _ClassVar[int]
    EDIT_TIME_FIELD_NUMBER: _ClassVar[int]
    FOLDED_FIELD_NUMBER: _ClassVar[int]
    NOTICE_FIELD_NUMBER: _ClassVar[int]
    PICTURE_ID_FIELD_NUMBER: _ClassVar[int]
    REACTIONS_FIELD_NUMBER: _ClassVar[int]
    REPLY_TO_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    SENDER_ID_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    client_message_id: str
    create_time: _timestamp_pb2.Timestamp
    delete_time: _timestamp_pb2.Timestamp
    edit_time: _timestamp_pb2.Timestamp
    folded: bool
    notice: SystemNotice
    picture_id: str
    reactions: _containers.RepeatedCompositeFieldContainer[Reaction]
    reply_to_sequence: int
    sender_id: str
    sequence: int
    text: str
    def __init__(self, sequence: _Optional[int] = ..., sender_id: _Optional[str] = ..., text: _Optional[str] = ..., notice: _Optional[_Union[SystemNotice, str]] = ..., create_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., edit_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., delete_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., reply_to_sequence: _Optional[int] = ..., picture_id: _Optional[str] = ..., reactions: _Optional[_Iterable[_Union[Reaction, _Mapping]]] = ..., client_message_id: _Optional[str] = ..., folded: bool = ...) -> None: ...

class MessageEvent(_message.Message):
    __slots__ = ["message", "position"]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    POSITION_FIELD_NUMBER: _ClassVar[int]
    message: Message
    position: Position
    def __init__(self, message: _Optional[_Union[Message, _Mapping]] = ..., position: _Optional[_Union[Position, _Mapping]] = ...) -> None: ...

class OpenConversation(_message.Message):
    __slots__ = ["after", "conversation_id"]
    AFTER_FIELD_NUMBER: _ClassVar[int]
    CONVERSATION_ID_FIELD_NUMBER: _ClassVar[int]
    after: Position
    conversation_id: str
    def __init__(self, conversation_id: _Optional[str] = ..., after: _Optional[_Union[Position, _Mapping]] = ...) -> None: ...

class Opened(_message.Message):
    __slots__ = ["members", "position"]
    MEMBERS_FIELD_NUMBER: _ClassVar[int]
    POSITION_FIELD_NUMBER: _ClassVar[int]
    members: _containers.RepeatedCompositeFieldContainer[Member]
    position: Position
    def __init__(self, members: _Optional[_Iterable[_Union[Member, _Mapping]]] = ..., position: _Optional[_Union[Position, _Mapping]] = ...) -> None: ...

class Picture(_message.Message):
    __slots__ = ["picture_id", "renditions", "upload_time"]
    PICTURE_ID_FIELD_NUMBER: _ClassVar[int]
    RENDITIONS_FIELD_NUMBER: _ClassVar[int]
    UPLOAD_TIME_FIELD_NUMBER: _ClassVar[int]
    picture_id: str
    renditions: _containers.RepeatedCompositeFieldContainer[PictureRendition]
    upload_time: _timestamp_pb2.Timestamp
    def __init__(self, picture_id: _Optional[str] = ..., renditions: _Optional[_Iterable[_Union[PictureRendition, _Mapping]]] = ..., upload_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class PictureRendition(_message.Message):
    __slots__ = ["byte_count", "height", "media_type", "size", "width"]
    BYTE_COUNT_FIELD_NUMBER: _ClassVar[int]
    HEIGHT_FIELD_NUMBER: _ClassVar[int]
    MEDIA_TYPE_FIELD_NUMBER: _ClassVar[int]
    SIZE_FIELD_NUMBER: _ClassVar[int]
    WIDTH_FIELD_NUMBER: _ClassVar[int]
    byte_count: int
    height: int
    media_type: str
    size: PictureSize
    width: int
    def __init__(self, size: _Optional[_Union[PictureSize, str]] = ..., media_type: _Optional[str] = ..., width: _Optional[int] = ..., height: _Optional[int] = ..., byte_count: _Optional[int] = ...) -> None: ...

class Position(_message.Message):
    __slots__ = ["epoch", "revision", "sequence"]
    EPOCH_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    epoch: int
    revision: int
    sequence: int
    def __init__(self, sequence: _Optional[int] = ..., revision: _Optional[int] = ..., epoch: _Optional[int] = ...) -> None: ...

class Presence(_message.Message):
    __slots__ = ["online", "text", "user_id"]
    ONLINE_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    online: bool
    text: str
    user_id: str
    def __init__(self, user_id: _Optional[str] = ..., online: bool = ..., text: _Optional[str] = ...) -> None: ...

class ReactRequest(_message.Message):
    __slots__ = ["conversation_id", "emoji", "request_id", "sequence"]
    CONVERSATION_ID_FIELD_NUMBER: _ClassVar[int]
    EMOJI_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    conversation_id: str
    emoji: str
    request_id: str
    sequence: int
    def __init__(self, conversation_id: _Optional[str] = ..., sequence: _Optional[int] = ..., emoji: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class Reaction(_message.Message):
    __slots__ = ["emoji", "user_id"]
    EMOJI_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    emoji: str
    user_id: str
    def __init__(self, user_id: _Optional[str] = ..., emoji: _Optional[str] = ...) -> None: ...

class ReadMark(_message.Message):
    __slots__ = ["sequence", "user_id"]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    sequence: int
    user_id: str
    def __init__(self, user_id: _Optional[str] = ..., sequence: _Optional[int] = ...) -> None: ...

class Refusal(_message.Message):
    __slots__ = ["client_message_id", "code", "description", "fields", "reason"]
    CLIENT_MESSAGE_ID_FIELD_NUMBER: _ClassVar[int]
    CODE_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    FIELDS_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    client_message_id: str
    code: int
    description: str
    fields: _containers.RepeatedScalarFieldContainer[str]
    reason: str
    def __init__(self, code: _Optional[int] = ..., reason: _Optional[str] = ..., description: _Optional[str] = ..., fields: _Optional[_Iterable[str]] = ..., client_message_id: _Optional[str] = ...) -> None: ...

class SearchMessagesRequest(_message.Message):
    __slots__ = ["conversation_id", "page_size", "page_token", "query"]
    CONVERSATION_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    QUERY_FIELD_NUMBER: _ClassVar[int]
    conversation_id: str
    page_size: int
    page_token: str
    query: str
    def __init__(self, query: _Optional[str] = ..., conversation_id: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class SearchMessagesResponse(_message.Message):
    __slots__ = ["messages", "next_page_token", "notice"]
    MESSAGES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    NOTICE_FIELD_NUMBER: _ClassVar[int]
    messages: _containers.RepeatedCompositeFieldContainer[FoundMessage]
    next_page_token: str
    notice: str
    def __init__(self, messages: _Optional[_Iterable[_Union[FoundMessage, _Mapping]]] = ..., next_page_token: _Optional[str] = ..., notice: _Optional[str] = ...) -> None: ...

class SendMessageRequest(_message.Message):
    __slots__ = ["client_message_id", "conversation_id", "picture_id", "reply_to_sequence", "text"]
    CLIENT_MESSAGE_ID_FIELD_NUMBER: _ClassVar[int]
    CONVERSATION_ID_FIELD_NUMBER: _ClassVar[int]
    PICTURE_ID_FIELD_NUMBER: _ClassVar[int]
    REPLY_TO_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    client_message_id: str
    conversation_id: str
    picture_id: str
    reply_to_sequence: int
    text: str
    def __init__(self, conversation_id: _Optional[str] = ..., client_message_id: _Optional[str] = ..., text: _Optional[str] = ..., reply_to_sequence: _Optional[int] = ..., picture_id: _Optional[str] = ...) -> None: ...

class SendMessageResponse(_message.Message):
    __slots__ = ["client_message_id", "create_time", "sequence"]
    CLIENT_MESSAGE_ID_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    client_message_id: str
    create_time: _timestamp_pb2.Timestamp
    sequence: int
    def __init__(self, client_message_id: _Optional[str] = ..., sequence: _Optional[int] = ..., create_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class StorageFigures(_message.Message):
    __slots__ = ["bytes", "messages", "pictures"]
    BYTES_FIELD_NUMBER: _ClassVar[int]
    MESSAGES_FIELD_NUMBER: _ClassVar[int]
    PICTURES_FIELD_NUMBER: _ClassVar[int]
    bytes: int
    messages: int
    pictures: int
    def __init__(self, messages: _Optional[int] = ..., bytes: _Optional[int] = ..., pictures: _Optional[int] = ...) -> None: ...

class UploadPictureRequest(_message.Message):
    __slots__ = ["access_token", "chunk", "conversation_id"]
    ACCESS_TOKEN_FIELD_NUMBER: _ClassVar[int]
    CHUNK_FIELD_NUMBER: _ClassVar[int]
    CONVERSATION_ID_FIELD_NUMBER: _ClassVar[int]
    access_token: str
    chunk: bytes
    conversation_id: str
    def __init__(self, chunk: _Optional[bytes] = ..., conversation_id: _Optional[str] = ..., access_token: _Optional[str] = ...) -> None: ...

class ConversationKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class SystemNotice(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class CloseReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class PictureSize(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []
