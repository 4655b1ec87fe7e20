import AsyncSignal
import Identifiers
import Synchronization
import TrackingDomain

/// Reports that are handed in, and wait until they are stored together with others ([TR-2]): a worker empties each lane in batches.
///
/// Users are spread over lanes, so that one transaction is prepared while another commits; the reports of a user stay in order.
package final class ReportIngest: Sendable {
  /// A report that waits.
  package struct Waiting: Sendable {
    package let user: UserID
    package let report: Report
    let continuation: CheckedContinuation<ReportCounts, any Error>

    /// Answers who handed it in.
    package func answer(_ result: Result<ReportCounts, ReportedGroupsRefusal>) { continuation.resume(with: result) }

    /// Answers that it could not be stored.
    package func fail(_ error: any Error) { continuation.resume(throwing: error) }
  }

  /// The reports of some users.
  package final class Lane: Sendable {
    private struct Queue {
      var reports = ReportQueue<Waiting>()
      var isClosed = false
    }

    private let queue = Mutex(Queue())
    /// Sent when something waits.
    package let signal = AsyncSignal()

    fileprivate init() {}

    /// Adds a report; returns why it may not wait.
    fileprivate func add(_ waiting: Waiting) -> (any Error)? {
      queue.withLock { queue in
        guard !queue.isClosed else { return TrackingFailure.stopping }
        do throws(ReportRefusal) {
          try queue.reports.add(waiting, points: waiting.report.points.count, of: waiting.user)
          return nil
        } catch { return error }
      }
    }

    /// Removes what one transaction is to store; see ``ReportQueue/take(_:points:ofUser:)``.
    package func take(_ most: Int, points: Int, ofUser: Int) -> [Waiting] {
      queue.withLock { $0.reports.take(most, points: points, ofUser: ofUser) }
    }

    /// Refuses what is handed in from now on; returns what waits.
    package func close() -> [Waiting] {
      queue.withLock { queue in
        queue.isClosed = true
        return queue.reports.take(.max)
      }
    }
  }

  package let lanes: [Lane]

  package init(lanes count: Int) { lanes = (0..<count).map { _ in Lane() } }

  /// Hands in a report of a user; returns what became of it once that is durable.
  ///
  /// - Throws: the refusal when too many wait, of the user or in all, or of groups that are not the user's; `stopping`;
  ///   ``Postgres/PostgresError``.
  package func report(_ report: Report, of user: UserID) async throws -> ReportCounts {
    let lane = lanes[Int(user.uuid.low % UInt64(lanes.count))]
    return try await withCheckedThrowingContinuation { continuation in
      let refusal = lane.add(Waiting(user: user, report: report, continuation: continuation))
      if let refusal { continuation.resume(throwing: refusal) } else { lane.signal.send() }
    }
  }
}
