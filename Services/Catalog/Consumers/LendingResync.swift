import Environment
import CatalogDomain
import CatalogStore
import Events
import Identifiers
import Postgres
import TTRPC
import TandemLending
import Timestamps

/// Asks lending, when its events are gone, for the status of all books and the comments on returns.
struct LendingResync: Sendable {
  private let lending: LoansClient
  private let database: Database
  private let environment: Environment

  /// Books in one request to lending, the most that it takes; and those stored by one statement.
  private static let books = 1_000
  /// The largest page of a list.
  private static let pageSize: Int32 = 200
  /// Comments stored by one statement: each may have eight kilobytes.
  private static let stored = 500
  /// Enough for a page, which lending reads from an index.
  private static let timeout = CallOptions(timeout: .seconds(10))

  init(_ source: ResyncSource, _ environment: Environment) {
    lending = LoansClient(source.producer)
    database = source.database
    self.environment = environment
  }

  /// Asks lending, and returns what stores its answers.
  func gathered() async throws -> @Sendable (Transaction) async throws -> Void {
    let ((availability, holds), comments) = (try await self.availability(), try await self.comments())
    return { tx in
      // All users at first, in one order with those of other transactions.
      let users = availability.compactMap(\.borrower)
      _ = try await tx.first(
        LockUsersOfBooks(bookIDs: availability.map(\.book) + holds.map(\.book), userIDs: users))
      for start in stride(from: 0, to: availability.count, by: Self.books) {
        let some = availability[start..<min(start + Self.books, availability.count)]
        try await BookAvailability.store(Array(some), at: environment.clock.now, in: tx)
      }
      for start in stride(from: 0, to: holds.count, by: Self.books) {
        let some = holds[start..<min(start + Self.books, holds.count)]
        try await BookHold.store(Array(some), at: environment.clock.now, in: tx)
      }
      for start in stride(from: 0, to: comments.count, by: Self.stored) {
        let some = comments[start..<min(start + Self.stored, comments.count)]
        try await tx.execute(InsertReturnComments(Array(some)))
      }
    }
  }

  /// The books whose status in lending, or whose being on hold, differs from the stored one. One that lending does not know, as it was restored to an earlier moment,
  /// is available: nothing else would ever say so.
  private func availability() async throws -> (moved: [BookAvailability], holds: [BookHold]) {
    var (moved, holds): ([BookAvailability], [BookHold]) = ([], [])
    var last = BookID(UUID7(high: 0, low: 0))
    while true {
      let shown = try await database.rows(ShownBooks(after: last, limit: Int64(Self.books)))
      guard let end = shown.last?.id else { return (moved, holds) }
      let before = Set(shown.map { BookAvailability($0) })
      let call = FindBookStatusesRequest(bookIds: shown.map(\.id.description))
      let answer = try await lending.findBookStatuses(call, Self.timeout).statuses
      let known = Set(answer.map(\.bookID))
      let unknown = shown.filter { !known.contains($0.id.description) }
      let now =
        answer.compactMap { BookAvailability($0) } + unknown.map { BookAvailability($0.id, .available, borrower: "") }
      moved += now.filter { !before.contains($0) }
      let heldNow = Set(answer.filter(\.onHold).map(\.bookID))
      holds += shown.filter { $0.onHold != heldNow.contains($0.id.description) }.map {
        BookHold($0.id, isHeld: !$0.onHold)
      }
      if shown.count < Self.books { return (moved, holds) }
      last = end
    }
  }

  /// Comments on returns that are not stored here yet.
  private func comments() async throws -> [ReturnComment] {
    var (missing, call) = ([ReturnComment](), ListReturnCommentsRequest(pageSize: Self.pageSize))
    repeat {
      let page = try await lending.listReturnComments(call, Self.timeout)
      let loans = page.comments.compactMap { UUID7($0.loanID) }
      let unknown = Set(try await database.rows(LoansWithoutComment(loanIDs: loans)))
      missing += page.comments.compactMap { comment in
        guard let loan = UUID7(comment.loanID), unknown.contains(loan) else { return nil }
        return ReturnComment(comment, environment)
      }
      call.pageToken = page.nextPageToken
    } while !call.pageToken.isEmpty
    return missing
  }
}

extension BookAvailability {
  fileprivate init?(_ known: KnownStatus) {
    guard let book = BookID(known.bookID), let status = CatalogDomain.BookStatus(known.status) else { return nil }
    self.init(book, status, borrower: known.borrowerID)
  }
}

extension ReturnComment {
  fileprivate init?(_ known: KnownComment, _ environment: Environment) {
    guard let moment = known.createTime.flatMap({ Instant(valid: $0) }) else { return nil }
    self.init(
      loan: known.loanID, book: known.bookID, author: known.authorID, known.text, at: moment, environment)
  }
}
