import FieldViolations
import TTRPC
import TandemChat

extension Chat {
  /// Sends what happens in some conversations, in which the caller is online meanwhile ([TR-31], [TR-32]).
  package func follow(
    _ call: FollowRequest, _ responses: MessageWriter<ChatEvent>, _ context: CallContext
  ) async throws {
    let user = try context.userID
    if call.conversations.isEmpty {
      throw BadFields("conversations", "Name the conversations to follow", ChatReason.conversationsRequired)
    }
    if call.conversations.count > StreamLimits.conversations {
      throw BadFields(
        "conversations", "At most \(StreamLimits.conversations) conversations can be followed",
        ChatReason.tooManyConversations)
    }
    try await streams.with(user) {
      let stream = ChatStream(self, of: user, responses, context)
      stream.proved(by: call.accessToken)
      defer { stream.end() }
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await stream.write() }
        group.addTask {
          for conversation in call.conversations { try await stream.open(conversation) }
        }
        defer { group.cancelAll() }
        // Each ends the call by what it throws; one that has opened everything has nothing more to do.
        while try await group.next() != nil {}
      }
    }
  }
}
