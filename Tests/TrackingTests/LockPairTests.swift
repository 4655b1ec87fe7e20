import Blocks
import Foundation
import Identifiers
import Postgres
import TTRPC
import TandemTracking
import TestServices
import TestSupport
import Testing
import TrackingDomain
import TrackingStore

/// Every two acts that lock users, their trackers or groups meet at each row that a third transaction holds: both have locked by then what they
/// lock before it. If one waits for it with what the other needs next, and the other comes first, the server finds a deadlock.
@Suite("every two acts meet", .timeLimit(.minutes(10)))
struct LockPairTests {
  /// What one user, who is on a journey that two groups see, does, or has done; and another member of both.
  enum Act: CaseIterable, Sendable {
    case report
    case otherReports
    case share
    case stopSharing
    case stopJourney
    case alarm
    case otherAlarms
    case addPlace
    case look
    case leaveGroup
    case otherJoins
    case deleteAccount
    case block
    case rename
  }

  /// A row.
  enum Place: CaseIterable, Sendable {
    case user
    case tracker
    case group
  }

  /// The users and groups of one meeting.
  struct Scene: Sendable {
    let tracking: RunningTracking
    let user: TestUser
    let other: TestUser
    let groups: [GroupID]
    let newcomers: GroupID
  }

  @Test("[TR-2] [TR-4] [TR-5] B9: every two acts of members of the same groups meet at each row and never deadlock")
  func meetings() async throws {
    try await TestDatabase.with([RunningTracking.schema]) { database in
      // A look comes when an act says so.
      try await RunningTracking.with(on: database, ManualClock(), ["--look-interval", "100ms"]) { tracking in
        var number = 0
        for place in Place.allCases {
          for first in Act.allCases {
            for second in Act.allCases where second != first {
              let scene = try await Self.scene(number, tracking)
              try await scene.meet([first, second], at: place)
              number += 1
            }
          }
        }
        #expect(
          try await tracking.value("select deadlocks from pg_stat_database where datname = current_database()") == "0")
      }
      #expect(try await database.loggedDeadlocks() ?? [] == [])
    }
  }

  private static func scene(_ number: Int, _ tracking: RunningTracking) async throws -> Scene {
    let (user, other) = (TestUser.one(number * 2), TestUser.one(number * 2 + 1))
    var groups: [GroupID] = []
    for place in 0..<2 {
      groups.append(try await tracking.group(UInt64(number * 3 + place + 1), of: [user, other]))
    }
    let newcomers = try await tracking.group(UInt64(number * 3 + 3), of: [user])
    try await tracking.depart(seenBy: groups, as: user)
    try await tracking.share(with: groups, as: other)
    for one in [user, other] { try await tracking.report(52.4, 13.4, as: one) }
    tracking.clock.advance(by: .seconds(1))
    return Scene(tracking: tracking, user: user, other: other, groups: groups, newcomers: newcomers)
  }
}

extension LockPairTests.Scene {
  /// Begins two acts, one after the other, while a transaction holds the row of `place`.
  func meet(_ acts: [LockPairTests.Act], at place: LockPairTests.Place) async throws {
    try await tracking.database.meet(acts, at: "\(place)", through: tracking.own) {
      try await $0.execute(Hold(place, id: id(of: place)))
    } perform: {
      try await perform($0)
    }
  }

  private func id(of place: LockPairTests.Place) -> UUID7 {
    switch place {
    case .user, .tracker: user.id.uuid
    case .group: groups[0].uuid
    }
  }

  private func perform(_ act: LockPairTests.Act) async throws {
    let (journeys, own) = (tracking.journeys, tracking.own)
    switch act {
    case .report: try await tracking.report(52.5, 13.4, as: user)
    case .otherReports: try await tracking.report(52.5, 13.4, as: other)
    case .share: try await tracking.share(with: groups, as: user)
    case .stopSharing: try await tracking.stopSharing(with: [groups[1]], as: user)
    case .stopJourney: _ = try await journeys.stopJourney(StopJourneyRequest(), user.options)
    case .alarm: _ = try await journeys.startSOS(StartSOSRequest(), user.options)
    case .otherAlarms: _ = try await journeys.startSOS(StartSOSRequest(), other.options)
    case .addPlace:
      _ = try await PlacesClient(tracking.client).createPlace(
        CreatePlaceRequest(
          place: NamedPlace(name: "Home", point: Place(latitude: 52.5, longitude: 13.4), radiusM: 100)),
        user.options)
    case .look:
      let ids = "('\(user.id)', '\(other.id)')"
      try await tracking.sql("update trackers set check_at = '2000-01-01' where user_id in \(ids)")
      try await until("there was a look") {
        try await tracking.value(
          "select count(*) from trackers where user_id in \(ids) and check_at = '2000-01-01'") == "0"
      }
    case .leaveGroup: try await tracking.remove(user, from: groups[0])
    case .otherJoins:
      try await own.write(
        AddMemberships(
          groupIDs: [newcomers], userIDs: [other.id],
          membershipIDs: [MembershipID(Device.newID())], joinedAts: [tracking.clock.now]))
    case .deleteAccount:
      try await own.repeatableTransaction { tx in
        for removal in TrackingSchema.removals { try await tx.remove(user.id, by: removal) }
      }
    case .block: try await tracking.block(Block(of: other.id, by: user.id))
    case .rename: try await tracking.rename(user, to: "renamed")
    }
  }
}

/// Locks a row until the transaction ends.
private struct Hold: Statement {
  typealias Row = Void
  // Which table it is decides the place.
  static let sql = """
    with one as (update users set username = username where id = $1 and $2 = 'user'),
      two as (update trackers set check_at = check_at where user_id = $1 and $2 = 'tracker')
    update groups set name = name where id = $1 and $2 = 'group'
    """
  let id: UUID7
  let place: String

  init(_ place: LockPairTests.Place, id: UUID7) { (self.id, self.place) = (id, "\(place)") }

  func bind(_ p: inout Parameters) {
    p.append(id)
    p.append(place)
  }
}
