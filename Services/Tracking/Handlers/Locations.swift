import Environment
import Identifiers
import Postgres
import TTRPC
import TandemTracking
import TrackingDomain
import TrackingStore
import UserTokens

// The contract has types of the same names; in this module the names mean the domain's.
typealias MemberState = TrackingDomain.MemberState
typealias JourneyKind = TrackingDomain.JourneyKind
typealias JourneyOutcome = TrackingDomain.JourneyOutcome
typealias TravelMode = TrackingDomain.TravelMode

/// Positions of users, shared with groups; each method is in its own file.
package struct Locations: LocationsService {
  let database: Database
  let environment: Environment
  let trackers: Trackers
  let ingest: ReportIngest
  let feeds: GroupFeeds
  let streamTokens: StreamTokens

  /// - Parameters:
  ///   - feeds: the changes of groups that are watched here.
  ///   - streamTokens: ends streams whose tokens are no longer valid ([ID-7]).
  package init(
    database: Database, environment: Environment, trackers: Trackers, ingest: ReportIngest, feeds: GroupFeeds,
    streamTokens: StreamTokens
  ) {
    self.database = database
    self.environment = environment
    self.trackers = trackers
    self.ingest = ingest
    self.feeds = feeds
    self.streamTokens = streamTokens
  }

  /// Lets a user do something in some groups, in one transaction; returns the user as the groups see it then.
  func change(
    _ groups: [GroupID], of user: UserID, _ step: (inout Tracker, Transaction) async throws -> Void
  ) async throws -> [Member] {
    try await database.repeatableTransaction { tx in
      guard var tracker = try await trackers.locked(user, tx) else { throw Status.notAUser }
      guard Set(groups).isSubset(of: tracker.groups.map(\.groupID)) else { throw Status.noSuchGroup }
      try await step(&tracker, tx)
      try await trackers.store([tracker], tx)
    }
    let seen = try await snapshots(of: groups, for: user)
    return groups.compactMap { group in seen[group]?.members.first { $0.userID == user.description } }
  }
}
