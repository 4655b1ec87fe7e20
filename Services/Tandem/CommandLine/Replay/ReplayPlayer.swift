import Environment
import Identifiers
import Synchronization
import TandemTracking
import Timestamps

/// Plays a plan as a user, and counts what became of the positions.
final class ReplayPlayer: Sendable {
  /// What has been played.
  struct Progress: Sendable, Equatable {
    var sent = 0
    var total = 0
    var accepted = 0
    /// Not used, or not new, by tracking's reasons.
    var refused: [String: Int] = [:]
    /// Groups that saw the last position.
    var groups = 0
  }

  let user: ReplayUser
  let plan: ReplayPlan
  private let speed: Double
  private let times: ReplayTimes
  private let state: Mutex<Progress>

  /// Positions of one message.
  private static let maxTogether = 500
  /// Positions that are due sooner after a message wait for the next one: 10 messages a second at most.
  private static let messageInterval = Duration.milliseconds(100)

  init(user: ReplayUser, plan: ReplayPlan, speed: Double, times: ReplayTimes) {
    (self.user, self.plan, self.speed, self.times) = (user, plan, speed, times)
    state = Mutex(Progress(total: plan.steps.count))
  }

  var progress: Progress { state.withLock { $0 } }

  /// Sends the positions when they are due, those of `range` alone if it is given.
  ///
  /// - Parameter ahead: by how much the phone's clock is ahead.
  /// - Throws: what ``ReplayUser/report(_:)`` throws; `CancellationError`.
  func play(_ range: Range<Int>? = nil, ahead: Duration = .zero) async throws {
    let range = range ?? plan.steps.indices
    guard let first = range.first.map({ plan.steps[$0].offset }) else { return }
    let (start, clockStart) = (ContinuousClock.now, SystemClock().now + ahead - first * (1 / speed))
    var next = range.lowerBound
    while next < range.upperBound {
      try await Task.sleep(until: start + (plan.steps[next].offset - first) * (1 / speed), clock: .continuous)
      let sent = ContinuousClock.now
      var points: [Position] = []
      while next < range.upperBound, points.count < Self.maxTogether,
        start + (plan.steps[next].offset - first) * (1 / speed) <= sent
      {
        points.append(position(plan.steps[next], from: clockStart))
        next += 1
      }
      count(try await user.report(points), of: points.count)
      if points.count < Self.maxTogether, next < range.upperBound {
        try await Task.sleep(until: sent + Self.messageInterval, clock: .continuous)
      }
    }
  }

  private func position(_ step: ReplayPlan.Step, from start: Instant) -> Position {
    Position(
      latitude: step.place.latitude, longitude: step.place.longitude,
      time: times.time(of: step.offset, in: plan.duration, from: start, speed: speed).timestamp,
      altitudeM: step.altitudeM.flatMap { (-1_000...20_000).contains($0) ? $0 : nil })
  }

  private func count(_ summary: ReportSummary, of points: Int) {
    state.withLock { state in
      state.sent += points
      state.accepted += Int(summary.accepted)
      state.groups = Int(summary.groups)
      for (name, number) in summary.refusals where number > 0 { state.refused[name, default: 0] += Int(number) }
    }
  }
}

extension ReportSummary {
  /// The counts of positions that were not new, by name.
  fileprivate var refusals: KeyValuePairs<String, Int32> {
    [
      "out of order": outOfOrder, "duplicate": duplicate, "older than 24 h": stale, "in the future": wrongTime,
      "not on Earth": wrongCoordinates, "measurement out of range": wrongMeasurement, "too fast": tooFast,
    ]
  }
}
