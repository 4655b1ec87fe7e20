import Identifiers
import Postgres
import TandemTracking
import Timestamps
import TrackingDomain
import TrackingOperations
import TrackingStore

/// A change of a group as it is sent, shared by all of its viewers.
final class FeedChange: Sendable {
  let groupID: GroupID
  let sequence: Int64
  let userID: UserID
  let kind: ChangeKind
  let message: MemberChange

  /// - Parameter username: sent with a new member; else empty.
  init(_ numbered: NumberedChange, username: String) {
    let change = numbered.change
    groupID = change.groupID
    sequence = numbered.sequence
    userID = change.userID
    kind = change.kind
    message = MemberChange(
      groupID: change.groupID.description, sequence: numbered.sequence,
      change: Self.content(change, username: username))
  }

  private static func content(_ change: GroupChange, username: String) -> MemberChange.Change {
    let user = change.userID.description
    switch change.kind {
    case .left: return .removedUserID(user)
    case .placeReached, .placeLeft:
      return .placeEvent(
        PlaceEvent(
          userID: user, placeName: change.visit?.name ?? "", kind: change.kind == .placeReached ? .arrived : .left,
          time: change.visit?.at.timestamp))
    case .position, .state, .joined, .visibility: return .member(Member(change, username: username))
    }
  }
}

extension FeedChange {
  convenience init(_ row: ChangesOfGroups.Row) {
    self.init(
      NumberedChange(
        row.sequence,
        GroupChange(
          row.kind, of: row.userID, in: row.groupID, state: row.state, warnings: row.warnings,
          position: Fix(
            row.latitude, row.longitude, row.recordedAt, accuracy: row.accuracyM, altitude: row.altitudeM,
            speed: row.speedMps, course: row.course),
          journeyID: row.journeyID, arrival: ExpectedArrival(row.promisedAt, row.estimatedAt),
          visit: PlaceVisit(row.placeName, row.recordedAt))),
      username: row.username ?? "")
  }
}

/// That a group has a change, as a replica has published it.
package struct FeedSignal: Sendable {
  let groupID: GroupID
  let sequence: Int64
  /// The change; `nil` where it has to be read from the log.
  let change: FeedChange?

  private init(_ signal: ChangeSignal) {
    groupID = signal.groupID
    sequence = signal.sequence
    change = signal.change.map { FeedChange(NumberedChange(signal.sequence, $0), username: "") }
  }

  /// The changes of a payload of ``TrackingOperations/ChangeSignals``.
  package static func read(_ payload: [UInt8]) -> [FeedSignal] {
    var signals: [FeedSignal] = []
    ChangeSignals.read(payload) { signals.append(FeedSignal($0)) }
    return signals
  }
}

/// Reads the log of one group, page by page.
struct LogReader {
  private let group: GroupID
  private let database: Database
  /// The last change that must be there.
  private let end: Int64
  private var position: Int64
  /// Whether more may follow at once.
  private(set) var isFull = false

  /// Changes read at a time.
  private static let page: Int64 = 500

  init(of group: GroupID, behind position: Int64, through end: Int64, _ database: Database) {
    (self.group, self.position, self.end, self.database) = (group, position, end, database)
  }

  /// The next changes, in order; `nil` when the next is no longer stored.
  mutating func next() async throws -> [FeedChange]? {
    let rows = try await database.rows(ChangesOfGroups(groupIDs: [group], afters: [position], limit: Self.page))
    // Around midnight, by the replicas' clocks, any of them may have been in a partition that was dropped.
    for (place, row) in rows.enumerated() where row.sequence != position + 1 + Int64(place) { return nil }
    if rows.isEmpty, position < end { return nil }
    position = rows.last?.sequence ?? position
    isFull = rows.count == Self.page
    return rows.map { FeedChange($0) }
  }
}
