import Batches
import Identifiers
import TrackingDomain

/// Why a report may not wait to be stored.
package enum ReportRefusal: Error, Sendable, Hashable {
  case tooManyOfUser
  case tooMany
}

/// A report as it waits to be stored.
package struct UserReport: Sendable {
  package let user: UserID
  package let report: Report
}

/// Reports that are handed in, and wait until they are stored together with others ([TR-2]). What a report weighs is its positions.
///
/// Users are spread over lanes, so that one transaction is prepared while another commits.
package struct ReportIngest: Sendable {
  package typealias Waiting = Batches<UserReport, ReportCounts>.Waiting

  /// Positions that may wait in a lane: of a user four of the longest reports, as a phone may have them under way that was offline; of all
  /// a few seconds' work.
  package static let limits = BatchLimits(ofUser: 2_000, inAll: 50_000)

  package let reports: Batches<UserReport, ReportCounts>

  package init(lanes: Int) { reports = Batches(lanes: lanes, Self.limits) }

  /// Hands in a report of a user; returns what became of it once that is durable.
  ///
  /// - Throws: `ReportRefusal` when too many wait; `ReportedGroupsRefusal` of groups that are not the user's; `TrackingFailure`;
  ///   ``Postgres/PostgresError``.
  package func report(_ report: Report, of user: UserID) async throws -> ReportCounts {
    do {
      return try await reports.hand(
        in: UserReport(user: user, report: report), weight: report.points.count, of: user, lane: user.uuid.low)
    } catch let refusal as BatchRefusal {
      switch refusal {
      case .tooManyOfUser: throw ReportRefusal.tooManyOfUser
      case .tooMany: throw ReportRefusal.tooMany
      case .stopping: throw TrackingFailure.stopping
      }
    }
  }
}
