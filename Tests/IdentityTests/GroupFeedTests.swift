import Postgres
import TTRPC
import TandemIdentity
import TestServices
import TestSupport
import Testing

/// The events for services that show groups live. That they disconnect a removed member is their own rule.
@Suite("groups as other services know them", .timeLimit(.minutes(5)))
struct GroupFeedTests {
  /// Runs `body` with identity and a service that follows its groups.
  private static func with(
    _ body:
      @escaping @Sendable (RunningIdentity, _ mirrored: @escaping @Sendable () async throws -> [[String?]]) async throws
      -> Void
  ) async throws {
    try await TestDatabase.with([RunningIdentity.schema, Mirror.schema]) { database in
      let certificates = try SuiteCertificates()
      try await RunningIdentity.with(on: database, clock: ManualClock(), certificates: certificates) { identity in
        try await RunningService.with(Mirror.self, database, certificates, identity: identity) { _ in
          try await body(identity) {
            try await identity.sql("select group_id, person, membership from tracking.members order by 1, 2")
          }
        }
      }
    }
  }

  @Test("[ID-43] whoever follows groups knows who joins, who is removed and who comes back, one after the other")
  func follows() async throws {
    try await Self.with { identity, mirrored in
      let (ada, grace) = (try await identity.loggedIn(), try await identity.loggedIn(.grace))
      func users(_ expected: [LoginResponse]) async throws {
        let wanted = Set(expected.map { Optional($0.userID) })
        _ = try await eventually("the other service knows \(wanted)") {
          Set(try await mirrored().map { $0[1] }) == wanted ? true : nil
        }
      }

      let id = try await identity.group(of: ada)
      try await users([ada])
      try await identity.add(.grace, to: id, by: ada)
      try await users([ada, grace])
      let first = try await mirrored().first { $0[1] == grace.userID }?[2]
      _ = try await identity.groups.removeGroupMember(
        RemoveGroupMemberRequest(groupID: id, userID: grace.userID), .user(ada))
      try await users([ada])
      try await identity.add(.grace, to: id, by: ada)
      try await users([ada, grace])
      // It is another membership: the event about the first must not end the second.
      #expect(try await mirrored().first { $0[1] == grace.userID }?[2] != first)
      _ = try await identity.groups.leaveGroup(LeaveGroupRequest(groupID: id), .user(ada))
      try await users([grace])
      _ = try await identity.accounts.deleteAccount(
        DeleteAccountRequest(password: User.grace.password), .user(grace))
      try await users([])
    }
  }

  @Test("[ID-43] dozens of changes at once reach whoever follows in an order that ends in what is stored")
  func race() async throws {
    try await Self.with { identity, mirrored in
      let logins = [
        try await identity.loggedIn(), try await identity.loggedIn(.grace), try await identity.loggedIn(.eve),
      ]
      let users = [User.ada, .grace, .eve]
      let id = try await identity.group(of: logins[0])
      try await identity.add(.grace, to: id, by: logins[0])
      let refusals = await withTaskGroup(of: Status?.self) { group in
        for caller in 0..<48 {
          group.addTask {
            let (actor, other) = (caller % 3, (caller + 1 + caller / 3 % 2) % 3)
            do {
              if caller % 2 == 0 {
                try await identity.add(users[other], to: id, by: logins[actor])
              } else {
                _ = try await identity.groups.removeGroupMember(
                  RemoveGroupMemberRequest(groupID: id, userID: logins[other].userID), .user(logins[actor]))
              }
              return nil
            } catch { return error as? Status ?? .unavailable("\(error)") }
          }
        }
        return await group.reduce(into: [Status]()) { found, status in if let status { found.append(status) } }
      }

      let expected: Set<Code> = [.permissionDenied, .notFound, .alreadyExists, .aborted]
      // On a busy machine some may have waited for too long.
      #expect(refusals.allSatisfy { expected.contains($0.code) || $0.isOfBusyDatabase }, "\(refusals)")
      let stored = try await identity.sql("select group_id, account_id, id from group_members order by 1, 2")
      _ = try await eventually("the other service knows the same") { try await mirrored() == stored ? true : nil }
    }
  }
}
