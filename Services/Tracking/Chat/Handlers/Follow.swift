import FieldViolations
import Identifiers
import TTRPC
import TandemChat

extension Chat {
  /// Sends what happens in some conversations, in which the caller is online meanwhile ([TR-31], [TR-32]).
  package func follow(
    _ call: FollowRequest, _ responses: MessageWriter<ChatEvent>, _ context: CallContext
  ) async throws {
    let user = try context.userID
    let starts = try Self.starts(call.conversations)
    try await streams.with(user) {
      let stream = ChatStream(self, of: user, responses, context)
      streams.heard(user, at: clock.now)
      defer { stream.end(heardAt: streams.lastHeard(user)?.at) }
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await stream.write() }
        group.addTask { try await watchSilence(of: user) }
        group.addTask { try await stream.openAll(starts) }
        defer { group.cancelAll() }
        // Each ends the call by what it throws; one that has opened everything has nothing more to do.
        while try await group.next() != nil {}
      }
    }
  }

  /// Ends the stream of a client that calls no method of the chat ([TR-31]).
  private func watchSilence(of user: UserID) async throws {
    while true {
      let since = streams.lastHeard(user)?.since ?? .now
      guard ContinuousClock.now - since < settings.silence else { throw Status.clientSilent }
      try await Task.sleep(until: since + settings.silence, clock: .continuous)
    }
  }

  /// Parses the conversations to follow, all of them before any is begun ([C-2]).
  private static func starts(_ conversations: [TandemChat.OpenConversation]) throws -> [ConversationStart] {
    var bad = Violations()
    if conversations.isEmpty {
      bad.add("conversations", "Name the conversations to follow", ChatReason.conversationsRequired)
    }
    if conversations.count > StreamLimits.conversations {
      bad.add(
        "conversations", "At most \(StreamLimits.conversations) conversations can be followed",
        ChatReason.tooManyConversations)
    }
    try bad.check()
    let starts = conversations.enumerated().compactMap { place, conversation in
      bad.conversationStart(conversation, in: "conversations[\(place)].")
    }
    try bad.check()
    return starts
  }
}
