import Environment
import Idempotency
import Identifiers
import Postgres
import ProtobufC
import StreamPlaces
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
  let idempotency: IdempotencyStore
  let trackers: Trackers
  let ingest: ReportIngest
  let feeds: GroupFeeds
  let streamTokens: StreamTokens
  /// Changes that may wait for one viewer.
  let watchQueue: Int
  /// Open streams of Watch and WatchGroups. Users have several devices, and gateways open a stream for each view.
  let watchPlaces = StreamPlaces(limit: 32, refusal: Status.tooManyStreams)
  /// Open streams of Report: one for each device, and those that a device has lost without a word.
  let reportPlaces = StreamPlaces(limit: 16, refusal: Status.tooManyStreams)

  /// - Parameters:
  ///   - feeds: the changes of groups that are watched here.
  ///   - streamTokens: ends streams whose tokens are no longer valid ([ID-7]).
  ///   - watchQueue: changes that may wait for one viewer; with more it gets a position to continue from.
  package init(
    database: Database, environment: Environment, idempotency: IdempotencyStore, trackers: Trackers,
    ingest: ReportIngest, feeds: GroupFeeds, streamTokens: StreamTokens, watchQueue: Int
  ) {
    self.database = database
    self.environment = environment
    self.idempotency = idempotency
    self.trackers = trackers
    self.ingest = ingest
    self.feeds = feeds
    self.streamTokens = streamTokens
    self.watchQueue = watchQueue
  }

  /// Lets a user do something in some groups, in one transaction that repetitions of the request do not run again;
  /// returns the answer that is made of the user as the groups see it then.
  func change<Request: IdempotentRequest, Response: ProtobufMessage>(
    _ request: Request, _ key: RequestKey?, _ groups: [GroupID], of user: UserID,
    _ step: (inout Tracker, Transaction) async throws -> Void, answering answer: ([Member]) -> Response
  ) async throws -> Response {
    try await idempotency.execute(request, key) { tx in
      guard var tracker = try await trackers.locked(user, tx) else { throw Status.notAUser }
      guard Set(groups).isSubset(of: tracker.groups.map(\.groupID)) else { throw Status.noSuchGroup }
      try await step(&tracker, tx)
      try await trackers.store([tracker], tx)
      let seen = Self.snapshots(try await tx.rows(MembersSeen(viewerID: user, groupIDs: groups)))
      return answer(groups.compactMap { group in seen[group]?.members.first { $0.userID == user.description } })
    }
  }
}

extension Status {
  fileprivate static func tooManyStreams(_ limit: Int) -> Status {
    Status(
      TrackingReason.tooManyStreams, "You have \(limit) such streams open; end one of them first",
      retryAfter: .seconds(1))
  }
}
