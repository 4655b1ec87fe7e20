import Cryptography
import Environment
import GoogleType
import Idempotency
import MatchingDomain
import MatchingOperations
import MatchingStore
import Postgres
import TTRPC
import TandemMatching
import Timestamps

/// Searches that users keep; each method is in its own file.
package struct SavedSearches: SavedSearchesService {
  let operations: SessionOperations
  let database: Database
  let idempotency: IdempotencyStore

  /// - Parameter seal: seals the answers kept for repeated requests ([C-4]).
  package init(operations: SessionOperations, database: Database, environment: Environment, seal: Seal) {
    self.operations = operations
    self.database = database
    idempotency = IdempotencyStore(database: database, seal: seal, clock: environment.clock)
  }
}

extension SavedSearch {
  init(_ stored: StoredSearch) {
    var filter = TandemMatching.SearchFilter(
      weekdays: SearchTimes.days(of: stored.weekdays).compactMap { DayOfWeek(rawValue: Int32($0)) },
      timeZone: stored.timeZone ?? "", gymID: stored.gymID?.description ?? "",
      focuses: stored.focuses.map(\.wire), genders: stored.genders.map(\.wire), levels: stored.levels.map(\.wire))
    filter.earliestStart = stored.earliestMinute.map { TimeOfDay(minute: $0) }
    filter.latestStart = stored.latestMinute.map { TimeOfDay(minute: $0) }
    if let latitude = stored.latitude, let longitude = stored.longitude, let radius = stored.radiusM {
      filter.point = TandemMatching.Point(latitude: latitude, longitude: longitude)
      filter.radiusM = radius
    }
    self.init(
      searchID: stored.id.description, name: stored.name, filter: filter, createTime: stored.createdAt.timestamp)
  }
}

extension TimeOfDay {
  /// A minute of a day.
  ///
  /// - Parameter offset: microseconds after it.
  init(minute: Int16, offset: Int64 = 0) {
    self.init(
      hours: Int32(minute / 60), minutes: Int32(minute % 60), seconds: Int32(offset / 1_000_000),
      nanos: Int32(offset % 1_000_000) * 1_000)
  }
}
