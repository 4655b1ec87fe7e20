import Identifiers
import MatchingDomain
import MatchingStore
import Postgres

extension SessionOperations {
  /// Makes sure that a user may have a search; before ``saveSearch(named:_:of:_:)``.
  ///
  /// - Throws: `gymProfileMissing` for one without a gender and a level, for whom no session would be found. Where that cannot be known now,
  ///   the search is saved.
  package func prepareSearch(of user: UserID) async throws {
    do { _ = try await lookUpApplicant(user) } catch MatchingFailure.identityUnavailable {}
  }

  /// Saves a search ([MA-18]).
  package func saveSearch(
    named name: SearchName, _ filter: SearchFilter, of user: UserID, _ tx: Transaction
  ) async throws -> StoredSearch {
    let now = environment.clock.now
    try await tx.enter(user, at: now)
    let insert = InsertSearch(environment.newID(), of: user, named: name, filter, now: now)
    guard let stored = try await tx.first(insert) else { throw SavedSearchRefusal.tooManySearches }
    return stored
  }
}
