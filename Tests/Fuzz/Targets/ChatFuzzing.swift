import ChatDomain
import ChatHandlers
import ChatOperations
import Identifiers
import TandemChat

/// What clients send to the chat, and what replicas tell each other of it.
enum ChatFuzzing {
  private static let user = UserID(UUID7(high: 0x0190_0000_0000_7000, low: 0x8000_0000_0000_0001))

  static func run(_ bytes: UnsafeRawBufferPointer) {
    RequestFuzzing.run(readings, bytes)
    if let signal = ChatSignal(Array(bytes)) {
      precondition(signal.bytes == Array(bytes), "a signal is read as another")
    }
  }

  private static let readings: [RequestFuzzing.Reading] = [
    RequestFuzzing.reading(ConnectRequest.self) { call in
      switch call.request {
      case .open(let open): try look(open)
      case .send(let message): try look(message)
      case .closeConversationID(let id), .typingConversationID(let id): _ = ConversationID(id)
      case .markRead(let mark): _ = ConversationID(mark.conversationID)
      case nil: break
      }
    },
    RequestFuzzing.reading(FollowRequest.self) { for open in $0.conversations.prefix(500) { try look(open) } },
    RequestFuzzing.reading(SendMessageRequest.self) { try look($0) },
    RequestFuzzing.reading(EditMessageRequest.self) { look($0.text) },
    RequestFuzzing.reading(DeleteMessageRequest.self),
    RequestFuzzing.reading(ReactRequest.self) { call in
      guard let emoji = Emoji(call.emoji) else { return }
      precondition(emoji.text.count == 1 && emoji.text.utf8.count > 1, "not one emoji: \(emoji.text)")
    },
    RequestFuzzing.reading(MarkReadRequest.self),
    RequestFuzzing.reading(ListMessagesRequest.self),
    RequestFuzzing.reading(GetMessageRequest.self),
    RequestFuzzing.reading(SearchMessagesRequest.self) { call in
      guard case .success(let words) = SearchWords.read(call.query) else { return }
      precondition((1...200).contains(words.text.unicodeScalars.count))
    },
    RequestFuzzing.reading(ListConversationsRequest.self),
    RequestFuzzing.reading(GetOrCreateDirectConversationRequest.self) { _ = UserID($0.userID) },
    RequestFuzzing.reading(UploadPictureRequest.self),
    RequestFuzzing.reading(DownloadPictureRequest.self),
  ]

  private static func look(_ open: OpenConversation) throws {
    let start = try open.start
    guard let after = start.after else { return }
    precondition(after.position.sequence >= 0 && after.position.revision >= 0 && after.epoch >= 0)
  }

  private static func look(_ call: SendMessageRequest) throws {
    let message = try NewMessage(call, of: user)
    precondition(!message.text.isEmpty || message.pictureID != nil, "a message without content")
    precondition(message.text.unicodeScalars.count <= 4_000)
    look(message.text)
  }

  /// A text that is stored is what it is read as again: it is composed, and has nothing that others do not see.
  private static func look(_ text: String) {
    guard case .success(let read) = MessageText.read(text) else { return }
    guard case .success(let again) = MessageText.read(read.text) else {
      preconditionFailure("a text that was stored is refused: \(read.text.debugDescription)")
    }
    precondition(again.text == read.text, "a stored text is read as another one")
  }
}
