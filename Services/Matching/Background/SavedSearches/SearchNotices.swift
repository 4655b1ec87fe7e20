import Identifiers
import Jobs
import MatchingDomain
import MatchingOperations
import Postgres

/// The job that notifies users of sessions that fit their saved searches, in batches in the order of their ids ([MA-18]).
package struct SearchNotices: Sendable {
  /// Users in one transaction and one event, which may have 500 recipients.
  private static let batch: Int64 = 500

  private let operations: SessionOperations

  package init(operations: SessionOperations) { self.operations = operations }

  package var handler: JobHandler {
    .inDatabase(.notifySearchers) { payload, _, tx in
      let ids = payload.split(separator: "/").map(String.init)
      guard ids.count == 2, let session = SessionID(ids[0]), let last = UserID(ids[1]) else {
        throw JobRefusal("the payload is not two ids")
      }
      let users = try await operations.notifySearchers(of: session, after: last, limit: Self.batch, tx)
      guard users.count == Int(Self.batch), let end = users.last else { return }
      try await operations.scheduleNotices(of: session, after: end, tx)
    }
  }
}
