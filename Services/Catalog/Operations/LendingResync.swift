import CatalogDomain
import CatalogStore
import Environment
import Identifiers
import Postgres
import TTRPC
import TandemLending
import Timestamps

extension BookOperations {
  /// Asks lending, when its events are gone, for the status of all books and the comments on returns; call it outside of transactions.
  ///
  /// - Parameter lending: the producer of the events.
  /// - Returns: what differs from what is stored.
  package func askLending(_ lending: any RPCChannel, about database: Database) async throws -> LendingReport {
    try await LendingResync(lending, database, environment).report()
  }

  /// Stores what lending answered.
  package func store(_ report: LendingReport, _ tx: Transaction) async throws {
    // All users at first, in one order with those of other transactions.
    let users = report.moved.compactMap(\.borrower) + report.comments.map(\.author)
    try await tx.holdUsers(ofBooks: report.moved.map(\.book) + report.holds.map(\.book), and: users)
    for some in report.moved.parts(of: LendingReport.books) { try await storeAvailability(Array(some), tx) }
    for some in report.holds.parts(of: LendingReport.books) { try await storeHolds(Array(some), tx) }
    for some in report.comments.parts(of: LendingReport.comments) {
      try await tx.execute(InsertReturnComments(Array(some)))
    }
  }
}

/// What lending says, where it differs from what is stored.
package struct LendingReport: Sendable {
  /// Books in one request to lending, the most that it takes; and those stored by one statement.
  fileprivate static let books = 1_000
  /// Comments stored by one statement: each may have eight kilobytes.
  fileprivate static let comments = 500

  fileprivate let moved: [BookAvailability]
  fileprivate let holds: [BookHold]
  fileprivate let comments: [ReturnComment]
}

extension Array {
  /// The elements in parts of so many, the last of fewer.
  fileprivate func parts(of size: Int) -> [ArraySlice<Element>] {
    stride(from: 0, to: count, by: size).map { self[$0..<Swift.min($0 + size, count)] }
  }
}

/// Asks lending page by page.
private struct LendingResync: Sendable {
  private let lending: LoansClient
  private let database: Database
  private let environment: Environment

  /// The largest page of a list.
  private static let pageSize: Int32 = 200
  /// Enough for a page, which lending reads from an index.
  private static let timeout = CallOptions(timeout: .seconds(10))

  init(_ lending: any RPCChannel, _ database: Database, _ environment: Environment) {
    self.lending = LoansClient(lending)
    self.database = database
    self.environment = environment
  }

  func report() async throws -> LendingReport {
    let ((moved, holds), comments) = (try await self.availability(), try await self.comments())
    return LendingReport(moved: moved, holds: holds, comments: comments)
  }

  /// The books whose status in lending, or whose being on hold, differs from the stored one. One that lending does not know, as it was restored to an earlier moment,
  /// is available: nothing else would ever say so.
  private func availability() async throws -> (moved: [BookAvailability], holds: [BookHold]) {
    var (moved, holds): ([BookAvailability], [BookHold]) = ([], [])
    var last = BookID(UUID7(high: 0, low: 0))
    while true {
      let shown = try await database.rows(ShownBooks(after: last, limit: Int64(LendingReport.books)))
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
      if shown.count < LendingReport.books { return (moved, holds) }
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

  /// A borrower's comment; `nil` when an id is not a UUID.
  package init?(
    loan: String, book: String, author: String, _ text: String, at moment: Instant, _ environment: Environment
  ) {
    guard let loan = UUID7(loan), let book = BookID(book), let author = UserID(author) else { return nil }
    self.init(
      CommentID(environment.randomness.uuid7(at: moment)), on: book, by: author, CommentText(stored: text),
      endingLoan: loan, saidAt: moment)
  }
}
