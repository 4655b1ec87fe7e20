import AccountDeletions
import Expiry
import Geography
import Identifiers
import MatchingDomain
import Postgres

/// Where sessions may be that a saved search finds.
package enum SearchPlace: Sendable, Hashable {
  case anywhere
  case gym(GymID)
  case around(GeoPoint, Metres)
}

/// What sessions must be like that a saved search finds; empty lists admit all.
package struct SearchFilter: Sendable, Hashable {
  package var place: SearchPlace
  package var times: SearchTimes
  package var focuses: [Focus]
  package var genders: [Gender]
  package var levels: [Level]

  package init(place: SearchPlace, times: SearchTimes, focuses: [Focus], genders: [Gender], levels: [Level]) {
    (self.place, self.times) = (place, times)
    (self.focuses, self.genders, self.levels) = (focuses, genders, levels)
  }

  /// Whether it admits every session.
  package var isEmpty: Bool {
    place == .anywhere && times == .always && focuses.isEmpty && genders.isEmpty && levels.isEmpty
  }
}

extension InsertSearch {
  package init(_ id: SearchID, of user: UserID, named name: SearchName, _ filter: SearchFilter, now: Instant) {
    var (gym, center, radius): (GymID?, GeoPoint?, Metres?) = (nil, nil, nil)
    switch filter.place {
    case .anywhere: break
    case .gym(let id): gym = id
    case .around(let point, let distance): (center, radius) = (point, distance)
    }
    self.init(
      searchID: id, userID: user, name: name.text, gymID: gym, latitude: center?.latitude, longitude: center?.longitude,
      radiusM: radius?.value, center: center?.vector, maxChord: radius.map { GeoPoint.chord(ofDistance: $0) },
      focuses: filter.focuses, genders: filter.genders, levels: filter.levels, weekdays: filter.times.weekdays,
      earliestMinute: filter.times.minutes?.earliest, latestMinute: filter.times.minutes?.latest,
      timeZone: filter.times.zone, now: now)
  }
}

extension DeleteOldSearchNotices: ExpiryStatement {
  package static let kept = Duration.zero
}

extension DeleteSearchesOfUser: AccountDeletionStatement {
  package static let users = "select user_id from saved_searches"
}

extension DeleteRepetitionsOfUser: AccountDeletionStatement {
  package static let users = "select user_id from repetitions"
}
