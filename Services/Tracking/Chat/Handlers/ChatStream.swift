import ChatDomain
import FieldViolations
import Identifiers
import Synchronization
import TTRPC
import TandemChat
import TrackingStore

/// One stream of a user, of Connect or Follow: the conversations that it has open, and what waits for its client.
final class ChatStream: Sendable {
  private struct OpenConversation {
    let id: UInt64
    let reader: ConversationReader
  }

  let userID: UserID
  let queue = EventQueue()
  private let chat: Chat
  private let responses: MessageWriter<ChatEvent>
  private let context: CallContext
  private let open = Mutex<[ConversationID: OpenConversation]>([:])
  private let token = Mutex("")

  init(_ chat: Chat, of userID: UserID, _ responses: MessageWriter<ChatEvent>, _ context: CallContext) {
    (self.chat, self.userID, self.responses, self.context) = (chat, userID, responses, context)
  }

  /// The token of the first message, for clients that send no metadata.
  func proved(by token: String) { self.token.withLock { $0 = token } }

  /// Passes on what waits for the client, until the stream is to end.
  func write() async throws {
    guard let id = chat.feeds.add(queue) else { throw Status.stopping }
    defer { chat.feeds.removeQueue(id) }
    for await _ in queue.wake {
      let events = try queue.take()
      // Looked at behind them: what happened after the token was revoked is not sent.
      try chat.streams.requireValidToken(context, orElse: token.withLock { $0 })
      for event in events { try await responses.send(event) }
      queue.passedOn(events.count)
      closeFormer()
    }
    // The service stops, or the call was cancelled, for which the runtime has its own status.
    throw Status.stopping
  }

  // MARK: Conversations

  /// Opens a conversation: the user is online there, and the client gets what it missed, and then what happens.
  ///
  /// - Throws: NOT_FOUND `CONVERSATION_NOT_FOUND`, before anything of it was sent; `StreamOpenings.Overloaded` of a stream that has nothing
  ///   open, which is to end then.
  func open(_ start: ConversationStart, tag: String = "") async throws {
    let (id, after) = (start.id, start.after)
    guard open.withLock({ $0.count < StreamLimits.conversations || $0[id] != nil }) else {
      throw Status.tooManyConversations
    }
    let isNew = open.withLock { $0.isEmpty }
    let access = try await chat.openings.inTurn(of: userID, isNew: isNew) {
      try await chat.access(of: userID, to: id)
    }
    // Presence is stored in batches of its own, for which no other stream is to wait.
    try await chat.presence.open(id, userID)
    // Only now, so that the user is online all along. Also one that was closed because the user was removed: it counts as open until it is
    // forgotten.
    if let former = open.withLock({ $0[id]?.reader }) {
      former.retire()
      close(id, former)
    }
    let (reader, place) = add(id, access, after)
    do {
      let (found, members, epoch, known) = try await chat.beginnings.inTurn(of: userID, isNew: false) {
        try await begin(reader, place, as: access.firstSequence)
      }
      reader.fold(found.hidden.all(from: userID), since: found.memberVersion)
      let opened = Opened(
        members: members.map { Member($0, for: userID, found.hidden) }, position: found.position.wire(of: epoch))
      guard reader.open(opened, tag: tag) else { throw ChatRefusal.noSuchConversation }
      if after == nil { reader.skip(to: found.position) }
      try await catchUp(reader, to: [found.position, known], found.memberVersion)
    } catch {
      close(id, reader)
      throw error
    }
  }

  /// Reads a conversation for a reader that was added before, so that it gets whatever happens later.
  ///
  /// - Returns: with it the epoch of its numbers, and up to where the reader's feed has read.
  /// - Throws: NOT_FOUND `CONVERSATION_NOT_FOUND` if the user is no longer the member whose first message the reader may see ([TR-34]).
  private func begin(
    _ reader: ConversationReader, _ place: UInt64, as firstSequence: Int64
  ) async throws -> (FoundConversation, [MembersOfConversation.Row], epoch: Int64, known: ChatPosition) {
    while true {
      let members = try await chat.database.rows(MembersOfConversation(conversationID: reader.conversationID))
      guard let own = members.first(where: { $0.userID == userID }), own.firstSequence == firstSequence else {
        throw ChatRefusal.noSuchConversation
      }
      let found = FoundConversation(own, members)
      switch chat.feeds.begin(reader, place, found) {
      case .begun(let known): return (found, members, own.epoch, known)
      case .isOutdated: continue
      case .isRemoved: throw ChatRefusal.noSuchConversation
      }
    }
  }

  /// Opens those of some conversations that are there, and says of each other one that it is closed.
  ///
  /// - Throws: NOT_FOUND `CONVERSATION_NOT_FOUND` where none is there.
  func openAll(_ starts: [ConversationStart]) async throws {
    var isAnyOpen = false
    for start in starts {
      do {
        try await open(start)
        isAnyOpen = true
      } catch ChatRefusal.noSuchConversation {
        queue.put(ChatEvent(conversationID: start.id.description, event: .closed(Closed(reason: .notFound))))
      }
    }
    if !isAnyOpen { throw ChatRefusal.noSuchConversation }
  }

  /// - Returns: the reader, and its number among all.
  private func add(
    _ id: ConversationID, _ access: MemberAccess.Row, _ after: KnownPosition?
  ) -> (ConversationReader, UInt64) {
    let head = ChatPosition(sequence: access.lastSequence, revision: access.lastRevision)
    let start = after?.start(in: access.epoch, before: head)
    let reader = ConversationReader(
      of: id, by: userID, kind: access.kind, from: access.firstSequence, epoch: access.epoch, at: start ?? head,
      queue: queue)
    let place = chat.feeds.add(reader)
    open.withLock { $0[id] = OpenConversation(id: place, reader: reader) }
    return (reader, place)
  }

  /// Sends what the client missed, page by page as it reads, until it gets things as they happen. It goes through the queue like everything else,
  /// so that the events of a conversation have one order.
  ///
  /// - Parameters:
  ///   - heads: where the conversation was once the reader got what happens, and where its feed was: a client that knows all up to there has
  ///     missed nothing.
  ///   - known: the version of the members when the user was last known to be one of them.
  private func catchUp(_ reader: ConversationReader, to heads: [ChatPosition], _ known: Int64) async throws {
    var known = known
    let start = reader.position
    var isComplete = !heads.contains { start.lacks($0.sequence, $0.revision) }
    // Each conversation that is opened is told of, whether or not its client reads.
    try await queue.waitForClient()
    repeat {
      while !isComplete {
        try await queue.waitForClient()
        let read = try await chat.database.messages(
          of: reader.conversationID, after: reader.position, from: reader.firstSequence)
        guard !reader.isClosed else { return }
        if let version = read.memberVersion, version != known {
          // A member who was removed meanwhile gets nothing that was sent afterwards ([TR-34]).
          let now = try await chat.database.first(MemberAccess(conversationID: reader.conversationID, userID: userID))
          guard now?.firstSequence == reader.firstSequence else {
            reader.close(.notAMember)
            return
          }
          known = version
        }
        reader.add(read.messages, folding: try await chat.database.hidden(from: userID, of: read.messages))
        isComplete = read.isComplete
      }
      isComplete = false
    } while !reader.goLive()
  }

  /// Closes a conversation because the client asks for it.
  func close(_ text: String, tag: String) throws {
    var bad = Violations()
    let id = try bad.all(bad.conversationID(text, "close_conversation_id"))
    guard let reader = open.withLock({ $0[id]?.reader }) else { throw ChatRefusal.noSuchConversation }
    reader.close(.requested, tag: tag)
    close(id, reader)
  }

  /// - Parameter heardAt: until when the client was reachable for certain; by default it is now.
  private func close(_ id: ConversationID, _ reader: ConversationReader, heardAt: Instant? = nil) {
    let closed = open.withLock { open -> OpenConversation? in
      guard open[id]?.reader === reader else { return nil }
      return open.removeValue(forKey: id)
    }
    guard let closed else { return }
    chat.feeds.remove(closed.id, of: id)
    chat.presence.close(id, userID, heardAt: heardAt ?? chat.clock.now)
  }

  /// Forgets conversations that were closed because the user is no longer a member.
  private func closeFormer() {
    let closed = open.withLock { open in open.filter { $0.value.reader.isClosed } }
    for (id, conversation) in closed { close(id, conversation.reader) }
  }

  /// Whether the stream has the conversation open.
  func hasOpen(_ id: ConversationID) -> Bool { open.withLock { $0[id].map { !$0.reader.isClosed } ?? false } }

  /// Closes all conversations; called when the stream ends.
  ///
  /// - Parameter heardAt: until when the client was reachable for certain; `nil` for one that has ended the stream by itself.
  func end(heardAt: Instant?) {
    for (id, conversation) in open.withLock({ $0 }) { close(id, conversation.reader, heardAt: heardAt) }
  }
}

extension TandemChat.OpenConversation {
  /// The conversation, and up to where the client has it.
  package var start: ConversationStart {
    get throws {
      var bad = Violations()
      return try bad.all(bad.conversationStart(self))
    }
  }
}

/// A conversation that a client opens.
package struct ConversationStart: Sendable {
  package let id: ConversationID
  /// Up to where the client knows it; `nil` for what happens from now on.
  package let after: KnownPosition?
}

/// Up to where a client knows a conversation, as it was told.
package struct KnownPosition: Sendable, Hashable {
  package let position: ChatPosition
  /// Of the numbers; 0 if the client does not know.
  package let epoch: Int64

  /// - Returns: `nil` for numbers that none is.
  init?(_ wire: Position) {
    guard wire.sequence >= 0, wire.revision >= 0, wire.epoch >= 0 else { return nil }
    (position, epoch) = (ChatPosition(sequence: wire.sequence, revision: wire.revision), wire.epoch)
  }

  /// From where the client lacks what is there.
  ///
  /// - Parameter head: where the conversation is.
  func start(in epoch: Int64, before head: ChatPosition) -> ChatPosition {
    // The database was restored since then: what was sent after its backup is gone, and its numbers are those of other messages.
    guard self.epoch == 0 || self.epoch == epoch else { return .beginning }
    // Of a client that does not know: a position beyond the last message would never be reached.
    return ChatPosition(
      sequence: min(position.sequence, head.sequence), revision: min(position.revision, head.revision))
  }
}

extension Violations {
  /// Parses a conversation to open.
  ///
  /// - Parameter path: what comes before the names of its fields.
  mutating func conversationStart(_ call: TandemChat.OpenConversation, in path: String = "") -> ConversationStart? {
    let id = conversationID(call.conversationID, path + "conversation_id")
    let after = call.after.flatMap { KnownPosition($0) }
    if call.after != nil, after == nil {
      add(path + "after", "A position is not negative", ChatReason.positionInvalid)
    }
    return id.map { ConversationStart(id: $0, after: after) }
  }
}

extension Status {
  fileprivate static let tooManyConversations = Status(
    ChatReason.tooManyConversations, "A stream has at most \(StreamLimits.conversations) conversations open")
}
