import Environment
import Foundation
import Identifiers
import TTRPC
import TTRPCClient
import TandemTracking
import TestSupport
import Testing
import Timestamps

/// A step of a user who walks north: the latitude of the position tells which one it is.
struct WalkedStep: Hashable, Sendable {
  let user: String
  let step: Int

  /// Of one step, in degrees: a little more than a metre.
  private static let length = 1e-5
  /// Between two steps. Five take less than a report of five does, so no time is ahead of the service's clock: of a phone that is ahead each
  /// report corrects what is known of its clock, and of two positions at one corrected time the later is dropped ([TR-2]). An alert
  /// believes any speed.
  private static let interval = Duration.microseconds(100)

  var latitude: Double { 1 + Double(step) * Self.length }

  init(user: String, step: Int) { (self.user, self.step) = (user, step) }

  /// The step that was taken to a latitude.
  init(user: String, latitude: Double) {
    self.init(user: user, step: Int(((latitude - 1) / Self.length).rounded()))
  }

  /// - Parameter start: when the walk began.
  func position(since start: Instant) -> Position {
    Position(latitude: latitude, longitude: 1, time: (start + Self.interval * (step + 1)).timestamp)
  }
}

/// What a viewer was sent of a group, by the changes' numbers; a change without a position, or of no member, has no step, and neither has
/// one that shows the last position again: who triggered an alert and has not reported for a minute is offline in it ([TR-10]).
struct SeenChange: Hashable, Sendable {
  let group: String
  let sequence: Int64
  let step: WalkedStep?

  init(group: String, sequence: Int64, step: WalkedStep?) {
    (self.group, self.sequence, self.step) = (group, sequence, step)
  }

  init(_ change: MemberChange) {
    var step: WalkedStep?
    if case .member(let member) = change.change, !member.warnings.contains(.offline), let position = member.position {
      step = WalkedStep(user: member.userID, latitude: position.latitude)
    }
    self.init(group: change.groupID, sequence: change.sequence, step: step)
  }
}

/// Compares what was acknowledged with what is stored, and with what viewers saw.
struct TrackingLedger: Sendable {
  let users: ThreeServices
  let groups: [String]
  /// All steps that were acknowledged.
  let acknowledged: Set<WalkedStep>
  /// The last steps of the acknowledged reports, which groups see.
  let visible: Set<WalkedStep>
  /// The last number of each group when all was reported.
  let ends: [String: Int64]

  /// Of paths, and of the groups' logs.
  func complaintsOfStore() async throws -> [String] {
    var complaints: [String] = []
    let stored = try await users.sql("select user_id::text, latitude::text from tracking.path_points").compactMap(
      Self.step)
    if stored.count != Set(stored).count { complaints.append("a step is stored twice") }
    let lost = acknowledged.subtracting(stored)
    if !lost.isEmpty { complaints.append("\(lost.count) acknowledged steps are not stored: \(lost.prefix(3))") }
    let invented = Set(stored).subtracting(acknowledged)
    if !invented.isEmpty { complaints.append("\(invented.count) stored steps were never sent: \(invented.prefix(3))") }
    let gaps = try await users.sql(
      """
      select groups.id::text from tracking.groups
      where groups.sequence <> (select count(*) from tracking.group_changes where group_id = groups.id)
      """)
    return complaints + gaps.map { "the log of the group \($0) has gaps" }
  }

  /// The groups' logs.
  func log() async throws -> Set<SeenChange> {
    // The first bit of the warnings says that the member is offline.
    Set(
      try await users.sql(
        """
        select group_id::text, sequence::text, user_id::text, case when warnings & 1 = 0 then latitude end::text
        from tracking.group_changes
        """
      ).compactMap { row in
        guard let group = row[0], let sequence = row[1].flatMap({ Int64($0) }) else { return nil }
        return SeenChange(group: group, sequence: sequence, step: Self.step([row[2], row[3]]))
      })
  }

  private static func step(_ row: [String?]) -> WalkedStep? {
    guard let user = row[0], let latitude = row[1].flatMap({ Double($0) }) else { return nil }
    return WalkedStep(user: user, latitude: latitude)
  }

  /// Of what a viewer was sent, in order, behind the change `first` of each group.
  func complaints(of viewer: Int, _ seen: [SeenChange], behind first: [String: Int64], log: Set<SeenChange>) -> [String]
  {
    var complaints: [String] = []
    for group in groups {
      let own = seen.filter { $0.group == group }
      let start = (first[group] ?? 0) + 1
      if own.map(\.sequence) != Array(start..<start + Int64(own.count)) {
        complaints.append("viewer \(viewer) saw changes of \(group) twice, not at all, or out of order")
      }
      // What ends the alerts shows the last positions again.
      let reports = own.filter { $0.sequence <= ends[group] ?? 0 && $0.step != nil }
      let steps = reports.compactMap(\.step)
      let repeated = Dictionary(grouping: reports, by: \.step).values.filter { $0.count > 1 }.map { $0.map(\.sequence) }
      if !repeated.isEmpty {
        complaints.append("viewer \(viewer) saw a report twice in \(group): \(repeated.prefix(3))")
      }
      let missed = visible.subtracting(steps)
      if !missed.isEmpty {
        complaints.append("viewer \(viewer) missed \(missed.count) reports in \(group): \(missed.prefix(3))")
      }
      let others = Set(own).subtracting(log)
      if !others.isEmpty { complaints.append("viewer \(viewer) saw what is not in the log: \(others.prefix(3))") }
    }
    return complaints
  }
}
