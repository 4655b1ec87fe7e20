import AsyncSignal
import Environment
import Geography
import Identifiers
import Logging
import Metrics
import Postgres
import ServiceLifecycle
import Synchronization
import TTRPC
import TandemTracking
import TrackingDomain
import TrackingStore

/// Stores reported positions in groups: what arrives while a transaction commits is stored by the next one, so that many reports share one
/// round of statements and one flush of the log. A report is answered once it is durable ([TR-2]).
///
/// Users are spread over lanes, so that one transaction is prepared while another commits; the reports of a user stay in order.
package final class ReportIngest: Service {
  /// A report that waits.
  private struct Waiting {
    let user: UserID
    let report: Report
    let continuation: CheckedContinuation<ReportCounts, any Error>
  }

  private struct Queue {
    var reports = ReportQueue<Waiting>()
    var isClosed = false
  }

  private final class Lane: Sendable {
    let queue = Mutex(Queue())
    let signal = AsyncSignal()
    let executor: any TaskExecutor

    init(on executor: any TaskExecutor) { self.executor = executor }
  }

  private let database: Database
  private let trackers: Trackers
  private let clock: any WallClock
  private let arrivalRadius: Metres
  private let lanes: [Lane]

  /// Reports of one transaction: beyond that it takes longer, and saves no more.
  private static let mostTogether = 1_000
  /// Positions of one transaction, and of one user in it: as many as a message may have.
  private static let (mostPoints, mostPointsOfUser) = (5_000, 500)
  /// Changes that groups see by one transaction, of several users: each user is seen by up to 200 groups.
  private static let mostChanges = 5_000

  /// The users of a transaction are seen by more groups than may be locked and told together.
  private struct TooManyChanges: Error {}

  private let accepted = Counter(label: "tracking_positions_total", dimensions: [("result", "accepted")])
  private let rejected = Counter(label: "tracking_positions_total", dimensions: [("result", "rejected")])
  private let bursts = Metrics.Timer(label: "tracking_report_burst_seconds")
  private let sizes = Recorder(label: "tracking_reports_per_burst")

  /// - Parameter executors: where the lanes run, one on each: event loops, on which a statement needs no other thread.
  package init(
    database: Database, trackers: Trackers, clock: any WallClock, arrivalRadius: Metres,
    on executors: [any TaskExecutor]
  ) {
    self.database = database
    self.trackers = trackers
    self.clock = clock
    self.arrivalRadius = arrivalRadius
    lanes = executors.map { Lane(on: $0) }
  }

  /// Stores positions of a user, and returns what became of them once that is durable.
  ///
  /// - Throws: the refusal when too many wait, of the user or in all, or of groups that are not the user's; `unavailable` when the service
  ///   stops; ``Postgres/PostgresError``.
  func report(_ report: Report, of user: UserID) async throws -> ReportCounts {
    let lane = lanes[Int(user.uuid.low % UInt64(lanes.count))]
    return try await withCheckedThrowingContinuation { continuation in
      let refusal: Status? = lane.queue.withLock { queue in
        guard !queue.isClosed else { return .unavailable("The service is stopping") }
        do throws(ReportRefusal) {
          try queue.reports.add(
            Waiting(user: user, report: report, continuation: continuation), points: report.points.count, of: user)
          return nil
        } catch { return error.status }
      }
      if let refusal { continuation.resume(throwing: refusal) } else { lane.signal.send() }
    }
  }

  /// Stores what is reported until the service stops.
  package func run() async throws {
    await withTaskGroup { group in
      for lane in lanes {
        group.addTask(executorPreference: lane.executor) {
          await cancelWhenGracefulShutdown { await self.work(lane) }
        }
      }
    }
  }

  private func work(_ lane: Lane) async {
    for await _ in lane.signal {
      while true {
        let reports = take(from: lane)
        if reports.isEmpty { break }
        await store(reports)
      }
    }
    let left = lane.queue.withLock { queue in
      queue.isClosed = true
      return queue.reports.take(.max)
    }
    for report in left { report.continuation.resume(throwing: Status.unavailable("The service is stopping")) }
  }

  private func take(from lane: Lane) -> [Waiting] {
    lane.queue.withLock {
      $0.reports.take(Self.mostTogether, points: Self.mostPoints, ofUser: Self.mostPointsOfUser)
    }
  }

  /// Stores reports, and answers them. When a transaction fails for another reason than the database's absence, its halves are tried, so that
  /// one user's fault does not become another's.
  private func store(_ reports: [Waiting]) async {
    let began = ContinuousClock.now
    do {
      let counts = try await stored(reports)
      bursts.record(duration: ContinuousClock.now - began)
      sizes.record(reports.count)
      for (report, count) in zip(reports, counts) { report.continuation.resume(with: count) }
    } catch let error as PostgresError where error.isUnavailable || reports.count == 1 {
      for report in reports { report.continuation.resume(throwing: error) }
    } catch {
      guard reports.count > 1, !(error is CancellationError) else {
        for report in reports { report.continuation.resume(throwing: error) }
        return
      }
      await store(Array(reports[..<(reports.count / 2)]))
      await store(Array(reports[(reports.count / 2)...]))
    }
  }

  /// What became of reports, in their order, once it is durable. One whose groups are refused is not stored, and does not affect the others.
  private func stored(_ reports: [Waiting]) async throws -> [Result<ReportCounts, Status>] {
    let users = Set(reports.map(\.user)).sorted()
    return try await database.repeatableTransaction { tx in
      var loaded = try await trackers.locked(users, tx)
      let seen = loaded.reduce(0) { count, tracker in count + tracker.groups.count { $0.status.isShared } }
      // Its halves are tried.
      guard users.count == 1 || seen <= Self.mostChanges else { throw TooManyChanges() }
      let places = Dictionary(uniqueKeysWithValues: loaded.indices.map { (loaded[$0].userID, $0) })
      let now = clock.now
      let counts: [Result<ReportCounts, Status>] = try reports.map { waiting in
        guard let place = places[waiting.user] else { throw Status.notAUser }
        let report = waiting.report
        if let refusal = report.refusal(for: loaded[place]) { return .failure(refusal) }
        return .success(
          loaded[place].report(report.points, to: report.groupIDs, at: now, arrivalWithin: arrivalRadius))
      }
      try await trackers.store(loaded, tx)
      let taken = counts.reduce(0) { $0 + ((try? $1.get().accepted) ?? 0) }
      accepted.increment(by: taken)
      rejected.increment(by: reports.reduce(0) { $0 + $1.report.points.count } - taken)
      return counts
    }
  }
}

extension ReportRefusal {
  fileprivate var status: Status {
    let text =
      switch self {
      case .tooManyOfUser: "Too many of your positions wait to be stored; wait for the answers before you send more"
      case .tooMany: "Too many positions wait to be stored; try again shortly"
      }
    return Status(TrackingReason.tooManyReports, text, retryAfter: .seconds(1))
  }
}
