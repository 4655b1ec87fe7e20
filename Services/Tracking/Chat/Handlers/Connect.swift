import ChatDomain
import ChatOperations
import FieldViolations
import Identifiers
import StreamPlaces
import Synchronization
import TTRPC
import TandemChat

extension Chat {
  /// Serves a device: opens conversations, sends and receives ([TR-31], [TR-32]).
  package func connect(
    _ requests: MessageStream<ConnectRequest>, _ responses: MessageWriter<ChatEvent>, _ context: CallContext
  ) async throws {
    let user = try context.userID
    try await streams.with(user) {
      let connection = Connection(self, ChatStream(self, of: user, responses, context))
      defer { connection.end() }
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await connection.stream.write() }
        group.addTask { try await connection.watchSilence() }
        group.addTask { try await connection.read(requests) }
        defer { group.cancelAll() }
        // The client has finished, or one of them failed.
        try await group.next()
      }
    }
  }
}

/// The client's side of a stream of Connect.
private final class Connection: Sendable {
  let stream: ChatStream
  private let chat: Chat
  /// When the client was heard last; `nil` while it waits for the service.
  private let heard = Mutex<ContinuousClock.Instant?>(.now)
  /// The same by the service's clock; `nil` once the client has ended the stream.
  private let heardAt: Mutex<Instant?>
  private let typed = Mutex<[ConversationID: ContinuousClock.Instant]>([:])

  init(_ chat: Chat, _ stream: ChatStream) {
    (self.chat, self.stream) = (chat, stream)
    heardAt = Mutex(chat.clock.now)
  }

  /// Called when the stream ends.
  func end() { stream.end(heardAt: heardAt.withLock { $0 }) }

  func read(_ requests: MessageStream<ConnectRequest>) async throws {
    var isFirst = true
    for try await request in requests {
      heard.withLock { $0 = nil }
      heardAt.withLock { $0 = chat.clock.now }
      if isFirst { stream.proved(by: request.accessToken) }
      isFirst = false
      try await answer(request)
      heard.withLock { $0 = .now }
    }
    heardAt.withLock { $0 = nil }
  }

  /// Ends the stream of a client that sends nothing ([TR-31]).
  func watchSilence() async throws {
    let limit = chat.settings.silence
    while true {
      let since = heard.withLock { $0 } ?? .now
      guard ContinuousClock.now - since < limit else { throw Status.clientSilent }
      try await Task.sleep(until: since + limit, clock: .continuous)
    }
  }

  /// Does what a message asks for. A refusal is an event; only what ends the call is thrown.
  private func answer(_ call: ConnectRequest) async throws {
    let tag = String(call.tag.unicodeScalars.prefix(StreamLimits.tag))
    do {
      switch call.request {
      case .open(let open):
        var bad = Violations()
        try await stream.open(try bad.all(bad.conversationStart(open)), tag: tag)
      case .closeConversationID(let id): try stream.close(id, tag: tag)
      case .send(let message):
        let sent = try await chat.send(message, as: stream.userID)
        stream.queue.put(ChatEvent(conversationID: message.conversationID, tag: tag, event: .sent(sent)))
      case .typingConversationID(let id): try type(in: id)
      case .markRead(let mark): try await chat.markRead(mark, as: stream.userID)
      case nil: break
      }
    } catch let late as StreamOpenings.Overloaded {
      // With nothing open the stream is of no use, and its client comes again as after any other end.
      throw late
    } catch let error as any StatusConvertible { refuse(call, tag, error.status) } catch let status as Status
      where status.code != .cancelled && status.code != .deadlineExceeded
    { refuse(call, tag, status) }
  }

  private func type(in text: String) throws {
    var bad = Violations()
    let id = try bad.all(bad.conversationID(text, "typing_conversation_id"))
    guard stream.hasOpen(id) else { throw ChatRefusal.noSuchConversation }
    let isTold = typed.withLock { typed in
      let now = ContinuousClock.now
      if let last = typed[id], now - last < StreamLimits.typing { return false }
      typed[id] = now
      return true
    }
    if isTold { chat.operations.signals.send(.typing(id, stream.userID)) }
  }

  private func refuse(_ call: ConnectRequest, _ tag: String, _ status: Status) {
    var refusal = Refusal(
      code: Int32(status.code.rawValue), reason: status.errorInfo?.reason ?? "", description: status.message,
      fields: status.badRequest?.fieldViolations.map(\.field) ?? [])
    var conversation = ""
    switch call.request {
    case .open(let open): conversation = open.conversationID
    case .closeConversationID(let id), .typingConversationID(let id): conversation = id
    case .markRead(let mark): conversation = mark.conversationID
    case .send(let message):
      conversation = message.conversationID
      refusal.clientMessageID = message.clientMessageID
    case nil: break
    }
    stream.queue.put(ChatEvent(conversationID: conversation, tag: tag, event: .refusal(refusal)))
  }
}
