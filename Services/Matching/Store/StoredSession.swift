import Geography
import Identifiers
import MatchingDomain
import Postgres

/// A stored session.
package struct StoredSession: Sendable {
  package let id: SessionID
  package let ownerID: UserID?
  package let ownerUsername: String
  package let ownerCheckedInAt: Instant?
  package let partnerID: UserID?
  package let partnerUsername: String
  package let partnerCheckedInAt: Instant?
  package let state: SessionState
  package let slot: Slot
  package let gym: StoredGym
  package let focus: Focus
  package let level: Level
  package let admitted: GenderSet
  package let revision: Int32
  package let finishedAt: Instant?
  package let postedAt: Instant
  package let updatedAt: Instant
  /// To whom a place is offered, if it is.
  package let offer: PlaceOffer?
  package let joinsEndAt: Instant

  init(_ columns: SessionColumns) throws(ColumnError) {
    id = columns.id
    ownerID = columns.ownerID
    ownerUsername = columns.ownerUsername
    ownerCheckedInAt = columns.ownerCheckedInAt
    partnerID = columns.partnerID
    partnerUsername = columns.partnerUsername
    partnerCheckedInAt = columns.partnerCheckedInAt
    state = columns.state
    slot = try Self.slot(columns.startsAt, columns.endsAt)
    gym = try StoredGym(
      id: columns.gymID, name: columns.gymName, latitude: columns.gymLatitude, longitude: columns.gymLongitude,
      timeZone: columns.timeZone)
    focus = columns.focus
    level = columns.level
    admitted = GenderSet(rawValue: columns.admitted)
    revision = columns.revision
    finishedAt = columns.finishedAt
    postedAt = columns.postedAt
    updatedAt = columns.updatedAt
    offer = PlaceOffer(to: columns.offeredTo, until: columns.offeredUntil)
    joinsEndAt = columns.joinsEndAt
  }

  /// The facts for a decision.
  package var facts: SessionFacts {
    var checkedIn: Set<UserID> = []
    if ownerCheckedInAt != nil, let ownerID { checkedIn.insert(ownerID) }
    if partnerCheckedInAt != nil, let partnerID { checkedIn.insert(partnerID) }
    return SessionFacts(
      ownerID: ownerID, partnerID: partnerID, state: state, slot: slot, admitted: admitted, level: level,
      gym: gym.point, checkedIn: checkedIn, finishedAt: finishedAt, offer: offer,
      joinsEndAt: joinsEndAt)
  }

  private static func slot(_ start: Instant, _ end: Instant) throws(ColumnError) -> Slot {
    guard let slot = Slot(from: start, to: end) else { throw ColumnError("a slot that does not end after its start") }
    return slot
  }
}

/// A gym, as the catalog had it when a session was posted.
package struct StoredGym: Sendable, Hashable {
  package let id: GymID
  package let name: String
  package let point: GeoPoint
  package let timeZone: String
  /// How far it reaches; the default where it is not read.
  package let area: GymArea

  package init(id: GymID, name: String, point: GeoPoint, timeZone: String, area: GymArea? = nil) {
    (self.id, self.name, self.point, self.timeZone) = (id, name, point, timeZone)
    self.area = area ?? GymArea(around: point)
  }

  init(
    id: GymID, name: String, latitude: Double, longitude: Double, timeZone: String, outline: [Double]? = nil,
    radius: Double? = nil
  ) throws(ColumnError) {
    guard let point = GeoPoint(latitude: latitude, longitude: longitude) else {
      throw ColumnError("a gym beyond the Earth")
    }
    self.init(
      id: id, name: name, point: point, timeZone: timeZone,
      area: GymArea(around: point, radius: radius.map { Metres($0) }, outline: outline ?? []))
  }
}

extension InsertSession {
  /// - Parameter series: the repetition that posts it, if one does.
  package init(
    _ id: SessionID, of owner: Applicant, in gym: StoredGym, _ slot: Slot, joinableUntil joinsEndAt: Instant,
    _ focus: Focus, _ level: Level, admitting genders: GenderSet, by series: RepetitionID? = nil, now: Instant
  ) {
    self.init(
      sessionID: id, ownerID: owner.id, startsAt: slot.start, endsAt: slot.end, gymID: gym.id, gymName: gym.name,
      gymLatitude: gym.point.latitude, gymLongitude: gym.point.longitude, timeZone: gym.timeZone, focus: focus,
      level: level, admitted: genders.rawValue, ownerGender: owner.gender, now: now, joinsEndAt: joinsEndAt,
      repetitionID: series, gymOutline: gym.area.numbers, gymRadiusM: gym.area.radius?.value,
      gymVector: gym.point.vector)
  }
}
