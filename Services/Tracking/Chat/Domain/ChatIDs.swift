public import Identifiers

/// A conversation of a group, whose id it has, or of two users.
public enum ChatConversation {}
public typealias ConversationID = Identifier<ChatConversation>
/// The id that a sender's client gives a message.
public enum ClientMessage {}
public typealias ClientMessageID = Identifier<ClientMessage>
/// A picture that was uploaded to a conversation.
public enum ChatPicture {}
public typealias ChatPictureID = Identifier<ChatPicture>
/// A process of the service.
public enum Replica {}
public typealias ReplicaID = Identifier<Replica>
