import Cryptography
import Environment
import FieldViolations
import GoogleType
import Idempotency
import Identifiers
import Logging
import MatchingDomain
import MatchingStore
import Postgres
import TTRPC
import TandemMatching
import Timestamps

/// Searches that users keep; each method is in its own file.
package struct SavedSearches: SavedSearchesService {
  let database: Database
  let environment: Environment
  let idempotency: IdempotencyStore
  let applicants: Applicants

  /// - Parameters:
  ///   - seal: seals the answers kept for repeated requests ([C-4]).
  ///   - identity: asked for profiles that are not known yet.
  package init(
    database: Database, environment: Environment, seal: Seal, identity: (any RPCChannel)?, logger: Logger
  ) {
    self.database = database
    self.environment = environment
    applicants = Applicants(database: database, clock: environment.clock, identity: identity, logger: logger)
    idempotency = IdempotencyStore(database: database, seal: seal, clock: environment.clock)
  }

  /// The caller's searches, the newest first.
  package func listSavedSearches(
    _ call: ListSavedSearchesRequest, _ context: CallContext
  ) async throws -> ListSavedSearchesResponse {
    let searches = try await database.rows(SearchesOf(userID: try context.userID))
    return ListSavedSearchesResponse(searches: searches.map { SavedSearch($0) })
  }

  /// Deletes one of the caller's searches.
  package func deleteSavedSearch(
    _ call: DeleteSavedSearchRequest, _ context: CallContext
  ) async throws -> DeleteSavedSearchResponse {
    let user = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let named = bad.require(
      "search_id", SearchID(call.searchID), "This is not the id of a search", MatchingReason.searchIDInvalid)
    let id = try bad.all(named)
    return try await idempotency.execute(call, context.requestKey(requestID)) { tx in
      guard try await tx.first(DeleteSearch(searchID: id, userID: user)) != nil else {
        throw Status(MatchingReason.searchNotFound, "There is no such search")
      }
      return DeleteSavedSearchResponse()
    }
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
