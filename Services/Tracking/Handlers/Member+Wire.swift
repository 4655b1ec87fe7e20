import GoogleProtobuf
import Identifiers
import TandemTracking
import Timestamps
import TrackingDomain
import TrackingStore

extension Member {
  /// A member as of a change. One who does not share has no position in it: the last known one stays ([TR-1]).
  init(_ change: GroupChange, username: String) {
    self.init(
      groupID: change.groupID.description, userID: change.userID.description, username: username,
      state: change.state.wire, warnings: change.warnings.wire,
      position: change.state == .inactive ? nil : change.position.map { Position($0) },
      journeyID: change.state == .sos ? "" : change.journeyID?.description ?? "",
      sosID: change.state == .sos ? change.journeyID?.description ?? "" : "",
      arrivalTime: change.arrival?.promisedAt.timestamp,
      estimatedArrivalTime: change.arrival?.estimatedAt?.timestamp)
  }

  init(_ row: MembersSeen.Row) {
    let journey = row.journeyID?.description ?? ""
    let position = Fix(
      row.latitude, row.longitude, row.recordedAt, accuracy: row.accuracyM, altitude: row.altitudeM,
      speed: row.speedMps, course: row.course)
    self.init(
      groupID: row.groupID.description, userID: row.userID.description, username: row.username,
      state: row.state.wire, warnings: row.warnings.wire,
      position: position.map { Position($0) },
      journeyID: row.journeyKind == .journey ? journey : "", sosID: row.journeyKind == .sos ? journey : "",
      arrivalTime: row.promisedAt?.timestamp, estimatedArrivalTime: row.estimatedAt?.timestamp)
  }
}

extension Position {
  init(_ fix: Fix) {
    self.init(
      latitude: fix.point.latitude, longitude: fix.point.longitude, time: fix.time.timestamp,
      accuracyM: fix.accuracy, altitudeM: fix.altitude, speedMps: fix.speed, course: fix.course)
  }
}

extension Warnings {
  var wire: [Warning] {
    var warnings: [Warning] = []
    if contains(.offline) { warnings.append(.offline) }
    if contains(.standingStill) { warnings.append(.standingStill) }
    if contains(.late) { warnings.append(.late) }
    return warnings
  }
}
