import Environment
import Idempotency
import Identifiers
import Postgres
import StreamPlaces
import TTRPC
import TandemTracking
import TrackingDomain
import TrackingOperations
import UserTokens

// The contract has types of the same names; in this module the names mean the domain's.
typealias MemberState = TrackingDomain.MemberState
typealias JourneyKind = TrackingDomain.JourneyKind
typealias JourneyOutcome = TrackingDomain.JourneyOutcome
typealias TravelMode = TrackingDomain.TravelMode

/// Positions of users, shared with groups; each method is in its own file.
package struct Locations: LocationsService {
  let operations: TrackerOperations
  let ingest: ReportIngest
  let database: Database
  let environment: Environment
  let idempotency: IdempotencyStore
  let feeds: GroupFeeds
  let streamTokens: StreamTokens
  /// Changes that may wait for one viewer.
  let watchQueue: Int
  /// Open streams of Watch and WatchGroups. Users have several devices, and gateways open a stream for each view.
  let watchPlaces = StreamPlaces(limit: 32, refusal: Status.tooManyStreams)
  /// The turns of streams that begin to watch groups.
  let watchOpenings = StreamOpenings("watch")
  /// The turns of streams that watch already, and begin a group anew: they wait for none that come back after a restart.
  let watchRestarts = StreamOpenings("watch anew", limit: 32)
  /// Open streams of Report: one for each device, and those that a device has lost without a word.
  let reportPlaces = StreamPlaces(limit: 16, refusal: Status.tooManyStreams)

  /// - Parameters:
  ///   - feeds: the changes of groups that are watched here.
  ///   - streamTokens: ends streams whose tokens are no longer valid ([ID-7]).
  ///   - watchQueue: changes that may wait for one viewer; with more it gets a position to continue from.
  package init(
    operations: TrackerOperations, ingest: ReportIngest, database: Database, environment: Environment,
    idempotency: IdempotencyStore, feeds: GroupFeeds, streamTokens: StreamTokens, watchQueue: Int
  ) {
    self.operations = operations
    self.ingest = ingest
    self.database = database
    self.environment = environment
    self.idempotency = idempotency
    self.feeds = feeds
    self.streamTokens = streamTokens
    self.watchQueue = watchQueue
  }
}
