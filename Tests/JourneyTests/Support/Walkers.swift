import Environment
import Identifiers
import TTRPC
import TTRPCClient
import TandemTracking
import TestSupport
import Testing
import Timestamps

/// A user in SOS who reports large batches until the run ends, or the path of a day is full; each position's latitude tells which one it is.
struct Walker: Sendable {
  let run: LongRun
  let stage: TrackingStage
  let chance: SeededRandomness
  /// Whether the user makes a day's path last as long as the run.
  var isSlow = false

  /// How many positions a user has reported.
  struct Walk: Sendable {
    let user: String
    let steps: Int
  }

  /// As many as a report may have.
  static let batch = 500
  /// Of the 100,000 positions of a day that are kept on a user's path.
  private static let batches = 199
  /// Of one step in degrees: half a metre.
  private static let length = 5e-6
  /// Between two positions: a user reports at most 500 a second, so that no time is in the future, and moves slower than what is believed.
  private static let interval = Duration.milliseconds(2)

  static func latitude(_ step: Int) -> Double { 1 + Double(step) * length }

  /// The number of a position, in SQL.
  static let step = "round((latitude - 1) / \(length))::bigint"

  /// Walks until the run ends, or the path is full; returns once all that was sent is acknowledged.
  func walk(as member: ThreeServices.Member) async throws -> Walk {
    var member = member
    let alert = try await stage.patiently(&member, chance) {
      try await JourneysClient($0).startSOS(StartSOSRequest(), $1)
    }
    var last = try Instant(wire: try #require(alert.startTime))
    var steps = 0
    while run.goesOn, steps < Self.batch * Self.batches {
      let clock = SystemClock()
      let first = max(last + Self.interval, clock.now - Self.interval * Self.batch)
      let points = (0..<Self.batch).map { place in
        Position(
          latitude: Self.latitude(steps + place), longitude: 1, time: (first + Self.interval * place).timestamp)
      }
      last = first + Self.interval * (Self.batch - 1)
      let ahead = last - clock.now
      // As a phone, which reports what it has measured.
      if ahead > .zero { try await Task.sleep(for: ahead) }
      let summary = try await stage.patiently(&member, chance) {
        try await LocationsClient($0).reportBatch(ReportBatchRequest(points: points), $1)
      }
      // What an interrupted call has stored is a duplicate, or older than that.
      if Int(summary.accepted + summary.duplicate + summary.outOfOrder) != Self.batch {
        run.surprises.add("\(summary) for \(Self.batch) positions of \(member.id) from \(steps)")
      }
      steps += Self.batch
      run.acknowledge(.positions, Self.batch)
      if isSlow { _ = try await run.pause(run.duration / Self.batches) }
    }
    return Walk(user: member.id, steps: steps)
  }

  /// A line for each walk of which a position is not stored, or more is stored than was sent.
  static func complaints(_ walks: [Walk], _ users: ThreeServices) async throws -> [String] {
    let rows = try await users.sql(
      """
      select user_id, count(*), count(distinct \(step)), coalesce(min(\(step)), 0), coalesce(max(\(step)), -1)
      from tracking.path_points group by user_id
      """)
    let stored = Dictionary(rows.map { ($0[0] ?? "", $0.dropFirst().map { $0 ?? "" }) }) { $1 }
    var complaints = walks.compactMap { walk -> String? in
      let expected = walk.steps == 0 ? nil : ["\(walk.steps)", "\(walk.steps)", "0", "\(walk.steps - 1)"]
      let found = stored[walk.user]
      return found == expected
        ? nil : "positions of \(walk.user): \(expected ?? []) were acknowledged, stored \(found ?? [])"
    }
    complaints += Set(stored.keys).subtracting(walks.map(\.user)).map { "\($0) never reported" }
    let gaps = try await users.sql(
      """
      select groups.id::text from tracking.groups
      where groups.sequence <> (select count(*) from tracking.group_changes where group_id = groups.id)
      """)
    return complaints + gaps.map { "the log of the group \($0) has gaps" }
  }

  /// The last positions of all reports, which groups see.
  static func visible(_ walks: [Walk]) -> Set<WalkedStep> {
    Set(
      walks.flatMap { walk in
        stride(from: batch - 1, to: walk.steps, by: batch).map {
          WalkedStep(user: walk.user, latitude: latitude($0))
        }
      })
  }
}
