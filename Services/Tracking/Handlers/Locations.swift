import Environment
import Events
import Postgres
import TTRPC
import TandemTracking
import TrackingDomain
import TrackingStore
import UserTokens

/// Positions of users, shared with groups; each method is in its own file.
package struct Locations: LocationsService {
  let database: Database
  let environment: Environment
  let changes: GroupChanges
  let feeds: GroupFeeds
  let streamTokens: StreamTokens

  /// - Parameters:
  ///   - feeds: the changes of groups that are watched here.
  ///   - streamTokens: ends streams whose tokens are no longer valid ([ID-7]).
  package init(
    database: Database, environment: Environment, changes: GroupChanges, feeds: GroupFeeds, streamTokens: StreamTokens
  ) {
    self.database = database
    self.environment = environment
    self.changes = changes
    self.feeds = feeds
    self.streamTokens = streamTokens
  }

  package func startSharing(_ call: StartSharingRequest, _ context: CallContext) async throws -> StartSharingResponse {
    throw Status(.unimplemented, "")
  }
  package func stopSharing(_ call: StopSharingRequest, _ context: CallContext) async throws -> StopSharingResponse {
    throw Status(.unimplemented, "")
  }
  package func reportBatch(_ call: ReportBatchRequest, _ context: CallContext) async throws -> ReportSummary {
    throw Status(.unimplemented, "")
  }
  package func report(
    _ requests: MessageStream<ReportRequest>, _ responses: MessageWriter<ReportSummary>, _ context: CallContext
  ) async throws {
    throw Status(.unimplemented, "")
  }
}
