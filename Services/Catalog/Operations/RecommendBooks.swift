import CatalogDomain
import CatalogStore
import Identifiers
import Postgres
import TTRPC
import TandemLending

extension BookOperations {
  /// Short, as the caller waits for the answer.
  private static let patience = Duration.seconds(2)

  /// Books that a user may want to borrow next, by what the user borrowed and rated ([CA-28]); see ``recommendBooks(_:among:to:)``.
  ///
  /// - Returns: twice as many, as some may be left out because the user has requested them.
  package func rankRecommendations(_ count: Int32, for reader: UserID) async throws -> [RecommendedBooks.Row] {
    try await database.rows(RecommendedBooks(userID: reader, limit: 2 * Int64(count)))
  }

  /// Those that a user can request of the books that ``rankRecommendations(_:for:)`` found.
  ///
  /// - Throws: `noHistory` for a user who has never borrowed a book.
  package func recommendBooks(
    _ count: Int32, among found: [RecommendedBooks.Row], to reader: UserID
  ) async throws -> ArraySlice<RecommendedBooks.Row> {
    if found.isEmpty, try await database.first(AnyPastLoan(userID: reader)) == nil { throw RatingRefusal.noHistory }
    let waitedFor = try await waitedFor(by: reader, among: found)
    return found.filter { !waitedFor.contains($0.book.id.description) }.prefix(Int(count))
  }

  /// The ids of the books that the reader has already requested, which cannot be requested again; lending knows them. If it does not
  /// answer, every requested book counts as such.
  private func waitedFor(by reader: UserID, among found: [RecommendedBooks.Row]) async throws -> Set<String> {
    guard let lending, !found.isEmpty else { return [] }
    let call = FindRequestedBooksRequest(
      borrowerID: reader.description, bookIds: found.map { $0.book.id.description })
    do {
      return Set(try await LoansClient(lending).findRequestedBooks(call, CallOptions(timeout: Self.patience)).bookIds)
    } catch is Status {
      return Set(found.filter { $0.book.status == .requested }.map { $0.book.id.description })
    }
  }
}
