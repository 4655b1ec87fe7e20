import TTRPC
import TandemChat
import TandemIdentity
import TandemTracking
import TestServices
import TestSupport
import Testing

@testable import tracking

@Suite("the chat and invitations", .timeLimit(.minutes(5)))
struct ChatInvitationTests {
  @Test("[ID-43] [TR-30] who is invited to a group sees and shows nothing of its chat until accepting")
  func invited() async throws {
    try await TrackingSuite.with { suite in
      let (ada, alan, grace) = (
        try await suite.users.join("ada"), try await suite.users.join("alan"), try await suite.users.join("grace")
      )
      let group = try await suite.group(of: [ada, alan])
      let invitation = try await suite.groups.addGroupMember(
        AddGroupMemberRequest(groupID: group, email: "grace@example.com"), ada.options)
      try await suite.withChat { chat, locations in
        try await suite.wait(for: locations, toShow: 2, of: group, to: ada)
        let events = Gathered<ChatEvent>()
        try await withThrowingTaskGroup(of: Void.self) { tasks in
          tasks.addTask {
            let call = FollowRequest(conversations: [OpenConversation(conversationID: group)])
            try await chat.follow(call, ada.options) { for try await event in $0 { events.add(event) } }
          }
          try await until("she is connected") { !events.all.isEmpty }
          let refused = try await refusals(
            chat, grace,
            [
              .open(OpenConversation(conversationID: group)), .typingConversationID(group),
              .markRead(MarkReadRequest(conversationID: group, sequence: 1)),
            ])
          #expect(refused == ["CONVERSATION_NOT_FOUND", "CONVERSATION_NOT_FOUND", "CONVERSATION_NOT_FOUND"])
          let members = try await chat.listMembers(ListMembersRequest(conversationID: group), ada.options).members
          #expect(Set(members.map(\.userID)) == [ada.id, alan.id])
          _ = try await suite.invitations.acceptInvitation(
            AcceptInvitationRequest(invitationID: invitation.invitationID), grace.options)
          try await until("the group is told") {
            events.all.contains {
              if case .message(let news) = $0.event { news.message?.senderID == grace.id } else { false }
            }
          }
          #expect(try await refusals(chat, grace, [.open(OpenConversation(conversationID: group))]) == [])
          let before = events.all.prefix {
            if case .message(let news) = $0.event { news.message?.senderID != grace.id } else { true }
          }
          #expect(!"\(before)".contains(grace.id), "nothing of her before she accepted")
          tasks.cancelAll()
          while let result = await tasks.nextResult() {
            if case .failure(let error) = result, !(error is CancellationError), !(error is Status) { throw error }
          }
        }
      }
    }
  }

  /// Sends requests on a stream of a user; the reasons of those that are refused.
  private func refusals(
    _ chat: ChatClient, _ member: ThreeServices.Member, _ requests: [ConnectRequest.Request]
  ) async throws -> [String] {
    try await chat.connect(member.options) { writer, events in
      for request in requests { try await writer.send(ConnectRequest(tag: "asked", request: request)) }
      // Refused, and in the order of the others.
      try await writer.send(ConnectRequest(tag: "last", request: .closeConversationID("x")))
      var reasons: [String] = []
      for try await event in events {
        if event.tag == "last" { break }
        if case .refusal(let refusal) = event.event { reasons.append(refusal.reason) }
      }
      return reasons
    }
  }
}

extension TrackingSuite {
  /// Runs `body` with tracking in this process.
  fileprivate func withChat(_ body: @escaping @Sendable (ChatClient, LocationsClient) async throws -> Void) async throws
  {
    try await RunningService.with(
      Tracking.self, on: users.database, certificates: certificates,
      ["--identity-address", "127.0.0.1:\(identityPort)"]
    ) { try await body(ChatClient($0.client), LocationsClient($0.client)) }
  }
}
